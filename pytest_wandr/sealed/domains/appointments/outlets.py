"""Who publishes about companies? One host per outlet; its role decides whether it counts as an authority."""

from __future__ import annotations

from pytest_wandr.sealed.world import Entity, Outlet, Statement, say

BOARD = Entity("exchange", "text", "Tamarin Board")


def _outlet(host: str, name: str, role: str, style: str = "dmy", lang: str = "en") -> Outlet:
    return Outlet(f"{host}.example", name, role, Statement(name), style, lang)


WIRE = _outlet("wire.brassleaf", "Brassleaf Newswire", "newswire")
ISSUER = _outlet("investors.stonequay", "Stonequay Investor Pages", "issuer", "mdy")
REGISTER = _outlet("filings.registeroffice", "Register Office: Company Filings", "register", "iso")
PRESS = _outlet("www.harbourledger", "The Harbour Ledger", "press")
MOVERS = _outlet("movers.chairwatch", "Chairwatch: people on the move", "aggregator", "mdy")
WIKI = _outlet("wiki.openfolio", "Openfolio, the free company wiki", "wiki")
LISTINGS = _outlet("listings.tamarinboard", "Tamarin Board: Issuers", "listing_authority")._replace(
    banner=say("{x}: Issuers", x=BOARD)
)
GAZETTE = _outlet("www.tagesblick", "Tagesblick", "local paper", "de", "de")
DEPOT = _outlet("mirror.newsdepot", "Newsdepot", "mirror")
SHORT = _outlet("go.brassleaf", "Brassleaf short links", "shortener")
LOST = _outlet("relay.lostpost", "Lostpost Relay", "dead host")

AUTHORITY = frozenset(outlet.host for outlet in (WIRE, ISSUER, REGISTER, PRESS))
LISTING_AUTHORITY = frozenset((LISTINGS.host, REGISTER.host))
