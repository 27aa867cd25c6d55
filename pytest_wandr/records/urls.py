"""Which url does a record cite? The one that was written, freed of markup; anything else is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.records.blank import is_blank

if TYPE_CHECKING:
    from pytest_wandr.records.syntax import Json


class Url(NamedTuple):
    """A url and the liberties taken to read it, or the code why there is none."""

    url: str = ""
    notes: tuple[str, ...] = ()
    code: str = ""


_OBJECT_KEYS = ("url", "href", "link", "uri", "source_url")
_MARKDOWN = re.compile(
    r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*(<[^<>]*>|[^\s<>]*)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
)
_ENTITY = re.compile(r"&(?:amp|#0*38|#[xX]0*26);")
_SCHEME = re.compile(r"(?i:https?)://")
_HOST = re.compile(
    r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+(?P<last>[^\W\d_]{2,63}|xn--[\w-]{1,59})\.?(?::\d{1,5})?(?P<rest>[/?#].*)?",
    re.DOTALL,
)
_FILE_ENDINGS = frozenset(
    [
        "htm",
        "html",
        "pdf",
        "txt",
        "json",
        "jsonl",
        "csv",
        "md",
        "xml",
        "php",
        "aspx",
        "doc",
        "docx",
        "xlsx",
        "png",
    ]
)
_PLAIN = re.compile(r"https?://[A-Za-z0-9][A-Za-z0-9.-]*(?:[:/?#][A-Za-z0-9:/?#&=+%_.~-]*)?")
_JOINED = re.compile(r"[,;|](?=(?i:https?)://)")
_ELIDED = re.compile(r"…|(?<![/.])\.{3}|\.{3}(?![\w.])|\.{4}")
_COMPARISON = re.compile(r"/compare/[\w./-]*?[\w]\.{3}(?=\w)")
"""Two states of a repository: three dots that hide nothing."""
_BLANK = re.compile(r"[\s\x00-\x1f\x7f]")
_USER = re.compile(r"(?://)[^/?#\\]*@")
_REDIRECTORS = re.compile(
    r"(?i:https?)://(?:vertexaisearch\.cloud\.google\.com/grounding-api-redirect/|(?:www\.)?google\.[a-z.]{2,6}/url\?"
    r"|lm?\.facebook\.com/l\.php|(?:www\.)?bing\.com/ck/|(?:www\.)?duckduckgo\.com/l/|out\.reddit\.com/"
    r"|(?:t\.co|bit\.ly|lnkd\.in|goo\.gl|tinyurl\.com|ow\.ly|is\.gd|buff\.ly)/)",
    re.IGNORECASE,
)


def plain_url(value: Json) -> str:
    """The url when nothing about it wants a second look, as with most; else ""."""
    if not isinstance(value, str) or not _PLAIN.fullmatch(value) or ".." in value:
        return ""
    return "" if _REDIRECTORS.match(value) else value


def read_url(value: Json) -> Url:
    """The url in the `url` field of a record."""
    if isinstance(value, list):
        return _from_list(value)
    if isinstance(value, dict):
        return _from_object(value)
    if is_blank(value):
        return Url(code="missing_url")
    if not isinstance(value, str):
        return Url(code="url_not_text")
    return _checked(_unwrapped(value))


def _from_list(values: list[Json]) -> Url:
    kept = [value for value in values if not is_blank(value)]
    if not kept:
        return Url(code="missing_url")
    if any(value != kept[0] for value in kept):
        return Url(code="url_many")
    return (
        _noted(read_url(kept[0]), "url_list_single")
        if not isinstance(kept[0], list)
        else Url(code="url_not_text")
    )


def _from_object(found: dict[str, Json]) -> Url:
    kept = [found[key] for key in _OBJECT_KEYS if key in found and not is_blank(found[key])]
    if not kept:
        return Url(
            code="missing_url" if any(key in found for key in _OBJECT_KEYS) or not found else "url_not_text"
        )
    if any(value != kept[0] for value in kept):
        return Url(code="url_many")
    return _noted(read_url(kept[0]), "url_object") if isinstance(kept[0], str) else Url(code="url_not_text")


def _noted(found: Url, note: str) -> Url:
    return found._replace(notes=(note, *found.notes))


def _unwrapped(text: str) -> Url:
    """Take off Markdown, angle brackets and entities, in the order in which they are put on."""
    notes: list[str] = []
    url = text.strip()
    link = _MARKDOWN.fullmatch(url)
    if link:
        url = link.group(1)
        notes.append("url_markdown")
    if url.startswith("<") and url.endswith(">"):
        url = url[1:-1].strip()
        notes += [] if link else ["url_angle"]
    if _ENTITY.search(url):
        url = _ENTITY.sub("&", url)
        notes.append("url_html_entity")
    return Url(url, tuple(notes))


def _checked(found: Url) -> Url:
    """Refuse what is no public web address as written; add a scheme that was left out."""
    url = found.url
    if is_blank(url):
        return Url(code="missing_url")
    if not _SCHEME.match(url):
        bare = url.removeprefix("//")
        if not _is_bare_host(bare):
            return Url(code="url_elided" if _ELIDED.search(url) and len(url.split()) == 1 else "url_not_http")
        found = Url("https://" + bare, (*found.notes, "url_scheme_added"))
    code = _fault(found.url)
    if code:
        return Url(code=code)
    return _noted(found, "redirect_url") if _REDIRECTORS.match(found.url) else found


def _is_bare_host(text: str) -> bool:
    match = _HOST.fullmatch(text.split(None, 1)[0]) if text.strip() else None
    return match is not None and (bool(match["rest"]) or match["last"].lower() not in _FILE_ENDINGS)


def _fault(url: str) -> str:
    if _USER.match(url, url.index("://") + 1):
        return "url_has_credentials"
    if _JOINED.search(url):
        return "url_many"
    if _ELIDED.search(_COMPARISON.sub("/compare/", url, count=1)):
        return "url_elided"
    if _BLANK.search(url):
        return "url_has_space"
    host = re.split(r"[/?#\\]", url.split("://", 1)[1], maxsplit=1)[0]
    return "" if host.strip(":.") else "url_not_http"
