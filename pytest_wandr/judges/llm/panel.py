"""What does a panel say? Several samples of one question, of one model or of several, and their majority.

A part is true or false when more than half of all samples say so. A sample that is undecided about a part,
or not sure of itself, has no vote in it, but it is counted: two yes of five are no majority.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_wandr.checks.logic import undecided
from pytest_wandr.judges import Answer
from pytest_wandr.model import Part, RequirementVerdict
from pytest_wandr.verdicts import PASSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.model import Truth

NO_MAJORITY = "no_majority"
_SURE = 2


def merge(opinions: Sequence[Answer]) -> Answer:
    """One answer from the samples of a panel, in the panel's order; a single one is handed on as it is.

    Raises:
        ValueError: there is no opinion at all.
    """
    if not opinions:
        raise ValueError("a panel without opinions has no answer")
    if len(opinions) == 1:
        return opinions[0]
    votes: dict[str, tuple[Truth, ...]] = {}
    requirements = []
    for name in dict.fromkeys(each.id for opinion in opinions for each in opinion.requirements):
        verdicts = [_about(name, opinion) for opinion in opinions]
        satisfied, supported = [each.satisfied for each in verdicts], [each.supported for each in verdicts]
        votes[f"{name}.satisfied"] = tuple(part.value for part in satisfied)
        votes[f"{name}.supported"] = tuple(part.value for part in supported)
        merged = RequirementVerdict(id=name, satisfied=majority(satisfied), supported=majority(supported))
        requirements.append(merged)
    valid = [_valid(opinion) for opinion in opinions]
    votes["overall_valid"] = tuple(part.value for part in valid)
    return Answer(tuple(requirements), majority(valid), _confidence(opinions), votes)


def majority(parts: Sequence[Part]) -> Part:
    """What more than half of the samples say, in the words of the first that says it; else undecided.

    What another call could still change keeps the code that has it tried again.
    """
    counts = Counter(part.value for part in parts)
    for value in (True, False):
        if 2 * counts[value] > len(parts):
            return next(part for part in parts if part.value is value)
    told = [part for part in parts if part.value is None]
    codes = Counter(part.code or "undecided" for part in told)
    if len(told) == len(parts) and len(codes) == 1:
        return told[0]
    passing = sorted(code for code in codes if code in PASSING)
    tally = f"{counts[True]} yes, {counts[False]} no"
    if told:
        causes = ", ".join(f"{code} {count}" for code, count in sorted(codes.items()))
        tally += f", {len(told)} undecided ({causes})"
    return undecided((passing or [NO_MAJORITY])[0], f"no majority of {len(parts)} votes: {tally}")


def _about(name: str, opinion: Answer) -> RequirementVerdict:
    """What an opinion says of one requirement; nothing when it is not sure of itself."""
    silent = undecided("no_answer", "this sample said nothing about it")
    said = next((each for each in opinion.requirements if each.id == name), None)
    if said is None:
        return RequirementVerdict(id=name, satisfied=silent, supported=silent)
    satisfied, supported = _sure(said.satisfied, opinion), _sure(said.supported, opinion)
    return RequirementVerdict(id=name, satisfied=satisfied, supported=supported)


def _valid(opinion: Answer) -> Part:
    """Whether the record is in scope. A sample that decided nothing else has not looked: its yes is none."""
    parts = [part for each in opinion.requirements for part in (each.satisfied, each.supported)]
    open_ = [part for part in parts if part.value is None]
    if opinion.valid.value is True and parts and len(open_) == len(parts):
        return open_[0]
    return _sure(opinion.valid, opinion)


def _sure(part: Part, opinion: Answer) -> Part:
    if part.value is None or opinion.confidence >= _SURE:
        return part
    word = "yes" if part.value else "no"
    return undecided("low_confidence", f"the judge said {word} with confidence {opinion.confidence} of 3")


def _confidence(opinions: Sequence[Answer]) -> int:
    """The least of those that have a vote; when none is sure, the most that was offered."""
    sure = [opinion.confidence for opinion in opinions if opinion.confidence >= _SURE]
    return min(sure) if sure else max(opinion.confidence for opinion in opinions)
