"""Who is appointed where, when, and as what? Sixty events, their classes by quota."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.sealed.dates import later
from pytest_wandr.sealed.names import bank, persons
from pytest_wandr.sealed.prose import sections
from pytest_wandr.sealed.rng import Rng
from pytest_wandr.sealed.world import Entity

if TYPE_CHECKING:
    from collections.abc import Sequence

WINDOW = (date(2026, 3, 1), date(2026, 4, 30))
PERMANENT = {"CEO": ("chief executive officer", "CEO"), "CFO": ("chief financial officer", "CFO")}
OTHER = (
    ("chief operating officer", "COO"),
    ("general counsel", "general counsel"),
    ("head of research", "head of research"),
)
QUOTAS = {
    "qualifying": 35, "other": 6, "early": 4, "late": 4, "interim": 4, "withdrawn": 3, "unlisted": 4,
}  # fmt: skip
TWINS = 5


class Event(NamedTuple):
    """One appointment. `role` is written out and short; `klass` says what is special about it."""

    district: str
    number: int
    klass: str
    company: Entity
    person: Entity
    before: Entity
    role: tuple[str, str]
    announced: date
    effective: date
    ticker: str

    @property
    def twin(self) -> bool:
        """Is there another company of the same stem?"""
        return self.number < TWINS or self.number >= sum(QUOTAS.values()) - TWINS

    @property
    def listed(self) -> bool:
        """Is the company admitted to trading?"""
        return self.klass != "unlisted"


def events(district: str) -> Sequence[Event]:
    """All events of a district, in the order of their numbers."""
    rng = Rng(district)
    classes = rng.sub("classes").shuffled([name for name, count in QUOTAS.items() for _ in range(count)])
    names = _companies(rng.sub("companies"), len(classes))
    people = persons(rng.sub("people"), 0, 2 * len(classes))
    return [
        _event((district, i), klass, (name, people[2 * i], people[2 * i + 1]))
        for i, (klass, name) in enumerate(zip(classes, names, strict=True))
    ]


def _event(which: tuple[str, int], klass: str, names: tuple[str, str, str]) -> Event:
    district, number = which
    rng = Rng(district, "event", number)
    announced = _announced(rng.sub("announced"), klass)
    company, person, before = names
    return Event(
        district,
        number,
        klass,
        Entity(f"company-{number}", "company", company),
        Entity(f"person-{2 * number}", "person", person),
        Entity(f"person-{2 * number + 1}", "person", before),
        _role(rng.sub("role"), klass),
        announced,
        later(announced, rng.sub("effective").between(3, 75)),
        _ticker(company, number),
    )


def _companies(rng: Rng, count: int) -> list[str]:
    """Stem and sector word; the last ones are near-namesakes: the stem of an earlier one, another sector."""
    stems, sectors = bank("company", 0, count - TWINS), sections("lexicon/appointments.txt")["sector"]
    names = [f"{stem} {rng.sub(stem).pick(sectors)}" for stem in stems]
    for stem in stems[:TWINS]:
        taken = next(name for name in names if name.startswith(stem))
        others = [word for word in sectors if not taken.endswith(word)]
        names.append(f"{stem} {rng.sub('twin', stem).pick(others)}")
    return names


def _announced(rng: Rng, klass: str) -> date:
    if klass == "early":
        return later(date(2026, 1, 5), rng.below(50))
    if klass == "late":
        return later(date(2026, 5, 4), rng.below(25))
    return later(WINDOW[0], rng.between(1, 55))


def _role(rng: Rng, klass: str) -> tuple[str, str]:
    if klass == "other":
        return rng.pick(OTHER)
    long, short = PERMANENT[rng.pick(("CEO", "CFO"))]
    return (f"interim {long}", f"interim {short}") if klass == "interim" else (long, short)


def _ticker(company: str, number: int) -> str:
    """Four letters; the last two count, so that no two are equal."""
    return company[:2].upper() + chr(65 + number % 26) + chr(65 + number // 26)
