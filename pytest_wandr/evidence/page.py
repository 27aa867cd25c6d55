"""What can be known of a page from its bytes alone?"""

from __future__ import annotations

import hashlib
import unicodedata
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from pytest_wandr.evidence import charset, glimpse, hidden, limits, markup, sniff, views
from pytest_wandr.evidence.accents import without_accents
from pytest_wandr.evidence.limits import TooLarge
from pytest_wandr.evidence.marks import readable, scrub, single_blanks
from pytest_wandr.evidence.match import Haystack
from pytest_wandr.evidence.skeleton import Skeleton

if TYPE_CHECKING:
    from lxml import etree

READING, FULL, LABELLED, HIDDEN = "reading", "full", "labelled", "hidden"


class PageText:
    """A page as text, in three views. Everything is worked out when first asked for, and kept."""

    url: str
    kind: str
    _body: bytes
    _media_type: str
    _haystacks: dict[str, Haystack]

    def __init__(self, body: bytes, *, media_type: str = "", url: str = "") -> None:
        kind = sniff.kind_of(body, media_type)
        vars(self).update(url=url, kind=kind, _body=body, _media_type=media_type, _haystacks={})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a PageText does not change: {name}")

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
    def title(self) -> str:
        """The title of the page, whitespace collapsed."""
        return self._views.title

    @property
    def lang(self) -> str:
        """The language that the html element declares, or ""."""
        return self._views.lang

    @cached_property
    def charset(self) -> str:
        """The charset that the bytes were read in; "" for PDF and binary."""
        return "" if self.kind in _NO_CHARSET else charset.to_utf8(self._body, media_type=self._media_type)[0]

    @cached_property
    def text(self) -> str:
        """The reading view: what a reader sees, without reference marks, one block a line."""
        return readable(self._views.reading)

    @cached_property
    def full_text(self) -> str:
        """The full view: with reference marks, ruby and list numbers."""
        return readable(self._views.full) if FULL in self.visible_views else self.text

    @cached_property
    def hidden_text(self) -> str:
        """The hidden view: title, attribute texts, values of data scripts, one a line."""
        return readable(self._hidden)

    @cached_property
    def digest(self) -> str:
        """The sha256 of the reading text, normalised; "" when there is none."""
        words = single_blanks(unicodedata.normalize("NFKC", self.text))
        return hashlib.sha256(words).hexdigest() if words else ""

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

    @property
    def marked(self) -> str:
        """The reading view with its structure marked."""
        return self._views.reading

    @property
    def visible_views(self) -> tuple[str, ...]:
        """The views that a reader sees and that differ."""
        names = (READING,) if self._views.full == self._views.reading else (READING, FULL)
        return (*names, LABELLED) if self._views.labelled else names

    def haystack(self, view: str) -> Haystack:
        """One view, ready to be searched; its skeleton is built once."""
        if view not in self._haystacks:
            marked = self._hidden if view == HIDDEN else getattr(self._views, view)
            self._haystacks[view] = Haystack(Skeleton(marked))
        return self._haystacks[view]

    def may_hide(self, piece: bytes, *, accented: bool = False) -> bool:
        """False when the skeleton of the hidden view cannot hold a piece (whose accents it may add to)."""
        glimpsed = self._glimpsed if HIDDEN not in self._haystacks else None
        if glimpsed is None:
            return True
        return without_accents(piece) in without_accents(glimpsed) if accented else piece in glimpsed

    @property
    def source(self) -> str:
        """The decoded text of the bytes, markup and all; "" for PDF and binary."""
        return self._source.decode()

    def tree(self) -> etree._Element | None:
        """A fresh tree; it is not kept, since a tree is many times larger than its text."""
        if self.kind not in _MARKUP or self.problem:
            return None
        return markup.parse(self._source, kind=self.kind)

    @cached_property
    def _source(self) -> bytes:
        """The bytes as scrubbed UTF-8; empty for PDF and binary. Kept: several steps ask for it."""
        if self.kind in _NO_CHARSET:
            return b""
        return scrub(charset.to_utf8(self._body, media_type=self._media_type)[1])

    @cached_property
    def _glimpsed(self) -> bytes | None:
        """A skeleton that holds whatever the one of the hidden view holds; None: too hard to tell."""
        text = glimpse.glimpse(self._source) if self.kind == "html" else None
        return None if text is None else Skeleton(text).squashed

    @cached_property
    def _hidden(self) -> str:
        root = self.tree()
        return "" if root is None else hidden.hidden_text(root)

    @cached_property
    def _views(self) -> views.Views:
        try:
            return self._read()
        except TooLarge as error:
            return views.Views(problem=f"too large: {error}")

    def _read(self) -> views.Views:
        if len(self._body) > limits.MAX_BODY_BYTES:
            raise TooLarge(f"{len(self._body)} bytes (at most {limits.MAX_BODY_BYTES})")
        if self.kind == "pdf":
            return views.of_pdf(self._body)
        if self.kind == "binary":
            return views.Views(problem=f"binary: {sniff.binary_name(self._body, self._media_type)}")
        source = self._source
        if not source or source.isspace():
            return views.Views(problem="no text: the body is empty")
        if self.kind in _MARKUP:
            return views.of_markup(source, kind=self.kind)
        return views.of_plain(source.decode(), kind=self.kind, media_type=self._media_type)


_MARKUP = frozenset({"html", "xml"})
_NO_CHARSET = frozenset({"pdf", "binary"})


def _join(base: str, address: str) -> str:
    """The absolute form of a link, or "" for one that leads to no page."""
    try:
        link = urljoin(base, address.strip())
    except ValueError:
        return ""
    return link if link.startswith(("http://", "https://")) else ""
