"""How does one request reach a model's server, and what comes back? One exchange, capped in time and size.

The key is added below everything that logs or records, and taken out of whatever comes back. No redirect is
followed, and no proxy or other setting of the environment is used.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import httpx

from pytest_wandr import __version__

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from pytest_wandr.judges.llm.secret import Secret

MOST_BYTES = 4_000_000
_CONNECT = 10.0
_KEPT = ("content-type", "location", "retry-after")
_HEADERS = {
    "accept": "application/json",
    "accept-encoding": "identity",
    "content-type": "application/json",
    "user-agent": f"pytest-wandr/{__version__}",
}
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol)


@dataclass(frozen=True)
class Reply:
    """What a server sent, whole. Of its headers those that matter, by names in small letters."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Lost:
    """No whole reply. `sent` False: the server never got the request. `again`: another try may help."""

    why: str
    sent: bool = True
    again: bool = True


class TooLarge(Exception):
    """A reply is over the cap."""


class KeyedTransport(httpx.AsyncBaseTransport):
    """Adds the key to each request on its way out: the request that others see has none."""

    def __init__(self, inner: httpx.AsyncBaseTransport, name: str, prefix: str, *, secret: Secret) -> None:
        self._inner = inner
        self._name = name
        self._secret = secret
        self._prefix = prefix

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a copy with the key."""
        keyed = httpx.Request(
            request.method,
            request.url,
            headers=[*request.headers.raw, (self._name.encode(), self._value())],
            stream=request.stream,
            extensions=request.extensions,
        )
        try:
            return await self._inner.handle_async_request(keyed)
        except BaseException as error:
            _forget_frames(error)
            raise

    def _value(self) -> bytes:
        return f"{self._prefix}{self._secret.reveal()}".encode()

    async def aclose(self) -> None:
        """Close what is below."""
        await self._inner.aclose()


def _forget_frames(error: BaseException) -> None:
    """Whoever prints an error with the locals of its frames would print the key: below here they hold it."""
    seen: set[int] = set()
    left: list[BaseException | None] = [error]
    while left:
        each = left.pop()
        if each is not None and id(each) not in seen:
            seen.add(id(each))
            each.__traceback__ = None
            left += [each.__cause__, each.__context__]


class Door:
    """The way to one server. Its connections live as long as somebody uses them, in one event loop."""

    def __init__(self, url: str, *, key_header: tuple[str, str], secret: Secret, timeout: float) -> None:
        self._url = url
        self._key_header = key_header
        self._secret = secret
        self._timeout = timeout
        self._open: _Open | None = None

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[httpx.AsyncClient]:
        """The client of this event loop; the last one to leave closes it."""
        loop = asyncio.get_running_loop()
        if self._open is None or self._open.loop is not loop:
            self._open = _Open(loop, self._client(), ExitStack())
            self._open.quiet.enter_context(self._secret.kept_from_logs())
        used = self._open
        used.users += 1
        try:
            yield used.client
        finally:
            used.users -= 1
            if not used.users:
                self._open = None if self._open is used else self._open
                with used.quiet:
                    await used.client.aclose()

    async def post(
        self, client: httpx.AsyncClient, path: str, headers: Mapping[str, str], body: bytes
    ) -> Reply | Lost:
        """Send and wait for the whole reply. Nothing raised or returned holds the key."""
        try:
            async with asyncio.timeout(self._timeout):
                return await self._exchange(client, path, headers, body)
        except TimeoutError:
            return Lost(f"no whole reply within {self._timeout:g} s")
        except TooLarge:
            return Lost(f"a reply of more than {MOST_BYTES:,} bytes", again=False)
        except _NEVER_SENT as error:
            return Lost(f"no connection to {self._url}: {self._told(error)}", sent=False)
        except httpx.HTTPError as error:
            return Lost(self._told(error))

    async def _exchange(
        self, client: httpx.AsyncClient, path: str, headers: Mapping[str, str], body: bytes
    ) -> Reply:
        url = self._url + path
        async with client.stream("POST", url, content=body, headers=_HEADERS | dict(headers)) as response:
            kept = {name: self._secret.hide(response.headers.get(name, "")) for name in _KEPT}
            return Reply(response.status_code, kept, self._secret.hide_bytes(await _whole(response)))

    def _told(self, error: httpx.HTTPError) -> str:
        return self._secret.hide(f"{type(error).__name__}: {error}".removesuffix(": "))

    def _client(self) -> httpx.AsyncClient:
        transport: httpx.AsyncBaseTransport = httpx.AsyncHTTPTransport(
            verify=_trusted() if self._url.startswith("https:") else _no_tls(),
            trust_env=False,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=64),
        )
        if self._secret:
            transport = KeyedTransport(transport, *self._key_header, secret=self._secret)
        return httpx.AsyncClient(
            transport=transport,
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(None, connect=min(_CONNECT, self._timeout)),
        )


@dataclass
class _Open:
    loop: asyncio.AbstractEventLoop
    client: httpx.AsyncClient
    quiet: ExitStack
    users: int = 0


async def _whole(response: httpx.Response) -> bytes:
    """The body as it comes over the wire: no coding was accepted, so there is nothing to decode."""
    parts, size = [], 0
    async for part in response.aiter_raw():
        size += len(part)
        if size > MOST_BYTES:
            raise TooLarge
        parts.append(part)
    return b"".join(parts)


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    """One context per process: reading the bundle of certificates costs more than a call."""
    return httpx.create_ssl_context(trust_env=False)


@lru_cache(maxsize=1)
def _no_tls() -> ssl.SSLContext:
    """Trusts nobody; for plain http, which needs none."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
