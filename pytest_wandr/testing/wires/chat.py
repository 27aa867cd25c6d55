"""How do OpenAI-compatible chat completions read and reply? Also vLLM, llama.cpp, Ollama and others."""

from __future__ import annotations

from typing import Any

from pytest_wandr.testing.wires import Asked, BadRequest, Counted, Json, by_role, strict_schema

PATH = "/chat/completions"


def read(body: Json) -> Asked:
    """The request.

    Raises:
        BadRequest: the real server would refuse it.
    """
    system, users, others = by_role(body.get("messages"), where="messages")
    form = body.get("response_format")
    bound = form.get("json_schema") if isinstance(form, dict) and form.get("type") == "json_schema" else None
    if not isinstance(bound, dict) or not bound.get("name"):
        raise BadRequest("response_format binds the reply to no named schema", "response_format")
    if not bound.get("strict"):
        raise BadRequest("response_format is not strict", "response_format")
    return Asked(
        protocol="openai-chat",
        model=str(body.get("model", "")),
        system="\n".join(system),
        users=tuple(users),
        others=tuple(others),
        name=str(bound["name"]),
        schema=strict_schema(bound.get("schema"), "response_format"),
        max_tokens=body.get("max_completion_tokens", body.get("max_tokens")),
    )


def finished(asked: Asked, text: str, used: Counted | None) -> Json:
    """A reply that ended by itself."""
    return _reply(asked, _message(text), "stop", used)


def refused(asked: Asked, text: str, used: Counted | None) -> Json:
    """The model declines, in a field of its own."""
    return _reply(asked, _message(None, text), "stop", used)


def filtered(asked: Asked, used: Counted | None) -> Json:
    """A content filter took the reply away."""
    return _reply(asked, _message(None), "content_filter", used)


def cut_off(asked: Asked, text: str | None, used: Counted | None) -> Json:
    """The reply reached its limit of tokens; None: before any of it could be read."""
    return _reply(asked, _message(text), "length", used)


def failed(status: int, kind: str, message: str, param: str = "") -> Json:
    """The body of an error."""
    return {"error": {"message": message, "type": kind, "param": param or None, "code": _CODES.get(status)}}


_CODES = {400: "unsupported_parameter", 401: "invalid_api_key", 429: "rate_limit_exceeded"}


def _message(text: str | None, refusal: str | None = None) -> Json:
    return {"role": "assistant", "content": text, "refusal": refusal, "annotations": []}


def _reply(asked: Asked, message: Json, why: str, used: Counted | None) -> Json:
    choice: Json = {"index": 0, "message": message, "logprobs": None, "finish_reason": why}
    reply: Json = {
        "id": "chatcmpl-standin",
        "object": "chat.completion",
        "created": 0,
        "model": asked.model,
        "choices": [choice],
    }
    return reply | ({"usage": _usage(used)} if used else {})


def _usage(used: Counted) -> dict[str, Any]:
    return {
        "prompt_tokens": used.input,
        "completion_tokens": used.output,
        "total_tokens": used.input + used.output if isinstance(used.input, int) else None,
        "prompt_tokens_details": {"cached_tokens": used.cached},
    }
