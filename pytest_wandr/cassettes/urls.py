"""Under which key is a page recorded? Urls that are the same request get the same key, and no others."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from urllib.parse import quote

KEY_VERSION = "1"
_SPLIT = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?", re.DOTALL)
_CLEAN = re.compile(
    r"https?://(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,63}/[A-Za-z0-9._~/-]*(?:\?[A-Za-z0-9._~=&-]+)?"
)
"""Urls in which nothing is left to clean, as most are; the rules below would return each as it is."""
_DEFAULT_PORTS = {"http": "80", "https": "443"}
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SECRET_PARAMETER = re.compile(
    r"(?i)(?P<name>(?:^|(?<=[&;]))(?:api_?key|(?:(?:access|auth|id|refresh)_?)?token|(?:client_?)?secret|key"
    r"|pass(?:wd|word)|sig|signature|x-amz-[a-z-]+)=)(?!masked-[0-9a-f]{12}(?:[&;]|$))(?P<value>[^&;]+)"
)
_SECRET_SIGNS = ("key=", "token=", "secret=", "passwd=", "password=", "sig=", "signature=", "x-amz-")
"""Without any of these in it a clean url, which names no user either, has nothing to mask."""
_MASKED = re.compile(r"masked-[0-9a-f]{12}")
_PUNYCODE = re.compile(r"xn--.*")


def ascii_host(host: str) -> str:
    """The host as it is sent: lower case, international labels in punycode.

    Raises:
        ValueError: a label is not allowed in a host name.
    """
    if host.isascii():
        name = host.lower()
    else:
        import idna

        try:
            name = idna.encode(unicodedata.normalize("NFC", host.lower())).decode("ascii")
        except (idna.IDNAError, UnicodeError) as error:
            raise ValueError(str(error)) from None
    for label in filter(_PUNYCODE.match, name.split(".")):
        _check_punycode(label)
    return name


def _check_punycode(label: str) -> None:
    try:
        decoded = label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        raise ValueError(f"{label!r} is broken punycode") from None
    if decoded.isascii():
        raise ValueError(f"{label!r} hides plain letters in punycode")


def clean_url(url: str) -> str:
    """One spelling for urls that are the same request. Never raises.

    Parameters keep their order, and nothing is dropped that a server could tell apart.
    """
    if _CLEAN.fullmatch(url):
        return url
    match = _SPLIT.fullmatch(url)
    if match is None:
        return _escapes(url)
    scheme, authority, path, query = match.groups()
    scheme = scheme.lower()
    asked = f"?{_escapes(query)}" if query else ""
    return f"{scheme}://{_authority(scheme, authority)}{_escapes(path) or '/'}{asked}"


def normal_url(url: str) -> str:
    """The clean url as it may be written down: secrets in it become digests."""
    if _CLEAN.fullmatch(url) and not any(map(url.lower().__contains__, _SECRET_SIGNS)):
        return url
    clean = clean_url(url)
    before, mark, query = clean.partition("?")
    return _mask_userinfo(before) + mark + _mask(query)


def _mask_userinfo(url: str) -> str:
    scheme, mark, rest = url.partition("://")
    authority, slash, path = rest.partition("/")
    userinfo, at, place = authority.rpartition("@")
    if at and not _MASKED.fullmatch(userinfo):
        userinfo = _masked(userinfo)
    return scheme + mark + userinfo + at + place + slash + path


def is_masked(url: str) -> bool:
    """True when a url, as it was written down, lacks secrets and cannot be sent."""
    return _MASKED.search(url) is not None


def _authority(scheme: str, authority: str) -> str:
    userinfo, at, place = authority.rpartition("@")
    host, _, port = place.partition(":") if not place.startswith("[") else _bracketed(place)
    shown = f":{_quoted(port)}" if port and port != _DEFAULT_PORTS.get(scheme) else ""
    return _escapes(userinfo) + at + _host(host) + shown


def _host(host: str) -> str:
    try:
        return ascii_host(host) if "%" not in host else _quoted(host).lower()
    except ValueError:
        return _quoted(host).lower()


def _bracketed(place: str) -> tuple[str, str, str]:
    host, bracket, rest = place.partition("]")
    return host + bracket, ":", rest.removeprefix(":")


def _escapes(text: str) -> str:
    """Upper-case percent escapes, unreserved characters plain, everything not ASCII escaped."""

    def one(match: re.Match[str]) -> str:
        if match[1] is None:
            return "%25"
        letter = chr(int(match[1], 16))
        return letter if letter in _UNRESERVED else match[0].upper()

    return _quoted(_ESCAPE.sub(one, text))


def _quoted(text: str) -> str:
    return quote(text, safe="%/?:@!$&'()*+,;=-._~[]", errors="surrogatepass")


def _mask(query: str) -> str:
    return _SECRET_PARAMETER.sub(lambda match: match["name"] + _masked(match["value"]), query)


def _masked(secret: str) -> str:
    return f"masked-{_digest(secret)[:12]}"


def request_key(
    url: str, *, method: str = "GET", via: str = "http", body: bytes = b"", after: str = ""
) -> str:
    """The key of a request. `after` is the key of the hop before, in a chain that was given a cookie."""
    sent = hashlib.sha256(body).hexdigest() if body else ""
    parts = [KEY_VERSION, method.upper(), normal_url(url), via, sent] + ([after] if after else [])
    return _digest("|".join(parts))[:32]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
