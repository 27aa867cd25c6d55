"""A whole run without any stand-in: an agent, a recorded page, the real pipeline."""

import json

import pytest
from wandr_project import Project

from pytest_wandr.cassettes import Entry, PageStore

CONFTEST = """
def pytest_wandr_make_system(config, name):
    return solve if name == "mine" else None

def solve(task, ctx):
    def record(company, url, excerpt):
        return {"item": {"company": company}, "url": url, "excerpts": [excerpt], "answer": {}}
    return [
        record("Acme Rivets", "https://acme.example/about", "Acme Rivets makes rivets in Lower Fenwick."),
        record("Birch Looms", "https://birch.example/", "Birch Looms was never mentioned here."),
    ]
"""
PAGE = b"""<!doctype html><html lang="en"><title>%s</title><body><h1>%s</h1>
<p>%s makes rivets in Lower Fenwick. It was founded by two sisters, and it employs forty people.</p></body>
"""


def record(folder, url, name):
    store = PageStore(folder, environment={})
    headers = {"content-type": "text/html; charset=utf-8"}
    store.put(Entry.of(url, via="http", after="", status=200, headers=headers), PAGE % (name, name, name))
    store.fold()
    store.close()


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    def once(*args):
        project = Project(tmp_path_factory.mktemp("agent"))
        project.conftest(CONFTEST)
        project.task("t1", more="[gate]\nsoft_f1_full = 0.4")
        project.task("t2", more="[gate]\nsoft_f1_full = 0.6")
        for task in ("t1", "t2"):
            record(project.path / "cassettes" / task, "https://acme.example/about", b"Acme Rivets")
            record(project.path / "cassettes" / task, "https://birch.example/", b"Birch Looms")
        return project, project.run_apart("--wandr-paths=all", *args)

    return once(), once("-n2")


def test_scores_are_those_worked_out_by_hand(runs):
    (project, result), _ = runs
    for task in project.scores()["tasks"]:
        rewards = task["rewards"]
        assert rewards["soft_f1_full"] == rewards["hard_f1_full"] == 0.5  # one of two companies is proven
        assert rewards["soft_f1_retrieval"] == 1.0  # both pages name their company
    assert project.scores()["incomplete"] is False
    result.stdout.fnmatch_lines(
        [
            "t1: 2 wanted, 2 found, 1 proven, 0 undecided",
            "  proven     Acme Rivets > https://acme.example/about",
            "  unproven   Birch Looms > https://birch.example/",
            "             excerpts_faithful: *",
            "soft F1 0.500, hard F1 0.500, 2 of 2 scored",
        ]
    )


def test_one_task_meets_its_gate_and_the_other_does_not(runs):
    for _, result in runs:
        result.assert_outcomes(passed=1, failed=1)
        assert result.ret == 1


def test_workers_leave_the_same_bytes(runs):
    (alone, _), (shared, _) = runs
    files = sorted(path.relative_to(alone.out()) for path in alone.out().rglob("*") if path.is_file())
    assert [str(file) for file in files if file.parts[0] == "t1"] == [
        "t1/complete.json",
        "t1/reward.json",
        "t1/score.json",
        "t1/solved.json",
        "t1/submission/results_main.jsonl",
        "t1/verdicts.jsonl",
    ]
    for file in files:
        assert (alone.out() / file).read_bytes() == (shared.out() / file).read_bytes()


def test_what_was_delivered_is_kept_as_delivered(runs):
    (project, _), _ = runs
    lines = (project.out() / "t1" / "submission" / "results_main.jsonl").read_text().splitlines()
    assert [json.loads(line)["item"]["company"] for line in lines] == ["Acme Rivets", "Birch Looms"]
