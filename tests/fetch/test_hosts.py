"""Hosts are asked politely, and a pool that has run dry is made anew: on real sockets."""

import asyncio
import ssl
from contextlib import asynccontextmanager

import httpx
import pytest

from pytest_wandr.cassettes.recorder import patched
from pytest_wandr.fetch import Limits, Live, shared
from pytest_wandr.fetch.attempt import Requester
from pytest_wandr.fetch.dial import Door, GuardBackend
from pytest_wandr.fetch.hops import Chain
from pytest_wandr.fetch.transport import GuardTransport

LIMITS = Limits(connect=4, read=8, deadline=10, attempts=1, spacing=0.25)
SPACELESS = Limits(attempts=1, spacing=0)


class Time:
    """Remembers what was slept for, without sleeping."""

    def __init__(self):
        self.slept = []

    async def sleep(self, seconds):
        self.slept.append(seconds)
        await asyncio.sleep(0)

    @property
    def rounded(self):
        return [round(seconds, 1) for seconds in self.slept]


class WallTime(Time):
    """Sleeps."""

    async def sleep(self, seconds):
        self.slept.append(seconds)
        await asyncio.sleep(seconds)


@asynccontextmanager
async def requesting(server, limits, time, *, exempt=False):
    """A requester that reaches the server; it counts as a stranger unless it is exempt."""
    door = Door(None, frozenset({server.place, f"localhost:{server.port}"}))
    transport = GuardTransport(GuardBackend(door), limits, ssl.create_default_context())
    with patched():
        async with transport:
            live = Live(limits=limits, sleep=time.sleep)
            yield Requester(transport, live, door if exempt else None)


async def asked(requester, *urls):
    return await asyncio.gather(*(requester.request(url, Chain(url)) for url in urls))


@pytest.fixture
def pages(web):
    busy = web.answer(b"", "Retry-After: 7", status="429 Too Many")
    return {
        "/a": web.answer(b"page"),
        "/busy": busy,
        "/day": web.answer(b"", "Retry-After: 86400", status="503 Unavailable"),
        "/soon": web.answer(b"", "Retry-After: soon", status="503 Unavailable"),
        "/gone": web.answer(b"", "Retry-After: 7", status="404 Not Found"),
    }


async def test_requests_to_one_host_keep_their_distance(web, pages):
    time = Time()
    async with web.serving(pages) as server, requesting(server, LIMITS, time) as requester:
        heard = await asked(requester, *[server.url("/a")] * 5)
    assert [each.body for each in heard] == [b"page"] * 5
    assert len(time.slept) == 4
    assert all(0.25 * number - 0.2 <= slept <= 0.25 * number for number, slept in enumerate(time.slept, 1))


async def test_each_host_has_a_time_of_its_own(web, pages):
    time = Time()
    async with web.serving(pages) as server, requesting(server, LIMITS, time) as requester:
        await asked(requester, server.url("/a"), f"http://localhost:{server.port}/a")
    assert time.slept == []
    assert server.asked == ["/a", "/a"]


async def test_what_lies_behind_an_open_door_needs_no_distance(web, pages):
    time = Time()
    async with web.serving(pages) as server, requesting(server, LIMITS, time, exempt=True) as requester:
        await asked(requester, *[server.url("/a")] * 5)
    assert time.slept == []


@pytest.mark.parametrize(
    ("path", "waits"),
    [("/busy", 7), ("/day", 0), ("/soon", 0), ("/gone", 0), ("/a", 0)],
)
async def test_a_host_that_asks_to_wait_is_left_alone_by_all_urls(web, pages, path, waits):
    time = Time()
    async with (
        web.serving(pages) as server,
        requesting(server, Limits(attempts=1, spacing=0), time) as requester,
    ):
        await asked(requester, server.url(path))
        await asked(requester, server.url("/a"))
    assert time.rounded == ([waits] if waits else [])


async def test_a_host_cannot_stop_a_run_by_asking_again_and_again(web):
    """It is left alone as often as one url is tried; here, once."""
    answers = {"/busy": web.answer(b"", "Retry-After: 1", status="429 Too Many")}
    time = WallTime()
    async with web.serving(answers) as server, requesting(server, SPACELESS, time) as requester:
        for _ in range(4):
            await asked(requester, server.url("/busy"))
    assert time.rounded == [1]
    assert server.asked == ["/busy"] * 4


async def test_a_url_waits_once_for_itself_and_its_host(web):
    busy = [web.answer(b"", "Retry-After: 1", status="429 Too Many"), web.answer(b"page")]

    async def once_busy(writer, head):
        writer.write(busy.pop(0))

    time, limits = WallTime(), Limits(attempts=2, spacing=0)
    async with web.serving({"/x": once_busy}) as server, requesting(server, limits, time) as requester:
        (heard,) = await asked(requester, server.url("/x"))
    assert heard.body == b"page"
    assert time.slept[0] == 1
    assert sum(time.slept[1:]) < 1


async def test_busy_hosts_are_counted_while_they_are_asked(web):
    seen = []
    requesters = []

    async def look(writer, head):
        seen.append(requesters[0].hosts.busy)
        writer.write(web.answer(b"page"))

    time = Time()
    async with web.serving({"/x": look}) as server, requesting(server, LIMITS, time) as requester:
        requesters.append(requester)
        assert requester.hosts.busy == 0
        await asked(requester, server.url("/x"), server.url("/x"))
        assert requester.hosts.busy == 0
    assert seen == [1, 1]


@pytest.mark.parametrize(
    ("workers", "total"), [(1, 32), (2, 16), (3, 10), (8, 4), (16, 2), (17, 2), (32, 2), (500, 2)]
)
def test_workers_share_the_requests_of_a_run(workers, total):
    limits = shared(Limits(), workers)
    assert limits.total == total
    assert limits == Limits(total=total)


async def test_no_more_requests_than_the_share_are_underway(web):
    running = most = 0

    async def busy(writer, head):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.02)
        running -= 1
        writer.write(web.answer(b"x"))

    limits = shared(Limits(attempts=1, per_host=9), 16)
    async with (
        web.serving({"/x": busy}) as server,
        requesting(server, limits, Time(), exempt=True) as requester,
    ):
        await asked(requester, *(server.url(f"/x?{number}") for number in range(9)))
    assert most == 2


DRY = Limits(connect=0.3, read=0.5, deadline=4, attempts=1, total=1)


class Held:
    """A page that comes when the test says so, and says when it was asked for."""

    def __init__(self, web):
        self.come = asyncio.Event()
        self.asked = asyncio.Semaphore(0)
        self.answer = web.answer(b"late")

    async def __call__(self, writer, head):
        self.asked.release()
        await self.come.wait()
        writer.write(self.answer)


@asynccontextmanager
async def dried(server, held, requester):
    """All connections of the pool are in use, past the requester's own slots."""
    transport = requester._transport
    timeouts = {"connect": 4, "read": 30, "write": 4, "pool": 4}
    urls = [server.url(f"/held?{number}") for number in range(2)]
    requests = [httpx.Request("GET", url, extensions={"timeout": timeouts}) for url in urls]
    users = [asyncio.create_task(transport.handle_async_request(request)) for request in requests]
    for _ in users:
        await held.asked.acquire()
    try:
        yield users
    finally:
        held.come.set()
        for response in await asyncio.gather(*users, return_exceptions=True):
            if isinstance(response, httpx.Response):
                await response.aclose()


@asynccontextmanager
async def one_at_a_time(web, pages):
    """A server, a page that it holds back, and a requester with a pool of two connections."""
    held = Held(web)
    answers = {**pages, "/held": held}
    async with web.serving(answers) as server, requesting(server, DRY, Time(), exempt=True) as requester:
        yield server, held, requester


async def test_a_pool_that_has_run_dry_is_made_anew_once(web, pages):
    async with one_at_a_time(web, pages) as (server, held, requester):
        assert requester.renewed == 0
        async with dried(server, held, requester) as users:
            first, second = await asked(requester, server.url("/a"), server.url("/a?2"))
            assert (first.body, second.body) == (b"page", b"page")
            assert requester.renewed == 1
            held.come.set()
            late = [await (await user).aread() for user in users]
    assert late == [b"late", b"late"]


async def test_a_pool_that_runs_dry_again_is_trouble_of_our_own(web, pages):
    async with one_at_a_time(web, pages) as (server, held, requester), dried(server, held, requester):
        await asked(requester, server.url("/a"))
        async with dried(server, held, requester):
            (heard,) = await asked(requester, server.url("/a"))
    assert heard.problem.kind == "internal"
    assert "pool" in heard.problem.detail
    assert requester.renewed == 1


async def test_a_run_is_told_of_a_pool_that_was_made_anew(web, pages, store):
    held = Held(web)
    answers = {**pages, "/held": held}
    async with web.serving(answers) as server, web.recording(store, server, limits=DRY) as fetcher:
        assert fetcher.notes == ()
        async with dried(server, held, fetcher._requester):
            assert (await fetcher.get(server.url("/a"))).body == b"page"
        assert fetcher.notes == ("the connection pool was exhausted and made anew (1)",)
