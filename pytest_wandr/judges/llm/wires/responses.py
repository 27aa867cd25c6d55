"""How is a server asked by the Responses API of OpenAI?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_wandr.judges.llm.wires.chat import KEY_HEADER
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
    table,
    unreadable,
    usage,
)

if TYPE_CHECKING:
    from pytest_wandr.judges.llm.config import JudgeConfig
    from pytest_wandr.judges.llm.exchange import Prompt, Said, Unsaid, Usage


def request(prompt: Prompt, config: JudgeConfig) -> Call:
    """The body of one call. Nothing of it is kept by the server."""
    form = {"type": "json_schema", "name": prompt.name, "strict": True, "schema": dict(prompt.schema)}
    body: Body = {
        **config.options,
        "model": config.model,
        "instructions": prompt.system,
        "input": [{"role": "user", "content": prompt.document}],
        "text": {**table(config.options, "text"), "format": form},
        "max_output_tokens": prompt.max_tokens,
        "store": False,
    }
    return Call("/responses", {}, body)


def read(status: int, headers: Headers, body: bytes) -> Said | Unsaid:
    """What a reply says: whether it is complete comes first."""
    return read_reply(status, headers, body, _read)


def _read(reply: Body) -> Said | Unsaid:
    model, used = model_of(reply), _usage(reply)
    state, why = reply.get("status"), at(reply, "incomplete_details", "reason")
    if why == "max_output_tokens":
        return cut_off(model, used)
    if why == "content_filter":
        return refused("its content filter stopped it", model, used)
    parts = list(_parts(reply.get("output")))
    refusals = [part.get("refusal") or "it says no more" for part in parts if part.get("type") == "refusal"]
    if refusals:
        return refused(str(refusals[0]), model, used)
    if state != "completed":
        return unreadable(f"a reply with the status {state!r} instead of 'completed'", model, used)
    texts = [part.get("text") for part in parts if part.get("type") == "output_text"]
    if len(texts) > 1:
        return unreadable(f"{len(texts)} texts where one is due", model, used)
    return said(texts[0] if texts else None, model, used)


def _parts(output: object) -> list[dict[str, Any]]:
    """The parts of all messages; what a model thought before is no part."""
    messages = [each for each in _list(output) if at(each, "type") == "message"]
    parts = [part for message in messages for part in _list(at(message, "content"))]
    return [part for part in parts if isinstance(part, dict)]


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _usage(reply: Body) -> Usage | None:
    """The input includes what came from the cache."""
    used = reply.get("usage")
    cached = at(used, "input_tokens_details", "cached_tokens")
    return usage(at(used, "input_tokens"), at(used, "output_tokens"), cached)


WIRE = Wire(request, read, KEY_HEADER, ("max_output_tokens",))
