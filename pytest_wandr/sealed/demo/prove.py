"""Which pages prove a claim, and with which excerpts? Found in the truth, not in any judge."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.model import Record
from pytest_wandr.sealed.demo.claims import Claim, known
from pytest_wandr.sealed.plan import World, plan
from pytest_wandr.sealed.rng import Rng
from pytest_wandr.sealed.truth import Demand, Deserved, Known, deserved, needed
from pytest_wandr.sealed.web import SHOWN, SealedWeb
from pytest_wandr.sealed.world import Fact, PageSpec, Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

QUOTABLE = ("body", "dateline", "table", "title", "list")


class NodePlan(NamedTuple):
    """One node of a demo task: what it demands, what the oracle claims there, what else could be claimed."""

    name: str
    demand: Demand
    claims: Sequence[Claim]
    pages: int = 1
    others: Sequence[Claim] = ()


class Library:
    """A sealed web with its world and an index: who is named where."""

    def __init__(self, web: SealedWeb) -> None:
        self.web = web
        self.world: World = plan(web.name)
        self.known: Known = known(self.world)

    @cached_property
    def _naming(self) -> Mapping[str, set[str]]:
        index: dict[str, set[str]] = {}
        for spec in self.web:
            if spec.serving in SHOWN:
                for fact in self.web.facts(spec.url):
                    if fact[0] in {"names", "lot"}:
                        index.setdefault(fact[1], set()).add(spec.url)
        return index

    def naming(self, claim: Claim) -> list[set[str]]:
        """For each value of a claim's item that is named anywhere, the pages that name it."""
        ids = [self.known.entities.get(value.casefold(), value) for value in claim.item.values()]
        return [self._naming[known] for known in ids if known in self._naming]

    def pages(self, urls: set[str]) -> list[PageSpec]:
        """Pages in the order of the plan."""
        return [spec for url, spec in self.web.specs.items() if url in urls]

    def verdict(self, node: NodePlan, record: Record) -> Deserved:
        """What a record of a node deserves."""
        return deserved(self.web, self.known, node.demand, record)


def proofs(library: Library, node: NodePlan, claim: Claim) -> Iterator[Record]:
    """Records that prove a claim, one for each page, in a drawn order. No PDFs: they take an extra."""
    named = set.intersection(*library.naming(claim))
    pages = [spec for spec in library.pages(named) if spec.serving == "page"]
    for spec in Rng("proofs", node.name, *claim.item.values()).shuffled(pages):
        record = cite(library, node, claim, spec.url)
        if library.verdict(node, record).full:
            yield record


def cite(library: Library, node: NodePlan, claim: Claim, url: str, without: str = "") -> Record:
    """The best record that a claim makes of a page: the fittest wordings, and the fewest excerpts.

    With `without`, the excerpts leave out what that requirement needs.
    """
    facts = library.web.facts(url)
    answer = {field: words[0] for field, words in claim.answer.items()}
    for field, words in claim.answer.items():  # the first wording that most facts of the page agree with
        tries = [{**answer, field: word} for word in words]
        answer = max(tries, key=lambda tried: len(_needs(library, node, claim, tried).keys() & facts))
    wanted = _needs(library, node, claim, answer)
    avoid = frozenset(fact for fact, rules in wanted.items() if without in rules)
    quotes = _carriers(library.web.statements(url), wanted.keys() - avoid, avoid)
    return Record(node=node.name, item=claim.item, url=url, excerpts=quotes, answer=answer)


def _needs(
    library: Library, node: NodePlan, claim: Claim, answer: Mapping[str, str]
) -> dict[Fact, frozenset[str]]:
    """Every fact that a record with this answer needs, and the requirements that need it."""
    values = {**claim.item, **answer}
    found: dict[Fact, frozenset[str]] = {}
    for rule in node.demand.rules:
        for fact in needed(rule, library.known, values):
            found[fact] = found.get(fact, frozenset()) | {rule.id}
    return found


def _carriers(said: Iterable[Statement], wanted: Iterable[Fact], avoid: frozenset[Fact]) -> tuple[str, ...]:
    """The fewest statements that carry the wanted facts: most new ones first, then body first, then short."""
    open_facts, chosen = set(wanted), list[Statement]()
    candidates = [one for one in said if one.region in QUOTABLE and not one.facts & avoid]
    while True:
        best = max(candidates, key=lambda one: _worth(one, open_facts), default=None)
        if best is None or not best.facts & open_facts:
            return tuple(one.text for one in chosen)
        chosen.append(best)
        open_facts -= best.facts


def _worth(statement: Statement, wanted: set[Fact]) -> tuple[int, int, int]:
    return len(statement.facts & wanted), -QUOTABLE.index(statement.region), -len(statement.text)
