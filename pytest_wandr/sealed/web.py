"""What does a url of the sealed web answer, and what does its page state?"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urldefrag

from pytest_wandr.sealed import shell
from pytest_wandr.sealed.pdf import pdf
from pytest_wandr.sealed.rng import Rng
from pytest_wandr.sealed.walls import wall

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pytest_wandr.sealed.world import Block, Fact, PageSpec, Statement

GENERATOR = "1"
"""Version of every template and draw. A change of any byte of any page raises it."""

NAV, ASIDE = 8, 6
SHOWN = frozenset({"page", "pdf"})


class Answer(NamedTuple):
    """What the server sends. Status 0 = it hangs up."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class SealedWeb:
    """An invented web: pages are planned at once and drawn when asked for, each by itself."""

    def __init__(self, name: str, edition: int, specs: Sequence[PageSpec]) -> None:
        self.name = name
        self.edition = edition
        self._said: dict[str, tuple[Statement, ...]] = {}
        self.specs: Mapping[str, PageSpec] = {spec.url: spec for spec in specs}
        if len(self.specs) < len(specs):
            raise ValueError(f"sealed web {name}: two pages share a url")

    @cached_property
    def hosts(self) -> frozenset[str]:
        """Every host of this web."""
        return frozenset(spec.outlet.host for spec in self.specs.values())

    @cached_property
    def digest(self) -> str:
        """sha256 over every url and every byte."""
        whole = hashlib.sha256(f"{GENERATOR}\n{self.edition}\n".encode())
        for url in sorted(self.specs):
            answer = self.answer(url)
            head = f"{url}\n{answer.status}\n{sorted(answer.headers.items())}\n{len(answer.body)}\n"
            whole.update(head.encode() + answer.body)
        return whole.hexdigest()

    def final(self, url: str) -> PageSpec | None:
        """The page where the redirects of a url end; None when the url is not of this web."""
        spec = self.specs.get(_plain(url))
        while spec and spec.serving == "redirect":
            spec = self.specs.get(spec.target)
        return spec

    def statements(self, url: str) -> tuple[Statement, ...]:
        """Everything that the page at the end of a url says, furniture included."""
        spec = self.final(url)
        if spec is None or spec.serving not in SHOWN:
            return ()
        if spec.url not in self._said:
            around = [] if spec.serving == "pdf" else self._around(spec)
            self._said[spec.url] = shell.shown(spec, spec.draw(), around)
        return self._said[spec.url]

    def facts(self, url: str) -> frozenset[Fact]:
        """The union of what its statements state."""
        return frozenset(fact for said in self.statements(url) for fact in said.facts)

    def answer(self, url: str) -> Answer:
        """The response to a GET."""
        spec = self.specs.get(_plain(url))
        if spec is None:
            return Answer(404, {"content-type": "text/plain; charset=utf-8"}, b"There is nothing here.\n")
        if spec.serving == "hangup":
            return Answer(0, {}, b"")
        if spec.serving == "redirect":
            return Answer(301, {"location": spec.target, "content-type": "text/plain"}, b"Moved.\n")
        if spec.serving == "pdf":
            return Answer(200, {"content-type": "application/pdf"}, pdf(spec.draw(), shell.FOOTER))
        text, status = (self._page(spec), 200) if spec.serving == "page" else wall(spec)
        body = text.encode(spec.charset, "xmlcharrefreplace")
        return Answer(status, {"content-type": f"text/html; charset={spec.charset}"}, body)

    def _page(self, spec: PageSpec) -> str:
        nav, aside = self._furniture(spec)
        return shell.html(spec, spec.draw(), nav, aside)

    def _around(self, spec: PageSpec) -> list[Block]:
        nav, aside = self._furniture(spec)
        return [*nav, *aside]

    def _furniture(self, spec: PageSpec) -> tuple[list[Block], list[Block]]:
        same = self._hosts[spec.outlet.host]
        hubs = [other for other in same if other.kind == "hub" and other is not spec]
        rng = Rng("aside", spec.url, self.edition)
        nav = list(shell.teasers(rng.sub("nav").sample(hubs, NAV)))
        if "print" in spec.kind or spec.kind == "hub":
            return nav, []
        others = [other for other in same if other.kind != "hub" and other.draw is not spec.draw]
        return nav, list(shell.teasers(rng.sub("aside").sample(others, ASIDE)))

    @cached_property
    def _hosts(self) -> Mapping[str, list[PageSpec]]:
        hosts: dict[str, list[PageSpec]] = {}
        for spec in self.specs.values():
            hosts.setdefault(spec.outlet.host, []).append(spec)
        return hosts

    def __iter__(self) -> Iterator[PageSpec]:
        return iter(self.specs.values())


def _plain(url: str) -> str:
    address = urldefrag(url)[0]
    return "https:" + address.removeprefix("http:") if address.startswith("http:") else address
