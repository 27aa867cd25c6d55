"""The laws of docs/scoring.md section 7, on random trees, and an independent implementation of the rules."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_wandr.identity import collapse, normal_form, url_key
from pytest_wandr.model import IdentityOptions, KeySpec, NodeSpec, Record, RecordVerdict, TaskScore, TaskSpec
from pytest_wandr.rewards import REWARDS
from pytest_wandr.score import score_task
from tests import reference_score as reference
from tests.strategies import (
    COSTLY,
    LABELS,
    NAMES,
    PAGES,
    READINGS,
    VALUES,
    Given,
    complete,
    given_all,
    records,
    tasks,
)

RECALLS = [name for name in REWARDS if "recall" in name]
TRUE, FALSE, UNDECIDED = (RecordVerdict.of(full=value) for value in (True, False, None))


def score(it: Given):
    return score_task(it.task, it.records, it.verdicts, rejected=it.rejected)


def rewards(it: Given):
    return score(it).rewards


# -- the tables that the tests rely on ------------------------------------------------------------------


def test_the_invented_names_are_what_the_tables_say():
    names = sorted(NAMES)
    for group in collapse("company", names).groups:
        assert len({NAMES[names[index]][0] for index in group}) == 1
    assert len(collapse("company", names).groups) == len({identity for identity, _ in NAMES.values()})
    spelled = IdentityOptions(keep_legal_form=True)
    forms = {name: normal_form("company", name, spelled) for name in names}
    assert all((forms[a] == forms[b]) == (NAMES[a] == NAMES[b]) for a in names for b in names)


def test_the_invented_pages_and_labels_are_what_the_tables_say():
    assert all((url_key(a) == url_key(b)) == (PAGES[a] == PAGES[b]) for a in PAGES for b in PAGES)
    for value, label in VALUES.items():
        mates = [name for name in LABELS if normal_form("enum", name) == normal_form("enum", value)]
        assert mates == ([label] if label else [])


# -- an independent implementation ----------------------------------------------------------------------


@given(given_all())
def test_all_twelve_rewards_agree_exactly_with_the_naive_rules(it):
    expected = {name: float(value) for name, value in reference.rewards_of(it).items()}
    assert rewards(it) == expected


@COSTLY
@given(given_all(max_size=25, holes=False))
def test_larger_trees_agree_exactly_with_the_naive_rules(it):
    expected = {name: float(value) for name, value in reference.rewards_of(it).items()}
    assert rewards(it) == expected


@given(given_all())
def test_structure_agrees_exactly_with_the_naive_count(it):
    found, expected = score(it).diagnostics.structure, reference.structure_of(it)
    for name in ("discovery", "enrichment", "evidence"):
        value, loss = expected[name], expected[f"{name} loss"]
        assert getattr(found, name) == (None if value is None else float(value))
        assert found.duplicate_loss.get(name) == (None if loss is None else float(loss))


# -- the laws ----------------------------------------------------------------------------------------------


@COSTLY
@given(given_all())
def test_every_score_lies_between_0_and_1(it):
    assert list(rewards(it)) == list(REWARDS)
    assert all(0 <= value <= 1 for value in rewards(it).values())


@COSTLY
@given(given_all())
def test_a_score_is_what_validating_it_again_makes_of_it(it):
    found = score(it)  # its tree and its paths are made without validation, for speed
    again = TaskScore.model_validate_json(found.model_dump_json())
    assert found == again
    assert repr(found) == repr(again)
    assert hash(found.tree) == hash(again.tree)
    assert found.model_dump_json(exclude_defaults=True) == again.model_dump_json(exclude_defaults=True)


@COSTLY
@given(given_all(), st.randoms(use_true_random=False))
def test_the_order_of_records_and_lines_changes_no_byte(it, random):
    pairs, lines = list(zip(it.records, it.verdicts, strict=True)), list(it.rejected)
    random.shuffle(pairs)
    random.shuffle(lines)
    mixed = Given(it.task, [record for record, _ in pairs], [verdict for _, verdict in pairs], lines)
    assert score(mixed).model_dump_json() == score(it).model_dump_json()


@COSTLY
@given(given_all(), st.randoms(use_true_random=False))
def test_the_order_of_the_other_nodes_changes_no_reward(it, random):
    main, *others = it.task.nodes
    random.shuffle(others)
    task = TaskSpec(id=it.task.id, nodes=(main, *others))
    assert rewards(it._replace(task=task)) == rewards(it)


@COSTLY
@given(given_all())
def test_hard_is_never_above_soft(it):
    found = rewards(it)
    for measure in ("precision", "recall"):
        for reading in ("full", "retrieval"):
            assert found[f"hard_{measure}_{reading}"] <= found[f"soft_{measure}_{reading}"]


@COSTLY
@given(given_all())
def test_full_recall_is_never_above_retrieval_recall(it):
    found = rewards(it)
    for kind in ("soft", "hard"):
        assert found[f"{kind}_recall_full"] <= found[f"{kind}_recall_retrieval"]


@COSTLY
@given(given_all(), st.data())
def test_a_true_record_of_a_new_identity_never_lowers_recall(it, data):
    assume(it.records)
    old = data.draw(st.sampled_from(it.records))
    node = it.task.node(old.node)
    depth = data.draw(st.integers(0, len(node.entity_keys)))
    item = dict(old.item)
    for key in node.entity_keys[depth:]:
        item |= dict.fromkeys(key.item_fields, key.labels[0] if key.labels else "Xantholme")
    new = Record(node=old.node, item=item, url="https://new.example/page")
    before, after = rewards(it), rewards(it.plus(new, TRUE))
    assert all(after[name] >= before[name] for name in RECALLS)


@COSTLY
@given(given_all(), st.data(), st.sampled_from([FALSE, UNDECIDED]))
def test_a_false_or_undecided_record_never_raises_anything(it, data, verdict):
    new = data.draw(records(it.task))
    before, after = rewards(it), rewards(it.plus(new, verdict))
    assert all(after[name] <= before[name] for name in REWARDS)


@COSTLY
@given(given_all(), st.data())
def test_a_second_spelling_in_the_home_node_never_raises_recall(it, data):
    spots = [
        (record, key)
        for record in it.records
        for depth, key in enumerate(it.task.node(record.node).entity_keys)
        if record.item.get(key.name) in NAMES and _home(it.task, record.node, depth)
    ]
    assume(spots)
    old, key = data.draw(st.sampled_from(spots))
    identity, spelling = NAMES[old.item[key.name]]
    others = [name for name, known in NAMES.items() if known[0] == identity and known[1] != spelling]
    assume(others)
    item = {**old.item, key.name: data.draw(st.sampled_from(others))}
    supplied = [*it.records, *it.rejected]
    taken = {NAMES.get(line.item.get(key.name, "")) for line in supplied if line.node == old.node}
    assume(NAMES[item[key.name]] not in taken)
    new = Record(node=old.node, item=item, url="https://new.example/page")
    before, after = rewards(it), rewards(it.plus(new, TRUE))
    assert all(after[name] <= before[name] for name in RECALLS)


def _home(task, name, depth):
    node = task.node(name)
    return node is task.main or depth >= reference.shared_depth(task, node)


@COSTLY
@given(given_all(), st.data())
def test_raising_a_required_count_never_raises_recall(it, data):
    name = data.draw(st.sampled_from([key.name for node in it.task.nodes for key in node.keys]))
    nodes = [
        node.model_copy(update={"keys": tuple(_raised(key, name) for key in node.keys)})
        for node in it.task.nodes
    ]
    before, after = rewards(it), rewards(it._replace(task=TaskSpec(id="task", nodes=tuple(nodes))))
    assert all(after[name] <= before[name] for name in RECALLS)


def _raised(key, name):
    return key.model_copy(update={"required": key.required + 1}) if key.name == name else key


@COSTLY
@given(tasks())
def test_a_perfect_submission_scores_1_on_everything(task):
    result = score(complete(task, TRUE))
    assert set(result.rewards.values()) == {1.0}
    counts = result.diagnostics.counts
    assert counts.proven == counts.wanted == task.required_records


@COSTLY
@given(tasks())
def test_nothing_delivered_scores_0_on_everything(task):
    result = score(Given(task, [], [], []))
    assert set(result.rewards.values()) == {0.0}
    assert result.diagnostics.counts.missing == task.required_records


@given(st.integers(0, 9), st.integers(1, 4))
def test_ten_candidates_of_which_one_is_right_give_no_hard_precision(right, members):
    keys = (KeySpec(name="company", kind="company", required=members), KeySpec(name="url", required=1))
    task = TaskSpec(id="task", nodes=(NodeSpec(name="main", keys=keys),))
    it = complete(task, TRUE)
    spam = [Record(node="main", item=it.records[0].item, url=f"https://spam.example/{n}") for n in range(10)]
    verdicts = [RecordVerdict.of(full=n == right) for n in range(10)]
    found = rewards(Given(task, [*spam, *it.records[1:]], [*verdicts, *it.verdicts[1:]], []))
    assert found["hard_precision_full"] == (members - 1) / members
    assert found["hard_recall_full"] == 1


# -- paths and counts -----------------------------------------------------------------------------------


@COSTLY
@given(given_all())
def test_paths_and_counts_add_up_to_the_required_records(it):
    result = score(it)
    counts, paths = result.diagnostics.counts, result.paths
    assert counts.wanted == it.task.required_records
    assert counts.wanted == sum(path.slots for path in paths if path.required)
    assert (
        counts.found == counts.proven + counts.unproven + counts.undecided == counts.wanted - counts.missing
    )
    assert counts.surplus == sum(not path.required for path in paths)
    for node in it.task.nodes:
        mine = [path for path in paths if path.node == node.name]
        assert node.required_records == sum(path.slots for path in mine if path.required)
        assert all(len(path.path) == len(node.keys) for path in mine)


@COSTLY
@given(given_all())
def test_a_path_says_why_unless_it_is_proven_or_missing(it):
    for path in score(it).paths:
        assert bool(path.part) == (path.outcome in {"unproven", "undecided"})


@COSTLY
@given(given_all())
def test_incomplete_means_that_some_page_is_undecided(it):
    result = score(it)
    claims = reference.claims_of(it)
    undecided = any(None in claim.readings.values() for claim in claims)
    assert undecided or not result.incomplete
    assert result.incomplete or not any(path.outcome == "undecided" for path in result.paths)


@COSTLY
@given(given_all(max_size=4))
def test_no_record_disappears_from_the_paths(it):
    shown = {path.path[-1] for path in score(it).paths}
    pages = {PAGES.get(name, name) for name in shown}
    for record in it.records:
        bridged = any(verdict.page for verdict in it.verdicts)
        assert bridged or PAGES.get(record.url, "(missing)") in pages


TEXT = st.text(max_size=12) | st.sampled_from(
    ["\ud800", "Ａcme", "acme\u200b", "株式会社", "//", "http://[", "%ff"]
)


@given(st.lists(st.tuples(TEXT, TEXT, TEXT, st.sampled_from(READINGS)), max_size=8))
def test_whatever_a_system_writes_is_placed_and_scored(rows):
    kinds = ("company", "person", "url")
    keys = tuple(KeySpec(name=kind, kind=kind, required=2) for kind in kinds)
    task = TaskSpec(id="task", nodes=(NodeSpec(name="main", keys=keys),))
    found = [Record(node="main", item={"company": a, "person": b}, url=url) for a, b, url, _ in rows]
    verdicts = [RecordVerdict.of(full=full, retrieval=retrieval) for *_, (full, retrieval) in rows]
    result = score(Given(task, found, verdicts, []))
    backwards = score(Given(task, found[::-1], verdicts[::-1], []))
    assert result == backwards
    assert result.diagnostics.counts.wanted == 8
    assert bool(found) == any(path.outcome != "missing" for path in result.paths)


# -- the same bytes everywhere ------------------------------------------------------------------------------

_SCRIPT = """
import json, sys
from pytest_wandr.model import Record, RecordVerdict, TaskSpec
from pytest_wandr.score import score_task
it = json.load(sys.stdin)
task = TaskSpec.model_validate(it["task"])
records = [Record.model_validate(record) for record in it["records"]]
verdicts = [RecordVerdict.of(full=full, retrieval=retrieval) for full, retrieval in it["readings"]]
print(score_task(task, records, verdicts).model_dump_json())
"""


def _some_submission() -> dict:
    keys = [KeySpec(name=name, kind="company", required=2) for name in ("k0", "k1")]
    url = KeySpec(name="url", required=2)
    main = NodeSpec(name="main", keys=(*keys, url))
    task = TaskSpec(id="task", nodes=(main, NodeSpec(name="main.b", keys=(keys[0], url))))
    names, pages = list(NAMES), list(PAGES)
    found = [
        Record(
            node=("main", "main.b")[n % 3 == 0],
            item={"k0": names[n % 9], "k1": names[n * 7 % 9]},
            url=pages[n % 6],
        )
        for n in range(40)
    ]
    readings = [READINGS[n * 5 % 6] for n in range(40)]
    dumped = [record.model_dump(mode="json") for record in found]
    return {"task": task.model_dump(mode="json"), "records": dumped, "readings": readings}


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_the_hash_seed_changes_no_byte(seed):
    it = _some_submission()
    task = TaskSpec.model_validate(it["task"])
    here = score_task(
        task,
        [Record.model_validate(record) for record in it["records"]],
        [RecordVerdict.of(full=full, retrieval=retrieval) for full, retrieval in it["readings"]],
    ).model_dump_json()
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        input=json.dumps(it),
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == here
