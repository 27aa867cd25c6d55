"""Which districts make up a sealed web, and which pages do they plan?"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.sealed.domains.appointments.events import Event, events
from pytest_wandr.sealed.domains.appointments.pages import pages as appointment_pages
from pytest_wandr.sealed.domains.recalls.pages import pages as recall_pages
from pytest_wandr.sealed.domains.recalls.products import Product, products
from pytest_wandr.sealed.domains.services.pages import pages as service_pages
from pytest_wandr.sealed.domains.services.towns import Town, towns

if TYPE_CHECKING:
    from pytest_wandr.sealed.world import PageSpec

WORLDS = ("demo-1",)
"""The worlds that are promised to stay as they are."""


class World(NamedTuple):
    """What happens in a sealed web, one district for each domain, and the pages that tell of it."""

    events: tuple[Event, ...]
    towns: tuple[Town, ...]
    products: tuple[Product, ...]
    pages: tuple[PageSpec, ...]


@cache
def plan(seed: str) -> World:
    """The world that grows from a seed; any text is one."""
    appointments, services, recalls = (
        f"{seed}/{domain}" for domain in ("appointments", "services", "recalls")
    )
    happened, places, goods = tuple(events(appointments)), tuple(towns(services)), tuple(products(recalls))
    planned = (
        (appointments, appointment_pages(happened)),
        (services, service_pages(places)),
        (recalls, recall_pages(goods)),
    )
    pages = (page._replace(district=district) for district, found in planned for page in found)
    return World(happened, places, goods, tuple(pages))
