"""What do the requirements of the demo tasks demand, in facts? The twin of the checks in their task.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.sealed.domains.appointments import events, outlets
from pytest_wandr.sealed.domains.recalls import pages as recalls
from pytest_wandr.sealed.domains.recalls.products import WINDOW as RECALL_WINDOW
from pytest_wandr.sealed.domains.services.towns import ROOT, YEAR
from pytest_wandr.sealed.truth import Rule

if TYPE_CHECKING:
    from pytest_wandr.sealed.plan import World

TOP_ROLES = frozenset(wording for pair in events.PERMANENT.values() for wording in pair)


def makers(world: World) -> frozenset[str]:
    """The makers' own hosts."""
    return frozenset(product.maker_outlet.host for product in world.products)


def named(*fields: str, rule: str = "names") -> Rule:
    """The page names the values of these fields."""
    return Rule(rule, tuple(("names", f"{{{field}}}") for field in fields))


ROLE = Rule("role", (("appointed", "{company_appointee}", "{role}"),), among={"role": TOP_ROLES})
DATED = Rule("window", (("dated", "{announced_on}"),), days={"announced_on": events.WINDOW})
AUTHORITY = Rule("authority", hosts=outlets.AUTHORITY)
ENGLISH = Rule("english", langs=frozenset({"en"}))
STANDING = Rule("standing", barred=(("withdrawn",),))
LEFT = Rule("left", (("left", "{predecessor}"),))
LISTED = Rule("listed", (("listed", "{company}"),))
LISTING_SOURCE = Rule("source", hosts=outlets.LISTING_AUTHORITY)
TICKER = Rule("ticker", (("ticker", "{company}", "{ticker}"),))

FEE = Rule("fee", (("fee", "{service}", "{fee}"),))
VALID = Rule("valid", (("valid", "{valid_from}"),), days={"valid_from": YEAR})
CURRENT_FEE = Rule("current", (("year", "2026"),), barred=(("year", "2024"),))
COUNTY_SOURCE = Rule("source", hosts=frozenset({ROOT}))

LOT = Rule("lot", (("lot", "{lot}"),))
HAZARD = Rule("hazard", (("hazard", "{product}", "{hazard}"),))
RECALLED = Rule("date", (("recalled", "{recalled_on}"),), days={"recalled_on": RECALL_WINDOW})
CURRENT_NOTICE = Rule("current", barred=(("replaced",),))
REMEDY = Rule("remedy", (("remedy", "{product}", "{remedy}"),))


def official(world: World) -> Rule:
    """From the regulator or the maker."""
    return Rule("source", hosts=makers(world) | {recalls.REGULATOR.host})
