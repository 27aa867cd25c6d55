"""What does a page show once its scripts have run? One tab: opened, waited for, read, closed."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from playwright.async_api import Error as PlaywrightError

from pytest_wandr.fetch.failure import FetchFailed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playwright.async_api import BrowserContext, CDPSession
    from playwright.async_api import Page as PlaywrightPage

    from pytest_wandr.fetch.browser.airlock import Airlock
    from pytest_wandr.fetch.options import BrowserLimits
    from pytest_wandr.model import FetchProblem

_WEB = ("http://", "https://")
_BEAT = 0.15
_STILL = 3
"""How many looks must agree before a page is done."""
_LITTLE = 200
_READING = 3.0
"""Seconds of the budget that are kept for taking the document out."""
_LOOK = """(() => {
  const size = document.documentElement ? document.documentElement.outerHTML.length : 0;
  const words = size < 100000 && document.body ? document.body.innerText.length : size;
  const lively = document.querySelector("script, meta[http-equiv=refresh i]") !== null;
  return {url: location.href, size, words, lively};
})()"""
_TAKE = """(() => {
  const whole = document.documentElement ? document.documentElement.outerHTML : "";
  return {url: location.href, html: whole.length > CAP ? null : whole};
})()"""


class Shown(NamedTuple):
    """What a tab shows in the end: the address of the document, the status it came with, its markup.

    `trouble`: a part of the page did not come, and that was no fault of the page.
    """

    url: str
    status: int
    body: bytes
    trouble: FetchProblem | None


class _Look(NamedTuple):
    url: str
    size: int
    words: int
    lively: bool

    def enough(self, patience: float) -> int:
        """How many looks must agree: more while it shows little and may yet show more."""
        if not self.url.startswith(_WEB):
            return 1
        return int(patience / _BEAT) if self.lively and self.words < _LITTLE else _STILL


class Tab:
    """One page in a context of its own. `cap` bounds its document."""

    def __init__(self, page: PlaywrightPage, airlock: Airlock, limits: BrowserLimits, *, cap: int) -> None:
        self._page = page
        self._airlock = airlock
        self._cap = cap
        self._limits = limits
        self._end = asyncio.get_running_loop().time() + limits.seconds - _READING
        self._crashed = False
        page.on("crash", self._crash)

    def _crash(self, _page: object) -> None:
        self._crashed = True

    async def show(self, url: str, refusal: Callable[[str], str | None]) -> Shown:
        """Open the url, wait until the page stands still, and read it.

        Raises:
            FetchFailed: there is nothing to read, or it may not be read.
        """
        try:
            session = await self._page.context.new_cdp_session(self._page)
            with suppress(PlaywrightError):  # what went wrong shows in what the tab shows
                await self._page.goto(url, wait_until="commit", timeout=0)
            await self._settle(session)
            taken = await self._take(session)
        except PlaywrightError:
            raise self._lost() from None
        return self._accepted(taken, refusal)

    async def _settle(self, session: CDPSession) -> None:
        clock = asyncio.get_running_loop().time
        last: _Look | None = None
        still = 0
        while clock() < self._end:
            await asyncio.sleep(_BEAT)
            look = await self._look(session)
            still = still + 1 if look is not None and look == last and not self._airlock.busy else 0
            last = look
            if look is not None and still >= look.enough(self._limits.patience):
                return

    async def _look(self, session: CDPSession) -> _Look | None:
        """None while a document makes way for the next, or is too busy to answer."""
        if self._crashed or self._page.is_closed():
            raise self._lost()
        try:
            async with asyncio.timeout(1.0):
                look = _Look(**await self._evaluate(session, _LOOK))
        except (PlaywrightError, TimeoutError):
            return None
        if look.size > self._cap and look.url.startswith(_WEB):  # the browser's own error page is large
            raise self._too_large()
        return look

    async def _take(self, session: CDPSession) -> Any:
        """Once more when a document makes way for another at this very moment."""
        expression = _TAKE.replace("CAP", str(self._cap))
        for _ in range(_STILL):
            with suppress(PlaywrightError):
                return await self._evaluate(session, expression)
            await asyncio.sleep(_BEAT)
        return await self._evaluate(session, expression)

    async def _evaluate(self, session: CDPSession, expression: str) -> Any:
        """In a world of its own, where the scripts of the page have changed nothing."""
        tree = await session.send("Page.getFrameTree")
        where = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "wandr"}
        world = await session.send("Page.createIsolatedWorld", where)
        told = {"expression": expression, "contextId": world["executionContextId"], "returnByValue": True}
        answer = await session.send("Runtime.evaluate", told)
        value: Any = answer["result"].get("value")
        if value is None:
            raise PlaywrightError(f"no value: {json.dumps(answer)[:200]}")
        return value

    def _accepted(self, taken: Any, refusal: Callable[[str], str | None]) -> Shown:
        url = str(taken["url"])
        if not url.startswith(_WEB) or not self._airlock.status or self._airlock.error:
            raise self._lost()
        reason = refusal(url)
        if reason is not None:
            raise FetchFailed("blocked", reason)
        body = "" if taken["html"] is None else str(taken["html"])
        data = ("<!DOCTYPE html>" + body).encode("utf-8", "replace")
        if taken["html"] is None or len(data) > self._cap:
            raise self._too_large()
        return Shown(url, self._airlock.status, data, self._airlock.trouble)

    def _lost(self) -> FetchFailed:
        """Why the tab shows no page."""
        problem = self._airlock.failed
        if self._crashed:
            return FetchFailed("protocol", "the page crashed")
        if problem is not None:
            return FetchFailed(problem.kind, problem.detail)
        return FetchFailed("protocol", "it ended at no web page")

    def _too_large(self) -> FetchFailed:
        return FetchFailed("decoded_too_large", f"the document grew over {self._cap} bytes")


async def _quietly(answer: Awaitable[None]) -> None:
    """Answer a page that may have gone in the meantime."""
    with suppress(PlaywrightError):
        await answer


async def open_tab(context: BrowserContext, airlock: Airlock, limits: BrowserLimits, *, cap: int) -> Tab:
    """A tab whose requests all go through the airlock. Nothing else of the context gets anything."""
    await context.route("**/*", lambda route: _quietly(route.abort("blockedbyclient")))
    await context.route_web_socket("**/*", lambda socket: _quietly(socket.close()))
    page = await context.new_page()
    context.on("page", lambda other: _quietly(other.close()))
    page.on("dialog", lambda dialog: _quietly(dialog.dismiss()))
    await page.route("**/*", airlock.answer)
    return Tab(page, airlock, limits, cap=cap)
