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
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_wandr.identity.declared import Declared
    from pytest_wandr.identity.forms import Form

_LARGE = 25
_HUGE = 400
_COMMON = frozenset("pwf")  # prefix, word, family name: many names share one by chance
_ACRONYM = 10


def candidate_pairs(names: Sequence[str], declared: Declared) -> list[tuple[int, int]]:
    """Position pairs, sorted; the names are unique and sorted by content."""
    keys = [declared.key(name) for name in names]
    blocks = _by_value([f"k{key}"] for key in keys)
    pairs: set[tuple[int, int]] = set()
    for members in blocks.values():  # names of one normal form, however many: a chain joins them
        pairs.update(pairwise(members))
    if declared:
        blocks = _by_value(_declared_keys(name, declared) for name in names)
    pairs.update(_pairs_of(blocks))
    if declared.kind not in VALUE_KINDS:
        flags = flags_of(declared.options)
        forms = [forms_of(declared.kind, name, flags) for name in names]
        rarity = Counter(token for found in forms for token in found[0].bag)
        pairs.update(_pairs_of(_by_value(_name_keys(found, rarity) for found in forms)))
        pairs.update(_acronym_pairs(forms))
    return sorted(pairs)


def _by_value(keys: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    blocks: dict[str, list[int]] = {}
    for at, found in enumerate(keys):
        for key in found:
            blocks.setdefault(key, []).append(at)
    return blocks


def _pairs_of(blocks: dict[str, list[int]]) -> Iterator[tuple[int, int]]:
    for key, members in blocks.items():
        if 1 < len(members) <= (_LARGE if key[0] in _COMMON else _HUGE):
            yield from combinations(members, 2)


def _declared_keys(name: str, declared: Declared) -> set[str]:
    keys = set(declared.keys(name))
    for pair in declared.apart:
        if not keys.isdisjoint(pair):
            keys.update(pair)
    return {f"k{key}" for key in keys}


def _name_keys(forms: tuple[Form, ...], rarity: Counter[str]) -> set[str]:
    """The first letter of a key is its family."""
    keys: set[str] = set()
    for form in forms:
        keys |= {f"j{form.joined}", f"p{form.joined[:6]}", f"s{' '.join(sorted(form.tokens))}"}
        keys |= {f"t{ticker}" for ticker in form.tickers}
        rarest = sorted(form.bag, key=lambda token: (rarity[token], token))[:3]
        keys |= {f"w{stem(token)}" for token in rarest}
        if form.person and form.person.given:
            keys.add(f"f{form.person.family[-1]} {form.person.given[0]}")
    return keys


def _acronym_pairs(forms: list[tuple[Form, ...]]) -> Iterator[tuple[int, int]]:
    """Each one-word name with the longer names whose initials it may be."""
    single: dict[str, list[int]] = {}
    for at, found in enumerate(forms):
        for form in found:
            if len(form.tokens) == 1 and len(form.joined) <= _ACRONYM:
                single.setdefault(form.joined, []).append(at)
    longer = _by_value(
        {name for form in found for name in (initials(form.tokens) | form.acronyms) if name in single}
        for found in forms
    )
    for name, members in longer.items():
        if len(members) <= _LARGE:
            yield from ((min(a, b), max(a, b)) for a in members for b in single[name] if a != b)
