"""What can be known of a page from its bytes alone?"""

from __future__ import annotations

import hashlib
import unicodedata
from functools import cached_property
from urllib.parse import urljoin

from lxml import etree

from pytest_wandr.evidence import charset, hidden, limits, markup, pdf, plain, sniff, walk
from pytest_wandr.evidence.fallback import stripped_text
from pytest_wandr.evidence.limits import TooLarge
from pytest_wandr.evidence.marks import BARRIER, clean, readable
from pytest_wandr.evidence.match import Haystack
from pytest_wandr.evidence.skeleton import Skeleton

READING, FULL, HIDDEN = "reading", "full", "hidden"


class _Views:
    """The marked text of each view, or why there is none."""

    __slots__ = ("full", "lang", "problem", "reading", "title", "undecided")

    def __init__(self, reading: str = "", full: str = "") -> None:
        self.reading, self.full = reading, full
        self.title = self.lang = ""
        self.problem: str | None = None
        self.undecided = False


class PageText:
    """A page as text, in three views. Built by `read_page`; everything is worked out when first asked for."""

    def __init__(self, body: bytes, *, media_type: str = "", url: str = "") -> None:
        self._body = body
        self._media_type = media_type
        self.url = url
        self._haystacks: dict[str, Haystack] = {}
        self.kind = sniff.kind_of(body, media_type)

    def __repr__(self) -> str:
        return f"PageText({self.kind}, {len(self._body)} bytes, {self.url!r})"

    @property
    def problem(self) -> str | None:
        """Why the bytes are unreadable (first words: too large, no text, password, binary, pdf), or None."""
        return self._views.problem

    @property
    def undecided(self) -> bool:
        """True when the harness, not the page, is why the bytes are unreadable."""
        return self._views.undecided

    @property
    def charset(self) -> str:
        """The charset that the bytes were read in; "" for PDF and binary."""
        return self._decoded[0]

    @property
    def title(self) -> str:
        """The title of the page, whitespace collapsed."""
        return self._views.title

    @property
    def lang(self) -> str:
        """The language that the html element declares, or ""."""
        return self._views.lang

    @cached_property
    def text(self) -> str:
        """The reading view: what a reader sees, without reference marks, one block a line."""
        return readable(self._views.reading)

    @cached_property
    def full_text(self) -> str:
        """The full view: with reference marks, ruby and list numbers."""
        return readable(self._views.full) if self._views.full is not self._views.reading else self.text

    @cached_property
    def hidden_text(self) -> str:
        """The hidden view: title, attribute texts, values of data scripts, one a line."""
        return readable(self._hidden.replace(BARRIER, "\x0b"))

    @cached_property
    def digest(self) -> str:
        """The sha256 of the reading text, normalised; "" when there is none."""
        words = " ".join(unicodedata.normalize("NFKC", self.text).split())
        return hashlib.sha256(words.encode()).hexdigest() if words else ""

    @cached_property
    def links(self) -> tuple[str, ...]:
        """Where the page links to, absolute, in order, each once."""
        root = self.tree()
        if root is None:
            return ()
        base = next((el.get("href") or "" for el in root.iter("base")), "")
        base = _join(self.url, base) or self.url
        found = (_join(base, el.get("href") or "") for el in root.iter("a", "area") if el.get("href"))
        return tuple(dict.fromkeys(link for link in found if link))[: limits.MAX_LINKS]

    def skeleton(self, view: str) -> Skeleton:
        """The skeleton of one view, built once."""
        if view == READING or (view == FULL and self._views.full is self._views.reading):
            return self._reading_skeleton
        return self._full_skeleton if view == FULL else self._hidden_skeleton

    def haystack(self, view: str) -> Haystack:
        """One view, ready to be searched."""
        if view not in self._haystacks:
            self._haystacks[view] = Haystack(self.skeleton(view))
        return self._haystacks[view]

    @property
    def visible_views(self) -> tuple[str, ...]:
        """The views that a reader sees and that differ."""
        return (READING,) if self._views.full is self._views.reading else (READING, FULL)

    @cached_property
    def source(self) -> str:
        """The decoded text of the bytes, markup and all; "" for PDF and binary."""
        return clean(self._decoded[1])

    @cached_property
    def _reading_skeleton(self) -> Skeleton:
        return Skeleton(self._views.reading)

    @cached_property
    def _full_skeleton(self) -> Skeleton:
        return Skeleton(self._views.full)

    @cached_property
    def _hidden_skeleton(self) -> Skeleton:
        return Skeleton(self._hidden)

    @property
    def _decoded(self) -> tuple[str, str]:
        if self.kind in {"pdf", "binary"}:
            return "", ""
        return charset.decode(self._body, media_type=self._media_type)

    def tree(self) -> etree._Element | None:
        """A fresh tree; it is not kept, since a tree is many times larger than its text."""
        if self.kind not in {"html", "xml"} or self.problem:
            return None
        return (markup.parse_xml if self.kind == "xml" else markup.parse_html)(self.source)

    @cached_property
    def _hidden(self) -> str:
        root = self.tree()
        return "" if root is None else hidden.hidden_text(root)

    @cached_property
    def _views(self) -> _Views:
        try:
            return self._read()
        except TooLarge as error:
            views = _Views()
            views.problem = f"too large: {error}"
            return views

    def _read(self) -> _Views:
        if len(self._body) > limits.MAX_BODY_BYTES:
            raise TooLarge(f"{len(self._body)} bytes (at most {limits.MAX_BODY_BYTES})")
        if self.kind == "pdf":
            return self._read_pdf()
        views = _Views()
        if self.kind == "binary":
            views.problem = f"binary: {sniff.binary_name(self._body, self._media_type)}"
            return views
        source = clean(self._decoded[1])
        if not source.strip():
            views.problem = "no text: the body is empty"
            return views
        views = self._read_markup(source) if self.kind in {"html", "xml"} else self._read_plain(source)
        if len(views.full) > limits.MAX_TEXT_CHARS:
            raise TooLarge(f"{len(views.full)} characters of text (at most {limits.MAX_TEXT_CHARS})")
        return views

    def _read_pdf(self) -> _Views:
        found = pdf.pdf_text(self._body)
        views = _Views(found.text, found.text)
        views.problem, views.undecided = found.problem, found.undecided
        return views

    def _read_plain(self, source: str) -> _Views:
        if self.kind == "csv":
            marked = plain.mark_values(source, "\t" if sniff.is_tabbed(source, self._media_type) else ",")
            return _Views(marked, marked)
        marked = plain.mark_text(source)
        values = plain.mark_json(source) if self.kind == "json" else None
        return _Views(marked, marked if values is None else values)

    def _read_markup(self, source: str) -> _Views:
        root = (markup.parse_xml if self.kind == "xml" else markup.parse_html)(source)
        views = _Views()
        if root is not None:
            views.title = " ".join("".join(next(root.iter("title"), root.makeelement("title")).itertext()).split())
            views.lang = (root.get("lang") or root.get("xml:lang") or "").strip()
            views.reading, views.full = walk.views(root)
        if len(source) > _SUSPICIOUS and sum(map(str.isalpha, views.full[:5_000])) < _FEW_LETTERS:
            stripped = stripped_text(source)
            if len(stripped) > len(views.full):
                views.reading = views.full = stripped
        return views


_SUSPICIOUS, _FEW_LETTERS = 5_000, 40


def _join(base: str, address: str) -> str:
    """The absolute form of a link, or "" for one that leads to no page."""
    try:
        link = urljoin(base, address.strip())
    except ValueError:
        return ""
    return link if link.startswith(("http://", "https://")) else ""
