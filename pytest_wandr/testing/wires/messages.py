"""How does the Anthropic Messages API read and reply? Its reply is bound by an output format or by a tool."""

from __future__ import annotations

import json
from typing import Any

from pytest_wandr.testing.wires import Asked, BadRequest, Counted, Json, by_role, strict_schema, text_of

PATH = "/messages"


def read(body: Json) -> Asked:
    """The request.

    Raises:
        BadRequest: the real server would refuse it.
    """
    if not isinstance(body.get("max_tokens"), int):
        raise BadRequest("max_tokens: Field required", "max_tokens")
    system, users, others = by_role(body.get("messages"), where="messages")
    if system:
        raise BadRequest('messages: Unexpected role "system"; use the top-level parameter', "messages")
    name, schema = _bound(body)
    return Asked(
        protocol="anthropic",
        model=str(body.get("model", "")),
        system=text_of(body.get("system", "")),
        users=tuple(users),
        others=tuple(others),
        name=name,
        schema=strict_schema(schema, "schema"),
        max_tokens=body["max_tokens"],
        as_tool=bool(name),
    )


def _bound(body: Json) -> tuple[str, Any]:
    """The schema, and the name of the tool when it is one's."""
    config = body.get("output_config")
    form = config.get("format") if isinstance(config, dict) else None
    if isinstance(form, dict) and form.get("type") == "json_schema":
        return "", form.get("schema")
    choice = body.get("tool_choice")
    wanted = choice.get("name") if isinstance(choice, dict) and choice.get("type") == "tool" else None
    for tool in body.get("tools", ()):
        if wanted and tool.get("name") == wanted:
            return str(wanted), tool.get("input_schema")
    raise BadRequest(
        "neither output_config.format nor tool_choice binds the reply to a schema", "tool_choice"
    )


def finished(asked: Asked, text: str, used: Counted | None) -> Json:
    """A reply that ended by itself. What is no JSON object cannot be a tool's input: it is sent as text."""
    given = _object(text) if asked.as_tool else None
    if given is None:
        return _reply(asked, [{"type": "text", "text": text}], "end_turn", used)
    block: Json = {"type": "tool_use", "id": "toolu_standin", "name": asked.name, "input": given}
    return _reply(asked, [block], "tool_use", used)


def refused(asked: Asked, text: str, used: Counted | None) -> Json:
    """The model declines: a stop reason of its own."""
    return _reply(asked, [{"type": "text", "text": text}], "refusal", used)


def filtered(asked: Asked, used: Counted | None) -> Json:
    """A content filter took the reply away."""
    return _reply(asked, [], "refusal", used)


def cut_off(asked: Asked, text: str | None, used: Counted | None) -> Json:
    """The reply reached its limit of tokens; None: before any of it could be read."""
    blocks: list[Json] = [{"type": "text", "text": text}] if text else []
    if asked.as_tool and text:
        blocks = [{"type": "tool_use", "id": "toolu_standin", "name": asked.name, "input": {}}]
    return _reply(asked, blocks, "max_tokens", used)


def failed(status: int, kind: str, message: str, param: str = "") -> Json:
    """The body of an error."""
    known = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}
    where = f"{param}: " if param else ""
    return {
        "type": "error",
        "error": {"type": known.get(status, kind), "message": f"{where}{message}"},
        "request_id": "req_standin",
    }


def _object(text: str) -> Json | None:
    try:
        read_ = json.loads(text)
    except ValueError:
        return None
    return read_ if isinstance(read_, dict) else None


def _reply(asked: Asked, blocks: list[Json], why: str, used: Counted | None) -> Json:
    reply: Json = {
        "id": "msg_standin",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": blocks,
        "stop_reason": why,
        "stop_sequence": None,
    }
    return reply | ({"usage": _usage(used)} if used else {})


def _usage(used: Counted) -> dict[str, Any]:
    """Here `input_tokens` are those alone that were neither read from a cache nor written to one."""
    plain = used.input - used.cached if isinstance(used.input, int) and isinstance(used.cached, int) else None
    return {
        "input_tokens": used.input if plain is None else plain,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": used.cached,
        "output_tokens": used.output,
    }
