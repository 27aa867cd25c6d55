"""What does a live url lead to? Guarded requests, hop by hop, each recorded as it is heard."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import lru_cache
from typing import TYPE_CHECKING

import httpx

from pytest_wandr.cassettes.chain import MAX_REDIRECTS, Ask, Ending, follow, is_passing
from pytest_wandr.cassettes.commons import Commons
from pytest_wandr.cassettes.entry import Entry
from pytest_wandr.cassettes.recorder import patched
from pytest_wandr.cassettes.store import page_of
from pytest_wandr.cassettes.urls import is_masked, normal_url, request_key
from pytest_wandr.fetch.attempt import Requester
from pytest_wandr.fetch.browser.retry import Retry
from pytest_wandr.fetch.browser.standing import rendered_key, wanted
from pytest_wandr.fetch.dial import Door, GuardBackend
from pytest_wandr.fetch.hops import Chain, Heard
from pytest_wandr.fetch.policy import Refusal, blocked, refuse_spelling, target_of
from pytest_wandr.fetch.transport import GuardTransport
from pytest_wandr.model import FetchProblem, Page

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator
    from pathlib import Path

    from pytest_wandr.cassettes.commons import Shared
    from pytest_wandr.cassettes.store import PageStore
    from pytest_wandr.fetch.browser.renderer import Renderer
    from pytest_wandr.fetch.options import Live, Record, SealedHosts


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    """One context per process: reading the bundle of certificates costs more than a page."""
    return httpx.create_ssl_context(trust_env=False)


@asynccontextmanager
async def live_fetcher(
    store: PageStore, *, record: Record, hosts: SealedHosts | None, live: Live, out: Path | None = None
) -> AsyncIterator[LiveFetcher]:
    """A fetcher that records into the store what the store does not have. `out`: see `Commons`."""
    limits = live.limits
    patience = limits.attempts * (limits.deadline + limits.longest_wait)
    door = Door(hosts, live.allow)
    backend = GuardBackend(door, live.resolve)
    guarded = GuardTransport(backend, live.limits, live.ssl_context or _trusted())
    commons = Commons(out, store, patience=patience)
    with closing(store), closing(commons), patched():
        async with guarded as transport:
            fetcher = LiveFetcher(store, record, door, Requester(transport, live, door), commons)
            try:
                yield fetcher
            finally:
                await fetcher.aclose()


class LiveFetcher:
    """Replays what is recorded, fetches and records the rest."""

    def __init__(
        self, store: PageStore, record: Record, door: Door, requester: Requester, commons: Commons
    ) -> None:
        self._store = store
        self._commons = commons
        self._record = record
        self._door = door
        self._requester = requester
        self._live = requester.live
        self._flights: dict[str, asyncio.Lock] = {}
        self._real: dict[str, str] = {}
        self._chains: dict[str, Chain] = {}
        self._retry = Retry(commons, store, record, requester.live, self._renderer)

    @property
    def busy_hosts(self) -> int:
        """How many hosts are being asked just now."""
        return self._requester.hosts.busy

    @property
    def notes(self) -> tuple[str, ...]:
        """What happened on the way, in words."""
        renewed = self._requester.renewed
        notes = (f"the connection pool was exhausted and made anew ({renewed})",) if renewed else ()
        return (*notes, *dict.fromkeys(self._commons.notes))

    async def aclose(self) -> None:
        """End what was started on the way: a browser, perhaps."""
        await self._retry.aclose()

    def _renderer(self, executable: str) -> Renderer:
        from pytest_wandr.fetch.browser.renderer import Renderer

        return Renderer(executable, self._requester, self._refusal)

    async def get(self, url: str) -> Page:
        """The page behind a url. A problem is part of the page, not an exception.

        Raises:
            CassetteError: the page must not be recorded, or a recorded body is damaged.
        """
        refused = refuse_spelling(url, self._door.allow)
        if refused is not None:
            return blocked(url, refused)
        ending = self._store.ending(url)
        chain = Chain(url, self._real)
        if not self._usable(ending.entry):
            ending = await self._walk(url, chain)
        return await self._retry.page(ending, url, self._chains.get(ending.ask.key, chain))

    def _usable(self, entry: Entry | None) -> bool:
        if entry is None:
            return False
        if entry.key in self._store.fresh or (entry.status and self._is_out_of_reach(entry.url)):
            return True
        if entry.error is not None and entry.error.kind == "blocked":
            return False  # costs nothing to judge again, and doors differ from run to run
        return self._record == "new" or (self._record == "retry" and not is_passing(entry))

    async def _walk(self, url: str, chain: Chain) -> Ending:
        walk = follow(url)
        async with AsyncExitStack() as held:
            ask = next(walk)
            while True:
                try:
                    ask = walk.send(await self._hop(ask, chain, held))
                except StopIteration as stop:
                    ending: Ending = stop.value
                    for key in reversed(chain.alone):  # the first is the way to all others
                        self._commons.add(key)
                    return ending

    async def _hop(self, ask: Ask, chain: Chain, held: AsyncExitStack) -> Entry:
        """One request of a chain; a plain one is sent once, however many chains come through it, in any task.

        When it brings a cookie, the others wait until this chain has come to its end, and take what it found.
        From then on this chain waits for nobody, so no two can wait for each other.
        """
        if chain.given_cookie:
            self._chains[ask.key] = chain
            chain.alone.append(ask.key)
            return await self._ask(ask, chain)
        async with AsyncExitStack() as turn:
            await turn.enter_async_context(self._flights.setdefault(ask.key, asyncio.Lock()))
            known = self._store.find(ask.key)
            if known is not None and self._usable(known) and self._leads_on(known):
                return known
            await turn.enter_async_context(self._commons.claim(ask.key))
            taken = await self._take(ask, chain.cited)
            if taken is not None:
                return taken
            entry = await self._ask(ask, chain)
            if chain.given_cookie:
                chain.alone.append(ask.key)
                held.push_async_exit(turn.pop_all())
            else:
                self._commons.add(ask.key)
            return entry

    async def _take(self, ask: Ask, cited: str) -> Entry | None:
        """Take over what another task of this run has recorded of a request.

        Where only the chain that was there could go on, all that is behind it is taken as well, or nothing.
        """
        first = self._commons.find(ask.key)
        if first is None or ask.key != request_key(ask.url):
            return None
        found = [first]
        if not self._can_go_on(first.entry):
            found, ending = self._commons.chain(ask.url)
            if ending.entry is None or await self._lacks_cookies(found[-1], ending, cited):
                return None
        return self._store.find(ask.key) if self._commons.take(found) else None

    async def _lacks_cookies(self, last: Shared, ending: Ending, cited: str) -> bool:
        """True when a browser is to try with cookies that another task's chain has, and has not done so."""
        entry = last.entry
        if not entry.rule or entry.key == request_key(entry.url):
            return False
        if self._commons.find(rendered_key(entry, cited)) is not None:
            return False
        body = self._commons.body(last)
        return body is None or await asyncio.to_thread(wanted, entry, page_of(ending, body)) is not None

    def _leads_on(self, known: Entry) -> bool:
        return self._can_go_on(known) or self._has_all_of(known)

    def _can_go_on(self, known: Entry) -> bool:
        """False when the next request needs what no recording holds: a cookie, or a secret not heard yet."""
        heard = not is_masked(known.to) or request_key(known.to) in self._real
        return heard and not known.next

    def _has_all_of(self, known: Entry) -> bool:
        """True when everything behind a recorded hop is usable, to the end."""
        entry: Entry | None = known
        for _ in range(MAX_REDIRECTS + 1):
            if entry is None or not self._usable(entry):
                return False
            if not entry.to:
                return True
            entry = self._store.find(entry.next or request_key(entry.to))
        return True

    async def _ask(self, ask: Ask, chain: Chain) -> Entry:
        url = chain.real_url(ask)
        heard = await self._heard(url, chain)
        turn = chain.turn(ask, url, heard)
        entry = Entry(
            key=ask.key,
            url=normal_url(url),
            status=heard.status,
            headers=heard.headers,
            to=turn.to,
            next=turn.next,
            error=turn.problem or heard.problem,
            rule=0 if turn.to or turn.problem or heard.problem else self._retry.rule,
            recorded=self._live.recorded,
        )
        if entry.error is not None and not entry.error.decided:
            return entry  # our own trouble is no recording
        return self._store.put(entry, b"" if turn.to else heard.body)

    async def _heard(self, url: str, chain: Chain) -> Heard:
        refused = self._refusal(url)
        if refused is not None:
            return Heard(problem=FetchProblem(kind="blocked", detail=refused))
        return await self._requester.request(url, chain)

    def _is_out_of_reach(self, url: str) -> bool:
        """True for an invented web whose server is not there: what was recorded of it cannot be had again."""
        target = target_of(url, self._door.allow)
        return isinstance(target, Refusal) and target.reserved and not self._door.is_sealed(target.host)

    def _refusal(self, url: str) -> str | None:
        target = target_of(url, self._door.allow)
        if not isinstance(target, Refusal):
            return None
        return None if target.reserved and self._door.is_sealed(target.host) else target.reason
