"""What does a chain of redirects carry from hop to hop? Its cookies, and the urls as they are really sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

import httpx

from pytest_wandr.cassettes.urls import clean_url, normal_url, request_key
from pytest_wandr.model import FetchProblem

if TYPE_CHECKING:
    from pytest_wandr.cassettes.chain import Ask

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_AS_BYTES = "latin-1"
"""Cookies go back as the bytes they came as; httpx would refuse to send what is not ASCII."""


@dataclass
class Heard:
    """What a request brought: an answer, or the problem in its place. `again`: repeating may help."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    location: str = ""
    retry_after: str = ""
    body: bytes = b""
    problem: FetchProblem | None = None
    again: bool = False


class Turn(NamedTuple):
    """Where a hop turns to, in the words of its entry. All empty: it is the last one."""

    to: str = ""
    next: str = ""
    problem: FetchProblem | None = None


def redirected(url: str, heard: Heard) -> str | FetchProblem | None:
    """Where an answer redirects to, as it is to be sent; None when it does not."""
    location = heard.location.strip()
    if heard.problem is not None or heard.status not in _REDIRECTS or not location:
        return None
    try:
        return clean_url(urljoin(url, location))
    except ValueError:
        return FetchProblem(kind="protocol", detail="the redirect's address is unreadable")


class Chain:
    """One cited url and the redirects behind it, with a cookie jar of its own.

    `real` holds urls with their secrets by key, as far as they were heard; chains may share it. `alone` holds
    the keys of the hops that are this chain's own, from the one that brought the first cookie on.
    """

    def __init__(self, url: str, real: dict[str, str] | None = None) -> None:
        self.jar = httpx.Cookies()
        self.spent = 0.0
        self.cited = url
        self.alone: list[str] = []
        self._real = {} if real is None else real
        self._real[request_key(url)] = clean_url(url)
        self._states: dict[tuple[str, str], str] = {}

    @property
    def given_cookie(self) -> bool:
        """From the first cookie on, the hops belong to this chain alone and have keys of their own."""
        return bool(self.jar.jar)

    def real_url(self, ask: Ask) -> str:
        """The url to send: a recording may hold it with secrets masked."""
        return self._real.get(ask.key, clean_url(ask.url))

    def turn(self, ask: Ask, url: str, heard: Heard) -> Turn:
        """Where the answer of a hop redirects to."""
        target = redirected(url, heard)
        if not isinstance(target, str):
            return Turn(problem=target)
        if not self.given_cookie:
            self._real[request_key(target)] = target
            return Turn(normal_url(target))
        state = (target, self.cookie_header(target))
        key = self._states.setdefault(state, request_key(target, after=ask.key))
        self._real[key] = target
        return Turn(normal_url(target), key)

    def cookie_header(self, url: str) -> str:
        """The Cookie header that a request for this url carries; "" for none."""
        try:
            request = httpx.Request("GET", url)
        except (httpx.InvalidURL, ValueError):
            return ""
        self.give_cookies(request)
        return str(request.headers.get("cookie", ""))

    def give_cookies(self, request: httpx.Request) -> None:
        """Add the Cookie header."""
        request.headers.encoding = _AS_BYTES
        self.jar.set_cookie_header(request)

    def take_cookies(self, response: httpx.Response) -> None:
        """Keep the cookies of an answer."""
        response.headers.encoding = _AS_BYTES
        self.jar.extract_cookies(response)

    def set_cookie(self, name: str, value: str, *, domain: str, path: str) -> None:
        """Keep a cookie that a script has set."""
        self.jar.set(_bytes_of(name), _bytes_of(value), domain=domain, path=path)


def _bytes_of(text: str) -> str:
    return text.encode().decode(_AS_BYTES)
