"""What does text lose before a model sees it? Everything that a reader of it would not see.

Text is cleaned after extraction and escaped after cleaning, so that no entity of a page becomes a mark again.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

_BREAKS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f]")
_UNSEEN = {
    "invisible characters": re.compile(
        "[\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f"
        "\ufeff\uffa0\ufff0-\ufffb\U000e0100-\U000e01ef]"
    ),
    "marks of writing direction": re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"),
    "tag characters": re.compile("[\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"),
    "halves of characters": re.compile("[\ud800-\udfff]"),
}
_MARKUP = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def cleaned(text: str) -> str:
    """The text without what cannot be seen; control characters become spaces, odd line breaks plain ones."""
    text = _CONTROLS.sub(" ", _BREAKS.sub("\n", text))
    for unseen in _UNSEEN.values():
        text = unseen.sub("", text)
    return text


def cleaned_value(value: JsonValue) -> JsonValue:
    """The same for every text in a JSON value, names of fields too. A number that JSON lacks becomes text."""
    if isinstance(value, str):
        return cleaned(value)
    if isinstance(value, list):
        return [cleaned_value(part) for part in value]
    if isinstance(value, dict):
        return cleaned_fields(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def cleaned_fields(fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The same for an object. A name that only looks like another one never takes its place."""
    found: dict[str, JsonValue] = {}
    for name in sorted(fields, key=lambda name: cleaned(name) != name):
        found.setdefault(cleaned(name), cleaned_value(fields[name]))
    return {name: found[name] for name in map(cleaned, fields)}


def hints_about(texts: Sequence[str]) -> list[JsonValue]:
    """What was removed from these texts, in words and with counts; empty when nothing was."""
    counts = {what: sum(len(unseen.findall(text)) for text in texts) for what, unseen in _UNSEEN.items()}
    return [f"{count} {what} were removed" for what, count in counts.items() if count]


def escaped(value: Mapping[str, JsonValue] | str) -> str:
    """JSON in ASCII alone, without a character that markup begins or ends with."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.translate(_MARKUP)


def estimated_tokens(value: Mapping[str, JsonValue] | str) -> int:
    """About how many tokens a value is once it is escaped: its characters / 3, rounded up."""
    return -(-(len(escaped(value)) - 2) // 3)
