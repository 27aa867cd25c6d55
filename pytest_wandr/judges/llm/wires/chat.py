"""How is an OpenAI-compatible server asked by chat completions? Also vLLM, llama.cpp, Ollama and gateways."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.judges.llm.config import OPENAI
from pytest_wandr.judges.llm.wires.reading import (
    Body,
    Call,
    Headers,
    Wire,
    at,
    cut_off,
    model_of,
    read_reply,
    refused,
    said,
    unreadable,
    usage,
)

if TYPE_CHECKING:
    from pytest_wandr.judges.llm.config import JudgeConfig
    from pytest_wandr.judges.llm.exchange import Prompt, Said, Unsaid, Usage

LIMITS = ("max_completion_tokens", "max_tokens")
"""The vendor's newest models take the first alone; most other servers know the second."""


def request(prompt: Prompt, config: JudgeConfig) -> Call:
    """The body of one call."""
    form = {"name": prompt.name, "strict": True, "schema": dict(prompt.schema)}
    body: Body = {
        **config.options,
        "model": config.model,
        "messages": [
            {"role": "system", "content": prompt.system},
            {"role": "user", "content": prompt.document},
        ],
        "response_format": {"type": "json_schema", "json_schema": form},
        LIMITS[0 if config.url == OPENAI else 1]: prompt.max_tokens,
    }
    return Call("/chat/completions", {}, body)


def read(status: int, headers: Headers, body: bytes) -> Said | Unsaid:
    """What a reply says: why it ended comes first."""
    return read_reply(status, headers, body, _read)


def _read(reply: Body) -> Said | Unsaid:
    model, used = model_of(reply), _usage(reply)
    why, message = at(reply, "choices", 0, "finish_reason"), at(reply, "choices", 0, "message")
    if why == "length":
        return cut_off(model, used)
    if why == "content_filter":
        return refused("its content filter stopped it", model, used)
    if refusal := at(message, "refusal"):
        return refused(str(refusal), model, used)
    if why != "stop":
        return unreadable(f"a reply that ended for the reason {why!r} instead of by itself", model, used)
    return said(at(message, "content"), model, used)


def _usage(reply: Body) -> Usage | None:
    """The input includes what came from the cache."""
    used = reply.get("usage")
    cached = at(used, "prompt_tokens_details", "cached_tokens")
    return usage(at(used, "prompt_tokens"), at(used, "completion_tokens"), cached)


KEY_HEADER = ("authorization", "Bearer ")
WIRE = Wire(request, read, KEY_HEADER, LIMITS)
