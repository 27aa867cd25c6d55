"""What is the sealed web made of? Entities, facts, statements, documents, planned pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Fact: TypeAlias = tuple[str, ...]
"""What a text states, as plain strings: ("names", entity), ("dated", "2026-03-12"), ("fee", service, "12")"""

Region: TypeAlias = Literal["title", "dateline", "body", "table", "list", "aside", "banner", "meta", "hidden"]

Tag: TypeAlias = Literal["h2", "p", "li", "row", "head"]

SEP = " | "
"""Between the cells of a table row, in the text of its statement."""


class Entity(NamedTuple):
    """A company, person, product, place or the like; formatting it writes its name."""

    id: str
    kind: str
    name: str

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def called(self, name: str) -> Entity:
        """The same entity under another of its names."""
        return self._replace(name=name)


class Statement(NamedTuple):
    """A piece of text, verbatim as the page shows it, and all that it states."""

    text: str
    facts: frozenset[Fact] = frozenset()
    region: Region = "body"

    def within(self, region: Region) -> Statement:
        """The same words in another place of a page."""
        return self._replace(region=region)


def say(template: str, *facts: Fact, region: Region = "body", **values: Entity | str) -> Statement:
    """The only way to text: fill the template in; every entity that fills a hole is named by the text."""
    filled = {name: value for name, value in values.items() if f"{{{name}}}" in template}
    named = frozenset(("names", value.id) for value in filled.values() if isinstance(value, Entity))
    text = template.format(**values)
    return Statement(text[:1].upper() + text[1:], named.union(facts), region)


def row(*cells: Entity | str, facts: Iterable[Fact] = ()) -> Statement:
    """A table row: its cells, and what they state together."""
    named = frozenset(("names", cell.id) for cell in cells if isinstance(cell, Entity))
    return Statement(SEP.join(f"{cell}" for cell in cells), named.union(facts), "table")


class Block(NamedTuple):
    """One paragraph, heading, list item or table row. `href` links the whole block."""

    tag: Tag
    parts: tuple[Statement, ...]
    href: str = ""


class Document(NamedTuple):
    """What a page says, before any markup: `headline` is both `<title>` and first heading."""

    headline: Statement
    blocks: tuple[Block, ...]
    summary: Statement | None = None

    def statements(self) -> Iterator[Statement]:
        """Everything that is said, in order."""
        yield self.headline
        for block in self.blocks:
            yield from block.parts
        if self.summary:
            yield self.summary


class Outlet(NamedTuple):
    """One host: who publishes there, and how it writes dates."""

    host: str
    name: str
    role: str
    banner: Statement
    date_style: str = "dmy"
    lang: str = "en"


Serving: TypeAlias = Literal[
    "page", "pdf", "redirect", "consent", "script", "soft404", "gone", "login", "hangup"
]
"""How a url answers. Only `page` and `pdf` show the document."""


class PageSpec(NamedTuple):
    """A planned page: small, drawn only when asked for. `mess` names what is wrong or odd about it."""

    url: str
    outlet: Outlet
    kind: str
    draw: Callable[[], Document]
    teaser: Statement
    serving: Serving = "page"
    target: str = ""
    charset: str = "utf-8"
    mess: frozenset[str] = frozenset()
    lang: str = "en"
    district: str = ""


def link(spec: PageSpec, text: Statement | None = None) -> Block:
    """A list item that leads to a page, under its teaser or under another text."""
    return Block("li", ((text or spec.teaser).within("list"),), spec.url)


def paragraph(*parts: Statement | str) -> Block:
    """A paragraph of statements; plain strings state nothing."""
    return Block("p", tuple(Statement(part) if isinstance(part, str) else part for part in parts))
