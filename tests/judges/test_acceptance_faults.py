"""Whatever a judge's server does, the run ends, says what is undecided and why, and no score rises."""

import json
from itertools import islice

import pytest

from pytest_wandr.task import load_fixtures
from pytest_wandr.testing import StandIn
from pytest_wandr.testing.breaks import BREAKS
from pytest_wandr.testing.modes import MODES, WRONG_USAGE
from tests.judges.wandr_demo import PROTOCOLS, Project, parts_of, spec, undecided_codes

NAME = "recall_three_sources"


async def some(task, ctx):
    """Three records that prove what they say, and three that do not."""
    fixtures = load_fixtures(ctx.folder, task)
    good = islice((each.record for each in fixtures if each.full), 3)
    bad = islice((each.record for each in fixtures if each.full is False and each.retrieval), 3)
    records = [*good, *bad]
    return {node.name: [as_line(each) for each in records if each.node == node.name] for node in task.nodes}


def as_line(record):
    return {
        "item": dict(record.item),
        "url": record.url,
        "excerpts": [*record.excerpts],
        "answer": {**record.answer},
    }


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch):
    """The delays between attempts have tests of their own."""
    monkeypatch.setattr("pytest_wandr.judges.llm.endpoint.delay", lambda *_: 0.0)


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    return judged("honest", tmp_path_factory.mktemp("honest"))


def judged(mode, folder, protocol="openai-chat", *, budget="", config=None, **behaviour):
    project = Project(folder)
    project.add(NAME)
    with StandIn([spec(NAME)], mode=mode, **behaviour) as standin:
        project.configure(standin.config(protocol, **(config or {})))
        found = project.evaluate(NAME, project.judge(budget=budget), system=some)
        assert standin.count < 200
    return found


def no_better(found, honest):
    """Nothing was raised: no reward, no part of a verdict."""
    worse = [name for name, value in found.score.rewards.items() if value > honest.score.rewards[name]]
    assert not worse, worse
    for given, right in zip(found.verdicts, honest.verdicts, strict=True):
        known = parts_of(right)
        for name, part in parts_of(given).items():
            assert part.value is not True or known[name].value is True, (name, part)
            assert part.value is not None or part.reason


QUICK = {"timeout": 0.4}
FAULTS = [
    ("refusing", {}, {}, {"refused"}),
    ("filtering", {}, {}, {"refused"}),
    ("truncating", {"kind": "half"}, {}, {"cut_off"}),
    ("truncating", {"kind": "null"}, {}, {"cut_off"}),
    ("429", {}, {}, {"judge_down", "judge_failed"}),
    ("429", {"retry_after": "86400"}, {}, {"judge_down", "judge_failed"}),
    ("429", {"retry_after": "nan"}, {}, {"judge_down", "judge_failed"}),
    ("429", {"retry_after": None}, {}, {"judge_down", "judge_failed"}),
    ("500", {"retry_after": None}, {}, {"judge_down", "judge_failed"}),
    ("dead", {}, {}, {"judge_down", "judge_failed"}),
    ("slow", {"delay": 30}, QUICK, {"judge_down", "judge_failed"}),
    ("drip", {}, QUICK, {"judge_down", "judge_failed"}),
    ("huge", {}, {}, {"unreadable"}),
    ("html", {}, {}, {"unreadable"}),
    ("yes", {}, {}, {"judge_untrusted"}),
    ("obedient", {}, {}, {"judge_untrusted"}),
]
NAMES_OF_FAULTS = ["-".join([mode, *map(str, behaviour.values())]) for mode, behaviour, _, _ in FAULTS]


@pytest.mark.parametrize("fault", FAULTS, ids=NAMES_OF_FAULTS)
def test_a_fault_leaves_records_undecided_and_raises_nothing(fault, honest, tmp_path):
    mode, behaviour, config, codes = fault
    found = judged(mode, tmp_path, config=config, **behaviour)
    no_better(found, honest)
    assert undecided_codes(found) <= codes
    assert undecided_codes(found)
    assert found.score.incomplete


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("mode", ["refusing", "truncating", "429", "dead"])
def test_each_protocol_tells_its_faults(mode, protocol, honest, tmp_path):
    found = judged(mode, tmp_path, protocol)
    no_better(found, honest)
    expected = {"refusing": {"refused"}, "truncating": {"cut_off"}}
    assert undecided_codes(found) <= expected.get(mode, {"judge_down", "judge_failed"})
    assert found.score.incomplete


@pytest.mark.parametrize("kind", BREAKS)
def test_a_reply_of_another_shape_is_no_reply(kind, honest, tmp_path):
    found = judged("schema_breaking", tmp_path, kind=kind)
    no_better(found, honest)
    assert undecided_codes(found) <= {"unreadable", "bad_schema"}
    assert undecided_codes(found)


@pytest.mark.parametrize("kind", WRONG_USAGE)
def test_a_usage_that_cannot_be_changes_no_verdict_and_is_counted_at_its_worst(kind, honest, tmp_path):
    found = judged("wrong_usage", tmp_path, kind=kind, budget="5.00")
    assert [verdict.parts() for verdict in found.verdicts] == [verdict.parts() for verdict in honest.verdicts]
    rows = [json.loads(line) for line in (tmp_path / "out/.judge-run/ledger.jsonl").read_text().splitlines()]
    settled = [row for row in rows if "settle" in row]
    assert settled
    assert {row["cost"] for row in settled} == {None}


def test_a_wait_that_the_server_asks_for_is_no_fault(honest, tmp_path):
    found = judged("429", tmp_path, times=3)
    assert found.score.rewards == honest.score.rewards
    assert not found.score.incomplete


def test_a_judge_that_says_yes_to_everything_cannot_lift_what_checks_found_false(honest, tmp_path):
    """Without canaries nobody notices, and the checks are still the ceiling."""
    no_better(judged("yes", tmp_path, config={"canaries": False}), honest)


@pytest.mark.parametrize("seed", range(3))
def test_noise_lowers_and_never_raises_what_checks_decide(seed, honest, tmp_path):
    found = judged("noisy", tmp_path, config={"canaries": False}, seed=seed, rate=0.5)
    no_better(found, honest)


def test_a_gullible_judge_finds_nothing_to_obey(honest, tmp_path):
    found = judged("gullible", tmp_path)
    assert [verdict.parts() for verdict in found.verdicts] == [verdict.parts() for verdict in honest.verdicts]


@pytest.mark.parametrize("budget", ["0calls", "1calls", "4calls", "0.01"])
def test_a_spent_budget_is_told_and_raises_nothing(budget, honest, tmp_path):
    found = judged("honest", tmp_path, budget=budget)
    no_better(found, honest)
    assert undecided_codes(found) == {"no_budget"}
    assert found.score.incomplete


def test_a_server_that_is_not_there(honest, tmp_path):
    project = Project(tmp_path)
    project.add(NAME)
    with StandIn() as standin:
        project.configure(standin.config())
    found = project.evaluate(NAME, system=some)
    no_better(found, honest)
    assert undecided_codes(found) <= {"judge_down", "judge_failed"}


def test_the_honest_run_decides_everything(honest):
    assert not honest.score.incomplete
    assert {verdict.full for verdict in honest.verdicts} == {True, False}


def test_every_mode_is_tried_here():
    others = {"honest", "gullible", "noisy", "schema_breaking", "wrong_usage"}
    assert {mode for mode, _, _, _ in FAULTS} | others == set(MODES)
