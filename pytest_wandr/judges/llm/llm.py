"""Who judges what machine checks leave open? One model or a panel of them, each asked once or several times.

    questions -> companies (records that share a call; alone by default)
              -> prompt    (what is sent of page and record: one escaped document)
              -> asker     (asked before? else budget, turn, call; kept as soon as it is paid for)
              -> reading   (shape, quotes, contradictions: what of the reply can be used)
              -> panel     (the majority of all members and samples)
              -> answers, in the order of the questions

Before a model is asked about a task's records, it shows with two canaries that it judges at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from pytest_wandr.checks.logic import undecided
from pytest_wandr.judges.llm.answers import Answers
from pytest_wandr.judges.llm.asker import Asker
from pytest_wandr.judges.llm.canaries import UNTRUSTED, refusal_of
from pytest_wandr.judges.llm.exchange import Unsaid
from pytest_wandr.judges.llm.instructions import SYSTEM
from pytest_wandr.judges.llm.names import verdicts_from, words_on
from pytest_wandr.judges.llm.panel import majority, merge
from pytest_wandr.judges.llm.passages import PASSAGES_VERSION
from pytest_wandr.judges.llm.pool import by_hands
from pytest_wandr.judges.llm.prompt import put
from pytest_wandr.judges.llm.reading import READING_VERSION, answer_from, undecided_answer
from pytest_wandr.judges.llm.schema import SCHEMA
from pytest_wandr.judges.llm.sharing import ask_company, companies
from pytest_wandr.judges.llm.steps import Count
from pytest_wandr.model import digest_of
from pytest_wandr.progress import unwatched

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pydantic import JsonValue

    from pytest_wandr.judges import Answer, Question
    from pytest_wandr.judges.llm.exchange import Model
    from pytest_wandr.judges.llm.prompt import Limits, Put
    from pytest_wandr.judges.llm.sharing import Outcome
    from pytest_wandr.model import KeySpec, NameList, NameVerdict, Part, TaskSpec
    from pytest_wandr.progress import Watch


@dataclass(frozen=True)
class Member:
    """One model of a panel, and how reports call it."""

    name: str
    model: Model


@dataclass(frozen=True)
class Ways:
    """How models are asked.

    Each is asked `votes` times; at most `share` records of one page share a call; about `at_once` records are
    worked on at the same time. Without `canaries` nobody is tested first. With `confirm_names`
    names that look alike are asked about, whatever their key.
    """

    limits: Limits
    votes: int = 1
    share: int = 1
    at_once: int = 16
    canaries: bool = True
    confirm_names: bool = False


def identity_of(members: Sequence[Mapping[str, JsonValue]], ways: Ways) -> str:
    """`llm:MODEL#DIGEST`: everything about the models and how they are asked that can change a verdict."""
    identities = [dict(each) for each in members]
    models = "+".join(str(each.get("model", "model")) for each in identities)
    digest = digest_of({
        "members": identities,
        "system": SYSTEM,
        "schema": dict(SCHEMA),
        "votes": ways.votes,
        "canaries": ways.canaries,
        "page_tokens": ways.limits.page_tokens,
        "max_tokens": ways.limits.max_tokens,
        "versions": [PASSAGES_VERSION, READING_VERSION],
        **({"confirm_names": True} if ways.confirm_names else {}),
    })  # fmt: skip
    return f"llm:{models}#{digest[:8]}"


def confirms(ways: Ways, key: KeySpec) -> bool:
    """Whether names of this key that look alike are asked about: the user or the author wants it."""
    return ways.confirm_names or key.confirm


@dataclass(frozen=True)
class _Seat:
    """A member at work on one task; `refusal` says why its word does not count."""

    asker: Asker
    refusal: tuple[str, str] | None = None


class Llm:
    """The judge `llm`. What it pays for is kept below `cassettes`, in the folder of the task."""

    pays = True

    def __init__(self, name: str, members: Sequence[Member], cassettes: Path, ways: Ways) -> None:
        self.name = name
        self.members = tuple(members)
        self.ways = ways
        self._cassettes = cassettes
        self._notes: list[str] = []
        self._watch: Watch = unwatched

    @cached_property
    def identity(self) -> str:
        """What verdicts are stored under, see `identity_of`."""
        return identity_of([member.model.identity for member in self.members], self.ways)

    def with_votes(self, votes: int) -> Llm:
        """The same members, each asked so many times. Samples that are known are not paid for again."""
        return Llm(self.name, self.members, self._cassettes, replace(self.ways, votes=votes))

    def watched_by(self, watch: Watch) -> None:
        """Whom to tell how many questions of a task have an answer, and what that has cost."""
        self._watch = watch

    def take_notes(self) -> tuple[str, ...]:
        """What a reader of the run should know since this was last asked."""
        notes, self._notes = tuple(dict.fromkeys(self._notes)), []
        return notes

    async def ask(self, questions: Sequence[Question]) -> Sequence[Answer]:
        """One answer for each question of a task, in their order.

        Raises:
            CassetteError: the stored answers are damaged, or a reply holds a secret.
            CannotWrite: an answer could not be kept.
        """
        if not questions:
            return []
        answers = Answers(self._cassettes / questions[0].task.id)
        try:
            return await self._ask(questions, answers)
        finally:
            answers.close()

    async def _ask(self, questions: Sequence[Question], answers: Answers) -> list[Answer]:
        count = Count(len(questions), self._watch, [member.model for member in self.members])
        seats = [await self._seated(member, answers) for member in self.members]
        together = companies(questions, self.ways.share)
        works = [
            partial(self._counted, count, [questions[at] for at in company], seats) for company in together
        ]
        decided = await by_hands(works, self.ways.at_once)
        found = {
            at: answer
            for company, said in zip(together, decided, strict=True)
            for at, answer in zip(company, said, strict=True)
        }
        return [found[at] for at in range(len(questions))]

    def confirms(self, key: KeySpec) -> bool:
        """Whether names of this key that look alike are asked about."""
        return confirms(self.ways, key)

    async def confirm(self, task: TaskSpec, lists: Sequence[NameList]) -> Sequence[NameVerdict]:
        """A verdict on every pair of these lists.

        Raises:
            CassetteError: the stored answers are damaged, or a reply holds a secret.
            CannotWrite: an answer could not be kept.
        """
        answers = Answers(self._cassettes / task.id)
        try:
            seats = [await self._seated(member, answers) for member in self.members]
            works = [partial(self._confirm, task, each, seats) for each in lists]
            return [verdict for found in await by_hands(works, self.ways.at_once) for verdict in found]
        finally:
            answers.close()

    async def _confirm(self, task: TaskSpec, each: NameList, seats: Sequence[_Seat]) -> list[NameVerdict]:
        rounds = [
            partial(self._words, seat, task, each, sample)
            for seat in seats
            for sample in range(self.ways.votes)
        ]
        said = await by_hands(rounds, len(rounds))
        return verdicts_from(each, [majority(parts) for parts in zip(*said, strict=True)])

    async def _words(self, seat: _Seat, task: TaskSpec, each: NameList, sample: int) -> list[Part]:
        if seat.refusal is not None:
            return [undecided(*seat.refusal)] * len(each.pairs)
        return await words_on(seat.asker, task, each, limits=self.ways.limits, sample=sample)

    async def _seated(self, member: Member, answers: Answers) -> _Seat:
        asker = Asker(member.model, answers)
        if not self.ways.canaries:
            return _Seat(asker)
        refusal, notes = await refusal_of(asker, self.ways.limits)
        self._notes += [f"judge {member.name}: {note}" for note in notes]
        if isinstance(refusal, Unsaid):
            return _Seat(asker, (refusal.code, refusal.reason))
        if refusal:
            self._notes.append(
                f"judge {member.name} is not to be trusted, nothing it says is used: {refusal}"
            )
            return _Seat(asker, (UNTRUSTED, f"the judge {member.name} is not to be trusted: {refusal}"))
        return _Seat(asker)

    async def _counted(
        self, count: Count, questions: Sequence[Question], seats: Sequence[_Seat]
    ) -> list[Answer]:
        answers = await self._decide(questions, seats)
        count.add(answers)
        return answers

    async def _decide(self, questions: Sequence[Question], seats: Sequence[_Seat]) -> list[Answer]:
        """One answer for each question of a company: what most of all members and samples say."""
        company = [put(question, self.ways.limits) for question in questions]
        rounds = [
            partial(self._opinions, seat, company, sample)
            for seat in seats
            for sample in range(self.ways.votes)
        ]
        opinions = await by_hands(rounds, len(rounds))
        return [merge([each[at] for each in opinions]) for at in range(len(company))]

    async def _opinions(self, seat: _Seat, company: Sequence[Put], sample: int) -> list[Answer]:
        """What one sample of one member is worth, for each of a company."""
        if seat.refusal is not None:
            return [undecided_answer(each.decide, *seat.refusal) for each in company]
        most = self.ways.limits.page_tokens
        asked = [each for each in company if each.tokens <= most]
        outcomes = iter(await ask_company(seat.asker, asked, sample))
        return [
            _answer(next(outcomes), each) if each.tokens <= most else _too_long(each, most)
            for each in company
        ]


def _answer(outcome: Outcome, asked: Put) -> Answer:
    if isinstance(outcome, Unsaid):
        return undecided_answer(asked.decide, outcome.code, outcome.reason)
    return answer_from(outcome, asked)


def _too_long(asked: Put, most: int) -> Answer:
    reason = f"the record itself has about {asked.tokens} tokens; a judge is shown {most} at most"
    return undecided_answer(asked.decide, "record_too_long", reason)
