"""What do a page's readers see, whatever the format: the marked texts of its views?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.evidence import limits, markup, pdf, plain, sniff, walk
from pytest_wandr.evidence.fallback import stripped_text
from pytest_wandr.evidence.limits import TooLarge

if TYPE_CHECKING:
    from lxml import etree

_SUSPICIOUS = 5_000
_SOME_LETTERS = re.compile(r"(?:[\W\d_]*+[^\W\d_]){40}")


class Views(NamedTuple):
    """The marked text as read and in full (also with the labels of lists as shown), or why there is none."""

    reading: str = ""
    full: str = ""
    labelled: str = ""
    title: str = ""
    lang: str = ""
    problem: str | None = None
    undecided: bool = False


def of_pdf(body: bytes) -> Views:
    """The views of a PDF: its text layer."""
    found = pdf.pdf_text(body)
    return Views(found.text, found.text, problem=found.problem, undecided=found.undecided)


def of_markup(source: bytes, *, kind: str) -> Views:
    """The views of a page; when the parser lost it, the text between its tags."""
    root = markup.parse(source, kind=kind)
    title, lang = ("", "") if root is None else (_title(root), _lang(root))
    texts = _visible(root, kind)
    if len(source) > _SUSPICIOUS and not _SOME_LETTERS.match(texts.full):
        stripped = stripped_text(source.decode())
        if _SOME_LETTERS.match(stripped):
            texts = walk.Texts(stripped, stripped)
    return _checked(Views(*texts, title=title, lang=lang))


def _visible(root: etree._Element | None, kind: str) -> walk.Texts:
    if root is None:
        return walk.Texts("", "")
    if kind == "xml":
        text = walk.xml_text(root)
        return walk.Texts(text, text)
    return walk.views(root)


def of_plain(source: str, *, kind: str, media_type: str) -> Views:
    """The views of text, delimited values or JSON (as written, and its values)."""
    if kind == "csv":
        marked = plain.mark_values(source, "\t" if sniff.is_tabbed(source, media_type) else ",")
        return _checked(Views(marked, marked))
    marked = plain.mark_text(source)
    values = plain.mark_json(source) if kind == "json" else None
    return _checked(Views(marked, values or marked))


def _checked(views: Views) -> Views:
    size = max(len(views.reading), len(views.full), len(views.labelled))
    if size > limits.MAX_TEXT_CHARS:
        raise TooLarge(f"{size} characters of text (at most {limits.MAX_TEXT_CHARS})")
    return views


def _title(root: etree._Element) -> str:
    found = next(root.iter("title"), None)
    if found is None:
        return ""
    text = "".join(map(str, found.itertext())) if len(found) else found.text or ""
    return " ".join(text.split())


def _lang(root: etree._Element) -> str:
    names = ("lang", "xml:lang", "{http://www.w3.org/XML/1998/namespace}lang")
    return next((value.strip() for name in names if (value := root.get(name))), "")
