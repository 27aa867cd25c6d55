"""What do the verdicts of a store share? Their parts: most say yes, or no for the same reason.

A stored verdict is taken apart at its parts by pattern. Each different part is read once, and so is each
different *shape*, which is what stands between the parts. Verdicts that are made of these share them, so a
replay keeps and writes few parts.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from pytest_wandr.model import PARTS, Part, RecordVerdict, RequirementVerdict, unchecked

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PART = re.compile(
    rb'(\{(?:"code":%s,)?(?:"reason":%s,)?"value":(?:true|false|null)\})' % (_WORDS, _WORDS), re.DOTALL
)
"""A part as a store writes it. A quote within a text is escaped, so this is found in the structure alone."""
_PLACE = "part"


class _Shape(NamedTuple):
    """A verdict without its parts, and which part goes where, by position."""

    like: RecordVerdict
    parts: tuple[tuple[str, int], ...]
    requirements: tuple[tuple[str, int, int], ...]


class SharedParts:
    """Reads the verdicts of one store, as long as they are written as a store writes them."""

    def __init__(self) -> None:
        self._parts: dict[bytes, Part] = {}
        self._shapes: dict[tuple[bytes, ...], _Shape | None] = {}
        self._requirements: dict[tuple[str, bytes, bytes], RequirementVerdict] = {}

    def read(self, text: bytes) -> RecordVerdict | None:
        """The verdict of this JSON; None when it is written in another way, or damaged."""
        pieces = _PART.split(text)
        gaps, told = tuple(pieces[::2]), pieces[1::2]
        try:
            if gaps not in self._shapes:
                self._shapes[gaps] = _shape(gaps, text)
            shape = self._shapes[gaps]
            return None if shape is None else self._made(shape, told)
        except ValidationError:  # whoever reads it in the long way says what is wrong
            return None

    def _made(self, shape: _Shape, told: Sequence[bytes]) -> RecordVerdict:
        values: dict[str, Any] = dict(vars(shape.like))
        for name, at in shape.parts:
            values[name] = self._part(told[at])
        values["requirements"] = tuple(
            [
                self._requirement(name, told[satisfied], told[supported])
                for name, satisfied, supported in shape.requirements
            ]
        )
        return unchecked(RecordVerdict, values)

    def _part(self, told: bytes) -> Part:
        part = self._parts.get(told)
        if part is None:
            part = self._parts[told] = Part.model_validate_json(told)
        return part

    def _requirement(self, name: str, satisfied: bytes, supported: bytes) -> RequirementVerdict:
        key = (name, satisfied, supported)
        entry = self._requirements.get(key)
        if entry is None:
            values = {"id": name, "satisfied": self._part(satisfied), "supported": self._part(supported)}
            entry = self._requirements[key] = unchecked(RequirementVerdict, values)
        return entry


def _shape(gaps: Sequence[bytes], text: bytes) -> _Shape | None:
    """The shape of a verdict; None when a part of it is not where a pattern finds it.

    Raises:
        ValidationError: it is no verdict.
    """
    like = RecordVerdict.model_validate_json(text)
    numbered = [gap + b'{"%s":%d}' % (_PLACE.encode(), at) for at, gap in enumerate(gaps[:-1])]
    told = json.loads(b"".join(numbered) + gaps[-1])
    places = [told[name] for name in PARTS]
    for entry in told.get("requirements", ()):
        places += [entry["satisfied"], entry["supported"]]
    found = [place.get(_PLACE) for place in places]
    if sorted(at for at in found if at is not None) != list(range(len(gaps) - 1)) or None in found:
        return None
    own, asked = found[: len(PARTS)], found[len(PARTS) :]
    names = [entry.id for entry in like.requirements]
    return _Shape(
        like=like,
        parts=tuple(zip(PARTS, own, strict=True)),
        requirements=tuple(zip(names, asked[::2], asked[1::2], strict=True)),
    )
