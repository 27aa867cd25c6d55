"""A PDF of ours is one that others can read."""

import pytest

from pytest_wandr.evidence import find_excerpt, read_page
from pytest_wandr.sealed.pdf import pdf
from pytest_wandr.sealed.world import Block, Document, Statement, row

pytest.importorskip("pypdfium2")


def document(*texts):
    return Document(Statement("The headline"), tuple(Block("p", (Statement(text),)) for text in texts))


def test_every_statement_is_found():
    made = document("A first (odd) line with a \\ in it.", "“Quoted” – and £5.", "word " * 200)
    page = read_page(pdf(made, "The foot."))
    for said in [*made.statements(), Statement("The foot.")]:
        assert find_excerpt(page, said.text.strip()).faithful, said


def test_parentheses_and_backslashes_are_escaped():
    assert b"a \\(b\\) c:\\\\d" in pdf(document("a (b) c:\\d"), "")


def test_a_row_is_found_as_it_is_stated():
    made = Document(Statement("Fees"), (Block("row", (row("Dog licence", "12 orlings"),)),))
    assert find_excerpt(read_page(pdf(made, "")), "Dog licence | 12 orlings").faithful


def test_a_long_text_takes_several_pages():
    made = document(*(f"Paragraph number {i} of many." for i in range(120)))
    body = pdf(made, "")
    assert b"/Count 6" in body
    assert find_excerpt(read_page(body), "Paragraph number 119 of many.").faithful


def test_equal_documents_are_equal_bytes_without_a_date_or_an_id():
    body = pdf(document("x"), "y")
    assert body == pdf(document("x"), "y")
    assert b"Date" not in body
    assert b"/ID" not in body
