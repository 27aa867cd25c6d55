"""How does a document become a PDF? One Helvetica column, WinAnsi, no dates, ids or compression."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from pytest_wandr.sealed.world import SEP, Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH = 88
LINES = 48


def pdf(document: Document, footer: str) -> bytes:
    """The bytes of a PDF that shows the document's text, wrapped, page by page."""
    lines = [*_wrapped(document), "", *textwrap.wrap(footer, WIDTH)]
    pages = [lines[i : i + LINES] for i in range(0, len(lines), LINES)]
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for i, page in enumerate(pages):
        resources = f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * i} 0 R"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] {resources} >>".encode())
        stream = _stream(page)
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    return _assembled(objects)


def _wrapped(document: Document) -> Iterable[str]:
    yield from textwrap.wrap(document.headline.text, WIDTH)
    for block in document.blocks:
        yield ""
        text = " ".join(part.text for part in block.parts)
        yield from textwrap.wrap(text.replace(SEP, "    "), WIDTH, break_on_hyphens=False)


def _stream(lines: Sequence[str]) -> bytes:
    shown = [b"(%s) Tj T*" % _escaped(line) for line in lines]
    return b"BT /F1 10 Tf 15 TL 56 780 Td\n" + b"\n".join(shown) + b"\nET"


def _escaped(line: str) -> bytes:
    raw = line.encode("cp1252")
    return raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _assembled(objects: Sequence[bytes]) -> bytes:
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)
