"""Which districts make up a sealed web, and which pages do they plan?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from pytest_wandr.sealed.domains.appointments.events import Event, events
from pytest_wandr.sealed.domains.appointments.pages import pages as appointment_pages
from pytest_wandr.sealed.world import PageSpec


@cache
def appointments(name: str) -> Sequence[Event]:
    """The events of the appointments district of a web."""
    return tuple(events(f"{name}/appointments"))


def plan(name: str) -> Sequence[PageSpec]:
    """Every page of a sealed web."""
    if name != "demo-1":
        raise ValueError(f"there is no sealed web {name!r}; there is 'demo-1'")
    return tuple(appointment_pages(appointments(name)))
