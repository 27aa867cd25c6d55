"""Are two values of a key the same thing? The one public answer, for every kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.identity.cyrillic import neutral_form
from pytest_wandr.identity.declared import Declared
from pytest_wandr.identity.forms import forms_of, key_of
from pytest_wandr.identity.name_rules import compare_names
from pytest_wandr.identity.normal import DEFAULT_OPTIONS, check_kind, flags_of, normal_form, read
from pytest_wandr.identity.papers import compare_ids
from pytest_wandr.identity.person_rules import compare_persons
from pytest_wandr.identity.regions import merge_arms
from pytest_wandr.identity.tables.words import GENERIC_TITLES
from pytest_wandr.identity.verdict import distinct, grey, same
from pytest_wandr.model import IdentityOptions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_wandr.identity.forms import Flags, Form
    from pytest_wandr.identity.verdict import Comparison, Verdict

VALUE_KINDS = frozenset(("enum", "url", "date", "id"))


def compare(kind: str, a: str, b: str, **options: object) -> Verdict:
    """`same`, `grey` or `distinct`; the options are the fields of IdentityOptions, and `labels`."""
    return explain(kind, a, b, **options).verdict


def explain(kind: str, a: str, b: str, **options: object) -> Comparison:
    """The verdict with its reason."""
    check_kind(kind)
    if not options:
        return compare_plain(kind, a, b, DEFAULT_OPTIONS)
    labels = options.pop("labels", ())
    declared = Declared(kind, IdentityOptions.model_validate(options))
    if isinstance(labels, (list, tuple)) and labels and not _are_labels(declared, a, b, map(str, labels)):
        return distinct("not a label")
    return compare_declared(a, b, declared)


def _are_labels(declared: Declared, a: str, b: str, labels: Iterable[str]) -> bool:
    """Whether both are labels of a closed list, or are spelled alike anyway."""
    keys = {declared.key(a), declared.key(b)}
    return len(keys) == 1 or keys <= {declared.key(label) for label in labels}


def compare_declared(a: str, b: str, declared: Declared) -> Comparison:
    """What the author declared comes first, then the rules of the kind."""
    kind, options = declared.kind, declared.options
    if not declared:
        return compare_plain(kind, a, b, options)
    keys_a, keys_b = declared.keys(a), declared.keys(b)
    if declared.is_apart(keys_a, keys_b):
        return distinct("declared")
    if not keys_a.isdisjoint(keys_b):
        return same("exact" if declared.key(a) == declared.key(b) else "alias")
    return _best(compare_plain(kind, x, y, options) for x in declared.names(a) for y in declared.names(b))


def compare_plain(kind: str, a: str, b: str, options: IdentityOptions) -> Comparison:
    """The rules of the kind alone."""
    if kind in VALUE_KINDS:
        equal = normal_form(kind, a, options) == normal_form(kind, b, options)
        return same("exact") if equal else distinct("different")
    if kind == "paper":
        return _compare_papers(a, b, options)
    found = _compare_forms(kind, a, b, flags_of(options))
    if kind == "company" and options.subsidiaries == "merge":
        return merge_arms(a, b, found, flags_of(options))
    return found


def _compare_papers(a: str, b: str, options: IdentityOptions) -> Comparison:
    """Identifiers first, then titles; a title that many papers share needs a year as well."""
    ref_a, ref_b = read(a), read(b)
    if decided := compare_ids(ref_a, ref_b, versions=options.paper_versions == "separate"):
        return decided
    title_a, title_b = ref_a.title or a, ref_b.title or b
    found = _compare_forms("paper", title_a, title_b, flags_of(options))
    if found.verdict == "same" and key_of("paper", title_a) in GENERIC_TITLES:
        return grey("generic title")
    return found


def _compare_forms(kind: str, a: str, b: str, flags: Flags) -> Comparison:
    return compare_forms(kind, forms_of(kind, a, flags), forms_of(kind, b, flags))


def compare_forms(kind: str, forms_a: tuple[Form, ...], forms_b: tuple[Form, ...]) -> Comparison:
    """The best verdict over all pairs of forms."""
    if len(forms_a) == len(forms_b) == 1:
        return _compare_two(kind, forms_a[0], forms_b[0])
    first = _compare_two(kind, forms_a[0], forms_b[0])
    if first.verdict == "same" and first.reason == "exact":
        return first
    return _best(_compare_two(kind, x, y) for x in forms_a for y in forms_b)


def _best(found: Iterable[Comparison]) -> Comparison:
    return max(found, key=lambda c: (c.rank, c.reason))


def _compare_two(kind: str, a: Form, b: Form) -> Comparison:
    """The rules for two forms, in an order that content decides; then native letters and tickers."""
    if (b.key, b.raw) < (a.key, a.raw):
        a, b = b, a
    found = _by_rules(kind, a, b)
    if found.verdict != "same" and a.is_cyrillic != b.is_cyrillic:
        other = _by_rules(kind, neutral_form(a), neutral_form(b))
        found = other if other.verdict == "same" else found
    if found.verdict == "distinct":
        return found
    if a.native and b.native and a.native != b.native and _script(a) == _script(b):
        return grey("native letters")
    if a.tickers and b.tickers:
        if a.tickers.isdisjoint(b.tickers):
            return grey("tickers")
        return same("ticker") if found.verdict == "grey" else found
    return found


def _by_rules(kind: str, a: Form, b: Form) -> Comparison:
    return compare_persons(a, b) if kind == "person" else compare_names(kind, a, b)


def _script(form: Form) -> str:
    return form.native.partition(":")[0]
