"""Which towns are there, what do they charge, and since when?"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.sealed.dates import written
from pytest_wandr.sealed.names import bank, slug
from pytest_wandr.sealed.prose import sections
from pytest_wandr.sealed.rng import Rng
from pytest_wandr.sealed.world import Entity, Outlet, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

YEAR = (date(2026, 1, 1), date(2026, 12, 31))
ALONE = 14
PAIRS = 3
BEHIND = 2
ROOT = "wendmere.example"
COUNTY_NAME = Entity("county", "place", "Wendmere County")


class Town(NamedTuple):
    """One town: its fees now and before, and the first day of either schedule."""

    district: str
    number: int
    place: Entity
    fees: Mapping[str, str]
    old_fees: Mapping[str, str]
    valid: date
    old_valid: date

    @property
    def host(self) -> str:
        """Where the town's own pages are."""
        return f"{slug(self.place.name)}.{ROOT}"

    @property
    def outlet(self) -> Outlet:
        """The town's own site."""
        banner = say("Town of {t}", t=self.place)
        style = ("dmy", "mdy", "iso")[self.number % 3]
        return Outlet(self.host, f"Town of {self.place.name}", "town", banner, style)

    @property
    def current(self) -> bool:
        """Does the schedule of this year exist? Where not, the old one still stands."""
        return YEAR[0] <= self.valid <= YEAR[1]

    def valid_text(self, style: str, *, old: bool = False) -> str:
        """The first day of a schedule, as a page writes it."""
        return written(self.old_valid if old else self.valid, style)


def services() -> Sequence[Entity]:
    """The services that every town offers: the labels of the matrix."""
    names = sections("lexicon/services.txt")["service"]
    return [Entity(f"service-{i}", "enum", name) for i, name in enumerate(names)]


def towns(district: str) -> Sequence[Town]:
    """All towns of a district; the last ones are pairs that differ in Upper and Lower only."""
    names = list(bank("town", 0, ALONE + PAIRS))
    pairs = [f"{side} {name}" for name in names[ALONE:] for side in ("Upper", "Lower")]
    return [_town(district, i, name) for i, name in enumerate([*names[:ALONE], *pairs])]


def _town(district: str, number: int, name: str) -> Town:
    twin = Rng(district, "fees", name.removeprefix("Upper ").removeprefix("Lower "))
    fees = {s.id: str(twin.sub(s.id).between(11, 96)) for s in services()}
    old = {key: str(int(fee) - twin.sub("old", key).between(2, 9)) for key, fee in fees.items()}
    old_valid = date(2024, twin.sub("old valid").between(1, 6), 1)
    behind = number in range(ALONE - BEHIND, ALONE)
    valid = old_valid if behind else date(2026, twin.sub("valid").between(1, 6), 1)
    place = Entity(f"town-{number}", "place", name)
    return Town(district, number, place, fees, old, valid, old_valid)
