"""Are two values of a key the same thing? The one public answer, for every kind."""

from __future__ import annotations

from functools import lru_cache

from pytest_wandr.identity.fold import clean, raw_form
from pytest_wandr.identity.forms import Flags, Form, forms_of, key_of
from pytest_wandr.identity.name_rules import compare_names
from pytest_wandr.identity.papers import Reference, compare_ids, paper_id, read_reference
from pytest_wandr.identity.person_rules import compare_persons
from pytest_wandr.identity.tables.words import GENERIC_TITLES
from pytest_wandr.identity.urls import key_of_url, rules_of
from pytest_wandr.identity.values import alias_table, date_key, id_key, label_key
from pytest_wandr.identity.verdict import Comparison, Verdict, distinct, grey, same
from pytest_wandr.model import IdentityOptions
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS = ("company", "person", "product", "place", "paper", "url", "enum", "text", "date", "id")
_DEFAULT = IdentityOptions()


def check_kind(kind: str) -> None:
    """ValueError for a kind that does not exist."""
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}; there are: {', '.join(KINDS)}")


def flags_of(options: IdentityOptions) -> Flags:
    """The options that change a form."""
    return Flags(options.numbers == "identity", options.keep_legal_form)


def normal_form(kind: str, value: str, options: IdentityOptions | None = None) -> str:
    """The spelling's normal form: values with an equal one are one supplied entity.

    Aliases are second names, not spellings, so they do not change it; only for `enum`, where an alias is another
    way to write the label, does the form become the label's.
    """
    options = options or _DEFAULT
    if kind == "enum":
        key = label_key(value)
        return alias_table(options.aliases).get(key, key) if options.aliases else key
    if kind == "url":
        return key_of_url(value, rules_of(options.url)) or raw_form(value)
    if kind in {"date", "id"}:
        return date_key(value) if kind == "date" else id_key(value)
    check_kind(kind)
    if kind == "paper":
        reference = read(value)
        if found := paper_id(reference, versions=options.paper_versions == "separate"):
            return found
    return key_of(kind, value, flags_of(options))


@lru_cache(maxsize=16384)
def read(value: str) -> Reference:
    """A paper's identifiers and title, cached."""
    return read_reference(clean(value))


def compare(kind: str, a: str, b: str, **options: object) -> Verdict:
    """`same`, `grey` or `distinct`; the options are the fields of IdentityOptions, and `labels`."""
    return explain(kind, a, b, **options).verdict


def explain(kind: str, a: str, b: str, **options: object) -> Comparison:
    """The verdict with its reason."""
    check_kind(kind)
    labels = options.pop("labels", ())
    if not options and not labels:
        return compare_values(kind, a, b, _DEFAULT)
    parsed = IdentityOptions.model_validate(options)
    if labels and isinstance(labels, (list, tuple)):
        known = {normal_form(kind, str(label), parsed) for label in labels}
        keys = {normal_form(kind, a, parsed), normal_form(kind, b, parsed)}
        if len(keys) > 1 and not keys <= known:
            return distinct("not a label")
    return compare_values(kind, a, b, parsed)


def compare_values(kind: str, a: str, b: str, options: IdentityOptions) -> Comparison:
    """What the author declared comes first, then the rules of the kind."""
    if options.aliases or options.distinct:
        names_a, names_b = names_of(kind, a, options), names_of(kind, b, options)
        if declared_distinct(kind, names_a, names_b, options):
            return distinct("declared")
        if names_a & names_b:
            return same("alias" if a != b else "exact")
        pairs = [(x, y) for x in sorted({a, *names_a}) for y in sorted({b, *names_b})]
        return max((compare_plain(kind, x, y, options) for x, y in pairs), key=lambda c: (c.rank, c.reason))
    return compare_plain(kind, a, b, options)


def names_of(kind: str, value: str, options: IdentityOptions) -> frozenset[str]:
    """Normal forms under which the author knows a value; its own is among them."""
    key = normal_form(kind, value, options)
    names = {key}
    for canonical, variants in alias_groups(kind, options):
        if key == canonical or key in variants:
            names |= {canonical, *variants}
    return frozenset(names)


def alias_groups(kind: str, options: IdentityOptions) -> list[tuple[str, frozenset[str]]]:
    """The declared aliases as normal forms."""
    plain: Mapping[str, tuple[str, ...]] = options.aliases
    return [
        (normal_form(kind, canonical, options), frozenset(normal_form(kind, v, options) for v in variants))
        for canonical, variants in plain.items()
    ]


def declared_distinct(
    kind: str, names_a: frozenset[str], names_b: frozenset[str], options: IdentityOptions
) -> bool:
    """Whether the author's `distinct` list keeps the two apart."""
    for one, two in options.distinct:
        x, y = normal_form(kind, one, options), normal_form(kind, two, options)
        if (x in names_a and y in names_b) or (y in names_a and x in names_b):
            return True
    return False


def compare_plain(kind: str, a: str, b: str, options: IdentityOptions) -> Comparison:
    """The rules of the kind alone."""
    if kind in {"enum", "url", "date", "id"}:
        equal = normal_form(kind, a, options) == normal_form(kind, b, options)
        return same("exact") if equal else distinct("different")
    if kind == "paper":
        return _compare_papers(a, b, options)
    return _best(kind, a, b, flags_of(options))


def _compare_papers(a: str, b: str, options: IdentityOptions) -> Comparison:
    ref_a, ref_b = read(a), read(b)
    decided = compare_ids(ref_a, ref_b, versions=options.paper_versions == "separate")
    if decided:
        return decided
    found = _best("paper", ref_a.title or a, ref_b.title or b, flags_of(options))
    if found.verdict == "same" and key_of("paper", ref_a.title or a) in GENERIC_TITLES:
        return same("exact") if ref_a.year and ref_a.year == ref_b.year else grey("generic title")
    return found


@lru_cache(maxsize=32768)
def _best(kind: str, a: str, b: str, flags: Flags) -> Comparison:
    """The best verdict over all pairs of forms, then tickers and native letters."""
    return max(
        (_one(kind, x, y) for x in forms_of(kind, a, flags) for y in forms_of(kind, b, flags)),
        key=lambda c: (c.rank, c.reason),
    )


def _one(kind: str, a: Form, b: Form) -> Comparison:
    if (b.key, b.raw) < (a.key, a.raw):
        a, b = b, a
    found = compare_persons(a, b) if kind == "person" else compare_names(kind, a, b)
    if a.native and b.native and a.native.split(":")[0] == b.native.split(":")[0] and a.native != b.native:
        return distinct(found.reason) if found.verdict == "distinct" else grey("native letters")
    if a.tickers and b.tickers:
        if a.tickers.isdisjoint(b.tickers):
            return grey("tickers") if found.verdict == "same" else found
        if found.verdict == "grey":
            return same("ticker")
    return found
