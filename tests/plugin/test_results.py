"""The files that a run leaves."""

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from wandr_fakes import a_path, a_score

from pytest_wandr.errors import CannotWrite
from pytest_wandr.model import (
    KeySpec,
    LedTo,
    NodeSpec,
    Part,
    Record,
    RecordVerdict,
    RequirementVerdict,
    Submission,
    TaskScore,
    TaskSpec,
)
from pytest_wandr.pipeline import report_of
from pytest_wandr.reports import json as files
from pytest_wandr.rewards import REWARDS

TASK = TaskSpec(id="t1", nodes=(NodeSpec(name="main", keys=(KeySpec(name="url", required=1),)),))
RECORDS = (
    Record(node="main", item={"company": "Acme \ud800"}, url="https://a.example/"),
    Record(node="main", item={"company": "Birch"}, url="https://b.example/", excerpts=("one",)),
)
NO = Part(value=False, reason="excerpt 1 is not on the page", code="excerpt_absent")
VERDICTS = (
    RecordVerdict.of(full=True, page=LedTo(final_url="https://a.example/x", digest="d")),
    RecordVerdict.of(full=False, retrieval=None).model_copy(
        update={
            "excerpts_faithful": NO,
            "requirements": (RequirementVerdict(id="names", satisfied=Part(value=None), supported=NO),),
        }
    ),
)


@pytest.fixture
def evaluation():
    submission = Submission(task_id="t1", system="mine", records=RECORDS)
    score = a_score("t1", f1=0.25, paths=[a_path("acme")])
    return SimpleNamespace(
        task=TASK,
        submission=submission,
        verdicts=VERDICTS,
        score=score,
        report=report_of(TASK, submission, score),
        inputs={"judge": "rules"},
    )


def test_verdicts_are_one_line_for_each_record_in_order(tmp_path, evaluation):
    files.write_task(tmp_path, evaluation)
    lines = [json.loads(line) for line in (tmp_path / "t1" / "verdicts.jsonl").read_text().splitlines()]
    assert [line["record"] for line in lines] == [record.digest for record in RECORDS]
    assert lines[0]["item"] == {"company": "Acme \ud800"}
    assert (lines[0]["full"], lines[0]["page"]) == (True, {"final_url": "https://a.example/x", "digest": "d"})
    assert (lines[1]["full"], lines[1]["retrieval"]) == (False, None)
    assert lines[1]["parts"]["excerpts_faithful"] == {
        "value": False,
        "reason": "excerpt 1 is not on the page",
        "code": "excerpt_absent",
    }
    assert lines[1]["requirements"][0]["id"] == "names"
    assert lines[1]["requirements"][0]["satisfied"] == {"value": None}


def test_the_reward_file_is_flat_and_numeric(tmp_path, evaluation):
    files.write_task(tmp_path, evaluation)
    rewards = json.loads((tmp_path / "t1" / "reward.json").read_text())
    assert set(rewards) == {*REWARDS, "reward", "grade"}
    assert rewards["reward"] == rewards["soft_f1_full"] == 0.25
    assert all(type(value) is float for value in rewards.values())


def test_the_score_file_holds_the_tree_and_the_paths(tmp_path, evaluation):
    files.write_task(tmp_path, evaluation)
    score = json.loads((tmp_path / "t1" / "score.json").read_text())
    assert TaskScore.model_validate(score) == evaluation.score.told()


def test_the_marker_comes_last_and_vouches_for_the_files(tmp_path, evaluation, monkeypatch):
    written = []
    real = Path.replace
    monkeypatch.setattr(Path, "replace", lambda self, to: (written.append(to.name), real(self, to)))
    files.write_task(tmp_path, evaluation)
    assert written[-1] == "complete.json"
    marker = json.loads((tmp_path / "t1" / "complete.json").read_text())
    assert set(marker["files"]) == set(written[:-1])
    for name, digest in marker["files"].items():
        assert hashlib.sha256((tmp_path / "t1" / name).read_bytes()).hexdigest() == digest
    assert marker["task"] == TASK.digest


def test_a_run_that_is_killed_while_writing_leaves_no_marker(tmp_path, evaluation, monkeypatch):
    files.write_task(tmp_path, evaluation)
    real = Path.replace

    def replace(self, to):
        if to.name == "score.json":
            raise KeyboardInterrupt
        real(self, to)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(KeyboardInterrupt):
        files.write_task(tmp_path, evaluation)
    assert not (tmp_path / "t1" / "complete.json").exists()


def test_files_appear_whole_or_not_at_all(tmp_path, evaluation, monkeypatch):
    files.write_task(tmp_path, evaluation)
    before = (tmp_path / "t1" / "reward.json").read_bytes()
    monkeypatch.setattr("pathlib.Path.replace", lambda self, target: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(CannotWrite, match="full"):
        files.write_task(tmp_path, evaluation)
    assert (tmp_path / "t1" / "reward.json").read_bytes() == before


def test_the_same_evaluation_gives_the_same_bytes(tmp_path, evaluation):
    for name in ("a", "b"):
        files.write_task(tmp_path / name, evaluation)
    one, other = (sorted((tmp_path / name).rglob("*.json*")) for name in "ab")
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in other]
    assert len(one) == 4


def test_scores_json_is_the_run_report(project):
    from pytest_wandr.model import RunReport

    project.task("t2", f1=0.5)
    project.task("t1", f1=0.25)
    project.run()
    report = RunReport.model_validate(project.scores())
    assert (report.system, report.judge) == ("mine", "rules")
    assert [task.task_id for task in report.tasks] == ["t1", "t2"]
    assert report.headline["soft_f1_full"] == 0.375
    assert set(report.headline) == set(REWARDS)
    assert report.environment["python"].startswith("3.")
    assert "pydantic" in report.environment
    assert not [name for name in project.out().iterdir() if name.suffix == ".tmp"]


def test_results_go_where_they_are_told(project):
    project.task("t1")
    project.run("--wandr-out=elsewhere")
    assert (project.path / "elsewhere" / "scores.json").is_file()
    assert (project.path / "elsewhere" / "t1" / "complete.json").is_file()
    assert not (project.path / ".wandr").exists()


@pytest.mark.parametrize("args", [(), ("-n1",)], ids=["alone", "worker"])
def test_an_output_folder_that_cannot_be_written_is_refused_before_any_task_runs(project, args):
    project.task("t1")
    (project.path / "file").write_text("")
    result = project.run("--wandr-out=file/results", *args)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: results cannot be written to *results: *file is no folder *--wandr-out"]
    )


def test_a_second_run_replaces_the_scores_of_the_first(project):
    place = project.task("t1", f1=0.25)
    project.run()
    fake = json.loads((place / "fake.json").read_text()) | {"f1": 0.75}
    (place / "fake.json").write_text(json.dumps(fake))
    project.run()
    assert project.scores()["headline"]["soft_f1_full"] == 0.75
