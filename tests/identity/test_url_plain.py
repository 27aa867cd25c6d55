"""The short way to the key of a clean address ends where the long way ends."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_wandr.identity import urls
from pytest_wandr.identity.url_plain import plain_key
from pytest_wandr.identity.url_sites import DEFAULT_RULES, rules_of

CLEAN = [
    ("https://site.example", "site.example"),
    ("https://www.site.example/a/b-1_c~d/", "site.example/a/b-1_c~d"),
    ("http://m.site.example/story.html?id=7&utm_source=x", "site.example/story.html?id=7"),
    ("https://site.example/?b=2&a=1&b=1&ref=rss&fbclid=q", "site.example?a=1&b=2&b=1"),
    ("https://mobile.twitter.com/a?s=20", "x.com/a"),
    ("https://uk.linkedin.com/in/x?trk=y", "linkedin.com/in/x"),
]
RULES = [
    {},
    {},
    {"scheme": True},
    {"trailing_slash": True},
    {"keep_params": ["utm_source", "s"]},
    {"drop_params": ["id"]},
    {"host_aliases": {"site.example": "other.example", "www.site.example": "google.com"}},
    {"host_aliases": {"site.example": "new.example/old", "other.example": "site.example"}},
    {"host_aliases": {"site.example": "export.arxiv.org", "other.example": ""}},
]

_hosts = st.sampled_from(
    [
        *[
            "site.example",
            "other.example",
            "www.com",
            "m.co.uk",
            "en.m.wiki.example",
            "localhost",
            "a..b",
            "-",
        ],
        *["twitter.com", "youtu.be", "music.youtube.com", "amazon.co.uk", "uk.linkedin.com", "np.reddit.com"],
        *["web.archive.org", "google.com", "a.cdn.ampproject.org", "arxiv.org", "doi.org", "10.0.0.1", "."],
        *["site.example.", "site.example:80", "Site.example", "xn--mnchen-3ya.example", "medium.com", ""],
    ]
)
_own = st.sampled_from(
    [
        "https://youtube.com/embed/abcDEF12345",
        "https://www.youtube.com/shorts/abcDEF12345/?si=x",
        "https://www.youtube.com/v/videoseries?list=a",
        "https://youtube-nocookie.com/embed/abcDEF12345?rel=0",
        "https://github.com/a/b.git",
        "https://github.com/a/b/c.git/",
        "https://en.wikipedia.org/w?title=A",
        "https://en.wikipedia.org/w/?title=A&utm_source=b",
        "https://en.wikipedia.org/wiki/A_b",
        "https://amazon.de/a/dp/B0?th=1",
    ]
)
_fronts = st.sampled_from(["", "", "www.", "m.", "mobile.www.", "amp."])
_segments = st.sampled_from(
    [
        *[
            "a",
            "b-1",
            "story.html",
            "index.html",
            "INDEX.htm",
            "default.aspx",
            "amp",
            "AMP",
            "x.amp",
            "x.amp.html",
        ],
        *[
            ".",
            "..",
            "",
            "a.",
            "10.1000",
            "abs",
            "2101.00001",
            "web",
            "2020id_",
            "https:",
            "c",
            "s",
            "ref=x",
            "~u",
        ],
        *["amplify", "myindex.html", "%7E", "a;b", "a+b"],
    ]
)
_parameters = st.sampled_from(
    [
        *[
            "id=1",
            "ID=2",
            "a",
            "=1",
            "=",
            "",
            "a=1=2",
            "s=20",
            "t=1",
            "ref=rss",
            "ref=main",
            "REF=RSS",
            "v=1.",
            "amp=1",
        ],
        *[
            "utm_source=x",
            "UTM_x=1",
            "fbclid=1",
            "from=share",
            "tag=t",
            "a=%20",
            "a=1+2",
            "a=/x",
            "a=~",
            "source=",
        ],
    ]
)
_addresses = st.builds(
    "{}{}{}{}{}{}".format,
    st.sampled_from(["https://", "https://", "http://", "HTTPS://", "//", "ftp://", ""]),
    _fronts,
    _hosts,
    st.lists(_segments, max_size=4).map(lambda parts: "".join(f"/{part}" for part in parts)),
    st.lists(_parameters, max_size=4).map(lambda parts: f"?{'&'.join(parts)}" if parts else ""),
    st.sampled_from(["", "", "", "/", ".", "?", "#", "&", ")"]),
)


@pytest.mark.parametrize(("url", "key"), CLEAN)
def test_a_clean_address_has_its_key_read_off(url, key):
    assert plain_key(url, DEFAULT_RULES) == key == urls.key_of_url(url)


@given(_addresses, st.sampled_from(RULES))
@example("https://site.example/a.?utm_source=x", {})
@example("https://site.example/index.html/amp/", {})
@example("https://site.example/x", {"host_aliases": {"site.example": "b.example", "b.example": "c.example"}})
@settings(max_examples=1500)
def test_the_short_way_finds_what_the_long_way_finds(url, options):
    rules = rules_of(options)
    found = plain_key(url, rules)
    assert found in {"", urls._settled_key(url, rules)}


@given(_own, st.sampled_from(RULES))
def test_sites_with_several_addresses_have_one_key_on_both_ways(url, options):
    rules = rules_of(options)
    key = urls._settled_key(url, rules)
    assert plain_key(url, rules) in {"", key}
    assert urls._settled_key(key, rules) == key
