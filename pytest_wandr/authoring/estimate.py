"""What would a run cost? Counted without asking anyone: the calls that a model judge would have to make.

With delivered results every record passes the machine checks, and what they leave open is put into the very
prompts that a run would send, less what is answered already. Without results the fixtures of a task stand for
its records: as many as the task requires, each asked about, as long as the fixtures' prompts are on average.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from pytest_wandr.cassettes import PageStore
from pytest_wandr.errors import SubmissionError
from pytest_wandr.fetch import fetch, open_fetcher
from pytest_wandr.judge import judge as judge_records
from pytest_wandr.judges.llm import config as configs
from pytest_wandr.judges.llm.answers import Answers, answer_key
from pytest_wandr.judges.llm.costs import cost_of, worst_case
from pytest_wandr.judges.llm.exchange import Usage
from pytest_wandr.judges.llm.llm import confirms, identity_of
from pytest_wandr.judges.llm.make import ways_of
from pytest_wandr.judges.llm.names import fits, prompts_of
from pytest_wandr.judges.llm.prompt import prompt_of, put
from pytest_wandr.judges.llm.reading import undecided_answer
from pytest_wandr.judges.llm.sharing import companies
from pytest_wandr.judges.llm.wires import WIRES
from pytest_wandr.judges.rules import undecidable_nodes
from pytest_wandr.model import Submission
from pytest_wandr.naming import NameStore
from pytest_wandr.remember import Memory
from pytest_wandr.score import look_alikes
from pytest_wandr.solve import read_submission
from pytest_wandr.task import load_fixtures, load_task, peek_task

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_wandr.judges import Answer, Question
    from pytest_wandr.judges.llm.config import JudgeConfig
    from pytest_wandr.judges.llm.exchange import Prompt
    from pytest_wandr.judges.llm.llm import Ways
    from pytest_wandr.judges.llm.prompt import Put
    from pytest_wandr.model import NameList, TaskSpec

BYTES_A_TOKEN = 3
"""Rough, and rather too dear: what is sent is escaped JSON."""
_REPLY, _REPLY_EACH = 120, 90
"""Tokens of a reply without hidden reasoning: for a record, and for each of its open requirements."""
_REPLY_PAIR = 40
"""Tokens of a reply for each pair of names."""


@dataclass(frozen=True)
class Bill:
    """Calls and tokens, about what they cost and what they cost at most, in dollars. Without a price: 0."""

    calls: int = 0
    input: int = 0
    output: int = 0
    about: Decimal = Decimal(0)
    most: Decimal = Decimal(0)

    def __add__(self, other: Bill) -> Bill:
        return Bill(
            self.calls + other.calls,
            self.input + other.input,
            self.output + other.output,
            self.about + other.about,
            self.most + other.most,
        )

    def times(self, wanted: int) -> Bill:
        """The same calls made `wanted` times, with their mean."""
        if not self.calls:
            return Bill()
        return Bill(
            wanted,
            self.input * wanted // self.calls,
            self.output * wanted // self.calls,
            self.about * wanted / self.calls,
            self.most * wanted / self.calls,
        )


@dataclass(frozen=True)
class Estimate:
    """What one task would cost. `answered` calls were paid for before; `basis` says what was counted.

    A call about names is one of the `bill`, and of those that were `answered`.
    """

    task_id: str
    records: int
    answered: int
    bill: Bill
    basis: str


@dataclass(frozen=True)
class Plan:
    """Who would be asked, and how. `cassettes` holds the recordings and what was paid for."""

    members: tuple[JudgeConfig, ...]
    ways: Ways
    cassettes: Path

    @property
    def samples(self) -> int:
        """How often a record is asked about, over all members."""
        return len(self.members) * self.ways.votes

    @property
    def identity(self) -> str:
        """What the verdicts of this judge are stored under."""
        return identity_of([member.identity for member in self.members], self.ways)

    @property
    def priced(self) -> bool:
        """Whether all prices are known."""
        return all(member.price is not None for member in self.members)


def plan_of(rootdir: Path, judge: str, cassettes: Path) -> Plan:
    """What `[tool.wandr.judge]` says. No key is needed, and nobody is dialled.

    Raises:
        JudgeError: the configuration has mistakes.
    """
    whole = configs.read(rootdir, judge)
    members = configs.members(rootdir, whole)
    return Plan(members, ways_of(whole, members), cassettes)


def delivered_to(folder: Path, results: Path) -> Path:
    """Where results for the task in `folder` lie: `<results>/<task id>/submission` or `<results>/<task id>`.

    Raises:
        SubmissionError: neither is there.
    """
    name = peek_task(folder).id
    places = (results / name / "submission", results / name)
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise SubmissionError(f"{results} holds no results for {name}: there is no folder {places[1]}")
    return found


async def estimate(folder: Path, plan: Plan, results: Path | None = None) -> Estimate:
    """One task package; `results` is a folder with results files of its nodes.

    Raises:
        WandrError: the package is not sound, or the results cannot be read.
    """
    task = load_task(folder)
    if results is None:
        return await _assumed(task, folder, plan)
    submission = read_submission(task, results, name="estimate")
    store = PageStore(plan.cassettes / task.id)
    known = Memory(task, store, plan.identity).recall(submission.records)
    counter = _Counter(plan, plan.ways.share, Answers(store.folder))
    left = tuple(record for at, record in enumerate(submission.records) if at not in known)
    await _count(task, submission.model_copy(update={"records": left}), counter)
    lists = _name_lists(task, submission, plan, store)
    for each in lists:
        counter.add_names(task, each)
    basis = f"delivered records{_judged(len(known))}{_lists(len(lists))}"
    return Estimate(task.id, len(submission.records), counter.answered, counter.bill, basis)


def _name_lists(task: TaskSpec, submission: Submission, plan: Plan, store: PageStore) -> list[NameList]:
    """The lists of names that would be asked about first. Names that become one may make further ones."""
    keys = {(node.name, key.name): key for node in task.nodes for key in node.keys}
    said = NameStore(store, plan.identity)
    lists = look_alikes(task, submission.records, rejected=submission.rejected)
    wanted = (each for each in lists if confirms(plan.ways, keys[each.node, each.key]))
    return [each for each in wanted if said.get(task, each) is None]


def _judged(count: int) -> str:
    return f", {count} of them judged before" if count else ""


def _lists(count: int) -> str:
    return f", {count} list{'s' if count > 1 else ''} of names that look alike" if count else ""


async def _assumed(task: TaskSpec, folder: Path, plan: Plan) -> Estimate:
    records = sum(node.required_records for node in undecidable_nodes(task))
    if not records:
        return Estimate(task.id, task.required_records, 0, Bill(), "machine checks decide all")
    sample = tuple(fixture.record for fixture in load_fixtures(folder, task))
    counter = _Counter(plan, 1, None)
    await _count(task, Submission(task_id=task.id, system="fixtures", records=sample), counter)
    wanted = records * plan.samples
    if counter.bill.calls:
        basis = f"prompts of {counter.bill.calls // plan.samples} fixtures{_without_names(task, plan)}"
        return Estimate(task.id, records, 0, counter.bill.times(wanted), basis)
    size = BYTES_A_TOKEN * plan.ways.limits.page_tokens
    reply, most = _REPLY + _REPLY_EACH, plan.ways.limits.max_tokens
    longest = [_bill_of(member, size, reply, most) for member in plan.members]
    basis = f"pages as long as allowed{_without_names(task, plan)}"
    return Estimate(task.id, records, 0, sum(longest, Bill()).times(wanted), basis)


def _without_names(task: TaskSpec, plan: Plan) -> str:
    """Which names look alike is only known of delivered results."""
    asked = any(confirms(plan.ways, key) for node in task.nodes for key in node.entity_keys)
    return ", without calls about names" if asked else ""


async def _count(task: TaskSpec, submission: Submission, counter: _Counter) -> None:
    if not submission.records:
        return
    async with open_fetcher(PageStore(counter.plan.cassettes / task.id)) as fetcher:
        pages = await fetch(submission, fetcher)
    await judge_records(task, submission, pages, counter)


class _Counter:
    """A judge that counts what it would ask, and says nothing."""

    name = "estimate"

    def __init__(self, plan: Plan, share: int, answers: Answers | None) -> None:
        self.plan = plan
        self.bill = Bill()
        self.answered = 0
        self._share = share
        self._answers = answers

    async def ask(self, questions: Sequence[Question]) -> Sequence[Answer]:
        """Count."""
        for company in companies(questions, self._share):
            asked = [put(questions[at], self.plan.ways.limits) for at in company]
            for member in self.plan.members:
                for sample in range(self.plan.ways.votes):
                    self._add(member, asked, sample)
        return [undecided_answer(question.open, "not_asked", "it was only counted") for question in questions]

    def add_names(self, task: TaskSpec, each: NameList) -> None:
        """Count the questions about one list of names."""
        limits = self.plan.ways.limits
        for prompt, pairs in prompts_of(task, each, limits):
            for member in self.plan.members if fits(prompt, limits) else ():
                for sample in range(self.plan.ways.votes):
                    if self._is_known(member, prompt, sample):
                        self.answered += 1
                    else:
                        self.bill += _bill(member, prompt, _REPLY_PAIR * pairs)

    def _add(self, member: JudgeConfig, asked: Sequence[Put], sample: int) -> None:
        left = [each for each in asked if not self._known(member, each, sample)]
        self.answered += len(asked) - len(left)
        if left:
            prompt = prompt_of(left)
            open_parts = sum(len(each.decide) for each in left)
            self.bill += _bill(member, prompt, _REPLY + _REPLY_EACH * open_parts)

    def _known(self, member: JudgeConfig, asked: Put, sample: int) -> bool:
        return self._is_known(member, prompt_of([asked]), sample)

    def _is_known(self, member: JudgeConfig, prompt: Prompt, sample: int) -> bool:
        if self._answers is None:
            return False
        return self._answers.get(answer_key(member.identity, prompt, sample)) is not None


def _bill(member: JudgeConfig, prompt: Prompt, reply: int) -> Bill:
    """One call, with a reply of about so many tokens."""
    size = len(json.dumps(WIRES[member.protocol].request(prompt, member).body))
    return _bill_of(member, size, reply, prompt.max_tokens)


def _bill_of(member: JudgeConfig, size: int, reply: int, max_tokens: int) -> Bill:
    """One call with a body of so many bytes."""
    usage = Usage(input=-(-size // BYTES_A_TOKEN), output=reply)
    most = worst_case(member.price, size=size, max_tokens=max_tokens)
    return Bill(1, usage.input, usage.output, min(cost_of(member.price, usage), most), most)
