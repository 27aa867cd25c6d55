"""What do all types that flow share? Immutability, and digests that depend on content alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, SerializerFunctionWrapHandler, model_serializer

Truth: TypeAlias = bool | None
"""True, False, or None when the harness could not decide."""


class Frozen(BaseModel):
    """Base of all types that flow: immutable, and unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Sparse(Frozen):
    """A type whose `sparse` fields are told only when they hold something."""

    sparse: ClassVar[tuple[str, ...]] = ()

    @model_serializer(mode="wrap")
    def _without_empty(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        told: dict[str, Any] = handler(self)
        for name in self.sparse:
            if not told.get(name):
                told.pop(name, None)
        return told


M = TypeVar("M", bound=Frozen)


def unchecked(made: type[M], values: dict[str, Any]) -> M:
    """An instance from values that are right by construction: `model_construct` for inner loops.

    It has every field in the order of the class, each of its declared type; a tuple is a tuple.
    """
    instance = object.__new__(made)
    _set(instance, "__dict__", values)
    _set(instance, "__pydantic_fields_set__", _all_fields(made))
    _set(instance, "__pydantic_extra__", None)
    _set(instance, "__pydantic_private__", None)
    return instance


_set = object.__setattr__


@cache
def _all_fields(made: type[Frozen]) -> set[str]:
    """One set for all instances of a class: nothing changes it, since they are frozen and copies copy it."""
    return set(made.model_fields)


def canonical_json(value: object) -> str:
    """JSON that depends on content alone: sorted keys, no spaces, non-ASCII kept."""
    return _CANONICAL.encode(value)


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False)


def digest_of(value: object) -> str:
    """sha256 of the canonical JSON of a plain value (lone surrogates survive)."""
    return digest_of_text(canonical_json(value))


def digest_of_text(text: str) -> str:
    """sha256 of a text (lone surrogates survive)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


quoted = json.encoder.encode_basestring
"""A text as JSON has it, non-ASCII kept: what `canonical_json` makes of it, without the way there."""


def canonical_mapping(values: Mapping[str, JsonValue]) -> str:
    """The canonical JSON of a mapping, most of whose values are texts."""
    pairs = [
        f"{quoted(name)}:{quoted(value) if isinstance(value, str) else canonical_json(value)}"
        for name, value in sorted(values.items())
    ]
    return "{" + ",".join(pairs) + "}"
