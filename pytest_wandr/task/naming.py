"""Do an author's names agree with each other? Labels, aliases and `distinct` pairs, in their normal forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pytest_wandr.identity import collapse, normal_form
from pytest_wandr.task.tables import Table, type_of

if TYPE_CHECKING:
    from pytest_wandr.model import IdentityOptions

Form = Callable[[str], str]


def form_of(kind: str, options: IdentityOptions) -> Form:
    """The normal form of one key's values, before any alias."""
    bare = options.model_copy(update={"aliases": {}, "distinct": ()})
    return lambda value: normal_form(kind, value, bare)


def read_labels(table: Table, form: Form) -> tuple[str, ...]:
    """The labels of a matrix axis; labels that mean the same are noted."""
    labels = table.texts("labels", filled=True)
    seen: dict[str, str] = {}
    for index, label in enumerate(labels):
        first = seen.setdefault(form(label), label)
        if first is not label or label in labels[:index]:
            message = f"{label!r} and {first!r} are the same label" + (" twice" if label == first else "")
            hint = 'labels must differ in their normal form; kind = "enum" tells signs apart as well'
            table.findings.add((*table.path, "labels", index), message, hint)
    return labels


def check_axis(table: Table, kind: str, options: IdentityOptions, labels: tuple[str, ...]) -> None:
    """Note labels that are spelled apart and yet compare as one: a record could never fill the second."""
    bare = options.model_copy(update={"aliases": {}})
    form = form_of(kind, options)
    for first, *others in collapse(kind, labels, options.policy, bare).groups:
        for index in others:
            if form(labels[index]) != form(labels[first]):
                message = f"{labels[index]!r} and {labels[first]!r} are the same {kind}"
                hint = 'write kind = "enum", which compares labels to the letter, or other labels'
                table.findings.add((*table.path, "labels", index), message, hint)


def read_aliases(table: Table) -> dict[str, tuple[str, ...]]:
    """`aliases = { canonical = [variants] }`."""
    inner = table.table("aliases")
    if inner is None:
        return {}
    for name in inner.values:
        if not name.strip():
            inner.wrong(name, "the name before `=` must not be empty", 'write "Acme" = ["ACME Inc."]')
    return {name: inner.texts(name, filled=True) for name in inner.values}


def read_distinct(table: Table) -> tuple[tuple[str, str], ...]:
    """`distinct = [[a, b], ...]`."""
    value = table.values.get("distinct", [])
    hint = 'write distinct = [["Acme Rail", "Acme Road"]]'
    if not isinstance(value, list):
        table.wrong("distinct", f"must be an array of pairs, not {type_of(value)}", hint)
        return ()
    pairs = []
    for index, pair in enumerate(value):
        if (
            isinstance(pair, list)
            and len(pair) == 2
            and all(isinstance(one, str) and one.strip() for one in pair)
        ):
            pairs.append((pair[0], pair[1]))
        else:
            table.findings.add((*table.path, "distinct", index), "must be a pair of names", hint)
    return tuple(pairs)


def check_names(table: Table, options: IdentityOptions, labels: tuple[str, ...], form: Form) -> None:
    """Note aliases that name two identities, or that bridge two names declared distinct."""
    group: dict[str, str] = {}  # normal form -> the canonical name that it stands for
    for canonical in options.aliases:
        first = group.setdefault(form(canonical), canonical)
        if first != canonical:
            message = f"{canonical!r} and {first!r} are one name, yet each has aliases of its own"
            table.findings.add(
                (*table.path, "aliases", canonical), message, "put all aliases under one of them"
            )
    for canonical, variants in options.aliases.items():
        for index, variant in enumerate(variants):
            first = group.setdefault(form(variant), canonical)
            if first != canonical:
                path = (*table.path, "aliases", canonical, index)
                message = f"{variant!r} names two identities: {first!r} and {canonical!r}"
                table.findings.add(path, message, "an alias belongs to one name")
    _check_labels(table, options, labels, form)
    _check_distinct(table, options, group, form)


def _check_labels(table: Table, options: IdentityOptions, labels: tuple[str, ...], form: Form) -> None:
    known = {form(label): label for label in labels}
    if not known:
        return
    for canonical, variants in options.aliases.items():
        if form(canonical) not in known:
            hint = "the name before `=` is one of the labels"
            table.findings.add(
                (*table.path, "aliases", canonical), f"{canonical!r} is no label of this key", hint
            )
        for index, variant in enumerate(variants):
            other = known.get(form(variant))
            if other is not None and form(other) != form(canonical):
                path = (*table.path, "aliases", canonical, index)
                message = f"{variant!r} names two identities: the label {other!r} and {canonical!r}"
                table.findings.add(path, message, "an alias must not be another label")


def _check_distinct(table: Table, options: IdentityOptions, group: dict[str, str], form: Form) -> None:
    for index, (a, b) in enumerate(options.distinct):
        path = (*table.path, "distinct", index)
        one, other = form(a), form(b)
        if one == other:
            table.findings.add(
                path, f"{a!r} and {b!r} have one normal form", "such names cannot be kept apart"
            )
        elif one in group and group[one] == group.get(other):
            message = f"{a!r} and {b!r} are declared distinct, yet both are aliases of {group[one]!r}"
            table.findings.add(path, message, "drop one of the two declarations")
