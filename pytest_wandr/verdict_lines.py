"""How is one line of a verdict store read? Through the types; or quickly, where it is as a store writes it.

A replay reads as many lines as there are records. Many differ in their page alone, so what stands around
the page is read once; what differs in more shares its parts (`verdict_parts`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pytest_wandr.errors import CassetteError
from pytest_wandr.model import Frozen, LedTo, RecordVerdict, unchecked
from pytest_wandr.verdict_parts import SharedParts

if TYPE_CHECKING:
    from pathlib import Path

_TEXT = rb'"[^"\\\x00-\x1f\x7f-\xff]*"'
_MADE = b",".join(
    rb'"%s":%s' % (name, _TEXT)
    for name in (b"checks", b"extractor", b"identity", b"judge", b"page", b"record", b"requirements")
)
_BEGINNING = re.compile(
    rb'\{"key":"[0-9a-f]{64}","made":\{%s,"sample":(?:0|[1-9]\d{0,8})\},"verdict":(?=\{)' % _MADE
)
"""What stands before the verdict in a line without anything unusual."""
_PAGE, _LINK, _AFTER = b'"page":{"digest":"', b'","final_url":"', b'"},"page_content_usable":'
_LED_TO = b'"},'
"""What is left of the page of a verdict after its url, up to the next field."""
_AGAIN = b'"page"'
_HEX = 64


class StoredVerdict(Frozen):
    """One line of a store: a verdict, its key, and what it rests on as `Basis.made` tells it."""

    key: str
    made: Mapping[str, str | int] = {}
    verdict: RecordVerdict


def read_line(line: bytes, path: Path) -> StoredVerdict:
    """Read one line of a store; `path` is named in errors.

    Raises:
        CassetteError: it is damaged, or of a form that this version does not know.
    """
    try:
        return StoredVerdict.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        what = ".".join(map(str, first["loc"])) + ": " * bool(first["loc"]) + first["msg"]
    try:
        # lone surrogates, which the fast reader refuses
        return StoredVerdict.model_validate(json.loads(line))
    except (ValueError, RecursionError):
        raise damaged(line, path, what) from None


def damaged(line: bytes, path: Path, what: str) -> CassetteError:
    """The error that tells where a store is damaged, and what to do."""
    return CassetteError(
        f"{path}: the verdict {line[8:20]!r}... is damaged: {what}. "
        "Restore the file, or delete it to judge again."
    )


class LineReader:
    """Reads the verdicts of one store. Verdicts that differ in their page alone are read once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[tuple[bytes, bytes], RecordVerdict] = {}
        self._parts = SharedParts()

    def verdict(self, line: bytes) -> RecordVerdict:
        """The verdict of a line.

        Raises:
            CassetteError: it is damaged.
        """
        beginning = _BEGINNING.match(line)
        split = _split(line, beginning.end()) if beginning else None
        if split is None:
            return read_line(line, self._path).verdict
        around, led_to = split
        known = self._known.get(around) or self._parts.read(around[0] + around[1].removeprefix(_LED_TO))
        if known is None:
            return read_line(line, self._path).verdict
        self._known[around] = known
        return unchecked(RecordVerdict, {**vars(known), "page": led_to})


def _split(line: bytes, start: int) -> tuple[tuple[bytes, bytes], LedTo] | None:
    """What stands around the page of a verdict, and the page; None for an unusual one.

    A quote within a text is escaped, so these marks are found in the structure alone. Of a page that is told
    twice the last counts, as JSON has it: such a line is unusual.
    """
    begin = line.find(_PAGE, start)
    link = begin + len(_PAGE) + _HEX + len(_LINK)
    end = line.find(b'"', link)
    digest, url = line[begin + len(_PAGE) : link - len(_LINK)], line[link:end]
    if begin < 0 or end < 0 or line[link - len(_LINK) : link] != _LINK or not line.startswith(_AFTER, end):
        return None
    if line.find(_AGAIN, end) >= 0 or not line.endswith(b"}"):
        return None
    if not digest.isalnum() or b"\\" in url or not url.isascii():
        return None
    final_url = url.decode()
    if not final_url.isprintable():
        return None
    led_to = unchecked(LedTo, {"final_url": final_url, "digest": digest.decode()})
    return (line[start:begin], line[end:-1]), led_to
