"""Which check does a `check = { ... }` describe? One verb each, about fields that the record has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_wandr.checks.patterns import placeholders, problem_with
from pytest_wandr.model import (
    AllOf,
    AnyOf,
    Check,
    DateIn,
    HostIs,
    LanguageIs,
    Matches,
    Mentions,
    Not,
    NumberIn,
)
from pytest_wandr.task.findings import near

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from pytest_wandr.task.tables import Table

MAX_NESTING = 16

_EXTRAS: dict[str, tuple[str, ...]] = {
    "mentions": (),
    "matches": (),
    "date": ("from", "to"),
    "number": ("min", "max", "unit"),
    "host": (),
    "language": (),
    "any": (),
    "all": (),
    "not": (),
}
_HOST = re.compile(r"(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W_](?:[\w-]*[^\W_])?")


def read_check(table: Table, fields: Collection[str], nesting: int = 0) -> Check | None:
    """The check in a table. None when it is wrong; why is noted."""
    verbs = [verb for verb in _EXTRAS if verb in table]
    known = (*_EXTRAS, *(extra for verb in verbs or _EXTRAS for extra in _EXTRAS[verb]))
    table.only(known)
    if nesting > MAX_NESTING:
        table.wrong(
            None, f"checks are nested more than {MAX_NESTING} deep", "say it with fewer any, all and not"
        )
        return None
    if len(verbs) != 1:
        said = "no verb" if not verbs else "several verbs: " + ", ".join(verbs)
        hint = "a check has exactly one of " + ", ".join(_EXTRAS) + "; combine several with all = [...]"
        table.wrong(None, f"the check has {said}", hint)
        return None
    if verbs[0] in {"any", "all"}:
        return _several(table, verbs[0], fields, nesting)
    if verbs[0] == "not":
        inner = table.table("not")
        check = read_check(inner, fields, nesting + 1) if inner else None
        return Not.model_validate({"not": check}) if check else None
    return _SIMPLE[verbs[0]](table, fields)


def _several(table: Table, verb: str, fields: Collection[str], nesting: int) -> Check | None:
    parts = table.tables(verb)
    if table.values[verb] == []:
        table.wrong(verb, "must not be empty", "name at least one check")
    checks = [read_check(part, fields, nesting + 1) for part in parts]
    good = tuple(check for check in checks if check is not None)
    return AnyOf(any=good) if verb == "any" else AllOf(all=good)


def _mentions(table: Table, fields: Collection[str]) -> Check | None:
    names = table.texts("mentions", filled=True)
    for index, name in enumerate(names):
        _must_be_field(table, ("mentions", index), name, fields)
    return Mentions(mentions=names)


def _must_be_field(
    table: Table, at: tuple[str, int] | tuple[str], name: str, fields: Collection[str]
) -> None:
    if name in fields:
        return
    hint = near(name, fields) if fields else "give the node keys or `answer` fields"
    if name == "url":
        hint = "to look at the address, use host = [...]"
    table.findings.add(
        (*table.path, *at), f"{name!r} is neither a key field nor an answer field of this node", hint
    )


def _matches(table: Table, fields: Collection[str]) -> Check | None:
    pattern = table.text("matches", needed=True)
    for name in placeholders(pattern):
        _must_be_field(table, ("matches",), name, fields)
    problem = problem_with(pattern)
    if problem:
        quoting = "write it as a literal string, in single quotes, so that TOML leaves backslashes alone"
        slow = "several short patterns under any = [...] do the same and stay fast"
        table.wrong("matches", problem, quoting if "regular expression" in problem else slow)
        return None
    return Matches(matches=pattern)


def _date(table: Table, fields: Collection[str]) -> Check | None:
    name = table.text("date", needed=True)
    if name:
        _must_be_field(table, ("date",), name, fields)
    first, last = table.day("from"), table.day("to")
    if first and last and first > last:
        table.wrong("from", f"from {first} is after to {last}", "swap them")
        return None
    return DateIn.model_validate({"date": name, "from": first, "to": last})


def _number(table: Table, fields: Collection[str]) -> Check | None:
    name = table.text("number", needed=True)
    if name:
        _must_be_field(table, ("number",), name, fields)
    least, most = table.number("min"), table.number("max")
    unit = table.text("unit", needed="unit" in table) or None
    if least is not None and most is not None and least > most:
        table.wrong("min", f"min {least} is above max {most}", "swap them")
        return None
    return NumberIn(number=name, min=least, max=most, unit=unit)


def _host(table: Table, _: Collection[str]) -> Check | None:
    hosts = table.texts("host", filled=True)
    for index, host in enumerate(hosts):
        if not _HOST.fullmatch(host):
            hint = 'write the host alone, as in "news.example"; hosts below it are included'
            table.findings.add((*table.path, "host", index), f"{host!r} is not a host name", hint)
    return HostIs(host=hosts)


def _language(table: Table, _: Collection[str]) -> Check | None:
    codes = table.texts("language", filled=True)
    for index, code in enumerate(codes):
        if not re.fullmatch("[a-z]{2}", code):
            hint = 'write two small letters, as in "en" or "de"'
            table.findings.add((*table.path, "language", index), f"{code!r} is not an ISO 639-1 code", hint)
    return LanguageIs(language=codes)


_SIMPLE: dict[str, Callable[[Table, Collection[str]], Check | None]] = {
    "mentions": _mentions,
    "matches": _matches,
    "date": _date,
    "number": _number,
    "host": _host,
    "language": _language,
}
