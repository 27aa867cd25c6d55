"""What does a url look like in a browser? A tab, its airlock and the guarded fetcher, put together."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_wandr.fetch.browser.airlock import Airlock
from pytest_wandr.fetch.browser.browsers import Browsers
from pytest_wandr.fetch.browser.tab import open_tab
from pytest_wandr.fetch.failure import FetchFailed

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pytest_wandr.fetch.attempt import Requester
    from pytest_wandr.fetch.browser.tab import Shown
    from pytest_wandr.fetch.hops import Chain
    from pytest_wandr.fetch.options import Live

_PER_HOST = 6
_CONNECT, _DEADLINE = 3.0, 10.0


class Renderer:
    """Shows urls in a browser, by guarded requests alone. `refusal` is the url policy."""

    def __init__(self, executable: str, requester: Requester, refusal: Callable[[str], str | None]) -> None:
        live = requester.live
        self._limits = live.browser_limits
        self._cap = live.limits.decoded
        self._refusal = refusal
        self._requester = requester.like(_hurried(live))
        self._browsers = Browsers(executable, live.browser_limits)
        self._stragglers: set[asyncio.Task[Any]] = set()

    async def show(self, url: str, chain: Chain) -> Shown:
        """What a browser shows behind a url, with the cookies of a chain.

        Raises:
            FetchFailed: it shows nothing that may be read.
        """
        airlock = Airlock(self._requester, chain, self._refusal, self._limits)
        seconds = self._limits.seconds
        async with self._browsers.context() as context:
            try:
                async with asyncio.timeout(seconds):
                    tab = await open_tab(context, airlock, self._limits, cap=self._cap)
                    return await tab.show(url, self._refusal)
            except (FetchFailed, TimeoutError) as failure:
                if airlock.error is not None:
                    raise airlock.error from None
                if isinstance(failure, FetchFailed):
                    raise
                raise FetchFailed("timeout", f"nothing to read after {seconds:g} seconds") from None
            finally:
                self._stragglers = {task for task in self._stragglers if not task.done()} | airlock.underway

    async def aclose(self) -> None:
        """End the browser, and what is still underway for it."""
        for task in self._stragglers:
            task.cancel()
        await asyncio.gather(*self._stragglers, return_exceptions=True)
        await self._browsers.aclose()


def _hurried(live: Live) -> Live:
    """One attempt for each part of a page, and less time."""
    limits = live.limits
    hurried = replace(
        limits, attempts=1, per_host=_PER_HOST, spacing=0.0, connect=min(limits.connect, _CONNECT),
        deadline=min(limits.deadline, _DEADLINE),
    )  # fmt: skip
    return replace(live, limits=hurried)
