"""Which record does a JSON object hold? Its item, url, excerpts, answer, or the first thing that is wrong."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_wandr.records.blank import is_blank, is_blank_answer
from pytest_wandr.records.excerpts import read_excerpts
from pytest_wandr.records.names import ALIASES, fields_of, named, optional_fields_of
from pytest_wandr.records.syntax import Json, equal
from pytest_wandr.records.urls import read_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_wandr.model import NodeSpec


@dataclass
class Shape:
    """The fields of one record. `code` is the first thing that is wrong, "" for nothing."""

    item: dict[str, str] = field(default_factory=dict)
    url: str | None = None
    excerpts: tuple[str, ...] = ()
    answer: Mapping[str, Json] = field(default_factory=dict)
    notes: set[str] = field(default_factory=set)
    code: str = ""

    def wrong(self, code: str) -> None:
        """Remember what is wrong, unless something was wrong before."""
        self.code = self.code or code


def read_shape(found: Mapping[str, Json], node: NodeSpec) -> Shape:
    """The record in a JSON object, as far as it can be read."""
    shape = Shape()
    _read_item(shape, found, node)
    url = read_url(_field(shape, found, "url"))
    shape.wrong(url.code)
    shape.url = url.url or None
    excerpts = read_excerpts(_field(shape, found, "excerpts"))
    shape.wrong(excerpts.code)
    shape.excerpts = excerpts.excerpts
    shape.notes.update(url.notes, excerpts.notes)
    _read_answer(shape, found, node)
    return shape


def _field(shape: Shape, found: Mapping[str, Json], name: str) -> Json:
    """The value of url, excerpts or answer, under its own name or else an alias."""
    own = named(found, name)
    keys = own or [key for alias in ALIASES[name] for key in named(found, alias)]
    if not keys:
        return None
    value = found[keys[0]]
    if any(not equal(value, found[key]) for key in keys[1:]):
        shape.wrong(f"ambiguous_{name}")
    if not own:
        shape.notes.add(f"alias_{name}")
    elif keys[0] != name:
        shape.notes.add("key_case")
    return value


def _read_item(shape: Shape, found: Mapping[str, Json], node: NodeSpec) -> None:
    wanted = fields_of(node)
    item = _item_of(shape, found, wanted)
    if item is None:
        return shape.wrong("missing_item")
    if not isinstance(item, dict):
        return shape.wrong("item_not_object")
    for name in wanted:
        _read_key(shape, item, name)
    for name in optional_fields_of(node):
        if named(item, name):
            _read_optional(shape, item, name)
    return None


def _item_of(shape: Shape, found: Mapping[str, Json], wanted: tuple[str, ...]) -> Json:
    """The `item` field, or the top level when the keys lie there, or the only key as a bare string."""
    keys = named(found, "item")
    item = found[keys[0]] if keys else None
    if any(not equal(item, found[key]) for key in keys[1:]):
        shape.wrong("duplicate_json_key")
    if keys and keys[0] != "item":
        shape.notes.add("key_case")
    if item is None and any(named(found, name) for name in wanted):
        shape.notes.add("flat_item")
        return dict(found)
    if isinstance(item, str) and len(wanted) == 1:
        shape.notes.add("item_string")
        return {wanted[0]: item}
    return item


def _read_key(shape: Shape, item: Mapping[str, Json], name: str) -> None:
    keys = named(item, name)
    if not keys:
        return shape.wrong(f"missing_key:{name}")
    value = item[keys[0]]
    if any(not equal(value, item[key]) for key in keys[1:]):
        shape.wrong("duplicate_json_key")
    if is_blank(value):
        return shape.wrong(f"empty_key:{name}")
    text = _text(shape, value)
    if text is None:
        return shape.wrong(f"key_not_text:{name}")
    if keys[0] != name:
        shape.notes.add("key_case")
    shape.item[name] = text
    return None


def _read_optional(shape: Shape, item: Mapping[str, Json], name: str) -> None:
    """A field that identity merely looks at: kept when it says something, never a reason to refuse."""
    value = item[named(item, name)[0]]
    text = None if is_blank(value) else _text(shape, value)
    if text is not None:
        shape.item[name] = text


def _text(shape: Shape, value: Json) -> str | None:
    """A key value as text, composed and trimmed, numbers as JSON writes them. None for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        shape.notes.add("key_number")
        return json.dumps(value)
    return unicodedata.normalize("NFC", value).strip() if isinstance(value, str) else None


def _read_answer(shape: Shape, found: Mapping[str, Json], node: NodeSpec) -> None:
    answer = _field(shape, found, "answer")
    if is_blank_answer(answer):
        answer = {}
    if not isinstance(answer, dict | list) and len(node.answer) == 1:
        shape.notes.add("answer_scalar")
        answer = {node.answer[0]: answer}
    if not isinstance(answer, dict):
        return shape.wrong("answer_not_object")
    if not answer and any(named(found, name) for name in node.answer):
        shape.notes.add("flat_answer")
        answer = {key: found[key] for name in node.answer for key in named(found, name)}
    shape.answer = _named_answers(shape, answer, node.answer)
    return None


def _named_answers(shape: Shape, answer: Mapping[str, Json], wanted: tuple[str, ...]) -> dict[str, Json]:
    """The answer with its declared fields under their declared names, everything else as it was."""
    renamed: dict[str, str] = {}
    for name in wanted:
        keys = named(answer, name)
        if not keys or is_blank_answer(answer[keys[0]]):
            shape.wrong(f"missing_answer:{name}")
        if any(not equal(answer[keys[0]], answer[key]) for key in keys[1:]):
            shape.wrong("ambiguous_answer")
        if keys and keys[0] != name:
            shape.notes.add("key_case")
        renamed.update(dict.fromkeys(keys, name))
    return {renamed.get(key, key): value for key, value in answer.items()}
