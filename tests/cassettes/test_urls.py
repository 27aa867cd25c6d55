"""Urls that are the same request have the same key, and no others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.cassettes.urls import ascii_host, clean_url, normal_url, request_key

SAME = [
    ("https://harbour.com/a", "HTTPS://Harbour.COM/a"),
    ("https://harbour.com/a", "https://harbour.com:443/a"),
    ("HTTPS://harbour.com:443/a", "https://harbour.com/a"),
    ("http://harbour.com/", "http://harbour.com:80"),
    ("https://harbour.com", "https://harbour.com/"),
    ("https://harbour.com?x=1", "https://harbour.com/?x=1"),
    ("https://harbour.com/a", "https://harbour.com/a?"),
    ("https://harbour.com/a", "https://harbour.com/a#part"),
    ("https://harbour.com/a", "https://harbour.com/a?#part"),
    ("https://harbour.com/~a", "https://harbour.com/%7Ea"),
    ("https://harbour.com/~a", "https://harbour.com/%7ea"),
    ("https://harbour.com/%C3%A9", "https://harbour.com/%c3%a9"),
    ("https://harbour.com/%C3%A9", "https://harbour.com/é"),
    ("https://harbour.com/?q=%C3%A9", "https://harbour.com/?q=é"),
    ("https://xn--bcher-kva.de/", "https://bücher.de/"),
    ("https://bücher.de/", "https://BÜCHER.de/"),
    ("https://harbour.com/?q=a|b^c", "https://harbour.com/?q=a%7Cb%5Ec"),
    ("https://harbour.com/100%", "https://harbour.com/100%25"),
    ("http://[2606:4700::1]/", "http://[2606:4700::1]:80/"),
]
DIFFERENT = [
    ("https://harbour.com/a", "http://harbour.com/a"),
    ("https://harbour.com/a", "https://harbour.com/A"),
    ("https://harbour.com/a", "https://harbour.com/a/"),
    ("https://harbour.com/a", "https://harbour.com//a"),
    ("https://harbour.com/a", "https://www.harbour.com/a"),
    ("https://harbour.com/a", "https://harbour.com:8443/a"),
    ("https://harbour.com/a?x=1&y=2", "https://harbour.com/a?y=2&x=1"),
    ("https://harbour.com/a?x=", "https://harbour.com/a?x"),
    ("https://harbour.com/a", "https://harbour.com/a?utm_source=x"),
    ("https://harbour.com/a%2Fb", "https://harbour.com/a/b"),
    ("https://harbour.com/a+b", "https://harbour.com/a%20b"),
    ("https://harbour.com/a?token=one-secret", "https://harbour.com/a?token=other-secret"),
    ("https://me:pw@harbour.com/a", "https://harbour.com/a"),
    ("https://me:pw@harbour.com/a", "https://me:pq@harbour.com/a"),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_the_same_request_has_one_key(a, b):
    assert normal_url(a) == normal_url(b)
    assert request_key(a) == request_key(b)


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_requests_that_a_server_can_tell_apart_have_two_keys(a, b):
    assert request_key(a) != request_key(b)


def test_a_key_covers_method_way_body_and_what_came_before():
    plain = request_key("https://harbour.com/a")
    others = [
        request_key("https://harbour.com/a", method="POST"),
        request_key("https://harbour.com/a", via="browser"),
        request_key("https://harbour.com/a", body=b"x"),
        request_key("https://harbour.com/a", body=b"y"),
        request_key("https://harbour.com/a", after=plain),
    ]
    assert len({plain, *others}) == 6
    assert request_key("https://harbour.com/a", method="get") == plain
    assert len(plain) == 32


def test_a_key_never_changes():
    """A new key version needs a new recording: this is noticed here first."""
    assert request_key("https://harbour.com/a?b=1") == "bc7e520f53fe0afd637cf50cb8638a49"


@pytest.mark.parametrize(
    "parameter",
    ["key", "token", "sig", "api_key", "apikey", "API_KEY", "access_token", "signature", "X-Amz-Signature",
     "id_token", "refresh_token", "auth_token", "secret", "client_secret", "password", "passwd"],
)  # fmt: skip
def test_secrets_become_digests(parameter):
    url = f"https://harbour.com/a?x=1&{parameter}=hush-hush&y=2"
    shown = normal_url(url)
    assert "hush" not in shown
    assert f"{parameter}=masked-" in shown
    assert shown.startswith("https://harbour.com/a?x=1&")
    assert shown.endswith("&y=2")
    assert "hush-hush" in clean_url(url)
    assert request_key(shown) == request_key(url)


def test_credentials_become_digests():
    assert "pw" not in normal_url("https://me:pw@harbour.com/a")
    assert normal_url("https://harbour.com/a@b") == "https://harbour.com/a@b"


@pytest.mark.parametrize("parameter", ["monkey", "keyword", "tokens", "design", "x-key", "page_token_count"])
def test_innocent_parameters_stay(parameter):
    url = f"https://harbour.com/a?{parameter}=value"
    assert normal_url(url) == url


@pytest.mark.parametrize(
    "host", ["xn--abc-", "xn--99999999999", "xn--\u00e9", "a\u200bb.com", "\ud800.com", "é" * 70]
)
def test_a_host_that_cannot_be_is_an_error(host):
    with pytest.raises(ValueError, match=r"."):
        ascii_host(host)


urls = st.one_of(
    st.text(),
    st.builds(
        lambda *parts: "".join(parts),
        st.sampled_from(["http://", "HTTPS://", "https://me:pw@", "x://"]),
        st.sampled_from(["harbour.com", "BÜCHER.de", "[::1]", "", "a..b", "\ud800", "xn--é"]),
        st.sampled_from(["", ":443", ":80", ":"]),
        st.text(alphabet="/%aA~2f3?&=é \\#\ud800\u0130@:", max_size=20),
        st.sampled_from(["", "?token=a", "?a=1&key=masked-0123456789ab", "?key=masked-0123456789ax"]),
    ),
)


@given(urls)
def test_the_normal_form_is_its_own_normal_form(url):
    once = normal_url(url)
    assert normal_url(once) == once
    assert request_key(once) == request_key(url)
    assert clean_url(clean_url(url)) == clean_url(url)
    once.encode()
