"""Which keys has a node? A chain of levels down to `url`; a subtask begins with the main node's keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, get_args

from pytest_wandr.identity.urls import UrlRules
from pytest_wandr.model import IdentityOptions, KeyKind, KeySpec, Policy
from pytest_wandr.task.naming import (
    check_axis,
    check_names,
    form_of,
    read_aliases,
    read_distinct,
    read_labels,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_wandr.task.tables import Table

KINDS: tuple[str, ...] = get_args(KeyKind)
RESERVED = ("item", "url", "excerpts", "answer")
_OPTIONS = tuple(IdentityOptions.model_fields)
_KEY_FIELDS = ("name", "kind", "required", "fields", "labels", *_OPTIONS)
_URL_FIELDS = ("name", "kind", "required", "url")
_URL_OPTIONS = UrlRules._fields
_URL_WORDS = ("keep", "separate", "ignore")  # the first two mean true
_NAME = re.compile(r"[^\W\d][\w -]*")


def fold(name: str) -> str:
    """The form under which a results file may spell a field name."""
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def read_keys(node: Table, main: tuple[KeySpec, ...] | None) -> tuple[KeySpec, ...]:
    """The keys of a node. `main` is None for the main node itself."""
    tables = node.tables("keys")
    if not tables:
        if "keys" not in node or node.values["keys"] == []:
            hint = 'write keys = [{ name = "company", required = 10 }, { name = "url", required = 1 }]'
            node.wrong("keys" if "keys" in node else None, "`keys` is missing or empty", hint)
        return ()
    names = [name if isinstance(name := table.values.get("name"), str) else "" for table in tables]
    _check_url(node, tables, names)
    shared = _shared(node, tables, names, main or ())
    keys = []
    for table, name in zip(tables, names, strict=True):
        key = _url_key(table) if name == "url" else _entity_key(table, shared.get(name))
        if key is not None:
            keys.append(key)
    _check_fields(tables, keys)
    return tuple(keys)


def _check_url(node: Table, tables: list[Table], names: list[str]) -> None:
    """`url` is there once, and last; above it there is at least one key."""
    hint = 'end the keys with { name = "url", required = 1 }'
    if "url" not in names:
        node.wrong("keys", "the key `url` is missing", hint)
    elif names.count("url") > 1:
        second = names.index("url", names.index("url") + 1)
        tables[second].wrong("name", "`url` is there more than once", hint)
    elif names[-1] != "url":
        tables[names.index("url")].wrong("name", "`url` must be the last key", hint)
    elif len(names) == 1:
        node.wrong(
            "keys",
            "there is no key above `url`",
            "name what is to be found, as in the first key of the example",
        )


def _shared(
    node: Table, tables: list[Table], names: list[str], main: tuple[KeySpec, ...]
) -> dict[str, KeySpec]:
    """The leading keys that a subtask has from the main node, by name."""
    theirs = [key for key in main if key.name != "url"]
    shared: dict[str, KeySpec] = {}
    for name, key in zip(names, theirs, strict=False):
        if name != key.name:
            break
        shared[name] = key
    if theirs and not shared:
        hint = f'begin with the first key of the main node: {{ name = "{theirs[0].name}" }}'
        node.wrong("keys", "the subtask shares no key with the main node", hint)
    later = {key.name for key in theirs} - set(shared)
    for table, name in zip(tables, names, strict=True):
        if name in later:
            hint = "shared keys are the main node's first ones, in its order; give any other key another name"
            table.wrong("name", f"the main node's key `{name}` is shared after a gap", hint)
    return shared


def _url_key(table: Table) -> KeySpec | None:
    for name in table.values:
        if name not in _URL_FIELDS and name in _KEY_FIELDS:
            table.wrong(name, "the key `url` takes no such option", "it takes " + ", ".join(_URL_FIELDS[1:]))
    table.only(_KEY_FIELDS)
    if table.choice("kind", KINDS, "url") != "url":
        table.wrong("kind", 'the key `url` has the kind "url"', "leave `kind` out")
    required = _required(table, (), None)
    return KeySpec(name="url", kind="url", required=required, url=_url_options(table)) if required else None


def _entity_key(table: Table, shared: KeySpec | None) -> KeySpec | None:
    table.only(_KEY_FIELDS)
    name = _key_name(table)
    kind = table.choice("kind", KINDS, shared.kind if shared else "text")
    options = _options(table, shared)
    form = form_of(kind, options)
    labels = read_labels(table, form) if "labels" in table else (shared.labels if shared else ())
    if not shared or any(name in table for name in ("aliases", "distinct", "labels")):
        check_names(table, options, labels, form)
    if "labels" in table:
        check_axis(table, kind, options, labels)
    required = _required(table, labels if "labels" in table else (), shared)
    fields = table.texts("fields", filled=True) if "fields" in table else (shared.fields if shared else ())
    if not name:
        return None
    values = {"name": name, "kind": kind, "required": required or 1, "fields": fields, "labels": labels}
    key = KeySpec.model_validate({**options.model_dump(), **values})
    if shared:
        _check_same(table, key, shared)
    return key


def _key_name(table: Table) -> str:
    name = table.text("name", needed=True, hint='write { name = "company", ... }')
    if name and name.strip() and not _NAME.fullmatch(name):
        table.wrong(
            "name", f"{name!r} is no field name", "use letters, digits and _, and begin with a letter"
        )
    if fold(name) in RESERVED:
        table.wrong("name", f"{name!r} is the name of a part of every record", "choose another name")
    return name


def _required(table: Table, labels: tuple[str, ...], shared: KeySpec | None) -> int | None:
    required = table.count("required")
    if "required" not in table:
        if labels:
            return len(labels)
        if shared:
            return shared.required
        table.wrong(
            None, "`required` is missing", "say how many are required under each parent: required = 10"
        )
    elif required is not None and labels and required != len(labels):
        hint = "leave `required` out: with labels it is their number"
        table.wrong("required", f"required = {required}, but there are {len(labels)} labels", hint)
    return required


def _options(table: Table, shared: KeySpec | None) -> IdentityOptions:
    """The identity options; what is left out of a shared key is as in the main node."""
    read: dict[str, object] = {
        "aliases": read_aliases(table),
        "distinct": read_distinct(table),
        "policy": table.choice("policy", get_args(Policy), "strict"),
        "also": table.texts("also", filled=True),
        "confirm": table.flag("confirm"),
        "numbers": table.choice("numbers", ("identity", "ignore"), "identity"),
        "keep_legal_form": table.flag("keep_legal_form"),
        "subsidiaries": table.choice("subsidiaries", ("separate", "merge"), "separate"),
        "paper_versions": table.choice("paper_versions", ("separate", "merge"), "merge"),
        "url": _url_options(table),
    }
    inherited = {name: getattr(shared, name) for name in _OPTIONS if shared and name not in table}
    return IdentityOptions.model_validate({**read, **inherited})


def _url_options(table: Table) -> dict[str, object]:
    inner = table.table("url")
    if inner is None:
        return {}
    inner.only(_URL_OPTIONS)
    kept: dict[str, object] = {}
    if "host_aliases" in inner:
        hosts = inner.table("host_aliases")
        kept["host_aliases"] = {name: hosts.text(name, needed=True) for name in hosts.values} if hosts else {}
    for name in ("keep_params", "drop_params"):
        if name in inner:
            kept[name] = list(inner.texts(name, filled=True))
    for name in ("archives_same_page", "scheme", "trailing_slash"):
        if isinstance(inner.values.get(name), str) and name != "archives_same_page":
            kept[name] = inner.choice(name, _URL_WORDS, "ignore")
        elif name in inner:
            kept[name] = inner.flag(name)
    return kept


def _check_same(table: Table, key: KeySpec, shared: KeySpec) -> None:
    """A shared key is the main node's own: what it repeats must be equal."""
    here: Mapping[str, object] = key.model_dump()
    there: Mapping[str, object] = shared.model_dump()
    for name in _KEY_FIELDS[1:]:
        if name in table and here[name] != there[name]:
            message = f"the main node's key `{key.name}` has {name} = {_brief(there[name])}"
            table.wrong(name, message, f"leave `{name}` out: a shared key has it from the main node")


def _brief(value: object) -> str:
    text = repr(list(value) if isinstance(value, tuple) else value)
    return text if len(text) <= 60 else text[:57] + "..."


def _check_fields(tables: list[Table], keys: list[KeySpec]) -> None:
    """Every key and every item field has a name of its own."""
    by_name = {key.name: key for key in keys}
    fields: set[str] = set()
    names: set[str] = set()
    for table in tables:
        name = table.values.get("name")
        key = by_name.get(name) if isinstance(name, str) else None
        if key is None or key.name == "url":
            continue
        if fold(key.name) in names:
            table.wrong("name", f"there are two keys `{key.name}`", "give each key a name of its own")
            continue
        names.add(fold(key.name))
        for field in key.item_fields:
            if fold(field) in fields or fold(field) in RESERVED:
                where = "fields" if "fields" in table else "name"
                table.wrong(
                    where, f"the item field {field!r} is taken", "give each item field a name of its own"
                )
            fields.add(fold(field))
