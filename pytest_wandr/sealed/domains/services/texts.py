"""What does each kind of page about a town say?"""

from __future__ import annotations

from pytest_wandr.sealed.domains.services.towns import Town, services
from pytest_wandr.sealed.prose import filler, sections, sentence, sentences
from pytest_wandr.sealed.rng import Rng
from pytest_wandr.sealed.world import Block, Document, Entity, Outlet, Statement, paragraph, row, say


def _rng(town: Town, kind: str) -> Rng:
    return Rng(town.district, town.number, kind)


def _wording(rng: Rng, section: str) -> str:
    return rng.sub(section).pick(sections("lexicon/services.txt")[section])


def _small(service: Entity) -> Entity:
    return service.called(service.name.lower())


def _fee(town: Town, service: Entity, template: str) -> Statement:
    fee = town.fees[service.id]
    return say(template, ("fee", service.id, fee), t=town.place, s=_small(service), f=fee)


def _valid(town: Town, template: str, style: str, *, old: bool = False) -> Statement:
    day = town.valid_text(style, old=old)
    year = (town.old_valid if old else town.valid).year
    return say(template, ("valid", day), ("year", str(year)), v=day)


def service_title(town: Town, service: Entity) -> Statement:
    """Heading and teaser of a service's page."""
    return say("{s} in {t}", s=service, t=town.place)


def service_page(town: Town, service: Entity) -> Document:
    """One service of one town. Some towns write sentences, some a table."""
    rng = _rng(town, service.id)
    fee = _fee(town, service, _wording(rng, "fee"))
    valid = _valid(town, _wording(rng, "valid"), town.outlet.date_style)
    how = say(_wording(rng, "how"), s=_small(service))
    facts: list[Block] = [paragraph(fee, valid)]
    if town.number % 2:
        amount = f"{town.fees[service.id]} orlings"
        table = row(service, amount, facts=[("fee", service.id, town.fees[service.id])])
        facts = [Block("row", (table,)), paragraph(valid)]
    blocks = (
        paragraph(how, *sentences(rng.sub("open"), "town", 2)),
        *facts,
        *filler(rng, "town", low=13, high=28),
        paragraph(f"“{sentence(rng.sub('said'), 'town')}” {_wording(rng, 'quote')}"),
    )
    return Document(service_title(town, service).within("title"), blocks)


def schedule(town: Town, outlet: Outlet, *, old: bool) -> Document:
    """All fees in one table: the schedule of this year, or the one before."""
    rng = _rng(town, f"schedule {outlet.role} {old}")
    fees = town.old_fees if old and town.current else town.fees
    rows = [row(s, f"{fees[s.id]} orlings", facts=[("fee", s.id, fees[s.id])]) for s in services()]
    blocks = (
        paragraph(*sentences(rng.sub("open"), "town", 2)),
        Block("head", (Statement("Service | Fee", region="table"),)),
        *(Block("row", (line,)) for line in rows),
        paragraph(_valid(town, _wording(rng, "schedule"), outlet.date_style, old=old)),
        *filler(rng, "town", low=10, high=21),
    )
    return Document(say("Schedule of fees of {t}", t=town.place, region="title"), blocks)


def news_title(town: Town) -> Statement:
    """Heading and teaser of the town's news."""
    return say(_wording(_rng(town, "news"), "news"), t=town.place)


def news(town: Town) -> Document:
    """A piece of town news: names services, states no fee."""
    rng = _rng(town, "news")
    lines = [say(_wording(rng.sub(s.id), "how"), s=_small(s)) for s in rng.sub("which").sample(services(), 2)]
    return Document(
        news_title(town).within("title"), (*filler(rng, "town", low=20, high=31), paragraph(*lines))
    )


def blog_title(town: Town) -> Statement:
    """Heading and teaser of a blog entry."""
    return say(_wording(_rng(town, "blog"), "blog"), t=town.place)


def blog(town: Town, outlet: Outlet) -> Document:
    """A blog entry that repeats the fees: right, but from no authority."""
    rng = _rng(town, "blog")
    fees = [paragraph(_fee(town, s, _wording(rng.sub(s.id), "pays"))) for s in services()]
    valid = _valid(town, _wording(rng, "schedule"), outlet.date_style)
    return Document(
        blog_title(town).within("title"),
        (
            *filler(rng, "town", low=10, high=21),
            *fees,
            paragraph(valid),
            *filler(rng.sub(2), "town", low=6, high=14),
        ),
    )
