"""Requests to a judge's server as any client may send them, written without the code under test."""

import json

import httpx

SCHEMA = {
    "type": "object",
    "properties": {"records": {"type": "array", "items": {"type": "string"}}},
    "required": ["records"],
    "additionalProperties": False,
}
PROTOCOLS = ("openai-chat", "openai-responses", "anthropic")
SYSTEM = "You check evidence."


def chat(text, **more):
    return {
        "model": "m-1",
        "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": text}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdicts", "strict": True, "schema": SCHEMA},
        },
        "max_tokens": 4000,
        **more,
    }


def responses(text, **more):
    return {
        "model": "m-1",
        "instructions": SYSTEM,
        "input": [{"role": "user", "content": [{"type": "input_text", "text": text}]}],
        "text": {"format": {"type": "json_schema", "name": "verdicts", "strict": True, "schema": SCHEMA}},
        "max_output_tokens": 4000,
        **more,
    }


def messages(text, **more):
    return {
        "model": "m-1",
        "system": [{"type": "text", "text": SYSTEM}],
        "messages": [{"role": "user", "content": text}],
        "tools": [{"name": "verdicts", "input_schema": SCHEMA}],
        "tool_choice": {"type": "tool", "name": "verdicts"},
        "max_tokens": 4000,
        **more,
    }


def formatted(text, **more):
    """The other way of the Messages API to bind a reply."""
    body = messages(text, output_config={"format": {"type": "json_schema", "schema": SCHEMA}}, **more)
    del body["tools"], body["tool_choice"]
    return body


BODIES = {"openai-chat": chat, "openai-responses": responses, "anthropic": messages}
PATHS = {
    "openai-chat": "/chat/completions",
    "openai-responses": "/responses",
    "anthropic": "/messages",
}


def post(standin, protocol, body, **more):
    url = standin.url + PATHS[protocol]
    with httpx.Client(trust_env=False, verify=False, timeout=5) as client:
        return client.post(url, json=body, **more)


def said(protocol, reply):
    """The text of a reply that ended by itself."""
    if protocol == "openai-chat":
        return reply["choices"][0]["message"]["content"]
    if protocol == "openai-responses":
        message = next(part for part in reply["output"] if part["type"] == "message")
        return message["content"][0]["text"]
    block = reply["content"][0]
    return json.dumps(block["input"]) if block["type"] == "tool_use" else block["text"]


def ask(standin, document, protocol="openai-chat"):
    """The records of a stand-in's reply to a document."""
    reply = post(standin, protocol, BODIES[protocol](json.dumps(document)))
    assert reply.status_code == 200, reply.text
    return json.loads(said(protocol, reply.json()))["records"]
