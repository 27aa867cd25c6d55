"""How does the OpenAI Responses API read and reply?"""

from __future__ import annotations

from typing import Any

from pytest_wandr.testing.wires import Asked, BadRequest, Counted, Json, by_role, strict_schema

PATH = "/responses"


def read(body: Json) -> Asked:
    """The request.

    Raises:
        BadRequest: the real server would refuse it.
    """
    given = body.get("input")
    messages = [{"role": "user", "content": given}] if isinstance(given, str) else given
    system, users, others = by_role(messages, where="input")
    text = body.get("text")
    form = text.get("format") if isinstance(text, dict) else None
    if not isinstance(form, dict) or form.get("type") != "json_schema" or not form.get("name"):
        raise BadRequest("text.format binds the reply to no named schema", "text.format")
    if not form.get("strict"):
        raise BadRequest("text.format is not strict", "text.format")
    return Asked(
        protocol="openai-responses",
        model=str(body.get("model", "")),
        system="\n".join([*filter(None, [body.get("instructions")]), *system]),
        users=tuple(users),
        others=tuple(others),
        name=str(form["name"]),
        schema=strict_schema(form.get("schema"), "text.format.schema"),
        max_tokens=body.get("max_output_tokens"),
    )


def finished(asked: Asked, text: str, used: Counted | None) -> Json:
    """A reply that ended by itself."""
    return _reply(asked, [_text(text)], used)


def refused(asked: Asked, text: str, used: Counted | None) -> Json:
    """The model declines, in a part of its own kind."""
    return _reply(asked, [{"type": "refusal", "refusal": text}], used)


def filtered(asked: Asked, used: Counted | None) -> Json:
    """A content filter took the reply away."""
    return _reply(asked, [], used, why="content_filter")


def cut_off(asked: Asked, text: str | None, used: Counted | None) -> Json:
    """The reply reached its limit of tokens; None: before any of it could be read."""
    return _reply(asked, [_text(text)] if text else [], used, why="max_output_tokens")


def failed(status: int, kind: str, message: str, param: str = "") -> Json:
    """The body of an error."""
    code = {400: "unsupported_parameter", 429: "rate_limit_exceeded"}.get(status)
    return {"error": {"message": message, "type": kind, "param": param or None, "code": code}}


def _text(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _reply(asked: Asked, parts: list[Json], used: Counted | None, *, why: str = "") -> Json:
    status = "incomplete" if why else "completed"
    thought: Json = {"type": "reasoning", "id": "rs_standin", "summary": []}
    said: Json = {
        "type": "message",
        "id": "msg_standin",
        "status": status,
        "role": "assistant",
        "content": parts,
    }
    reply: Json = {
        "id": "resp_standin",
        "object": "response",
        "created_at": 0,
        "status": status,
        "error": None,
        "incomplete_details": {"reason": why} if why else None,
        "model": asked.model,
        "output": [thought, said] if parts else [thought],
    }
    return reply | ({"usage": _usage(used)} if used else {})


def _usage(used: Counted) -> dict[str, Any]:
    return {
        "input_tokens": used.input,
        "input_tokens_details": {"cached_tokens": used.cached},
        "output_tokens": used.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": used.input + used.output if isinstance(used.input, int) else None,
    }
