"""What do the brackets of a name say: a ticker, an acronym, a former name, or part of the name?"""

from __future__ import annotations

import re
from typing import NamedTuple

from pytest_wandr.identity.tables.words import COUNTRY_CODES, EXCHANGES, REGIONS

_BRACKET = re.compile(r"\(([^()\[\]]{0,200})\)|\[([^()\[\]]{0,200})\]")
_EXCHANGE = re.compile(r"\s*([A-Za-z]{2,12})\s*[:\-–]\s*([A-Za-z0-9][A-Za-z0-9.\-]{0,19})\s*")
_WORDS = (
    r"formerly known as|formerly called|formerly|[fan][./]?k[./]?a|also known as|d[./]?b[./]?a"
    r"|doing business as|previously known as|previously|now known as|trading as|t/a"
)
_FORMER = re.compile(rf"\b(?:{_WORDS}|née)\b[\s:.]*", re.IGNORECASE)
_FORMER_INSIDE = re.compile(
    rf"\b(?:{_WORDS}|n[ée]e)\b[\s:.]*", re.IGNORECASE
)  # a bare `Nee` is a name elsewhere
_LATER = re.compile(r",\s*now\s+(?=[A-Z])")
_BORN = re.compile(r"(?<=\w)\s+nee\s+(?=[A-Z])")
_LISTED = re.compile(r"[\s,]+([A-Za-z]{2,12})\s*:\s*([A-Za-z0-9][A-Za-z0-9.\-]{0,11})\s*")
_MARKET = re.compile(
    r"\s*(?:\$([A-Z]{1,5})"
    r"|([A-Z0-9]{1,6})(?:\.(?:O|N|L|T|TO|HK|DE|PA|AS|MI|SS|SZ|KS|NS)| (?:LN|US|GR|FP|HK|JP)))\s*"
)
_INNER = re.compile(r"(?<=\w)\s*[(\[]\s*([^\W\d_]+(?:[ \-][^\W\d_]+)?)\s*[)\]]\s*(?=[^\W\d_])")
_QUOTED = re.compile(r"(?<=\w)(\s+)[\"“”„‘'«](\w[^\"“”„‘’'«»]{0,40})[\"“”’'»](?=\s+\w)")
_ALL_CAPS = re.compile(r"\s*([A-Z]{2,5})\s*")


class Parts(NamedTuple):
    """A name taken apart: the name itself, what its brackets hold, its other names."""

    main: str
    qualifiers: tuple[str, ...] = ()
    tickers: frozenset[str] = frozenset()
    others: tuple[str, ...] = ()
    caps: str = ""
    nicknames: tuple[str, ...] = ()


def quoted_to_brackets(text: str) -> str:
    """`Dwayne "Rock" Jones` as `Dwayne (Rock) Jones`."""
    return _QUOTED.sub(r"\1(\2)", text)


def listed_to_brackets(text: str) -> str:
    """`Harlow Inc. NASDAQ: HRL` with the listing in brackets."""
    at = text.rfind(":")
    start = text[:at].rstrip().rfind(" ") if at > 0 else 0
    found = _LISTED.fullmatch(text, start) if start > 0 and text[:start].strip() else None
    if found and found[1].lower() in EXCHANGES:
        return f"{text[:start]} ({found[1]}: {found[2]})"
    return text


def loosely_named(kind: str, text: str) -> tuple[str, ...]:
    """The names on both sides of `nee` or `, now`, which may be words of one name as well."""
    found = {"person": _BORN, "company": _LATER}[kind].search(text) if kind in {"person", "company"} else None
    return (text[: found.start()], text[found.end() :]) if found else ()


def take_apart(text: str, *, anywhere: bool, nicknames: bool = False) -> Parts:
    """Split a clean text. With `anywhere`, `formerly X` counts outside brackets too."""
    if "(" not in text and "[" not in text:
        return _split_former(text) if anywhere else Parts(text)
    inner: tuple[str, ...] = ()
    if nicknames:  # a bracket inside a name; one behind it says which of several namesakes is meant
        inner = tuple(match[1] for match in _INNER.finditer(text))
        text = _INNER.sub(" ", text)
    qualifiers: list[str] = []
    others: list[str] = []
    tickers: set[str] = set()
    main = _BRACKET.sub(lambda match: _sort_out(match, qualifiers, others, tickers), text)
    if not any(char.isalnum() for char in main):
        return Parts(text)
    parts = _split_former(main) if anywhere else Parts(main)
    caps = _caps(qualifiers)
    return Parts(parts.main, tuple(qualifiers), frozenset(tickers), (*parts.others, *others), caps, inner)


def _sort_out(match: re.Match[str], qualifiers: list[str], others: list[str], tickers: set[str]) -> str:
    """Put one bracket where it belongs; a blank stays in its place."""
    content = match[1] if match[1] is not None else match[2]
    symbols, rest = _tickers(content)
    tickers.update(symbols)
    former = _FORMER_INSIDE.match(rest.strip())
    if former and rest.strip()[former.end() :].strip():
        others.append(rest.strip()[former.end() :])
    elif any(char.isalnum() for char in rest):
        qualifiers.append(rest)
    return " "


def _tickers(content: str) -> tuple[list[str], str]:
    """The exchange tags of a bracket and what else it holds."""
    symbols: list[str] = []
    rest: list[str] = []
    for piece in re.split(r"[;,]", content):
        tag = _EXCHANGE.fullmatch(piece)
        if tag and tag[1].lower() in EXCHANGES:
            symbols.append(tag[2].lower())
        else:
            rest.append(piece)
    return symbols, ",".join(rest) if symbols else content


def _split_former(text: str) -> Parts:
    found = _FORMER.search(text)
    if not found:
        return Parts(text)
    left, right = text[: found.start()], text[found.end() :]
    if any(c.isalnum() for c in left) and any(c.isalnum() for c in right):
        return Parts(left, others=(right,))
    return Parts(text)


def _caps(qualifiers: list[str]) -> str:
    """The one bracket that looks like a bare ticker, lower case."""
    found = _ALL_CAPS.fullmatch(qualifiers[0]) if len(qualifiers) == 1 else None
    if found:
        return "" if found[1].lower() in REGIONS or found[1].lower() in COUNTRY_CODES else found[1].lower()
    market = _MARKET.fullmatch(qualifiers[0]) if len(qualifiers) == 1 else None
    return (market[1] or market[2]).lower() if market else ""
