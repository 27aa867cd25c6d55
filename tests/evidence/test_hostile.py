"""Pages and excerpts made to hang a parser: they are read, or too large, and never hang.

No test measures time. Each would take minutes were the cost not linear, and the run would be killed.
"""

import pytest

from pytest_wandr.evidence import find_excerpt, limits, page_problem, read_page

MANY = limits.MAX_ATTRIBUTES * 20


def attributes(template="a{}=1", count=MANY):
    return " ".join(template.format(n) for n in range(count))


@pytest.mark.parametrize(
    "body",
    [
        f"<p {attributes()}>x</p>",
        f"<p {attributes('a{}')}>x</p>",
        "<p " + attributes('a{}=">"') + ">x</p>",
        "<p " + attributes("a{}='<b>'") + ">x</p>",
        "<p " + attributes("a{}=\"<i class='x'>\"") + ">x</p>",
        '<script>x<a b="</script><p ' + attributes() + ">x</p>",
        f"<!-- <a b=' --><p {attributes()}>x</p>",
        '<textarea><a b="</textarea><p ' + attributes() + ">x</p>",
        f"<p title='{'<b>' * 50}' {attributes()}>x</p>",
        "<p " + "/".join(f'a{n}="1"' for n in range(MANY)) + ">x</p>",
        f"<p {attributes()}",
        f"<p\n{attributes().replace(' ', chr(10))}\n>x</p>",
        "<p>short</p>" * 5_000
        + '<p title="'
        + "> " * 9_000
        + '" '
        + attributes()
        + ">x</p>"
        + "<b>y</b>" * 5_000,
        "<p title='a>b'>short</p>" * 5_000 + "<p " + attributes("a{}= '>'") + ">x</p>",
    ],
    ids=range(14),
)
def test_a_tag_with_too_many_attributes_is_too_large_however_it_is_wrapped(body):
    page = read_page(body.encode(), media_type="text/html")
    assert page.problem.startswith("too large: a tag with more than")
    assert page_problem(page).startswith("too large")
    assert find_excerpt(page, "x y z").reason == "unreadable"


@pytest.mark.parametrize(
    "body",
    [
        "<p>" + "five words in a sentence. " * 30_000 + "</p>",
        "<div data-state='"
        + '{"html": "<b class=\\"x\\">bold</b>", "n": 1}, ' * 5_000
        + "'><p>words</p></div>",
        "<script>" + "if (a < b && c > d) { e = '<p class=\"x\">' + f; }\n" * 5_000 + "</script><p>words</p>",
        "<style>" + ".a > .b { color: red }\n" * 10_000 + "</style><p>words</p>",
        "<img src='data:image/png;base64," + "QUJD" * 60_000 + "'><p>words</p>",
        "<pre>" + "a = b < c\n" * 20_000 + "</pre><p>words</p>",
        "<svg><path d='" + "M 10 10 L 20 20 " * 10_000 + "'/></svg><p>words</p>",
    ],
    ids=["text", "json attribute", "script", "style", "image", "code", "path"],
)
def test_honest_pages_with_long_parts_are_read(body):
    page = read_page(body.encode(), media_type="text/html")
    assert page.problem is None
    assert "words" in page.text


def test_depth_up_to_the_cap_is_read_and_beyond_it_is_too_large():
    fine = "<div>" * 1_900 + "deep words" + "</div>" * 1_900
    assert read_page(fine.encode(), media_type="text/html").text == "deep words"
    deep = read_page(b"<div>" * 200_000 + b"deep words", media_type="text/html")
    assert deep.problem == f"too large: elements nested deeper than {limits.MAX_DEPTH}"


def test_more_tags_than_the_cap_are_too_large():
    page = read_page(b"<b>" * (limits.MAX_TAGS + 1), media_type="text/html")
    assert page.problem == f"too large: more than {limits.MAX_TAGS} tags"


def test_closing_tags_without_end_are_too_large():
    page = read_page(b"<div>" * 1_900 + b"</p>" * (limits.MAX_UNMATCHED + 2_000), media_type="text/html")
    assert page.problem.startswith("too large: more than 50000 closing tags")


def test_text_up_to_the_cap_is_read_and_beyond_it_is_too_large():
    line = b"hello world text again. "
    count = limits.MAX_TEXT_CHARS // len(line)
    page = read_page(line * count + b"the end", media_type="text/plain")
    assert page.problem is None
    assert find_excerpt(page, "text again. the end").faithful
    assert read_page(line * (count + 1), media_type="text/plain").problem.startswith("too large")
    assert read_page(b" " * (limits.MAX_BODY_BYTES + 1)).problem.startswith("too large")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"<p>a</p><noscript>" + b"<p>text</p>" * 5_000, "text"),
        (b"<script>" * 20_000, ""),
        (b"<p>seen</p>" + b"<script>" * 20_000, "seen"),
        (b"<" * 50_000, "<<<"),
        (b"<p>x" + b"<" * 50_000 + b"y", "x"),
        (b"<table><tr><td colspan=999999999 rowspan=999999999>a</td><td>b</td></tr></table>", "a | b"),
        (b"<table><tr>" + b"<td rowspan=9>a</td>" * 20_000 + b"</tr><tr></tr></table>", "a | a"),
        (b"<ol start=99999999999999999999><li>one</ol>", "one"),
        (b"<p>a\x00b</p>", "ab"),
        (b"<p>&#xD800;&#55296;&#x110000; x</p>", "x"),
        (b"<p>\xed\xa0\x80 x</p>", "x"),
        (b"<!--" * 20_000 + b"<p>x", ""),
        (b"<p>x</p>" + b"</b>" * 40_000, "x"),
        (b"&" * 100_000, "&&&"),
        (b'<p title="' + b"x" * 100_000, ""),
        (b"<wandr-span-9999999999>x</wandr-span-9999999999>", "x"),
    ],
    ids=range(16),
)
def test_broken_markup_is_read_as_far_as_it_goes(body, text):
    page = read_page(body, media_type="text/html")
    assert page.problem is None
    assert text in page.text
    assert isinstance(page_problem(page), str | None)


@pytest.mark.parametrize("media_type", ["text/html", "text/xml"])
@pytest.mark.parametrize(
    "reference", [b"&#1;", b"&#12;", b"&#x1e;", b"&#29;", b"&#xD800;", b"&#0057343;", b"&#xFFFE;"]
)
def test_a_control_written_as_a_reference_parts_words_at_most(reference, media_type):
    page = read_page(
        b"<ol><li>" + reference + b"one</li><li>two" + reference + b" three</li></ol>", media_type=media_type
    )
    assert page.problem is None
    assert "FFFD" not in page.full_text
    assert find_excerpt(page, "two three").faithful
    assert not find_excerpt(page, "twothree one").faithful


@pytest.mark.parametrize(
    ("body", "media_type"),
    [
        (b'{"a": "\\ud800 words \\u001d here"}', "application/json"),
        (b"[" * 100_000, "application/json"),
        (b"[" * 100_000 + b"]" * 100_000, "application/json"),
        (b"[" + b"9" * 50_000 + b"]", "application/json"),
        (b'{"a": NaN, "b": Infinity}', "application/json"),
        (b'"' * 100_000, "text/csv"),
        (b'"' + b"x" * 400_000, "text/csv"),
        (b"a,b\r\r\nc,d\x0b\x0ce", "text/csv"),
        (b"<a" * 10_000, "application/xml"),
        (b"\xff\xfe\x00\xd8", "text/html"),
    ],
)
def test_broken_data_is_read_as_text(body, media_type):
    page = read_page(body, media_type=media_type)
    assert page.problem is None or page.problem.startswith("no text")
    assert not find_excerpt(page, "nothing of this kind").faithful


def test_entities_of_a_document_are_not_expanded():
    levels = "".join(f'<!ENTITY e{n} "' + f"&e{n - 1};" * 10 + '">' for n in range(1, 12))
    body = f'<!DOCTYPE r [<!ENTITY e0 "boom">{levels}]><r>start &e11; end</r>'
    page = read_page(body.encode(), media_type="application/xml")
    assert "boom" not in page.text
    assert len(page.text) < 100


LONG = {
    "newlines": "\n" * 19_000 + "a",
    "images": "![" * 10_000,
    "dashes": "- x\n" * 5_000,
    "backticks": "`" * 20_000,
    "bold": "**a " * 5_000,
    "links": "<http://a" * 2_200,
    "brackets": "[" * 20_000,
    "chopped": "](" * 10_000,
    "dots": "." * 20_000,
    "spaced dots": ". " * 10_000,
    "backslashes": "\\" * 20_000,
    "ampersands": "&" * 20_000,
    "bars": "|" * 20_000,
    "tabs": "a\t" * 10_000,
    "commas": "," * 20_000,
    "comma gaps": ", ,a" * 5_000,
    "spaces": " " * 20_000,
    "underscores": "_a" * 10_000,
    "less": "<" * 20_000,
    "open links": "[a](b" * 4_000,
    "nested links": "[[a](" * 4_000,
    "superscripts": "²" * 20_000,
    "marks": "a\u0301" * 10_000,
    "only marks": "\u0301" * 20_000,
    "quotes": "> " * 10_000,
    "hyphens": "a-\n" * 6_000,
    "ellipses": "abcdefgh … " * 1_800,
    "lines": "abcdefgh\n" * 2_200,
    "digits": "1 " * 10_000,
    "letters": "a" * 20_000,
    "image links": "![a](" * 4_000,
}


@pytest.mark.parametrize("name", LONG)
def test_no_long_excerpt_hangs(name):
    page = read_page("<p>plain page text, café abcdefgh 1 1</p>".encode() * 3_000, media_type="text/html")
    match = find_excerpt(page, LONG[name][: limits.MAX_EXCERPT_CHARS])
    assert isinstance(match.explain(), str)


def test_an_excerpt_over_the_cap_is_refused_by_name():
    page = read_page(b"a " * 20_000)
    match = find_excerpt(page, "a " * 10_001)
    assert (match.faithful, match.reason) == (False, "too_long")
    assert str(limits.MAX_EXCERPT_CHARS) in match.explain()


@pytest.mark.parametrize(
    ("body", "excerpt"),
    [
        (b"a" * 1_000_000, "a" * 5_000 + "b"),
        (b"ab " * 330_000, "ab " * 5_000 + "c"),
        (b"ab " * 330_000, "ab ab ab ab\n" * 1_500 + "zzzz"),
        (b"abcdefgh " * 100_000, "abcdefgh ... " * 1_500 + "zzzzzzzz"),
        (b"abcdefgh\n\n" * 60_000, "abcdefgh\n" * 2_000 + "zzzzzzzzz"),
        (b"xy1 " * 200_000, "y1"),
        (b"| a | b |\n" * 50_000, "| a | | b |\n" * 1_500),
    ],
    ids=range(7),
)
def test_no_repetitive_page_hangs(body, excerpt):
    assert not find_excerpt(read_page(body, media_type="text/plain"), excerpt).faithful
