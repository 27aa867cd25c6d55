"""Is a Latin name the Cyrillic one, in one of the spellings of passports and newspapers?

The spellings differ in a few letters. Both names are written without that difference, and only then compared:
two Latin names, or two Cyrillic ones, never are.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_wandr.identity.forms import Form
    from pytest_wandr.identity.people import Person

_CYRILLIC = re.compile("[\u0400-\u04ff]")
_UKRAINIAN = re.compile("[іїєґ]", re.IGNORECASE)
_HARD = str.maketrans({"г": "h", "Г": "H", "ґ": "g", "Ґ": "G"})


def is_cyrillic(text: str) -> bool:
    """Whether a text has a Cyrillic letter."""
    return not text.isascii() and _CYRILLIC.search(text) is not None


def in_ukrainian(text: str) -> str:
    """The same with the Ukrainian sounds of г and ґ; unchanged when nothing shows that it is Ukrainian."""
    return text.translate(_HARD) if not text.isascii() and _UKRAINIAN.search(text) else text


@lru_cache(maxsize=4096)
def neutral(word: str) -> str:
    """A word in Latin letters, however they were chosen: y, i and j are one, ye and yo are e, x is ks."""
    if not word.isalpha() or len(word) < 2:
        return word
    word = word.replace("x", "ks").replace("iy", "i").replace("yo", "e").replace("ye", "e")
    return re.sub("i+", "i", re.sub("[yj]", "i", word))


def neutral_form(form: Form) -> Form:
    """A form whose words are neutral; numbers, generations and what brackets say stay."""
    tokens = tuple(neutral(token) for token in form.tokens)
    return form._replace(
        tokens=tokens,
        key=" ".join(tokens),
        joined="".join(tokens),
        bag=frozenset(tokens),
        content=tuple(neutral(token) for token in form.content),
        spelled="",
        person=_neutral_person(form.person) if form.person else None,
    )


def _neutral_person(person: Person) -> Person:
    return person._replace(
        given=neutral(person.given),
        middle=tuple(neutral(name) for name in person.middle),
        family=tuple(neutral(name) for name in person.family),
    )
