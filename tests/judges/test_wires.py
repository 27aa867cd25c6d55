"""Three protocols: what is sent, and what every kind of reply means."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.judges.llm.exchange import Prompt, Said, Unsaid, Usage
from pytest_wandr.judges.llm.wires import WIRES
from tests.judges.loopback import chat, config_for

SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}
PROMPT = Prompt("verdicts", "Judge.", '{"page":"\\u003c"}', SCHEMA, 77)
JSON = {"content-type": "application/json"}


def read(protocol, reply, status=200, headers=JSON):
    body = reply if isinstance(reply, bytes) else json.dumps(reply).encode()
    return WIRES[protocol].read(status, headers, body)


def response(*content, status="completed", usage=(50, 10, 0), **more):
    used = usage and {
        "input_tokens": usage[0],
        "output_tokens": usage[1],
        "input_tokens_details": {"cached_tokens": usage[2]},
    }
    thought = {"type": "reasoning", "summary": []}
    message = {"type": "message", "content": list(content)}
    return {"model": "m-2026", "status": status, "output": [thought, message], "usage": used, **more}


def text_part(text):
    return {"type": "output_text", "text": text}


def message(*texts, why="end_turn", usage=None, **more):
    blocks = [{"type": "thinking", "thinking": "hm"}, *({"type": "text", "text": text} for text in texts)]
    used = usage or {"input_tokens": 50, "output_tokens": 10}
    return {"model": "m-2026", "stop_reason": why, "content": blocks, "usage": used, **more}


def test_a_chat_request_is_bound_to_the_schema_and_holds_the_data_apart():
    config = config_for("http://127.0.0.1:1/v1", options={"temperature": 0, "seed": 7})
    path, headers, body = WIRES["openai-chat"].request(PROMPT, config)
    assert (path, headers) == ("/chat/completions", {})
    assert body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Judge."},
            {"role": "user", "content": '{"page":"\\u003c"}'},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdicts", "strict": True, "schema": SCHEMA},
        },
        "max_tokens": 77,
        "temperature": 0,
        "seed": 7,
    }


def test_the_vendor_itself_is_told_the_limit_under_its_new_name():
    body = WIRES["openai-chat"].request(PROMPT, config_for("")).body
    assert (body["max_completion_tokens"], "max_tokens" in body) == (77, False)


def test_a_responses_request():
    config = config_for("", protocol="openai-responses", options={"text": {"verbosity": "low"}})
    path, headers, body = WIRES["openai-responses"].request(PROMPT, config)
    assert (path, headers) == ("/responses", {})
    assert body == {
        "model": "m",
        "instructions": "Judge.",
        "input": [{"role": "user", "content": '{"page":"\\u003c"}'}],
        "text": {
            "verbosity": "low",
            "format": {"type": "json_schema", "name": "verdicts", "strict": True, "schema": SCHEMA},
        },
        "max_output_tokens": 77,
        "store": False,
    }


def test_a_messages_request():
    config = config_for("", protocol="anthropic", options={"output_config": {"effort": "low"}})
    path, headers, body = WIRES["anthropic"].request(PROMPT, config)
    assert (path, headers) == ("/messages", {"anthropic-version": "2023-06-01"})
    assert body == {
        "model": "m",
        "max_tokens": 77,
        "system": "Judge.",
        "messages": [{"role": "user", "content": '{"page":"\\u003c"}'}],
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
    }


SAID = Said('{"a":1}', "m-2026", Usage(50, 10, 0))


@pytest.mark.parametrize(
    ("protocol", "reply"),
    [
        ("openai-chat", chat()),
        ("openai-responses", response(text_part('{"a":1}'))),
        ("anthropic", message('{"a":1}')),
    ],
)
def test_a_reply_that_ended_by_itself_is_said(protocol, reply):
    assert read(protocol, reply) == SAID


def tool_call():
    return chat(None, why="tool_calls", tool_calls=[{"function": {"arguments": '{"a":1}'}}])


@pytest.mark.parametrize(
    ("protocol", "reply", "code", "words"),
    [
        ("openai-chat", chat(None, why="length"), "cut_off", "max_tokens"),
        ("openai-chat", chat('{"a":1}', why="length"), "cut_off", "max_tokens"),
        ("openai-chat", chat("", why="content_filter"), "refused", "content filter"),
        ("openai-chat", chat(None, refusal="I would\nrather not"), "refused", "I would rather not"),
        ("openai-chat", chat('{"a":1}', refusal="no"), "refused", "no"),
        ("openai-chat", tool_call(), "unreadable", "'tool_calls'"),
        ("openai-chat", chat(why=None), "unreadable", "None"),
        ("openai-chat", chat(None), "unreadable", "without text"),
        ("openai-chat", chat("  \n"), "unreadable", "without text"),
        ("openai-chat", chat([{"type": "text", "text": "{}"}]), "unreadable", "without text"),
        ("openai-chat", {**chat(), "choices": []}, "unreadable", "None"),
        ("openai-chat", {**chat(), "choices": {"0": 1}}, "unreadable", "None"),
        ("openai-chat", {"error": {"message": "over quota"}}, "judge_failed", "over quota"),
        (
            "openai-responses",
            response(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
            "cut_off",
            "max_tokens",
        ),
        (
            "openai-responses",
            response(text_part("{"), status="incomplete", incomplete_details={"reason": "content_filter"}),
            "refused",
            "content filter",
        ),
        ("openai-responses", response({"type": "refusal", "refusal": "no"}), "refused", "no"),
        ("openai-responses", response(text_part("{}"), status="queued"), "unreadable", "'queued'"),
        ("openai-responses", response(text_part("{}"), text_part("{}")), "unreadable", "2 texts"),
        ("openai-responses", response(text_part("{}"), {"type": "refusal"}), "refused", "says no more"),
        ("openai-responses", {**response(), "output": None}, "unreadable", "without text"),
        (
            "openai-responses",
            {
                **response(),
                "output": [{"type": "message", "content": 5}, {"type": "message", "content": True}],
            },
            "unreadable",
            "without text",
        ),
        (
            "openai-responses",
            response(status="failed", error={"code": "server_error", "message": "oh"}),
            "judge_failed",
            "oh",
        ),
        ("anthropic", message("{", why="max_tokens"), "cut_off", "max_tokens"),
        ("anthropic", message("{", why="model_context_window_exceeded"), "cut_off", "max_tokens"),
        ("anthropic", message(why="refusal"), "refused", "declined"),
        ("anthropic", message(why="tool_use"), "unreadable", "'tool_use'"),
        ("anthropic", message("{}", why="pause_turn"), "unreadable", "'pause_turn'"),
        ("anthropic", message("{}", "{}"), "unreadable", "2 texts"),
        ("anthropic", message(), "unreadable", "without text"),
        ("anthropic", {**message(), "content": "{}"}, "unreadable", "without text"),
    ],
)
def test_a_reply_that_is_none_says_why(protocol, reply, code, words):
    found = read(protocol, reply)
    assert isinstance(found, Unsaid)
    assert found.code == code
    assert words in found.reason


@pytest.mark.parametrize(
    ("status", "headers", "body", "code", "words"),
    [
        (200, {"content-type": "text/html"}, b"<html>", "unreadable", "'text/html'"),
        (200, {"content-type": "text/plain"}, b"{}", "unreadable", "'text/plain'"),
        (200, JSON, b"<html>Sign in</html>", "unreadable", "no JSON object"),
        (200, JSON, b"", "unreadable", "no JSON object"),
        (200, JSON, b"[]", "unreadable", "no JSON object"),
        (200, JSON, b'{"a": NaN}', "unreadable", "no JSON object"),
        (200, JSON, b'{"a": 1} {"a": 2}', "unreadable", "no JSON object"),
        (200, JSON, b'{"a": "\xff"}', "unreadable", "no JSON object"),
        (200, JSON, b"[" * 100_000, "unreadable", "no JSON object"),
        (302, {"location": "https://login.example/"}, b"", "judge_failed", "redirects to https://login.ex"),
        (401, JSON, b'{"error": {"message": "bad key"}}', "judge_failed", "HTTP 401: bad key"),
        (400, JSON, b'{"error": "just text"}', "judge_failed", "HTTP 400: just text"),
        (404, JSON, b'{"message": "no such model"}', "judge_failed", "HTTP 404: no such model"),
        (404, JSON, b"<html>", "judge_failed", "HTTP 404"),
        (429, JSON, b'{"error": {"type": "rate_limit"}}', "judge_down", "HTTP 429: rate_limit"),
        (500, JSON, b"\x1b[31moh", "judge_down", "HTTP 500"),
        (529, JSON, b'{"error": {"message": "\x1b[31m\\u202eover"}}', "judge_down", "HTTP 529"),
    ],
)
def test_status_and_kind_come_before_everything_else(status, headers, body, code, words):
    for protocol in WIRES:
        found = read(protocol, body, status, headers)
        assert (found.code, words in found.reason, found.reason.isprintable()) == (code, True, True), found


@pytest.mark.parametrize(
    ("protocol", "reply", "usage"),
    [
        ("openai-chat", chat(usage=(50, 10, 40)), Usage(50, 10, 40)),
        ("openai-chat", chat(usage=None), None),
        ("openai-chat", {**chat(), "usage": {"prompt_tokens": 5, "completion_tokens": 1}}, Usage(5, 1)),
        (
            "openai-chat",
            {
                **chat(),
                "usage": {"prompt_tokens": 5, "completion_tokens": 1, "prompt_tokens_details": None},
            },
            Usage(5, 1),
        ),
        ("openai-chat", {**chat(), "usage": {"prompt_tokens": 5}}, None),
        ("openai-chat", chat(usage=(True, 10, 0)), None),
        ("openai-chat", chat(usage=("50", 10, 0)), None),
        ("openai-chat", chat(usage=(50.0, 10, 0)), None),
        ("openai-chat", chat(usage=(50, -10, 0)), None),
        ("openai-chat", {**chat(), "usage": []}, None),
        ("openai-responses", response(text_part("{}"), usage=(50, 10, 40)), Usage(50, 10, 40)),
        ("openai-responses", response(text_part("{}"), usage=None), None),
        (
            "anthropic",
            message(
                "{}",
                usage={
                    "input_tokens": 5,
                    "output_tokens": 10,
                    "cache_read_input_tokens": 40,
                    "cache_creation_input_tokens": 3,
                },
            ),
            Usage(48, 10, 40),
        ),
        (
            "anthropic",
            message("{}", usage={"input_tokens": 5, "output_tokens": 10, "cache_read_input_tokens": None}),
            Usage(5, 10),
        ),
        ("anthropic", message("{}", usage={"output_tokens": 10, "cache_read_input_tokens": 4}), None),
        (
            "anthropic",
            message("{}", usage={"input_tokens": 5, "output_tokens": 10, "cache_read_input_tokens": "9"}),
            None,
        ),
    ],
)
def test_usage_counts_cached_tokens_as_input_whatever_the_protocol_does(protocol, reply, usage):
    assert read(protocol, reply).usage == usage


NAMES = [
    "choices",
    "message",
    "content",
    "finish_reason",
    "usage",
    "output",
    "type",
    "text",
    "error",
    "status",
    "stop_reason",
    "prompt_tokens",
    "input_tokens",
    "output_tokens",
    "model",
    "refusal",
]
LONG = "\x1b[2J\u202e" + "x" * 1_000_000


@pytest.mark.parametrize(
    ("protocol", "reply"),
    [
        ("openai-chat", chat(why=LONG)),
        ("openai-chat", chat(refusal=LONG)),
        ("openai-chat", {"error": {"message": LONG}}),
        ("openai-chat", {"error": [LONG]}),
        ("openai-responses", response(status=LONG)),
        ("openai-responses", response({"type": "refusal", "refusal": LONG})),
        ("anthropic", message(why=LONG)),
        ("anthropic", LONG.encode()),
    ],
)
def test_a_reason_is_one_short_line_that_can_be_shown(protocol, reply):
    reason = read(protocol, reply).reason
    assert len(reason) < 400
    assert reason.isprintable()


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(NAMES),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("protocol", WIRES)
@given(reply=anything, status=st.sampled_from([200, 400, 500]))
def test_no_reply_breaks_the_reader(protocol, reply, status):
    found = read(protocol, reply, status)
    assert isinstance(found, Said | Unsaid)
    assert not isinstance(found, Said) or found.text.strip()
