"""How much may a connection bring? The caps below httpx and below the recorder, on guarded connections.

`_pool` of `httpx.AsyncHTTPTransport` is private: httpx is pinned, and a test proves that a guarded
transport cannot reach loopback.
"""

from __future__ import annotations

from collections.abc import AsyncIterable
from functools import partial
from typing import TYPE_CHECKING, Any

import httpcore
import httpx

from pytest_wandr.fetch.failure import FetchFailed

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator

    from pytest_wandr.fetch.dial import GuardBackend
    from pytest_wandr.fetch.options import Limits


class CappedStream:
    """A response stream that ends in an error when it brings too much."""

    def __init__(self, inner: AsyncIterable[bytes], cap: int) -> None:
        self._inner = inner
        self._cap = cap

    async def __aiter__(self) -> AsyncIterator[bytes]:
        total = 0
        async for part in self._inner:
            total += len(part)
            if total > self._cap:
                await self.aclose()
                raise too_large(self._cap)
            yield part

    async def aclose(self) -> None:
        """Release the connection."""
        close = getattr(self._inner, "aclose", None)
        if close is not None:
            await close()


def too_large(cap: int) -> FetchFailed:
    """The failure of a body that is over the cap on the wire."""
    return FetchFailed("body_too_large", f"over {cap} bytes on the wire")


class CappedPool(httpcore.AsyncConnectionPool):
    """A connection pool that counts what it brings: below the recorder, which reads bodies to their end."""

    def __init__(self, cap: int, **rest: Any) -> None:
        super().__init__(**rest)
        self._cap = cap

    async def handle_async_request(self, request: httpcore.Request) -> httpcore.Response:
        """Send, then cap the answer."""
        response = await super().handle_async_request(request)
        claimed = _header(response, b"content-length")
        if claimed.isdigit() and int(claimed[:20]) > self._cap:
            await response.aclose()
            raise too_large(self._cap)
        assert isinstance(response.stream, AsyncIterable)
        response.stream = CappedStream(response.stream, self._cap)
        return response


def _header(response: httpcore.Response, name: bytes) -> bytes:
    return next((value for known, value in response.headers if known.lower() == name), b"")


class GuardTransport(httpx.AsyncHTTPTransport):
    """httpx's transport over guarded connections. A subclass, or vcrpy would not hear it.

    A pool that has lost its connections (httpcore forgets some of those that are cancelled at a bad moment)
    is replaced once; `renewed` counts it. What the old one still carries, it carries to its end.
    """

    def __init__(self, backend: GuardBackend, limits: Limits, ssl_context: ssl.SSLContext) -> None:
        super().__init__(verify=ssl_context, trust_env=False)
        self._fresh = partial(_pool, backend, limits, ssl_context)
        self._pool: httpcore.AsyncConnectionPool = self._fresh()
        self._worn: list[httpcore.AsyncConnectionPool] = []

    @property
    def renewed(self) -> int:
        """How often the pool was replaced."""
        return len(self._worn)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send; when there is no free connection in time, once more through a new pool."""
        pool = self._pool
        try:
            return await super().handle_async_request(request)
        except httpx.PoolTimeout:
            if pool is self._pool:
                if self._worn:
                    raise
                self._worn.append(pool)
                self._pool = self._fresh()
        return await super().handle_async_request(request)

    async def __aexit__(self, *error: Any) -> None:
        for pool in self._worn:
            await pool.aclose()
        await super().__aexit__(*error)


def _pool(backend: GuardBackend, limits: Limits, ssl_context: ssl.SSLContext) -> CappedPool:
    return CappedPool(
        limits.wire,
        ssl_context=ssl_context,
        max_connections=2 * limits.total,
        max_keepalive_connections=limits.total,
        keepalive_expiry=15.0,
        http1=True,
        http2=False,
        retries=0,
        network_backend=backend,
    )
