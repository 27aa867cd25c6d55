"""Which addresses are clean already, so that their key can be read off? Most are, and that is fast."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_wandr.identity.tables import tracking
from pytest_wandr.identity.url_pages import has_other_address
from pytest_wandr.identity.url_sites import AMAZON, is_tracking, site_of

if TYPE_CHECKING:
    from pytest_wandr.identity.url_sites import UrlRules

_PLAIN = re.compile(r"(https?)://([a-z0-9\-.]+)(/[A-Za-z0-9_~\-./]*)?(?:\?([A-Za-z0-9_~\-.=&]*))?")
_SITE = re.compile(r"[a-z0-9\-.]+")


def plain_key(url: str, rules: UrlRules) -> str:
    """The key of a clean address, exactly as the general reading finds it; empty when it has to be read."""
    found = _PLAIN.fullmatch(url)
    if found is None or "10." in url or "rxiv" in url.lower():  # papers have keys of their own
        return ""
    scheme, host, path, query = found.groups("")
    site = _settled_site(host, scheme, rules)
    if not site or (path and (has_other_address(site, path) or not _is_clean(path))):
        return ""
    key = site + (path if rules.trailing_slash else path.rstrip("/"))
    if query and (kept := _kept(query, site, rules)):
        key += f"?{kept}"
    if key.endswith(".") or url.endswith("."):  # a full stop may belong to the text around
        return ""
    return f"{scheme}://{key}" if rules.scheme else key


@lru_cache(maxsize=2048)
def _settled_site(host: str, scheme: str, rules: UrlRules) -> str:
    """The site of a host, when nothing more is to be done about it. Few hosts are cited again and again."""
    site, port = site_of(host, scheme, rules)
    if port or site_of(site, scheme, rules) != (site, "") or not _SITE.fullmatch(site):
        return ""
    return "" if _is_special(host) or _is_special(site) else site


def _is_special(host: str) -> bool:
    """Whether paths or parameters mean more on this host than elsewhere."""
    special = ("google.", "ampproject", "web.archive", "youtu.be", "rxiv", "10.")
    return any(part in host for part in special) or AMAZON.fullmatch(host) is not None


def _is_clean(path: str) -> bool:
    """No dots or slashes to resolve, no index file and no AMP ending to take off."""
    if "//" in path or "/." in path:
        return False
    last = path.rstrip("/").rpartition("/")[2].lower()
    return not last.startswith(("index.", "default.")) and last != "amp" and ".amp" not in last


def _kept(query: str, site: str, rules: UrlRules) -> str:
    """The parameters that choose the page, by name."""
    pairs = []
    for piece in query.split("&"):
        name, _, value = piece.partition("=")
        if (name or value) and not _is_dropped(name, value if _has_say(name) else "", site, rules):
            pairs.append((name, piece))
    if len(pairs) > 1:
        pairs.sort(key=lambda pair: pair[0])
    return "&".join([piece for _, piece in pairs])


def _has_say(name: str) -> bool:
    """Whether the value decides, too, and not the name alone."""
    return name.lower() in tracking.SOCIAL_PARAMS


@lru_cache(maxsize=2048)
def _is_dropped(name: str, value: str, site: str, rules: UrlRules) -> bool:
    return is_tracking(name.lower(), value.lower(), site, rules)
