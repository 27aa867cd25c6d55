"""How is a server asked by the Messages API of Anthropic?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.judges.llm.wires.reading import (
    Body,
    Call,
    Headers,
    Wire,
    at,
    count,
    cut_off,
    model_of,
    read_reply,
    refused,
    said,
    table,
    unreadable,
    usage,
)

if TYPE_CHECKING:
    from pytest_wandr.judges.llm.config import JudgeConfig
    from pytest_wandr.judges.llm.exchange import Prompt, Said, Unsaid, Usage

VERSION = "2023-06-01"


def request(prompt: Prompt, config: JudgeConfig) -> Call:
    """The body of one call. The reply's form is bound by `output_config`: tools cannot always be forced."""
    form = {"type": "json_schema", "schema": dict(prompt.schema)}
    body: Body = {
        **config.options,
        "model": config.model,
        "max_tokens": prompt.max_tokens,
        "system": prompt.system,
        "messages": [{"role": "user", "content": prompt.document}],
        "output_config": {**table(config.options, "output_config"), "format": form},
    }
    return Call("/messages", {"anthropic-version": VERSION}, body)


def read(status: int, headers: Headers, body: bytes) -> Said | Unsaid:
    """What a reply says: why it stopped comes first."""
    return read_reply(status, headers, body, _read)


def _read(reply: Body) -> Said | Unsaid:
    model, used = model_of(reply), _usage(reply)
    why = reply.get("stop_reason")
    if why in ("max_tokens", "model_context_window_exceeded"):
        return cut_off(model, used)
    if why == "refusal":
        return refused("it declined", model, used)
    if why != "end_turn":
        return unreadable(f"a reply that ended for the reason {why!r} instead of by itself", model, used)
    content = reply.get("content")
    blocks = content if isinstance(content, list) else []
    texts = [at(block, "text") for block in blocks if at(block, "type") == "text"]
    if len(texts) > 1:
        return unreadable(f"{len(texts)} texts where one is due", model, used)
    return said(texts[0] if texts else None, model, used)


def _usage(reply: Body) -> Usage | None:
    """The input leaves out what was read from the cache or written to it: both are added."""
    used = reply.get("usage")
    read_, written = at(used, "cache_read_input_tokens"), at(used, "cache_creation_input_tokens")
    parts = [count(at(used, "input_tokens")), *(count(each or 0) for each in (read_, written))]
    total = None if None in parts else sum(part or 0 for part in parts)
    return usage(total, at(used, "output_tokens"), read_)


KEY_HEADER = ("x-api-key", "")
WIRE = Wire(request, read, KEY_HEADER, ("max_tokens",))
