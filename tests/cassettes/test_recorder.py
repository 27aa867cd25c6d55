"""The seam to vcrpy: what it hears, what it leaves alone, and that it goes away again."""

import asyncio
import gzip
import threading
from contextlib import contextmanager

import httpx
import pytest
from vcr.cassette import Cassette
from vcr.stubs import httpx_stubs

from pytest_wandr.cassettes import PageStore
from pytest_wandr.cassettes.recorder import MissingRecording, Tape, WandrCassette, patched, taping

SEND = httpx.AsyncHTTPTransport.handle_async_request
BINARY = bytes(range(256))


class Site:
    def __init__(self):
        self.asked = []

    async def handle(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        path = head.split()[1].decode()
        self.asked.append(path)
        writer.write(self.answer(path))
        await writer.drain()
        writer.close()

    def answer(self, path):
        if path == "/redirect":
            cookies = b"Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
            return b"HTTP/1.1 302 Found\r\nLocation: /binary\r\n" + cookies + b"Content-Length: 0\r\n\r\n"
        body = {"/binary": BINARY, "/gzip": gzip.compress(b"packed")}.get(path, f"page {path}".encode())
        coding = b"Content-Encoding: gzip\r\n" if path == "/gzip" else b""
        return b"HTTP/1.1 200 OK\r\n" + coding + f"Content-Length: {len(body)}\r\n\r\n".encode() + body


@pytest.fixture
async def site():
    site = Site()
    server = await asyncio.start_server(site.handle, "127.0.0.1", 0)
    site.base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield site
    server.close()


@contextmanager
def hearing():
    with patched(), taping(Tape()) as tape:
        yield tape


async def test_a_tape_hears_a_redirect_a_binary_and_a_packed_page_as_they_were_sent(site):
    async with httpx.AsyncClient() as client:
        for path, status, body in (("/redirect", 302, b""), ("/binary", 200, BINARY), ("/gzip", 200, None)):
            with hearing() as tape:
                await client.get(site.base + path)
            assert tape.heard.status == status
            assert tape.heard.body == (gzip.compress(b"packed") if body is None else body)
    assert tape.heard.joined("content-encoding") == "gzip"


async def test_every_value_of_a_header_is_heard(site):
    async with httpx.AsyncClient() as client:
        with hearing() as tape:
            await client.get(f"{site.base}/redirect")
    assert [value for name, value in tape.heard.headers if name == "set-cookie"] == ["a=1", "b=2"]


async def test_requests_without_a_tape_pass_untouched(site):
    async with httpx.AsyncClient() as client:
        with patched():
            first = await client.get(f"{site.base}/a")
            second = await client.get(f"{site.base}/a")
    assert first.content == second.content == b"page /a"
    assert site.asked == ["/a", "/a"]


async def test_tasks_that_record_at_the_same_time_do_not_mix(site):
    async def one(name):
        heard = []
        for number in range(20):
            with taping(Tape()) as tape:
                await client.get(f"{site.base}/{name}/{number}")
            heard.append(tape.heard.body.decode())
        return heard

    async with httpx.AsyncClient() as client:
        with patched():
            found = await asyncio.gather(*(one(name) for name in "abcd"))
    assert found == [[f"page /{name}/{number}" for number in range(20)] for name in "abcd"]


def test_threads_do_not_mix(tmp_path):
    """Sync clients in threads, each with its own store, through one patch."""

    def answer(environ, start_response):
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [environ["PATH_INFO"].encode()]

    def one(name):
        with httpx.Client(transport=httpx.WSGITransport(app=answer)) as client:
            for number in range(20):
                with taping(Tape()) as tape:
                    client.get(f"http://harbour.com/{name}/{number}")
                heard.append((name, number, tape.heard.body.decode()))

    heard = []
    with patched():
        threads = [threading.Thread(target=one, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(heard) == [(name, number, f"/{name}/{number}") for name in "ab" for number in range(20)]


async def test_the_patch_is_shared_and_goes_away_with_its_last_user():
    with patched():
        inner = httpx.AsyncHTTPTransport.handle_async_request
        assert inner is not SEND
        with patched():
            assert httpx.AsyncHTTPTransport.handle_async_request is inner
        assert httpx.AsyncHTTPTransport.handle_async_request is inner
    assert httpx.AsyncHTTPTransport.handle_async_request is SEND


async def test_the_patch_goes_away_after_an_error(site):
    with pytest.raises(RuntimeError), patched():
        raise RuntimeError
    assert httpx.AsyncHTTPTransport.handle_async_request is SEND


async def test_a_tape_with_a_store_plays_it_and_sends_nothing(site, store, put):
    put(store, f"{site.base}/binary", BINARY, headers={"content-type": "image/png"})
    async with httpx.AsyncClient() as client:
        with patched(), taping(Tape(plays=store)):
            answer = await client.get(f"{site.base}/binary")
    assert (answer.status_code, answer.content) == (200, BINARY)
    assert answer.headers["content-type"] == "image/png"
    assert site.asked == []


async def test_a_missing_recording_is_not_swallowed_by_a_client_that_catches_everything(site, store):
    async def careless(client):
        try:
            return await client.get(f"{site.base}/never")
        except Exception:  # noqa: BLE001 -- the point
            return None

    async with httpx.AsyncClient() as client:
        with patched(), taping(Tape(plays=store)), pytest.raises(MissingRecording, match="/never"):
            await careless(client)
    assert site.asked == []


async def test_a_request_with_another_body_is_another_request(site, store, put):
    put(store, f"{site.base}/judge")
    async with httpx.AsyncClient() as client:
        with patched(), taping(Tape(plays=store)), pytest.raises(MissingRecording):
            await client.post(f"{site.base}/judge", json={"question": 1})


async def test_vcrpy_calls_nothing_of_a_cassette_but_what_we_override(site):
    """The contract with vcrpy 9: a new version that calls more is noticed here."""
    ours = {"can_play_response_for", "play_response", "append", "write_protected", "filter_request"}
    called = set()

    class Watched(WandrCassette):
        def __getattribute__(self, name):
            if not name.startswith("_"):
                called.add(name)
            return super().__getattribute__(name)

    cassette = Watched(path="wandr")
    called.clear()
    send = httpx_stubs.vcr_handle_async_request(cassette, SEND, httpx)
    async with httpx.AsyncHTTPTransport() as transport:
        for path in ("/a", "/redirect"):
            with taping(Tape()) as tape:
                answer = await send(transport, httpx.Request("GET", site.base + path))
                await answer.aread()
            assert tape.heard is not None
    assert called <= ours
    assert {"can_play_response_for", "append"} <= called
    for name in ("can_play_response_for", "play_response", "append", "write_protected"):
        assert name in vars(WandrCassette)
        assert hasattr(Cassette, name)


def test_nothing_is_saved_by_vcrpy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wandr").write_text("not a cassette")
    with patched():
        pass
    assert (tmp_path / "wandr").read_text() == "not a cassette"
    assert list(tmp_path.iterdir()) == [tmp_path / "wandr"]


def test_a_store_is_not_needed_to_hear():
    assert Tape().plays is None
    assert isinstance(Tape(plays=PageStore("nowhere", environment={})).plays, PageStore)
