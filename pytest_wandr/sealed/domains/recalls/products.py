"""Which products are there, who makes them, which lots were recalled when and why?"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.sealed.dates import later
from pytest_wandr.sealed.names import bank, slug
from pytest_wandr.sealed.prose import sections
from pytest_wandr.sealed.rng import Rng
from pytest_wandr.sealed.world import Entity, Outlet, say

if TYPE_CHECKING:
    from collections.abc import Sequence

WINDOW = (date(2026, 2, 1), date(2026, 6, 30))
MAKERS = 6
EACH = 4
LOTS = 3
COMPANY_START = 60
EARLY = frozenset({7, 16})
TWINS = frozenset({3, 9, 15, 21})


class Product(NamedTuple):
    """One product with its recall. `misprint` is the wrong lot number of an early notice, or empty."""

    district: str
    number: int
    item: Entity
    maker: Entity
    lots: tuple[str, ...]
    misprint: str
    hazard: str
    remedy: str
    recalled: date

    @property
    def maker_outlet(self) -> Outlet:
        """The maker's own site."""
        host = f"www.{slug(self.maker.name.split()[0])}.example"
        banner = say("{m}", m=self.maker)
        return Outlet(host, self.maker.name, "maker", banner, ("dmy", "mdy")[len(host) % 2])

    @property
    def in_window(self) -> bool:
        """Was it recalled in the months that the tasks ask for?"""
        return WINDOW[0] <= self.recalled <= WINDOW[1]


def products(district: str) -> Sequence[Product]:
    """All products of a district, maker by maker; twins share the stem and type of the one before."""
    stems = bank("company", COMPANY_START, MAKERS)
    homes = sections("lexicon/recalls.txt")["home"]
    makers = [Entity(f"maker-{i}", "company", f"{stem} {homes[i]}") for i, stem in enumerate(stems)]
    names = _names(district)
    return [_product(district, i, name, makers[i // EACH]) for i, name in enumerate(names)]


def _names(district: str) -> list[str]:
    stems, types = bank("product", 0, MAKERS * EACH), sections("lexicon/recalls.txt")["type"]
    names: list[str] = []
    for i, stem in enumerate(stems):
        rng = Rng(district, "name", i)
        if i in TWINS:
            stem_before, model, kind = names[-1].split()
            names.append(f"{stem_before} {model[0]}{int(model[1:]) + 2} {kind}")
        else:
            names.append(
                f"{stem} {rng.sub('letter').pick('ABDHKRTX')}{rng.between(11, 79)} {rng.pick(types)}"
            )
    return names


def _product(district: str, number: int, name: str, maker: Entity) -> Product:
    rng = Rng(district, "product", number)
    word = sections("lexicon/recalls.txt")
    lots = tuple(_lot(rng.sub("lot", i), number, i) for i in range(LOTS))
    swapped = lots[0][:-2] + lots[0][-1] + lots[0][-2]
    days = rng.sub("day").between(2, 140)
    return Product(
        district,
        number,
        Entity(f"product-{number}", "product", name),
        maker,
        lots,
        swapped if number % 5 == 0 else "",
        rng.sub("hazard").pick(word["hazard"]),
        rng.sub("remedy").pick(word["remedy"]),
        later(date(2025, 5, 1) if number in EARLY else WINDOW[0], days),
    )


def _lot(rng: Rng, number: int, index: int) -> str:
    """A counter with keyed letters; the last two digits differ, so that a misprint is another number."""
    letters = rng.pick("BCDFGHKLMN") + rng.pick("PQRSTVWXZ")
    tens = rng.sub("tens").below(9)
    return f"{letters}-{100 + 3 * number + index}{tens}{(tens + 1 + rng.sub('one').below(8)) % 10}"
