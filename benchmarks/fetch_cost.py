"""What does the guard cost? The guarded fetcher beside plain httpx, on healthy pages on loopback.

    python benchmarks/fetch_cost.py [--pages N] [--quick] [--json] [--profile]

A server in another process, 16 requests in flight, pages of three sizes, plain and gzipped. Each round gets
all pages three times, in turn: with plain httpx (one shared `AsyncClient`, body read and decoded); with the
guarded fetcher alone (url policy, guarded dialling, caps, the recorder's tape, cookies, own decoding;
nothing is kept); and with recording into a `PageStore` as a task of a run (keys, scan for secrets,
compression, files, journal, reading back; a claim on each page, and a word of it to other tasks). A ratio
is that of one round; the table shows medians. Target: the guarded fetcher alone takes at most 1.3 times the
processor time of plain httpx.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import gzip
import itertools
import json
import multiprocessing
import pstats
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import httpx
from evidence_speed import page_of

from pytest_wandr.cassettes import PageStore
from pytest_wandr.cassettes.commons import begin_sharing
from pytest_wandr.cassettes.recorder import patched
from pytest_wandr.fetch import Limits, Live, open_fetcher
from pytest_wandr.fetch.attempt import Requester
from pytest_wandr.fetch.dial import Door, GuardBackend
from pytest_wandr.fetch.hops import Chain
from pytest_wandr.fetch.policy import Refusal, target_of
from pytest_wandr.fetch.transport import GuardTransport

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from multiprocessing.connection import Connection

Get: TypeAlias = "Callable[[str], Awaitable[int]]"

IN_FLIGHT, TARGET = 16, 1.3
SIZES = (159, 10_000, 60_000)
CODINGS = ("identity", "gzip")
LIMITS = Limits(per_host=IN_FLIGHT, total=IN_FLIGHT)


class Spent(NamedTuple):
    """What it took to get all pages: seconds of this process's processor time, and of the clock."""

    cpu: float
    wall: float


def answers() -> dict[str, bytes]:
    """Whole answers by the start of their path, like `/gzip/159`."""
    found = {}
    for size, coding in itertools.product(SIZES, CODINGS):
        body = page_of(size)[:size]
        sent = gzip.compress(body) if coding == "gzip" else body
        named = "Content-Encoding: gzip\r\n" if coding == "gzip" else ""
        head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{named}Content-Length: {len(sent)}\r\n\r\n"
        found[f"/{coding}/{size}"] = head.encode() + sent
    return found


async def serve(port: Connection) -> None:
    """Answer with whole pages over kept connections until the process is ended."""
    known = answers()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                break
            writer.write(known[head.split(b" ", 2)[1].decode().rpartition("/")[0]])
        writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    port.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def server(port: Connection) -> None:
    """The process of the server."""
    asyncio.run(serve(port))


async def all_pages(urls: list[str], get: Get) -> Spent:
    """Get every page, 16 at a time, and see that each is whole."""
    waiting, sizes = iter(urls), set()

    async def some() -> None:
        for url in waiting:
            sizes.add(await get(url))

    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    await asyncio.gather(*(some() for _ in range(IN_FLIGHT)))
    spent = Spent(time.process_time() - cpu, time.perf_counter() - wall)
    if sizes != {int(urls[0].split("/")[4])}:
        raise RuntimeError(f"{urls[0]}: bodies of {sorted(sizes)} bytes")
    return spent


async def plain(urls: list[str], _place: str) -> Spent:
    """One shared client of httpx."""
    async with httpx.AsyncClient(trust_env=False) as client:

        async def get(url: str) -> int:
            return len((await client.get(url)).content)

        return await all_pages(urls, get)


async def guarded(urls: list[str], place: str) -> Spent:
    """The guarded fetcher, and nothing kept."""
    allow = frozenset({place})
    context = httpx.create_ssl_context(trust_env=False)
    transport = GuardTransport(GuardBackend(Door(None, allow)), LIMITS, context)
    with patched():
        async with transport:
            requester = Requester(transport, Live(limits=LIMITS, allow=allow))

            async def get(url: str) -> int:
                if isinstance(target_of(url, allow), Refusal):
                    return 0
                return len((await requester.request(url, Chain(url))).body)

            return await all_pages(urls, get)


async def recorded(urls: list[str], place: str) -> Spent:
    """The guarded fetcher with a store that records."""
    live = Live(limits=LIMITS, allow=frozenset({place}), browser="off")
    with tempfile.TemporaryDirectory() as folder:
        store = PageStore(Path(folder, "pages"), environment={})
        begin_sharing(Path(folder))
        async with open_fetcher(store, record="new", live=live, out=Path(folder)) as fetcher:

            async def get(url: str) -> int:
                return len((await fetcher.get(url)).body)

            return await all_pages(urls, get)


WAYS = {"plain": plain, "guarded": guarded, "recorded": recorded}


def row(place: str, coding: str, size: int, pages: int, rounds: int) -> dict[str, object]:
    """Medians for one kind of page: microseconds a page, and ratios to plain httpx in the same round."""
    spent: dict[str, list[Spent]] = {name: [] for name in WAYS}
    for turn in range(rounds):
        urls = [f"http://{place}/{coding}/{size}/{turn}-{number}" for number in range(pages)]
        for name in WAYS if turn % 2 == 0 else reversed(WAYS):
            spent[name].append(asyncio.run(WAYS[name](urls, place)))
    found: dict[str, object] = {"coding": coding, "bytes": size}
    for name, times in spent.items():
        for kind in Spent._fields:
            column = [getattr(one, kind) for one in times]
            base = [getattr(one, kind) for one in spent["plain"]]
            found[f"{name} {kind} us"] = round(1e6 * statistics.median(column) / pages)
            if name != "plain":
                ratios = [a / b for a, b in zip(column, base, strict=True)]
                found[f"{name} {kind} ratio"] = round(statistics.median(ratios), 2)
    return found


def profile(place: str, pages: int) -> None:
    """Where the time of the guarded fetcher goes."""
    urls = [f"http://{place}/identity/10000/{number}" for number in range(pages)]
    watch = cProfile.Profile()
    watch.runcall(lambda: asyncio.run(guarded(urls, place)))
    pstats.Stats(watch).sort_stats("tottime").print_stats(40)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=1000, metavar="N", help="pages a round (1000)")
    parser.add_argument("--quick", action="store_true", help="30 pages, 3 rounds")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--profile", action="store_true", help="print where the guarded fetcher's time goes")
    options = parser.parse_args()
    pages, rounds = (30, 3) if options.quick else (options.pages, 7)
    mine, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=server, args=(theirs,), daemon=True)
    process.start()
    place = f"127.0.0.1:{mine.recv()}"
    try:
        if options.profile:
            profile(place, pages)
            return
        asyncio.run(guarded([f"http://{place}/identity/159/warm"], place))
        rows = [row(place, coding, size, pages, rounds) for coding in CODINGS for size in SIZES]
    finally:
        process.terminate()
        process.join()
    show(rows, pages, rounds, as_json=options.json)


def show(rows: list[dict[str, object]], pages: int, rounds: int, *, as_json: bool) -> None:
    """Print what was measured."""
    worst = max(float(str(one["guarded cpu ratio"])) for one in rows)
    if as_json:
        print(json.dumps({"pages": pages, "rounds": rounds, "target": TARGET, "worst": worst, "rows": rows}))
        return
    print(f"{pages} pages, {rounds} rounds, {IN_FLIGHT} in flight; each cell: processor time, clock")
    heads = ("plain us", "guarded us", "ratio", "recorded us", "ratio")
    print(f"{'':10}{'bytes':>8}" + "".join(f"{head:>14}" for head in heads))
    columns = ("plain {} us", "guarded {} us", "guarded {} ratio", "recorded {} us", "recorded {} ratio")
    for one in rows:
        cells = [", ".join(str(one[column.format(kind)]) for kind in Spent._fields) for column in columns]
        print(f"{one['coding']:10}{one['bytes']:>8}" + "".join(f"{cell:>14}" for cell in cells))
    print(f"largest ratio of processor time, guarded: {worst}    target <= {TARGET}")


if __name__ == "__main__":
    main()
