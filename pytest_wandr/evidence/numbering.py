"""Which number does each item of an ordered list have, and what does the page show for it?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

_ROMAN = {
    1000: "m", 900: "cm", 500: "d", 400: "cd", 100: "c", 90: "xc", 50: "l", 40: "xl", 10: "x", 9: "ix",
    5: "v", 4: "iv", 1: "i",
}  # fmt: skip
_MOST_ROMAN = 3_999
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def numbered(items: etree._Element) -> Iterator[tuple[etree._Element, str, str]]:
    """Every item of an ordered list, with its number counted upwards and the label that the page shows.

    Markdown writers know numbers counted upwards alone, whatever the list shows.
    """
    children = list(items.iterchildren("li"))
    kind = (items.get("type") or "").strip()
    step = 1 if items.get("reversed") is None else -1
    number = _integer(items.get("start"), 1)
    shown = _integer(items.get("start"), 1 if step > 0 else len(children))
    for item in children:
        number, shown = (_integer(item.get("value"), count) for count in (number, shown))
        yield item, str(number), label(shown, kind)
        number, shown = number + 1, shown + step


def _integer(text: str | None, default: int) -> int:
    text = (text or "").strip()
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else default


def label(number: int, kind: str) -> str:
    """A number as letters (`a`, `A`) or as a roman numeral (`i`, `I`); in digits where there is none."""
    small = kind.lower()
    text = ""
    if small == "i" and 0 < number <= _MOST_ROMAN:
        text = _roman(number)
    elif small == "a" and number > 0:
        text = _in_letters(number)
    return (text.upper() if kind.isupper() else text) or str(number)


def _roman(number: int) -> str:
    text = ""
    for value, sign in _ROMAN.items():
        text += sign * (number // value)
        number %= value
    return text


def _in_letters(number: int) -> str:
    text = ""
    while number:
        number, last = divmod(number - 1, len(_LETTERS))
        text = _LETTERS[last] + text
    return text
