"""What a page hides is glimpsed in its source: never less than its tree says, so a tree is seldom made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from pytest_wandr.evidence import find_excerpt, hidden, read_page
from pytest_wandr.evidence.glimpse import glimpse
from pytest_wandr.evidence.marks import BARRIER
from pytest_wandr.evidence.page import PageText
from pytest_wandr.evidence.skeleton import Skeleton

VALUES = st.sampled_from(
    [
        "an oak",
        "Q&A of pier",
        "caf&eacute; &amp; rope",
        "a &#x2013; b",
        "&#8203;x",
        "rope &lt;b>not&lt;/b> able",
        "//cdn.example/a",
        "https://a.example/?a=1&b=2",
        "",
        "5 > 3",
        "<i>tar</i> barrel",
        "it's",
        "&lang;",
        "a&copy=1",
        "\r\n<b\r\n>x",
        "&amp;lt;p>",
        "naïve “tar”",
        "content='x'",
    ]
)
PARTS = st.one_of(
    st.builds('<img alt="{}">'.format, VALUES.filter(lambda value: '"' not in value)),
    st.builds("<IMG TITLE = '{}'/>".format, VALUES.filter(lambda value: "'" not in value)),
    st.builds("<a aria-label={}>w</a>".format, VALUES.filter(lambda value: " " not in value)),
    st.builds("<title>{}</title>".format, VALUES),
    st.builds('<svg><title id="a">{}</title></svg>'.format, VALUES),
    st.builds("<noscript>{}</noscript>".format, VALUES),
    st.builds("<noscript>{}<p>x &lt; y</p></noscript>".format, VALUES),
    st.builds('<script type=\'application/ld+json\'>{{"a": "{}"}}</script>'.format, VALUES),
    st.builds("<script>var a = '<img alt=\"{}\">';</script>".format, VALUES),
    st.builds("<!-- {} -->".format, VALUES),
    st.builds("<p title>{}</p>".format, VALUES),
    st.sampled_from(
        [
            '<p data-x="a>b" alt="c>d">',
            "<script async>1</script>",
            "<title",
            '<img alt="',
            "<script type=json>",
            "</html><p title=late>",
            "<noscript><body>a &lt; b</noscript>",
            "<table><tr><td>1</table>",
            "\f",
            '<script type="x" data-a=">json">{"a": "b"}</script>',
            "<title><div>a</title>b</div></title>",
            '<script type="&#106;son">{"k": "keel"}</script>',
            "<noscript>a</p>b &lt; c</noscript>",
        ]
    ),
)
SOURCES = st.lists(PARTS, max_size=6).map("".join)


def page_of(source):
    return read_page(source.encode(), media_type="text/html")


def hidden_pieces(page):
    return [] if page.problem else page._hidden.split(BARRIER)


@given(SOURCES)
def test_a_glimpse_holds_every_hidden_text(source):
    page = page_of("<p>words</p>" + source)
    seen = glimpse(page._source)
    if seen is not None:
        bare = Skeleton(seen).squashed
        assert [piece for piece in hidden_pieces(page) if Skeleton(piece).squashed not in bare] == []


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("<title>News</title><p>alt, title and label</p>", ["News"]),
        ('<img alt="an &amp; oak" src="x"><img alt=bare>', ["an & oak", "bare"]),
        ("<img alt='caf&eacute; &#8211; x'>", ["café \u2013 x"]),
        ("<p alt" + " " * 20 + "=x>", ["x"]),
        ("<p data-title = \n'a' label=b xalt=c valu=d></p>", ["a", "b", "c"]),
        ('<meta content="https://a.example/?a=1&b=2">', []),
        ('<script type="application/ld+json">{"a": ["v\\u0031", 2.50]}</script>', ["v1", "2.50"]),
        ('<script>if (a < b && c) d("</p>")</script>', []),
        ('<noscript><iframe src="x"></iframe></noscript><noscript>on</noscript>', []),
        ('<script type="&#106;son">["k"]</script>', ["k"]),
        ("<!-- <img alt='not shown'> -->", ["not shown"]),  # too much does no harm
    ],
)
def test_what_a_glimpse_sees(source, seen):
    assert glimpse(source.encode()) == BARRIER.join(seen)


@pytest.mark.parametrize(
    "source",
    [
        "<title>a<b>c</b></title>",
        "<title>a",
        '<title data-x="a>b">c</title>',
        "<title>a</titlex>",
        "<script type='a>json'>1</script>",
        '<script type="json">{"a": "<!--<script>"}</script>',
        '<script type="json">1',
        "<noscript>a &lt; b</noscript>",
        "<noscript><body>a</noscript>",
        '<img alt="a',
        '<img alt="a&b;">',
        "<img alt='&copy=1'>",
        "<img alt='&#150;'>",
        "<img alt='&lang;'>",
        "<img alt='&#x1F600;'>",
        "<p\falt='a'>",
        "<p alt='<b\r\n>x'>",
        "<p alt='\ufffe'>",
        "<p alt=1>" * 30_000,
        "<p alt" + " " * 21 + "=x>",
        "<script>1</script>" * 2_001,
        "<p " + "alt=" * 5_000 + ">",  # each value is as long as what follows
    ],
)
def test_what_is_left_to_the_tree(source):
    assert glimpse(source.encode()) is None


@given(SOURCES, VALUES, st.sampled_from(["", " ... ", "\n"]), VALUES)
def test_an_excerpt_is_found_in_what_a_page_hides_with_and_without_a_glimpse(source, first, gap, second):
    excerpt = f"{first}{gap}{second} x"[: -2 if gap else None]
    quick = find_excerpt(page_of("<p>words</p>" + source), excerpt)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PageText, "may_hide", lambda *_, **__: True)
        slow = find_excerpt(page_of("<p>words</p>" + source), excerpt)
        assert (quick.how, quick.where, quick.explain()) == (slow.how, slow.where, slow.explain())


def test_a_tree_is_made_once_when_an_excerpt_is_nowhere(monkeypatch):
    made = []
    tree = PageText.tree
    monkeypatch.setattr(PageText, "tree", lambda page: made.append(page) or tree(page))
    page = page_of("<title>News</title><p>The old pier burnt.</p><img alt='a brass lamp, polished twice'>")
    assert not find_excerpt(page, "The old pier was rebuilt by the harbour office.").faithful
    assert made == []
    assert find_excerpt(page, "a brass lamp, polished twice").how == "hidden"
    assert len(made) == 1


@pytest.mark.parametrize(
    "source",
    [
        b"<p title=a id=b alt=c><a aria-label=d>",
        b"<html><body><p alt=a></body></html><html><body><p title=b><img alt=c>",
        b"<!-- x --><p data-title=a><svg><title>t</title><g alt=b></svg>",
        b"<p xml:title=a alt=b>",
    ],
)
def test_hidden_attributes_come_in_the_order_of_the_page(source):
    root = etree.fromstring(source, etree.HTMLParser(remove_comments=True))
    names = " or ".join(f"name()='{name}'" for name in hidden.ATTRIBUTES)
    assert list(hidden._attributes(root)) == root.xpath(f"//@*[{names}]")
