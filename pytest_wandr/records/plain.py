"""Is a record exactly as it was asked for? Then there is little to read; everything else goes to `shape`.

Both make the same of a record: here only what `read_shape` would take without a note and without a fault.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from pytest_wandr.records.blank import is_blank, is_blank_answer
from pytest_wandr.records.names import fields_of, fold, optional_fields_of
from pytest_wandr.records.shape import Shape
from pytest_wandr.records.urls import plain_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_wandr.model import NodeSpec
    from pytest_wandr.records.syntax import Json

_NAMES = frozenset({"item", "url", "excerpts", "answer"})


class PlainReader:
    """Reads the plain records of one node."""

    def __init__(self, node: NodeSpec) -> None:
        self._fields = fields_of(node)
        self._answer = frozenset(node.answer)
        folded = {fold(name) for name in self._fields}
        answers = {fold(name) for name in node.answer}
        distinct = len(folded) == len(self._fields) and len(answers) == len(node.answer)
        self._usable = distinct and not optional_fields_of(node)

    def read(self, found: Mapping[str, Json]) -> Shape | None:
        """The shape of a plain record; None for any other."""
        if not self._usable or found.keys() != _NAMES:
            return None
        item, url = self._item(found["item"]), plain_url(found["url"])
        excerpts, answer = _excerpts(found["excerpts"]), self._answers(found["answer"])
        if item is None or not url or excerpts is None or answer is None:
            return None
        return Shape(item=item, url=url, excerpts=excerpts, answer=answer)

    def _item(self, item: Json) -> dict[str, str] | None:
        if not isinstance(item, dict) or len(item) != len(self._fields):
            return None
        values: dict[str, str] = {}
        for name in self._fields:
            value = item.get(name)
            if not isinstance(value, str) or is_blank(value):
                return None
            values[name] = (value if value.isascii() else unicodedata.normalize("NFC", value)).strip()
        return values

    def _answers(self, answer: Json) -> dict[str, Json] | None:
        if not isinstance(answer, dict) or answer.keys() != self._answer:
            return None
        return None if any(map(is_blank_answer, answer.values())) else dict(answer)


def _excerpts(value: Json) -> tuple[str, ...] | None:
    if not isinstance(value, list) or not value:
        return None
    texts = tuple([text for text in value if isinstance(text, str) and not is_blank(text)])
    return texts if len(texts) == len(value) else None
