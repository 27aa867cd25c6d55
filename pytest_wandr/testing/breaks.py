"""How does a reply break its schema? Each way makes a text of an honest reply."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_wandr.testing.wires import Json


def _changed(change: Callable[[Json], object]) -> Callable[[Json], str]:
    def break_(reply: Json) -> str:
        broken = copy.deepcopy(reply)
        change(broken)
        return json.dumps(broken)

    return break_


def _around(before: str, after: str = "") -> Callable[[Json], str]:
    return lambda reply: f"{before}{json.dumps(reply)}{after}"


def _first(reply: Json) -> Json:
    record: Json = reply["records"][0]
    return record


def _requirement(reply: Json) -> Json:
    requirement: Json = _first(reply)["requirements"][0]
    return requirement


BREAKS: Mapping[str, Callable[[Json], str]] = {
    "fenced": _around("```json\n", "\n```"),
    "prose_first": _around("Here is my assessment:\n"),
    "prose_last": _around("", "\nI hope this helps!"),
    "twice": lambda reply: json.dumps(reply) * 2,
    "unclosed": lambda reply: json.dumps(reply)[:-1],
    "trailing_comma": lambda reply: json.dumps(reply)[:-1] + ",}",
    "single_quotes": repr,
    "empty": lambda _: "",
    "null": lambda _: "null",
    "list": lambda reply: json.dumps(reply["records"]),
    "not_a_number": _changed(lambda reply: _first(reply).update(confidence=float("nan"))),
    "no_records": lambda _: '{"records": []}',
    "missing_key": _changed(lambda reply: _first(reply).pop("confidence")),
    "extra_key": _changed(lambda reply: _first(reply).update(score=1)),
    "true_as_text": _changed(lambda reply: _requirement(reply).update(satisfied="true")),
    "true_as_number": _changed(lambda reply: _requirement(reply).update(satisfied=1)),
    "null_quote": _changed(lambda reply: _requirement(reply).update(satisfied_quote=None)),
    "confidence_out_of_range": _changed(lambda reply: _first(reply).update(confidence=7)),
    "confidence_as_share": _changed(lambda reply: _first(reply).update(confidence=0.9)),
    "unknown_record": _changed(lambda reply: _first(reply).update(id="r99")),
    "record_twice": _changed(lambda reply: reply["records"].append(_first(reply))),
    "extra_record": _changed(lambda reply: reply["records"].append(_first(reply) | {"id": "r99"})),
    "missing_requirement": _changed(lambda reply: _first(reply)["requirements"].pop()),
    "unknown_requirement": _changed(lambda reply: _requirement(reply).update(id="made_up")),
    "requirement_twice": _changed(lambda reply: _first(reply)["requirements"].append(_requirement(reply))),
    "key_twice": lambda reply: json.dumps(reply).replace(
        '"satisfied": ', '"satisfied": true, "satisfied": ', 1
    ),
}
