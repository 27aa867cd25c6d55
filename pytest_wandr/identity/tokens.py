"""Which tokens does a name have, and which of them are numbers?"""

from __future__ import annotations

import re

_APOSTROPHE = re.compile(r"['’‘`´ʼʻ′]")
_AND = re.compile(r"\s*&\s*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LETTER = r"[^\W\d_]"
_DOTTED = re.compile(rf"(?<![^\W_])(?<!(?<![^\W_])[^\W_]\.)(?:{_LETTER}\.){{1,12}}{_LETTER}(?![^\W_])\.?")
_DOTTED_WORD = re.compile(
    rf"(?<![^\W_])(?<!(?<![^\W_])[^\W_]\.)(?:{_LETTER}\.){{1,12}}{_LETTER}{{2,}}(?![^\W_])"
)
_SHARP = re.compile(r"(?<=[^\W\d_])#(?![^\W_])")
_THAI_SIGNS = "\u0e31-\u0e3a\u0e47-\u0e4e\u3099\u309a"
_TOKEN = re.compile(rf"[a-z]*\d+(?:\.\d+)+[a-z]*|(?:[^\W_]|[{_THAI_SIGNS}])+")
_PLAIN = re.compile(r"[a-z ]+")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_ROMAN = re.compile(r"(?=[ivxl])(?:xl|l|x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}
ROMAN_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
"""What may stand behind the tens of a roman numeral."""

NUMBER_WORDS: dict[str, str] = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7",
    "eighth": "8", "ninth": "9", "tenth": "10", "eleventh": "11", "twelfth": "12",
}  # fmt: skip
TENS: dict[str, int] = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip


def tokenize(text: str, *, initials: bool = True) -> list[str]:
    """Tokens of a folded text. Signs that tell names apart become words; dotted initials join on request."""
    if _PLAIN.fullmatch(text):
        return text.split()
    text = _APOSTROPHE.sub("", text)
    if initials and "." in text:
        text = _DOTTED.sub(_undot, text)
    text = _spell_signs(text)
    return _TOKEN.findall(text)


def join_dotted_words(text: str) -> str:
    """`e.on` is one word; only in names of companies."""
    return _DOTTED_WORD.sub(_undot, text) if "." in text else text


def _undot(match: re.Match[str]) -> str:
    return match[0].replace(".", "")


def _spell_signs(text: str) -> str:
    if "&" in text:
        text = _AND.sub(" and ", text)
    if "+" in text:
        text = text.replace("++", "plusplus").replace("+", " plus ")
    if "#" in text:
        text = _SHARP.sub("sharp", text)
    if "%" in text:
        text = text.replace("%", " percent ")
    if "@" in text:
        text = text.replace("@", " at ")
    return _THOUSANDS.sub("", text) if "," in text else text


def join_letters(tokens: list[str]) -> list[str]:
    """Two or more single letters in a row become one token: `l l c`, `a b c`."""
    if all([len(token) > 1 for token in tokens]):  # noqa: C419 - a list is faster here
        return tokens
    joined: list[str] = []
    run = ""
    for token in [*tokens, ""]:
        if len(token) == 1 and token.isalpha() and token.isascii():
            run += token
            continue
        if run:
            joined.append(run)
            run = ""
        if token:
            joined.append(token)
    return joined


def number_of(token: str, *, first: bool = False) -> str | None:
    """The number that a token writes, in digits; None when it writes none."""
    head = token[0]
    if head.isdigit():
        return _digits(token)
    if token in NUMBER_WORDS:
        return NUMBER_WORDS[token]
    if head in "ivxl" and not first and token not in "lv":
        return roman_number(token)
    return None


def _digits(token: str) -> str | None:
    if token.isdecimal():
        return token.lstrip("0") or "0"
    if ordinal := _ORDINAL.fullmatch(token):
        return ordinal[1].lstrip("0") or "0"
    return token if "." in token and token.replace(".", "").isdecimal() else None


def roman_number(token: str) -> str | None:
    """A roman numeral up to 50, in digits."""
    if not _ROMAN.fullmatch(token):
        return None
    values = [_ROMAN_VALUES[letter] for letter in token]
    total = sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))
    return str(total)


def with_numbers(tokens: list[str]) -> list[str]:
    """Every token that writes a number, in digits; `forty four` is one number."""
    found: list[str] = []
    tens = 0
    for at, token in enumerate(tokens):
        number = str(TENS[token]) if token in TENS else number_of(token, first=at == 0)
        if tens and number and number.isdecimal() and 0 < int(number) < 10 and token.isalpha():
            found[-1] = str(tens + int(number))
        else:
            found.append(number or token)
        tens = TENS.get(token, 0)
    return found
