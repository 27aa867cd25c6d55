"""What may a connection reach? Every address is checked before it is dialled, and again once connected."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import httpcore

from pytest_wandr.fetch.addresses import refuse_address
from pytest_wandr.fetch.failure import FetchFailed
from pytest_wandr.fetch.policy import refuse_answers

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable, Sequence

    from pytest_wandr.fetch.options import Resolve, SealedHosts

_MOST_ADDRESSES = 4
_LOOPBACK = "127.0.0.1"
_RESOLVER_TROUBLE = frozenset({socket.EAI_AGAIN, socket.EAI_MEMORY, getattr(socket, "EAI_SYSTEM", 0)})
"""Windows has no EAI_SYSTEM."""


class Door:
    """Which addresses beyond the public ones are open: a sealed web, and exact entries of tests."""

    def __init__(self, sealed: SealedHosts | None, allow: frozenset[str]) -> None:
        self.sealed = sealed
        self.allow = allow

    def is_sealed(self, host: str) -> bool:
        """True for an invented host that is served on loopback."""
        return self.sealed is not None and host in self.sealed.hosts

    def is_allowed(self, host: str, port: int) -> bool:
        """True for an exact entry."""
        return f"{host}:{port}" in self.allow

    def is_open(self, host: str, port: int) -> bool:
        """True for both."""
        return self.is_sealed(host) or self.is_allowed(host, port)


class PlainStream(httpcore.AsyncNetworkStream):
    """A stream that takes part in no TLS: the invented https hosts of a sealed web."""

    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        """Pass on."""
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Pass on."""
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        """Pass on."""
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,  # noqa: ARG002
        server_hostname: str | None = None,  # noqa: ARG002
        timeout: float | None = None,  # noqa: ARG002, ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        """Stay plain."""
        return self

    def get_extra_info(self, info: str) -> Any:
        """Pass on."""
        return None if info == "ssl_object" else self._inner.get_extra_info(info)


class GuardBackend(httpcore.AsyncNetworkBackend):
    """Resolves once, refuses when any answer is bad, dials the checked address, checks the peer."""

    def __init__(
        self, door: Door, resolve: Resolve | None = None, inner: httpcore.AsyncNetworkBackend | None = None
    ) -> None:
        self._door = door
        self._resolve = resolve or Resolver()
        self._inner = inner or httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to a public address of the host, or through an open door."""
        rest: dict[str, Any] = {
            "timeout": timeout,
            "local_address": local_address,
            "socket_options": socket_options,
        }
        if self._door.sealed is not None and self._door.is_sealed(host):
            return PlainStream(await self._inner.connect_tcp(_LOOPBACK, self._door.sealed.port, **rest))
        if self._door.is_allowed(host, port):
            return await self._inner.connect_tcp(host, port, **rest)
        clock = Countdown(timeout)
        addresses = await self._checked(host, port, clock)
        return await self._dial(addresses[:_MOST_ADDRESSES], port, clock, rest)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002
    ) -> httpcore.AsyncNetworkStream:
        """Never."""
        raise FetchFailed("blocked", f"unix sockets are never reached: {path}")

    async def sleep(self, seconds: float) -> None:
        """Pass on."""
        await self._inner.sleep(seconds)

    async def _checked(self, host: str, port: int, clock: Countdown) -> Sequence[str]:
        try:
            with anyio.fail_after(clock.left()):
                addresses = await self._resolve(host, port)
        except TimeoutError:
            raise _no_answer(host) from None
        except (OSError, UnicodeError) as error:
            if isinstance(error, UnicodeError) or _is_an_answer(error):
                raise FetchFailed("dns", f"the name {host} does not resolve") from None
            raise _no_answer(host) from None
        reason = refuse_answers(host, addresses)
        if reason is not None:
            raise FetchFailed("blocked" if addresses else "dns", reason)
        return addresses

    async def _dial(
        self, addresses: Sequence[str], port: int, clock: Countdown, rest: dict[str, Any]
    ) -> httpcore.AsyncNetworkStream:
        failed: Exception | None = None
        for address in addresses:
            try:
                stream = await self._inner.connect_tcp(address, port, **{**rest, "timeout": clock.left()})
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
                continue
            await _check_peer(stream)
            return stream
        assert failed is not None
        raise failed


def _is_an_answer(error: OSError) -> bool:
    """True when the resolver said that there is no such name; out of files, say, it said nothing."""
    return isinstance(error, socket.gaierror) and error.errno not in _RESOLVER_TROUBLE


def _no_answer(host: str) -> FetchFailed:
    """The resolver gave no answer at all: that is not to say that the name does not exist."""
    return FetchFailed("internal", f"no answer from the resolver for {host}; is there a network?", again=True)


class Countdown:
    """One budget of seconds for resolving and for dialling every address. None is without end."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else anyio.current_time() + seconds

    def left(self) -> float | None:
        """The seconds that are left."""
        return None if self._end is None else max(0.0, self._end - anyio.current_time())


async def _check_peer(stream: httpcore.AsyncNetworkStream) -> None:
    peer = stream.get_extra_info("server_addr")
    reason = refuse_address(str(peer[0])) if peer else "the peer has no address"
    if reason is not None:
        await stream.aclose()
        raise FetchFailed("blocked", f"the connected peer is refused: {reason}")


class Resolver:
    """Asks the system for a host's addresses, in a bounded number of threads."""

    def __init__(self, threads: int = 16) -> None:
        self._slots = anyio.CapacityLimiter(threads)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """All addresses, each once, in the system's order."""
        answers = await anyio.to_thread.run_sync(
            lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM),
            abandon_on_cancel=True,
            limiter=self._slots,
        )
        return tuple(dict.fromkeys(str(address[0]) for *_, address in answers))
