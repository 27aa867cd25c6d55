"""Which verdict does a record deserve? Known, not judged: what its page states, against what is required.

Truth is per page and stated requirement, nothing else. A page states the union of the facts of its
statements; excerpts state the facts of the statements that they quote in full. What a cut statement or an
altered excerpt still states is not decided here: where it could matter, the part is None.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pytest_wandr.model import Record, Truth, conjunction
from pytest_wandr.sealed.web import SHOWN, SealedWeb
from pytest_wandr.sealed.world import Fact, Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

PIECE = 12
"""Letters that an excerpt must share with a statement to have cut it."""

Place: TypeAlias = tuple[str, str]
"""Host and language of a page."""


class Rule(NamedTuple):
    """What a requirement demands. `facts` must be stated, with the record's own values in place of `{field}`.

    `hosts`: the page must be from one of them, or below; `langs`: in one of these languages. `days` and
    `among` say what the record's own fields may be. `barred`: facts that the page must not state.
    """

    id: str
    facts: tuple[Fact, ...] = ()
    hosts: frozenset[str] = frozenset()
    langs: frozenset[str] = frozenset()
    days: Mapping[str, tuple[date, date]] = {}
    among: Mapping[str, frozenset[str]] = {}
    barred: tuple[Fact, ...] = ()


class Known(NamedTuple):
    """What the world knows of words: whom a name means (by folded name), which day a wording is."""

    entities: Mapping[str, str]
    days: Mapping[str, date]


class Deserved(NamedTuple):
    """The true parts of a verdict."""

    usable: bool
    clear: bool
    faithful: bool
    valid: bool
    satisfied: Mapping[str, bool]
    supported: Mapping[str, Truth]

    @property
    def retrieval(self) -> bool:
        """Page usable, every requirement satisfied by it."""
        return self.usable and all(self.satisfied.values())

    @property
    def full(self) -> Truth:
        """Everything."""
        sure = (self.retrieval, self.clear, self.faithful, self.valid)
        return conjunction((*sure, *self.supported.values()))


class Demand(NamedTuple):
    """What a node demands of its records: the rules, the answer fields, the labels of its matrix axes."""

    rules: tuple[Rule, ...]
    answer: tuple[str, ...] = ()
    labels: Mapping[str, frozenset[str]] = {}


def deserved(web: SealedWeb, known: Known, demand: Demand, record: Record) -> Deserved:
    """The verdict that a record deserves."""
    spec = web.final(record.url)
    place = (spec.outlet.host, spec.lang) if spec else ("", "")
    said = web.statements(record.url)
    on_page = _union(said)
    faithful = all(_found(said, text) for text in record.excerpts)
    quoted, cut = _quoted(said, record.excerpts)
    unsure = cut if faithful else on_page
    answered = all(str(record.answer.get(field, "")).strip() for field in demand.answer)
    return Deserved(
        usable=bool(spec and spec.serving in SHOWN),
        clear=answered and all(value.strip() for value in record.item.values()),
        faithful=faithful and bool(record.excerpts),
        valid=all(record.item.get(key) in labels for key, labels in demand.labels.items()),
        satisfied={rule.id: _holds(rule, known, record, (place, on_page)) for rule in demand.rules},
        supported={
            rule.id: _supported(rule, known, record, (place, quoted, unsure)) for rule in demand.rules
        },
    )


def _supported(
    rule: Rule, known: Known, record: Record, evidence: tuple[Place, frozenset[Fact], frozenset[Fact]]
) -> Truth:
    place, quoted, unsure = evidence
    at_least = _holds(rule, known, record, (place, quoted))
    at_most = _holds(rule, known, record, (place, quoted | unsure))
    return at_least if at_least == at_most else None


def _holds(rule: Rule, known: Known, record: Record, evidence: tuple[Place, frozenset[Fact]]) -> bool:
    place, facts = evidence
    values = values_of(record)
    return (
        _allowed(rule, known, values)
        and _placed(rule, place)
        and not any(fact in facts for fact in rule.barred)
        and needed(rule, known, values) <= facts
    )


def values_of(record: Record) -> dict[str, str]:
    """Item and answer as plain text."""
    return {**record.item, **{key: str(value) for key, value in record.answer.items()}}


def needed(rule: Rule, known: Known, values: Mapping[str, str]) -> frozenset[Fact]:
    """The facts that a rule demands of a record with these values."""
    return frozenset(_filled(fact, known, values) for fact in rule.facts)


def _placed(rule: Rule, place: Place) -> bool:
    host, lang = place
    if rule.langs and lang not in rule.langs:
        return False
    return not rule.hosts or any(host == own or host.endswith(f".{own}") for own in rule.hosts)


def _allowed(rule: Rule, known: Known, values: Mapping[str, str]) -> bool:
    """Are the record's own values such that the rule can hold at all?"""
    spans = rule.days.items()
    return all(values.get(field) in allowed for field, allowed in rule.among.items()) and all(
        _within(known.days.get(values.get(field, "")), span) for field, span in spans
    )


def _within(day: date | None, span: tuple[date, date]) -> bool:
    return day is not None and span[0] <= day <= span[1]


def _filled(fact: Fact, known: Known, values: Mapping[str, str]) -> Fact:
    """A fact with the record's values in place of `{field}`: entities by their id, all else as written."""
    return tuple(_value(part[1:-1], known, values) if part[0] == "{" else part for part in fact)


def _value(field: str, known: Known, values: Mapping[str, str]) -> str:
    text = values.get(field, "")
    return known.entities.get(text.casefold(), text)


def _quoted(said: Iterable[Statement], excerpts: Iterable[str]) -> tuple[frozenset[Fact], frozenset[Fact]]:
    """(facts of the statements that the excerpts hold in full, facts of those that they only cut)."""
    texts = [squashed(text) for text in excerpts]
    whole, cut = set[Fact](), set[Fact]()
    for statement in said:
        text = squashed(statement.text)
        if any(text in excerpt for excerpt in texts):
            whole |= statement.facts
        elif statement.facts and any(_touches(text, excerpt) for excerpt in texts):
            cut |= statement.facts
    return frozenset(whole), frozenset(cut)


def _touches(text: str, excerpt: str) -> bool:
    """May an excerpt hold a piece of a statement: lie inside it, begin in it or end in it?"""
    return excerpt in text or excerpt[:PIECE] in text or excerpt[-PIECE:] in text


def _found(said: Iterable[Statement], excerpt: str) -> bool:
    """Is the excerpt a run of the page's words, in the order in which the page shows them?"""
    text = squashed(excerpt)
    return bool(text) and text in "".join(squashed(statement.text) for statement in said)


def _union(said: Iterable[Statement]) -> frozenset[Fact]:
    return frozenset(fact for statement in said for fact in statement.facts)


@lru_cache(maxsize=100_000)
def squashed(text: str) -> str:
    """Letters and digits alone, folded."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())
