"""The stand-in judge speaks three protocols over real sockets, in their public shapes."""

import json
import subprocess
import sys
import threading
import tomllib

import httpx
import pytest

from pytest_wandr.testing import StandIn
from pytest_wandr.testing.modes import MODES
from tests.testing.conftest import TASK, make_document
from tests.testing.wandr_requests import (
    BODIES,
    PATHS,
    PROTOCOLS,
    SCHEMA,
    ask,
    chat,
    formatted,
    messages,
    post,
    said,
)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_gives_the_same_verdicts(protocol):
    with StandIn([TASK]) as standin:
        (judged,) = ask(standin, make_document(), protocol)
    assert [(each["satisfied"], each["supported"]) for each in judged["requirements"]] == [
        (True, False), (True, True), (True, True), (True, True),
    ]  # fmt: skip
    assert judged["requirements_all_satisfied"] is True
    assert judged["requirements_all_supported"] is False


def test_a_chat_reply_has_the_public_shape():
    with StandIn([TASK]) as standin:
        reply = post(standin, "openai-chat", chat(json.dumps(make_document()))).json()
    choice = reply["choices"][0]
    assert (reply["object"], reply["model"], choice["finish_reason"]) == ("chat.completion", "m-1", "stop")
    assert choice["message"]["refusal"] is None
    used = reply["usage"]
    assert used["total_tokens"] == used["prompt_tokens"] + used["completion_tokens"]
    assert 0 < used["prompt_tokens_details"]["cached_tokens"] < used["prompt_tokens"]


def test_a_response_has_the_public_shape():
    with StandIn([TASK]) as standin:
        reply = post(
            standin, "openai-responses", BODIES["openai-responses"](json.dumps(make_document()))
        ).json()
    assert (reply["object"], reply["status"], reply["incomplete_details"]) == ("response", "completed", None)
    assert [part["type"] for part in reply["output"]] == ["reasoning", "message"]
    assert reply["usage"]["input_tokens"] > reply["usage"]["input_tokens_details"]["cached_tokens"] > 0


@pytest.mark.parametrize(
    ("body", "why", "kind"), [(messages, "tool_use", "tool_use"), (formatted, "end_turn", "text")]
)
def test_a_message_is_bound_by_a_tool_or_by_a_format(body, why, kind):
    with StandIn([TASK]) as standin:
        reply = post(standin, "anthropic", body(json.dumps(make_document()))).json()
    assert (reply["type"], reply["stop_reason"]) == ("message", why)
    assert [block["type"] for block in reply["content"]] == [kind]
    assert json.loads(said("anthropic", reply))["records"][0]["id"] == "r1"


def test_the_messages_protocol_counts_cached_tokens_apart():
    with StandIn([TASK]) as standin:
        document = json.dumps(make_document())
        chat_used = post(standin, "openai-chat", chat(document)).json()["usage"]
        used = post(standin, "anthropic", messages(document)).json()["usage"]
    assert used["cache_read_input_tokens"] > 0
    assert used["input_tokens"] + used["cache_read_input_tokens"] == chat_used["prompt_tokens"]


WRONG = {
    "no schema": ("openai-chat", lambda body: body.pop("response_format")),
    "not strict": ("openai-chat", lambda body: body["response_format"]["json_schema"].pop("strict")),
    "no messages": ("openai-chat", lambda body: body.update(messages=[])),
    "open schema": (
        "openai-responses",
        lambda body: body["text"]["format"].update(schema={**SCHEMA, "additionalProperties": True}),
    ),
    "optional field": (
        "openai-responses",
        lambda body: body["text"]["format"].update(schema={**SCHEMA, "required": []}),
    ),
    "no format": ("openai-responses", lambda body: body.pop("text")),
    "no max_tokens": ("anthropic", lambda body: body.pop("max_tokens")),
    "a system message": (
        "anthropic",
        lambda body: body["messages"].insert(0, {"role": "system", "content": "x"}),
    ),
    "no forced tool": ("anthropic", lambda body: body.update(tool_choice={"type": "auto"})),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_request_that_a_real_server_refuses_is_refused_and_not_counted(wrong):
    protocol, spoil = WRONG[wrong]
    body = json.loads(json.dumps(BODIES[protocol]("{}")))
    spoil(body)
    with StandIn([TASK]) as standin:
        reply = post(standin, protocol, body)
        assert (reply.status_code, standin.count) == (400, 0)
    assert reply.json()["error"]["message"]


def test_a_body_that_is_no_json_and_an_unknown_path_are_errors():
    with StandIn() as standin, httpx.Client(trust_env=False, verify=False) as client:
        url = standin.url
        assert client.post(f"{url}/chat/completions", content=b"{").status_code == 400
        assert client.post(f"{url}/chat/completions", content=b"[]").status_code == 400
        assert client.post(f"{url}/embeddings", json={}).status_code == 404
        assert client.get(url).status_code == 405


def test_a_parameter_can_be_unsupported():
    with StandIn([TASK], rejects=["temperature"]) as standin:
        refused = post(standin, "openai-chat", chat("{}", temperature=0))
        taken = post(standin, "openai-chat", chat("{}"))
    assert (refused.status_code, taken.status_code) == (400, 200)
    assert refused.json()["error"]["param"] == "temperature"
    assert refused.json()["error"]["code"] == "unsupported_parameter"


@pytest.mark.parametrize(
    ("protocol", "header"),
    [
        ("openai-chat", {"Authorization": "Bearer sesame"}),
        ("openai-responses", {"Authorization": "Bearer sesame"}),
        ("anthropic", {"x-api-key": "sesame"}),
    ],
)
def test_a_wrong_key_is_refused_and_no_key_is_kept(protocol, header):
    with StandIn([TASK], key="sesame") as standin:
        assert post(standin, protocol, BODIES[protocol]("{}")).status_code == 401
        assert post(standin, protocol, BODIES[protocol]("{}"), headers=header).status_code == 200
        assert standin.count == 1
        assert "sesame" not in repr(standin) + repr(standin.calls)


def test_calls_are_counted_and_kept_by_record():
    with StandIn([TASK]) as standin:
        ask(standin, make_document())
        ask(standin, make_document(), "anthropic")
        ask(standin, make_document(town="Elsewhere"))
        assert [call.number for call in standin.calls] == [1, 2, 3]
        assert sorted(standin.about.values()) == [1, 2]
        assert standin.calls[1].system == "You check evidence."
        standin.forget()
        assert standin.count == 0


def test_calls_at_the_same_time_are_all_counted():
    with StandIn([TASK], mode="slow", delay=0.2) as standin:
        threads = [threading.Thread(target=ask, args=(standin, make_document())) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert standin.count == 12


def test_a_connection_is_kept_alive():
    with StandIn([TASK]) as standin, httpx.Client(trust_env=False, verify=False) as client:
        url = standin.url + PATHS["openai-chat"]
        ports = {
            client.post(url, json=chat("{}")).extensions["network_stream"].get_extra_info("client_addr")
            for _ in range(3)
        }
    assert len(ports) == 1


def test_closing_leaves_no_thread_and_nobody_listens():
    before = set(threading.enumerate())
    standin = StandIn([TASK], mode="slow", delay=60)
    with standin:
        url = standin.url + PATHS["openai-chat"]
        client = httpx.Client(trust_env=False, verify=False, timeout=30)
        errors = []

        def wait():
            try:
                client.post(url, json=chat("{}"))
            except httpx.TransportError as error:
                errors.append(error)

        waiting = threading.Thread(target=wait)
        waiting.start()
        while not standin.count:
            pass
    waiting.join()
    client.close()
    assert len(errors) == 1
    assert set(threading.enumerate()) <= before
    with pytest.raises(httpx.ConnectError):
        httpx.post(url, json={}, trust_env=False)
    with pytest.raises(RuntimeError, match="within its `with` block"):
        _ = standin.url


def test_the_table_for_a_project_is_toml():
    with StandIn() as standin:
        text = standin.config("anthropic", table="tool.wandr.judges.second", votes=3, panel=["a", "b"])
        assert standin.config().startswith("[tool.wandr.judge]\n")
        read = tomllib.loads(text)["tool"]["wandr"]["judges"]["second"]
        assert read == {
            "protocol": "anthropic",
            "model": "stand-in-1",
            "base_url": standin.url,
            "key_env": "",
            "price": {"input": 1, "output": 2},
            "votes": 3,
            "panel": ["a", "b"],
        }


def test_other_documents_are_answered_by_functions_of_the_test():
    with StandIn(replies={"names": lambda document: {"records": document["names"][:1]}}) as standin:
        assert ask(standin, {"names": ["Ada Brook", "A. Brook"]}) == ["Ada Brook"]


def test_the_page_of_docs_names_every_mode():
    from pathlib import Path

    page = (Path(__file__).parents[2] / "docs" / "reference" / "testing.md").read_text(encoding="utf-8")
    assert [mode for mode in MODES if f"`{mode}`" not in page] == []


def test_the_module_costs_nothing_until_it_is_used():
    code = (
        "import sys, pytest_wandr.testing; "
        "print([name for name in ('pydantic', 'http.server', 'pytest_wandr.model') if name in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout == "[]\n"
