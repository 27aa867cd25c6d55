"""How may a sentence be rewritten so that it still says the same, and how so that it does not?

Choices depend on the text alone (a checksum), so that every run makes the same variants.
"""

from __future__ import annotations

import html
import re
import textwrap
import unicodedata
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_NAME = re.compile(r"(?<=[a-zß-ÿ,] )[A-ZÀ-Þ][a-zß-ÿ]{3,}")
_WORD = re.compile(r"[^\W\d_]{4,}")
_UNITS = {
    "km": "kg",
    "kg": "km",
    "percent": "points",
    "m": "kg",
    "million": "billion",
    "millones": "miles",
    "%": "‰",
    "Prozent": "Punkte",
    "years": "days",
    "years.": "days.",
    "hours": "minutes",
    "minutes": "hours",
    "euros": "dollars",
    "dollars": "euros",
    "Uhr": "Euro",
    "ans": "mois",
    "años": "meses",
}
_NEGATIONS = {
    "not",
    "no",
    "never",
    "nicht",
    "kein",
    "keine",
    "ne",
    "pas",
    "jamais",
    "non",
    "nunca",
    "sin",
    "niet",
    "не",
    "ohne",
    "without",
    "neither",
    "nor",
    "none",
    "não",
    "nem",
    "geen",
    "cannot",
    "rien",
    "aucun",
}


def pick(text: str, count: int) -> int:
    """A number below `count` that depends on the text alone."""
    return zlib.crc32(text.encode()) % count


def _bold(text: str) -> str | None:
    words = text.split(" ")
    at = pick(text, len(words))
    words[at] = f"**{words[at]}**"
    return " ".join(words)


def _link(text: str) -> str | None:
    words = text.split(" ")
    at = pick(text, len(words))
    words[at] = (
        f"[{words[at]}](https://pages.example/a_(b)?q=1)"
        if "[" not in words[at] and "]" not in words[at]
        else words[at]
    )
    return " ".join(words)


def _elided(text: str) -> str | None:
    words = text.split(" ")
    if len(words) < 14 or any(
        word.casefold().strip(".,;'’") in _NEGATIONS or "n't" in word for word in words
    ):
        return None
    return f"{' '.join(words[:5])} [...] {' '.join(words[-5:])}"


def _without_accents(text: str) -> str | None:
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return bare if bare != text and len(text) >= 30 and bare.isascii() else None


def _curly(text: str) -> str | None:
    swapped = text.translate(str.maketrans("'\"’“”", '’”\'""'))
    return swapped if swapped != text else None


def _dashes(text: str) -> str | None:
    swapped = text.translate(str.maketrans("-–—", "–-‐"))
    return swapped if swapped != text else None


def _hyphenated(text: str) -> str | None:
    words = list(re.finditer(r"[a-z]{8,}", text))
    if not words:
        return None
    at = words[pick(text, len(words))].start() + 4
    return f"{text[:at]}-\n{text[at:]}"


FAITHFUL: dict[str, Callable[[str], str | None]] = {
    "as it is": lambda text: text,
    "bold": _bold,
    "link": _link,
    "quote": lambda text: "> " + text.replace(", ", ",\n> "),
    "bullet": lambda text: f"- {text}",
    "heading": lambda text: f"## {text}",
    "code": lambda text: f"`{text}`" if "`" not in text else None,
    "wrapped": lambda text: "\n".join(
        textwrap.wrap(text, 36, break_long_words=False, break_on_hyphens=False)
    ),
    "one word a line": lambda text: text.replace(" ", "\n"),
    "entities": lambda text: html.escape(text) if html.escape(text) != text else None,
    "quotes": _curly,
    "dashes": _dashes,
    "accents lost": _without_accents,
    "decomposed": lambda text: (
        unicodedata.normalize("NFD", text) if unicodedata.normalize("NFD", text) != text else None
    ),
    "upper case": lambda text: text.upper() if "ı" not in text and "i̇" not in text.lower() else None,
    "soft hyphens": lambda text: re.sub(r"([a-z]{4})([a-z]{3})", "\\1\u00ad\\2", text),
    "hyphenated": _hyphenated,
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "ends in dots": lambda text: text.rstrip(".!?") + "...",
    "elided": _elided,
    "double spaces": lambda text: text.replace(" ", "  "),
}


def _digit(text: str) -> str | None:
    digits = [m.start() for m in re.finditer(r"[0-9]", text)]
    if not digits:
        return None
    at = digits[pick(text, len(digits))]
    return text[:at] + str((int(text[at]) + 1 + pick(text, 8)) % 10) + text[at + 1 :]


def _digit_dropped(text: str) -> str | None:
    found = list(re.finditer(r"[0-9]{2,}", text))
    if not found:
        return None
    at = found[pick(text, len(found))].start() + 1
    return text[:at] + text[at + 1 :]


def _name(text: str) -> str | None:
    found = list(_NAME.finditer(text))
    if not found:
        return None
    at = found[pick(text, len(found))].start() + 2
    return text[:at] + ("u" if text[at] != "u" else "o") + text[at + 1 :]


def _negation(text: str) -> str | None:
    words = text.split(" ")
    at = next(
        (i for i, word in enumerate(words) if 0 < i < len(words) - 1 and word.casefold() in _NEGATIONS), None
    )
    if at is None:
        at = next(
            (
                i + 1
                for i, word in enumerate(words[:-1])
                if word in {"is", "was", "are", "were", "has", "will"}
            ),
            None,
        )
        return None if at is None else " ".join([*words[:at], "not", *words[at:]])
    return " ".join(words[:at] + words[at + 1 :])


def _negation_elided(text: str) -> str | None:
    words = text.split(" ")
    at = next(
        (i for i, word in enumerate(words) if 2 < i < len(words) - 3 and word.casefold() in _NEGATIONS), None
    )
    return None if at is None else " ".join([*words[:at], "...", *words[at + 1 :]])


def _word(text: str) -> str | None:
    found = list(_WORD.finditer(text))
    if not found:
        return None
    word = found[pick(text, len(found))]
    return text[: word.start()] + "grumbleth" + text[word.end() :]


def _word_deleted(text: str) -> str | None:
    words = text.split(" ")
    inner = [i for i in range(1, len(words) - 1) if any(map(str.isalnum, words[i]))]
    if len(words) < 6 or not inner:
        return None
    at = inner[pick(text, len(inner))]
    return " ".join(words[:at] + words[at + 1 :])


def _unit(text: str) -> str | None:
    words = text.split(" ")
    at = next((i for i in range(1, len(words)) if words[i] in _UNITS and words[i - 1][-1:].isdigit()), None)
    return None if at is None else " ".join([*words[:at], _UNITS[words[at]], *words[at + 1 :]])


def _sign(text: str) -> str | None:
    changed, count = re.subn(r"(?<=\s)(?=[0-9])", "-", text, count=1)
    return changed if count else None


def _decimal(text: str) -> str | None:
    changed, count = re.subn(r"(?<=[0-9])[.,](?=[0-9])", "", text, count=1)
    return changed if count else None


def _currency(text: str) -> str | None:
    changed, count = re.subn(
        r"[$€£%]", lambda m: {"$": "€", "€": "$", "£": "€", "%": ""}[m[0]], text, count=1
    )
    return changed if count else None


def _order(text: str) -> str | None:
    words = text.split(" ")
    plain = [
        i
        for i in range(1, len(words) - 2)
        if words[i].isalnum() and words[i + 1].isalnum() and words[i] != words[i + 1]
    ]
    if not plain:
        return None
    at = plain[pick(text, len(plain))]
    words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


def _reversed(text: str) -> str | None:
    words = text.split(" ")
    half = len(words) // 2
    return f"{' '.join(words[half:])} ... {' '.join(words[:half])}" if len(words) >= 8 else None


UNFAITHFUL: dict[str, Callable[[str], str | None]] = {
    "digit": _digit,
    "digit dropped": _digit_dropped,
    "name": _name,
    "negation": _negation,
    "negation elided": _negation_elided,
    "word": _word,
    "word deleted": _word_deleted,
    "unit": _unit,
    "sign": _sign,
    "decimal": _decimal,
    "currency": _currency,
    "order": _order,
    "reversed": _reversed,
}


def stitched(first: str, second: str) -> str | None:
    """The beginning of one sentence and the end of another."""
    a, b = first.split(" "), second.split(" ")
    return " ".join(a[: len(a) // 2] + b[len(b) // 2 :]) if min(len(a), len(b)) >= 8 else None
