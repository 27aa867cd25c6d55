"""What does a page show once its scripts have run? One tab: opened, waited for, read, closed."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from playwright.async_api import Error as PlaywrightError

from pytest_wandr.fetch.failure import FetchFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import BrowserContext, CDPSession
    from playwright.async_api import Page as PlaywrightPage

    from pytest_wandr.fetch.browser.airlock import Airlock

_WEB = ("http://", "https://")
_BEAT = 0.15
_STILL, _STILL_HOPING = 3, 20
_LITTLE = 200
_READING = 3.0
"""Seconds of the budget that are kept for taking the document out."""
_LOOK = """({
  url: location.href,
  size: document.documentElement ? document.documentElement.outerHTML.length : 0,
  words: document.body ? document.body.innerText.length : 0,
  lively: document.querySelector("script, meta[http-equiv=refresh i]") !== null,
})"""
_TAKE = """(() => {
  const whole = document.documentElement ? document.documentElement.outerHTML : "";
  return {url: location.href, html: whole.length > CAP ? null : whole};
})()"""


class Shown(NamedTuple):
    """What a tab shows in the end: the address of the document, the status it came with, its markup."""

    url: str
    status: int
    body: bytes


class _Look(NamedTuple):
    url: str
    size: int
    words: int
    lively: bool

    @property
    def enough(self) -> int:
        """How many looks must agree: more while it shows little and may yet show more."""
        if not self.url.startswith(_WEB):
            return 1
        return _STILL_HOPING if self.lively and self.words < _LITTLE else _STILL


class Tab:
    """One page in a context of its own. `cap` bounds its document, `seconds` the wait for it."""

    def __init__(self, page: PlaywrightPage, airlock: Airlock, *, cap: int, seconds: float) -> None:
        self._page = page
        self._airlock = airlock
        self._cap = cap
        self._end = asyncio.get_running_loop().time() + seconds - _READING
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
            taken = await self._evaluate(session, _TAKE.replace("CAP", str(self._cap)))
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
            if look is not None and still >= look.enough:
                return

    async def _look(self, session: CDPSession) -> _Look | None:
        """None while a document makes way for the next, or is too busy to answer."""
        if self._crashed:
            raise self._lost()
        try:
            async with asyncio.timeout(1.0):
                look = _Look(**await self._evaluate(session, _LOOK))
        except (PlaywrightError, TimeoutError):
            return None
        if look.size > self._cap:
            raise self._too_large()
        return look

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
        if not url.startswith(_WEB) or not self._airlock.status:
            raise self._lost()
        reason = refusal(url)
        if reason is not None:
            raise FetchFailed("blocked", reason)
        body = "" if taken["html"] is None else str(taken["html"])
        data = ("<!DOCTYPE html>" + body).encode("utf-8", "replace")
        if taken["html"] is None or len(data) > self._cap:
            raise self._too_large()
        return Shown(url, self._airlock.status, data)

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


async def open_tab(context: BrowserContext, airlock: Airlock, *, cap: int, seconds: float) -> Tab:
    """A tab whose requests all go through the airlock. Nothing else of the context gets anything."""
    await context.route("**/*", lambda route: route.abort("blockedbyclient"))
    await context.route_web_socket("**/*", lambda socket: socket.close())
    page = await context.new_page()
    context.on("page", lambda other: other.close())
    page.on("dialog", lambda dialog: dialog.dismiss())
    await page.route("**/*", airlock.answer)
    return Tab(page, airlock, cap=cap, seconds=seconds)
