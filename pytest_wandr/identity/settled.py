"""Which keys need no second reading, because no rule has anything to do with any of their words?"""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_wandr.identity.companies import LEGAL_WORDS
from pytest_wandr.identity.tables.people import (
    GENERATIONS,
    PARTICLE_SPELLINGS,
    POSTNOMINALS,
    TITLES,
    TITLES_FIRST_ONLY,
)
from pytest_wandr.identity.tables.words import ABBREVIATIONS, COUNTRIES, PLACE_ABBREVIATIONS, SPELLINGS
from pytest_wandr.identity.tokens import TENS, number_of

_WORD = re.compile("[a-z]{2,}")
_ANYWHERE = frozenset(("the", "america", "formerly", "previously", "fka", "aka", "dba", "also", "doing"))
"""Words that some rule takes away or takes as the start of another name."""
_READ = {
    "company": LEGAL_WORDS | ABBREVIATIONS.keys() | COUNTRIES.keys(),
    "place": PLACE_ABBREVIATIONS.keys() | ABBREVIATIONS.keys() | COUNTRIES.keys(),
    "person": TITLES | TITLES_FIRST_ONLY | POSTNOMINALS | GENERATIONS.keys() | PARTICLE_SPELLINGS.keys(),
}
"""Words that the rules of a kind read; of the other kinds, those with a standard spelling."""


def is_settled(kind: str, key: str) -> bool:
    """True when reading the key again surely finds the key; false when that has to be tried."""
    return are_settled(kind, key.split(" "))


def are_settled(kind: str, tokens: list[str]) -> bool:
    """The same for the words of a key."""
    return all([_is_inert(kind, token) for token in tokens])  # noqa: C419 - a list is faster here


@lru_cache(maxsize=16384)
def _is_inert(kind: str, token: str) -> bool:
    if not _WORD.fullmatch(token) or token in _ANYWHERE or token in _READ.get(kind, SPELLINGS):
        return False
    return token not in TENS and number_of(token) is None
