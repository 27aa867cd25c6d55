"""What does each kind of page about an appointment say?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.sealed.dates import later, written
from pytest_wandr.sealed.domains.appointments.outlets import BOARD
from pytest_wandr.sealed.prose import filler, sections, sentences
from pytest_wandr.sealed.rng import Rng
from pytest_wandr.sealed.world import (
    Block,
    Document,
    Fact,
    Outlet,
    PageSpec,
    Statement,
    link,
    paragraph,
    row,
    say,
)

if TYPE_CHECKING:
    from pytest_wandr.sealed.domains.appointments.events import Event


def rng_of(event: Event, kind: str) -> Rng:
    """The draws of one page."""
    return Rng(event.district, event.number, kind)


def wording(rng: Rng, section: str) -> str:
    """One of the wordings of a section."""
    return rng.sub(section).pick(sections("lexicon/appointments.txt")[section])


def dated(outlet: Outlet, verb: str, event: Event, days: int = 0) -> Statement:
    """The dateline of a page."""
    day = written(later(event.announced, days), outlet.date_style)
    return say("{verb} {day}.", ("dated", day), verb=verb, day=day, region="dateline")


def appointed(event: Event, role: str) -> Fact:
    """The fact that the event's person got a role of that wording."""
    return ("appointed", event.person.id, role)


def headline(event: Event, kind: str, role: str) -> Statement:
    """The event in one line."""
    template = wording(rng_of(event, kind), "headline")
    return say(template, appointed(event, role), c=event.company, p=event.person, r=role, region="title")


def lead(event: Event, kind: str, role: str, outlet: Outlet) -> Statement:
    """The event in one sentence, with the day on which the post begins."""
    template = wording(rng_of(event, kind), "lead")
    day = written(event.effective, outlet.date_style)
    return say(template, appointed(event, role), c=event.company, p=event.person, r=role, e=day)


def extras(event: Event, kind: str) -> list[Statement]:
    """Quote, predecessor, a line about the company, and whether the appointment was withdrawn."""
    rng = rng_of(event, kind)
    goods = wording(rng, "goods")
    said = [
        say(wording(rng, "before"), ("left", event.before.id), o=event.before),
        say(wording(rng, "quote"), p=event.person),
        say(wording(rng, "about"), c=event.company, goods=goods),
    ]
    if event.klass == "withdrawn":
        fact = ("withdrawn",)
        said.append(say(wording(rng, "withdrawn"), fact, c=event.company, p=event.person))
    return said


def story(event: Event, kind: str, outlet: Outlet, dateline: Statement | None, *, short: bool) -> Document:
    """A release, an issuer's news page, a press story: headline, dateline, lead, extras."""
    role = event.role[1 if short else 0]
    rng = rng_of(event, kind)
    head = headline(event, kind, role)
    before, quote, about, *notes = extras(event, kind)
    body = filler(rng, "business", low=20, high=42)
    blocks = [
        *([Block("p", (dateline,))] if dateline else []),
        paragraph(lead(event, kind, role, outlet), before),
        body[0],
        paragraph(quote),
        *body[1:],
        paragraph(about),
        *(paragraph(note) for note in notes),
    ]
    summary = head.within("meta") if rng.sub("summary").chance(50) else None
    return Document(head, tuple(blocks), summary)


def admitted(event: Event) -> Statement:
    """That the company is listed."""
    fact = ("listed", event.company.id)
    return say("{c} is admitted to trading on the {x}.", fact, c=event.company, x=BOARD)


def filing(event: Event, outlet: Outlet) -> Document:
    """A filing: cover table, then the item."""
    company = event.company
    day = written(event.announced, outlet.date_style)
    fact = ("ticker", company.id, event.ticker)
    inc = company.called(f"{company.name} Inc.")
    head = say("Current report of {c}, {t}", fact, c=inc, t=event.ticker)
    blocks = [
        Block("row", (row("Registrant", inc),)),
        Block("row", (row("Ticker", event.ticker),)),
        Block("row", (row("Date of report", day, facts=[("dated", day)]),)),
        Block("h2", (Statement("Departure and election of officers"),)),
        paragraph(lead(event, "filing", event.role[0], outlet)),
        paragraph(say(wording(rng_of(event, "filing"), "before"), ("left", event.before.id), o=event.before)),
        *filler(rng_of(event, "filing"), "business", low=10, high=21),
        *([paragraph(admitted(event))] if event.listed else []),
    ]
    return Document(head.within("title"), tuple(blocks))


def brief(event: Event, outlet: Outlet) -> Document:
    """A press brief that knows the company by its ticker only."""
    ticker, role = event.ticker, event.role[1]
    head = say("{t} appoints {p} as {r}", appointed(event, role), t=ticker, p=event.person, r=role)
    note = sentences(rng_of(event, "brief"), "business", 4)
    blocks = (Block("p", (dated(outlet, "Published on", event),)), paragraph(" ".join(note)))
    return Document(head.within("title"), blocks)


def listed_move(event: Event, outlet: Outlet, days: int) -> Document:
    """An aggregator's entry; the day may be wrong."""
    role = event.role[1]
    head = headline(event, "move", role)
    blocks = (
        Block("p", (dated(outlet, "Announced on", event, days),)),
        Block("row", (row("Company", event.company),)),
        Block("row", (row("Person", event.person),)),
        Block("row", (row("Role", role),)),
        Block("row", (row("Previously", event.before),)),
        *filler(rng_of(event, "move"), "business", low=6, high=14),
    )
    return Document(head, blocks)


def article(event: Event, *, stale: bool) -> Document:
    """A wiki article; a stale one still knows the predecessor only."""
    rng = rng_of(event, "wiki")
    head, who = event.before if stale else event.person, event.company
    goods = wording(rng, "goods")
    blocks = (
        paragraph(say(wording(rng, "wiki"), c=who, goods=goods)),
        Block("row", (row("Company", who),)),
        Block("row", (row("Key person", head),)),
        Block("row", (row("Products", goods),)),
        *filler(rng, "business", low=13, high=31),
    )
    return Document(say("{c}", c=who, region="title"), blocks)


def figures(event: Event, outlet: Outlet) -> Document:
    """A quarterly report: names both, says nothing of the appointment."""
    rng = rng_of(event, "figures")
    blocks = (
        Block("p", (dated(outlet, "Published on", event, rng.sub("day").between(1, 4)),)),
        *filler(rng, "business", low=16, high=31),
        paragraph(say(wording(rng, "figures_quote"), c=event.company, p=event.person)),
        *([paragraph(admitted(event))] if event.listed else []),
    )
    return Document(say(wording(rng, "figures"), c=event.company, region="title"), blocks)


def issuer_page(event: Event, outlet: Outlet) -> Document:
    """The exchange's page of one issuer."""
    company = event.company
    since = written(later(event.announced, -rng_of(event, "since").between(900, 6000)), outlet.date_style)
    status = (
        admitted(event)
        if event.listed
        else say("{c} has asked for a place on the {x}; no decision was made.", c=company, x=BOARD)
    )
    blocks = (
        Block("row", (row("Issuer", company),)),
        Block("row", (row("Ticker", event.ticker),)),
        Block("row", (row("On file since", since),)),
        paragraph(status),
        *filler(rng_of(event, "issuer page"), "business", low=6, high=14),
    )
    fact = ("ticker", company.id, event.ticker)
    return Document(say("Issuer {t}: {c}", fact, t=event.ticker, c=company, region="title"), blocks)


def german(event: Event, outlet: Outlet) -> Document:
    """The local paper's story: in German, without the role."""
    rng = rng_of(event, "german")
    body = rng.sub("order").shuffled(sections("lexicon/appointments.txt")["german_body"][1:])
    first = sections("lexicon/appointments.txt")["german_body"][0]
    blocks = (
        Block("p", (dated(outlet, "Veröffentlicht am", event, 1),)),
        paragraph(say(first, c=event.company, p=event.person), *body[:2]),
        paragraph(*body[2:4]),
        *([paragraph("Im Wortlaut:", headline(event, "release", event.role[0]))] if event.number % 2 else []),
    )
    return Document(say(wording(rng, "german"), c=event.company, p=event.person, region="title"), blocks)


def index(event: Event, news: PageSpec) -> Document:
    """The issuer's list of news: the headline, and how to reach the company."""
    entries = (
        link(news, headline(event, "index", event.role[0])),
        paragraph(say("Contact of {c}", c=event.company)),
        *filler(rng_of(event, "index"), "business", low=6, high=10),
    )
    return Document(say("News of {c}", c=event.company, region="title"), entries)


def teaser(event: Event, kind: str) -> Statement:
    """What a sidebar says of the event: never the role, never a day."""
    return say(wording(rng_of(event, kind), "teaser"), c=event.company, p=event.person)
