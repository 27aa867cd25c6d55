"""Which numbers does a text state, and in which unit? Digits in any notation, scales, currencies, per cent.

A quantity keeps every reading that its notation leaves open ("1,234" where nothing says what the comma is,
"5m" as metres or million); the language of the page settles what it can. Numbers in words are read from two
to twelve, in ten languages.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.checks.locales import Locale, base, groups_with_spaces
from pytest_wandr.checks.number_notation import read_notation
from pytest_wandr.checks.number_words import (
    EAST_ASIAN_SCALES,
    UNIT_LIKE_SCALES,
    money_called,
    scales_called,
    small_numbers,
)
from pytest_wandr.checks.plain import plain
from pytest_wandr.checks.recall import recalled
from pytest_wandr.checks.starts import matches_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import JsonValue

    from pytest_wandr.checks.number_words import Money

_SCALE_SIGNS = "".join(EAST_ASIAN_SCALES)
_TERM = r"(\d[\d,]{0,20}(?:\.\d{1,9})?)((?:[千천]?[万萬만億亿억兆조])|[千천])"
_COMPOUND = re.compile(rf"(?<!\d)(?<!\d[.,])(?:{_TERM} ?){{1,4}}(?:\d{{1,4}}(?!\d))?")
_NUMERAL = re.compile(
    r"(?<!\d)(?<!\d[.,:/'])(?:\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,']\d+)*)(?!\d)(?![:/]\d|e[-+]?\d)"
    r"|(?<![\w.])\.\d+"
)
_DIGITS = re.compile("[0-9]+")
_WORD_AFTER = re.compile(r"[ -]?([^\W\d_]{1,20})")
_LETTERS_BEFORE = re.compile(r"[^\W\d_]{1,12}\Z")
_SIGN_BEFORE = re.compile(r"(?:\A|[\s(\[:=])-(?:[^\w\s]|[a-z]{2,3}\$?)?\Z")
_CURRENCY_BEFORE = re.compile(r"(?<![^\W\d_])([a-z]{0,4}\$|[^\w\s]|[^\W\d_]{1,10})\.? ?[-+]?\Z")
_CURRENCY_AFTER = re.compile(r"(?:[,.]-{1,2})?[ -]?(?:de |d')?([a-z]{0,4}\$|[^\w\s]|[^\W\d_]{1,20})")
_ALPHABETIC = re.compile(r"[a-zß-ɏͰ-ϿЀ-ӿ]\Z")
_SMALL_NUMBER = re.compile(r"(?<![^\W_])[^\W\d_]{2,8}(?![^\W_])")


class Reading(NamedTuple):
    """A number, and where what wrote it ends: behind the digits, or behind a scale."""

    value: Decimal
    end: int


class Quantity(NamedTuple):
    """A number in a text, with all readings that its notation leaves open."""

    start: int
    readings: tuple[Reading, ...]


def numbers_in(text: str, lang: str | None = None) -> tuple[Quantity, ...]:
    """Every number that a text states, in order; offsets are those of `plain(text)`."""
    return numbers_by(text, Locale(lang))


@recalled
def numbers_by(text: str, locale: Locale) -> tuple[Quantity, ...]:
    """Every number that a text states, in order. The language is asked for only if it matters."""
    folded = plain(text)
    return tuple(sorted([*_in_digits(folded, locale), *_in_words(folded, locale)]))


@recalled
def numbers_in_digits(text: str, locale: Locale) -> tuple[Quantity, ...]:
    """The same without those in words."""
    return tuple(sorted(_in_digits(plain(text), locale)))


def read_number(value: JsonValue) -> tuple[Decimal, ...]:
    """The readings of a value that is one number; empty when it is none, or several.

    29, "29,00 €", "EUR 29" and "3.2 million" have one, "1,234" has two.
    """
    if isinstance(value, bool):
        return ()
    if isinstance(value, int | float):
        return (Decimal(str(value)).normalize(),) if abs(value) < float("inf") else ()
    found = numbers_in(value) if isinstance(value, str) else ()
    if not found:
        return ()
    # "12 450" also reads as two numbers; in a field of its own it is one.
    whole = min(
        found, key=lambda quantity: (quantity.start - quantity.readings[-1].end, len(quantity.readings))
    )
    if any(other.start > whole.readings[-1].end or other.start < whole.start for other in found):
        return ()
    return tuple(dict.fromkeys(reading.value for reading in whole.readings))


def _in_digits(text: str, locale: Locale) -> Iterator[Quantity]:
    yield from _compounds(text)
    yield from _numerals(text, locale)


def _compounds(text: str) -> Iterator[Quantity]:
    if not any(sign in text for sign in _SCALE_SIGNS):
        return
    for match in _COMPOUND.finditer(text):
        total = Decimal(0)
        for term in re.finditer(_TERM, match[0]):
            factor = Decimal(1)
            for sign in term[2]:
                factor *= EAST_ASIAN_SCALES[sign]
            total += Decimal(term[1].replace(",", "")) * factor
        rest = re.search(r"\d+\Z", match[0])
        total += Decimal(rest[0]) if rest else 0
        end = match.start() + len(match[0].rstrip())
        yield Quantity(match.start(), (Reading(total.normalize(), end),))


def _numerals(text: str, locale: Locale) -> Iterator[Quantity]:
    for match in matches_at(_NUMERAL, text, _starts(text)):
        if not _stands_alone(text, match):
            continue
        yield from _quantity(text, match.start(), match[0], locale)
        if " " in match[0] and not groups_with_spaces(locale.lang):
            yield from _parts(match, locale)


def _starts(text: str) -> Iterator[int]:
    """Where numerals may begin: with digits, or with a point before them."""
    for digits in _DIGITS.finditer(text):
        at = digits.start()
        if text[at - 1 : at] == ".":
            yield at - 1
        yield at


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Digits behind letters are part of a name (S24), unless the letters are a currency."""
    if text[match.end() : match.end() + 1] in EAST_ASIAN_SCALES:
        return False
    before = text[max(0, match.start() - 12) : match.start()]
    if not before[-1:].isalnum():
        return True
    if before[-1:] in EAST_ASIAN_SCALES:
        return False
    letters = _LETTERS_BEFORE.search(before)
    if letters is None or not _ALPHABETIC.search(before):
        return True
    return money_called(letters[0]) is not None


def _quantity(text: str, start: int, numeral: str, locale: Locale) -> Iterator[Quantity]:
    end = start + len(numeral)
    before = text[max(0, start - 6) : start]
    sign = -1 if "-" in before and _SIGN_BEFORE.search(before) else 1
    bare = tuple(Reading(sign * value, end) for value in read_notation(numeral, locale))
    scaled = _scaled(text, bare, locale)
    readings = (*bare, *scaled) if scaled and _may_be_unit(text, start, end) else scaled or bare
    if readings:
        yield Quantity(start, readings)


def _scaled(text: str, bare: tuple[Reading, ...], locale: Locale) -> tuple[Reading, ...]:
    """The readings times the scale behind them ("3.2 million", "2 mil millones"); empty without one."""
    readings = bare
    for _ in range(2):
        word = _WORD_AFTER.match(text, readings[0].end) if readings else None
        factors = scales_called(word[1], locale) if word else ()
        if word is None or not factors:
            break
        end = word.end() + (text[word.end() : word.end() + 2] == ". ")
        readings = tuple(Reading((r.value * factor).normalize(), end) for r in readings for factor in factors)
    return readings if readings is not bare else ()


def _may_be_unit(text: str, start: int, end: int) -> bool:
    """Is the short scale behind a number possibly a unit? Not beside a currency: $5m is money."""
    word = _WORD_AFTER.match(text, end)
    if word is None or word[1] not in UNIT_LIKE_SCALES | ({"k"} if text[end] == " " else set()):
        return False
    return not (currency_before(text, start) or currency_after(text, word.end()))


def currency_before(text: str, start: int, locale: Locale | None = None) -> Money | None:
    """The currency whose sign or name stands directly before an offset."""
    match = _CURRENCY_BEFORE.search(text[max(0, start - 12) : start])
    return money_called(match[1], locale) if match else None


def currency_after(text: str, end: int, locale: Locale | None = None) -> Money | None:
    """The currency whose sign or name stands directly behind an offset."""
    match = _CURRENCY_AFTER.match(text, end)
    if match is None:
        return None
    # Without spaces between words (29円です) the first character is the sign.
    return money_called(match[1], locale) or money_called(match[1][0], locale) if match[1] else None


def _parts(match: re.Match[str], locale: Locale) -> Iterator[Quantity]:
    """Where spaces do not always group, "12 450" may also be two numbers."""
    start, whole = match.start(), read_notation(match[0], locale)
    for part in match[0].split(" "):
        readings = [Reading(value, start + len(part)) for value in read_notation(part, locale)]
        yield Quantity(start, (*readings, *(Reading(value, match.end()) for value in whole)))
        start += len(part) + 1


def _in_words(text: str, locale: Locale) -> Iterator[Quantity]:
    numbers = small_numbers(base(locale.lang) or "en")
    if not numbers:
        return
    for match in _SMALL_NUMBER.finditer(text):
        if match[0] in numbers:
            bare = (Reading(Decimal(numbers[match[0]]), match.end()),)
            yield Quantity(match.start(), _scaled(text, bare, locale) or bare)
