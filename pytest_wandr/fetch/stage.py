"""What did each cited url lead to? The second stage: a submission in, pages out."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Protocol

from pytest_wandr.cassettes.urls import normal_url
from pytest_wandr.fetch.browser.standing import COMMAND, standing
from pytest_wandr.fetch.options import Live, Record, SealedHosts
from pytest_wandr.fetch.policy import blocked, refuse_spelling, refuse_unrecorded
from pytest_wandr.model import FetchProblem, Page, Submission
from pytest_wandr.progress import Step, Watch, unwatched

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from pytest_wandr.cassettes.store import PageStore
    from pytest_wandr.fetch.bodies import Bodies


class Fetcher(Protocol):
    """Anything that knows what a url leads to. `notes`: what a reader of the run should know."""

    @property
    def busy_hosts(self) -> int:
        """How many hosts are being asked just now."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What happened on the way, in words."""
        ...

    async def get(self, url: str) -> Page:
        """The page behind a url, or the problem in its place."""
        ...


async def fetch(
    submission: Submission, fetcher: Fetcher, *, watch: Watch = unwatched, bodies: Bodies | None = None
) -> dict[str, Page]:
    """Fetch each distinct cited url once: the pages by url as cited, in the order of first citation.

    `watch` is told how many are there, how many of them are no pages, and how many hosts are being asked.
    With `bodies`, which gives them back, those for which it has no room are left out.

    Raises:
        CassetteError: a recording is damaged, or must not be written.
    """
    urls = list(dict.fromkeys(record.url for record in submission.records))
    done = failures = 0

    async def one(url: str) -> Page:
        nonlocal done, failures
        page = await fetcher.get(url)
        done += 1
        failures += page.problem is not None
        watch(Step("fetch", done, len(urls), failures, fetcher.busy_hosts))
        return bodies.put_away(page) if bodies else page

    watch(Step("fetch", total=len(urls)))
    tasks = [asyncio.ensure_future(one(url)) for url in urls]
    try:
        pages = await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return dict(zip(urls, pages, strict=True))


class ReplayFetcher:
    """Answers from the store alone."""

    busy_hosts = 0
    notes = ()

    def __init__(self, store: PageStore, *, command: str = COMMAND) -> None:
        self._store = store
        self._command = command

    async def get(self, url: str) -> Page:
        """The recorded page, or why there is none.

        Raises:
            CassetteError: the recorded body is damaged.
        """
        refused = refuse_spelling(url)
        if refused is not None:
            return blocked(url, refused)
        ending = self._store.ending(url)
        if ending.entry is None:
            return _unrecorded(self._store, url, self._command)
        return standing(self._store, ending.entry, self._store.page(ending, url), self._command)


def _unrecorded(store: PageStore, url: str, command: str) -> Page:
    missing = store.ending(url).ask.url
    refused = refuse_unrecorded(missing)
    if refused is not None and not store.knows_host(missing):
        return blocked(url, refused, final_url=missing)
    shown = normal_url(missing)  # without secrets
    led = "" if missing == url else f", which {normal_url(url)} leads to,"
    near = store.nearest(missing)
    hint = f" Recorded under the same path: {near}." if near else ""
    detail = f"{shown}{led} was never recorded.{hint} To record it: {command} -k {store.folder.name}"
    return Page(url=url, final_url=missing, problem=FetchProblem(kind="not_recorded", detail=detail))


@asynccontextmanager
async def _replaying(store: PageStore, command: str) -> AsyncIterator[Fetcher]:
    yield ReplayFetcher(store, command=command)


def open_fetcher(  # noqa: PLR0913 -- all that can be said of a fetcher
    store: PageStore,
    *,
    record: Record = "none",
    hosts: SealedHosts | None = None,
    live: Live | None = None,
    command: str = COMMAND,
    out: Path | None = None,
) -> AbstractAsyncContextManager[Fetcher]:
    """A fetcher over a store.

    `none`: replay only; `new`: fetch what is missing; `retry`: also what failed in a passing way; `all`: all
    again. What was recorded lies in this writer's journal until somebody calls `store.fold()`. `command` is
    what a missing page tells people to run. `out`: the output folder of a run whose tasks share
    what they fetch.
    """
    if record == "none":
        return _replaying(store, command)
    from pytest_wandr.fetch.live import live_fetcher

    return live_fetcher(store, record=record, hosts=hosts, live=live or Live(), out=out)
