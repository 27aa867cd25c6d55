"""What does a page say without showing it: title, attributes, data in scripts?"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from pytest_wandr.evidence.marks import BARRIER, clean
from pytest_wandr.evidence.plain import json_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml import etree

ATTRIBUTES = (
    "alt",
    "title",
    "aria-label",
    "placeholder",
    "value",
    "content",
    "label",
    "data-title",
    "summary",
    "srcdoc",
)
_ATTRIBUTES = frozenset(ATTRIBUTES)
ADDRESS = ("http://", "https://", "data:", "//")
MAX_SCRIPT = 5_000_000


def hidden_text(root: etree._Element) -> str:
    """Title, attribute texts and the values of data scripts, parted by barriers."""
    return BARRIER.join(text for text in _pieces(root) if text.strip())


def _pieces(root: etree._Element) -> Iterator[str]:
    for title in root.iter("title"):
        yield clean("".join(map(str, title.itertext())))
    for value in _attributes(root):
        if not value.startswith(ADDRESS):
            yield clean(strip_tags(value))
    for script in root.iter("script"):
        if "json" in (script.get("type") or "").lower() and script.text and len(script.text) < MAX_SCRIPT:
            yield from script_values(script.text)
    for element in root.iter("noscript"):
        if element.text and "<" in element.text:
            yield clean(strip_tags(element.text))


def _attributes(root: etree._Element) -> Iterator[str]:
    """Their texts in document order; a path expression takes four times as long.

    A page that goes on behind its end has further elements beside its root.
    """
    roots = [*reversed([*root.itersiblings(preceding=True)]), root, *root.itersiblings()]
    for element in chain.from_iterable(each.iter("*") for each in roots):
        for name in element.keys():  # noqa: SIM118 - an element iterates over its children
            if name in _ATTRIBUTES:
                yield element.get(name, "")


def script_values(source: str) -> Iterator[str]:
    """The texts of a data script; none when it is no JSON."""
    try:
        values = list(json_values(source.strip().removeprefix("<!--").removesuffix("-->").strip()))
    except (ValueError, RecursionError):
        return
    yield from (strip_tags(value) for value in values if not value.startswith(ADDRESS))


def strip_tags(text: str) -> str:
    """The text without anything that looks like a tag; a lone `<` stays."""
    return _TAGS.sub(" ", text) if "<" in text else text


_TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>")
