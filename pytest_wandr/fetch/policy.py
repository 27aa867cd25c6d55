"""May this url be fetched at all? Everything that can be said from its text and its resolved addresses."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.cassettes.urls import ascii_host, clean_url
from pytest_wandr.fetch.addresses import parse_address, refuse_address
from pytest_wandr.model import FetchProblem, Page

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_URL = 2048
_MAX_SENT = 9 * MAX_URL  # percent-encoding makes at most nine characters of one
PORTS = frozenset({80, 443, 8080, 8443})
RESERVED = ("test", "invalid", "example")
"""Suffixes that never exist in public. Invented webs live under them, so a recording may have them."""
_LOCAL = (
    "localhost", "local", "localdomain", "localdomain4", "localdomain6", "internal", "intranet", "private",
    "lan", "home", "corp", "mail", "domain", "workgroup", "arpa", "onion", "i2p", "alt", "svc", "cluster",
    "consul", "metadata.goog", "metadata.tencentyun.com",
)  # fmt: skip
_FORBIDDEN = re.compile(
    r'[\x00-\x20<>"\\^`{|}\x7f-\xa0\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000'
    r"\ud800-\udfff\ufeff\ufff0-\uffff\U000e0000-\U000e0fff]"
)
_SPLIT = re.compile(r"(https?)://([^/?#]*)", re.IGNORECASE)
_AUTHORITY = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]*)(?::(?P<port>[0-9]{0,5}))?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_TOP_LABEL = re.compile(r"[a-z](?:[a-z0-9-]*[a-z0-9])?")


class Target(NamedTuple):
    """Where a url that passed leads: what is dialled, and what the certificate must name."""

    scheme: str
    host: str
    port: int


class Refusal(NamedTuple):
    """Why a url may not be fetched. `reserved`: only because its name can never be public."""

    reason: str
    reserved: bool = False
    host: str = ""


def refuse_url(url: str, resolved: Sequence[str] | None = None) -> str | None:
    """Why this url may not be fetched, or None. `resolved` are the addresses of its host, when known."""
    target = _too_long(url) or target_of(url)
    if isinstance(target, Refusal):
        return target.reason
    return None if resolved is None else refuse_answers(target.host, resolved)


def refuse_answers(host: str, resolved: Sequence[str]) -> str | None:
    """Why these addresses of a host may not be dialled. One bad answer refuses all."""
    if not resolved:
        return f"{host} has no address"
    reasons = (refuse_address(address) for address in sorted(resolved))
    return next((f"{host} leads to {reason}" for reason in reasons if reason is not None), None)


def target_of(url: str, allow: frozenset[str] = frozenset()) -> Target | Refusal:
    """Read a url strictly: its target, or why it is refused. `allow` holds exact `host:port` entries."""
    if len(url) > _MAX_SENT:
        return Refusal("the url is too long to be sent")
    bad = _FORBIDDEN.search(url)
    if bad is not None:
        return Refusal(f"the url holds the character U+{ord(bad[0]):04X}")
    split = _SPLIT.match(url)
    if split is None:
        return Refusal("only full http:// and https:// urls are fetched")
    scheme, authority = split[1].lower(), split[2]
    if authority in allow:
        host, _, port = authority.rpartition(":")
        return Target(scheme, host, int(port))
    return _target(scheme, authority)


def refuse_unrecorded(url: str, allow: frozenset[str] = frozenset()) -> str | None:
    """Why a url can never lead to a page, also not in an invented web under a reserved name."""
    target = _too_long(url) or target_of(url, allow)
    return target.reason if isinstance(target, Refusal) and not target.reserved else None


def refuse_spelling(url: str, allow: frozenset[str] = frozenset()) -> str | None:
    """Why a url is refused as it was cited, although it would pass as it would be sent."""
    refused = refuse_unrecorded(url, allow)
    if refused is None or isinstance(_too_long(url), Refusal):
        return refused
    return refused if refuse_unrecorded(clean_url(url), allow) is None else None


def blocked(url: str, reason: str, *, final_url: str = "") -> Page:
    """The page in place of a refused url."""
    problem = FetchProblem(kind="blocked", detail=reason)
    return Page(url=url, final_url=final_url or url, problem=problem)


def _too_long(url: str) -> Refusal | None:
    return Refusal(f"the url is longer than {MAX_URL} characters") if len(url) > MAX_URL else None


def _target(scheme: str, authority: str) -> Target | Refusal:
    if "@" in authority:
        return Refusal("the url carries credentials, or an @ that hides its host")
    match = _AUTHORITY.fullmatch(authority)
    if match is None or "%" in authority:
        return Refusal(f"{authority!r} is not host:port")
    port = int(match["port"]) if match["port"] else {"http": 80, "https": 443}[scheme]
    if port not in PORTS:
        return Refusal(f"port {port} is not one of {', '.join(map(str, sorted(PORTS)))}")
    host = match["host"]
    refused = _refuse_v6(host[1:-1]) if host.startswith("[") else _refuse_host(host)
    if refused is not None:
        return refused
    return Target(scheme, host[1:-1] if host.startswith("[") else ascii_host(host), port)


def _refuse_v6(text: str) -> Refusal | None:
    if ":" not in text:
        return Refusal(f"[{text}] is no IPv6 address")
    reason = refuse_address(text)
    return None if reason is None else Refusal(reason)


def _refuse_host(host: str) -> Refusal | None:
    if not host:
        return Refusal("the url names no host")
    if _ends_in_number(host):
        return _refuse_v4(host)
    try:
        name = ascii_host(host).removesuffix(".")
    except ValueError as error:
        return Refusal(f"{host!r} is no host name: {error}")
    return _refuse_name(name)


def _ends_in_number(host: str) -> bool:
    """The last label is a number in any script or base: the host is an address, never a name."""
    last = re.split("[.。．｡]", unicodedata.normalize("NFKC", host).rstrip(".。．｡"))[-1].lower()
    return bool(_NUMBER.fullmatch(last)) or (bool(last) and all(letter.isnumeric() for letter in last))


def _refuse_v4(host: str) -> Refusal | None:
    address = parse_address(host)
    if address is None or str(address) != host:
        return Refusal(f"{host!r} is a number, but no plain IPv4 address")
    reason = refuse_address(host)
    return None if reason is None else Refusal(reason)


def _refuse_name(name: str) -> Refusal | None:
    labels = name.split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        return Refusal(f"{name!r} is no host name")
    for suffix in (*_LOCAL, *RESERVED):
        if name == suffix or name.endswith(f".{suffix}"):
            return Refusal(f"{name} is a local or reserved name (.{suffix})", suffix in RESERVED, name)
    if len(labels) == 1:
        return Refusal(f"{name} has a single label, so it is no public name")
    if not _TOP_LABEL.fullmatch(labels[-1]):
        return Refusal(f"{name} ends in .{labels[-1]}, which is the end of no public name")
    return None
