"""How often a judge was right, and how sure that is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.authoring.cases import ASKED, Case
from pytest_wandr.authoring.tally import by_kind, by_part, misses, wilson
from pytest_wandr.model import Page, Part, Record, RecordVerdict


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [
        # worked out by hand from Wilson's formula with z = 1.95996
        (0, 10, 0.0, 0.27753),
        (10, 10, 0.72247, 1.0),
        (8, 10, 0.49016, 0.94332),
        (1, 2, 0.09453, 0.90547),
        (81, 263, 0.25533, 0.36618),
    ],
)
def test_the_interval_is_wilsons(right, total, low, high):
    assert wilson(right, total) == pytest.approx((low, high), abs=1e-4)


@given(st.integers(1, 5000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_an_interval_holds_the_share_and_narrows_with_more_cases(counts):
    right, total = counts
    low, high = wilson(right, total)
    assert 0 <= low <= right / total <= high <= 1
    tighter = wilson(right * 4, total * 4)
    assert tighter[1] - tighter[0] < high - low


def case(kind, number, expected):
    record = Record(node="n", item={"who": f"member {number}"}, url=f"https://a.example/{number}")
    return Case(kind, f"fixture {number}", record, Page(url=record.url, final_url=record.url), expected)


def verdict(full, **parts):
    return RecordVerdict.of(full).model_copy(update=parts)


CASES = [
    case("fixture", 1, dict.fromkeys(ASKED, True)),
    case("fixture", 2, {"full": False, "retrieval": False}),
    case("wrong entity", 3, {"full": False, "excerpts_faithful": True}),
]


def test_what_is_undecided_is_not_right_and_is_counted():
    found = by_part(CASES, [verdict(True), verdict(None), verdict(False)])
    tallies = {tally.name: (tally.right, tally.undecided, tally.total) for tally in found}
    assert tallies["full"] == (2, 1, 3)
    assert tallies["retrieval"] == (1, 1, 2)
    assert tallies["excerpts_faithful"] == (1, 0, 2)  # the third is held to be unfaithful
    assert tallies["overall_valid"] == (1, 0, 1)
    assert [tally.name for tally in found] == list(ASKED)


def test_kinds_are_counted_by_whether_the_record_is_proven():
    found = by_kind(CASES, [verdict(False), verdict(False), verdict(True)])
    assert [(tally.name, tally.right, tally.total) for tally in found] == [
        ("fixture", 1, 2),
        ("wrong entity", 0, 1),
    ]
    assert found[0].accuracy == 0.5


def test_a_miss_names_the_first_part_and_what_the_judge_said():
    bad = verdict(True, overall_valid=Part(value=False, reason="out of scope"))
    found = misses(CASES, [bad, verdict(False), verdict(True)])
    assert [(miss.case.source, miss.part, miss.expected, miss.reason) for miss in found] == [
        ("fixture 1", "overall_valid", True, "out of scope"),
        ("fixture 3", "full", False, "held to be true"),
    ]
    assert misses(CASES[1:2], [verdict(False)]) == []
