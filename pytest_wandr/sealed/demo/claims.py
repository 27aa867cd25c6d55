"""What could be claimed about the sealed web? True claims and others, in all wordings that a page may use."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.sealed.dates import later, written
from pytest_wandr.sealed.domains.services.towns import COUNTY_NAME, Town, services
from pytest_wandr.sealed.truth import Known

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pytest_wandr.sealed.domains.appointments.events import Event
    from pytest_wandr.sealed.domains.recalls.products import Product
    from pytest_wandr.sealed.plan import World

STYLES = ("dmy", "mdy", "iso", "de")


class Claim(NamedTuple):
    """An item, and for each answer field the wordings in which a page may state it."""

    item: Mapping[str, str]
    answer: Mapping[str, tuple[str, ...]] = {}


def known(world: World) -> Known:
    """The names and the days of a world."""
    entities = {}
    for event in world.events:
        for entity in (event.company, event.person, event.before):
            entities[entity.name.casefold()] = entity.id
    for town in world.towns:
        entities[town.place.name.casefold()] = town.place.id
    for service in services():
        entities[service.name.casefold()] = service.id
    for product in world.products:
        entities[product.item.name.casefold()] = product.item.id
        entities[product.maker.name.casefold()] = product.maker.id
    return Known(entities, _days())


@cache
def _days() -> Mapping[str, date]:
    """Every day of three years in every style."""
    days = (later(date(2024, 1, 1), n) for n in range(3 * 366))
    return {written(day, style): day for day in days for style in STYLES}


def _wordings(day: date) -> tuple[str, ...]:
    return tuple(written(day, style) for style in STYLES)


def appointments(events: Iterable[Event]) -> list[Claim]:
    """Company, appointee, role, day. Follow-ups are dated up to four days later."""
    return [
        Claim(
            {"company": event.company.name, "company_appointee": event.person.name},
            {
                "role": event.role,
                "announced_on": tuple(
                    wording for days in range(5) for wording in _wordings(later(event.announced, days))
                ),
            },
        )
        for event in events
    ]


def roles(events: Iterable[Event]) -> list[Claim]:
    """Company, appointee, role."""
    return [
        Claim({"company": event.company.name, "company_appointee": event.person.name}, {"role": event.role})
        for event in events
    ]


def predecessors(events: Iterable[Event]) -> list[Claim]:
    """Company, appointee, and who held the post before."""
    return [
        Claim(
            {"company": event.company.name, "company_appointee": event.person.name},
            {"predecessor": (event.before.name,)},
        )
        for event in events
    ]


def listings(events: Iterable[Event]) -> list[Claim]:
    """Company alone."""
    return [Claim({"company": event.company.name}) for event in events]


def tickers(events: Iterable[Event]) -> list[Claim]:
    """Company and ticker."""
    return [Claim({"company": event.company.name}, {"ticker": (event.ticker,)}) for event in events]


def fees(
    towns: Iterable[Town], labels: tuple[str, ...], *, dated: bool, old: bool = False
) -> Iterator[Claim]:
    """Town, service, fee, and if asked for the first day of validity; else with the county."""
    for town in towns:
        for service in services():
            if service.name in labels:
                fee = (town.old_fees if old else town.fees)[service.id]
                yield _fee(town, service.name, fee, dated=dated)


def _fee(town: Town, service: str, fee: str, *, dated: bool) -> Claim:
    item = {"town": town.place.name, "service": service}
    if not dated:
        return Claim({**item, "county": COUNTY_NAME.name}, {"fee": (fee,)})
    days = (*_wordings(town.valid), *_wordings(town.old_valid))
    return Claim(item, {"fee": (fee,), "valid_from": days})


def lots(products: Iterable[Product]) -> Iterator[Claim]:
    """Product, lot, hazard, day."""
    for product in products:
        for lot in product.lots:
            answer = {"hazard": (product.hazard,), "recalled_on": _wordings(product.recalled)}
            yield Claim({"product": product.item.name, "lot": lot}, answer)


def hazards(products: Iterable[Product]) -> Iterator[Claim]:
    """Product with its maker, hazard."""
    for product in products:
        item = {"product": product.item.name, "maker": product.maker.name}
        yield Claim(item, {"hazard": (product.hazard,)})


def remedies(products: Iterable[Product]) -> Iterator[Claim]:
    """Maker, product, lot, remedy."""
    for product in products:
        for lot in product.lots:
            item = {"maker": product.maker.name, "product": product.item.name, "lot": lot}
            yield Claim(item, {"remedy": (product.remedy,)})
