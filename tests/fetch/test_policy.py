"""Which urls may be fetched."""

import json
from pathlib import Path

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_wandr.cassettes.urls import clean_url
from pytest_wandr.fetch import refuse_url
from pytest_wandr.fetch.addresses import refuse_address
from pytest_wandr.fetch.policy import (
    MAX_URL,
    Refusal,
    Target,
    blocked,
    refuse_spelling,
    refuse_unrecorded,
    target_of,
)

CASES = [
    json.loads(line)
    for name in ("bad_urls.jsonl", "bad_urls_more.jsonl")
    for line in (Path(__file__).parent.parent / "cases" / name).read_text("utf-8").splitlines()
]
PUBLIC = "93.184.215.14"


@pytest.mark.parametrize("case", CASES, ids=[f"{n}: {case['why'][:50]}" for n, case in enumerate(CASES)])
def test_the_listed_urls_are_refused_or_allowed(case):
    reason = refuse_url(case["url"], case.get("resolves"))
    assert (reason is None) is case["allowed"], reason
    assert reason is None or reason.strip()


EDGES = [
    # first and last of each block, and its neighbours outside
    ("0.0.0.0", "0.255.255.255", None, "1.0.0.0"),
    ("10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
    ("100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"),
    ("127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"),
    ("168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17"),
    ("169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"),
    ("172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
    ("192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"),
    ("192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"),
    ("192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"),
    ("192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"),
    ("198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"),
    ("198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"),
    ("203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"),
    ("224.0.0.0", "239.255.255.255", "223.255.255.255", None),
    ("240.0.0.0", "255.255.255.255", None, None),
]


@pytest.mark.parametrize(("first", "last", "before", "after"), EDGES)
def test_a_denied_block_ends_exactly_where_it_ends(first, last, before, after):
    assert refuse_url(f"http://{first}/")
    assert refuse_url(f"http://{last}/")
    for neighbour in filter(None, (before, after)):
        assert refuse_url(f"http://{neighbour}/") is None
        assert refuse_url(f"http://[::ffff:{neighbour}]/") is None
    for inner in (first, last):
        assert refuse_url("https://harbour.com/", [f"::ffff:{inner}"])
        assert refuse_url("https://harbour.com/", [f"64:ff9b::{inner}"])


@pytest.mark.parametrize(
    "address",
    [
        "::", "::1", "::2", "::7f00:1", "::ffff:127.0.0.1", "::ffff:0:8.8.8.8", "64:ff9b::10.0.0.1",
        "64:ff9b:1::1", "64:ff9b:1::808:808", "100::1", "100::ffff", "2001::1", "2001:0:4136:e378:8000::1",
        "2001:1::1", "2001:20::1", "2001:1ff:ffff::", "2001:db8::", "2001:db8:ffff::1", "2002:7f00:1::",
        "2002:a00:1::1", "2002:a9fe:a9fe::", "2002:c0a8:101::", "3fff::1", "3fff:fff::1", "5f00::1",
        "5f00:ffff::",
        "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "feff::1", "ff00::1", "ff02::fb", "ff0e::1",
        "4000::1", "1fff::1", "200::1", "e000::1",
    ],
)  # fmt: skip
def test_v6_addresses_that_are_not_public_are_refused(address):
    assert refuse_url(f"http://[{address}]/")
    assert refuse_url(f"http://[{address.upper()}]:8080/")
    assert refuse_url("https://harbour.com/", [PUBLIC, address])


@pytest.mark.parametrize(
    "address",
    [
        "2606:4700:4700::1111", "2001:4860:4860::8888", "2001:200::1", "2a00:1450:4001:830::200e",
        "2002:808:808::",
        "64:ff9b::808:808", "::ffff:8.8.8.8", "3ffe::1", "2620:fe::fe", "2606:4700:4700:0:0:0:0:1111",
    ],
)  # fmt: skip
def test_public_v6_addresses_are_allowed(address):
    assert refuse_url(f"http://[{address}]/", [address]) is None


@pytest.mark.parametrize(
    "answer", ["fe80::1%eth0", "fe80::1%25eth0", "10.0.0.1 ", "", "x", "0x7f.1", "1.2.3", "٨.٨.٨.٨"]
)
def test_an_answer_that_is_no_plain_address_refuses_all(answer):
    assert refuse_address(answer)
    assert refuse_url("https://harbour.com/", [PUBLIC, answer])


@pytest.mark.parametrize(
    "host",
    [
        # numbers: every base, every length, every script
        "2130706433", "0x7f000001", "0X7F000001", "017700000001", "0177.0.0.1", "0x7f.1", "127.1",
        "127.0.1", "0",
        "0x", "00", "127.0.0.1.", "127.0.0.01", "127.0.0.0x1", "0x7f.0.0.1", "127.0.0.256", "127.0.0.1.1",
        "1.1.1.1.", "08.8.8.8", "8.8.8.010", "8.8.8.0x8", "134744072", "99999999999999999999", "a.b.c.1",
        "www.0x7f",
        "１２７.0.0.1", "①②⑦.0.0.1", "१२७.०.०.१", "١٢٧.٠.٠.١", "127.0.0.１", "127。0。0。1", "127．0．0．1",
        "127｡0｡0｡1", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "⑴.⑴.⑴.⑴", "1²7.0.0.¹", "０x7f.1",
        # brackets
        "[::1", "::1]", "::1", "[::1]]", "[[::1]]", "[]", "[1.2.3.4]", "[::1%25eth0]", "[fe80::1%eth0]",
        "[v1.x]",
        "[::1]a", "[0:0:0:0:0:0:0:0:1]", "[:::1]", "[::ffff:127.0.0.01]", "[g::1]",
        "[2606:4700:4700::1111].com",
    ],
)  # fmt: skip
def test_odd_spellings_of_addresses_are_refused(host):
    assert refuse_url(f"http://{host}/", [PUBLIC])


@pytest.mark.parametrize(
    "host",
    [
        "localhost", "LocalHost", "localhost.", "a.localhost", "localhost.localdomain",
        "localhost6.localdomain6", "localhost4.localdomain4", "smtp.mail", "ipv4only.arpa",
        "1.0.0.127.in-addr.arpa", "127.0.0.-1", "127.0.0.1-", "192.0.2.1x", "harbour.c_m", "harbour.-com",
        "ip6-loopback", "broadcasthost", "router", "intranet", "com", "metadata", "kubernetes.default.svc",
        "a.local", "a.LOCAL.", "a.internal", "metadata.google.internal", "instance-data.ec2.internal",
        "metadata.goog", "a.intranet", "a.lan", "a.home", "a.corp", "a.private", "router.home.arpa",
        "x.onion",
        "a.test", "a.invalid", "a.example", "example", "a.i2p", "host.docker.internal", "ⓛocalhost",
        "ｌocalhost",
        "localho\u00adst.com", "exa\u200bmple.com", "exa\u2060mple.com", "-", "a..com", ".com", "a.com..",
        "a" * 64 + ".com",
        ".".join(["a" * 60] * 5) + ".com", "a!b.com", "a,b.com", "a;b.com", "a*.com", "a+b.com", "(a).com",
        "a=b.com",
        "a&b.com", "a$b.com", "a'b.com", "xn--a\u00e9.com", "xn--.com", "xn--abc-.com", "ex\ufffdample.com",
        "\ud800.com",
    ],
)  # fmt: skip
def test_names_that_are_not_public_names_are_refused(host):
    assert refuse_url(f"https://{host}/", [PUBLIC])


@pytest.mark.parametrize(
    "host",
    [
        "harbour.com", "HARBOUR.com", "harbour.com.", "www.harbour.co.uk", "sub_domain.harbour.com",
        "_dmarc.harbour.com",
        "3com.com", "1e100.net", "10.harbour.com", "127.0.0.1.harbour.com", "192-168-1-1.harbour.com",
        "0x7f.harbour.com",
        "localhost.harbour.com", "notlocalhost.com", "localhostile.com", "internal.harbour.com",
        "local.harbour.com",
        "testing.com", "bücher.de", "BÜCHER.de", "bu\u0308cher.de", "xn--bcher-kva.de",
        "例え.jp", "пример.рф",
        "xn--e1afmkfd.xn--p1ai", "مثال.com", "-a.harbour.com", "a-.harbour.com", "a--b.com",
        "a" * 63 + ".com",
        "xn--ls8h.la", "harbour.xn--p1ai", "arpa.harbour.com", "mail.harbour.com",
        "faß.de", "example.com", "invalid.com", "home.com", "1.com", "a1.b2",
    ],
)  # fmt: skip
def test_public_names_are_allowed(host):
    assert refuse_url(f"https://{host}/a", [PUBLIC]) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://user@harbour.com/", "http://user:pw@harbour.com/", "http://:@harbour.com/",
        "http://@harbour.com/",
        "http://harbour.com@/", "http://a@b@harbour.com/", "http://harbour.com\\/", "http:\\\\harbour.com/",
        "http://harbour.com\\.evil.com/", "http:/harbour.com", "http:harbour.com", "http:///harbour.com",
        "http:////harbour.com", "//harbour.com/", "://harbour.com", "http//harbour.com",
        "http://http://harbour.com/",
        "http://?a", "http://#a", "http:///", "http://harbour.com%2f/", "http://harbour%2ecom/",
        "http://%00/",
        "http://harbour.com%0d%0a/", "http://harb our.com/", " http://harbour.com/", "http://harbour.com/ ",
        "http://harbour.com/\n", "http://harbour.com/a b", "http://harbour.com/\x00",
        "http://harbour.com/\x7f",
        "http://harbour.com/\x85", "http://harbour.com/\xa0", "http://harbour.com/\u202egnp.exe",
        "http://harbour.com/\u200b",
        "http://harbour.com/\u2028", "http://harbour.com/\ufeff", "http://harbour.com/\ufffe",
        "http://harbour.com/\U000e0041",
        "http://harbour.com/<b>", 'http://harbour.com/"', "http://harbour.com/`", "http://harbour.com/{a}",
        "http://harbour.com/|", "http://harbour.com/^", "http://harbour.com/\ud800",
        "http://harbour.com/\u3000",
        "http://harbour.com:0/", "http://harbour.com:1/", "http://harbour.com:22/", "http://harbour.com:25/",
        "http://harbour.com:81/", "http://harbour.com:9200/", "http://harbour.com:65536/",
        "http://harbour.com:65616/",
        "http://harbour.com:-80/", "http://harbour.com:+80/", "http://harbour.com:8_0/",
        "http://harbour.com:80:80/",
        "http://harbour.com:８０/", "http://harbour.com:٨٠/", "http://harbour.com:0x50/",
        "http://harbour.com:80.0/",
        "http://harbour.com:000080/", "http://harbour.com: 80/", "http://[2606:4700:4700::1111]80/",
        "file:///etc/passwd", "file://harbour.com/", "ftp://harbour.com/", "gopher://harbour.com/",
        "ws://harbour.com/",
        "wss://harbour.com/", "javascript:alert(1)", "about:blank", "blob:http://harbour.com/1",
        "jar:http://harbour.com!/",
        "data:,x", "mailto:a@harbour.com", "ssh://harbour.com/", "ldap://harbour.com/",
        "redis://harbour.com/", "s3://a/b",
        "chrome-extension://abc/", "filesystem:http://harbour.com/", "feed:http://harbour.com/",
        "http+unix://a/",
        "httpss://harbour.com/", "ht\ntp://harbour.com/", "harbour.com", "www.harbour.com/a", "/a", "?",
        "a" * 10,
        "http://harbour.com/" + "a" * MAX_URL,
    ],
)  # fmt: skip
def test_odd_texts_are_refused(url):
    assert refuse_url(url, [PUBLIC])


@pytest.mark.parametrize(
    "url",
    [
        "HTTPS://HARBOUR.COM/", "https://harbour.com", "https://harbour.com?a=1", "https://harbour.com#a",
        "http://harbour.com:80",
        "http://harbour.com:8080/", "https://harbour.com:443/", "https://harbour.com:/",
        "http://harbour.com//a//b",
        "https://harbour.com/?u=http://127.0.0.1/", "https://harbour.com/?u=http%3A%2F%2F10.0.0.1",
        "https://harbour.com/a@b",
        "https://harbour.com/http://localhost/", "https://harbour.com/#@127.0.0.1",
        "https://harbour.com/a:b;c,d!$&'()*+=~",
        "https://harbour.com/%00%0d%0a", "https://harbour.com/%zz", "https://harbour.com/é/東京/😀",
        "https://harbour.com/[a]",
        "https://harbour.com/?q=é&x[]=1", "https://harbour.com/..;/", "https://harbour.com/../../etc/passwd",
    ],
)  # fmt: skip
def test_odd_but_harmless_urls_are_allowed(url):
    assert refuse_url(url, [PUBLIC]) is None


def test_the_longest_url_is_allowed():
    url = "https://harbour.com/".ljust(MAX_URL, "a")
    assert refuse_url(url) is None
    assert refuse_url(url + "a")


@pytest.mark.parametrize(
    "resolved", [[], ["10.0.0.1"], [PUBLIC, "10.0.0.1"], ["10.0.0.1", PUBLIC], [PUBLIC] * 9 + ["::1"]]
)
def test_one_bad_answer_of_a_name_refuses_all(resolved):
    assert refuse_url("https://harbour.com/", resolved)


def test_without_answers_only_the_text_is_judged():
    assert refuse_url("https://harbour.com/") is None
    assert refuse_url("https://harbour.com/", []) is not None


def test_a_reason_names_what_is_wrong():
    assert "10.0.0.0/8 (private)" in refuse_url("http://10.1.2.3/")
    assert "port 22" in refuse_url("https://harbour.com:22/")
    assert "credentials" in refuse_url("https://me:secret@harbour.com/")
    assert "secret" not in refuse_url("https://me:secret@harbour.com/")
    assert "U+202E" in refuse_url("https://harbour.com/\u202e")


def test_what_is_dialled_is_what_was_checked():
    assert target_of("https://BÜCHER.de:8443/a") == Target("https", "xn--bcher-kva.de", 8443)
    assert target_of("http://[2606:4700:4700::1111]/") == Target("http", "2606:4700:4700::1111", 80)


def test_an_allowed_place_opens_exactly_that_host_and_port():
    allow = frozenset({"127.0.0.1:4711"})
    assert target_of("http://127.0.0.1:4711/a", allow) == Target("http", "127.0.0.1", 4711)
    for url in (
        "http://127.0.0.1/",
        "http://127.0.0.1:4712/",
        "http://127.0.0.2:4711/",
        "http://localhost:4711/",
    ):
        assert isinstance(target_of(url, allow), Refusal)
    assert isinstance(target_of("http://me@127.0.0.1:4711/", allow), Refusal)
    assert isinstance(target_of("file://127.0.0.1:4711/", allow), Refusal)


def test_a_reserved_name_may_stand_in_a_recording_and_nothing_else_that_is_refused():
    assert refuse_unrecorded("https://wire.brassleaf.example/a") is None
    assert refuse_unrecorded("https://harbour.com/") is None
    for url in (
        "https://a.local/",
        "http://10.0.0.1/",
        "https://wire.brassleaf.example:22/",
        "file:///etc/passwd",
    ):
        assert refuse_unrecorded(url)


@given(st.text())
@example("http://[")
@example("http://\u0300.com/")
@example("http://xn--\u0130.com")
def test_no_text_makes_the_policy_raise(text):
    for url in (
        text,
        f"http://{text}",
        f"https://{text}/a",
        f"http://harbour.com:{text}/",
        f"http://harbour.com/{text}",
    ):
        reason = refuse_url(url)
        assert reason is None or reason


@given(st.ip_addresses(v=4))
def test_every_spelling_of_a_number_but_the_plain_one_is_refused(address):
    number = int(address)
    for host in (str(number), hex(number), f"0{number:o}", f"{address}.", f"0{address}"):
        assert refuse_url(f"http://{host}/")
    plain = refuse_address(str(address)) is None
    assert (refuse_url(f"http://{address}/", [str(address)]) is None) is plain
    assert (refuse_address(f"::ffff:{address}") is None) is plain


@given(st.lists(st.text(max_size=12), max_size=3))
def test_no_answer_makes_the_policy_raise(resolved):
    assert refuse_url("https://harbour.com/", resolved)


urls = st.builds(
    lambda *parts: "".join(parts),
    st.sampled_from(["http://", "HTTPS://"]),
    st.one_of(
        st.sampled_from(
            ["BÜCHER.de", "harbour.com.", "a_b.harbour.com", "8.8.8.8", "[2606:4700::1111]", "例え。jp"]
        ),
        st.text(alphabet="aB1-_.éß。%@:[]", min_size=1, max_size=12),
    ),
    st.sampled_from(["", ":443", ":8080", ":", ":80"]),
    st.text(alphabet="/?#@:é%2[]\\", max_size=6).map(lambda rest: "/" + rest),
)


@given(urls)
@example("https://例え。jp:8443/é#x")
def test_the_http_client_reads_an_allowed_url_as_the_policy_did(url):
    target = target_of(url)
    if isinstance(target, Target):
        sent = httpx.Request("GET", clean_url(url)).url
        assert sent.raw_host.decode() == target.host
        assert (sent.port or {"http": 80, "https": 443}[sent.scheme]) == target.port
        assert sent.scheme == target.scheme
        assert not sent.userinfo


@pytest.mark.parametrize("path", ["/a b", "/a\u202eb", "/a\x00", "/{a}", "/a|b", "/\ud800"])
def test_a_spelling_that_only_cleaning_would_save_is_refused_as_cited(path):
    for host in ("harbour.com", "wire.brassleaf.example"):
        assert refuse_spelling(f"https://{host}{path}")


@pytest.mark.parametrize(
    "url",
    [
        "https://harbour.com/a", "https://wire.brassleaf.example/a", "https://harbour.com/é",
        "https://harbour.com/%7ea", "http://10.0.0.1/", "http://10.0.0.1/a b", "https://harbour.com:22/",
        "https://me:pw@harbour.com/", "https://harbour.com\\@10.0.0.1/", "file:///a", "",
    ],
)  # fmt: skip
def test_a_spelling_that_changes_nothing_is_no_reason(url):
    assert refuse_spelling(url) is None


@pytest.mark.parametrize("piece", ["a", "%7E", "%20", "é"])
def test_a_url_that_is_too_long_as_cited_is_refused_however_long_it_is_when_sent(piece):
    assert refuse_spelling("https://harbour.com/" + piece * MAX_URL)
    fits = "https://harbour.com/" + "é" * 1000
    assert refuse_spelling(fits) is None
    assert isinstance(target_of(clean_url(fits)), Target)


def test_what_is_sent_has_a_limit_too():
    assert target_of("https://harbour.com/".ljust(9 * MAX_URL, "a")) == Target("https", "harbour.com", 443)
    assert isinstance(target_of("https://harbour.com/".ljust(9 * MAX_URL + 1, "a")), Refusal)


def test_a_blocked_page_says_where_and_why():
    page = blocked("https://a.local/", "a local name", final_url="https://b.local/")
    assert (page.url, page.final_url) == ("https://a.local/", "https://b.local/")
    assert (page.problem.kind, page.problem.detail, page.body) == ("blocked", "a local name", b"")
    assert blocked("https://a.local/", "x").final_url == "https://a.local/"
