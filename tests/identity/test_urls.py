"""One key for each page: what goes, and what must stay."""

import pytest

from pytest_wandr.identity import compare, normal_form, url_key

KEYS = [
    ("https://en.wiki.example/wiki/X_(bird)", "en.wiki.example/wiki/X_(bird)"),
    ("(https://a.example/x)", "a.example/x"),
    ("<https://a.example/x>", "a.example/x"),
    ("https://a.example/x.", "a.example/x"),
    ("https://a.example/x);", "a.example/x"),
    ("https://www.google.com/amp/s/a.example/story", "a.example/story"),
    ("https://a.example/x/../../y", "a.example/y"),
    ("https://a.example/./x/.", "a.example/x"),
    ("https://a.example//x///y", "a.example/x/y"),
    ("https://a.example", "a.example"),
    ("https://a.example/default.aspx", "a.example"),
    ("https://a.example/INDEX.HTML", "a.example"),
    ("https://a.example/myindex.html", "a.example/myindex.html"),
    ("http://[::1]:80/x", "[::1]/x"),
    ("http://a.example:443/x", "a.example/x"),
    ("https://a.example:80/x", "a.example:80/x"),
    ("ftp://a.example:21/x", "ftp://a.example/x"),
    ("mailto:a@b.example", "mailto:a@b.example"),
    ("https://www.com/", "www.com"),
    ("https://m.co.uk/x", "m.co.uk/x"),
    ("https://www2.a.example/", "a.example"),
    ("https://mobile.a.example./x", "a.example/x"),
    ("https://ru.m.wiki.example/wiki/%D0%9C", "ru.wiki.example/wiki/М"),
    ("https://amazon.co.uk/dp/B0?tag=x&th=1", "amazon.co.uk/dp/B0?th=1"),
    ("https://doi.org/10.1000/ABC?utm=1", "doi:10.1000/abc"),
    ("https://dx.doi.org/10.1000/abc", "doi:10.1000/abc"),
    ("doi:10.1000/ABC", "doi:10.1000/abc"),
    ("https://arxiv.org/html/2101.00001v2", "arxiv:2101.00001"),
    ("https://doi.org/10.48550/arXiv.2101.00001", "arxiv:2101.00001"),
    ("https://export.arxiv.org/abs/hep-th/9901001", "arxiv:hep-th/9901001"),
    ("https://web.archive.org/web/2020id_/http://www.x.example/a", "x.example/a"),
    ("https://a.example/p?s=amp", "a.example/p?s=amp"),
    ("https://a.example/story.amp.html", "a.example/story"),
    ("https://a.example/story/amp/", "a.example/story"),
    ("https://a.example/%7Eb", "a.example/~b"),
    ("https://a.example/a b", "a.example/a%20b"),
    ("https://a.example/%e9", "a.example/%E9"),
    ("https://a.example/q?a=1+2", "a.example/q?a=1%202"),
    ("https://a.example/?b=2&a=1&b=1", "a.example?a=1&b=2&b=1"),
    ("https://a.example/?utm_source=a&UTM_MEDIUM=b&fbclid=c", "a.example"),
    ("https://a.example/?source=rss&from=/x&ref=Twitter", "a.example?from=/x"),
    ("https://uk.linkedin.com/in/x", "linkedin.com/in/x"),
    ("https://music.youtube.com/watch?v=a&si=b", "youtube.com/watch?v=a"),
    ("https://www.youtube.com/embed/abcDEF12345?autoplay=1&start=3", "youtube.com/watch?v=abcDEF12345"),
    ("https://www.youtube-nocookie.com/embed/abcDEF12345", "youtube.com/watch?v=abcDEF12345"),
    ("https://m.youtube.com/shorts/abcDEF12345/", "youtube.com/watch?v=abcDEF12345"),
    ("https://www.youtube.com/live/abcDEF12345?si=x", "youtube.com/watch?v=abcDEF12345"),
    ("https://www.youtube.com/v/abcDEF12345", "youtube.com/watch?v=abcDEF12345"),
    ("https://www.youtube.com/embed/videoseries?list=PL1", "youtube.com/embed/videoseries?list=PL1"),
    ("https://www.youtube.com/embed/live_stream?channel=U", "youtube.com/embed/live_stream?channel=U"),
    ("https://a.example/embed/abcDEF12345", "a.example/embed/abcDEF12345"),
    ("https://en.wikipedia.org/wiki/Harlow%20Steel", "en.wikipedia.org/wiki/Harlow_Steel"),
    ("https://en.m.wikipedia.org/wiki/Talk%3AX_%28bird%29", "en.wikipedia.org/wiki/Talk:X_(bird)"),
    ("https://en.wikipedia.org/w/index.php?title=AC%2FDC+band", "en.wikipedia.org/wiki/AC/DC_band"),
    ("https://en.wikipedia.org/w/index.php?title=Harlow&utm_source=a", "en.wikipedia.org/wiki/Harlow"),
    ("https://en.wikipedia.org/w/index.php?title=Harlow&oldid=7", "en.wikipedia.org/w?oldid=7&title=Harlow"),
    ("https://en.wikipedia.org/wiki/What%3F", "en.wikipedia.org/wiki/What%3F"),
    ("https://www.amazon.com/Harlow-Kit/dp/B000/ref=sr_1?tag=x", "amazon.com/dp/B000"),
    ("https://amazon.de/gp/product/B000", "amazon.de/dp/B000"),
    ("https://amazon.de/Harlow-Kit/dp/B000/reviews", "amazon.de/Harlow-Kit/dp/B000/reviews"),
    ("https://github.com/harlow/kit.git", "github.com/harlow/kit"),
    ("https://github.com/harlow/kit/blob/x.git", "github.com/harlow/kit/blob/x.git"),
    ("https://youtu.be/aBc?t=10", "youtube.com/watch?v=aBc"),
    ("https://mobile.twitter.com/a", "x.com/a"),
    ("https://np.reddit.com/r/x", "reddit.com/r/x"),
    ("//a.example/x", "a.example/x"),
    ("a.example:8080/x", "a.example:8080/x"),
    ("https://a.example/x#!", "a.example/x"),
    ("https://a.example/x#/route", "a.example/x#/route"),
    ("https://a.example/x&amp;y", "a.example/x&y"),
    ("https://a.example\\x", "a.example/x"),
    ("ht\ntps://a.exa\tmple/x\u200b", "a.example/x"),
    ("https://a.example/Case", "a.example/Case"),
    ("", ""),
]


@pytest.mark.parametrize(("url", "key"), KEYS)
def test_the_key_of_a_page(url, key):
    assert url_key(url) == key
    assert url_key(key) == key


OPTIONS = [
    (
        {"archives_same_page": False},
        "https://web.archive.org/web/2020/https://a.example/x",
        "https://a.example/x",
        False,
    ),
    ({}, "https://web.archive.org/web/2020/https://a.example/x", "https://a.example/x", True),
    ({"keep_params": ["fbclid"]}, "https://a.example/x?fbclid=1", "https://a.example/x", False),
    ({"drop_params": ["view"]}, "https://a.example/x?View=1", "https://a.example/x", True),
    ({"host_aliases": {"b.example": "a.example"}}, "https://www.b.example/x", "https://a.example/x", True),
    ({"scheme": "keep"}, "http://a.example/x", "https://a.example/x", False),
    ({"scheme": "ignore"}, "http://a.example/x", "https://a.example/x", True),
    ({"trailing_slash": True}, "https://a.example/x/", "https://a.example/x", False),
]


@pytest.mark.parametrize(("options", "a", "b", "equal"), OPTIONS)
def test_the_author_refines_the_key(options, a, b, equal):
    assert (url_key(a, **options) == url_key(b, **options)) is equal
    assert (compare("url", a, b, url=options) == "same") is equal


def test_an_unknown_option_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match="keep_param.*there are: host_aliases"):
        url_key("https://a.example", keep_param=["x"])


@pytest.mark.parametrize("url", ["https://", "?", "#", "http:///", "https://www."])
def test_an_address_of_nothing_still_has_a_form(url):
    assert normal_form("url", url)
    assert normal_form("url", normal_form("url", url)) == normal_form("url", url)


@pytest.mark.parametrize(
    "piece", ["/..", "%E9", ")", "&a=1", "www.", "https://web.archive.org/web/2020/", "m.", "\ud800"]
)
def test_a_long_address_stays_cheap(piece):
    url_key("https://a.example/" + piece * 5000)
