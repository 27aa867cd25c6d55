"""Which text does a parsed page show, in document order, with its structure marked?

The tree is written out once by libxml2 without attributes, then each tag becomes a mark. That is several
times faster than visiting elements one by one.
"""

from __future__ import annotations

import html
import re
from typing import NamedTuple

from lxml import etree

from pytest_wandr.evidence.grid import mark_columns
from pytest_wandr.evidence.limits import MAX_SPAN
from pytest_wandr.evidence.marks import BLOCK, BREAK, CELL, NEWLINE, NONCHARACTERS, ROW, SPAN, clean
from pytest_wandr.evidence.numbering import numbered
from pytest_wandr.evidence.plain import mark_text
from pytest_wandr.evidence.superscripts import is_reference, mark_formulas

_SILENT = ("script", "style", "template", "head")
_INLINE = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rp rt ruby s "
    "samp small span strike strong tt u var wbr o:p g tspan text svg math mi mo mn mtext mrow msup msub "
    "msubsup time html body"
)
_MOST_TAGS = 5_000
_EXTRA, _EXTRA_END = "\x16", "\x17"  # around what the full view has and the reading view has not
_EXTRAS = re.compile("\x16[^\x16\x17]*\x17")
_OPEN, _CLOSE = NONCHARACTERS  # the same, in a tree: it takes no control characters
_LABELS = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*)(?:{_OPEN}([^{_OPEN}{_CLOSE}]*))?{_CLOSE}")
_TAG = re.compile(rb"<([^>]*)>")
_TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>")
_UNWRITABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
)  # a tree gives it, and takes it not
_PRE = re.compile(rb"<pre>(.*?)</pre>", re.DOTALL)


class _Marks(dict[bytes, bytes]):
    """Tag (with its slash) to mark; a tag that is not inline is a block."""

    def __missing__(self, tag: bytes) -> bytes:
        mark = _mark(tag.decode()).encode()
        if len(self) < _MOST_TAGS:
            self[tag] = mark
        return mark


def _mark(tag: str) -> str:
    name = tag.strip("/ ")
    if name.startswith("wandr-span-"):
        count = name.removeprefix("wandr-span-")
        return SPAN * min(int(count), MAX_SPAN) if count.isascii() and count.isdecimal() else ""
    return BLOCK


_KNOWN = dict.fromkeys([s for name in _INLINE.split() for s in (name, f"/{name}", f"{name}/")], "")
_KNOWN |= dict.fromkeys(("sup", "/sup", "sub", "/sub", "sup/", "sub/", "mfrac", "/mfrac"), BREAK)
_KNOWN |= {"wandr-extra-sup": _EXTRA + BREAK, "/wandr-extra-sup": BREAK + _EXTRA_END, "wandr-extra-sup/": ""}
for _name in ("wandr-extra-rt", "wandr-extra-rp"):
    _KNOWN |= {_name: _EXTRA, f"/{_name}": _EXTRA_END, f"{_name}/": ""}
_KNOWN |= {"br": NEWLINE + BLOCK, "br/": NEWLINE + BLOCK, "/br": ""}
_KNOWN |= {"tr": ROW, "/tr": ROW, "tr/": "", "/td": "", "/th": ""}
_KNOWN |= dict.fromkeys(("td", "th", "td/", "th/"), CELL)
_MARKS = _Marks({tag.encode(): mark.encode() for tag, mark in _KNOWN.items()})


def xml_text(root: etree._Element) -> str:
    """The marked text of a document that is no page: every element is a block, tags in text go."""
    markup = etree.tostring(root, encoding="utf-8", with_tail=False)
    text = unescape(_TAG.sub(BLOCK.encode(), markup)).decode()
    return clean_blocks(_TAGS.sub(BLOCK, text)) if "<" in text or "&" in text else text


def clean_blocks(text: str) -> str:
    """Character references undone; controls that they may hide become spaces, our block marks stay."""
    return BLOCK.join(clean(html.unescape(piece)) for piece in text.split(BLOCK))


class Texts(NamedTuple):
    """The marked text of a page: as read, in full, and in full with the labels that its lists show."""

    reading: str
    full: str
    labelled: str = ""


def views(root: etree._Element) -> Texts:
    """The marked text as read, and in full (references, ruby, list numbers). The tree is used up.

    Lists that show letters, roman numerals or a countdown are there twice: numbered upwards, and as shown.
    """
    etree.strip_elements(root, *_SILENT, with_tail=False)
    mark_columns(root)
    special = list(root.iter("ol", "rt", "rp", "sup"))
    items = [item for el in special if el.tag == "ol" for item in numbered(el)]
    extras = [el for el in special if el.tag in {"rt", "rp"} or (el.tag == "sup" and is_reference(el))]
    mark_formulas(root)
    etree.strip_attributes(root, "{}*", "{*}*")
    for item, number, label in items:
        shown = f"{_OPEN}{label}. " if label != number else ""
        item.text = f"{_OPEN}{number}. {shown}{_CLOSE}{_UNWRITABLE.sub(' ', item.text or '')}"
    for element in extras:
        element.tag = f"wandr-extra-{element.tag}"
    text = _written(root)
    if not extras and not items:
        return Texts(text, text)
    if all(label == number for _, number, label in items):
        return Texts(*_read(text))
    return Texts(*_read(_LABELS.sub(rf"{_OPEN}\1{_CLOSE}", text)), _read(_LABELS.sub(_labelled, text))[1])


def _read(text: str) -> tuple[str, str]:
    text = text.replace(_OPEN, _EXTRA).replace(_CLOSE, _EXTRA_END)
    return _without_marks(_EXTRAS.sub("", text)), _without_marks(text)


def _without_marks(text: str) -> str:
    return text.replace(_EXTRA, "").replace(_EXTRA_END, "")


def _labelled(match: re.Match[str]) -> str:
    return f"{_OPEN}{match[2] or match[1]}{_CLOSE}"


def _written(root: etree._Element) -> str:
    markup = etree.tostring(root, encoding="utf-8", with_tail=False)
    if b"<pre>" in markup:
        markup = _PRE.sub(_pre, markup)
    pieces = _parted(markup)
    pieces[1::2] = map(_MARKS.__getitem__, pieces[1::2])
    text = _resolved(b"".join(pieces)).decode()
    return text.replace("|", "|" + SPAN) if "|" in text else text


def _pre(match: re.Match[bytes]) -> bytes:
    return b"<pre>" + mark_text(match[1].decode()).encode() + b"</pre>"


def _parted(markup: bytes) -> list[bytes]:
    """Texts and tags in turn: a text has its `<` and `>` written as references, so each is a tag's."""
    pieces = markup.replace(b">", b"<").split(b"<")
    if len(pieces) != 2 * markup.count(b"<") + 1 or b"<![CDATA[" in markup:  # a tag named `a<b`, raw text
        return _TAG.split(markup)
    return pieces


def _resolved(text: bytes) -> bytes:
    """Undo what libxml2 writes as references: also carriage returns, and U+FFFD, which controls became.

    Nearly all are ampersands, which a NUL stands for meanwhile: no tree holds one.
    """
    if b"&" not in text:
        return text
    text = text.replace(b"&amp;", b"\x00")
    if b"&" in text:
        text = text.replace(b"&#13;", b"\n").replace(b"&#xFFFD;", b" ")
        text = text.replace(b"&lt;", b"<").replace(b"&gt;", b">")
    return text.replace(b"\x00", b"&")


def unescape(text: bytes) -> bytes:
    """Undo the three references that libxml2 writes into text."""
    if b"&" not in text:
        return text
    return text.replace(b"&lt;", b"<").replace(b"&gt;", b">").replace(b"&amp;", b"&")
