"""A raw server on loopback that can misbehave, and fetchers that may reach it."""

import asyncio
from contextlib import asynccontextmanager, suppress

import pytest

from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import Limits, Live, open_fetcher


class Server:
    """Answers each path with raw bytes, or with a coroutine that writes what it likes."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = []
        self.heads = []
        self._open = {}

    async def handle(self, reader, writer):
        self._open[asyncio.current_task()] = writer
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split()[1].decode()
            self.asked.append(path)
            self.heads.append(head.lower())
            answer = self.answers[path.partition("?")[0]]
            if callable(answer):
                await answer(writer, head)
            else:
                writer.write(answer)
            await writer.drain()
        writer.close()

    async def __aenter__(self, ssl=None):
        self._server = await asyncio.start_server(self.handle, "127.0.0.1", 0, ssl=ssl, limit=100_000)
        self.port = self._server.sockets[0].getsockname()[1]
        self.place = f"127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *error):
        self._server.close()
        for task, writer in self._open.items():
            task.cancel()
            writer.transport.abort()
        await asyncio.gather(*self._open, return_exceptions=True)
        await asyncio.sleep(0)

    def url(self, path):
        return f"http://{self.place}{path}"


def answer(body=b"", *headers, status="200 OK", length=True):
    lines = [f"HTTP/1.1 {status}", *headers]
    if length:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


async def no_sleep(_seconds):
    await asyncio.sleep(0)


CALM = Limits(wire=50_000, decoded=100_000, connect=4, read=8, deadline=10, attempts=1)
HASTY = Limits(wire=50_000, decoded=100_000, connect=0.3, read=0.5, deadline=0.8, attempts=1)
"""Only for servers that never end: a slow machine must not make a good page time out."""


def recording(store, server, *, record="new", limits=CALM, hosts=None, allow=(), out=None, **live):
    options = {"sleep": no_sleep, "browser": "off", **live}
    open_doors = frozenset({server.place, *allow})
    return open_fetcher(
        store, record=record, hosts=hosts, out=out, live=Live(limits=limits, allow=open_doors, **options)
    )


@asynccontextmanager
async def serving(answers, ssl=None):
    server = Server(answers)
    await server.__aenter__(ssl)
    try:
        yield server
    finally:
        await server.__aexit__()


@pytest.fixture
def store(tmp_path):
    return PageStore(tmp_path / "rail", environment={})


class Web:
    """The tools of this folder: `web.serving({path: bytes})`, `web.answer(...)`, `web.recording(...)`."""

    serving = staticmethod(serving)
    answer = staticmethod(answer)
    recording = staticmethod(recording)
    hasty = HASTY


@pytest.fixture
def web():
    return Web


@pytest.fixture(scope="session")
def web_tools():
    """The same for fixtures that live longer than a test."""
    return Web


def pytest_make_parametrize_id(config, val):
    return getattr(val, "__name__", None)
