"""Under which one address does a site that has several show a page?"""

from __future__ import annotations

import re

from pytest_wandr.identity.url_sites import AMAZON

_VIDEO = re.compile(r"/(embed|shorts|live|v)/(?!videoseries\b|live_stream\b)([A-Za-z0-9_-]{11})/?")
_WIKI = re.compile(
    r"(?:[a-z0-9-]+\.)*(?:wikipedia|wiktionary|wikiquote|wikisource|wikibooks|wikivoyage|wikinews|wikiversity|"
    r"wikimedia)\.org"
)
_TITLE = re.compile(r"title=([^&]+)")
_TITLE_SIGNS = re.compile("%(?:21|24|26|27|28|29|2A|2C|2F|3A|3B|40)", re.IGNORECASE)
_AMAZON_REF = re.compile(r"/ref=[^/]*/?$")
_PRODUCT = re.compile(r"/(?:[^/]+/)?(?:dp|gp/product|gp/aw/d)/([A-Za-z0-9]+)/?")
_REPOSITORY = re.compile(r"(/[^/]+/[^/]+)\.git/?")


def one_address(host: str, path: str, query: str) -> tuple[str, str, str]:
    """Host, path and query (without `?`) of a page; as given on a site that shows each page once."""
    if host == "youtu.be" and len(path) > 1:
        return "youtube.com", "/watch", _joined(f"v={path[1:].strip('/')}", query)
    if host == "youtube.com" and (video := _VIDEO.fullmatch(path)):
        shown, name = video.groups()
        return host, "/watch", _joined(f"v={name}", "" if shown in {"embed", "v"} else query)
    if AMAZON.fullmatch(host):
        path = _AMAZON_REF.sub("", path)
        product = _PRODUCT.fullmatch(path)
        return host, f"/dp/{product[1]}" if product else path, query
    if host == "github.com" and (repository := _REPOSITORY.fullmatch(path)):
        return host, repository[1], query
    return (host, *_wiki_page(path, query)) if _WIKI.fullmatch(host) else (host, path, query)


def has_other_address(host: str, path: str) -> bool:
    """True when the path of a clean address may have to be written in another way (but for the query)."""
    if host == "youtube.com":
        return _VIDEO.fullmatch(path) is not None
    if host == "github.com":
        return _REPOSITORY.fullmatch(path) is not None
    return path.rstrip("/") == "/w" and _WIKI.fullmatch(host) is not None


def _joined(parameter: str, query: str) -> str:
    return f"{parameter}&{query}" if query else parameter


def _wiki_page(path: str, query: str) -> tuple[str, str]:
    """A title in the path: blanks are underscores there, and signs need no escape."""
    if path.rstrip("/") in {"/w", "/w/index.php"} and (title := _TITLE.fullmatch(query)):
        path, query = "/wiki/" + title[1].replace("+", "_"), ""
    if path.startswith("/wiki/"):
        path = path.replace("%20", "_").replace(" ", "_")
        path = _TITLE_SIGNS.sub(lambda escape: chr(int(escape[0][1:], 16)), path)
    return path, query
