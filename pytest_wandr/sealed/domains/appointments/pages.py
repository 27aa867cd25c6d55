"""Which pages tell of the appointments, and what is wrong with each? The plan, by quota."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pytest_wandr.sealed.domains.appointments import outlets as at
from pytest_wandr.sealed.domains.appointments import texts
from pytest_wandr.sealed.names import slug
from pytest_wandr.sealed.world import Block, Document, Outlet, PageSpec, Serving, Statement, link, row, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_wandr.sealed.domains.appointments.events import Event

DIRECTORY = 20
WALLS: tuple[Serving, ...] = ("consent", "script", "soft404", "login", "gone")


def pages(events: Sequence[Event]) -> Iterator[PageSpec]:
    """Every page of the domain."""
    for event in events:
        yield from _first_hand(event)
        yield from _second_hand(event)
        yield from _detours(event)
    yield from _hubs(events)


def _first_hand(event: Event) -> Iterator[PageSpec]:
    wire, issuer, register = at.WIRE, at.ISSUER, at.REGISTER
    i = event.number
    release = partial(
        texts.story, event, "release", wire, texts.dated(wire, "Announced on", event), short=False
    )
    spec = _spec(event, wire, f"/releases/{7000 + 13 * i}-{slug(event.company.name)}", release, "release")
    yield spec._replace(
        mess=frozenset({"namesake"} if event.twin else ()) | ({event.klass} & {"interim", "withdrawn"})
    )
    news = partial(
        texts.story, event, "issuer", issuer, texts.dated(issuer, "Announced on", event), short=False
    )
    serving: Serving = WALLS[i // 6 % len(WALLS)] if i % 6 == 5 else "page"
    spec = _spec(event, issuer, f"/{slug(event.company.name)}/news/{i + 31}", news, "issuer news")
    yield spec._replace(serving=serving, mess=frozenset({serving} - {"page"}))
    filed = partial(texts.filing, event, register)
    serving = "pdf" if i % 4 == 1 else "page"
    spec = _spec(
        event, register, f"/f/{440000 + 37 * i}{'.pdf' if serving == 'pdf' else ''}", filed, "filing"
    )
    yield spec._replace(serving=serving, mess=frozenset({serving} - {"page"}))
    board = partial(texts.issuer_page, event, at.LISTINGS)
    yield _spec(event, at.LISTINGS, f"/issuer/{event.ticker.lower()}", board, "issuer page")


def _second_hand(event: Event) -> Iterator[PageSpec]:
    rng, press = texts.rng_of(event, "coverage"), at.PRESS
    if rng.sub("press").chance(62):
        yield _press(event)
    if event.number % 6 == 2:
        draw = partial(texts.brief, event, press)
        spec = _spec(event, press, f"/briefs/{event.number}", draw, "brief")
        yield spec._replace(mess=frozenset({"ticker"}), teaser=say("{t} in brief", t=event.ticker))
    if rng.sub("figures").chance(28):
        draw = partial(texts.figures, event, press)
        yield _spec(event, press, f"/figures/{slug(event.company.name)}", draw, "figures")
    if rng.sub("move").chance(65):
        wrong = -event.number % 9 - 3 if rng.sub("wrong").chance(25) else 0
        draw = partial(texts.listed_move, event, at.MOVERS, wrong)
        spec = _spec(event, at.MOVERS, f"/moves/{slug(event.person.name)}", draw, "move")
        odd = {"contradictory": bool(wrong), "injection": event.number % 5 == 0}
        yield spec._replace(mess=frozenset(kind for kind, holds in odd.items() if holds))
    if event.number % 3 != 1:
        yield _wiki(event)
    if rng.sub("german").chance(25):
        yield _local(event)


def _wiki(event: Event) -> PageSpec:
    stale = texts.rng_of(event, "wiki").sub("stale").chance(60)
    draw = partial(texts.article, event, stale=stale)
    spec = _spec(event, at.WIKI, f"/w/{event.company.name.replace(' ', '_')}", draw, "wiki")
    return spec._replace(mess=frozenset({"stale"} if stale else ()))


def _press(event: Event) -> PageSpec:
    rng, press = texts.rng_of(event, "press"), at.PRESS
    dateless = rng.sub("dateless").chance(25)
    dateline = None if dateless else texts.dated(press, "Published on", event, rng.sub("day").between(0, 2))
    draw = partial(texts.story, event, "press", press, dateline, short=True)
    mess = {"dateless"} if dateless else set()
    charset = "windows-1252" if event.number % 3 == 0 else "utf-8"
    mess |= {"paywall"} if rng.sub("paywall").chance(20) else set()
    mess |= {"charset"} if charset != "utf-8" else set()
    spec = _spec(event, press, f"/business/{slug(event.company.name)}-{event.number}", draw, "press")
    return spec._replace(mess=frozenset(mess), charset=charset)


def _local(event: Event) -> PageSpec:
    draw = partial(texts.german, event, at.GAZETTE)
    spec = _spec(event, at.GAZETTE, f"/wirtschaft/{slug(event.company.name)}", draw, "local paper")
    return spec._replace(charset="iso-8859-1", mess=frozenset({"charset"}), lang="de")


def _detours(event: Event) -> Iterator[PageSpec]:
    """Copies, print versions, short links and dead ends that lead to the release, or nowhere."""
    i, wire = event.number, at.WIRE
    release = f"https://{wire.host}/releases/{7000 + 13 * i}-{slug(event.company.name)}"
    draw = partial(texts.story, event, "release", wire, texts.dated(wire, "Announced on", event), short=False)
    copy = frozenset({"copy"})
    if i % 5 == 3:
        spec = _spec(event, at.DEPOT, f"/n/{i}", draw, "copy")
        yield spec._replace(target=release, mess=copy, charset="windows-1252")
    if i % 6 == 1:
        yield _spec(event, wire, f"/print/{7000 + 13 * i}", draw, "print")._replace(target=release, mess=copy)
    if i % 5 == 0:
        yield _spec(event, at.SHORT, f"/{i:03d}", draw, "short link")._replace(
            serving="redirect", target=release, mess=frozenset({"redirect"})
        )
    if i % 10 == 0:
        yield _spec(event, at.SHORT, f"/r/{i:03d}", draw, "short link")._replace(
            serving="redirect", target=f"https://{at.SHORT.host}/{i:03d}", mess=frozenset({"redirect"})
        )
    if i % 15 == 3:
        yield _spec(event, at.LOST, f"/mail/{i}", draw, "lost")._replace(
            serving="hangup", mess=frozenset({"hangup"})
        )


def _spec(event: Event, outlet: Outlet, path: str, draw: partial[Document], kind: str) -> PageSpec:
    teaser = texts.teaser(event, kind)
    if outlet is at.LISTINGS:
        teaser = say("Issuer {c}", c=event.company)
    if outlet is at.GAZETTE:
        teaser = say("Neues von {c}", c=event.company)
    return PageSpec(f"https://{outlet.host}{path}", outlet, kind, draw, teaser, lang=outlet.lang)


def _hubs(events: Sequence[Event]) -> Iterator[PageSpec]:
    """Lists that lead to the pages: the newswire's front, each issuer's index, the exchange's directory."""
    firsts = {event.number: list(_first_hand(event)) for event in events}
    for event in events:
        draw = partial(texts.index, event, firsts[event.number][1])
        url = f"https://{at.ISSUER.host}/{slug(event.company.name)}/"
        yield PageSpec(url, at.ISSUER, "hub", draw, say("News of {c}", c=event.company))
    for number, start in enumerate(range(0, len(events), DIRECTORY), 1):
        part = events[start : start + DIRECTORY]
        wire = [link(firsts[e.number][0], texts.headline(e, "front", e.role[0])) for e in part]
        yield _hub(at.WIRE, f"/latest/{number}", Statement(f"Latest releases, page {number}"), wire)
        yield _hub(at.LISTINGS, f"/directory/{number}", Statement(f"Issuers, page {number}"), _table(part))
        filed = [link(firsts[e.number][2], say("Current report, {c}", c=e.company)) for e in part]
        yield _hub(at.REGISTER, f"/list/{number}", Statement(f"Filings, page {number}"), filed)


def _table(events: Sequence[Event]) -> list[Block]:
    admitted = f"admitted to trading on the {at.BOARD.name}"
    return [
        Block(
            "row",
            (_listed_row(event, admitted),),
            f"https://{at.LISTINGS.host}/issuer/{event.ticker.lower()}",
        )
        for event in events
        if event.listed
    ]


def _listed_row(event: Event, admitted: str) -> Statement:
    company = event.company.id
    facts = [("listed", company), ("names", at.BOARD.id), ("ticker", company, event.ticker)]
    return row(event.company, admitted, event.ticker, facts=facts)


def _hub(outlet: Outlet, path: str, title: Statement, entries: Sequence[Block]) -> PageSpec:
    draw = partial(Document, title.within("title"), tuple(entries))
    return PageSpec(f"https://{outlet.host}{path}", outlet, "hub", draw, Statement(title.text, title.facts))
