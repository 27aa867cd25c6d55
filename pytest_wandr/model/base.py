"""What do all types that flow share? Immutability, and digests that depend on content alone."""

from __future__ import annotations

import hashlib
import json
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

Truth: TypeAlias = bool | None
"""True, False, or None when the harness could not decide."""


class Frozen(BaseModel):
    """Base of all types that flow: immutable, and unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def canonical_json(value: object) -> str:
    """JSON that depends on content alone: sorted keys, no spaces, non-ASCII kept."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(value: object) -> str:
    """sha256 of the canonical JSON of a plain value (lone surrogates survive)."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
