"""Where on a long page does the evidence stand? The pieces that excerpts come from or that name things.

What is looked for is looked up in what is known of the page. The most promising pieces are then read, a
limited number of them: a page on which everything matches everywhere costs no more than another.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from pytest_wandr.checks import Subject, run_check
from pytest_wandr.checks.dates import read_date
from pytest_wandr.checks.mentions import names_in
from pytest_wandr.checks.numbers import read_number
from pytest_wandr.evidence import pieces
from pytest_wandr.evidence.unmark import unmark
from pytest_wandr.identity import mentioned
from pytest_wandr.judges.llm.notations import in_words, look_of_date, look_of_number
from pytest_wandr.judges.llm.sheets import MOST, bare
from pytest_wandr.model import AllOf, AnyOf, DateIn, Matches, Mentions, NumberIn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pydantic import JsonValue

    from pytest_wandr.checks.when import When
    from pytest_wandr.judges import Question
    from pytest_wandr.judges.llm.notations import Look
    from pytest_wandr.judges.llm.sheets import Sheet
    from pytest_wandr.model import Check, KeySpec

_T = TypeVar("_T")
_Stated: TypeAlias = "Callable[[int, str | None], frozenset[_T]]"
_READ = 48
"""Pieces of a page that are read for one record, the most promising ones."""
_SIFTED = 200
"""Pieces whose dates or numbers are read to find those that are promising."""
_SOUGHT = 40
"""Names, values and checks of one record, and words of one name, that are looked for."""
_WINDOW = 16
"""Pieces that a pattern is looked for in at once: a check has its price for each text, however short."""
_NEEDLES = 200
"""Excerpts, or parts of them, that are looked for."""
_PLACES = 3
_LEAST = 4
"""Bytes of a skeleton: less of an excerpt or a value stands everywhere."""


class _Name(NamedTuple):
    key: KeySpec
    name: str
    words: tuple[bytes, ...]


class Landmarks:
    """A page, and one record whose evidence is looked for in it."""

    def __init__(self, sheet: Sheet, question: Question) -> None:
        self._sheet = sheet
        self._question = question
        self._locale = self._subject("").locale.lang
        self._value_of = self._subject("").value_of

    def quoted(self) -> list[int]:
        """The pieces that an excerpt, or a part of one, comes from: excerpt by excerpt."""
        sheet = self._sheet
        found: dict[int, None] = {}
        needles = (_needles(excerpt, sheet.whole) for excerpt in self._question.record.excerpts)
        for needle in islice(chain.from_iterable(needles), _NEEDLES):
            for at in _places(needle, sheet.whole):
                last = sheet.piece_at(at + len(needle) - 1)
                found |= dict.fromkeys(range(sheet.piece_at(at), last + 1))
        return list(found)

    def named(self) -> list[int]:
        """The pieces that name the item or a value, or on which a check holds: those with most first."""
        likely = Counter(chain.from_iterable(self._likely()))
        read = sorted(likely, key=lambda at: (-likely[at], at))[:_READ]
        counts = {at: self._count(at) for at in read}
        return sorted((at for at in read if counts[at]), key=lambda at: (-counts[at], at))

    def _likely(self) -> Iterator[Iterable[int]]:
        """For each thing that is looked for, the pieces that may hold it."""
        sheet = self._sheet
        for each in self._item:
            yield self._with_some(each.words)
        for value in self._answer:
            yield sheet.with_word(value)
        for check in self._checks:
            yield self._promising(check)

    def _promising(self, check: Check) -> Iterable[int]:
        """The pieces on which a check may hold."""
        value_of = self._value_of
        match check:
            case Mentions():
                names = [name for field in check.mentions for name in names_in(value_of(field))]
                likely = (self._with_name(name) for name in names[:_SOUGHT])
                return dict.fromkeys(chain.from_iterable(likely))
            case DateIn():
                return self._with_date(value_of(check.date))
            case NumberIn():
                return self._with_number(value_of(check.number))
            case _:
                return self._holding(check)

    def _with_name(self, name: str) -> list[int]:
        return [*self._with_some(_words([name])), *self._with_date(name)]

    def _with_date(self, value: JsonValue) -> list[int]:
        wanted = _dates(value)
        if not wanted:
            return []
        likely = self._looking_like([look_of_date(when) for when in wanted])
        return self._stating(wanted, likely, self._sheet.dates_at)

    def _with_number(self, value: JsonValue) -> list[int]:
        wanted = read_number(value)
        if not wanted:
            return []
        likely = self._looking_like([look_of_number(number) for number in wanted])
        others = range(self._sheet.searched) if any(map(in_words, wanted)) else ()
        return self._stating(wanted, chain(likely, others), self._sheet.numbers_at)

    def _looking_like(self, looks: Iterable[Look]) -> Iterator[int]:
        """The pieces that look as if they stated something, and those that look like no other."""
        sheet = self._sheet
        for look in looks:
            for at in sheet.with_sign(look.sign):
                if look.also is None or look.also.search(sheet.pieces[at]):
                    yield at
        yield from sheet.elsewise

    def _stating(self, wanted: Iterable[_T], likely: Iterable[int], stated: _Stated[_T]) -> list[int]:
        """Those of the first likely pieces that state one of these."""
        sought = frozenset(wanted)
        found: dict[int, None] = {}
        for at in islice(likely, _SIFTED):
            if sought & stated(at, self._locale):
                found[at] = None
            if len(found) == _READ:
                break
        return list(found)

    def _with_some(self, words: Iterable[bytes]) -> list[int]:
        """The pieces with some of these words, of those that do not stand everywhere if there are such.

        The more of them, the earlier.
        """
        found = [self._sheet.with_word(word) for word in words]
        rare = [places for places in found if len(places) < MOST]
        counts = Counter(chain.from_iterable(rare if any(rare) else found))
        return sorted(counts, key=lambda at: (-counts[at], at))[:MOST]

    def _holding(self, check: Check) -> list[int]:
        """The pieces on which a check holds, of those that lie where it holds at all."""
        found: list[int] = []
        texts = self._sheet.pieces
        for first in range(0, self._sheet.searched, _WINDOW):
            window = range(first, min(first + _WINDOW, self._sheet.searched))
            if self._holds(check, "".join(texts[at] for at in window)):
                found += (at for at in window if self._holds(check, texts[at]))
            if len(found) >= _READ:
                break
        return found

    def _count(self, at: int) -> int:
        """How much of what is looked for a piece holds."""
        text, words = self._sheet.pieces[at], self._sheet.bare[at]
        names = sum(
            any(word in words for word in each.words)
            and mentioned(each.key.kind, each.name, text, each.key) is True
            for each in self._item
        )
        values = sum(value in words for value in self._answer)
        return names + values + sum(self._tells(check, at) for check in self._checks)

    def _tells(self, check: Check, at: int) -> bool:
        """Whether a check holds on a piece, units and bounds apart."""
        match check:
            case DateIn():
                wanted = _dates(self._value_of(check.date))
                return not self._sheet.dates_at(at, self._locale).isdisjoint(wanted)
            case NumberIn():
                numbers = read_number(self._value_of(check.number))
                return not self._sheet.numbers_at(at, self._locale).isdisjoint(numbers)
            case _:
                return self._holds(check, self._sheet.pieces[at])

    def _holds(self, check: Check, text: str) -> bool:
        return run_check(check, self._subject(text)).value is True

    def _subject(self, text: str) -> Subject:
        asked = self._question
        return Subject(asked.record, asked.node, text, asked.final_url, asked.lang, asked.page_lang)

    @cached_property
    def _item(self) -> list[_Name]:
        """The names of the item. A piece with no word of a name in it does not name it."""
        found = [
            _Name(key, name, _words((name, *key.aliases.get(name, ()))))
            for key in self._question.node.entity_keys
            for name in names_in(self._question.record.item.get(key.item_fields[0]))[:_SOUGHT]
        ]
        return found[:_SOUGHT]

    @cached_property
    def _answer(self) -> list[bytes]:
        values = (bare(name) for value in self._question.record.answer.values() for name in names_in(value))
        return [value for value in islice(values, _SOUGHT) if len(value) >= _LEAST]

    @cached_property
    def _checks(self) -> list[Check]:
        asked = [spec for spec in self._question.node.requirements if spec.id in self._question.open]
        return [check for spec in asked if spec.check for check in _searching(spec.check)][:_SOUGHT]


def _words(spellings: Iterable[str]) -> tuple[bytes, ...]:
    words = dict.fromkeys(bare(word) for spelling in spellings for word in spelling.split())
    return tuple(word for word in words if len(word) > 1)[:_SOUGHT]


def _dates(value: JsonValue) -> tuple[When, ...]:
    return read_date(str(value)) if isinstance(value, str | int) else ()


def _searching(check: Check) -> Iterator[Check]:
    """The checks within a check that look for something in a text."""
    match check:
        case AllOf():
            for part in check.all:
                yield from _searching(part)
        case AnyOf():
            for part in check.any:
                yield from _searching(part)
        case Mentions() | DateIn() | NumberIn() | Matches():
            yield check
        case _:  # where the page is and in which language, or what it does not say: nowhere in particular
            return


def _needles(excerpt: str, whole: bytes) -> Iterator[bytes]:
    """An excerpt that stands on the page as it is; else its parts between ellipses and its lines."""
    for text in (excerpt, unmark(excerpt)):
        needle = bare(text)
        if len(needle) >= _LEAST and needle in whole:
            yield needle
            return
    for part in pieces.elided(unmark(excerpt)):
        for line in pieces.lines(part):
            needle = bare(line)
            if len(needle) >= _LEAST:
                yield needle


def _places(needle: bytes, whole: bytes) -> Iterator[int]:
    at = whole.find(needle)
    for _ in range(_PLACES):
        if at < 0:
            return
        yield at
        at = whole.find(needle, at + 1)
