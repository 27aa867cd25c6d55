"""PDF text is found by excerpt, scans and locked files are named, a missing extra is undecided."""

import sys

import pytest

from pytest_wandr.evidence import find_excerpt, page_problem, read_page


def pdf(*pages, extra=b""):
    """A PDF with one list of text lines a page; None is a page without text."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {count} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for n, lines in enumerate(pages):
        shown = " ".join(
            f"1 0 0 1 50 {740 - 20 * row} Tm ({line}) Tj" for row, line in enumerate(lines or [])
        )
        stream = f"BT /F1 12 Tf {shown} ET".encode("cp1252") if lines else b"0 0 100 100 re f"
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>" % (5 + 2 * n)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    body, offsets = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, text)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return body + b"trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        extra,
        start,
    )


LOCKED = (
    b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /Length 40 /O (" + b"o" * 32 + b") /U (" + b"u" * 32
    + b") >> /ID [(0123456789abcdef) (0123456789abcdef)]"
)  # fmt: skip


def read(body):
    return read_page(body, media_type="application/pdf")


def test_the_text_of_a_pdf_is_read_and_found():
    page = read(
        pdf(["The pier of Pell reopened", "after 18 months of work."], ["Second page: café, 1,060 kg."])
    )
    assert (page.kind, page.problem, page.charset) == ("pdf", None, "")
    assert find_excerpt(page, "The pier of Pell reopened after 18 months of work.").faithful
    assert find_excerpt(page, "café, 1,060 kg").faithful
    assert not find_excerpt(page, "reopened after 19 months").faithful


def test_a_sentence_over_a_page_break_is_found():
    page = read(pdf(["One sentence runs over"], ["two pages of text."]))
    assert find_excerpt(page, "One sentence runs over two pages of text.").faithful


def test_a_word_hyphenated_at_a_line_end_is_found_whole_and_as_written():
    page = read(pdf(["These long condi-", "tions apply to price-", "determining factors."]))
    assert find_excerpt(page, "These long conditions apply").faithful
    assert find_excerpt(page, "apply to price-determining factors").faithful


def test_a_scan_has_no_text_and_says_so():
    page = read(pdf(None, None))
    assert page.problem == "no text: a PDF without a text layer (a scan?)"
    assert not page.undecided
    assert page_problem(page) == page.problem


def test_a_locked_pdf_says_so():
    page = read(pdf(["Secret text"], extra=LOCKED))
    assert page.problem == "password: the PDF is locked"
    assert not page.undecided


@pytest.mark.parametrize("body", [b"%PDF-1.7\nnothing more", b"%PDF-1.4" + b"\x00\xff" * 500])
def test_a_damaged_pdf_says_so(body):
    page = read(body)
    assert page.problem.startswith("binary: a damaged PDF")
    assert not find_excerpt(page, "nothing more").faithful


def test_without_the_extra_a_pdf_is_undecided(monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    page = read(pdf(["The pier of Pell reopened"]))
    assert page.undecided
    assert page.problem.startswith("pdf: needs the extra")
    assert page_problem(page) == page.problem
    match = find_excerpt(page, "The pier of Pell reopened")
    assert (match.faithful, match.reason) == (False, "unreadable")


def test_a_pdf_with_too_many_pages_is_too_large(monkeypatch):
    monkeypatch.setattr("pytest_wandr.evidence.pdf.MAX_PDF_PAGES", 1)
    assert read(pdf(["one"], ["two"])).problem.startswith("too large: a PDF of 2 pages")


def test_a_pdf_with_too_much_text_is_too_large(monkeypatch):
    monkeypatch.setattr("pytest_wandr.evidence.pdf.MAX_TEXT_CHARS", 10)
    assert read(pdf(["one and two and three"])).problem.startswith("too large")
