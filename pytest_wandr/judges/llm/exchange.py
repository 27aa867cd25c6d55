"""What goes to a model and what comes back, whatever protocol its server speaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from pytest_wandr.budget import Spent, Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

__all__ = ["Model", "Prompt", "Said", "Spent", "Unsaid", "Usage", "Why"]

Why: TypeAlias = Literal[
    "refused", "cut_off", "unreadable", "bad_schema", "no_budget", "judge_down", "judge_failed"
]
"""Why there is no answer. A passing cause is tried again in the next run (`verdicts.PASSING`)."""


@dataclass(frozen=True)
class Prompt:
    """One call: a constant text of instructions, and one JSON document with everything that is data.

    `schema` is the JSON schema of the reply, `name` how the protocols call it. A reply has at most
    `max_tokens`.
    """

    name: str
    system: str
    document: str
    schema: Mapping[str, JsonValue]
    max_tokens: int


@dataclass(frozen=True)
class Said:
    """A reply that ended by itself: its text, which model gave it, and what it used (None: not reported)."""

    text: str
    model: str = ""
    usage: Usage | None = None


@dataclass(frozen=True)
class Unsaid:
    """No usable reply, and why. `reason` is for a person, and holds nothing secret."""

    code: Why
    reason: str
    model: str = ""
    usage: Usage | None = None


class Model(Protocol):
    """A model behind an endpoint.

    `identity` holds all that can change its replies but the prompt: protocol, host, model, parameters. One
    that costs something also has `spent`: dollars so far, for whoever watches.
    """

    @property
    def identity(self) -> Mapping[str, JsonValue]:
        """JSON, without secrets: a part of the key of every answer."""
        ...

    async def say(self, prompt: Prompt) -> Said | Unsaid:
        """Ask once. Waits for its turn, stays within the budget, tries again what is worth it."""
        ...
