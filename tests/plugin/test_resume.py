"""A run that was killed is continued on request, and ends in the bytes of one that nobody disturbed."""

import json
import shutil
from pathlib import Path

import pytest

from benchmarks import kill_soak
from pytest_wandr.reports.resume import RUNNING


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    project = kill_soak.build(tmp_path_factory.mktemp("soak") / "undisturbed")
    assert project.run("--wandr-record=new") == 0
    return project


@pytest.fixture(scope="module")
def expected(undisturbed):
    return undisturbed.snapshot()


@pytest.fixture
def done(undisturbed, tmp_path):
    """A project after its first run."""
    shutil.copytree(undisturbed.folder, tmp_path / "done")
    return kill_soak.Project(tmp_path / "done", kill_soak.start_apart)


@pytest.fixture
def project(tmp_path):
    return kill_soak.build(tmp_path / "project")


@pytest.mark.parametrize(
    ("kills", "args"),
    [
        (["main:3:torn", "main:60:before"], ["-n0"]),
        (["main:26:torn", "main:30:torn"], ["-n0"]),
        (["main:112:torn"], ["-n0"]),
        (["gw0:24:torn"], ["-n2"]),
        (["main:6:torn"], ["-n2"]),
    ],
    ids=" ".join,
)
def test_a_killed_run_ends_like_an_undisturbed_one_and_does_nothing_twice(project, expected, kills, args):
    kill_soak.killed(project, expected, [(kill, None) for kill in kills], *args)
    assert project.kills >= 1
    assert project.differences == []


@pytest.fixture(scope="module")
def port():
    with kill_soak.slow_server() as port:
        yield port


@pytest.fixture(scope="module")
def fetched(tmp_path_factory, port):
    return kill_soak.undisturbed(tmp_path_factory.mktemp("soak") / "fetched", port=port)


@pytest.mark.parametrize(
    ("kills", "args"),
    [
        (["main:3:fetch30", "main:2:fetch1"], ["-n0"]),
        (["main:1:torn:verdicts", "main:2:before:verdicts"], ["-n0"]),
        (["gw0:2:fetch20"], ["-n2"]),
    ],
    ids=" ".join,
)
def test_a_run_that_is_killed_while_it_fetches_or_stores_verdicts(tmp_path, port, fetched, kills, args):
    project = kill_soak.build(tmp_path / "project", port=port)
    kill_soak.killed(project, fetched, [(kill, None) for kill in kills], *args)
    assert project.kills == len(kills)
    assert project.differences == []
    assert len([name for name in fetched if name.endswith(".gz")]) == 9


def test_the_plan_of_the_soak_kills_in_every_way():
    rounds = [kill_soak.plan(number) for number in range(300)]
    kills = [kill for points, _, _ in rounds for kill, _ in points]
    for way in (":torn", ":before", ":verdicts", ":fetch", "gw1:", "main:"):
        assert sum(way in kill for kill in kills) > 10
    assert "" in kills
    assert {live for _, _, live in rounds} == {False, True}


def said(project):
    return (project.folder / "said").read_text()


def test_what_is_taken_from_disk_is_said_and_costs_no_work(done):
    before = done.log()
    assert done.run("--wandr-record=new", "--wandr-resume") == 0
    assert done.log() == before
    assert "note 3 tasks: complete before, taken from disk" in said(done)


def test_torn_files_are_not_used_and_the_run_says_so(done, expected):
    for task, name in zip(kill_soak.TASKS, ("score.json", "verdicts.jsonl", "complete.json"), strict=True):
        torn = done.out / task / name
        torn.write_bytes(torn.read_bytes()[:-20])
    (done.out / "birch" / "solved.json").write_text("{")
    done.run("--wandr-record=new", "--wandr-resume")
    done.compare(expected)
    assert done.differences == ["done again: solve birch"]  # nothing vouches for that delivery any more
    for note in (
        "2 tasks: not taken from disk: its files are not whole",
        "cedar: cedar/complete.json is torn, so it is not used",
        "birch: birch/solved.json is torn, so it is not used",
        "2 tasks: solved before, not again",
    ):
        assert f"note {note}" in said(done)


def test_a_task_with_other_inputs_is_done_again(done):
    done.run("--wandr-record=all", "--wandr-effort=high", "--wandr-resume")
    assert "note 3 tasks: not taken from disk: effort, record changed" in said(done)
    assert "note 3 tasks: solved again: effort changed" in said(done)


def test_a_replay_leaves_the_same_files_but_for_the_markers(done, expected):
    before = len(done.log())
    done.run("--wandr-record=none", "--wandr-judge=replay")
    found = done.snapshot()
    different = {name for name in found if found[name] != expected.get(name)}
    assert {name.rpartition("/")[2] for name in different} == {"complete.json", "solved.json"}
    assert found.keys() == expected.keys()
    assert not any(line.startswith("judge") for line in done.log()[before:])


def test_without_the_option_everything_is_done_again(done):
    before = len(done.log())
    done.run("--wandr-record=none")
    again = [line for line in done.log()[before:] if line.startswith("solve")]
    assert again == [f"solve {task}" for task in kill_soak.TASKS]


def test_an_interrupted_run_is_mentioned_and_a_new_one_takes_nothing_of_it(done):
    scores = (done.out / "scores.json").read_bytes()
    before = len(done.log())
    done.run("--wandr-record=new", kill="main:40:before")
    assert (done.out / "scores.json").read_bytes() == scores
    assert (done.out / RUNNING).exists()
    done.run("--wandr-record=new")
    assert "the last run here did not end" in said(done)
    assert not (done.out / RUNNING).exists()
    assert sum(line.startswith("solve") for line in done.log()[before:]) >= 4


def test_a_run_that_died_before_its_first_task_leaves_nothing_older_to_take(done):
    before = len(done.log())
    (done.out / RUNNING).write_text(json.dumps({"state": "starting"}))  # killed while it removed markers
    done.run("--wandr-record=new", "--wandr-resume")
    again = [line for line in done.log()[before:] if line.startswith("solve")]
    assert again == [f"solve {task}" for task in kill_soak.TASKS]


def test_the_soak_notices_what_is_not_as_it_should_be(done, expected):
    Path(done.out, "left.tmp").write_text("")
    (done.out / "amber" / "reward.json").write_text("{}")
    done.compare(expected)
    assert done.differences == [
        "different: .wandr/mine/amber/reward.json",
        "left over: .wandr/mine/left.tmp",
    ]
