"""How are the demo tasks and their recordings made? From the sealed web, byte-equal each time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import Limits, Live, SealedHosts, open_fetcher
from pytest_wandr.sealed.demo import package
from pytest_wandr.sealed.demo.catalog import TaskPlan, catalog
from pytest_wandr.sealed.demo.prove import Library
from pytest_wandr.sealed.rng import Rng
from pytest_wandr.sealed.serve import serving

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pytest_wandr.model import Fixture
    from pytest_wandr.sealed.web import SealedWeb
    from pytest_wandr.sealed.world import PageSpec

RECORDED = "2026-06-30T12:00:00+00:00"
"""The invented day of the recording: the world's today."""

LISTS = 9
LINKED = 60
STRAY = 30


def demo_ids(web: SealedWeb) -> list[str]:
    """The ids of the demo tasks."""
    return [task.id for task in catalog(Library(web))]


def write_demo(web: SealedWeb, tasks: Path, cassettes: Path) -> list[str]:
    """Write every demo task package and its recording; returns their ids.

    The folders must not hold these tasks yet: a recording is made from nothing.
    """
    library = Library(web)
    made = []
    for task in catalog(library):
        known = list(package.fixtures(library, task))
        write_package(library, task, known, tasks / task.id)
        asyncio.run(record(web, recorded_urls(library, task, known), cassettes / task.id))
        made.append(task.id)
    return made


def write_package(library: Library, task: TaskPlan, known: Sequence[Fixture], folder: Path) -> None:
    """Write task.toml, instruction.md and fixtures.jsonl."""
    folder.mkdir(parents=True)
    for name, text in package.texts(library, task, known).items():
        (folder / name).write_bytes(text.encode())


def recorded_urls(library: Library, task: TaskPlan, known: Sequence[Fixture]) -> Sequence[str]:
    """What the fixtures cite; list pages to start from, and where they lead; stray pages beside them."""
    cited = [fixture.record.url for fixture in known]
    here = [spec for spec in library.web if spec.outlet.host in task.hosts]
    hubs = {spec.url: _links(spec) for spec in here if spec.kind == "hub"}
    lists = sorted(hubs, key=lambda url: len(hubs[url]), reverse=True)[:LISTS]
    rng = Rng("at hand", task.id)
    linked = rng.sub("linked").sample([url for start in lists for url in hubs[start]], LINKED)
    stray = rng.sub("stray").sample([spec.url for spec in here], STRAY)
    return sorted({*cited, *lists, *linked, *stray})


def _links(spec: PageSpec) -> list[str]:
    """Where the blocks of a page lead."""
    return [block.href for block in spec.draw().blocks if block.href]


async def record(web: SealedWeb, urls: Iterable[str], folder: Path) -> None:
    """Record pages of a sealed web into a store, on the path that live pages take.

    Raises:
        CassetteError: the folder holds a damaged recording.
    """
    store = PageStore(folder, environment={})
    live = Live(limits=Limits(attempts=1), recorded=RECORDED, browser="off")
    async with serving(web) as port:
        hosts = SealedHosts(web.hosts, port)
        async with open_fetcher(store, record="all", hosts=hosts, live=live) as fetcher:
            await asyncio.gather(*(fetcher.get(url) for url in urls))
    store.fold()
