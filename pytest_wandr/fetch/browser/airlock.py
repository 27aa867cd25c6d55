"""What does a browser get for its requests? What the guarded fetcher brings, within the caps."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from playwright.async_api import Error as PlaywrightError

from pytest_wandr.cassettes.chain import MAX_REDIRECTS
from pytest_wandr.cassettes.urls import clean_url
from pytest_wandr.fetch.hops import Chain, Heard, redirected
from pytest_wandr.model import FetchProblem

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.async_api import Request, Route

    from pytest_wandr.fetch.attempt import Requester
    from pytest_wandr.fetch.options import BrowserLimits

_PASSED = frozenset({"document", "stylesheet", "script", "xhr", "fetch"})
_TOLD = frozenset({"accept", "accept-language", "origin", "referer", "x-requested-with"})
_JUMP = "<!DOCTYPE html><title></title><script>location.replace({} + location.hash)</script>"


class Landing(NamedTuple):
    """Where a request ended after its redirects, and what was heard there."""

    url: str
    heard: Heard


class Airlock:
    """Fulfils the requests of one tab. `chain` holds its cookies; `refusal` is the url policy.

    `status` is what the last document of the tab came with, `failed` why one did not come, `trouble` why any
    part did not, when the cause was on this side, `error` what no part should raise. Requests that are
    `underway` when the tab closes are left to their own deadline: cutting a connection costs a slot.
    """

    def __init__(
        self, requester: Requester, chain: Chain, refusal: Callable[[str], str | None], limits: BrowserLimits
    ) -> None:
        self.failed: FetchProblem | None = None
        self.trouble: FetchProblem | None = None
        self.error: BaseException | None = None
        self.status = 0
        self.underway: set[asyncio.Task[Landing]] = set()
        self._open = 0
        self._requester = requester
        self._chain = chain
        self._refusal = refusal
        self._limits = limits
        self._requests = 0
        self._bytes = 0
        self._landed: dict[str, Landing] = {}

    @property
    def busy(self) -> bool:
        """True while something is still being fetched."""
        return self._open > 0

    async def answer(self, route: Route, request: Request) -> None:
        """Fulfil or refuse one request of the tab."""
        self._open += 1
        try:
            if _is_wanted(request):
                await self._fulfil(route, request, await self._land(request))
            else:
                await route.abort("blockedbyclient")
        except PlaywrightError:
            with suppress(PlaywrightError):  # the tab is gone; or it has no frame for this
                await route.abort("blockedbyclient")
        finally:
            self._open -= 1

    async def _fulfil(self, route: Route, request: Request, landing: Landing) -> None:
        """A document is shown under its own address: a browser that was redirected is told to go there."""
        heard = landing.heard
        document = request.is_navigation_request()
        if heard.problem is not None:
            self.failed = heard.problem if document else self.failed
            self.trouble = self.trouble if heard.problem.decided else heard.problem
            await route.abort("blockedbyclient")
        elif document and landing.url != clean_url(request.url):
            self._landed[landing.url] = landing
            target = json.dumps(landing.url).replace("<", "\\u003c")
            await route.fulfill(status=200, content_type="text/html", body=_JUMP.format(target))
        else:
            self.status = heard.status if document else self.status
            await route.fulfill(status=heard.status, headers=_headers(request, heard), body=heard.body)

    async def _land(self, request: Request) -> Landing:
        url = clean_url(request.url)
        known = self._landed.pop(url, None)
        if known is not None:
            return known
        await self._take_cookies(request, url)
        headers = {name: value for name, value in request.headers.items() if name in _TOLD}
        task = asyncio.ensure_future(self._follow(url, headers))
        self.underway.add(task)
        task.add_done_callback(self.underway.discard)
        await asyncio.wait({task})
        if task.cancelled():
            return _stopped(url, "internal", "cancelled")
        self.error = task.exception() or self.error
        return _stopped(url, "internal", "an error, raised at the end") if self.error else task.result()

    async def _take_cookies(self, request: Request, url: str) -> None:
        """Cookies that scripts set belong to the same jar as those of servers."""
        for cookie in await request.frame.page.context.cookies(url):
            host = urlsplit(url).hostname or ""
            self._chain.set_cookie(cookie["name"], cookie["value"], domain=host, path=cookie["path"])

    async def _follow(self, url: str, headers: dict[str, str]) -> Landing:
        for _ in range(MAX_REDIRECTS + 1):
            refused = self._refusal(url)
            if refused is not None:
                return _stopped(url, "blocked", refused)
            if self._requests >= self._limits.requests:
                return _stopped(url, "redirect_limit", f"over {self._limits.requests} requests")
            self._requests += 1
            heard = await self._requester.request(url, self._chain, headers)
            target = redirected(url, heard)
            if not isinstance(target, str):
                return self._counted(url, heard, target)
            url = target
        return _stopped(url, "redirect_limit", f"over {MAX_REDIRECTS} redirects")

    def _counted(self, url: str, heard: Heard, problem: FetchProblem | None) -> Landing:
        self._bytes += len(heard.body)
        if self._bytes > self._limits.bytes:
            return _stopped(url, "body_too_large", f"over {self._limits.bytes} bytes for one page")
        heard.problem = problem or heard.problem
        return Landing(url, heard)


def _is_wanted(request: Request) -> bool:
    """Frames in the page are not: what they show is no part of its document."""
    if request.method != "GET" or request.resource_type not in _PASSED:
        return False
    return not request.is_navigation_request() or request.frame.parent_frame is None


def _stopped(url: str, kind: str, detail: str) -> Landing:
    return Landing(url, Heard(problem=FetchProblem.model_validate({"kind": kind, "detail": detail})))


def _headers(request: Request, heard: Heard) -> dict[str, str]:
    """Nothing of worth is behind this door, so nothing is gained by keeping origins apart."""
    origin = request.headers.get("origin", "*")
    shared = {"access-control-allow-origin": origin}
    if origin != "*":
        shared["access-control-allow-credentials"] = "true"
    media_type = heard.headers.get("content-type")
    return shared if media_type is None else {**shared, "content-type": media_type}
