"""A matrix of machines: every task in exactly one shard, and the merge is the bytes of one run."""

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_end_to_end import CONFTEST, record
from wandr_project import Project

from pytest_wandr.cli import main
from pytest_wandr.errors import WandrError
from pytest_wandr.reports.merge import merge
from pytest_wandr.reports.shards import Shard, members, parse_shard, suite_digest

NAMES = ("amber", "birch", "cedar", "dunes", "elder")
IDS = st.lists(st.text("abcdef", min_size=1, max_size=4), max_size=30)


@pytest.mark.parametrize(
    ("text", "shard"),
    [("1/1", (1, 1)), (" 2/8 ", (2, 8)), ("8/8", (8, 8))]
    + [(text, None) for text in ("0/8", "9/8", "2", "a/b", "2/8/9", "-1/2", "٢/8", "")],
)
def test_a_shard_is_a_part_of_a_whole(text, shard):
    assert parse_shard(text) == shard


@given(IDS, st.integers(1, 12))
def test_every_task_is_in_exactly_one_shard_and_sizes_are_even(ids, of):
    parts = [members(ids, Shard(number, of)) for number in range(1, of + 1)]
    assert sorted(name for part in parts for name in part) == sorted(set(ids))
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


@given(IDS.flatmap(lambda ids: st.tuples(st.just(ids), st.permutations(ids))))
def test_the_order_of_tasks_means_nothing(pair):
    one, other = pair
    assert members(one, Shard(2, 3)) == members(other, Shard(2, 3))
    assert suite_digest(one) == suite_digest(other)


def fill(project):
    project.conftest(CONFTEST)
    for number, name in enumerate(NAMES):
        project.task(name, more="[gate]\nsoft_f1_full = 0.6" if number == 1 else "")
        record(project.path / "cassettes" / name, "https://acme.example/about", b"Acme Rivets")
        if number != 2:  # one task stays undecided
            record(project.path / "cassettes" / name, "https://birch.example/", b"Birch Looms")
    broken = project.task("fault")
    (broken / "task.toml").write_text("id = [")
    return project


@pytest.fixture(scope="module")
def matrix(tmp_path_factory):
    """The same suite run as a whole and in seven shards, the odd ones by two workers."""
    project = fill(Project(tmp_path_factory.mktemp("matrix")))
    results = {"whole": project.run_apart("--wandr-out=whole")}
    for number in range(1, 8):
        workers = ["-n2"] if number in (1, 7) else []
        results[number] = project.run_apart(f"--wandr-shard={number}/7", f"--wandr-out=s{number}", *workers)
    return project, results


def shards(project, numbers=range(1, 8)):
    return [str(project.path / f"s{number}") for number in numbers]


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_the_merge_is_equal_byte_for_byte_to_the_whole_run(matrix, tmp_path, capsys):
    project, _ = matrix
    status = main(["merge", str(tmp_path / "merged"), *reversed(shards(project))])
    assert files(tmp_path / "merged") == files(project.path / "whole")
    assert status == 1  # a task could not be scored, as in the whole run
    assert "5 of 6 scored" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["merged"]


def test_a_shard_without_tasks_is_fine(matrix):
    project, results = matrix
    assert results[7].ret == 0
    assert json.loads((project.path / "s7" / "scores.json").read_text())["selected"] == 0
    results[7].stdout.fnmatch_lines(["wandr: mine, judge rules, record none, shard 7/7"])


def test_each_task_was_in_one_shard(matrix):
    project, results = matrix
    reports = [json.loads((project.path / f"s{n}" / "scores.json").read_text()) for n in range(1, 8)]
    ids = [task["task_id"] for report in reports for task in (*report["tasks"], *report["unscored"])]
    assert sorted(ids) == [*NAMES, "fault"]
    assert [report["selected"] for report in reports] == [1, 1, 1, 1, 1, 1, 0]
    results[2].stdout.fnmatch_lines(["* 5 deselected*"])


def test_a_floor_decides_the_exit_status_of_the_merge(matrix, tmp_path, capsys):
    project, _ = matrix
    assert main(["merge", str(tmp_path / "m"), *shards(project), "--fail-under=soft_f1_full:0.9"]) == 1
    assert "FAILED gate soft_f1_full" in capsys.readouterr().out


def changed(project, tmp_path, number, name, **values):
    """The shards, one of them with other values in one of its files."""
    shutil.copytree(project.path / f"s{number}", tmp_path / "changed")
    path = tmp_path / "changed" / name
    path.write_text(json.dumps(json.loads(path.read_text()) | values))
    return [tmp_path / "changed" if n == number else project.path / f"s{n}" for n in range(1, 8)]


@pytest.mark.parametrize(
    ("file", "values", "message"),
    [
        ("scores.json", {"system": "other"}, "another system"),
        ("scores.json", {"judge": "other"}, "different judges: other, rules"),
        ("scores.json", {"environment": {"python": "3.99"}}, "another environment"),
        ("shard.json", {"suite": "0"}, "another suite of tasks"),
        ("shard.json", {"of": 8}, "another number of shards"),
        ("shard.json", {"effort": "high"}, ": high, not None"),
        ("shard.json", {"shard": 1}, "shards are missing: 3/7"),
        ("shard.json", {"of": "7"}, "shard.json is torn"),
        ("shard.json", {"suite": None}, "shard.json is torn"),
        ("scores.json", {"tasks": 1}, "scores.json cannot be read"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else None,
)
def test_what_does_not_belong_together_is_refused(matrix, tmp_path, *, file, values, message):
    with pytest.raises(WandrError, match=message):
        merge(tmp_path / "m", changed(matrix[0], tmp_path, 3, file, **values))
    assert not (tmp_path / "m").exists()


def test_a_missing_a_doubled_and_an_overlapping_shard_are_refused(matrix, tmp_path, capsys):
    project, _ = matrix

    def refused(given):
        assert main(["merge", str(tmp_path / "m"), *given]) == 1
        return capsys.readouterr().err

    assert "shards are missing: 2/7, 5/7" in refused(shards(project, (1, 3, 4, 6, 7)))
    assert "given more than once: 4/7" in refused(shards(project, (1, 2, 3, 4, 4, 5, 6, 7)))
    tasks = json.loads((project.path / "s2" / "scores.json").read_text())["tasks"]
    unscored = json.loads((project.path / "s2" / "scores.json").read_text())["unscored"]
    both = changed(project, tmp_path, 3, "scores.json", tasks=tasks, unscored=unscored)
    assert "is in" in refused(map(str, both))


LOSSES = {
    "the folder": shutil.rmtree,
    "the verdicts": lambda task: (task / "verdicts.jsonl").unlink(),
    "half a score": lambda task: (task / "score.json").write_bytes(b"{"),
    "the marker": lambda task: (task / "complete.json").unlink(),
    "what was delivered": lambda task: shutil.rmtree(task / "submission"),
    "another score": lambda task: (task / "complete.json").write_text(
        (task / "complete.json").read_text().replace('"incomplete": false', '"incomplete": true')
    ),
}


@pytest.mark.parametrize("lose", LOSSES.values(), ids=LOSSES)
def test_a_shard_that_lost_something_on_the_way_is_refused(matrix, tmp_path, lose):
    project, _ = matrix
    name = "amber"
    number = next(n for n in range(1, 8) if (project.path / f"s{n}" / name).is_dir())
    given = changed(project, tmp_path, number, "scores.json")
    lose(tmp_path / "changed" / name)
    with pytest.raises(WandrError, match=f"the files of the task {name} are not whole"):
        merge(tmp_path / "m", given)
    assert not (tmp_path / "m").exists()


def test_a_task_id_leads_nowhere_else(matrix, tmp_path):
    project, _ = matrix
    number = next(n for n in range(1, 8) if (project.path / f"s{n}" / "amber").is_dir())
    tasks = json.loads((project.path / f"s{number}" / "scores.json").read_text())["tasks"]
    given = changed(
        project, tmp_path, number, "scores.json", tasks=[{**tasks[0], "task_id": "../changed/amber"}]
    )
    with pytest.raises(WandrError, match="are not whole"):
        merge(tmp_path / "m", given)


def test_where_nothing_can_be_written_the_merge_says_so(matrix, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["merge", str(tmp_path / "file" / "m"), *shards(matrix[0])]) == 1
    assert "cannot be written: Not a directory" in capsys.readouterr().err


def test_a_folder_that_is_no_shard_or_did_not_end_is_refused(matrix, tmp_path, capsys):
    project, _ = matrix
    assert main(["merge", str(tmp_path / "m"), str(project.path / "whole")]) == 1
    assert "there is no shard.json" in capsys.readouterr().err
    shutil.copytree(project.path / "s1", tmp_path / "s1")
    (tmp_path / "s1" / "running.json").write_text("{}")
    assert main(["merge", str(tmp_path / "m"), str(tmp_path / "s1"), *shards(project, range(2, 8))]) == 1
    assert "did not end" in capsys.readouterr().err


def test_nothing_is_merged_into_a_folder_that_is_not_empty(matrix, tmp_path, capsys):
    (tmp_path / "scores.json").write_text("{}")
    assert main(["merge", str(tmp_path), *shards(matrix[0])]) == 1
    assert "is not empty" in capsys.readouterr().err


def test_the_shard_of_a_task_does_not_depend_on_k(project):
    fill(project)
    mine = sorted(members([*NAMES, "fault"], Shard(1, 2)))
    for name in NAMES:
        result = project.run("--wandr-shard=1/2", "-k", name)
        selected = project.scores()["selected"]
        assert (selected, result.ret in (0, 1)) == (int(name in mine), True)


def test_two_packages_with_one_id_stay_together(project):
    for folder in ("one", "two"):
        project.task("amber", folder=folder)
        project.task("birch" if folder == "one" else "cedar", folder=folder)
    counts = []
    for number in (1, 2, 3):
        project.run("one", "two", f"--wandr-shard={number}/3")
        counts.append(project.scores()["selected"])
    assert sorted(counts) == [1, 1, 2]


@pytest.mark.parametrize("looking", ["--collect-only", "--setup-plan"])
def test_looking_at_a_shard_writes_nothing(project, looking):
    project.task("amber")
    project.run("--wandr-shard=1/2", looking)
    project.run("--wandr-shard=2/2", looking)
    assert not project.out().exists()
