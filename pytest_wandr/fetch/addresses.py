"""Which addresses may be dialled? Own tables: `is_private` and `is_global` change between patch releases."""

from __future__ import annotations

from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network

_V4_DENIED = tuple(
    (IPv4Network(block), what)
    for block, what in (
        ("0.0.0.0/8", "this network"),
        ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared address space"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "a cloud platform's host service"),
        ("169.254.0.0/16", "link-local, cloud metadata"),
        ("172.16.0.0/12", "private"),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "deprecated 6to4 anycast"),
        ("192.168.0.0/16", "private"),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
_V6_DENIED = tuple(
    (IPv6Network(block), what)
    for block, what in (
        ("::1/128", "loopback"),
        ("::/96", "unspecified or deprecated v4-compatible"),
        ("::ffff:0:0:0/96", "translated v4"),
        ("64:ff9b:1::/48", "local translation"),
        ("100::/64", "discard only"),
        ("2001::/23", "protocol assignments, Teredo"),
        ("2001:db8::/32", "documentation"),
        ("3fff::/20", "documentation"),
        ("5f00::/16", "segment routing"),
        ("fc00::/7", "unique local"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "deprecated site-local"),
        ("ff00::/8", "multicast"),
    )
)
_V6_PUBLIC = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR = IPv6Network("2002::/16")


def refuse_address(text: str) -> str | None:
    """Why this address may not be dialled, or None. Anything that is no plain address is refused."""
    address = parse_address(text)
    if address is None:
        return f"{text!r} is no plain address"
    inner = address if isinstance(address, IPv4Address) else _inner_v4(address)
    if inner is not None:
        return _found_in(_V4_DENIED, inner, text)
    assert isinstance(address, IPv6Address)
    named = _found_in(_V6_DENIED, address, text)
    if named is not None or address in _V6_PUBLIC:
        return named
    return f"{text} is outside the public range 2000::/3"


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """A v4 or v6 address in plain spelling; None for zones, names and every odd form."""
    kind = IPv6Address if ":" in text else IPv4Address
    if "%" in text or not text.isascii():
        return None
    try:
        return kind(text)
    except AddressValueError:
        return None


def _inner_v4(address: IPv6Address) -> IPv4Address | None:
    """The v4 address that a mapped, NAT64 or 6to4 address leads to."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    if address in _SIX_TO_FOUR:
        return IPv4Address((int(address) >> 80) & 0xFFFFFFFF)
    return None


def _found_in(
    table: tuple[tuple[IPv4Network | IPv6Network, str], ...], address: IPv4Address | IPv6Address, text: str
) -> str | None:
    for block, what in table:
        if address in block:
            return f"{text} is not public: {block} ({what})"
    return None
