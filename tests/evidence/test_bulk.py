"""Bytes of a page that nearly never need work are looked for before any is done; the text is the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from pytest_wandr.evidence import read_page, walk
from pytest_wandr.evidence.marks import scrub

CONTROLS = [*range(0x01, 0x09), 0x0B, *range(0x0E, 0x20), 0x7F]
WRITTEN = st.lists(
    st.sampled_from([b"&amp;", b"&lt;", b"&gt;", b"&#13;", b"&#xFFFD;", b"amp;", b"lt;", b"#13;", b"x", b" "])
).map(b"".join)


@pytest.mark.parametrize("byte", range(256))
def test_scrubbing_changes_control_characters_alone(byte):
    before = b"a" + bytes([byte]) + b"b"
    expected = b"ab" if byte == 0 else b"a b" if byte in CONTROLS else before
    assert scrub(before) == expected


@given(st.binary())
def test_scrubbed_bytes_have_nothing_left_to_scrub(body):
    assert set(scrub(body)).isdisjoint({0, *CONTROLS})
    assert scrub(scrub(body)) == scrub(body)


@given(WRITTEN)
def test_references_are_undone_as_one_kind_after_the_other(text):
    plain = text.replace(b"&#13;", b"\n").replace(b"&#xFFFD;", b" ")
    plain = plain.replace(b"&lt;", b"<").replace(b"&gt;", b">").replace(b"&amp;", b"&")
    assert walk._resolved(text) == plain


@given(st.text("&<>;#13amplt\r x", max_size=20))
def test_what_a_tree_writes_is_read_back(text):
    element = etree.Element("p")
    element.text = text
    assert walk._written(element) == f"\x1e{text}\x1e".replace("\r", "\n")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>a &amp;lt; b</p>", "a &lt; b"),
        ("<p>a &amp;#13; b</p>", "a &#13; b"),
        ("<p>a &lt; b &gt; c &amp; d</p>", "a < b > c & d"),
        ("<p>a&#13;b</p>", "a b"),
        ("<p>a &amp;<b>amp;</b></p>", "a &amp;"),
    ],
)
def test_references_of_a_page(source, text):
    assert read_page(source.encode(), media_type="text/html").text == text
