"""When may a host be asked? A few requests at a time, some time apart, and later when it says so."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

    from pytest_wandr.fetch.dial import Door
    from pytest_wandr.fetch.options import Live

_HTTP_PORTS = {"http": 80, "https": 443}


class Hosts:
    """Slots for each host and in total, and the moment from which a host may be asked again.

    A host that asks to wait is left alone by all urls, not by one: at most as often as one url is tried, so
    that a hostile one cannot stop a run. What lies behind an open door, on this machine, needs no spacing.
    """

    def __init__(self, live: Live, door: Door) -> None:
        self._limits = live.limits
        self._sleep = live.sleep
        self._door = door
        self._total = asyncio.Semaphore(live.limits.total)
        self._slots: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(live.limits.per_host)
        )
        self._next: dict[str, float] = {}
        self._holds: Counter[str] = Counter()
        self._busy: Counter[str] = Counter()

    @property
    def busy(self) -> int:
        """How many hosts are being asked just now."""
        return len(self._busy)

    @asynccontextmanager
    async def turn(self, url: httpx.URL) -> AsyncIterator[None]:
        """Wait for a slot of the host, for its time, then for one of all slots; give them back at the end."""
        async with self._slots[url.host]:
            if not self._is_exempt(url):
                await self._spaced(url.host)
            async with self._total:
                self._busy[url.host] += 1
                try:
                    yield
                finally:
                    self._busy[url.host] -= 1
                    self._busy += Counter()  # forgets the zeros

    async def _spaced(self, host: str) -> None:
        now = asyncio.get_running_loop().time()
        start = max(now, self._next.get(host, now))
        self._next[host] = start + self._limits.spacing
        if start > now:
            await self._sleep(start - now)

    def hold(self, url: httpx.URL, seconds: float) -> None:
        """The host asks to be left alone for so long."""
        if self._is_exempt(url) or self._holds[url.host] >= self._limits.attempts:
            return
        self._holds[url.host] += 1
        until = asyncio.get_running_loop().time() + seconds
        self._next[url.host] = max(until, self._next.get(url.host, until))

    def _is_exempt(self, url: httpx.URL) -> bool:
        return self._door.is_open(url.host, url.port or _HTTP_PORTS.get(url.scheme, 0))
