"""One model behind one server, over real sockets: what is asked again, what it costs, when it stops."""

import asyncio
import socket
from dataclasses import replace
from decimal import Decimal
from email.utils import formatdate

import pytest

from pytest_wandr.budget import Spent
from pytest_wandr.errors import JudgeError
from pytest_wandr.judges.llm import post
from pytest_wandr.judges.llm.exchange import Said, Unsaid, Usage
from tests.judges.loopback import KEY, PRICE, PROMPT, Scripted, Time, asked, chat, endpoint_for, error, http

SAID = Said('{"a":1}', "m-2026", Usage(50, 10, 0))
COST = "0.0002"  # 50 x 2 + 10 x 10 millionths
OK = http(chat())


async def test_a_call_is_made_once_and_paid_for_once(tmp_path):
    async with asked(tmp_path, OK) as (server, endpoint, ledger, _):
        assert await endpoint.say(PROMPT) == SAID
    assert server.count == 1
    assert server.bodies[0]["messages"][1]["content"] == PROMPT.document
    assert server.heads[0].startswith("POST /v1/chat/completions HTTP/1.1\r\n")
    assert f"authorization: Bearer {KEY}" in server.heads[0]
    assert ledger.totals() == Spent(calls=1, input=50, output=10, dollars=COST)


@pytest.mark.parametrize(
    ("protocol", "header"),
    [("openai-responses", f"authorization: Bearer {KEY}"), ("anthropic", f"x-api-key: {KEY}")],
)
async def test_other_protocols_carry_their_key_too(tmp_path, protocol, header):
    async with asked(tmp_path, error("400 Bad Request"), protocol=protocol) as (server, endpoint, _, _):
        assert (await endpoint.say(PROMPT)).code == "judge_failed"
    assert header in server.heads[0]


async def test_a_server_without_a_key_gets_none(tmp_path):
    async with asked(tmp_path, OK, key_env="", environ={}) as (server, endpoint, _, _):
        assert await endpoint.say(PROMPT) == SAID
    assert "authorization" not in server.heads[0].lower()


async def test_identity_is_all_that_can_change_a_reply(tmp_path):
    endpoint, _ = endpoint_for("https://judge.example:8443/v1", tmp_path, options={"seed": 7})
    assert endpoint.identity == {
        "protocol": "openai-chat",
        "host": "judge.example:8443/v1",
        "model": "m",
        "options": {"seed": 7},
    }


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({}, "the judge 'llm' needs the environment variable K"),
        ({"K": ""}, "the judge 'llm' needs the environment variable K"),
        ({"K": "sk-0123456789\n"}, "K holds more than a key"),
        ({"K": "sk 0123456789"}, "K holds more than a key"),
        ({"K": "sk-0123456789ü"}, "K holds more than a key"),
    ],
)
def test_a_key_that_is_missing_or_none_is_told_before_anything_runs(tmp_path, environ, words):
    with pytest.raises(JudgeError, match=words) as caught:
        endpoint_for("https://judge.example/v1", tmp_path, environ=environ)
    assert "0123456789" not in str(caught.value)


def test_a_cap_in_dollars_needs_a_price(tmp_path):
    with pytest.raises(JudgeError, match=r"has no price.*price = \{ input = .*--wandr-budget=100calls"):
        endpoint_for("https://judge.example/v1", tmp_path, budget="5.00", price=None)
    endpoint_for("https://judge.example/v1", tmp_path, budget="100calls", price=None)


async def test_without_a_price_calls_are_counted_and_the_run_says_so(tmp_path):
    async with asked(tmp_path, OK, price=None, model="m-latest") as (_, endpoint, ledger, _):
        await endpoint.say(PROMPT)
        await endpoint.say(PROMPT)
    totals = ledger.totals()
    assert (totals.calls, totals.dollars, totals.unknown) == (2, "0", 0)
    assert totals.notes == (
        "no price is given for m-latest: its calls are counted, not what they cost",
        "the model name m-latest may mean another model tomorrow; name a dated one",
    )


def unsupported(name, *, param=True, text="Unsupported parameter: '{}' is not supported with this model."):
    more = {"param": name, "code": "unsupported_parameter"} if param else {}
    return error("400 Bad Request", text.format(name), **more)


@pytest.mark.parametrize(
    "refusal",
    [
        unsupported("temperature"),
        unsupported("temperature", param=False),
        unsupported("temperature", param=False, text="{}: Extra inputs are not permitted"),
        unsupported("temperature", param=False, text="`{}` is deprecated for this model."),
    ],
)
async def test_a_parameter_that_is_not_taken_is_left_out_from_then_on(tmp_path, refusal):
    options = {"temperature": 0, "seed": 7}
    async with asked(tmp_path, refusal, OK, options=options) as (server, endpoint, ledger, _):
        assert await endpoint.say(PROMPT) == SAID
        assert await endpoint.say(PROMPT) == SAID
    assert [body.get("temperature") for body in server.bodies] == [0, None, None]
    assert [body["seed"] for body in server.bodies] == [7, 7, 7]
    totals = ledger.totals()
    assert (totals.calls, totals.dollars) == (3, "0.0004")  # a refusal costs a call, not money
    assert totals.notes == ("m does not take the parameter temperature: it is left out",)


async def test_the_limit_of_a_reply_is_never_dropped_only_renamed(tmp_path):
    refusals = unsupported("max_tokens"), unsupported("max_completion_tokens")
    async with asked(tmp_path, *refusals) as (server, endpoint, _, _):
        assert (await endpoint.say(PROMPT)).code == "judge_failed"
    names = [{name for name in body if name.startswith("max_")} for body in server.bodies]
    assert names == [{"max_tokens"}, {"max_completion_tokens"}]
    assert server.bodies[1]["max_completion_tokens"] == 100


async def test_the_schema_is_never_dropped(tmp_path):
    async with asked(tmp_path, unsupported("response_format")) as (server, endpoint, _, _):
        said = await endpoint.say(PROMPT)
    assert (said.code, server.count) == ("judge_failed", 1)
    assert "HTTP 400: Unsupported parameter: 'response_format'" in said.reason


@pytest.mark.parametrize("status", ["400 Bad Request", "401 Unauthorized", "403 Forbidden", "404 Not Found"])
async def test_what_will_not_change_is_asked_once(tmp_path, status):
    async with asked(tmp_path, error(status, "no such thing")) as (server, endpoint, ledger, _):
        assert await endpoint.say(PROMPT) == Unsaid("judge_failed", f"HTTP {status[:3]}: no such thing")
    assert server.count == 1
    assert ledger.totals() == Spent(calls=1)


async def test_an_endpoint_knows_what_its_own_calls_cost_those_of_unknown_cost_at_their_worst(tmp_path):
    lost = error("504 Gateway Timeout")
    async with asked(tmp_path, OK, lost, OK, error("400 Bad Request", "no")) as (_, endpoint, ledger, _):
        assert endpoint.spent == 0
        await endpoint.say(PROMPT)
        assert endpoint.spent == Decimal(COST)
        for _ in range(2):
            await endpoint.say(PROMPT)
    assert endpoint.spent == Decimal(ledger.totals().dollars) > 2 * Decimal(COST)


async def test_a_flapping_server_is_asked_again_and_each_call_counts(tmp_path):
    busy = error("503 Service Unavailable")
    async with asked(tmp_path, busy, error("500 Oh"), busy, OK) as (server, endpoint, ledger, time):
        assert await endpoint.say(PROMPT) == SAID
    assert server.count == 4
    assert ledger.totals() == Spent(calls=4, input=50, output=10, dollars=COST)
    assert len(time.slept) == 3
    assert all(0 <= slept < 8 for slept in time.slept)


async def test_after_five_attempts_it_is_down(tmp_path):
    async with asked(tmp_path, error("500 Oh", "oh")) as (server, endpoint, _, _):
        assert await endpoint.say(PROMPT) == Unsaid("judge_down", "HTTP 500: oh")
    assert server.count == 5


async def test_a_gateway_that_gave_up_may_have_cost_the_worst_case(tmp_path):
    async with asked(tmp_path, error("504 Gateway Timeout"), OK) as (_, endpoint, ledger, _):
        assert await endpoint.say(PROMPT) == SAID
    totals = ledger.totals()
    assert (totals.calls, totals.unknown) == (2, 1)
    assert float(totals.dollars) > float(COST) + 0.005


@pytest.mark.parametrize(
    ("value", "least"),
    [("7", 7.0), ("0", 0.0), (lambda: formatdate(1000 + 7, usegmt=True), 7.0), (" 7 ", 7.0)],
)
async def test_retry_after_holds_everybody_for_so_long(tmp_path, value, least):
    header = f"Retry-After: {value() if callable(value) else value}"
    full = error("429 Too Many Requests", "slow down", header)
    async with asked(tmp_path, full, OK) as (server, endpoint, _, time):
        assert await endpoint.say(PROMPT) == SAID
    assert server.count == 2
    assert time.now == 1000 + least


FAR = "Wed, 21 Oct 99999999999 07:28:00 GMT"


@pytest.mark.parametrize("value", ["nan", "soon", "-5", "1e3", "٧", "9" * 5000, "Mon, 99 Foo 2026", FAR])
async def test_a_retry_after_that_says_nothing_is_not_listened_to(tmp_path, value):
    full = error("429 Too Many Requests", "slow down", f"Retry-After: {value.encode().decode('latin-1')}")
    async with asked(tmp_path, full, OK) as (_, endpoint, _, time):
        assert await endpoint.say(PROMPT) == SAID
    assert 1000 <= time.now < 1008


@pytest.mark.parametrize("value", ["61", "86400", "Fri, 31 Dec 2100 00:00:00 GMT"])
async def test_nobody_waits_longer_than_a_minute(tmp_path, value):
    full = error("429 Too Many Requests", "slow down", f"Retry-After: {value}")
    async with asked(tmp_path, full, OK) as (server, endpoint, _, time):
        said = await endpoint.say(PROMPT)
    assert (said.code, server.count, time.now) == ("judge_down", 1, 1000)
    assert "HTTP 429: slow down" in said.reason
    assert "more than 60 s" in said.reason


async def drip(writer, _body):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.02)


async def silence(_writer, _body):
    await asyncio.sleep(600)


async def reset(writer, _body):
    writer.write(OK[:-20])
    await writer.drain()
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    writer.transport.abort()


async def hang_up(writer, _body):
    writer.close()


async def endless(writer, _body):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while True:
        writer.write(b"[" * 65536)
        await writer.drain()


@pytest.mark.parametrize("fault", [drip, silence, reset, hang_up, b"nonsense\r\n\r\n", OK[:-5]])
async def test_a_reply_that_got_lost_counts_at_its_worst_and_is_asked_again_once(tmp_path, fault):
    script = (fault, fault, OK)
    async with asked(tmp_path, *script, timeout=0.3) as (server, endpoint, ledger, _):
        said = await endpoint.say(PROMPT)
    assert said.code == "judge_down"
    assert server.count == 2
    totals = ledger.totals()
    assert (totals.calls, totals.unknown) == (2, 2)
    assert float(totals.dollars) > 0.01


async def test_a_reply_that_got_lost_may_come_the_second_time(tmp_path):
    async with asked(tmp_path, reset, OK) as (_, endpoint, ledger, _):
        assert await endpoint.say(PROMPT) == SAID
    assert (ledger.totals().calls, ledger.totals().unknown) == (2, 1)


async def test_nobody_listens(tmp_path):
    async with Scripted(OK) as server:
        pass
    time = Time()
    endpoint, ledger = endpoint_for(server.url, tmp_path, time=time, budget="1calls")
    said = await endpoint.say(PROMPT)
    assert said.code == "judge_down"
    assert said.reason.startswith(f"no connection to {server.url}: ConnectError")
    assert len(time.slept) == 4
    assert ledger.totals() == Spent()  # nothing was sent, so nothing is spent


@pytest.mark.parametrize("answer", [endless, http(b" " * (post.MOST_BYTES + 1))])
async def test_a_huge_reply_is_not_read_to_its_end(tmp_path, answer):
    async with asked(tmp_path, answer) as (server, endpoint, ledger, _):
        said = await endpoint.say(PROMPT)
    assert said == Unsaid("unreadable", "a reply of more than 4,000,000 bytes")
    assert (server.count, ledger.totals().unknown) == (1, 1)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (http(b"<html>Sign in</html>", kind="text/html"), "a reply of the kind 'text/html'"),
        (http(b"<html>Sign in</html>"), "no JSON object: '<html>Sign in</html>'"),
        (http(chat(), kind="text/event-stream"), "a reply of the kind 'text/event-stream'"),
        (http(b"\x1f\x8b\x08\x00", "200 OK", "Content-Encoding: gzip"), "no JSON object"),
    ],
)
async def test_what_is_no_reply_is_unreadable_and_not_asked_again(tmp_path, answer, words):
    async with asked(tmp_path, answer) as (server, endpoint, ledger, _):
        said = await endpoint.say(PROMPT)
    assert said.code == "unreadable"
    assert words in said.reason
    assert (server.count, ledger.totals().unknown) == (1, 1)


@pytest.mark.parametrize(
    "status", ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"]
)
async def test_a_redirect_is_not_followed_and_the_key_stays_here(tmp_path, status):
    async with Scripted(OK) as elsewhere:
        moved = http(b"", status, f"Location: {elsewhere.url}/chat/completions")
        async with asked(tmp_path, moved) as (server, endpoint, _, _):
            said = await endpoint.say(PROMPT)
    assert (said.code, server.count, elsewhere.count) == ("judge_failed", 1, 0)
    assert f"HTTP {status[:3]} redirects to {elsewhere.url}" in said.reason
    assert "not followed" in said.reason


async def test_a_proxy_of_the_environment_is_not_used(tmp_path, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    async with asked(tmp_path, OK) as (_, endpoint, _, _):
        assert await endpoint.say(PROMPT) == SAID


@pytest.mark.parametrize("usage", [(0, 10, 0), (50, 101, 0), (10**9, 10, 0), (50, 10, 51), (-1, 10, 0), None])
async def test_usage_that_cannot_be_counts_at_the_worst(tmp_path, usage):
    async with asked(tmp_path, http(chat(usage=usage))) as (_, endpoint, ledger, _):
        assert await endpoint.say(PROMPT) == replace(SAID, usage=None)
    totals = ledger.totals()
    assert (totals.unknown, totals.input, totals.output) == (1, 0, 0)
    assert float(totals.dollars) > 0.005


async def test_cached_tokens_cost_what_they_cost(tmp_path):
    async with asked(tmp_path, http(chat(usage=(50, 10, 40)))) as (_, endpoint, ledger, _):
        assert (await endpoint.say(PROMPT)).usage == Usage(50, 10, 40)
    assert ledger.totals().dollars == "0.00014"  # 10 x 2 + 40 x 0.5 + 10 x 10 millionths


async def test_once_the_budget_is_spent_nothing_is_asked(tmp_path):
    async with asked(tmp_path, OK, budget="2calls") as (server, endpoint, _, _):
        said = [await endpoint.say(PROMPT) for _ in range(3)]
    assert said[:2] == [SAID, SAID]
    assert said[2] == Unsaid("no_budget", "the budget of 2 calls is used up: 2 calls were made")
    assert server.count == 2


async def test_attempts_are_calls_and_stay_within_the_budget(tmp_path):
    async with asked(tmp_path, error("500 Oh"), budget="3calls") as (server, endpoint, _, _):
        assert (await endpoint.say(PROMPT)).code == "no_budget"
    assert server.count == 3


async def slow(writer, _body):
    await asyncio.sleep(0.02)
    writer.write(OK)
    await writer.drain()


@pytest.mark.parametrize(("budget", "calls"), [("20calls", 20), ("0.0500", None)])
async def test_fifty_calls_at_once_never_exceed_the_cap(tmp_path, budget, calls):
    async with Scripted(slow) as server:
        endpoint, ledger = endpoint_for(server.url, tmp_path, budget=budget, concurrency=50)
        said = await asyncio.gather(*(endpoint.say(PROMPT) for _ in range(50)))
    made = [each for each in said if isinstance(each, Said)]
    assert {each.code for each in said if isinstance(each, Unsaid)} <= {"no_budget"}
    assert len(made) == server.count == ledger.totals().calls
    assert float(ledger.totals().dollars) <= 0.05
    assert calls is None or len(made) == calls
    assert len(made) >= 20  # what was reserved and not used is used by others: 5 would fit at their worst


async def test_a_dollar_cap_that_fits_no_call_says_so(tmp_path):
    async with asked(tmp_path, OK, budget="0.001") as (server, endpoint, ledger, _):
        said = await endpoint.say(PROMPT)
    assert (said.code, server.count, ledger.totals().calls) == ("no_budget", 0, 0)
    assert "the budget of $0.001000 does not allow this call" in said.reason


async def test_so_many_calls_at_once_and_no_more(tmp_path):
    async with Scripted(slow) as server:
        endpoint, _ = endpoint_for(server.url, tmp_path, concurrency=3)
        await asyncio.gather(*(endpoint.say(PROMPT) for _ in range(12)))
    assert (server.count, server.most) == (12, 3)


async def test_a_server_that_fails_ten_times_in_a_row_is_left_alone(tmp_path):
    async with asked(tmp_path, error("401 Unauthorized", "bad key")) as (server, endpoint, _, _):
        said = [await endpoint.say(PROMPT) for _ in range(12)]
    assert server.count == 10
    assert [each.code for each in said] == ["judge_failed"] * 10 + ["judge_down"] * 2
    assert "failed 10 times in a row" in said[-1].reason
    assert "HTTP 401: bad key" in said[-1].reason


async def test_one_answer_begins_the_count_anew(tmp_path):
    no = error("401 Unauthorized")
    async with asked(tmp_path, *[no] * 9, OK, *[no] * 9, OK) as (server, endpoint, _, _):
        said = [await endpoint.say(PROMPT) for _ in range(20)]
    assert (said[9], said[19], server.count) == (SAID, SAID, 20)


@pytest.mark.parametrize("answer", [error("400 Bad Request", "too long"), http(chat(None, why="length"))])
async def test_what_one_question_is_to_blame_for_stops_no_others(tmp_path, answer):
    async with asked(tmp_path, answer) as (server, endpoint, _, _):
        for _ in range(12):
            await endpoint.say(PROMPT)
    assert server.count == 12


async def test_a_cancelled_call_counts_at_its_worst(tmp_path):
    async with asked(tmp_path, silence) as (server, endpoint, _, _):
        asking = asyncio.ensure_future(endpoint.say(PROMPT))
        await server.asked.wait()
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        assert asking.cancelled()
    lines = (tmp_path / "run" / "ledger.jsonl").read_text().splitlines()
    assert len(lines) == 2
    assert endpoint_for(server.url, tmp_path)[1].totals().unknown == 1


def test_every_event_loop_has_its_own_connections(tmp_path):
    """Task items run in event loops of their own; a connection of a closed one must not be used."""
    said = []

    async def one(endpoint, url):
        async with Scripted(OK) as server:
            object.__setattr__(endpoint.config, "base_url", server.url)
            endpoint._door._url = server.url
            said.extend(await asyncio.gather(endpoint.say(PROMPT), endpoint.say(PROMPT)))
        assert endpoint._door._open is None

    endpoint, _ = endpoint_for("http://127.0.0.1:9/v1", tmp_path)
    asyncio.run(one(endpoint, None))
    asyncio.run(one(endpoint, None))
    assert said == [SAID] * 4


async def test_connections_are_shared_while_somebody_asks(tmp_path):
    peers = set()

    async def answer(writer, _body):
        peers.add(writer.get_extra_info("peername"))
        await asyncio.sleep(0.01)
        writer.write(OK)
        await writer.drain()

    async with Scripted(answer) as server:
        endpoint, _ = endpoint_for(server.url, tmp_path, concurrency=2)
        await asyncio.gather(*(endpoint.say(PROMPT) for _ in range(10)))
    assert len(peers) <= 2


def test_the_price_in_these_tests_is_as_the_comments_say():
    assert PRICE == {"input": "2", "output": "10", "cached": "0.5"}
