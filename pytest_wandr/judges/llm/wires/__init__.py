"""Which protocols are spoken? Each module builds a request and reads a reply, without I/O."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.judges.llm.wires import chat, messages, responses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_wandr.judges.llm.config import Protocol
    from pytest_wandr.judges.llm.wires.reading import Wire

WIRES: Mapping[Protocol, Wire] = {
    "openai-chat": chat.WIRE,
    "openai-responses": responses.WIRE,
    "anthropic": messages.WIRE,
}
