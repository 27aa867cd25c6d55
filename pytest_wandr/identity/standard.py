"""What is the standard spelling of the words of a name?"""

from __future__ import annotations

import re

from pytest_wandr.identity.tables.words import (
    ABBREVIATIONS,
    PLACE_ABBREVIATIONS,
    PRODUCT_ABBREVIATIONS,
    SPELLINGS,
    STATES,
)

_VERSION = re.compile(r"v(\d+(?:\.\d+)+)")
_STATE = re.compile(rf",\s*({'|'.join(STATES)})\.?(?=\s*(?:$|,|\d{{5}}))", re.IGNORECASE)
_DRIVE = re.compile(r"(?<=\w)(\s+)dr\b\.?(?=\s*(?:$|,))", re.IGNORECASE)
_STREET = re.compile(r"(?<=\w{3})str\.(?!\w)", re.IGNORECASE)
_LENGTH = re.compile(r"(\d+(?:\.\d+)?)(in|inch|ft)")
_GLUED = frozenset(("v", "w"))
_APART = frozenset(("in", "ft"))


def standard_words(kind: str, tokens: list[str]) -> list[str]:
    """Every word in its one spelling, as far as names of the kind have one."""
    if kind == "place":
        return [PLACE_ABBREVIATIONS.get(t, ABBREVIATIONS.get(t, t)) for t in tokens]
    table = ABBREVIATIONS if kind == "company" else SPELLINGS
    tokens = [table.get(t, t) for t in tokens]
    return _products(tokens) if kind == "product" else _editions(tokens) if kind == "text" else tokens


def standard_places(text: str) -> str:
    """A clean name of a place with its state, drive or `-str.` written out."""
    if "," in text:
        text = _STATE.sub(lambda match: f", {STATES[match[1].lower()]}", text)
    if "r" in text or "R" in text:
        text = _STREET.sub("strasse", _DRIVE.sub(r"\1drive", text))
    return text


def _editions(tokens: list[str]) -> list[str]:
    """`2 ed` is a second edition."""
    return [
        PRODUCT_ABBREVIATIONS[word] if word in {"ed", "gen"} and at and tokens[at - 1].isdecimal() else word
        for at, word in enumerate(tokens)
    ]


def _products(tokens: list[str]) -> list[str]:
    """`mk 3` is a mark, `18 volt` is `18v`, `55in` is `55 inch`, `v2.0` is `2.0`."""
    found: list[str] = []
    for at, word in enumerate(_editions(tokens)):
        before = tokens[at - 1] if at else ""
        unit = PRODUCT_ABBREVIATIONS.get(word, "")
        if unit in _GLUED and before.replace(".", "").isdecimal():
            found[-1] += unit
        elif unit in _APART and before.replace(".", "").isdecimal():
            found.append(unit)
        elif length := _LENGTH.fullmatch(word):
            found += [length[1], "in" if length[2] == "inch" else length[2]]
        elif word == "mk" and tokens[at + 1 : at + 2] and tokens[at + 1].isdecimal():
            found.append("mark")
        elif version := _VERSION.fullmatch(word):
            found.append(version[1])
        else:
            found.append(word)
    return found
