"""How is a person's name built: given, middle and family name, generation, titles?"""

from __future__ import annotations

import re
from typing import NamedTuple

from pytest_wandr.identity.tables.people import (
    GENERATIONS,
    PARTICLE_SPELLINGS,
    PARTICLES,
    POSTNOMINALS,
    SURNAMES_TOO,
    TITLE_PHRASES,
    TITLES,
    TITLES_BEFORE_TWO,
    TITLES_FIRST_ONLY,
    TITLES_OF_RULERS,
)
from pytest_wandr.identity.tokens import tokenize

_DEGREE = re.compile(
    r"(?<=[^\W_])([\s,]+)(ph\.\s?d|d\.\s?phil|m\.\s?phil|m\.d|m\.b\.a|b\.sc|m\.sc|ll\.[bmd]|d\.d\.s|d\.v\.m|r\.n|c\.p\.a)\b\.?"
)
_DOTTED = re.compile(r"(?<=,)(\s*)((?:[a-z]{1,3}\.\s?){1,4}[a-z]{0,4})\.?(?=\s*(?:,|$))")
_PHRASES = {word: [p for p in TITLE_PHRASES if p[0] == word] for word in {p[0] for p in TITLE_PHRASES}}
_ROMAN = re.compile("[ivx]+")
_MAYBE = frozenset(("i", "v", "x", "vi", "xi"))
_STANDARD = {1: "sr", 2: "jr"} | {
    n: word for word, n in reversed(GENERATIONS.items()) if n > 2 and word.isalpha()
}


class Person(NamedTuple):
    """A name taken apart. `maybe` is a number that could also be an initial."""

    given: str
    middle: tuple[str, ...]
    family: tuple[str, ...]
    generation: int | None
    maybe: int | None
    qualifiers: tuple[str, ...]

    @property
    def core(self) -> tuple[str, ...]:
        """All names, in order."""
        return (*((self.given,) if self.given else ()), *self.middle, *self.family)


def person_tokens(folded: str) -> list[str]:
    """Tokens in speaking order, without titles and post-nominals; a generation suffix stands last."""
    if "." in folded:
        folded = _DEGREE.sub(_undot_degree, folded)
        if len(folded.partition(",")[0].split()) > 1:  # `Doe, B.A.` has initials
            folded = _DOTTED.sub(_undot_postnominal, folded)
    pieces = [tokens for piece in folded.split(",") if (tokens := tokenize(piece, initials=False))]
    if not pieces:
        return []
    names, suffixes = _sort_pieces(pieces)
    return _strip(names, suffixes)


def _undot_degree(match: re.Match[str]) -> str:
    return match[1] + re.sub(r"[.\s]", "", match[2]) + " "


def _undot_postnominal(match: re.Match[str]) -> str:
    letters = re.sub(r"[.\s]", "", match[2])
    return match[1] + letters if letters in POSTNOMINALS else match[0]


def _sort_pieces(pieces: list[list[str]]) -> tuple[list[str], list[str]]:
    """`Smith, Jr., John` is John Smith with a suffix; `Jane Doe, PhD` is not inverted."""
    first, suffixes = pieces[0], []
    rest: list[list[str]] = []
    for piece in pieces[1:]:
        if all(_is_suffix(token, alone=len(first) == 1) for token in piece):
            suffixes += piece
        else:
            rest.append(piece)
    if len(rest) == 1:
        return [*rest[0], *first], suffixes
    return [token for piece in [first, *rest] for token in piece], suffixes


def _is_suffix(token: str, *, alone: bool) -> bool:
    if token in {"i", "v", "x"} or (alone and token in SURNAMES_TOO):
        return False
    return token in POSTNOMINALS or token in GENERATIONS


def _strip(names: list[str], suffixes: list[str]) -> list[str]:
    """Titles off the front, post-nominals off the end, the generation to the very end."""
    generation = next((GENERATIONS[t] for t in suffixes if t in GENERATIONS), 0)
    names = _without_titles(names)
    while len(names) > 1:
        last = names[-1]
        if last in GENERATIONS and last not in _MAYBE:
            generation = generation or GENERATIONS[last]
        elif last not in POSTNOMINALS or last in SURNAMES_TOO:
            break
        names = names[:-1]
    names = [*names[:1], *(PARTICLE_SPELLINGS.get(name, name) for name in names[1:-1]), *names[1:][-1:]]
    return [*names, _STANDARD[generation]] if generation else names


def _without_titles(names: list[str]) -> list[str]:
    first = True
    if names[:1] == ["the"] and ((names[1:2] and names[1] in TITLES) or _phrase(names[1:])):
        names = names[1:]
    while len(names) > 1:
        if size := _phrase(names):
            names = names[size:]
            first = False
            continue
        head = names[0]
        needed = 3 if head in TITLES_BEFORE_TWO else 2
        title = head in TITLES or (first and head in TITLES_FIRST_ONLY) or _is_ruler(names)
        if not title or len(names) < needed:
            break
        names = names[1:]
        first = False
    return names


def _phrase(names: list[str]) -> int:
    """Words of a title of several words in front of two names at least; 0 without."""
    for phrase in _PHRASES.get(names[0], ()) if names else ():
        if tuple(names[: len(phrase)]) == phrase and len(names) > len(phrase) + 1:
            return len(phrase)
    return 0


def _is_ruler(names: list[str]) -> bool:
    """`King Henry VIII`, `Pope John Paul II`, but not Billie Jean King or King Vidor."""
    return names[0] in TITLES_OF_RULERS and any(_ROMAN.fullmatch(name) for name in names[2:])


def read_person(tokens: list[str], qualifiers: list[str]) -> Person:
    """The parts of a name whose tokens are in order."""
    generation = GENERATIONS.get(tokens[-1]) if len(tokens) > 1 and tokens[-1] not in _MAYBE else None
    names = tokens[:-1] if generation else tokens
    maybe = GENERATIONS.get(names[-1], 1) if len(names) > 1 and names[-1] in _MAYBE else None
    if maybe and len(names) > 2:
        names = names[:-1]
    for at, token in enumerate(names[1:-1], 1):  # a regnal number inside: Charles II of Spain
        if generation is None and token in _MAYBE and names[at + 1] == "of":
            generation = GENERATIONS.get(token, 1)
            break
        if generation is None and token in GENERATIONS and token not in _MAYBE:
            generation = GENERATIONS[token]
            names = [*names[:at], *names[at + 1 :]]
            break
    start = len(names) - 1
    while start > 1 and names[start - 1] in PARTICLES:
        start -= 1
    given = names[0] if start > 0 else ""
    return Person(given, tuple(names[1:start]), tuple(names[start:]), generation, maybe, tuple(qualifiers))
