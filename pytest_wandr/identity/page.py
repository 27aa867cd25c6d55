"""What of a whole text must be known before some of its words can stand for it?"""

from __future__ import annotations

from functools import cached_property, lru_cache
from itertools import chain

from pytest_wandr.identity.fold import clean
from pytest_wandr.identity.page_words import Words, apart, is_cased, native_of, read_words, split_words

_SHORT = 20_000
_MOST_FROM_ONE = 4
"""Words that one character begins at most: half a number, say, or one of the words of an Arabic ligature."""
_SIGNS = "@+#%"


class Page:
    """One text, and what was found out about it so far: many names are asked of one page."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.stretches: list[tuple[tuple[int, int], Words]] = []
        self._spent = 0

    def spend(self, letters: int) -> None:
        """Note that so much of the text was read for one name."""
        self._spent += letters

    @property
    def is_read(self) -> bool:
        """Whether all words are known, or it is time: pieces were read that together are as long as all."""
        return "words" in vars(self) or self._spent > len(self.text)

    @cached_property
    def cleaned(self) -> str:
        """All of it as `clean` leaves it."""
        return clean(self.text)

    @cached_property
    def plain(self) -> str:
        """The same with native scripts apart: what words are looked for in."""
        return apart(self.cleaned)

    @cached_property
    def words(self) -> Words:
        """All words: what takes longest."""
        return read_words(self.cleaned)

    @cached_property
    def cased(self) -> bool:
        """Whether there are capitals and small letters."""
        return is_cased(self.cleaned)

    @cached_property
    def native(self) -> str:
        """What is written in a native script."""
        return native_of(self.cleaned)

    @cached_property
    def chunks(self) -> tuple[str, ...]:
        """What stands between blanks, each once; nothing when that is almost the whole text."""
        chunks = tuple(set(self.plain.split()))
        return chunks if sum(map(len, chunks)) * 4 < len(self.plain) * 3 else ()

    @cached_property
    def vocabulary(self) -> dict[str, tuple[str, ...]]:
        """Every word of the chunks, with its readings."""
        written, readings, _ = split_words(" ".join(self.chunks))
        return dict(zip(written, readings, strict=True))

    @cached_property
    def said(self) -> frozenset[str]:
        """All readings."""
        return frozenset(chain.from_iterable(self.vocabulary.values()))

    def starts(self, letter: str, end: int | None = None) -> int:
        """How many words at most, of those that begin before `end`, have a reading that begins so.

        A word in ASCII is read with its own first letter, unless it is read as a number or is a sign.
        """
        text = self.text if end is None else self.text[:end]
        foreign = self.foreign if end is None else _foreign(text)
        if not letter.isalpha():
            return foreign + _rest_at_most(text)
        return foreign + text.count(letter) + text.count(letter.upper())

    @cached_property
    def foreign(self) -> int:
        """How many of its words may begin with anything, at most."""
        return _foreign(self.text)

    @cached_property
    def most_starts(self) -> int:
        """How many words it has at most."""
        return self.foreign + _rest_at_most(self.text)


def _rest_at_most(text: str) -> int:
    """The other words that begin in a text at most: two that are no signs have something between them."""
    return len(text) // 2 + 1


def _foreign(text: str) -> int:
    """Words in it that may begin with anything: by a character that is no ASCII letter, or by an entity."""
    others = len(text) - len(text.encode("ascii", "ignore")) + text.count("&")
    return _MOST_FROM_ONE * others + sum(map(text.count, _SIGNS))


def page_of(text: str) -> Page:
    """What is known of a text; kept for the last texts."""
    return _short(text) if len(text) < _SHORT else _long(text)


@lru_cache(maxsize=256)
def _short(text: str) -> Page:
    return Page(text)


@lru_cache(maxsize=4)
def _long(text: str) -> Page:
    return Page(text)
