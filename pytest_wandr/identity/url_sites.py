"""Which site does a host name, and which parameters of a query choose the page?"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.identity.tables import tracking
from pytest_wandr.identity.url_text import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

FRONT = re.compile(r"(?:www\d?|m|mobile|amp)\.")
"""What stands before the name of a site."""
AMAZON = re.compile(r"(?:.+\.)?amazon\.[a-z.]+")
"""The hosts of one shop."""
_INNER_MOBILE = re.compile(r"([a-z]{2,3})\.m\.(?=[^.]+\.)")
_LINKEDIN = re.compile(r"[a-z]{2}\.linkedin\.com")
_SECOND_LEVEL = re.compile(r"(?:co|com|org|net|gov|ac|edu|ne|or|go)\.[a-z]{2}")
_DEFAULT_PORT = {"http": "80", "https": "443", "ftp": "21"}


class UrlRules(NamedTuple):
    """How an author refines the key: the options of `url`."""

    host_aliases: tuple[tuple[str, str], ...] = ()
    keep_params: frozenset[str] = frozenset()
    drop_params: frozenset[str] = frozenset()
    archives_same_page: bool = True
    scheme: bool = False
    trailing_slash: bool = False


DEFAULT_RULES = UrlRules()


def rules_of(options: Mapping[str, object]) -> UrlRules:
    """Rules from the author's options. ValueError for an unknown one."""
    return _rules(json.dumps(dict(options), sort_keys=True, default=list)) if options else DEFAULT_RULES


@lru_cache(maxsize=64)
def _rules(text: str) -> UrlRules:
    options = json.loads(text)
    if unknown := sorted(set(options) - set(UrlRules._fields)):
        known = ", ".join(UrlRules._fields)
        raise ValueError(f"unknown url option {unknown[0]!r}; there are: {known}")
    return UrlRules(
        host_aliases=tuple(
            sorted((a.lower(), b.lower()) for a, b in options.get("host_aliases", {}).items())
        ),
        keep_params=frozenset(name.lower() for name in options.get("keep_params", ())),
        drop_params=frozenset(name.lower() for name in options.get("drop_params", ())),
        archives_same_page=bool(options.get("archives_same_page", True)),
        scheme=options.get("scheme", False) in (True, "keep", "separate"),
        trailing_slash=options.get("trailing_slash", False) in (True, "keep", "separate"),
    )


def site_of(authority: str, scheme: str, rules: UrlRules) -> tuple[str, str]:
    """The host that names the site, and a port that is not the usual one."""
    host = authority.rpartition("@")[2]
    name, colon, port = host.rpartition(":")
    if colon and (port.isdecimal() or not port) and not name.endswith(":"):
        host = name
    else:
        port = ""
    host = _ascii_host(host).rstrip(".")
    port = "" if port in {"", _DEFAULT_PORT.get(scheme, "")} else f":{port}"
    return _site(host, rules), port


def _ascii_host(host: str) -> str:
    host = host.lower()
    if host.isascii() and "%" not in host:
        return host
    host = percent(host)
    import idna

    try:
        return idna.encode(host, uts46=True).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError):
        return host.lower()


def _site(host: str, rules: UrlRules) -> str:
    aliases = dict(rules.host_aliases)
    while host not in aliases:
        bare = _INNER_MOBILE.sub(r"\1.", FRONT.sub("", host, count=1) if FRONT.match(host) else host, count=1)
        if bare == host or "." not in bare or _SECOND_LEVEL.fullmatch(bare):
            break
        host = bare
    host = aliases.get(host, host)
    host = tracking.HOST_ALIASES.get(host, host)
    return "linkedin.com" if _LINKEDIN.fullmatch(host) else host


def query_of(query: str, host: str, rules: UrlRules) -> str:
    """The parameters that choose the page, by name."""
    pairs = []
    for piece in query.split("&"):
        name, equals, value = piece.partition("=")
        name = percent(name.replace("+", "%20"))
        value = percent(value.replace("+", "%20"))
        if (name or value) and not is_tracking(name.lower(), value.lower(), host, rules):
            pairs.append((name, f"{name}{equals}{value}"))
    return "&".join(text for _, text in sorted(pairs, key=lambda pair: pair[0]))


def is_tracking(name: str, value: str, host: str, rules: UrlRules) -> bool:
    """Whether a parameter, in lower case, never chooses the page."""
    if name in rules.keep_params:
        return False
    if name in rules.drop_params or name in tracking.PARAMS or name.startswith(tracking.PREFIXES):
        return True
    if name in tracking.SOCIAL_PARAMS and value in tracking.SOCIAL_VALUES:
        return True
    if name in tracking.AMAZON_PARAMS and AMAZON.fullmatch(host):
        return True
    return any(name in names for site, names in tracking.HOST_PARAMS.items() if _on(host, site))


def _on(host: str, site: str) -> bool:
    return host == site or host.endswith(f".{site}")
