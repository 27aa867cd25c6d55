"""What does a judge's server hear and say? One module for each protocol, in the shapes that are public.

Each reads a request into `Asked` and writes a reply that ended, was refused, was cut off, or failed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_wandr.errors import WandrError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Json: TypeAlias = dict[str, Any]


class BadRequest(WandrError):
    """A request that the real server would refuse. `param` names the part of it that is at fault."""

    def __init__(self, message: str, param: str = "") -> None:
        super().__init__(message)
        self.param = param


@dataclass(frozen=True)
class Asked:
    """One request, whatever its protocol: the texts by role, and which schema binds the reply.

    `others` are texts of roles that are neither instructions nor the user. `as_tool`: the reply is the input
    of a tool.
    """

    protocol: str
    model: str
    system: str
    users: tuple[str, ...]
    name: str
    schema: Mapping[str, Any]
    max_tokens: int | None
    others: tuple[str, ...] = ()
    as_tool: bool = False

    @cached_property
    def document(self) -> Json | None:
        """The one user message when it is exactly one JSON object without a key twice; else None."""
        if len(self.users) != 1:
            return None
        try:
            read = json.loads(self.users[0], object_pairs_hook=_once)
        except ValueError:
            return None
        return read if isinstance(read, dict) else None


def _once(pairs: list[tuple[str, Any]]) -> Json:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


@dataclass(frozen=True)
class Counted:
    """Tokens as a reply reports them. `input` counts the cached ones too."""

    input: Any
    output: Any
    cached: Any = 0


def text_of(content: object) -> str:
    """The text of a message: a string, or a list of text parts.

    Raises:
        BadRequest: it is neither.
    """
    if isinstance(content, str):
        return content
    if isinstance(content, list) and all(isinstance(part, dict) and "text" in part for part in content):
        return "\n".join(str(part["text"]) for part in content)
    raise BadRequest("content is neither a text nor a list of texts", "content")


def by_role(messages: object, *, where: str) -> tuple[list[str], list[str], list[str]]:
    """The texts of instructions, of the user, and of all other roles.

    Raises:
        BadRequest: these are no messages.
    """
    if not isinstance(messages, list) or not messages:
        raise BadRequest(f"{where} holds no messages", where)
    system: list[str] = []
    users: list[str] = []
    others: list[str] = []
    into = {"system": system, "developer": system, "user": users}
    for message in messages:
        if not isinstance(message, dict):
            raise BadRequest(f"{where} holds something that is no message", where)
        into.get(str(message.get("role")), others).append(text_of(message.get("content")))
    return system, users, others


def strict_schema(schema: object, param: str) -> Mapping[str, Any]:
    """The schema, when every object in it is closed and requires all of its properties.

    Raises:
        BadRequest: it is not; real servers refuse it then, too.
    """
    if not isinstance(schema, dict):
        raise BadRequest("a schema is an object", param)
    for part in _objects(schema):
        names = sorted(part.get("properties", {}))
        if part.get("additionalProperties") is not False:
            raise BadRequest("'additionalProperties' is required to be supplied and to be false", param)
        if sorted(part.get("required", ())) != names:
            raise BadRequest(f"'required' is required to be an array of all of {', '.join(names)}", param)
    return schema


def _objects(schema: object) -> Iterable[Json]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from _objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _objects(value)
