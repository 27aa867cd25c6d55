"""Which keys need no second reading, because no rule has anything to do with any of their words?"""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from pytest_wandr.identity.companies import LEGAL_WORDS
from pytest_wandr.identity.tables.people import (
    GENERATIONS,
    PARTICLE_SPELLINGS,
    POSTNOMINALS,
    TITLE_PHRASES,
    TITLES,
    TITLES_FIRST_ONLY,
)
from pytest_wandr.identity.tables.words import ABBREVIATIONS, COUNTRIES, PLACE_ABBREVIATIONS, SPELLINGS
from pytest_wandr.identity.tokens import NUMBER_WORDS, ROMAN_ONES, TENS, number_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_KEY = re.compile("[a-z]{2,}(?: [a-z]{2,})*")
_ANYWHERE = frozenset(
    (
        "the",
        "america",
        "formerly",
        "previously",
        "fka",
        "aka",
        "dba",
        "also",
        "doing",
        "trading",
        "now",
        "nka",
        "nee",
    )
)
"""Words that some rule takes away or takes as the start of another name."""
_READ = {
    "company": LEGAL_WORDS | ABBREVIATIONS.keys() | COUNTRIES.keys(),
    "place": PLACE_ABBREVIATIONS.keys() | ABBREVIATIONS.keys() | COUNTRIES.keys() | {"dr"},
    "person": TITLES
    | TITLES_FIRST_ONLY
    | {phrase[0] for phrase in TITLE_PHRASES}
    | POSTNOMINALS
    | GENERATIONS.keys()
    | PARTICLE_SPELLINGS.keys(),
}
"""Words that the rules of a kind read; of the other kinds, those with a standard spelling."""
_ROMAN = {tens + ones for tens, ones in product(("", "x", "xx", "xxx", "xl", "l"), ROMAN_ONES)}
_NUMBERS = TENS.keys() | NUMBER_WORDS.keys() | {token for token in _ROMAN if token and number_of(token)}
_OTHERS = _ANYWHERE | _NUMBERS | SPELLINGS.keys()
_SPECIAL = {kind: _ANYWHERE | _NUMBERS | words for kind, words in _READ.items()}


def is_settled(kind: str, key: str) -> bool:
    """True when reading the key again surely finds the key; false when that has to be tried."""
    return _KEY.fullmatch(key) is not None and are_settled(kind, key.split(" "))


def are_settled(kind: str, tokens: Iterable[str]) -> bool:
    """The same for the words of a key; of two or more of the letters a to z each."""
    return _SPECIAL.get(kind, _OTHERS).isdisjoint(tokens)
