"""Does a text show a name, letter by letter, where no rule has anything to object?

Most names are plain words, and most pages write them as the record does, between words that are no part of
any name. One such place is enough: the rest of the text, and all other ways to write the name, need not be
looked at. What is said here is only ever yes; everything else is for those who read words.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pytest_wandr.identity.mention_people import MOST_BEARERS
from pytest_wandr.identity.page import page_of
from pytest_wandr.identity.page_words import MOST_STEPS, words_in
from pytest_wandr.identity.settled import are_settled
from pytest_wandr.identity.sought import readings_at_most, steps_at_most
from pytest_wandr.identity.tables.continuations import COMPANY_LEFT, PLACE_LEFT, VARIANTS
from pytest_wandr.identity.tables.legal import LEGAL_END
from pytest_wandr.identity.tables.people import GENERATIONS, PARTICLES

_KINDS = frozenset(("company", "person", "product", "place", "text", "enum"))
_LONGEST, _LOOKS, _HEAD = 120, 4, 40
_MOST_FROM_ONE = 5
"""Words that begin at one character of a text, more than at most."""
_NAME = re.compile(r"[A-Za-z]{2,}(?:(?:,? (?:& )?|-)[A-Za-z]{2,})*(?:,? (?:[A-Za-z]\.){1,3}[A-Za-z])?\.?")
_PERSON = re.compile("[A-Z][A-Za-z]+ [A-Z][A-Za-z]+")
_BEFORE = re.compile(r"[ \n]([A-Za-z]{2,}|[0-9]{1,8})([.,:!?)]?)( |\n{1,2})\Z")
"""The word in front, a sign behind it, and the blank or the line break before the name."""
_BEHIND = re.compile(
    r"(?:[.,:!?)]{0,2}\Z|\n+(?=[A-Za-z0-9]))"
    r"|(?: |([.,:!?)])[ \n])([A-Za-z]{2,}(?=[ \n.,:)]|\Z)|[0-9])"
)
"""The end or a line break; or a blank, with or without a sign in front, and a word of letters or a digit."""
_LEFT = COMPANY_LEFT | PLACE_LEFT


class _Plain(NamedTuple):
    """A name that is looked for as it is written, without the full stop at its end.

    `weight` are the words that are looked at for one that it may begin with; for a person, `letter` begins
    the family name, and `bearers` are the places that one word makes at most.
    """

    written: str
    weight: int
    letter: str = ""
    bearers: int = 0


def plainly_named(kind: str, name: str, text: str) -> bool:
    """True when a place shows the name for sure; False says nothing."""
    plain = _plain(kind, name)
    if plain is None:
        return False
    at = text.find(plain.written)
    for _ in range(_LOOKS):
        if at < 0:
            return False
        end = at + len(plain.written)
        if (at == 0 or _is_free_left(kind, text, at)) and _is_free_right(kind, text, end):
            return _is_reached(plain, text, end)
        at = text.find(plain.written, end)
    return False


@lru_cache(maxsize=1024)
def _plain(kind: str, name: str) -> _Plain | None:
    """The name, when it has letters of ASCII only, one of them a capital, and is read in no other way."""
    if kind not in _KINDS or len(name) > _LONGEST:
        return None
    if kind == "person":
        return _plain_person(name) if _PERSON.fullmatch(name) else None
    if not _NAME.fullmatch(name) or name.islower():
        return None
    readings = words_in(name)[1]
    joined = "".join([found[0] for found in readings])
    at = 0
    for found in readings:
        if len(found) > 1 and any(
            len(word) > len(found[0]) and joined.startswith(word, at) for word in found
        ):
            return None
        at += len(found[0])
    return _Plain(name.rstrip("."), steps_at_most(joined))


def _plain_person(name: str) -> _Plain | None:
    """A given name and a family name: no title, particle or number."""
    words = name.lower().split(" ")
    if name.isupper() or not are_settled("person", words) or not PARTICLES.isdisjoint(words):
        return None
    family = words[1]
    return _Plain(name, steps_at_most(family), family[0], readings_at_most(family))


def _is_free_left(kind: str, text: str, at: int) -> bool:
    """Whether what stands in front is a blank, and no word that makes it another name."""
    if kind in {"text", "enum"}:
        return text[at - 1] in " \n"
    found = _BEFORE.search("\n" + text[:at] if at < _HEAD else text[at - _HEAD : at])
    if not found:
        return False
    word, sign, blank = found.groups()
    if blank == "\n\n":
        return True
    if kind == "person":
        return _ends_no_name(word, sign)
    return bool(sign) or blank != " " or word[0] >= "a" or word.lower() not in _LEFT


def _ends_no_name(word: str, sign: str) -> bool:
    """Whether a name of a person cannot begin with a word in front of it."""
    if sign and sign not in ".)":
        return True
    if sign == "." and len(word) > 3:
        return True
    return not word[0].isupper() and word not in PARTICLES


def _is_free_right(kind: str, text: str, end: int) -> bool:
    """Whether nothing behind makes it another name."""
    found = _BEHIND.match(text, end)
    if not found:
        return False
    sign, word = found.groups()
    if word is None:
        return True
    if not sign:
        return _goes_on(kind, word)
    if sign == "," and kind == "person":
        return word.isalpha() and word.lower() not in GENERATIONS
    return kind != "company" or sign not in ".," or word.lower() not in LEGAL_END


def _goes_on(kind: str, word: str) -> bool:
    """Whether a sentence goes on with a word that no name of the kind ends with."""
    if kind in {"text", "enum"}:
        return word.isalpha() and not word.isupper()
    return word[0].islower() and word not in _ENDS.get(kind, ())


_ENDS = {"product": VARIANTS, "person": GENERATIONS.keys()}


def _is_reached(plain: _Plain, text: str, end: int) -> bool:
    """Whether a reader of the whole text looks at all places up to there: hostile texts hold too many."""
    if len(text) * _MOST_FROM_ONE * plain.weight > MOST_STEPS:
        page = page_of(text)
        if page.most_starts * plain.weight > MOST_STEPS:
            return False
    if not plain.letter or end * _MOST_FROM_ONE * plain.bearers <= MOST_BEARERS:
        return True
    return page_of(text).starts(plain.letter, end) * plain.bearers <= MOST_BEARERS
