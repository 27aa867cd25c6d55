"""The twelve names, the headline, and what records and members are worth for reinforcement learning."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.model import (
    KeySpec,
    NodeSpec,
    Part,
    Record,
    RecordVerdict,
    Rejected,
    RequirementVerdict,
    TaskSpec,
)
from pytest_wandr.rewards import REWARDS, branch_rewards, headline, record_rewards
from pytest_wandr.score import score_task
from tests import reference_score as reference
from tests.strategies import COSTLY, given_all

TRUE, FALSE, UNDECIDED = (RecordVerdict.of(full=value) for value in (True, False, None))


def flat(required: int, valid: int, supplied: int):
    """A flat list: so many members wanted, so many supplied, the first ones valid."""
    keys = (KeySpec(name="company", kind="text", required=required), KeySpec(name="url", required=1))
    task = TaskSpec(id="flat", nodes=(NodeSpec(name="flat", keys=keys),))
    records = [
        Record(node="flat", item={"company": f"member {n}"}, url=f"https://{n}.example/")
        for n in range(supplied)
    ]
    return task, records, [TRUE if n < valid else FALSE for n in range(supplied)]


def test_the_twelve_names_in_their_order():
    assert REWARDS == (
        "soft_precision_full",
        "soft_precision_retrieval",
        "soft_recall_full",
        "soft_recall_retrieval",
        "soft_f1_full",
        "soft_f1_retrieval",
        "hard_precision_full",
        "hard_precision_retrieval",
        "hard_recall_full",
        "hard_recall_retrieval",
        "hard_f1_full",
        "hard_f1_retrieval",
    )


# -- headline ----------------------------------------------------------------------------------------------


def test_no_scored_task_has_no_headline():
    assert headline([]) is None


def test_f1_is_averaged_and_not_computed_again():
    # Tasks with (P, R) = (1, 0) and (0, 1): mean P = mean R = 1/2, but both F1 are 0.
    one, two = dict.fromkeys(REWARDS, 0.0), dict.fromkeys(REWARDS, 0.0)
    one["soft_precision_full"] = two["soft_recall_full"] = 1.0
    found = headline([one, two])
    assert (found["soft_precision_full"], found["soft_recall_full"], found["soft_f1_full"]) == (0.5, 0.5, 0.0)
    assert list(found) == list(REWARDS)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_headline_is_the_exact_mean_in_any_order(values, random):
    tasks = [dict.fromkeys(REWARDS, value) for value in values]
    exact = float(sum(map(Fraction, values)) / len(values))
    random.shuffle(tasks)
    assert headline(tasks) == dict.fromkeys(REWARDS, exact)


# -- credit of a record ------------------------------------------------------------------------------------


@given(st.data())
def test_credits_of_a_flat_list_have_their_closed_form(data):
    # N wanted, n supplied, k valid, k <= N: F1 = 2k / (n + N). A valid record is worth
    # 2(n + N - k) / ((n + N)(n + N - 1)), an invalid one -2k / ((n + N)(n + N - 1)).
    required = data.draw(st.integers(1, 8))
    valid = data.draw(st.integers(0, required))
    supplied = data.draw(st.integers(max(valid, 1), 14))
    total = supplied + required
    found = record_rewards(*flat(required, valid, supplied))
    whole = Fraction(total * (total - 1))
    good, bad = float(2 * (total - valid) / whole), float(-2 * valid / whole)
    assert [reward.credit for reward in found] == [good] * valid + [bad] * (supplied - valid)


@COSTLY
@given(given_all(max_size=7), st.sampled_from(REWARDS))
def test_credit_is_what_the_reward_loses_without_the_record(it, name):
    with_all = reference.rewards_of(it)[name]
    found = record_rewards(it.task, it.records, it.verdicts, rejected=it.rejected, reward=name)
    reading = name.rpartition("_")[2]
    for n, reward in enumerate(found):
        rest = it._replace(
            records=it.records[:n] + it.records[n + 1 :], verdicts=it.verdicts[:n] + it.verdicts[n + 1 :]
        )
        claim = reference.claims_of(it)[n]
        assert reward.valid is claim.readings[reading]
        if reward.valid is not None:
            assert reward.credit == float(with_all - reference.rewards_of(rest)[name])


def test_an_undecided_record_gives_no_signal():
    task, records, _ = flat(3, 0, 3)
    found = record_rewards(task, records, [TRUE, UNDECIDED, FALSE])
    assert found[1] == (None, None, None)
    assert found[0].credit > 0
    assert found[2].credit < 0


@COSTLY
@given(given_all(max_size=7), st.sampled_from([name for name in REWARDS if name.endswith("full")]))
def test_a_false_record_is_never_worth_anything(it, name):
    plain = [verdict.model_copy(update={"page": None}) for verdict in it.verdicts]
    found = record_rewards(it.task, it.records, plain, rejected=it.rejected, reward=name)
    assert all(reward.credit <= 0 for reward in found if reward.valid is False)


def test_ways_to_cheat_are_worth_nothing():
    # A duplicate under a second spelling with a false page, one page again for the same slot, junk members.
    keys = (KeySpec(name="company", kind="company", required=3), KeySpec(name="url", required=1))
    task = TaskSpec(id="t", nodes=(NodeSpec(name="t", keys=keys),))
    rows = [
        ("Acme", "a1"),
        ("Acme Inc.", "a1"),
        ("Birch", "b1"),
        ("Birch", "b1/?utm_source=x"),
        ("Junk", "j1"),
    ]
    records = [
        Record(node="t", item={"company": name}, url=f"https://a.example/{page}") for name, page in rows
    ]
    found = record_rewards(task, records, [TRUE, TRUE, TRUE, TRUE, FALSE])
    assert [reward.credit <= 0 for reward in found] == [True, True, True, True, True]
    # Acme and its second spelling make each other worthless, and so do two addresses of one page.
    assert [reward.credit for reward in found[:4]] == [0, 0, 0, 0]


def test_the_local_fraction_counts_parts_and_requirements():
    # Five requirement verdicts of six true, and four other parts of which one is false: 8 of 10.
    yes, no = Part(value=True), Part(value=False)
    requirements = tuple(
        RequirementVerdict(id=name, satisfied=yes, supported=supported)
        for name, supported in [("a", yes), ("b", no), ("c", yes)]
    )
    verdict = RecordVerdict.of(full=True).model_copy(
        update={"requirements": requirements, "requirements_all_supported": no, "overall_valid": no}
    )
    task, records, _ = flat(1, 1, 1)
    (found,) = record_rewards(task, records, [verdict])
    assert (found.valid, found.fraction) == (False, 0.8)
    # Retrieval: page usable and three requirements satisfied, 4 of 4.
    (found,) = record_rewards(task, records, [verdict], reward="soft_f1_retrieval")
    assert (found.valid, found.fraction) == (True, 1.0)


def test_a_record_without_its_key_is_false_and_has_no_fraction():
    task, records, _ = flat(1, 1, 1)
    (found,) = record_rewards(task, [records[0].model_copy(update={"item": {}})], [TRUE])
    assert found == (False, 0.0, 0.0)


def test_rejected_lines_count_in_what_a_record_is_worth():
    # N = 1, one valid record, one unreadable line: F1 = 2 / (2 + 1); without the record 0.
    task, records, verdicts = flat(1, 1, 1)
    lines = [Rejected(node="flat", line=2, code="not_json")]
    (found,) = record_rewards(task, records, verdicts, rejected=lines)
    assert found.credit == float(Fraction(2, 3))


def test_an_unknown_reward_is_refused_with_the_list():
    with pytest.raises(ValueError, match="no reward 'f1'; the rewards are: soft_precision_full, "):
        record_rewards(*flat(1, 1, 1), reward="f1")


# -- worth of a member ------------------------------------------------------------------------------------


def test_every_member_has_its_own_precision_recall_and_f1():
    # Acme: 1 right, 1 wrong of 2 wanted: P = R = F1 = 1/2. Birch: 1 right of 2: P = 1, R = 1/2, F1 = 2/3.
    # Cedar: undecided: no precision, no F1.
    keys = (KeySpec(name="company", kind="company", required=3), KeySpec(name="url", required=2))
    task = TaskSpec(id="t", nodes=(NodeSpec(name="t", keys=keys),))
    rows = [("Acme", 1, TRUE), ("Acme", 2, FALSE), ("Birch", 3, TRUE), ("Cedar", 4, UNDECIDED)]
    records = [
        Record(node="t", item={"company": name}, url=f"https://{page}.example/") for name, page, _ in rows
    ]
    found = branch_rewards(task, records, [verdict for _, _, verdict in rows])
    assert found == (
        ("Acme", 0.5, 0.5, 0.5),
        ("Birch", 1.0, 0.5, float(Fraction(2, 3))),
        ("Cedar", None, 0.0, None),
    )


@COSTLY
@given(given_all(), st.sampled_from(["full", "retrieval"]))
def test_the_members_add_up_to_the_soft_rewards(it, reading):
    members = branch_rewards(it.task, it.records, it.verdicts, rejected=it.rejected, reading=reading)
    rewards = score_task(it.task, it.records, it.verdicts, rejected=it.rejected).rewards
    decided = [member.precision for member in members if member.precision is not None]
    required = it.task.main.keys[0].required
    best = sorted((member.recall for member in members), reverse=True)[:required]
    assert rewards[f"soft_precision_{reading}"] == pytest.approx(sum(decided) / (len(decided) or 1))
    assert rewards[f"soft_recall_{reading}"] == pytest.approx(sum(best) / required)
