"""Whole runs of pytest with a panel: what they say of its votes, and that a replay says the same."""

import json

import pytest

from pytest_wandr.testing import StandIn
from pytest_wandr.verdicts import VerdictStore
from tests.judges.test_acceptance_runs import KEY, Repository
from tests.judges.wandr_demo import spec

NAMES = ("listed_issuers", "maker_recalls")


@pytest.fixture(scope="module")
def noisy(tmp_path_factory):
    """A run with three votes of a judge that errs now and then, and its calls."""
    repository = Repository(tmp_path_factory.mktemp("votes"))
    with StandIn(map(spec, NAMES), key=KEY, mode="noisy", rate=0.2, seed=5) as standin:
        repository.fill(standin, names=NAMES, votes=3, canaries=False, confirm_names=True)
        _, text = repository.run("-n0")
        calls = standin.count
        standin.forget()
        first = repository.bytes_of("out")
        repository.run("-n2", "--wandr-out=again")
        again = repository.bytes_of("again")
        assert standin.count == 0
    return repository, calls, text, first, again


def test_one_line_on_the_terminal_and_a_table_say_how_far_the_votes_agree(noisy):
    repository, _, text, _, _ = noisy
    (line,) = [line for line in text.splitlines() if line.startswith("agreement of 3 votes: ")]
    run = json.loads((repository.root / "out" / "scores.json").read_text())
    told = {each["part"]: each for each in run["agreement"]}
    assert [*told] == ["satisfied", "supported", "overall_valid"]
    assert 0.5 < told["satisfied"]["agreement"] < 1
    assert f"satisfied {told['satisfied']['agreement']:.3f} (" in line
    assert (
        f"| satisfied | {told['satisfied']['decisions']} | 3 |"
        in (repository.root / "out" / "summary.md").read_text()
    )


def test_the_run_counts_the_decisions_of_all_its_tasks(noisy):
    repository, calls, *_ = noisy
    run = json.loads((repository.root / "out" / "scores.json").read_text())
    whole = {each["part"]: each["patterns"] for each in run["agreement"]}
    for part, patterns in whole.items():
        tasks = [each for task in run["tasks"] for each in task["agreement"] if each["part"] == part]
        assert {
            pattern: sum(each["patterns"].get(pattern, 0) for each in tasks) for pattern in patterns
        } == patterns
        assert sum(patterns.values()) == sum(each["decisions"] for each in tasks)
    assert calls % 3 == 0


def test_a_stored_answer_is_no_new_sample(noisy):
    """The second run asked nothing, and counts as many votes as the first."""
    _, _, _, first, again = noisy
    assert {name.removeprefix("out/"): body for name, body in first.items()} == {
        name.removeprefix("again/"): body for name, body in again.items()
    }


def test_a_replay_tells_the_same_agreement(noisy):
    repository, _, text, first, _ = noisy
    known = VerdictStore(repository.cassettes / NAMES[0] / "verdicts.jsonl").judges()
    (judge,) = [name for name in known if name.startswith("llm:")]
    _, replayed = repository.run("-n0", f"--wandr-judge=replay:{judge}", "--wandr-out=replayed")
    line = next(line for line in text.splitlines() if line.startswith("agreement"))
    assert line in replayed.splitlines()
    found = repository.bytes_of("replayed")
    for file in ("score.json", "verdicts.jsonl", "reward.json"):
        for name in NAMES:
            assert found[f"replayed/{name}/{file}"] == first[f"out/{name}/{file}"]
    for file in ("scores.json", "summary.md"):
        assert found[f"replayed/{file}"] == first[f"out/{file}"]
