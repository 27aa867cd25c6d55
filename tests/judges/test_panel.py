"""What a panel says: the majority of all its samples, never a repaired or a borrowed vote."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.judges import Answer
from pytest_wandr.judges.llm.panel import majority, merge
from pytest_wandr.model import YES, Part, RequirementVerdict

NO = Part(value=False, reason="the page says otherwise", code="judged")
UNSURE = Part(value=None, reason="the quote is not on the page", code="quote_not_found")
REFUSED = Part(value=None, reason="the model refused", code="refused")
UNPAID = Part(value=None, reason="the budget is spent", code="no_budget")
DOWN = Part(value=None, reason="nobody answers", code="judge_down")
PARTS = {"y": YES, "n": NO, "u": UNSURE, "r": REFUSED, "b": UNPAID, "d": DOWN}
PART = st.sampled_from(sorted(PARTS)).map(PARTS.__getitem__)


def parts(text):
    return [PARTS[letter] for letter in text]


def opinion(satisfied, supported=None, *, valid=YES, confidence=3):
    said = RequirementVerdict(
        id="authority", satisfied=PARTS[satisfied], supported=PARTS[supported or satisfied]
    )
    return Answer((said,), valid, confidence)


@pytest.mark.parametrize(
    ("samples", "value", "code"),
    [
        ("yyy", True, ""),
        ("yyn", True, ""),
        ("nny", False, "judged"),
        ("yyu", True, ""),
        ("nnu", False, "judged"),
        ("ynu", None, "no_majority"),
        ("yuu", None, "no_majority"),  # one vote of three is no majority
        ("nuu", None, "no_majority"),
        ("uuu", None, "quote_not_found"),  # all for one cause: that cause
        ("uub", None, "no_budget"),  # what another run could change is tried again
        ("ynb", None, "no_budget"),
        ("ydb", None, "judge_down"),
        ("ynr", None, "refused"),
        ("yyb", True, ""),  # nothing that is missing could change it
        ("yynnu", None, "no_majority"),
        ("yyynn", True, ""),
        ("yynn", None, "no_majority"),  # two panels of two: a tie
        ("y", True, ""),
    ],
)
def test_more_than_half_of_all_samples_decide(samples, value, code):
    found = majority(parts(samples))
    assert (found.value, found.code) == (value, code)


def test_the_reason_of_no_majority_counts_everything():
    assert majority(parts("ynubu")).reason == (
        "no majority of 5 votes: 1 yes, 1 no, 3 undecided (no_budget 1, quote_not_found 2)"
    )
    assert majority(parts("yn")).reason == "no majority of 2 votes: 1 yes, 1 no"


def test_a_majority_speaks_in_the_words_of_its_first_sample():
    other = Part(value=False, reason="another reason", code="judged")
    assert majority([YES, other, NO]).reason == "another reason"


@given(st.lists(PART, min_size=1, max_size=7))
def test_the_order_of_samples_changes_neither_value_nor_code(samples):
    found = {(majority(order).value, majority(order).code) for order in list(permutations(samples))[:60]}
    assert len({value for value, _ in found}) == 1
    assert len({code for value, code in found if value is None}) <= 1


@given(st.lists(PART, min_size=1, max_size=7), st.data())
def test_a_sample_that_turns_undecided_never_makes_a_part_true_or_false(samples, data):
    at = data.draw(st.integers(0, len(samples) - 1))
    before, after = majority(samples), majority([*samples[:at], UNSURE, *samples[at + 1 :]])
    assert after.value in {before.value, None}


def test_each_part_is_voted_on_alone_and_the_votes_are_kept_in_order():
    found = merge([opinion("y", "n"), opinion("n", "n"), opinion("y", "r")])
    assert found.requirements[0].satisfied == YES
    assert found.requirements[0].supported == NO
    assert found.votes == {
        "authority.satisfied": (True, False, True),
        "authority.supported": (False, False, None),
        "overall_valid": (True, True, True),
    }


def test_one_sample_is_no_panel():
    only = opinion("y")
    assert merge([only]) is only
    assert only.votes == {}
    with pytest.raises(ValueError, match="without opinions"):
        merge([])


def test_a_sample_that_is_not_sure_has_no_vote():
    unsure = opinion("n", confidence=1)
    found = merge([opinion("y"), unsure, opinion("y", confidence=2)])
    assert found.votes["authority.satisfied"] == (True, None, True)
    assert found.requirements[0].satisfied == YES
    assert found.confidence == 2
    split = merge([opinion("y"), unsure, unsure])
    assert split.requirements[0].satisfied.code == "no_majority"
    assert "low_confidence 2" in split.requirements[0].satisfied.reason


def test_a_panel_of_which_nobody_is_sure_is_not_sure():
    found = merge([opinion("y", confidence=0), opinion("y", confidence=1), opinion("y", confidence=1)])
    assert found.requirements[0].satisfied.code == "low_confidence"
    assert found.confidence == 1


def test_silence_about_a_requirement_is_counted_as_undecided():
    found = merge([opinion("y"), Answer(), Answer()])
    assert found.requirements[0].satisfied.value is None
    assert found.votes["authority.satisfied"] == (True, None, None)


def test_a_sample_that_decided_nothing_does_not_vouch_for_the_scope():
    out = Part(value=False, reason="it is a shop", code="judged")
    found = merge([opinion("y", valid=out), opinion("y"), opinion("r")])
    assert found.requirements[0].satisfied == YES
    assert found.valid.value is None
    assert found.votes["overall_valid"] == (False, True, None)


def test_two_of_three_put_a_record_out_of_scope():
    out = Part(value=False, reason="it is a shop", code="judged")
    assert merge([opinion("y", valid=out), opinion("y", valid=out), opinion("y")]).valid == out
