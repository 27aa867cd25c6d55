"""What is looked for in a text, when a name is?"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.identity.forms import forms_of, initials
from pytest_wandr.identity.mention_names import literal_form
from pytest_wandr.identity.normal import read
from pytest_wandr.identity.page_words import words_in
from pytest_wandr.identity.word_readings import MOST_READINGS, PLAIN_READINGS, TABLE_READINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_wandr.identity.forms import Flags, Form


class Sought(NamedTuple):
    """A name as it may stand in a text.

    `joined` are the letters that words in a row have to spell, `acronyms` words that count by themselves.
    `needles` are what a text that names it usually shows, as it is written.
    """

    kind: str
    forms: tuple[Form, ...]
    joined: tuple[str, ...]
    acronyms: tuple[str, ...]
    needles: tuple[str, ...]
    native: bool
    longest: int
    """Letters, and so words, that a mention has at most."""
    weight: int
    """Words that are looked at for one that a mention may begin with, at most."""


@lru_cache(maxsize=4096)
def sought_of(kind: str, name: str, flags: Flags) -> Sought:
    """Everything that may show the name, and where to look for it first."""
    as_written = name
    if kind == "paper":
        name = read(name).title or name
    forms = forms_of(kind if kind not in {"enum", "date"} else "text", name, flags)
    acronyms = {acronym for form in forms for acronym in form.acronyms}
    if kind == "company":
        acronyms |= {acronym for acronym in initials(forms[0].tokens) if len(acronym) > 2}
    if kind != "person":
        forms += literal_form(as_written)
    joined = dict.fromkeys(letters for form in forms for letters in _joined(form) if letters)
    return Sought(
        kind=kind,
        forms=forms,
        joined=tuple(joined),
        acronyms=tuple(sorted(acronyms)),
        needles=_needles(name, forms[0]),
        native=any(form.native for form in forms),
        longest=max(map(len, joined)),
        weight=max(map(steps_at_most, joined)),
    )


def _joined(form: Form) -> Iterator[str]:
    """All that is looked for as words in a row."""
    yield form.joined
    yield form.native.partition(":")[2]
    if form.qualifiers:
        yield "".join(form.tokens[: -len(form.qualifiers)])
    if form.person:
        yield "".join(form.person.family)
        yield "".join(form.person.family[-1:])
        yield "".join(form.person.core)


def _needles(name: str, form: Form) -> tuple[str, ...]:
    """The name as it is written, and the longest word that every mention of it has."""
    own = [word for word, readings in zip(*words_in(name), strict=True) if readings[0] in form.bag]
    return tuple(dict.fromkeys(needle for needle in (name.strip(), max(own, key=len, default="")) if needle))


def readings_at_most(joined: str) -> int:
    """How many readings of one word such a name can begin with."""
    return MOST_READINGS if joined.startswith(TABLE_READINGS) else PLAIN_READINGS


def steps_at_most(joined: str) -> int:
    """How many words are looked at to see whether one begins such a name."""
    return readings_at_most(joined) * (len(joined) + 1)
