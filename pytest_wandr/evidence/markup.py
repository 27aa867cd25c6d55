"""How do hostile or broken bytes become a tree in linear time?

libxml2 is quadratic in the attributes of one tag, so tags are counted before it sees them. The count does
not trust quotes: a `>` ends a tag unless it might stand inside a quoted value of any reading of the page.
"""

from __future__ import annotations

import re

from lxml import etree

from pytest_wandr.evidence import limits
from pytest_wandr.evidence.limits import TooLarge

_QUOTED_END = re.compile(rb"=\s{0,20}(?:\"[^\">]*>[^\"]*|'[^'>]*>[^']*)")
_ATTRIBUTE = rb"[\s/]*+[^\s>/][^\s>=/]*+(?:\s*+=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>]++)?)?+"
_START = re.compile(rb"<[a-zA-Z][^\s/>]*+(?:" + _ATTRIBUTE + rb"){0,%d}+[\s/]*+" % limits.MAX_ATTRIBUTES)
_LONG_TAG = re.compile(rb"<[a-zA-Z][^>]{%d,}" % (3 * limits.MAX_ATTRIBUTES))
_TAG_START = re.compile(rb"<[a-zA-Z]")
_MAX_REREAD = 20  # how often the page may be read in search of tags
_HARMLESS = 100_000  # so few bytes cannot hold a tag that takes longer than two thirds of a second


def parse(source: bytes, *, kind: str) -> etree._Element | None:
    """The root of a page, or None when it has no element at all. Raises TooLarge over a cap."""
    _check(source)
    parser = _xml_parser() if kind == "xml" else _html_parser()
    try:
        root = etree.fromstring(source, parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    last = parser.error_log.last_error
    if last is not None and "depth" in last.message:
        raise TooLarge(f"elements nested deeper than {limits.MAX_DEPTH}")
    return root


def _html_parser() -> etree.HTMLParser:
    return etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)


def _xml_parser() -> etree.XMLParser:
    """Lenient, without entities, network or DTD."""
    return etree.XMLParser(
        encoding="utf-8", recover=True, resolve_entities=False, no_network=True, load_dtd=False,
        remove_comments=True, remove_pis=True, strip_cdata=True, huge_tree=True,
    )  # fmt: skip


def _check(body: bytes) -> None:
    if body.count(b"<") > limits.MAX_TAGS:
        raise TooLarge(f"more than {limits.MAX_TAGS} tags")
    if 2 * body.count(b"</") > body.count(b"<") + limits.MAX_UNMATCHED:
        raise TooLarge(f"more than {limits.MAX_UNMATCHED} closing tags without an opening one")
    if len(body) < _HARMLESS:
        return
    bare = _QUOTED_END.sub(lambda match: match[0].replace(b">", b"_"), body)
    budget = _MAX_REREAD * len(body)
    for stretch in _LONG_TAG.finditer(bare):
        for place in _TAG_START.finditer(body, *stretch.span()):
            budget -= _tag_length(body, place.start())
            if budget < 0:
                raise TooLarge("tags that cannot be told apart in a reasonable time")


def _tag_length(body: bytes, start: int) -> int:
    """The length of what may be a tag; raises when it has too many attributes."""
    tag = _START.match(body, start)
    if tag is None:
        return 0
    if body[tag.end() : tag.end() + 1] not in {b">", b""}:
        raise TooLarge(f"a tag with more than {limits.MAX_ATTRIBUTES} attributes")
    return tag.end() - start
