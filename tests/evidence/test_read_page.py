"""What read_page says of bytes: kind, texts, title, language, links, digest, problem."""

# ruff: noqa: E501  (tables: one case a line)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.evidence import find_excerpt, page_problem, read_page

PAGE = b"""<!doctype html><html lang="en-GB"><head><title> Rope
 works </title><base href="https://pell.example/shop/"></head><body><h1>Rope</h1><p>Two   kinds
of rope.<br>Both strong.</p><ul><li>Manila</li><li>Nylon</li></ul><a href="a.html">A</a> <a href="/b?x=1#f">B</a>
<a href="mailto:x@pell.example">M</a> <a href="a.html">again</a> <a href="https://other.example/">O</a><a href="http://[bad">x</a>
<table><tr><th>Kind</th><th>Load</th></tr><tr><td>Manila</td><td>1060</td></tr></table></body></html>"""


def test_the_reading_text_has_a_line_for_each_block():
    page = read_page(PAGE, media_type="text/html; charset=utf-8", url="https://pell.example/x")
    assert page.text == (
        "Rope\nTwo kinds of rope.\nBoth strong.\nManila\nNylon\nA B M again Ox\nKind | Load\nManila | 1060"
    )


def test_title_language_and_links_are_read():
    page = read_page(PAGE, media_type="text/html", url="https://pell.example/x")
    assert (page.title, page.lang, page.kind, page.charset) == ("Rope works", "en-GB", "html", "utf-8")
    assert page.links == (
        "https://pell.example/shop/a.html",
        "https://pell.example/b?x=1#f",
        "https://other.example/",
    )


def test_links_are_resolved_against_the_url_when_there_is_no_base():
    page = read_page(
        b"<a href='../up'>x</a><a href=''>y</a><a href='javascript:go()'>z</a>", url="https://a.example/b/c"
    )
    assert page.links == ("https://a.example/up",)


def test_full_text_keeps_what_the_reading_text_leaves_out():
    page = read_page(
        b"<p>It has 5,000<sup>[3]</sup> residents.</p><ol start=4><li>Kenya</ol>", media_type="text/html"
    )
    assert page.text == "It has 5,000 residents.\nKenya"
    assert page.full_text == "It has 5,000[3] residents.\n4. Kenya"


def test_hidden_text_holds_title_attributes_and_data():
    body = (
        b"<title>T1</title><img alt='an oak' src=x><a href=x title='http://no.example'>l</a>"
        b'<script type=\'application/ld+json\'>{"a": ["v1", 2.50, true, {"b": "https://no.example"}]}</script>'
    )
    assert read_page(body, media_type="text/html").hidden_text.split("\n") == ["T1", "an oak", "v1", "2.50"]


def test_preformatted_text_keeps_its_lines():
    page = read_page(b"<p>Run</p><pre>make\n  test | tee\n\nall</pre>", media_type="text/html")
    assert page.text == "Run\nmake\ntest | tee\nall"


@pytest.mark.parametrize(
    ("body", "media_type", "kind"),
    [
        (b"<p>x</p>", None, "html"),
        (b"<p>x</p>", "text/html", "html"),
        (b"<p>x</p>", "application/xhtml+xml", "html"),
        (b"<?xml version='1.0'?><feed><e>x</e></feed>", "application/atom+xml", "xml"),
        (b"<?xml version='1.0'?><feed><e>x</e></feed>", None, "xml"),
        (b"<a>x</a>", "text/xml", "xml"),
        (b"<?xml version='1.0'?><html><body>x</body></html>", "application/xml", "html"),
        (b'{"a": 1}', "application/json", "json"),
        (b'{"a": 1}', None, "json"),
        (b'{"a": 1}', "application/ld+json", "json"),
        (b"a,b\n1,2", "text/csv", "csv"),
        (b"a\tb\n1\t2", "text/tab-separated-values", "csv"),
        (b"plain words", "text/plain", "text"),
        (b"plain words", None, "text"),
        (b"# Head", "text/markdown", "text"),
        (b"<!DOCTYPE html><html><p>x", "text/plain", "html"),
        (b"%PDF-1.7 x", None, "pdf"),
        (b"%PDF-1.7 x", "text/html", "pdf"),
        (b"\x89PNG\r\n\x1a\n\x00\x01", "text/html", "binary"),
        (b"\x89PNG\r\n\x1a\n\x00\x01", None, "binary"),
        (b"PK\x03\x04\x14\x00", None, "binary"),
        (b"abc", "image/png", "binary"),
        (b"ID3 tags in words", None, "text"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><text>x</text></svg>", "image/svg+xml", "xml"),
        (b"", None, "text"),
    ],
)
def test_the_kind_follows_the_bytes_and_then_the_media_type(body, media_type, kind):
    assert read_page(body, media_type=media_type).kind == kind


@pytest.mark.parametrize(
    ("body", "media_type", "problem"),
    [
        (b"", "text/html", "no text"),
        (b" \n\t", None, "no text"),
        (b"\x00\x00", "text/html", "no text"),
        (b"\x89PNG\r\n\x1a\n\x00\x01", None, "binary: a PNG image"),
        (b"x", "video/mp4", "binary: video/mp4"),
    ],
)
def test_unreadable_bytes_say_why(body, media_type, problem):
    page = read_page(body, media_type=media_type)
    assert page.problem.startswith(problem)
    assert (page.text, page.digest, page.undecided) == ("", "", False)
    assert page_problem(page) is not None
    match = find_excerpt(page, "some words")
    assert not match.faithful
    assert page.problem in match.explain()


def test_a_readable_page_has_no_problem():
    page = read_page(PAGE, media_type="text/html")
    assert page.problem is None
    assert not page.undecided


def test_the_digest_depends_on_the_text_and_not_on_markup_or_charset():
    one = read_page("<p>Café ouvert\nle jeudi</p>".encode(), media_type="text/html")
    two = read_page(
        "<div class=x>Café  ouvert le <b>jeudi</b></div><!-- c -->".encode("cp1252"),
        media_type="text/html; charset=cp1252",
    )
    other = read_page("<p>Café ouvert le lundi</p>".encode(), media_type="text/html")
    assert len(one.digest) == 64
    assert one.digest == two.digest != other.digest


def test_json_is_searched_as_written_and_by_value():
    page = read_page(
        b'{"name": "Oak \\u00c9l Clinic", "beds": 1234.50, "open": true}', media_type="application/json"
    )
    assert find_excerpt(page, '"beds": 1234.50').faithful
    assert find_excerpt(page, "Oak Él Clinic").faithful
    assert not find_excerpt(page, "1234.5").faithful


def test_delimited_values_keep_their_columns():
    page = read_page(b'name,load,"made in"\nManila,1060,Pell\n"Nylon, blue",,Orrin\n', media_type="text/csv")
    assert find_excerpt(page, "| Manila | 1060 | Pell |").faithful
    assert find_excerpt(page, "Manila,1060,Pell").faithful
    assert find_excerpt(page, "| Nylon, blue | | Orrin |").faithful
    assert not find_excerpt(page, "| Nylon, blue | Orrin | |").faithful
    assert not find_excerpt(page, "| Manila | | Pell |").faithful


def test_xml_text_is_read_without_entities_of_its_own():
    body = b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x "secret">]><r xml:lang="de"><a>Erste</a><b><![CDATA[Zweite <i>x</i>]]></b>&x;</r>'
    page = read_page(body, media_type="application/xml")
    assert page.kind == "xml"
    assert "Erste\nZweite" in page.text
    assert "secret" not in page.text


def test_a_shadow_root_and_unknown_tags_are_read():
    assert "Inside" in read_page(b"<x-card><x-body>Inside</x-body></x-card>", media_type="text/html").text


@given(
    st.binary(max_size=300),
    st.sampled_from(
        [
            None,
            "text/html",
            "text/plain",
            "application/json",
            "text/csv",
            "application/xml",
            "image/png",
            "",
            ";;",
            "text/html; charset=utf-16",
        ]
    ),
)
def test_no_bytes_raise(body, media_type):
    page = read_page(body, media_type=media_type, url="https://a.example/")
    parts = (page.text, page.full_text, page.hidden_text, page.title, page.lang, page.charset, page.digest)
    assert all(isinstance(part, str) for part in parts)
    assert isinstance(page.links, tuple)
    assert isinstance(find_excerpt(page, "a b").explain(), str)
    assert page_problem(page) is None or page_problem(page)


@given(st.text(max_size=200))
def test_no_markup_raises_and_text_never_holds_our_marks(text):
    page = read_page(f"<p>{text}</p>".encode("utf-8", "replace"), media_type="text/html")
    for view in (page.text, page.full_text, page.hidden_text):
        assert not any(mark in view for mark in "\x0b\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f")


def test_control_characters_in_a_page_part_words_and_open_no_barriers():
    page = read_page(b"<p>one\x1dtwo\x1cthree\x1efour\x00five</p>", media_type="text/html")
    assert page.text == "one two three fourfive"
    assert find_excerpt(page, "one two three").faithful


def test_a_page_does_not_change():
    page = read_page(PAGE, media_type="text/html")
    for name in ("text", "kind", "url", "problem", "other"):
        with pytest.raises(AttributeError):
            setattr(page, name, "x")


@pytest.mark.parametrize(
    "odd", ["<a<b>odd", "<xmp><b>odd</b></xmp>", "<iframe>a > b</iframe>odd", "<x<y<z>odd", "<p>1 < 2 > odd"]
)
def test_odd_tags_and_raw_text_change_nothing_around_them(odd):
    page = read_page(
        f"<p>First <b>part</b>.</p>{odd}<p>Last <i>part</i>.</p>".encode(), media_type="text/html"
    )
    assert page.text.startswith("First part.\n")
    assert "odd" in page.text
    assert page.text.endswith("\nLast part.")
