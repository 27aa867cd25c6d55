"""The key of a judge appears nowhere but in the request, even when the server sends it back."""

import asyncio
import json
import logging
import pickle
import traceback
from urllib.parse import quote

import pytest

from pytest_wandr.budget import Ledger
from pytest_wandr.errors import JudgeError
from pytest_wandr.judges import Setup
from pytest_wandr.judges.llm.endpoint import Endpoint, Surroundings
from pytest_wandr.judges.llm.exchange import Said
from pytest_wandr.judges.llm.secret import Secret
from tests.judges.loopback import KEY, PROMPT, asked, chat, config_for, endpoint_for, error, http

ECHOES = {
    "an error": error("401 Unauthorized", f"Incorrect API key provided: {KEY}."),
    "an error that is a text": http({"error": f"bad {KEY}"}, "400 Bad Request"),
    "the beginning": error("401 Unauthorized", f"bad key {KEY[:12]}..."),
    "as in a url": error("403 Forbidden", f"see https://judge.example/?k={quote(KEY, safe='')}"),
    "a header": error("500 Oh", "oh", f"X-Echo: {KEY}", f"Set-Cookie: key={KEY}"),
    "a redirect": http(b"", "302 Found", f"Location: https://judge.example/?key={KEY}"),
    "a kind": http(b"{}", kind=f"text/{KEY}"),
    "a page": http(f"<html>{KEY}".encode(), kind="text/html"),
    "no json": http(f"oh {KEY}".encode()),
    "a retry": error("429 Too Many Requests", "wait", f"Retry-After: {KEY}"),
    "garbage": f"HTTP/1.1 {KEY}\r\n\r\n".encode(),
    "a broken header": f"HTTP/1.1 200 OK\r\n{KEY}\r\n\r\n".encode(),
    "a reason": http(chat(None, refusal=f"I know {KEY}")),
    "a finish reason": http(chat(why=KEY)),
    "a model": http({**chat(), "model": KEY}),
    "a text": http(chat(f'{{"a":"{KEY}"}}')),
    "a parameter": error("400 Bad Request", f"temperature {KEY}", param="temperature"),
}


def in_json(text):
    """As a server may write it: JSON can escape any character."""
    return "".join(f"\\u{ord(sign):04x}" for sign in text)


ECHOES |= {
    "an error, escaped": http(b'{"error":{"message":"bad %s"}}' % in_json(KEY).encode(), "401 Unauthorized"),
    "a text, escaped": http(json.dumps(chat("KEY")).encode().replace(b"KEY", in_json(KEY).encode())),
    "a text of JSON, escaped within": http(chat(f'{{"reason":"{in_json(KEY).upper().replace("U", "u")}"}}')),
}


def held(folder):
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
async def test_what_a_server_echoes_is_hidden_and_so_is_every_log(tmp_path, caplog, echo):
    caplog.set_level(logging.DEBUG)
    options = {"temperature": 0}
    async with asked(tmp_path, echo, options=options) as (server, endpoint, ledger, _):
        said = await endpoint.say(PROMPT)
    assert KEY in server.heads[0]
    seen = [
        repr(said),
        repr(endpoint),
        repr(vars(endpoint)),
        repr(vars(endpoint._door)),
        repr(ledger.totals()),
    ]
    seen += [record.getMessage() for record in caplog.records]
    seen += [repr(vars(record)) for record in caplog.records]
    seen += [held(tmp_path).decode()]
    assert [text for text in seen if KEY in text or KEY[:12] in text or "u0073" in text.lower()] == []
    assert any(record.name.startswith("httpcore") for record in caplog.records)


async def test_a_header_that_echoes_the_key_would_be_logged_without_the_mask(tmp_path, caplog):
    """So that the test above can fail: the HTTP libraries do log what a server sends."""
    caplog.set_level(logging.DEBUG)
    async with asked(tmp_path, ECHOES["a header"]) as (_, endpoint, _, _):
        endpoint._secret._pattern = Secret("other-key-0123456789")._pattern
        await endpoint.say(PROMPT)
    assert any(KEY in record.getMessage() for record in caplog.records)


async def test_the_mask_is_gone_when_nobody_asks(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    async with asked(tmp_path, http(chat())) as (_, endpoint, _, _):
        await endpoint.say(PROMPT)
    names = ("httpx", "httpcore.connection", "httpcore.http11")
    assert [logging.getLogger(name).filters for name in names] == [[], [], []]


def locals_of(error):
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    return "".join(told.format())


async def test_an_error_on_the_way_shows_no_key_even_with_all_locals(tmp_path, monkeypatch):
    async with asked(tmp_path, http(chat())) as (_, endpoint, ledger, _):

        def broken(*_):
            raise ZeroDivisionError

        monkeypatch.setattr(ledger, "settle", broken)
        with pytest.raises(ZeroDivisionError) as caught:
            await endpoint.say(PROMPT)
    text = locals_of(caught.value)
    assert "endpoint" in text  # locals are shown
    assert KEY not in text


async def test_a_cancelled_call_shows_no_key_even_with_all_locals(tmp_path):
    async def silence(_writer, _body):
        await asyncio.sleep(600)

    async with asked(tmp_path, silence) as (server, endpoint, _, _):
        asking = asyncio.ensure_future(endpoint.say(PROMPT))
        await server.asked.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            await asking
    text = locals_of(caught.value)
    assert KEY not in text
    assert KEY[:12] not in text


async def test_a_reply_without_the_key_is_as_it_was(tmp_path):
    text = '{"a":"sk-plante-01 is no key, ü, \\u2028"}'
    async with asked(tmp_path, http(chat(text))) as (_, endpoint, _, _):
        assert (await endpoint.say(PROMPT)) == Said(text, "m-2026", (await endpoint.say(PROMPT)).usage)


@pytest.mark.parametrize("key", ["", "none", "EMPTY"])
def test_a_word_that_is_no_secret_hides_nothing(key):
    assert Secret(key).hide("none EMPTY") == "none EMPTY"


@pytest.mark.parametrize("key", ["ab/cd+ef==0123456789xy", 'a"b\\c/0123456789%xyz', KEY])
def test_a_key_is_hidden_however_it_is_spelled(key):
    once = json.dumps(key)[1:-1]
    spellings = [key, quote(key), quote(key, safe=""), quote(key, safe="").lower()] if key == KEY else [key]
    spellings += [
        once,
        json.dumps(once)[1:-1],
        once.replace("/", "\\/"),
        in_json(key),
        in_json(key).replace("\\", "\\\\"),
    ]
    spellings += [quote(key, safe="")]
    assert [Secret(key).hide(f"[{text}]") for text in spellings] == ["[***]"] * len(spellings)


def test_a_secret_has_no_form_that_prints():
    secret = Secret(KEY)
    assert (repr(secret), str(secret), f"{secret}", bool(secret)) == ("***", "***", "***", True)
    assert secret.hide(f"a {KEY} b {quote(KEY)} c {KEY[:12]}") == "a *** b *** c ***"
    assert secret.hide_bytes(b"\xff" + KEY.encode() + b"\x00") == b"\xff***\x00"
    with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
        pickle.dumps(secret)


@pytest.mark.parametrize("key", [KEY + "\n", KEY + "ü"])
def test_a_key_that_is_refused_is_not_shown_even_with_all_locals(tmp_path, key):
    surroundings = Surroundings({"K": key})
    config, ledger = config_for("https://judge.example/v1"), Ledger(tmp_path / "ledger")
    with pytest.raises(JudgeError) as caught:
        Endpoint(config, Setup(tmp_path, tmp_path, tmp_path), ledger, surroundings)
    frames = traceback.TracebackException.from_exception(caught.value, capture_locals=True).stack
    shown = "".join(f"{frame.name} {frame.locals}" for frame in frames[1:])  # the first is this test
    assert "usable" in shown
    assert KEY[:12] not in shown


def test_an_endpoint_shows_no_key(tmp_path):
    endpoint, _ = endpoint_for("https://judge.example/v1", tmp_path)
    assert repr(endpoint) == "<Endpoint openai-chat m>"
    assert KEY not in repr(vars(endpoint))
