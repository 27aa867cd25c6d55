"""Which pages tell of the recalls, and what is wrong with each? The plan, by quota."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pytest_wandr.sealed.domains.recalls import texts
from pytest_wandr.sealed.names import slug
from pytest_wandr.sealed.world import Document, Outlet, PageSpec, Serving, Statement, link, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_wandr.sealed.domains.recalls.products import Product


def _outlet(host: str, name: str, role: str, style: str) -> Outlet:
    return Outlet(f"{host}.example", name, role, Statement(name), style)


REGULATOR = _outlet("recalls.safegoods", "Safegoods Office: recalls", "regulator", "iso")
SHOP = _outlet("www.corneremporium", "Corner Emporium", "shop", "dmy")
MAGAZINE = _outlet("www.kitchenweekly", "Kitchen Weekly", "magazine", "mdy")
WALLS: tuple[Serving, ...] = ("soft404", "script", "consent", "gone", "login")


def pages(products: Sequence[Product]) -> Iterator[PageSpec]:
    """Every page of the domain."""
    for product in products:
        yield from _official(product)
        yield from _maker(product)
        yield from _trade(product)
    for number, start in enumerate(range(0, len(products), 12), 1):
        listed = [_notice(product) for product in products[start : start + 12]]
        yield _hub(REGULATOR, f"/list/{number}", Statement(f"Notices, page {number}"), listed)
    for first in {product.maker.id: product for product in products}.values():
        own = [_maker_page(product) for product in products if product.maker == first.maker]
        yield _hub(first.maker_outlet, "/", say("Products of {m}", m=first.maker), own)


def _notice(product: Product) -> PageSpec:
    draw = partial(texts.notice, product, REGULATOR, product.lots, replaced=False)
    serving: Serving = "pdf" if product.number % 6 == 4 else "page"
    path = f"/notice/{2600 + 7 * product.number}{'.pdf' if serving == 'pdf' else ''}"
    spec = _spec(product, REGULATOR, path, "notice", draw)
    return spec._replace(serving=serving, mess=frozenset({serving} - {"page"}))


def _official(product: Product) -> Iterator[PageSpec]:
    yield _notice(product)
    if product.number % 5 in (0, 3):
        first = (product.misprint or product.lots[0], product.lots[1])
        draw = partial(texts.notice, product, REGULATOR, first, replaced=True)
        path = f"/notice/{2600 + 7 * product.number}/first"
        spec = _spec(product, REGULATOR, path, "first notice", draw)
        mess = {"stale", "contradictory"} if product.misprint else {"stale"}
        yield spec._replace(mess=frozenset(mess))
    for lot in product.lots:
        draw_lot = partial(texts.lot_page, product, REGULATOR, lot)
        yield _spec(product, REGULATOR, f"/lot/{lot.lower()}", "lot", draw_lot)
    if product.number % 4 == 1:
        target = f"https://{REGULATOR.host}/lot/{product.lots[0].lower()}"
        spec = _spec(product, REGULATOR, f"/q/{product.number}", "short link", _any(product))
        yield spec._replace(serving="redirect", target=target, mess=frozenset({"redirect"}))


def _maker_page(product: Product) -> PageSpec:
    outlet = product.maker_outlet
    draw = partial(texts.notice, product, outlet, product.lots, replaced=False)
    return _spec(product, outlet, f"/safety/{slug(product.item.name)}", "maker notice", draw)


def _maker(product: Product) -> Iterator[PageSpec]:
    outlet = product.maker_outlet
    yield _maker_page(product)
    draw = partial(texts.product_page, product, "maker page")
    yield _spec(product, outlet, f"/products/{slug(product.item.name)}", "maker page", draw)
    if product.number % 2:
        serving = WALLS[product.number // 2 % len(WALLS)]
        spec = _spec(product, outlet, f"/support/{product.number}", "support", _any(product))
        yield spec._replace(serving=serving, mess=frozenset({serving}))


def _trade(product: Product) -> Iterator[PageSpec]:
    draw = partial(texts.notice, product, SHOP, product.lots[:2], replaced=False)
    yield _spec(product, SHOP, f"/recall/{slug(product.item.name)}", "shop notice", draw)
    if product.number % 2:
        sells = partial(texts.product_page, product, "shop page")
        yield _spec(product, SHOP, f"/p/{slug(product.item.name)}", "shop page", sells)
    if product.number % 4 != 2:
        report = partial(texts.test_report, product)
        spec = _spec(product, MAGAZINE, f"/tests/{slug(product.item.name)}", "test", report)
        yield spec._replace(mess=frozenset({"contradictory"} if product.misprint else ()))


def _any(product: Product) -> partial[Document]:
    return partial(texts.product_page, product, "nowhere")


def _spec(product: Product, outlet: Outlet, path: str, kind: str, draw: partial[Document]) -> PageSpec:
    return PageSpec(f"https://{outlet.host}{path}", outlet, kind, draw, texts.teaser(product, kind))


def _hub(outlet: Outlet, path: str, title: Statement, listed: Sequence[PageSpec]) -> PageSpec:
    draw = partial(Document, title.within("title"), tuple(map(link, listed)))
    return PageSpec(f"https://{outlet.host}{path}", outlet, "hub", draw, title)
