"""When is a page tried again, and what is recorded of it? Also that there was no browser to try with."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.chain import is_passing
from pytest_wandr.cassettes.entry import Entry
from pytest_wandr.cassettes.urls import normal_url, request_key
from pytest_wandr.fetch.browser.find import find_chromium
from pytest_wandr.fetch.browser.rule import RULE, worth_a_browser
from pytest_wandr.fetch.browser.standing import NO_BROWSER, rendered_key, route_of, standing, wanted
from pytest_wandr.fetch.failure import FetchFailed
from pytest_wandr.fetch.hops import Chain
from pytest_wandr.model import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_wandr.cassettes.chain import Ending
    from pytest_wandr.cassettes.commons import Commons
    from pytest_wandr.cassettes.store import PageStore
    from pytest_wandr.fetch.browser.renderer import Renderer
    from pytest_wandr.fetch.browser.tab import Shown
    from pytest_wandr.fetch.options import Live, Record
    from pytest_wandr.model import FetchProblem

_HTML = "text/html; charset=utf-8"


class Retry:
    """Tries pages again, each once in a run, and records what came of it. `rule` is 0 when none is tried.

    `open_renderer` is called with the browser's executable when the first page is to be shown.
    """

    def __init__(
        self,
        commons: Commons,
        store: PageStore,
        record: Record,
        live: Live,
        open_renderer: Callable[[str], Renderer],
    ) -> None:
        self._commons = commons
        self.rule = 0 if live.browser == "off" else RULE
        self._store = store
        self._record = record
        self._live = live
        self._executable = find_chromium(live) if self.rule else None
        self._open_renderer = open_renderer
        self._renderer: Renderer | None = None
        self._flights: dict[str, asyncio.Lock] = {}

    async def page(self, ending: Ending, url: str, chain: Chain) -> Page:
        """The page that stands at the end of a chain. A problem is part of the page, not an exception.

        Raises:
            CassetteError: what the browser shows must not be recorded, or a recorded body is damaged.
        """
        page = self._store.page(ending, url)
        entry = ending.entry
        if entry is None or not entry.rule or not await asyncio.to_thread(wanted, entry, page):
            return page
        key = rendered_key(entry, url)
        async with self._flights.setdefault(key, asyncio.Lock()):
            if self.rule and not self._usable(self._store.find(key)):
                line = Entry(
                    key=key, url=entry.url, via="browser", via_of=entry.key, recorded=self._live.recorded
                )
                trouble = await self._once(
                    line, chain.real_url(ending.ask) + route_of(url), _cookies(entry, chain)
                )
                if trouble is not None:
                    return page.model_copy(update={"problem": trouble, "body": b"", "digest": ""})
        return await asyncio.to_thread(standing, self._store, entry, page)

    def _usable(self, line: Entry | None) -> bool:
        if line is None:
            return False
        if line.key in self._store.fresh:
            return True
        if line.error is not None and not line.error.decided:
            return self._record != "all" and self._executable is None  # there still is no browser
        return self._record == "new" or (self._record == "retry" and not is_passing(line))

    async def _once(self, line: Entry, url: str, chain: Chain) -> FetchProblem | None:
        """Take over what another task of this run has recorded of it, or try."""
        async with self._commons.claim(line.key):
            seen = self._commons.find(line.key)
            if seen is not None and self._commons.take([seen]):
                return None
            trouble = await self._try(line, url, chain)
            self._commons.add(line.key)
            return trouble

    async def _try(self, line: Entry, url: str, chain: Chain) -> FetchProblem | None:
        """Record what a browser makes of it; trouble of our own is no recording."""
        if self._executable is None:
            self._store.put(line.model_copy(update={"error": NO_BROWSER}))
            return None
        if self._renderer is None:
            self._renderer = self._open_renderer(self._executable)
        try:
            shown = await self._renderer.show(url, chain)
        except FetchFailed as failure:
            if not failure.problem.decided:
                return failure.problem
            self._store.put(line.model_copy(update={"error": failure.problem}))
            return None
        return await self._keep(line, shown)

    async def _keep(self, line: Entry, shown: Shown) -> FetchProblem | None:
        """A page that is still broken, and not by its own fault, is not kept."""
        place = normal_url(shown.url)
        seen = Page(url=line.url, final_url=place, status=shown.status, media_type=_HTML, body=shown.body)
        if shown.trouble is not None and worth_a_browser(seen):
            return shown.trouble
        found = {
            "status": shown.status,
            "headers": {"content-type": _HTML},
            "to": "" if place == line.url else place,
        }
        self._store.put(line.model_copy(update=found), shown.body)
        return None

    async def aclose(self) -> None:
        """End the browser, when there is one."""
        if self._renderer is not None:
            await self._renderer.aclose()


def _cookies(entry: Entry, chain: Chain) -> Chain:
    """A jar for the browser: with the cookies of hops that belong to this chain alone, otherwise a fresh one.

    Otherwise what is recorded would depend on which chain came through a shared hop first.
    """
    fresh = Chain(entry.url)
    if entry.key != request_key(entry.url):
        fresh.jar.update(chain.jar)
    return fresh
