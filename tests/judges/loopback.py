"""A server on loopback that answers each request as scripted: with a reply, raw bytes, or a coroutine."""

import asyncio
import json
from contextlib import asynccontextmanager, suppress

from pytest_wandr.budget import FILE, Ledger, parse
from pytest_wandr.judges import Setup
from pytest_wandr.judges.llm.config import JudgeConfig
from pytest_wandr.judges.llm.endpoint import Endpoint, Surroundings
from pytest_wandr.judges.llm.exchange import Prompt

KEY = "sk-planted-0123456789abcdefghij"
PROMPT = Prompt("verdicts", "Judge.", '{"task":{}}', {"type": "object"}, 100)


class Scripted:
    """The last answer of the script is repeated. `bodies` and `heads` hold what was asked."""

    def __init__(self, *script):
        self.script = list(script)
        self.heads = []
        self.bodies = []
        self.running = 0
        self.most = 0
        self.asked = asyncio.Event()
        self._tasks = {}

    @property
    def count(self):
        return len(self.bodies)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/v1"

    async def _handle(self, reader, writer):
        self._tasks[asyncio.current_task()] = writer
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                size = next(line for line in head.lower().split("\r\n") if line.startswith("content-length"))
                body = json.loads(await reader.readexactly(int(size.split(":")[1])))
                self.running += 1
                self.most = max(self.most, self.running)
                self.heads.append(head)
                self.bodies.append(body)
                self.asked.set()
                answer = self.script[min(self.count, len(self.script)) - 1]
                try:
                    await (answer(writer, body) if callable(answer) else self._write(writer, answer))
                finally:
                    self.running -= 1
                if writer.is_closing():
                    break
        writer.close()

    async def _write(self, writer, answer):
        writer.write(answer)
        await writer.drain()

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._handle, "127.0.0.1", 0, limit=1_000_000)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *error):
        self._server.close()
        for task, writer in self._tasks.items():
            task.cancel()
            writer.transport.abort()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)


def http(body, status="200 OK", *headers, kind="application/json"):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(data)}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + data


def error(status, message="no", *headers, **more):
    return http({"error": {"message": message, **more}}, status, *headers)


def chat(text='{"a":1}', *, why="stop", usage=(50, 10, 0), **message):
    used = usage and {
        "prompt_tokens": usage[0],
        "completion_tokens": usage[1],
        "prompt_tokens_details": {"cached_tokens": usage[2]},
    }
    return {
        "model": "m-2026",
        "choices": [{"finish_reason": why, "message": {"content": text, **message}}],
        "usage": used,
    }


class Time:
    """A clock that only sleeping moves."""

    def __init__(self):
        self.now = 1000.0
        self.slept = []

    def clock(self):
        return self.now

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


PRICE = {"input": "2", "output": "10", "cached": "0.5"}


def config_for(url, **more):
    given = {"name": "llm", "model": "m", "base_url": url, "key_env": "K", "price": PRICE, "options": {}}
    return JudgeConfig.model_validate({**given, **more})


def endpoint_for(url, folder, *, budget="", time=None, environ=None, **more):
    """An endpoint and its ledger; with `time`, waiting takes none."""
    ledger = Ledger(folder / "run" / FILE, parse(budget))
    told = {} if time is None else {"sleep": time.sleep, "clock": time.clock, "now": time.clock}
    around = Surroundings({"K": KEY} if environ is None else environ, **told)
    endpoint = Endpoint(config_for(url, **more), Setup(folder, folder, folder / "run"), ledger, around)
    return endpoint, ledger


@asynccontextmanager
async def asked(folder, *script, **more):
    """A server, an endpoint that asks it, its ledger, and its clock."""
    time = Time()
    async with Scripted(*script) as server:
        endpoint, ledger = endpoint_for(server.url, folder, time=time, **more)
        yield server, endpoint, ledger, time
