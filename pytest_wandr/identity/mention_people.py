"""Does a text name this person? The family name leads to the given names around it."""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Literal, TypeAlias

from pytest_wandr.identity.forms import Form, forms_of
from pytest_wandr.identity.mention_context import (
    bracket_behind,
    is_headline,
    plain_gap,
    tied_left,
    tied_right,
)
from pytest_wandr.identity.mention_names import best, holds_together, in_native, named
from pytest_wandr.identity.page_words import Words, spans
from pytest_wandr.identity.person_rules import compare_persons
from pytest_wandr.identity.tables.continuations import NEUTRAL, ROLES, SECTORS
from pytest_wandr.identity.tables.people import GENERATIONS, PARTICLES, POSTNOMINALS, TITLES, is_given_name

if TYPE_CHECKING:
    from pytest_wandr.identity.people import Person
    from pytest_wandr.identity.verdict import Comparison

_OPEN = frozenset(
    (
        "initial",
        "middle",
        "middle as given",
        "generation",
        "mononym",
        "reordered",
        "particle",
        "subset",
        "number",
    )
)
MOST_BEARERS = 2000
"""Places of a family name that are looked at."""
_INSIDE = frozenset(("", "-", "‑", '"', "“", "”", "'", "‘", "’", "(", ")"))
_REACH = 4
Bearer: TypeAlias = Literal["yes", "no", "open", "bare", "other"]
"""This person; with another generation; perhaps; the family name without a given one; somebody else."""

_TRUTH: dict[Bearer, bool | None] = {"yes": True, "no": False, "open": None, "bare": False, "other": False}
_BEARER: dict[bool | None, Bearer] = {True: "yes", False: "no", None: "open"}
_SUFFIX_GAPS = frozenset((" ", ", ", ",", "  "))


def surely_named(form: Form, words: Words) -> bool:
    """Whether a stretch of a text shows the full name, so that nothing in the rest can change the answer."""
    person = _person(form)
    if not person.given:
        found = _mononym(form, words) is True
    else:
        places = spans("".join(person.family), (), words)
        whole = [place for place in places if holds_together("person", form, words, *place)]
        found = any(_bearer(form, words, *place) == "yes" for place in whole)
    native = bool(form.native) and in_native(form.native, words.native)
    return (found or native) and _wanted(form) <= words.said


def person_named(form: Form, words: Words) -> bool | None:
    """True for the full name; None for a surname or initials alone; False when others bear the name."""
    verdict = _found(form, words)
    return verdict if not verdict or _wanted(form) <= words.said else None


def _wanted(form: Form) -> set[str]:
    """What its brackets say, which the text must say too."""
    return set(form.person.qualifiers if form.person else ()) - {"b", "born", "d", "died"}


def _found(form: Form, words: Words) -> bool | None:
    person = _person(form)
    if form.native and in_native(form.native, words.native):
        return True
    if not person.given:
        return _mononym(form, words)
    bearers = [_bearer(form, words, *place) for place in _families(form, person, words)[:MOST_BEARERS]]
    if "yes" in bearers:
        return True
    if set(bearers) == {"bare"}:
        return None
    found: list[bool | None] = [_TRUTH[bearer] for bearer in bearers]
    return best([*found, _in_one_run(form, words)])


def _person(form: Form) -> Person:
    if form.person is None:
        raise TypeError("only forms of persons can be looked for here")
    return form.person


def _in_one_run(form: Form, words: Words) -> bool | None:
    """The whole name as the page writes it, for names whose last word is no family name."""
    for start, end in spans("".join(form.person.core if form.person else ()), form.digits, words):
        if holds_together("person", form, words, start, end) and not (
            tied_left(words, start) or tied_right(words, end)
        ):
            return _behind(form, words, end)
    return False


def _families(form: Form, person: Person, words: Words) -> list[tuple[int, int]]:
    joined = "".join(person.family)
    places = spans(joined, (), words)
    if len(person.family) > 1 and not places:
        places = spans(person.family[-1], (), words)
    return [place for place in places if holds_together("person", form, words, *place)]


def _mononym(form: Form, words: Words) -> bool | None:
    verdict = named("person", form, words)
    if not verdict:
        return verdict
    for start, end in spans(form.joined, form.digits, words):
        if not _is_name(words, start - 1, start) and not _is_name(words, end, end):
            return True
    return None


def _is_name(words: Words, at: int, border: int) -> bool:
    """Whether a capitalised word that is no title, role or small word stands there, with nothing between."""
    if not 0 <= at < len(words.written) or not plain_gap(words.gap_before(border)):
        return False
    return words.cased and words.written[at][0].isupper() and not _is_known(words.word(at))


def _is_known(word: str) -> bool:
    return word in NEUTRAL or word in ROLES or word in TITLES or word in POSTNOMINALS or word in SECTORS


def _bearer(form: Form, words: Words, start: int, end: int) -> Bearer:
    """Who bears the family name here."""
    if tied_right(words, end) or not (words.is_capital(start) or words.is_capital(end - 1)):
        return "other"
    starts = [first for first in _starts(words, start) if not tied_left(words, first)]
    exact = [first for first in starts if _against(form, words.text(first, end)).verdict == "same"]
    if any(_longer(words, first) for first in exact):
        return "open"
    around = [] if exact else [*_inverted(words, start, end), *_in_common(words, start, end)]
    if exact or any(_against(form, text).verdict == "same" for text in around):
        return _BEARER[_behind(form, words, end)]
    whole = list(takewhile(lambda first: not _is_known(words.word(first)), _starts(words, start)))[-1:]
    texts = [words.text(first, end) for first in whole] + around
    if any((found := _against(form, text)).verdict == "grey" and found.reason in _OPEN for text in texts):
        return "no" if _behind(form, words, end) is False else "open"
    return "bare" if _is_bare(words, start, end) else "other"


def _is_bare(words: Words, start: int, end: int) -> bool:
    """Whether the family name stands alone: no given name in front, no company or street behind."""
    if _is_name(words, start - 1, start) or _initial(words, start - 1):
        return False
    if end >= len(words.written):
        return True
    if words.written[end] == "&" or (words.word(end) in SECTORS and words.is_capital(end)):
        return False
    return not _is_name(words, end, end) or is_headline(words, end, end + 1)


def _in_common(words: Words, start: int, end: int) -> list[str]:
    """`Jane and John Doe`: the first of two who share the family name."""
    if start < 3 or words.word(start - 2) != "and" or not words.is_capital(start - 3):
        return []
    return [f"{words.written[start - 3]} {words.text(start, end)}"]


def _initial(words: Words, at: int) -> bool:
    return at >= 0 and words.written[at][1:2] in {"", "."} and words.written[at].isupper()


def _starts(words: Words, start: int) -> list[int]:
    """Where a name that ends here may begin: capitalised words in a row, nearest first."""
    found: list[int] = []
    at = start
    while at > 0 and start - at < _REACH and _is_joint(words, at - 1):
        at -= 1
        if not words.is_capital(at) and words.word(at) not in PARTICLES:
            break
        found.append(at)
    return found


def _is_joint(words: Words, at: int) -> bool:
    """Whether what follows may stand inside a name: a blank, a hyphen, quotes, an initial's full stop."""
    gap, word = words.gaps[at], words.written[at]
    if "\n\n" in gap:
        return False
    sign = gap.strip()
    return sign in _INSIDE or (sign == "." and (len(word) <= 3 or "." in word))


def _inverted(words: Words, start: int, end: int) -> list[str]:
    """`Smith, John A.` as the page writes it; `Zhang Wei` as many write it."""
    if end >= len(words.written) or words.gap_before(end).strip() not in {",", ""}:
        return []
    texts: list[str] = []
    for at in range(end, min(end + 3, len(words.written))):
        if (at > end and words.gap_before(at).strip() not in {"", ".", "-"}) or not words.is_capital(at):
            break
        texts.append(words.text(start, at + 1))
    return texts


@lru_cache(maxsize=4096)
def _against(form: Form, text: str) -> Comparison:
    """The verdict against what the page writes, the generation aside."""
    bare = form._replace(person=form.person._replace(generation=None, qualifiers=()) if form.person else None)
    found = [compare_persons(bare, other) for other in forms_of("person", text)]
    return max(found, key=lambda c: (c.rank, c.reason))


def _longer(words: Words, first: int) -> bool:
    """A given name in front of the name makes it perhaps another's."""
    at = first - 1
    return at >= 0 and plain_gap(words.gaps[at]) and words.is_capital(at) and is_given_name(words.word(at))


def _behind(form: Form, words: Words, end: int) -> bool | None:
    """Generations must agree; a further name behind leaves a doubt."""
    person = form.person
    years = {word for word in bracket_behind(words, end) if word.isdigit()}
    wanted = {word for word in form.qualifiers if word.isdigit()}
    if years and wanted and years.isdisjoint(wanted):
        return False
    mine = person.generation if person else None
    word = words.word(end)
    theirs = (
        GENERATIONS.get(word) if words.gap_before(end) in _SUFFIX_GAPS or end >= len(words.written) else None
    )
    if theirs is not None and word in {"v", "x", "i"} and words.gap_before(end) != " ":
        theirs = None
    if mine != theirs:
        return None if theirs is None else False
    if (
        theirs
        or end >= len(words.written)
        or not _is_name(words, end, end)
        or is_headline(words, end, end + 1)
    ):
        return True
    return None
