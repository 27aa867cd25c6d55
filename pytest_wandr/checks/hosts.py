"""Does a page come from one of these hosts? Whole labels only: `example.test` is not `notexample.test`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import idna

from pytest_wandr.checks.logic import no, undecided
from pytest_wandr.model import YES, HostIs, Part

if TYPE_CHECKING:
    from pytest_wandr.checks.subject import Subject


def host_of(url: str) -> str | None:
    """The host of an address in comparable form; None when it has none."""
    try:
        host = urlsplit(url).hostname
    except ValueError:
        return None
    return comparable_host(host) if host else None


def comparable_host(host: str) -> str:
    """Lower case, no trailing point, internationalised names in their ASCII form."""
    name = host.strip().rstrip(".").lower()
    if name.isascii():
        return name
    try:
        return idna.encode(name, uts46=True).decode("ascii").rstrip(".")
    except idna.IDNAError:
        return name


def is_at(host: str, allowed: str) -> bool:
    """Is a host the allowed one, or below it?"""
    wanted = comparable_host(allowed)
    return host == wanted or host.endswith("." + wanted)


def check_host(check: HostIs, subject: Subject) -> Part:
    """The page's final host is one of these, or below one of them."""
    if subject.final_url is None:
        return undecided("no_page", "there is no page, so its host is unknown")
    host = host_of(subject.final_url)
    wanted = ", ".join(check.host)
    if host is None:
        return no("host", f"the address {subject.final_url!r} has no host; one of {wanted} is required")
    if any(is_at(host, allowed) for allowed in check.host):
        return YES
    return no("host", f"the page is at {host}, which is not (below) one of {wanted}")
