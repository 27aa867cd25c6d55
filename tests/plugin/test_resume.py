"""A run that was killed is continued on request, and ends in the bytes of one that nobody disturbed."""

import json
from pathlib import Path

import pytest

from benchmarks import kill_soak
from pytest_wandr.reports.resume import RUNNING

NOTES = "note *: *"


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return kill_soak.undisturbed(tmp_path_factory.mktemp("soak") / "undisturbed")


@pytest.fixture
def project(tmp_path):
    return kill_soak.build(tmp_path / "project")


@pytest.mark.parametrize(
    ("kills", "args"),
    [
        (["main:3:torn", "main:60:before"], ["-n0"]),
        (["main:26:torn", "main:9:torn"], ["-n0"]),
        (["main:44:before", "main:30:torn"], ["-n0"]),
        (["main:112:torn", "main:7:before"], ["-n0"]),
        (["gw0:24:torn"], ["-n2"]),
        (["main:6:torn"], ["-n2"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_a_killed_run_ends_like_an_undisturbed_one_and_does_nothing_twice(project, expected, kills, args):
    kill_soak.killed(project, expected, [(kill, None) for kill in kills], *args)
    assert project.kills >= 1
    assert project.differences == []


def said(project):
    return (project.folder / "said").read_text()


def test_what_is_taken_from_disk_is_said_and_costs_no_work(project):
    project.run("--wandr-record=new")
    before = project.log()
    assert project.run("--wandr-record=new", "--wandr-resume") == 0
    assert project.log() == before
    assert "note 3 tasks: complete before, taken from disk" in said(project)


@pytest.mark.parametrize("name", ["score.json", "verdicts.jsonl", "complete.json", "solved.json"])
def test_a_torn_file_is_not_used_and_the_run_says_so(project, name):
    project.run("--wandr-record=new")
    expected = project.snapshot()
    torn = project.out / "birch" / name
    torn.write_bytes(torn.read_bytes()[:-20])
    if name == "solved.json":
        (torn.parent / "complete.json").unlink()
    project.run("--wandr-record=new", "--wandr-resume")
    project.compare(expected)
    assert project.differences == (["done again: solve birch"] if name == "solved.json" else [])
    assert "note birch: " in said(project)
    assert "torn" in said(project) or "not whole" in said(project)


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--wandr-record=new", "--wandr-effort=high"], "effort"),
        (["--wandr-record=all", "-k", "amber"], "record"),
        (["--wandr-record=new", "--wandr-deadline=99"], "deadline"),
    ],
    ids=lambda value: str(value[-1]),
)
def test_a_task_with_other_inputs_is_done_again(project, args, why):
    project.run("--wandr-record=new")
    project.run(*args, "--wandr-resume")
    assert f"not taken from disk: {why} changed" in said(project)


def test_without_the_option_everything_is_done_again(project):
    project.run("--wandr-record=new")
    first = project.log()
    project.run("--wandr-record=none")
    again = project.log()[len(first) :]
    assert [line for line in again if line.startswith("solve")] == [f"solve {t}" for t in kill_soak.TASKS]


def test_an_interrupted_run_is_mentioned_and_a_new_one_takes_nothing_of_it(project):
    project.run("--wandr-record=new")
    scores = (project.out / "scores.json").read_bytes()
    project.run("--wandr-record=new", kill="main:30:before")
    assert (project.out / "scores.json").read_bytes() == scores
    assert (project.out / RUNNING).exists()
    project.run("--wandr-record=new")
    assert "the last run here did not end" in said(project)
    assert not (project.out / RUNNING).exists()
    assert sum(line.startswith("solve") for line in project.log()) >= 6


def test_a_run_that_died_before_its_first_task_leaves_nothing_older_to_take(project):
    project.run("--wandr-record=new")
    done = len(project.log())
    (project.out / RUNNING).write_text(json.dumps({"state": "starting"}))  # killed while it removed markers
    project.run("--wandr-record=new", "--wandr-resume")
    assert [line for line in project.log()[done:] if line.startswith("solve")] == [
        f"solve {task}" for task in kill_soak.TASKS
    ]


def test_the_soak_notices_what_is_not_as_it_should_be(project, expected):
    project.run("--wandr-record=new")
    Path(project.out, "left.tmp").write_text("")
    (project.out / "amber" / "reward.json").write_text("{}")
    project.compare(expected)
    assert project.differences == [
        "different: .wandr/mine/amber/reward.json",
        "left over: .wandr/mine/left.tmp",
    ]
