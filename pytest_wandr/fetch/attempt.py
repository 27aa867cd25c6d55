"""What does one request bring? Slots, deadline, cookies, decoding, and repeated attempts."""

from __future__ import annotations

import asyncio
from types import MappingProxyType
from typing import TYPE_CHECKING

import httpx

from pytest_wandr import __version__
from pytest_wandr.cassettes.chain import RETRYABLE
from pytest_wandr.cassettes.entry import kept_headers
from pytest_wandr.cassettes.recorder import Exchange, Tape, taping
from pytest_wandr.errors import CassetteError
from pytest_wandr.fetch.decoding import decode, is_quick
from pytest_wandr.fetch.dial import Door
from pytest_wandr.fetch.failure import FetchFailed, failure_of
from pytest_wandr.fetch.hops import Chain, Heard
from pytest_wandr.fetch.hosts import Hosts
from pytest_wandr.fetch.retry import delay, retry_after
from pytest_wandr.model import FetchProblem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_wandr.fetch.options import Live
    from pytest_wandr.fetch.transport import GuardTransport

_HEADERS = {
    "accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.5",
    "accept-language": "en;q=0.9,*;q=0.5",
    "accept-encoding": "gzip, deflate",
}
NO_HEADERS: Mapping[str, str] = MappingProxyType({})


class Requester:
    """Sends requests through a guarded transport, a few at a time. Hosts behind the door need no spacing."""

    def __init__(self, transport: GuardTransport, live: Live, door: Door | None = None) -> None:
        self.live = live
        self._transport = transport
        self._door = door or Door(None, live.allow)
        self.hosts = Hosts(live, self._door)
        agent = live.user_agent or f"pytest-wandr/{__version__}"
        self._headers = {**_HEADERS, "user-agent": agent}

    @property
    def renewed(self) -> int:
        """How often the connection pool was exhausted and made anew."""
        return self._transport.renewed

    def like(self, live: Live) -> Requester:
        """Another one over the same transport, with slots of its own."""
        return Requester(self._transport, live, self._door)

    async def request(self, url: str, chain: Chain, headers: Mapping[str, str] = NO_HEADERS) -> Heard:
        """Send until there is an answer that no repetition can better. `headers` go over the usual ones."""
        limits = self.live.limits
        heard = await self._once(url, chain, headers)
        for attempt in range(1, limits.attempts):
            wait = self._wait(url, heard, attempt)
            if wait is None or chain.spent >= 2 * limits.deadline:
                break
            await self.live.sleep(wait)
            heard = await self._once(url, chain, headers)
        return self._rate_limited(heard)

    def _wait(self, url: str, heard: Heard, attempt: int) -> float | None:
        asked = self._asked(heard)
        if not heard.again or (asked or 0.0) > self.live.limits.longest_wait:
            return None
        return delay(url, attempt) if asked is None else asked

    def _asked(self, heard: Heard) -> float | None:
        return retry_after(heard.retry_after, self.live.clock())

    def _rate_limited(self, heard: Heard) -> Heard:
        if heard.again and (self._asked(heard) or 0.0) > self.live.limits.longest_wait:
            detail = f"HTTP status {heard.status}, and the server asks to wait too long"
            heard.problem = FetchProblem(kind="rate_limited", detail=detail)
        return heard

    async def _once(self, url: str, chain: Chain, headers: Mapping[str, str]) -> Heard:
        try:
            request = self._request(url, chain, headers)
        except (httpx.InvalidURL, ValueError):
            return Heard(problem=FetchProblem(kind="blocked", detail="the url cannot be sent as it is"))
        async with self.hosts.turn(request.url):
            heard = await self._timed(request, chain)
        asked = self._asked(heard) or 0.0
        if heard.again and 0 < asked <= self.live.limits.longest_wait:
            self.hosts.hold(request.url, asked)
        return heard

    async def _timed(self, request: httpx.Request, chain: Chain) -> Heard:
        started = asyncio.get_running_loop().time()
        try:
            return await self._send(request, chain)
        except (FetchFailed, httpx.TransportError, TimeoutError, ValueError) as error:
            failure = failure_of(error)
            return Heard(problem=failure.problem, again=failure.again)
        finally:
            chain.spent += asyncio.get_running_loop().time() - started

    def _request(self, url: str, chain: Chain, headers: Mapping[str, str]) -> httpx.Request:
        limits = self.live.limits
        timeouts = {"connect": limits.connect, "read": limits.read, "write": limits.read, "pool": limits.read}
        sent = {**self._headers, **headers}
        request = httpx.Request("GET", url, headers=sent, extensions={"timeout": timeouts})
        if chain.given_cookie:
            chain.give_cookies(request)
        return request

    async def _send(self, request: httpx.Request, chain: Chain) -> Heard:
        """Nothing but this deadline bounds a server that keeps sending; connecting ends well before it."""
        with taping(Tape()) as tape:
            async with asyncio.timeout(self.live.limits.deadline):
                response = await self._transport.handle_async_request(request)
                await response.aclose()
        if tape.heard is None:
            raise CassetteError("an answer was not heard by the recorder; is another tool patching httpx?")
        response.request = request
        if tape.heard.first("set-cookie"):
            chain.take_cookies(response)
        return await self._read(tape.heard)

    async def _read(self, heard: Exchange) -> Heard:
        answer = Heard(
            heard.status,
            kept_headers(dict(heard.headers)),
            location=heard.first("location"),
            retry_after=heard.first("retry-after"),
            again=heard.status in RETRYABLE,
        )
        try:
            answer.body = await self._decoded(heard.body, heard.joined("content-encoding"))
        except FetchFailed as failure:
            if 200 <= heard.status < 300:  # otherwise the status says enough
                answer.problem = failure.problem
        return answer

    async def _decoded(self, body: bytes, coding: str) -> bytes:
        if is_quick(body, coding):
            return decode(body, coding, self.live.limits)
        return await asyncio.to_thread(decode, body, coding, self.live.limits)
