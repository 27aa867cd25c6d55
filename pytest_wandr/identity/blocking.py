"""Which pairs of a list are worth comparing? Few keys, and blocks too large to mean anything are skipped."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

from pytest_wandr.identity.compare import flags_of, names_of, normal_form
from pytest_wandr.identity.forms import NAME_KINDS, Form, forms_of, initials
from pytest_wandr.identity.typos import stem
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_wandr.model import IdentityOptions
    from collections.abc import Iterator, Sequence

_LARGE = 40
_HUGE = 400


def candidate_pairs(kind: str, names: Sequence[str], options: IdentityOptions) -> list[tuple[int, int]]:
    """Index pairs, sorted; the names are unique and sorted by content."""
    blocks: dict[str, list[int]] = {}
    rarity = _rarity(kind, names, options)
    for at, name in enumerate(names):
        for key in sorted(_keys(kind, name, options, rarity)):
            blocks.setdefault(key, []).append(at)
    pairs: set[tuple[int, int]] = set()
    for key, members in blocks.items():
        if 1 < len(members) <= (_LARGE if key[0] in "pwfa" else _HUGE):
            pairs.update(combinations(members, 2))
    for members in _equal(kind, names, options):
        pairs.update(pairwise(members))
    return sorted(pairs)


def _equal(kind: str, names: Sequence[str], options: IdentityOptions) -> Iterator[list[int]]:
    """Names of one normal form, however many: a chain of pairs joins them."""
    groups: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        groups.setdefault(normal_form(kind, name, options), []).append(at)
    return (members for members in groups.values() if len(members) > 1)


def _rarity(kind: str, names: Sequence[str], options: IdentityOptions) -> Counter[str]:
    if kind not in NAME_KINDS:
        return Counter()
    flags = flags_of(options)
    return Counter(stem(t) for name in names for t in set(forms_of(kind, name, flags)[0].tokens))


def _keys(kind: str, name: str, options: IdentityOptions, rarity: Counter[str]) -> set[str]:
    keys = {f"k{normal_form(kind, name, options)}"}
    if options.aliases or options.distinct:
        keys |= {f"k{known}" for known in names_of(kind, name, options)}
    if kind in NAME_KINDS:
        for form in forms_of(kind, name, flags_of(options)):
            keys |= _form_keys(form, rarity)
    return keys


def _form_keys(form: Form, rarity: Counter[str]) -> set[str]:
    """First letter of a key: its family; p, w, f and a stand for many names and are capped early."""
    keys = {f"j{form.joined}", f"p{form.joined[:6]}", f"s{' '.join(sorted(form.tokens))}"}
    keys |= {f"a{found}" for found in initials(form.tokens) | form.acronyms}
    keys |= {f"t{ticker}" for ticker in form.tickers}
    if len(form.tokens) == 1 and len(form.joined) <= 8:
        keys.add(f"a{form.joined}")
    stems = sorted({stem(token) for token in form.tokens}, key=lambda s: (rarity[s], s))
    keys |= {f"w{word}" for word in stems[:3]}
    if form.person and form.person.given:
        keys.add(f"f{form.person.family[-1]} {form.person.given[0]}")
    return keys
