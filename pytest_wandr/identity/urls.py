"""Do two addresses lead to the same page? One key per page."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.identity.papers import paper_id_of_url
from pytest_wandr.identity.tables import tracking
from pytest_wandr.identity.url_text import path_key, percent, trimmed

if TYPE_CHECKING:
    from collections.abc import Mapping

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):(?://)", re.ASCII)
_OPAQUE = re.compile(r"(?:mailto|tel|data|javascript|about|urn|news|sip|blob):", re.IGNORECASE)
_AUTHORITY = re.compile(r"([^/?#\\]*)([^?#]*)(\?[^#]*)?(?:#(.*))?", re.DOTALL)
_FRONT = re.compile(r"(?:www\d?|m|mobile|amp)\.")
_INNER_MOBILE = re.compile(r"([a-z]{2,3})\.m\.(?=[^.]+\.)")
_LINKEDIN = re.compile(r"[a-z]{2}\.linkedin\.com")
_SECOND_LEVEL = re.compile(r"(?:co|com|org|net|gov|ac|edu|ne|or|go)\.[a-z]{2}")
_GOOGLE_AMP = re.compile(r"google\.[a-z.]+/amp/s?/?(?=[^/])")
_AMP_CACHE = re.compile(r"[a-z0-9\-]+\.cdn\.ampproject\.org/[cv]/(?:s/)?(?=[^/])")
_ARCHIVE = re.compile(r"web\.archive\.org/web/\d{4,14}(?:[a-z]{2}_)?/(?=[^/])")
_AMAZON = re.compile(r"(?:.+\.)?amazon\.[a-z.]+")
_AMAZON_REF = re.compile(r"/ref=[^/]*/?$")
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


def url_key(url: str, **options: object) -> str:
    """The key of the page that an address leads to; the key of a key is itself."""
    return key_of_url(url, rules_of(options))


@lru_cache(maxsize=65536)
def key_of_url(url: str, rules: UrlRules = DEFAULT_RULES) -> str:
    """As above, with rules already read."""
    key = _one_key(url, rules)
    seen = [key]
    while (again := _one_key(key, rules)) != key:
        if again in seen:
            return min(seen[seen.index(again) :])
        seen.append(again)
        key = again
    return key


def _one_key(url: str, rules: UrlRules) -> str:
    text = trimmed(url)
    if _OPAQUE.match(text):
        return text
    scheme, rest = _split_scheme(text)
    rest = _unwrap(rest, rules)
    if paper := paper_id_of_url(text) or paper_id_of_url(rest):
        return paper
    match = _AUTHORITY.fullmatch(rest.replace("\\", "/"))
    if match is None:
        return text
    key = _page(match, scheme, rules)
    if key and (rules.scheme or scheme not in {"http", "https"}):
        return f"{scheme}://{key}"
    return key or text


def _page(match: re.Match[str], scheme: str, rules: UrlRules) -> str:
    """Host, path, query and route of an address taken apart."""
    host, port = _host(match[1], scheme, rules)
    path, query = match[2] or "", (match[3] or "")[1:]
    if host == "youtu.be" and len(path) > 1:
        host, query = "youtube.com", f"v={path[1:].strip('/')}" + (f"&{query}" if query else "")
        path = "/watch"
    if _AMAZON.fullmatch(host):
        path = _AMAZON_REF.sub("", path)
    key = host + port + path_key(path, keep_slash=rules.trailing_slash)
    if query := _query(query, host, rules):
        key += f"?{query}"
    return key + (f"#{percent(match[4])}" if (match[4] or "").startswith(("/", "!/")) else "")


def _split_scheme(text: str) -> tuple[str, str]:
    if found := _SCHEME.match(text):
        return found[1].lower(), text[found.end() :]
    return "https", text.removeprefix("//")


def _unwrap(rest: str, rules: UrlRules) -> str:
    """The page inside an AMP viewer, an AMP cache or an archive, up to three deep."""
    for _ in range(3):
        bare = rest[found.end() :] if (found := _FRONT.match(rest)) else rest
        found = _GOOGLE_AMP.match(bare) or _AMP_CACHE.match(bare)
        if found is None and rules.archives_same_page:
            bare = rest
            found = _ARCHIVE.match(bare)
        if found is None:
            return rest
        rest = _split_scheme(bare[found.end() :])[1]
    return rest


def _host(authority: str, scheme: str, rules: UrlRules) -> tuple[str, str]:
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
        bare = _INNER_MOBILE.sub(
            r"\1.", _FRONT.sub("", host, count=1) if _FRONT.match(host) else host, count=1
        )
        if bare == host or "." not in bare or _SECOND_LEVEL.fullmatch(bare):
            break
        host = bare
    host = aliases.get(host, host)
    host = tracking.HOST_ALIASES.get(host, host)
    return "linkedin.com" if _LINKEDIN.fullmatch(host) else host


def _query(query: str, host: str, rules: UrlRules) -> str:
    pairs = []
    for piece in query.split("&"):
        name, equals, value = piece.partition("=")
        name = percent(name.replace("+", "%20"))
        value = percent(value.replace("+", "%20"))
        if (name or value) and not _is_tracking(name.lower(), value.lower(), host, rules):
            pairs.append((name, f"{name}{equals}{value}"))
    return "&".join(text for _, text in sorted(pairs, key=lambda pair: pair[0]))


def _is_tracking(name: str, value: str, host: str, rules: UrlRules) -> bool:
    if name in rules.keep_params:
        return False
    if name in rules.drop_params or name in tracking.PARAMS or name.startswith(tracking.PREFIXES):
        return True
    if name in tracking.SOCIAL_PARAMS and value in tracking.SOCIAL_VALUES:
        return True
    if name in tracking.AMAZON_PARAMS and _AMAZON.fullmatch(host):
        return True
    return any(name in names for site, names in tracking.HOST_PARAMS.items() if _on(host, site))


def _on(host: str, site: str) -> bool:
    return host == site or host.endswith(f".{site}")
