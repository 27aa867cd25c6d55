"""What does each kind of page about a recalled product say?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.sealed.dates import written
from pytest_wandr.sealed.prose import filler, sections
from pytest_wandr.sealed.rng import Rng
from pytest_wandr.sealed.world import Block, Document, Outlet, Statement, paragraph, row, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.sealed.domains.recalls.products import Product


def _rng(product: Product, kind: str) -> Rng:
    return Rng(product.district, product.number, kind)


def _wording(rng: Rng, section: str) -> str:
    return rng.sub(section).pick(sections("lexicon/recalls.txt")[section])


def _hazard(product: Product, rng: Rng) -> Statement:
    fact = ("hazard", product.item.id, product.hazard)
    return say(_wording(rng, "hazard_line"), fact, p=product.item, h=product.hazard)


def _lot(product: Product, rng: Rng, lot: str) -> Statement:
    return say(_wording(rng.sub(lot), "lot_line"), ("lot", lot), p=product.item, l=lot)


def _remedy(product: Product, rng: Rng) -> Statement:
    fact = ("remedy", product.item.id, product.remedy)
    return say(_wording(rng, "remedy_line"), fact, p=product.item, m=product.maker, y=product.remedy)


def _dated(product: Product, rng: Rng, outlet: Outlet) -> Block:
    day = written(product.recalled, outlet.date_style)
    return Block("p", (say(_wording(rng, "dated"), ("recalled", day), d=day, region="dateline"),))


def _title(product: Product, rng: Rng, section: str = "headline") -> Statement:
    return say(_wording(rng, section), p=product.item, m=product.maker, region="title")


def notice(product: Product, outlet: Outlet, lots: Sequence[str], *, replaced: bool) -> Document:
    """A recall notice: day, hazard, lots, remedy, maker. A first version says that it was replaced."""
    rng = _rng(product, f"notice {outlet.role} {replaced}")
    blocks = [
        _dated(product, rng, outlet),
        *([paragraph(say(_wording(rng, "replaced"), ("replaced",)))] if replaced else []),
        paragraph(_hazard(product, rng), say(_wording(rng, "maker_line"), p=product.item, m=product.maker)),
        *_lots(product, rng, lots),
        *filler(rng, "goods", low=13, high=28),
        paragraph(_remedy(product, rng)),
    ]
    return Document(_title(product, rng), tuple(blocks))


def _lots(product: Product, rng: Rng, lots: Sequence[str]) -> list[Block]:
    """The lots as sentences or as a table."""
    if rng.sub("table").chance(50):
        return [Block("row", (row(product.item, f"lot {lot}", facts=[("lot", lot)]),)) for lot in lots]
    return [Block("p", (_lot(product, rng, lot),)) for lot in lots]


def lot_page(product: Product, outlet: Outlet, lot: str) -> Document:
    """The regulator's page of one lot."""
    rng = _rng(product, f"lot {lot}")
    head = say("Lot {l}: {p}", ("lot", lot), l=lot, p=product.item, region="title")
    blocks = (
        _dated(product, rng, outlet),
        paragraph(_lot(product, rng, lot), _hazard(product, rng)),
        Block("row", (row("Maker", product.maker),)),
        *filler(rng, "goods", low=10, high=21),
    )
    return Document(head, blocks)


def product_page(product: Product, kind: str) -> Document:
    """A page that sells the product and knows of no recall."""
    rng = _rng(product, kind)
    maker = say(_wording(rng, "maker_line"), p=product.item, m=product.maker)
    return Document(_title(product, rng, "shop"), (*filler(rng, "goods", low=16, high=31), paragraph(maker)))


def test_report(product: Product) -> Document:
    """A magazine's report: hazard and a lot, sometimes the misprinted one; no day."""
    rng = _rng(product, "test")
    lot = product.misprint or product.lots[0]
    blocks = (
        *filler(rng, "goods", low=16, high=31),
        paragraph(_lot(product, rng, lot), _hazard(product, rng)),
        paragraph(say(_wording(rng, "maker_line"), p=product.item, m=product.maker)),
    )
    return Document(_title(product, rng, "test"), blocks)


def teaser(product: Product, kind: str) -> Statement:
    """What a sidebar says of a page: the product, never lot, hazard or day."""
    return say(_wording(_rng(product, kind), "teaser"), p=product.item)
