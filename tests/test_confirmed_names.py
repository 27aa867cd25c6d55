"""Names that a judge confirmed to be one: what that is worth, what it can change, and what it cannot."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_wandr.identity import collapse
from pytest_wandr.model import KeySpec, NameVerdict, NodeSpec, Record, RecordVerdict, TaskSpec
from pytest_wandr.rewards import REWARDS, branch_rewards, record_rewards
from pytest_wandr.score import look_alikes, score_task
from tests.strategies import COSTLY, NAMES, Given, given_all, submissions, tasks

RECALLS = [name for name in REWARDS if "recall" in name]
ALIKE = {"Arvado Inc.": "Arvado Group", "arvado, INC": "ARVADO Group", "Belmorix Ltd": "Belmorix Group"}
"""Second spellings of one identity, and names that only look like it: a judge is needed for those."""


def score(it: Given, confirmed=()):
    return score_task(it.task, it.records, it.verdicts, rejected=it.rejected, confirmed=confirmed)


def rewards(it: Given, confirmed=()):
    return score(it, confirmed).rewards


def lists(it: Given, confirmed=()):
    return look_alikes(it.task, it.records, rejected=it.rejected, confirmed=confirmed)


def verdicts_on(found, say):
    return [
        NameVerdict(
            node=each.node,
            key=each.key,
            under=each.under,
            a=pair.a,
            b=pair.b,
            further=pair.further,
            same=say(pair),
        )
        for each in found
        for pair in each.pairs
    ]


def everything(it: Given, say=lambda pair: True):
    """All that can be asked, asked until nothing is left."""
    confirmed = []
    for _ in range(5):
        asked = lists(it, confirmed)
        if not asked:
            return confirmed
        confirmed += verdicts_on(asked, say)
    raise AssertionError("there is always something left to ask")


def lookalike(it: Given) -> Given:
    """The same submission with second spellings that only look alike."""

    def written(line):
        item = {name: ALIKE.get(value, value) for name, value in line.item.items()}
        return line.model_copy(update={"item": item})

    return it._replace(
        records=[written(record) for record in it.records], rejected=[written(line) for line in it.rejected]
    )


def company_task(required=2, **key):
    keys = (
        KeySpec(name="company", kind="company", required=required, **key),
        KeySpec(name="url", required=1),
    )
    return TaskSpec(id="task", nodes=(NodeSpec(name="main", keys=keys),))


def submission(task, *rows):
    """Rows of (node, item, truth), each with a page of its own."""
    found = [
        Record(node=node, item=item, url=f"https://p{at}.example/") for at, (node, item, _) in enumerate(rows)
    ]
    return Given(task, found, [RecordVerdict.of(full=truth) for *_, truth in rows], [])


def members(*rows, **key):
    return submission(company_task(**key), *[("main", {"company": name}, truth) for name, truth in rows])


def said(a, b, same, reason="", **where):
    place = {"node": "main", "key": "company", "under": ((),)} | where
    return NameVerdict(a=a, b=b, same=same, reason=reason, **place)


# -- what it is worth ----------------------------------------------------------------------------------


def test_the_table_of_names_that_look_alike_is_what_it_says():
    names = sorted({ALIKE.get(name, name) for name in NAMES})
    found = collapse("company", names)
    assert len(found.groups) == len({NAMES[name] for name in NAMES})
    assert {frozenset({names[a].casefold(), names[b].casefold()}) for a, b, _ in found.near} == {
        frozenset({"arvado", "arvado group"}),
        frozenset({" arvado ", "arvado group"}),
        frozenset({"belmorix", "belmorix group"}),
    }


@COSTLY
@given(given_all())
def test_a_confirmed_pair_is_worth_exactly_what_two_spellings_are_worth(it):
    other = lookalike(it)
    assert rewards(other, everything(other)) == rewards(it)


@COSTLY
@given(given_all())
def test_a_confirmed_pair_is_what_an_alias_would_have_been(it):
    other = lookalike(it)
    aliases = {"Arvado": ("Arvado Group",), "Belmorix": ("Belmorix Group",)}
    nodes = [
        node.model_copy(
            update={
                "keys": tuple(
                    key.model_copy(update={"aliases": aliases}) if key.kind == "company" else key
                    for key in node.keys
                )
            }
        )
        for node in it.task.nodes
    ]
    declared = other._replace(task=TaskSpec(id="task", nodes=tuple(nodes)))
    assert rewards(other, everything(other)) == rewards(declared)


@COSTLY
@given(given_all())
def test_without_a_word_of_a_judge_every_byte_stays(it):
    other = lookalike(it)
    plain = score_task(other.task, other.records, other.verdicts, rejected=other.rejected)
    assert score(other).model_dump_json() == plain.model_dump_json()
    assert "confirmed" not in plain.model_dump_json()


@COSTLY
@given(given_all(), st.sampled_from([False, None]))
def test_what_is_not_confirmed_changes_no_value(it, word):
    other = lookalike(it)
    found = score(other, everything(other, lambda _: word))
    plain = score(other)
    assert (found.rewards, found.tree, found.paths) == (plain.rewards, plain.tree, plain.paths)
    assert len(found.diagnostics.near_duplicates) == len(plain.diagnostics.near_duplicates)


@COSTLY
@given(given_all(), st.randoms(use_true_random=False))
def test_the_order_of_verdicts_on_names_and_of_their_sides_changes_no_byte(it, random):
    other = lookalike(it)
    words = {}
    confirmed = everything(other, lambda pair: words.setdefault((pair.a, pair.b), random.random() < 0.7))
    turned = [each.model_copy(update={"a": each.b, "b": each.a}) for each in confirmed]
    mixed = [random.choice(pair) for pair in zip(confirmed, turned, strict=True)]
    random.shuffle(mixed)
    assert score(other, mixed).model_dump_json() == score(other, confirmed).model_dump_json()


@COSTLY
@given(tasks(max_nodes=1).flatmap(submissions), st.data())
def test_in_a_task_of_one_node_a_confirmation_never_raises_recall(it, data):
    other = lookalike(it)
    confirmed = everything(other, lambda _: data.draw(st.booleans()))
    before, after = rewards(other), rewards(other, confirmed)
    assert all(after[name] <= before[name] for name in RECALLS)


@COSTLY
@given(given_all())
def test_every_reward_stays_between_0_and_1(it):
    other = lookalike(it)
    assert all(0 <= value <= 1 for value in rewards(other, everything(other)).values())


# -- worked by hand ------------------------------------------------------------------------------------


def test_two_names_for_one_member_no_longer_fill_two_slots():
    it = members(("Arvado", True), ("Arvado Group", True))
    assert rewards(it)["soft_recall_full"] == 1
    found = score(it, [said("Arvado", "Arvado Group", True)])
    assert found.rewards["soft_recall_full"] == 0.5
    assert [identity.name for identity in found.tree.identities] == ["Arvado"]
    assert [entity.name for entity in found.tree.identities[0].entities] == ["Arvado", "Arvado Group"]


def test_of_names_that_are_one_the_worst_counts():
    it = members(("Arvado", True), ("Arvado Group", False), required=1)
    assert rewards(it)["hard_recall_full"] == 1
    assert rewards(it, [said("Arvado", "Arvado Group", True)])["hard_recall_full"] == 0


def test_one_mistake_under_two_names_is_one_mistake_so_precision_can_rise():
    it = members(("Arvado", False), ("Arvado Group", False), ("Cindrale", True))
    assert rewards(it)["soft_precision_full"] == pytest.approx(1 / 3)
    assert rewards(it, [said("Arvado", "Arvado Group", True)])["soft_precision_full"] == 0.5


def test_evidence_of_another_node_finds_its_member_so_recall_can_rise():
    keys = (KeySpec(name="company", kind="company", required=1), KeySpec(name="url", required=1))
    task = TaskSpec(
        id="task", nodes=(NodeSpec(name="main", keys=keys), NodeSpec(name="main.listing", keys=keys))
    )
    it = submission(
        task, ("main", {"company": "Arvado"}, True), ("main.listing", {"company": "Arvado Group"}, True)
    )
    assert rewards(it)["soft_recall_full"] == 0.5
    assert rewards(it, [said("Arvado", "Arvado Group", True)])["soft_recall_full"] == 1


def people(*rows):
    keys = (
        KeySpec(name="company", kind="company", required=2),
        KeySpec(name="person", kind="person", required=2),
        KeySpec(name="url", required=1),
    )
    task = TaskSpec(id="task", nodes=(NodeSpec(name="main", keys=keys),))
    return submission(
        task, *[("main", {"company": company, "person": person}, True) for company, person in rows]
    )


def test_a_verdict_holds_among_the_siblings_that_it_was_given_for():
    it = people(
        ("Arvado", "R. Stone"), ("Arvado", "Ruth Stone"), ("Cindrale", "R. Stone"), ("Cindrale", "Ruth Stone")
    )
    asked = lists(it)
    assert [(each.key, each.under, each.names) for each in asked] == [
        ("person", ((("Arvado",),),), ("R. Stone", "Ruth Stone")),
        ("person", ((("Cindrale",),),), ("R. Stone", "Ruth Stone")),
    ]
    (near,) = score(it, verdicts_on(asked[:1], lambda _: True)).diagnostics.near_duplicates
    assert (near.a, near.b) == ("R. Stone", "Ruth Stone")
    assert rewards(it, verdicts_on(asked[:1], lambda _: True))["soft_recall_full"] == 0.75
    assert lists(it, verdicts_on(asked[:1], lambda _: True)) == asked[1:]


def test_what_two_names_share_once_they_are_one_is_asked_about_next():
    company, url = KeySpec(name="company", kind="company", required=2), KeySpec(name="url", required=1)
    task = TaskSpec(
        id="task",
        nodes=(
            NodeSpec(name="main", keys=(company, url)),
            NodeSpec(
                name="main.people", keys=(company, KeySpec(name="person", kind="person", required=1), url)
            ),
        ),
    )
    it = submission(
        task,
        ("main.people", {"company": "Arvado", "person": "R. Stone"}, True),
        ("main.people", {"company": "Arvado Group", "person": "Ruth Stone"}, True),
    )
    (first,) = lists(it)
    assert (first.key, first.under) == ("company", ((),))
    (second,) = lists(it, verdicts_on([first], lambda _: True))
    assert (second.key, second.under) == ("person", ((("Arvado",),), (("Arvado Group",),)))
    confirmed = verdicts_on([first, second], lambda _: True)
    assert lists(it, confirmed) == ()
    assert {(each.a, each.b) for each in score(it, confirmed).diagnostics.confirmed} == {
        ("Arvado", "Arvado Group"),
        ("R. Stone", "Ruth Stone"),
    }


def test_values_that_differ_in_a_further_field_are_never_asked_about():
    keys = (
        KeySpec(name="company", kind="company", required=2, fields=("company", "year")),
        KeySpec(name="url", required=1),
    )
    task = TaskSpec(id="task", nodes=(NodeSpec(name="main", keys=keys),))
    rows = [("Arvado", "1965"), ("Arvado Group", "1965"), ("Arvado Group", "1984")]
    it = submission(task, *[("main", {"company": name, "year": year}, True) for name, year in rows])
    (asked,) = lists(it)
    assert [(pair.a, pair.b, pair.further) for pair in asked.pairs] == [("Arvado", "Arvado Group", ("1965",))]
    names = [
        [entity.name for entity in identity.entities]
        for identity in score(it, verdicts_on([asked], lambda _: True)).tree.identities
    ]
    assert sorted(names) == [["Arvado (1965)", "Arvado Group (1965)"], ["Arvado Group (1984)"]]


# -- what the report says ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("same", "reason", "told"),
    [
        (False, "a parent company", "group; the judge: not the same (a parent company)"),
        (None, "the model refused", "group; the judge: undecided, so distinct (the model refused)"),
        (False, "", "group; the judge: not the same"),
    ],
)
def test_near_duplicates_show_what_the_judge_said(same, reason, told):
    it = members(("Arvado", True), ("Arvado Group", True))
    found = score(it, [said("Arvado", "Arvado Group", same, reason)]).diagnostics
    assert [near.reason for near in found.near_duplicates] == [told]
    assert found.confirmed == ()


def test_confirmed_names_are_told_apart_from_near_ones():
    it = members(("Arvado", True), ("Arvado Group", True))
    found = score(it, [said("Arvado", "Arvado Group", True, "one firm")]).diagnostics
    assert found.near_duplicates == ()
    assert [(each.a, each.b, each.reason) for each in found.confirmed] == [
        ("Arvado", "Arvado Group", "group; the judge: the same (one firm)")
    ]


def test_a_confirmed_pair_that_is_blocked_says_by_what():
    it = members(("Quillmere", True), ("Quillmere Foods", True), ("Quillmere Bakery", True))
    found = score(it, everything(it)).diagnostics
    assert found.confirmed == ()
    assert [near.reason for near in found.near_duplicates] == [
        "subset; the judge finds them the same, but 'Quillmere Bakery' and 'Quillmere Foods' are distinct "
        "(substitution)"
    ] * 2


def test_where_verdicts_differ_what_keeps_apart_counts():
    it = members(("Arvado", True), ("Arvado Group", True))
    both = [said("Arvado", "Arvado Group", True), said("Arvado Group", "Arvado", False, "no")]
    assert score(it, both) == score(it, both[1:]) == score(it, both[::-1])


def test_a_verdict_about_names_that_are_not_there_changes_nothing():
    it = members(("Arvado", True), ("Cindrale", True))
    assert score(it, [said("Arvado", "Arvado Group", True), said("Arvado", "Cindrale", True)]) == score(it)


# -- training signals ----------------------------------------------------------------------------------


@COSTLY
@given(given_all(max_size=5), st.data())
def test_a_credit_is_what_scoring_without_the_record_says(it, data):
    other = lookalike(it)
    assume(other.records)
    at = data.draw(st.integers(0, len(other.records) - 1))
    confirmed = everything(other)
    credit = record_rewards(
        other.task, other.records, other.verdicts, rejected=other.rejected, confirmed=confirmed
    )[at].credit
    assume(credit is not None)
    rest = other._replace(
        records=[*other.records[:at], *other.records[at + 1 :]],
        verdicts=[*other.verdicts[:at], *other.verdicts[at + 1 :]],
    )
    now, then = (rewards(each, confirmed)["soft_f1_full"] for each in (other, rest))
    assert credit == pytest.approx(now - then)


def test_a_branch_is_a_member_with_all_its_names():
    it = members(("Arvado", True), ("Arvado Group", False))
    confirmed = [said("Arvado", "Arvado Group", True)]
    found = branch_rewards(it.task, it.records, it.verdicts, confirmed=confirmed)
    assert [(each.member, each.f1) for each in found] == [("Arvado", 0.0)]
