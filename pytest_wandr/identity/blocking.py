"""Which pairs of a list are worth comparing? Few keys, and blocks too large to mean anything are skipped."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from pytest_wandr.identity.compare import VALUE_KINDS
from pytest_wandr.identity.cyrillic import neutral
from pytest_wandr.identity.forms import forms_of, initials
from pytest_wandr.identity.normal import flags_of
from pytest_wandr.identity.typos import stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_wandr.identity.declared import Declared
    from pytest_wandr.identity.forms import Form

_LARGE = 25
_HUGE = 400
_FEW = 12
_COMMON = frozenset("pwf")  # prefix, word, family name: many names share one by chance
_ACRONYM = 10
_WORDS = 3
_SHORT: Mapping[str, int] = MappingProxyType({})  # no name has so many words that the rarest are chosen


def candidate_pairs(
    names: Sequence[str], forms: list[tuple[Form, ...]], declared: Declared
) -> list[tuple[int, int]]:
    """Position pairs, sorted; the names are unique and sorted by content, `forms` are theirs."""
    keys = [declared.key(name) for name in names]
    if len(names) <= _FEW:
        return _pairs_of_few(names, keys, forms, declared)
    blocks = _by_value([f"k{key}"] for key in keys)
    pairs: set[tuple[int, int]] = set()
    for members in blocks.values():  # names of one normal form, however many: a chain joins them
        pairs.update(pairwise(members))
    if declared:
        blocks = _by_value(_declared_keys(name, declared) for name in names)
    pairs.update(_pairs_of(blocks))
    if forms:
        pairs.update(_pairs_of(_by_value(_keys_of_names(forms))))
        pairs.update(_acronym_pairs(forms))
    return sorted(pairs)


def forms_of_all(names: Sequence[str], declared: Declared) -> list[tuple[Form, ...]]:
    """The forms of names; nothing for a kind that compares values."""
    if declared.kind in VALUE_KINDS:
        return []
    flags = flags_of(declared.options)
    return [forms_of(declared.kind, name, flags) for name in names]


def _pairs_of_few(
    names: Sequence[str], keys: list[str], forms: list[tuple[Form, ...]], declared: Declared
) -> list[tuple[int, int]]:
    """The same pairs for a list so short that no block is large: look at each pair, without blocks."""
    found = [_declared_keys(name, declared) for name in names] if declared else [{f"k{key}"} for key in keys]
    if forms:
        found = [own | more for own, more in zip(found, _keys_of_names(forms), strict=True)]
    pairs = {(a, b) for a, b in combinations(range(len(names)), 2) if not found[a].isdisjoint(found[b])}
    return sorted(pairs.union(_acronym_pairs(forms)))


def _by_value(keys: Iterable[Iterable[str]]) -> dict[str, list[int]]:
    """Who shares a key. Most keys are one name's alone, and make no block."""
    first: dict[str, int] = {}
    blocks: dict[str, list[int]] = {}
    for at, found in enumerate(keys):
        for key in found:
            other = first.setdefault(key, at)
            if other != at:
                blocks.setdefault(key, [other]).append(at)
    return blocks


def _pairs_of(blocks: dict[str, list[int]]) -> Iterator[tuple[int, int]]:
    for key, members in blocks.items():
        if len(members) <= (_LARGE if key[0] in _COMMON else _HUGE):
            yield from combinations(members, 2)


def _declared_keys(name: str, declared: Declared) -> set[str]:
    keys = set(declared.keys(name))
    for pair in declared.apart:
        if not keys.isdisjoint(pair):
            keys.update(pair)
    return {f"k{key}" for key in keys}


def _keys_of_names(forms: list[tuple[Form, ...]]) -> Iterator[set[str]]:
    long = any([len(form.bag) > _WORDS for found in forms for form in found])  # noqa: C419 - faster
    rarity = Counter([token for found in forms for token in found[0].bag]) if long else _SHORT
    keys = (_name_keys(found, rarity) for found in forms)
    if not any([form.is_cyrillic for found in forms for form in found]):  # noqa: C419 - faster
        return keys
    return (own | _neutral_keys(found) for own, found in zip(keys, forms, strict=True))


def _neutral_keys(forms: tuple[Form, ...]) -> set[str]:
    """Keys that a Cyrillic name shares with its Latin spellings."""
    words = {neutral(token) for form in forms for token in form.tokens}
    return {f"w{stem(word)}" for word in words} | {f"j{''.join(map(neutral, form.tokens))}" for form in forms}


def _name_keys(forms: tuple[Form, ...], rarity: Mapping[str, int]) -> set[str]:
    """The first letter of a key is its family."""
    keys: set[str] = set()
    for form in forms:
        words: Iterable[str] = form.bag
        if len(form.bag) > _WORDS:
            words = sorted(form.bag, key=lambda token: (rarity[token], token))[:_WORDS]
        keys.update([f"w{stem(token)}" for token in words])
        keys.update((f"j{form.joined}", f"p{form.joined[:6]}", f"s{' '.join(sorted(form.tokens))}"))
        if form.spelled:
            keys.add(f"j{form.spelled}")
        keys.update([f"t{ticker}" for ticker in form.tickers])
        if form.person and form.person.given:
            keys.add(f"f{form.person.family[-1]} {form.person.given[0]}")
    return keys


def _acronym_pairs(forms: list[tuple[Form, ...]]) -> Iterator[tuple[int, int]]:
    """Each one-word name with the longer names whose initials it may be."""
    single = _places((at, form.joined) for at, found in enumerate(forms) for form in found if _is_short(form))
    if not single:
        return
    longer = _places(
        (at, name) for at, found in enumerate(forms) for name in _acronyms_of(found) & single.keys()
    )
    for name, members in longer.items():
        if len(members) <= _LARGE:
            yield from ((min(a, b), max(a, b)) for a in members for b in single[name] if a != b)


def _places(found: Iterable[tuple[int, str]]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for at, name in found:
        places.setdefault(name, []).append(at)
    return places


def _is_short(form: Form) -> bool:
    return len(form.tokens) == 1 and len(form.joined) <= _ACRONYM


def _acronyms_of(forms: tuple[Form, ...]) -> set[str]:
    return {name for form in forms for name in initials(form.tokens) | form.acronyms}
