"""How far do the samples of a panel agree? Raw agreement, base rate and kappa, exact until the last division.

Votes are counted as *patterns*: one character for each sample in the panel's order, `-` for a sample that has
no vote, and how many decisions look like that. `{"yyy": 40, "yyn": 3, "yn-": 1}` holds everything that is
computed here, so that runs and shards add up by adding their patterns.

A kappa is 1 for perfect agreement and 0 for what chance would give, given how often each answer is chosen.
When all votes are alike, chance alone agrees perfectly and kappa is undefined: None, neither 0 nor 1.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from pytest_wandr.model import Agreement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_wandr.model import Record, RecordVerdict, Truth

    Patterns: TypeAlias = Mapping[str, int]

MISSING = "-"
_LETTERS: dict[Truth, str] = {True: "y", False: "n", None: MISSING}
_PARTS = ("satisfied", "supported", "overall_valid")


def agreements(records: Iterable[Record], verdicts: Iterable[RecordVerdict]) -> tuple[Agreement, ...]:
    """The agreement about each part that a panel voted on; nothing when there are no votes.

    Records that are equal were asked about once, so they count once.
    """
    votes = {
        (record.digest, name): pattern_of(votes)
        for record, verdict in zip(records, verdicts, strict=True)
        for name, votes in verdict.votes.items()
    }
    found = {
        part: Counter(vote for (_, name), vote in votes.items() if _part(name) == part) for part in _PARTS
    }
    return tuple(agreement_of(part, patterns) for part, patterns in found.items() if patterns)


def pooled(agreed: Iterable[Agreement]) -> tuple[Agreement, ...]:
    """The agreement over several tasks or shards: all their decisions together."""
    found: dict[str, Counter[str]] = {part: Counter() for part in _PARTS}
    for each in agreed:
        found[each.part].update(each.patterns)
    return tuple(agreement_of(part, patterns) for part, patterns in found.items() if patterns)


def agreement_of(part: str, patterns: Patterns) -> Agreement:
    """All figures of one part.

    Two samples: Cohen's kappa. More: Fleiss' kappa, or Krippendorff's alpha where votes are missing.
    """
    samples = max(map(len, patterns), default=0)
    whole = all(len(pattern) == samples and MISSING not in pattern for pattern in patterns)
    if samples == 2:
        name, kappa = "Cohen's kappa", cohen(patterns)
    elif whole:
        name, kappa = "Fleiss' kappa", fleiss(patterns)
    else:
        name, kappa = "Krippendorff's alpha", krippendorff(patterns)
    return Agreement(
        part=part,
        samples=samples,
        decisions=sum(patterns.values()),
        compared=sum(_compared(patterns).values()),
        agreement=_float(raw(patterns)),
        base_rate=_float(base_rate(patterns)),
        statistic=name,
        kappa=_float(kappa),
        patterns=dict(sorted(patterns.items())),
    )


def pattern_of(votes: Iterable[Truth]) -> str:
    """`yn-` for true, false, undecided."""
    return "".join(_LETTERS[vote] for vote in votes)


def raw(patterns: Patterns) -> Fraction | None:
    """The chance that two votes on one decision agree: the mean over decisions with at least two votes."""
    compared = _compared(patterns)
    return _mean([(_pairs_alike(counts), times) for counts, times in compared.items()])


def base_rate(patterns: Patterns, answer: str = "y") -> Fraction | None:
    """The share of that answer among all votes given."""
    votes = _votes(patterns)
    return Fraction(votes[answer], votes.total()) if votes else None


def cohen(patterns: Patterns) -> Fraction | None:
    """Cohen's kappa of the first two samples, over the decisions on which both have a vote."""
    pairs = {
        pattern: times
        for pattern, times in patterns.items()
        if len(pattern) > 1 and MISSING not in pattern[:2]
    }
    total = sum(pairs.values())
    if not total:
        return None
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    for pattern, times in pairs.items():
        ours[pattern[0]] += times
        theirs[pattern[1]] += times
    seen = Fraction(sum(times for pattern, times in pairs.items() if pattern[0] == pattern[1]), total)
    chance = Fraction(sum(count * theirs[answer] for answer, count in ours.items()), total * total)
    return _beyond_chance(seen, chance)


def fleiss(patterns: Patterns) -> Fraction | None:
    """Fleiss' kappa: any samples, each decision with the same number of votes.

    Raises:
        ValueError: decisions have different numbers of votes.
    """
    if len({len(pattern.replace(MISSING, "")) for pattern in patterns}) > 1:
        raise ValueError("Fleiss' kappa needs the same number of votes on each decision")
    seen = raw(patterns)
    votes = _votes(patterns)
    if seen is None:
        return None
    chance = Fraction(sum(count * count for count in votes.values()), votes.total() ** 2)
    return _beyond_chance(seen, chance)


def krippendorff(patterns: Patterns) -> Fraction | None:
    """Krippendorff's alpha for names without order; decisions with less than two votes say nothing."""
    compared = _compared(patterns)
    votes: Counter[str] = Counter()
    alike = Fraction(0)
    for counts, times in compared.items():
        votes.update({answer: count * times for answer, count in counts})
        alike += times * _size(counts) * _pairs_alike(counts)
    total = votes.total()
    if not total:
        return None
    chance = Fraction(sum(count * (count - 1) for count in votes.values()), total * (total - 1))
    return _beyond_chance(alike / total, chance)


Counts: TypeAlias = tuple[tuple[str, int], ...]
"""How often each answer was given on one decision."""


def _compared(patterns: Patterns) -> dict[Counts, int]:
    """Decisions with at least two votes, by how often each answer was given."""
    found: Counter[Counts] = Counter()
    for pattern, times in patterns.items():
        counts = Counter(pattern.replace(MISSING, ""))
        if counts.total() > 1:
            found[tuple(sorted(counts.items()))] += times
    return dict(found)


def _votes(patterns: Patterns) -> Counter[str]:
    votes: Counter[str] = Counter()
    for pattern, times in patterns.items():
        votes.update({answer: n * times for answer, n in Counter(pattern.replace(MISSING, "")).items()})
    return votes


def _size(counts: Counts) -> int:
    return sum(count for _, count in counts)


def _pairs_alike(counts: Counts) -> Fraction:
    size = _size(counts)
    return Fraction(sum(count * (count - 1) for _, count in counts), size * (size - 1))


def _mean(values: list[tuple[Fraction, int]]) -> Fraction | None:
    weight = sum(times for _, times in values)
    return sum((value * times for value, times in values), Fraction(0)) / weight if weight else None


def _beyond_chance(seen: Fraction, chance: Fraction) -> Fraction | None:
    return None if chance == 1 else (seen - chance) / (1 - chance)


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _part(name: str) -> str:
    return name.rpartition(".")[2]
