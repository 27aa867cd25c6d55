"""Which pages tell of the towns' fees, and what is wrong with each? The plan, by quota."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pytest_wandr.sealed.domains.services import texts
from pytest_wandr.sealed.domains.services.towns import COUNTY_NAME, ROOT, Town, services
from pytest_wandr.sealed.names import slug
from pytest_wandr.sealed.world import (
    Block,
    Document,
    Outlet,
    PageSpec,
    Serving,
    Statement,
    link,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COUNTY = Outlet(f"county.{ROOT}", COUNTY_NAME.name, "county", say("{c}", c=COUNTY_NAME), "dmy")
BLOG = Outlet("www.daytrips.example", "Daytrips", "blog", Statement("Daytrips"), "dmy")
CONTRADICTED = 1
WALLS: tuple[Serving, ...] = ("consent", "script", "login", "soft404", "gone")


def pages(towns: Sequence[Town]) -> Iterator[PageSpec]:
    """Every page of the domain."""
    for town in towns:
        own = list(_own(town))
        yield from own
        yield from _detours(town)
        yield _hub(town.outlet, "/", say("Services of {t}", t=town.place), list(map(link, own)))
        yield _county(town)
        if town.number % 3 == 0:
            draw = partial(texts.blog, town, BLOG)
            yield _spec(BLOG, f"/{slug(town.place.name)}", "blog", draw, texts.blog_title(town))
    entries = [link(_county(town), say("{t} in figures", t=town.place)) for town in towns]
    yield _hub(COUNTY, "/towns/", say("Towns of {c}", c=COUNTY_NAME), entries)


def _own(town: Town) -> Iterator[PageSpec]:
    """The town's own pages: one for each service, the schedules, the news."""
    charset = "windows-1252" if town.number % 4 == 3 else "utf-8"
    mess = frozenset({"charset"} if charset != "utf-8" else ())
    for service in services():
        draw = partial(texts.service_page, town, service)
        title = texts.service_title(town, service)
        spec = _spec(town.outlet, f"/services/{slug(service.name)}", "service", draw, title)
        yield spec._replace(charset=charset, mess=mess)
    for year, old in ((2026, False), (2024, True)):
        if town.current or old:
            yield _schedule(town, year, old=old)
    draw = partial(texts.news, town)
    yield _spec(town.outlet, "/news/1", "town news", draw, texts.news_title(town))


def _schedule(town: Town, year: int, *, old: bool) -> PageSpec:
    draw = partial(texts.schedule, town, town.outlet, old=old)
    title = say("Schedule of fees of {t}", t=town.place)
    serving: Serving = "page" if town.number % 5 in (CONTRADICTED, 4) else "pdf"
    path = f"/fees-{year}{'.pdf' if serving == 'pdf' else ''}"
    mess = ({"pdf"} if serving == "pdf" else set()) | ({"stale"} if old and town.current else set())
    return _spec(town.outlet, path, "old schedule" if old else "schedule", draw, title)._replace(
        serving=serving, mess=frozenset(mess)
    )


def _county(town: Town) -> PageSpec:
    wrong = town.number % 5 == CONTRADICTED and town.current
    draw = partial(texts.schedule, town, COUNTY, old=wrong)
    title = Statement("Figures of a town")  # names none: beside another town's fees it would mislead
    spec = _spec(COUNTY, f"/towns/{slug(town.place.name)}", "county page", draw, title)
    return spec._replace(mess=frozenset({"contradictory"} if wrong else ()))


def _detours(town: Town) -> Iterator[PageSpec]:
    """Old addresses that redirect, and pages behind walls."""
    first = services()[town.number % len(services())]
    draw = partial(texts.service_page, town, first)
    title = say("Online desk of {t}", t=town.place)
    serving = WALLS[town.number % len(WALLS)]
    spec = _spec(town.outlet, "/desk", "desk", draw, title)
    yield spec._replace(serving=serving, mess=frozenset({serving}))
    if town.number % 3 == 0:
        target = f"https://{town.host}/services/{slug(first.name)}"
        spec = _spec(town.outlet, f"/old/{slug(first.name)}.php", "old address", draw, title)
        yield spec._replace(serving="redirect", target=target, mess=frozenset({"redirect"}))


def _spec(outlet: Outlet, path: str, kind: str, draw: partial[Document], title: Statement) -> PageSpec:
    return PageSpec(f"https://{outlet.host}{path}", outlet, kind, draw, title)


def _hub(outlet: Outlet, path: str, title: Statement, entries: Sequence[Block]) -> PageSpec:
    draw = partial(Document, title.within("title"), tuple(entries))
    return _spec(outlet, path, "hub", draw, title)
