"""Which eight tasks are there, and which records does the oracle hand in for each?"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.sealed.demo import claims, rules
from pytest_wandr.sealed.demo.claims import Claim
from pytest_wandr.sealed.demo.prove import Library, NodePlan
from pytest_wandr.sealed.truth import Demand

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_wandr.sealed.domains.appointments.events import Event
    from pytest_wandr.sealed.domains.recalls.products import Product
    from pytest_wandr.sealed.domains.services.towns import Town
    from pytest_wandr.sealed.world import PageSpec

FOUR = ("Dog licence", "Parking permit", "Marriage certificate", "Garden waste bin")
THREE = ("Parking permit", "Market stall", "Library card")


class TaskPlan(NamedTuple):
    """One demo task: its nodes, and the hosts where its pages are."""

    id: str
    nodes: Sequence[NodePlan]
    hosts: frozenset[str]


def catalog(library: Library) -> list[TaskPlan]:
    """All demo tasks, by id."""
    tasks = [
        _appointments(library),
        _changes(library),
        _listed(library),
        _fees(library),
        _double(library),
        _lots(library),
        _sources(library),
        _makers(library),
    ]
    return sorted(tasks, key=lambda task: task.id)


def _split(events: Sequence[Event], count: int) -> tuple[list[Event], list[Event]]:
    """The first qualifying events, and all others."""
    kept = [event for event in events if event.klass == "qualifying"][:count]
    return kept, [event for event in events if event not in kept]


def _appointments(library: Library) -> TaskPlan:
    kept, rest = _split(library.world.events, 32)
    main = NodePlan(
        "ceo_cfo_appointments",
        Demand(
            (rules.named("company", "company_appointee"), rules.ROLE, rules.DATED, rules.AUTHORITY),
            ("role", "announced_on"),
        ),
        claims.appointments(kept),
        others=claims.appointments(rest),
    )
    listing = NodePlan(
        "ceo_cfo_appointments.company_listing",
        Demand((rules.named("company"), rules.LISTED, rules.LISTING_SOURCE)),
        claims.listings(kept),
        others=claims.listings(rest),
    )
    return TaskPlan("ceo_cfo_appointments", (main, listing), _hosts(library, "appointments"))


def _changes(library: Library) -> TaskPlan:
    kept, rest = _split(library.world.events[::-1], 12)
    names = rules.named("company", "company_appointee")
    main = NodePlan(
        "executive_changes",
        Demand((names, rules.ROLE, rules.ENGLISH, rules.STANDING), ("role",)),
        claims.roles(kept),
        pages=2,
        others=claims.roles(rest),
    )
    before = NodePlan(
        "executive_changes.predecessor",
        Demand((rules.named("company", "company_appointee", "predecessor"), rules.LEFT), ("predecessor",)),
        claims.predecessors(kept),
        others=claims.predecessors(rest),
    )
    listing = NodePlan(
        "executive_changes.company_listing",
        Demand((rules.named("company"), rules.LISTED)),
        claims.listings(kept),
        others=claims.listings(rest),
    )
    return TaskPlan("executive_changes", (main, before, listing), _hosts(library, "appointments"))


def _listed(library: Library) -> TaskPlan:
    listed = [event for event in library.world.events if event.listed]
    kept, rest = listed[:22], [event for event in library.world.events if event not in listed[:22]]
    crossed = [Claim({"company": one.company.name}, {"ticker": (two.ticker,)}) for one, two in pairwise(kept)]
    node = NodePlan(
        "listed_issuers",
        Demand((rules.named("company"), rules.LISTED, rules.TICKER, rules.LISTING_SOURCE), ("ticker",)),
        claims.tickers(kept),
        others=[*claims.tickers(rest), *crossed],
    )
    return TaskPlan("listed_issuers", (node,), _hosts(library, "appointments"))


def _current(towns: Sequence[Town], count: int) -> list[Town]:
    return [town for town in towns if town.current][-count:]


def _labels(names: tuple[str, ...]) -> dict[str, frozenset[str]]:
    return {"service": frozenset(names)}


def _fees(library: Library) -> TaskPlan:
    towns = library.world.towns
    kept = _current(towns, 17)
    rest = [town for town in towns if town not in kept]
    others = [
        *claims.fees(rest, FOUR, dated=True),
        *claims.fees(kept, FOUR, dated=True, old=True),
        *claims.fees(kept, ("Library card",), dated=True),
    ]
    node = NodePlan(
        "town_service_fees",
        Demand(
            (rules.named("town", "service"), rules.FEE, rules.VALID, rules.COUNTY_SOURCE),
            ("fee", "valid_from"),
            _labels(FOUR),
        ),
        list(claims.fees(kept, FOUR, dated=True)),
        others=others,
    )
    return TaskPlan("town_service_fees", (node,), _hosts(library, "services"))


def _double(library: Library) -> TaskPlan:
    towns = library.world.towns
    kept = _current(towns, 8)
    rest = [town for town in towns if town not in kept]
    others = [
        *claims.fees(rest, THREE, dated=False),
        *claims.fees(kept, THREE, dated=False, old=True),
        *claims.fees(kept, ("Dog licence",), dated=False),
    ]
    node = NodePlan(
        "town_fees_double_proof",
        Demand((rules.named("town", "service"), rules.FEE, rules.CURRENT_FEE), ("fee",), _labels(THREE)),
        list(claims.fees(kept, THREE, dated=False)),
        pages=2,
        others=others,
    )
    return TaskPlan("town_fees_double_proof", (node,), _hosts(library, "services"))


def _recalled(products: Iterable[Product], count: int) -> tuple[list[Product], list[Product]]:
    kept = [product for product in products if product.in_window][:count]
    return kept, [product for product in products if product not in kept]


def _renamed(products: Sequence[Product]) -> list[Product]:
    """The products under the name of the next one: for twins, a model number apart."""
    return [one._replace(item=two.item) for one, two in pairwise(products)]


def _swapped(found: Iterable[Claim], field: str, wrong: str) -> list[Claim]:
    """The claims with another answer."""
    return [
        claim._replace(answer={**claim.answer, field: (wrong,)})
        for claim in found
        if claim.answer[field] != (wrong,)
    ]


def _lots(library: Library) -> TaskPlan:
    kept, rest = _recalled(library.world.products, 16)
    good = [claim for i, claim in enumerate(claims.lots(kept)) if i % 3 < 2]
    misprints = [product._replace(lots=(product.misprint,)) for product in kept if product.misprint]
    node = NodePlan(
        "recalled_lots",
        Demand(
            (
                rules.named("product", rule="product"),
                rules.LOT,
                rules.HAZARD,
                rules.RECALLED,
                rules.CURRENT_NOTICE,
                rules.official(library.world),
            ),
            ("hazard", "recalled_on"),
        ),
        good,
        others=[
            *claims.lots(misprints),
            *claims.lots(rest),
            *_swapped(good, "hazard", "choking"),
            *claims.lots(_renamed(kept)),
        ],
    )
    return TaskPlan("recalled_lots", (node,), _hosts(library, "recalls"))


def _sources(library: Library) -> TaskPlan:
    kept = list(library.world.products[-11:])
    good = list(claims.hazards(kept))
    crossed = [
        claim._replace(item={**claim.item, "maker": library.world.products[0].maker.name}) for claim in good
    ]
    node = NodePlan(
        "recall_three_sources",
        Demand((rules.named("product", "maker"), rules.HAZARD), ("hazard",)),
        good,
        pages=3,
        others=[*crossed, *_swapped(good, "hazard", "choking")],
    )
    return TaskPlan("recall_three_sources", (node,), _hosts(library, "recalls"))


def _makers(library: Library) -> TaskPlan:
    kept = [product for product in library.world.products if product.number % 4 < 2][:10]
    good = [claim for i, claim in enumerate(claims.remedies(kept)) if i % 3 < 2]
    made_by_others = [one._replace(maker=two.maker) for one, two in pairwise(kept) if one.maker != two.maker]
    node = NodePlan(
        "maker_recalls",
        Demand(
            (rules.named("maker", "product"), rules.LOT, rules.REMEDY, rules.official(library.world)),
            ("remedy",),
        ),
        good,
        others=[*_swapped(good, "remedy", "a new part by post"), *claims.remedies(made_by_others)],
    )
    return TaskPlan("maker_recalls", (node,), _hosts(library, "recalls"))


def _hosts(library: Library, domain: str) -> frozenset[str]:
    """The hosts of the pages of a domain."""
    return frozenset(spec.outlet.host for spec in pages_of(library, domain))


def pages_of(library: Library, domain: str) -> list[PageSpec]:
    """The pages of a domain, in the order of the plan."""
    wanted = f"{library.web.name}/{domain}"
    return [spec for spec in library.web if spec.district == wanted]
