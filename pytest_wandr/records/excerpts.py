"""Which excerpts does a record quote? Strings, byte for byte as they were written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.records.blank import is_blank

if TYPE_CHECKING:
    from pytest_wandr.records.syntax import Json


class Excerpts(NamedTuple):
    """Excerpts and the liberties taken to read them, or the code why there are none."""

    excerpts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    code: str = ""


_OBJECT_KEYS = ("text", "excerpt", "quote", "content", "snippet", "passage")


def read_excerpts(value: Json) -> Excerpts:
    """The excerpts in the `excerpts` field of a record."""
    if value is None:
        return Excerpts(code="excerpts_missing")
    if isinstance(value, list):
        return _from_list(value, set())
    if isinstance(value, str):
        return _from_list([value], {"excerpts_string"})
    return _from_list([value], set())


def _from_list(values: list[Json], notes: set[str]) -> Excerpts:
    kept: list[str] = []
    blanks = False
    for value in values:
        text = value
        if isinstance(value, dict):
            text = _text_of(value)
            notes.add("excerpts_object")
        if is_blank(text):
            blanks = True
        elif isinstance(text, str):
            kept.append(text)
        else:
            return Excerpts(code="excerpt_not_text")
    if not kept:
        return Excerpts(code="excerpts_empty")
    return Excerpts(tuple(kept), tuple(notes | ({"excerpt_blank"} if blanks else set())))


def _text_of(found: dict[str, Json]) -> Json:
    """The text of a citation object; the object itself when it holds none, or two that differ."""
    texts = [found[key] for key in _OBJECT_KEYS if key in found]
    return texts[0] if texts and all(text == texts[0] for text in texts) else found
