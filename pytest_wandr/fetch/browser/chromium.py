"""How does one browser start, live and end? Shut off from every network, and with all that it spawned."""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
import tempfile
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import async_playwright

from pytest_wandr.fetch.browser.processes import family, kill, spawner
from pytest_wandr.fetch.failure import FetchFailed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

    from playwright.async_api import Browser, BrowserContext, Playwright

    from pytest_wandr.fetch.options import BrowserLimits

_FLAGS = (
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-pings",
    "--disable-domain-reliability", "--disable-client-side-phishing-detection", "--dns-prefetch-disable",
    "--disable-quic", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",  # one is the name today, the other was
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-dev-shm-usage", "--disable-gpu", "--renderer-process-limit=4",
    "--js-flags=--max-old-space-size=256",
)  # fmt: skip
_PATIENCE = 3.0
_LAUNCH = 30.0
_WATCH = 0.25
_SANDBOX = "WANDR_CHROMIUM_SANDBOX"
_NUMBERS = itertools.count(1)


async def _bounded(closing: Awaitable[object]) -> bool:
    """Wait for something to close, no longer than patience lasts; whether it did."""
    try:
        async with asyncio.timeout(_PATIENCE):
            await closing
    except (PlaywrightError, TimeoutError):
        return False
    return True


class Chromium:
    """One running browser. It reaches nothing by itself: its proxy is an address where nobody listens."""

    def __init__(self, executable: str, limits: BrowserLimits) -> None:
        self.shown = 0
        self.open = 0
        self._executable = executable
        self._limits = limits
        self._mark = f"--wandr-browser={os.getpid()}-{next(_NUMBERS)}"
        self._home = tempfile.TemporaryDirectory(prefix="wandr-browser-", ignore_cleanup_errors=True)
        self._nowhere = socket.socket()
        self._nowhere.bind(("127.0.0.1", 0))  # taken, so that nobody else can listen there
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._watcher: asyncio.Task[None] | None = None

    @property
    def worn(self) -> bool:
        """True when the next page should get another browser."""
        return self.shown >= self._limits.pages or not self.alive

    @property
    def alive(self) -> bool:
        """False when the browser has ended."""
        return self._browser is not None and self._browser.is_connected()

    async def start(self) -> None:
        """Start it. When this is cancelled, what was started so far is ended again.

        Raises:
            FetchFailed: it does not start.
        """
        starting = asyncio.ensure_future(self._start())
        try:
            async with asyncio.timeout(_LAUNCH):
                await asyncio.shield(starting)
        except (PlaywrightError, OSError, TimeoutError) as error:
            starting.cancel()
            await asyncio.wait({starting}, timeout=_PATIENCE)
            await self.close()
            first = (str(error).splitlines() or ["no answer"])[0]
            raise FetchFailed("internal", f"the browser cannot be started: {first}") from None
        except asyncio.CancelledError:
            await _bounded(starting)
            await self.close()
            raise
        self._watcher = asyncio.create_task(self._watch())

    async def _start(self) -> None:
        self._playwright = await async_playwright().start()
        port = self._nowhere.getsockname()[1]
        self._browser = await self._playwright.chromium.launch(
            executable_path=self._executable,
            args=[*_FLAGS, self._mark],
            chromium_sandbox=os.geteuid() != 0 and os.environ.get(_SANDBOX) != "off",
            env={"HOME": self._home.name, "PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"},
            proxy={"server": f"http://127.0.0.1:{port}", "bypass": "<-loopback>"},
        )

    @asynccontextmanager
    async def context(self) -> AsyncIterator[BrowserContext]:
        """A context that shares nothing with any other."""
        assert self._browser is not None
        try:
            async with asyncio.timeout(_LAUNCH):
                context = await self._browser.new_context(
                    accept_downloads=False, service_workers="block", locale="en-US", timezone_id="UTC",
                    viewport={"width": 1280, "height": 2000},
                )  # fmt: skip
        except (PlaywrightError, TimeoutError):
            raise _ended() from None
        try:
            yield context
        except FetchFailed:
            if not self.alive:
                raise _ended() from None
            raise
        finally:
            if not await _bounded(context.close()):
                self.shown = self._limits.pages  # it hangs on to a page: no more of them

    async def close(self) -> None:
        """End it and every process that it spawned."""
        spawned = family(self._mark)
        spawned += spawner(spawned)  # the driver: it ends by itself, as a rule
        try:
            if self._watcher is not None:
                self._watcher.cancel()
            if self._browser is not None:
                await _bounded(self._browser.close())
            if self._playwright is not None:
                await _bounded(self._playwright.stop())
                self._playwright = None
        finally:
            kill([*spawned, *family(self._mark)])
            self._nowhere.close()
            self._home.cleanup()

    async def _watch(self) -> None:
        """End processes that grow too large; the page that lived in one has crashed, then."""
        while True:
            await asyncio.sleep(_WATCH)
            if self.open:
                kill([process for process in family(self._mark) if process.resident > self._limits.memory])


def _ended() -> FetchFailed:
    return FetchFailed("internal", "the browser ended, or hangs")
