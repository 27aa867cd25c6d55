"""Which browser shows the next page? Started when the first is wanted, replaced now and then."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from pytest_wandr.fetch.browser.chromium import Chromium
from pytest_wandr.fetch.failure import FetchFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import BrowserContext

    from pytest_wandr.fetch.options import BrowserLimits


class Browsers:
    """One browser after another, none before it is needed."""

    def __init__(self, executable: str, limits: BrowserLimits) -> None:
        self._executable = executable
        self._limits = limits
        self._slots = asyncio.Semaphore(limits.at_once)
        self._starting = asyncio.Lock()
        self._current: Chromium | None = None
        self._running: set[Chromium] = set()
        self._failure: FetchFailed | None = None

    @asynccontextmanager
    async def context(self) -> AsyncIterator[BrowserContext]:
        """A fresh context, as soon as there is room for one.

        Raises:
            FetchFailed: the browser cannot be started, or has ended.
        """
        async with self._slots:
            chromium = await self._chromium()
            chromium.open += 1
            chromium.shown += 1
            try:
                async with chromium.context() as context:
                    yield context
            finally:
                chromium.open -= 1
                await self._retire()

    async def _chromium(self) -> Chromium:
        async with self._starting:
            if self._failure is not None:
                raise self._failure
            if self._current is None or self._current.worn:
                self._current = Chromium(self._executable, self._limits)
                self._running.add(self._current)
                await self._retire()
                await self._start(self._current)
            return self._current

    async def _start(self, chromium: Chromium) -> None:
        try:
            await chromium.start()
        except FetchFailed as failure:
            self._failure = failure
            raise

    async def _retire(self) -> None:
        for chromium in [one for one in self._running if one is not self._current and not one.open]:
            self._running.discard(chromium)
            await chromium.close()

    async def aclose(self) -> None:
        """End them all."""
        self._current = None
        await asyncio.gather(*(chromium.close() for chromium in self._running))
        self._running.clear()
