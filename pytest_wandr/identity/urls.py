"""Do two addresses lead to the same page? One key per page."""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_wandr.identity.papers import paper_id_of_url
from pytest_wandr.identity.url_pages import one_address
from pytest_wandr.identity.url_plain import plain_key
from pytest_wandr.identity.url_sites import (
    DEFAULT_RULES,
    FRONT,
    UrlRules,
    query_of,
    rules_of,
    site_of,
)
from pytest_wandr.identity.url_text import path_key, percent, trimmed

__all__ = ["UrlRules", "key_of_url", "rules_of", "url_key"]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):(?://)", re.ASCII)
_OPAQUE = re.compile(r"(?:mailto|tel|data|javascript|about|urn|news|sip|blob):", re.IGNORECASE)
_AUTHORITY = re.compile(r"([^/?#\\]*)([^?#]*)(\?[^#]*)?(?:#(.*))?", re.DOTALL)
_GOOGLE_AMP = re.compile(r"google\.[a-z.]+/amp/s?/?(?=[^/])")
_AMP_CACHE = re.compile(r"[a-z0-9\-]+\.cdn\.ampproject\.org/[cv]/(?:s/)?(?=[^/])")
_ARCHIVE = re.compile(r"web\.archive\.org/web/\d{4,14}(?:[a-z]{2}_)?/(?=[^/])")


def url_key(url: str, **options: object) -> str:
    """The key of the page that an address leads to; the key of a key is itself."""
    return key_of_url(url, rules_of(options))


@lru_cache(maxsize=2048)
def key_of_url(url: str, rules: UrlRules = DEFAULT_RULES) -> str:
    """As above, with rules already read."""
    return plain_key(url, rules) or _settled_key(url, rules)


def _settled_key(url: str, rules: UrlRules) -> str:
    """Read again until nothing changes."""
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
    host, port = site_of(match[1], scheme, rules)
    host, path, query = one_address(host, match[2] or "", (match[3] or "")[1:])
    key = host + port + path_key(path, keep_slash=rules.trailing_slash)
    if query := query_of(query, host, rules):
        key += f"?{query}"
    return key + (f"#{percent(match[4])}" if (match[4] or "").startswith(("/", "!/")) else "")


def _split_scheme(text: str) -> tuple[str, str]:
    if found := _SCHEME.match(text):
        return found[1].lower(), text[found.end() :]
    return "https", text.removeprefix("//")


def _unwrap(rest: str, rules: UrlRules) -> str:
    """The page inside an AMP viewer, an AMP cache or an archive, up to three deep."""
    for _ in range(3):
        bare = rest[found.end() :] if (found := FRONT.match(rest)) else rest
        found = _GOOGLE_AMP.match(bare) or _AMP_CACHE.match(bare)
        if found is None and rules.archives_same_page:
            bare = rest
            found = _ARCHIVE.match(bare)
        if found is None:
            return rest
        rest = _split_scheme(bare[found.end() :])[1]
    return rest
