"""Which page stands: what the server sent, or what a browser made of it? Live and replayed alike."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.urls import normal_url, request_key
from pytest_wandr.fetch.browser.rule import worth_a_browser
from pytest_wandr.model import FetchProblem, Page

if TYPE_CHECKING:
    from pytest_wandr.cassettes.entry import Entry
    from pytest_wandr.cassettes.store import PageStore

COMMAND = "pytest --wandr-record=new"
NO_BROWSER = FetchProblem(kind="internal", detail="none was at hand when this was recorded")
"""The one trouble of ours that is recorded: a recording without a browser replays as such."""
_ROUTE = re.compile(r"[^#]*(#!?/.*|#!.*)", re.DOTALL)


def route_of(url: str) -> str:
    """The fragment by which scripts choose what to show (`#/team`, `#!team`), or ""."""
    match = _ROUTE.fullmatch(url)
    return match[1] if match is not None else ""


def rendered_key(entry: Entry, url: str) -> str:
    """The key under which a browser's view of this entry is recorded, for the url as cited."""
    return request_key(entry.url, via="browser", after=f"{entry.key}{route_of(url)}")


def wanted(entry: Entry, page: Page) -> str | None:
    """Why the page that the server sent for an entry is to be tried in a browser, or None."""
    return worth_a_browser(page) if entry.rule else None


def standing(store: PageStore, entry: Entry, page: Page, command: str = COMMAND) -> Page:
    """The page that stands, when `page` is what the server sent for `entry`. `command` records what lacks.

    Raises:
        CassetteError: a recorded body is damaged.
    """
    why = wanted(entry, page)
    if why is None:
        return page
    seen = store.find(rendered_key(entry, page.url))
    if seen is None:
        return _unrecorded(store, page, why, command)
    if seen.error is not None:
        return _noted(page, seen.error.detail)
    rendered = _rendered(store, seen, page)
    still = worth_a_browser(rendered)
    return rendered if still is None else _noted(page, "the same" if still == why else still)


def _unrecorded(store: PageStore, page: Page, why: str, command: str) -> Page:
    detail = (
        f"{normal_url(page.final_url)} needs a browser ({why}), and what one shows was never recorded. "
        f"To record it: {command} -k {store.folder.name}"
    )
    problem = FetchProblem(kind="not_recorded", detail=detail)
    return Page(url=page.url, final_url=page.final_url, hops=page.hops, problem=problem)


def _rendered(store: PageStore, entry: Entry, page: Page) -> Page:
    hops = (*page.hops, page.final_url) if entry.to else page.hops
    changes = {"url": page.url, "hops": hops, "final_url": entry.to or page.final_url}
    return store.page(entry).model_copy(update=changes)


def _noted(page: Page, outcome: str) -> Page:
    return page.model_copy(update={"note": f"in a browser: {outcome}"})
