"""How is the sealed web served? One loopback listener for all hosts, told apart by the Host header."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from pytest_wandr.sealed.web import Answer, SealedWeb

MAX_HEAD = 32_768


@asynccontextmanager
async def serving(web: SealedWeb) -> AsyncIterator[int]:
    """Serve a sealed web on a free loopback port, which is yielded, until the block ends."""
    open_now: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if task := asyncio.current_task():
            open_now[task] = writer
            task.add_done_callback(open_now.pop)
        try:
            while await _exchange(web, reader, writer):
                pass
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass  # the client left, or sent what is no request
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, limit=MAX_HEAD)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in open_now.values():
            writer.close()
        await asyncio.gather(*open_now)


async def _exchange(web: SealedWeb, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Answer one request; False when the connection should end."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, _, rest = head[0].partition(" ")
    host = next((line[5:].strip() for line in head if line.lower().startswith("host:")), "")
    answer = web.answer(f"https://{host.partition(':')[0]}{rest.rpartition(' ')[0]}")
    if not answer.status:
        return False
    writer.write(_message(answer, with_body=method != "HEAD"))
    await writer.drain()
    return not any(line.lower().replace(" ", "") == "connection:close" for line in head)


def _message(answer: Answer, *, with_body: bool) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in answer.headers.items()]
    lines += [f"content-length: {len(answer.body)}", "", ""]
    return "\r\n".join(lines).encode("latin-1") + (answer.body if with_body else b"")
