"""How do hostile or broken bytes become a tree in linear time?

libxml2 is quadratic in the attributes of one tag, so tags are counted before it sees them. The count does
not trust quotes: a `>` ends a tag unless it might stand inside a quoted value of any reading of the page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from pytest_wandr.evidence import limits
from pytest_wandr.evidence.limits import TooLarge

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUOTED_END = re.compile(rb"=\s{0,20}(?:\"[^\">]*>[^\"]*|'[^'>]*>[^']*)")
_ATTRIBUTE = rb"[\s/]*+[^\s>/][^\s>=/]*+(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>]++)?)?+"
_START = re.compile(rb"<[a-zA-Z][^\s/>]*+(?:" + _ATTRIBUTE + rb"){0,%d}+[\s/]*+" % limits.MAX_ATTRIBUTES)
_LONG = 3 * limits.MAX_ATTRIBUTES  # fewer bytes cannot hold a tag of too many attributes
_LONG_TAG = re.compile(rb"<[a-zA-Z][^>]{%d,}" % _LONG)
_TAG_START = re.compile(rb"<[a-zA-Z]")
_REFERENCE = re.compile(rb"&#(?:x0*+([0-9a-fA-F]{1,6})|0*+([0-9]{1,7}));")
_MAX_REREAD = 20  # how often the page may be read in search of tags
_MAX_ENDS = 8  # how many ends are looked at before a stretch counts as doubtful
_HARMLESS = 100_000  # so few bytes cannot hold a tag that takes longer than two thirds of a second


def parse(source: bytes, *, kind: str) -> etree._Element | None:
    """The root of a page, or None when it has no element at all. Raises TooLarge over a cap."""
    _check(source)
    parser = _xml_parser() if kind == "xml" else _html_parser()
    if kind == "xml" and b"&#" in source:  # the lenient parser takes a lone surrogate, and nothing else does
        source = _REFERENCE.sub(_without_surrogate, source)
    try:
        root = etree.fromstring(source, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    last = parser.error_log.last_error
    if last is not None and "depth" in last.message:
        raise TooLarge(f"elements nested deeper than {limits.MAX_DEPTH}")
    return root


def _without_surrogate(match: re.Match[bytes]) -> bytes:
    number = int(match[1], 16) if match[1] else int(match[2])
    return b"&#xFFFD;" if 0xD800 <= number <= 0xDFFF else match[0]


def _html_parser() -> etree.HTMLParser:
    return etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)


def _xml_parser() -> etree.XMLParser:
    """Lenient, without entities, network or DTD."""
    return etree.XMLParser(
        encoding="utf-8", recover=True, resolve_entities=False, no_network=True, load_dtd=False,
        remove_comments=True, remove_pis=True, strip_cdata=True, huge_tree=True,
    )  # fmt: skip


def _check(body: bytes) -> None:
    if len(body) < _HARMLESS:
        return
    starts = body.count(b"<")
    if starts > limits.MAX_TAGS:
        raise TooLarge(f"more than {limits.MAX_TAGS} tags")
    if starts > limits.MAX_UNMATCHED and 2 * body.count(b"</") > starts + limits.MAX_UNMATCHED:
        raise TooLarge(f"more than {limits.MAX_UNMATCHED} closing tags without an opening one")
    _check_attributes(body)


def _check_attributes(body: bytes) -> None:
    budget = _MAX_REREAD * len(body)
    for first, end in _doubtful(body):
        bare = _QUOTED_END.sub(lambda match: match[0].replace(b">", b"_"), body[first:end])
        for stretch in _LONG_TAG.finditer(bare):
            for place in _TAG_START.finditer(body, first + stretch.start(), first + stretch.end()):
                budget -= _tag_length(body, place.start())
                if budget < 0:
                    raise TooLarge("tags that cannot be told apart in a reasonable time")


def _doubtful(body: bytes) -> Iterator[tuple[int, int]]:
    """The parts of a page, between two sure ends of tags, that are long enough for too many attributes."""
    sure = 0
    while len(body) - sure > _LONG:
        length = _LONG
        end = _last_sure_end(body, sure, sure + length)
        while end < 0 and sure + length < len(body):
            length *= 2
            end = _last_sure_end(body, sure, sure + length)
        end = len(body) if end < 0 else end
        if length > _LONG:
            yield sure, end
        sure = end


def _last_sure_end(body: bytes, sure: int, stop: int) -> int:
    """The offset behind a `>` that no reading of the quotes since the last sure end can hide; -1 for none."""
    for _ in range(_MAX_ENDS):
        stop = body.rfind(b">", sure, stop)
        if stop < 0:
            return -1
        if not any(_opens_value(body, body.rfind(quote, sure, stop)) for quote in (b'"', b"'")):
            return stop + 1
    return -1


def _opens_value(body: bytes, quote: int) -> bool:
    return quote >= 0 and body[max(0, quote - 21) : quote].rstrip().endswith(b"=")


def _tag_length(body: bytes, start: int) -> int:
    """The length of what may be a tag; raises when it has too many attributes."""
    tag = _START.match(body, start)
    if tag is None:
        return 0
    if body[tag.end() : tag.end() + 1] not in {b">", b""}:
        raise TooLarge(f"a tag with more than {limits.MAX_ATTRIBUTES} attributes")
    return tag.end() - start
