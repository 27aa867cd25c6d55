"""What does a PDF say? Needs the optional extra `pdf` (pypdfium2), imported only here."""

from __future__ import annotations

import re
from typing import NamedTuple

from pytest_wandr.evidence.limits import MAX_PDF_PAGES, MAX_TEXT_CHARS
from pytest_wandr.evidence.marks import BLOCK, clean
from pytest_wandr.evidence.plain import mark_text

_LINE_END_HYPHEN = re.compile("\x02\r?\n?|\ufffe\r?\n?")


class PdfText(NamedTuple):
    """The marked text of a PDF, or why there is none; `undecided` when only the extra is missing."""

    text: str = ""
    problem: str | None = None
    undecided: bool = False


def pdf_text(body: bytes) -> PdfText:
    """The text layer of every page, pages parted by a block mark."""
    try:
        import pypdfium2 as pdfium
    except ImportError:
        return PdfText(problem="pdf: needs the extra: pip install 'pytest-wandr[pdf]'", undecided=True)
    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        return PdfText(problem=_why_closed(str(error)))
    try:
        return _read(document, pdfium.PdfiumError)
    finally:
        document.close()


def _why_closed(message: str) -> str:
    if "password" in message.lower():
        return "password: the PDF is locked"
    return f"binary: a damaged PDF ({message})"


def _read(document: object, failure: type[Exception]) -> PdfText:
    count = len(document)  # type: ignore[arg-type]
    if count > MAX_PDF_PAGES:
        return PdfText(problem=f"too large: a PDF of {count} pages (at most {MAX_PDF_PAGES})")
    pages, size = [], 0
    for index in range(count):
        text = _page(document, index, failure)
        size += len(text)
        if size > MAX_TEXT_CHARS:
            return PdfText(problem=f"too large: more than {MAX_TEXT_CHARS} characters of text")
        pages.append(mark_text(clean(_LINE_END_HYPHEN.sub("-\n", text))))
    joined = (BLOCK + "\n").join(pages)
    if not joined.strip(" \n\x0b\x1e"):
        return PdfText(problem="no text: a PDF without a text layer (a scan?)")
    return PdfText(joined)


def _page(document: object, index: int, failure: type[Exception]) -> str:
    """The text of one page; a page that cannot be loaded has none, like a scanned one."""
    try:
        page = document[index]  # type: ignore[index]
        return str(page.get_textpage().get_text_range(errors="replace"))
    except failure:
        return ""
