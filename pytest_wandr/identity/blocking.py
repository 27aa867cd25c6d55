"""Which pairs of a list are worth comparing? Few keys, and blocks too large to mean anything are skipped."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from pytest_wandr.identity.compare import VALUE_KINDS
from pytest_wandr.identity.forms import forms_of, initials
from pytest_wandr.identity.normal import flags_of
from pytest_wandr.identity.typos import stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.identity.declared import Declared
    from pytest_wandr.identity.forms import Form

_LARGE = 40
_HUGE = 400
_COMMON = frozenset("pwfa")  # prefix, word, family name, acronym: many names share one by chance


def candidate_pairs(names: Sequence[str], declared: Declared) -> list[tuple[int, int]]:
    """Position pairs, sorted; the names are unique and sorted by content."""
    blocks: dict[str, list[int]] = {}
    equal: dict[str, list[int]] = {}
    rarity = _rarity(names, declared)
    for at, name in enumerate(names):
        equal.setdefault(declared.key(name), []).append(at)
        for key in _keys(name, declared, rarity):
            blocks.setdefault(key, []).append(at)
    pairs: set[tuple[int, int]] = set()
    for key, members in blocks.items():
        if 1 < len(members) <= (_LARGE if key[0] in _COMMON else _HUGE):
            pairs.update(combinations(members, 2))
    for members in equal.values():  # names of one normal form, however many: a chain joins them
        pairs.update(pairwise(members))
    return sorted(pairs)


def _rarity(names: Sequence[str], declared: Declared) -> Counter[str]:
    if declared.kind in VALUE_KINDS:
        return Counter()
    flags = flags_of(declared.options)
    return Counter(stem(t) for name in names for t in forms_of(declared.kind, name, flags)[0].bag)


def _keys(name: str, declared: Declared, rarity: Counter[str]) -> set[str]:
    keys = {f"k{key}" for key in declared.keys(name)} if declared else {f"k{declared.key(name)}"}
    for one, two in declared.apart:
        if f"k{one}" in keys or f"k{two}" in keys:
            keys |= {f"k{one}", f"k{two}"}
    if declared.kind not in VALUE_KINDS:
        for form in forms_of(declared.kind, name, flags_of(declared.options)):
            keys |= _form_keys(form, rarity)
    return keys


def _form_keys(form: Form, rarity: Counter[str]) -> set[str]:
    """The first letter of a key is its family."""
    keys = {f"j{form.joined}", f"p{form.joined[:6]}", f"s{' '.join(sorted(form.tokens))}"}
    keys |= {f"a{found}" for found in initials(form.tokens) | form.acronyms}
    keys |= {f"t{ticker}" for ticker in form.tickers}
    if len(form.tokens) == 1 and len(form.joined) <= 8:
        keys.add(f"a{form.joined}")
    stems = sorted({stem(token) for token in form.bag}, key=lambda word: (rarity[word], word))
    keys |= {f"w{word}" for word in stems[:3]}
    if form.person and form.person.given:
        keys.add(f"f{form.person.family[-1]} {form.person.given[0]}")
    return keys
