"""What a guarded connection may reach, whatever a name resolves to."""

import asyncio
import errno
import socket
import threading

import httpcore
import httpx
import pytest

from pytest_wandr.fetch import Limits, Live, SealedHosts, open_fetcher
from pytest_wandr.fetch.dial import Door, GuardBackend, Resolver
from pytest_wandr.fetch.failure import FetchFailed, failure_of
from pytest_wandr.fetch.transport import GuardTransport

PUBLIC = "93.184.215.14"
SHUT = Door(None, frozenset())


class FakeStream(httpcore.AsyncNetworkStream):
    def __init__(self, peer):
        self.peer = peer
        self.closed = False

    async def aclose(self):
        self.closed = True

    def get_extra_info(self, info):
        return (self.peer, 443) if info == "server_addr" and self.peer else None


class FakeBackend(httpcore.AsyncNetworkBackend):
    """Connects to nothing; some addresses refuse, and peers may be others than were dialled."""

    def __init__(self, refusing=(), peers=None):
        self.dialled = []
        self.budgets = []
        self.streams = []
        self._refusing = refusing
        self._peers = peers or {}

    async def connect_tcp(self, host, port, **rest):
        self.dialled.append((host, port))
        self.budgets.append(rest["timeout"])
        if host in self._refusing:
            raise httpcore.ConnectError("refused")
        self.streams.append(FakeStream(self._peers.get(host, host)))
        return self.streams[-1]


def answers(*lists):
    """A resolver that gives one list of addresses after the other, and counts how often it was asked."""
    left = [list(addresses) for addresses in lists]
    asked = []

    async def resolve(host, port):
        asked.append((host, port))
        return left.pop(0) if len(left) > 1 else left[0]

    resolve.asked = asked
    return resolve


async def connect(backend, host="harbour.com", port=443, within=1.0):
    return await backend.connect_tcp(host, port, timeout=within)


async def test_the_checked_address_is_dialled_and_resolved_once():
    inner, resolve = FakeBackend(), answers([PUBLIC, "2606:4700:4700::1111"])
    stream = await connect(GuardBackend(SHUT, resolve, inner))
    assert stream is inner.streams[0]
    assert inner.dialled == [(PUBLIC, 443)]
    assert resolve.asked == [("harbour.com", 443)]


@pytest.mark.parametrize(
    "bad", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "::1", "fe80::1%eth0", "::ffff:10.0.0.1"]
)
async def test_one_bad_answer_dials_nothing(bad):
    inner = FakeBackend()
    for addresses in ([bad], [PUBLIC, bad], [bad, PUBLIC], [PUBLIC] * 6 + [bad]):
        with pytest.raises(FetchFailed) as caught:
            await connect(GuardBackend(SHUT, answers(addresses), inner))
        assert caught.value.problem.kind == "blocked"
        assert not caught.value.again
    assert inner.dialled == []


async def test_a_name_that_changes_its_answer_is_checked_every_time():
    inner, resolve = FakeBackend(), answers([PUBLIC], ["127.0.0.1"])
    backend = GuardBackend(SHUT, resolve, inner)
    await connect(backend)
    with pytest.raises(FetchFailed, match="127"):
        await connect(backend)
    assert inner.dialled == [(PUBLIC, 443)]


@pytest.mark.parametrize("peer", ["10.0.0.7", "127.0.0.1", "::1", None])
async def test_a_peer_that_is_not_public_is_hung_up_on(peer):
    inner = FakeBackend(peers={PUBLIC: peer})
    with pytest.raises(FetchFailed, match="peer"):
        await connect(GuardBackend(SHUT, answers([PUBLIC]), inner))
    assert inner.streams[0].closed


async def test_the_next_address_is_tried_and_at_most_four():
    addresses = [f"93.184.215.{n}" for n in range(1, 8)]
    inner = FakeBackend(refusing=addresses[:3])
    await connect(GuardBackend(SHUT, answers(addresses), inner))
    assert [host for host, _ in inner.dialled] == addresses[:4]
    inner = FakeBackend(refusing=addresses)
    with pytest.raises(httpcore.ConnectError):
        await connect(GuardBackend(SHUT, answers(addresses), inner))
    assert len(inner.dialled) == 4


async def test_an_address_in_the_url_is_checked_like_any_other():
    inner = FakeBackend()
    with pytest.raises(FetchFailed):
        await connect(GuardBackend(SHUT, Resolver(), inner), host="127.0.0.1")
    assert inner.dialled == []


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (socket.gaierror(socket.EAI_NONAME, "no name"), "dns"),
        (socket.gaierror(socket.EAI_FAIL, "failed"), "dns"),
        (UnicodeError("label too long"), "dns"),
        (socket.gaierror(socket.EAI_AGAIN, "try again"), "internal"),
        (socket.gaierror(socket.EAI_MEMORY, "no memory"), "internal"),
        (socket.gaierror(socket.EAI_SYSTEM, "system"), "internal"),
        (OSError(errno.EMFILE, "too many open files"), "internal"),
    ],
)
async def test_only_a_name_that_does_not_exist_is_held_against_the_citation(error, kind):
    async def resolve(host, port):
        raise error

    with pytest.raises(FetchFailed) as caught:
        await connect(GuardBackend(SHUT, resolve, FakeBackend()))
    assert caught.value.problem.kind == kind
    assert caught.value.again is (kind == "internal")


async def test_a_resolver_that_hangs_is_bounded(monkeypatch):
    released = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **rest: released.wait(5) and [])
    try:
        with pytest.raises(FetchFailed) as caught:
            await connect(GuardBackend(SHUT, Resolver(), FakeBackend()), within=0.05)
    finally:
        released.set()
    assert caught.value.problem.kind == "internal"


async def test_the_system_resolver_gives_each_address_once(monkeypatch):
    rows = [
        (2, 1, 6, "", (PUBLIC, 443)),
        (2, 2, 17, "", (PUBLIC, 443)),
        (10, 1, 6, "", ("fe80::1%eth0", 443, 0, 2)),
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **rest: rows)
    assert await Resolver()("harbour.com", 443) == (PUBLIC, "fe80::1%eth0")


async def test_resolving_and_dialling_share_one_budget():
    async def resolve(host, port):
        await asyncio.sleep(0.02)
        return ["93.184.215.1", "93.184.215.2"]

    inner = FakeBackend(refusing=["93.184.215.1"])
    await connect(GuardBackend(SHUT, resolve, inner), within=9.0)
    assert 9.0 > inner.budgets[0] >= inner.budgets[1] > 0
    await connect(GuardBackend(SHUT, resolve, inner), within=None)
    assert inner.budgets[-1] is None


async def test_unix_sockets_are_never_reached():
    with pytest.raises(FetchFailed, match="unix"):
        await GuardBackend(SHUT, answers([PUBLIC]), FakeBackend()).connect_unix_socket("/run/docker.sock")


async def test_doors_open_exactly_what_they_name():
    sealed = SealedHosts(frozenset({"wire.brassleaf.example"}), 4711)
    inner = FakeBackend()
    backend = GuardBackend(Door(sealed, frozenset({"127.0.0.1:4712"})), answers(["127.0.0.1"]), inner)
    stream = await connect(backend, host="wire.brassleaf.example")
    assert await stream.start_tls(None) is stream
    await connect(backend, host="127.0.0.1", port=4712)
    assert inner.dialled == [("127.0.0.1", 4711), ("127.0.0.1", 4712)]
    for host, port in (("127.0.0.1", 4711), ("localhost", 4712), ("brassleaf.example", 443)):
        with pytest.raises(FetchFailed):
            await connect(backend, host=host, port=port)
    assert len(inner.dialled) == 2


async def test_a_guarded_transport_cannot_reach_loopback(web):
    guarded = GuardTransport(GuardBackend(SHUT), Limits(), httpx.create_ssl_context())
    async with web.serving({"/": web.answer(b"inside")}) as server, guarded as transport:
        for host in ("127.0.0.1", "localhost", "[::1]"):
            with pytest.raises(FetchFailed):
                await transport.handle_async_request(httpx.Request("GET", f"http://{host}:{server.port}/"))
    assert server.asked == []


async def test_a_proxy_in_the_environment_is_ignored(web, store, monkeypatch):
    async with web.serving({"/x": web.answer(b"direct")}) as server, web.serving({}) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, proxy.url(""))
        async with web.recording(store, server) as fetcher:
            page = await fetcher.get(server.url("/x"))
    assert page.body == b"direct"
    assert proxy.asked == []


async def test_a_name_that_leads_inside_is_blocked_and_recorded_as_such(store):
    live = Live(resolve=answers([PUBLIC, "10.0.0.5"]))
    async with open_fetcher(store, record="new", live=live) as fetcher:
        page = await fetcher.get("https://harbour.com/a")
    assert page.problem.kind == "blocked"
    assert "10.0.0.5" in page.problem.detail
    store.fold()
    async with open_fetcher(store) as fetcher:
        assert await fetcher.get("https://harbour.com/a") == page


async def test_a_name_without_answers_is_a_dns_problem(store):
    async with open_fetcher(store, record="new", live=Live(resolve=answers([]))) as fetcher:
        assert (await fetcher.get("https://harbour.com/a")).problem.kind == "dns"


def test_connecting_must_end_before_the_deadline():
    with pytest.raises(ValueError, match="deadline"):
        Limits(connect=5, deadline=10)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ECONNREFUSED, "connect"), (errno.EHOSTUNREACH, "connect"), (errno.ENETUNREACH, "internal"),
        (errno.EMFILE, "internal"), (errno.EADDRNOTAVAIL, "internal"),
    ],
)  # fmt: skip
async def test_trouble_on_this_side_is_not_held_against_the_citation(store, number, kind):
    def fail():
        raise OSError(number, "no")

    class Failing(httpcore.AsyncNetworkBackend):
        async def connect_tcp(self, host, port, **rest):
            try:
                fail()
            except OSError as error:
                raise httpcore.ConnectError("All connection attempts failed") from error

    backend = GuardBackend(SHUT, answers([PUBLIC]), Failing())
    async with GuardTransport(backend, Limits(), httpx.create_ssl_context()) as transport:
        with pytest.raises(httpx.ConnectError) as caught:
            await transport.handle_async_request(httpx.Request("GET", "http://harbour.com/"))
    assert failure_of(caught.value).problem.kind == kind


def test_an_unknown_exception_of_the_http_stack_is_a_protocol_problem():
    assert failure_of(httpx.RemoteProtocolError("x")).problem.kind == "protocol"
    assert failure_of(httpx.PoolTimeout("x")).problem.decided is False
    assert failure_of(UnicodeDecodeError("utf-8", b"", 0, 1, "x")).problem.kind == "protocol"
