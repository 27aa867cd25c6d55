"""The same results whatever runs the tasks: one process, several workers, a worker that dies."""

import json

import pytest
from wandr_fakes import a_path

PATHS = [
    a_path("acme \ud800 🏢"),
    a_path("birch", "unproven", part="excerpts_faithful", reason="\x1b[31m"),
    a_path("(missing)", "missing", slots=2),
]


@pytest.fixture
def suite(project):
    for number, name in enumerate("hgfedcba"):
        paths = PATHS if number % 2 else [a_path("acme")]
        project.task(
            name, f1=1 / (number + 3), paths=paths, undecided={"b": 1, "a": 2} if number == 3 else {}
        )
    project.task("x", error="nothing recorded")
    return project


@pytest.mark.parametrize(
    ("seed", "args"),
    [
        ("1", ["-n2"]),
        ("2", ["-n3", "--dist=worksteal", "-p", "no:terminal"]),
        ("3", ["-n2", "--dist=loadfile"]),
        ("4", ["-p", "no:xdist", "tasks/x", "tasks/c", "tasks"]),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_scores_are_equal_byte_for_byte(suite, seed, args):
    alone = suite.run()
    expected = suite.score_bytes()
    summary = (suite.out() / "summary.md").read_bytes()
    (suite.out() / "scores.json").unlink()
    shared = suite.run_apart(*args, env={"PYTHONHASHSEED": seed})
    assert shared.ret == alone.ret == 1
    assert suite.score_bytes() == expected
    assert (suite.out() / "summary.md").read_bytes() == summary


def test_the_last_line_and_the_summary_are_the_same(suite):
    def last(*args):
        lines = suite.run("--wandr-strict", "--wandr-paths=failed", *args).outlines
        start = next(i for i, line in enumerate(lines) if " wandr: mine " in line)
        end = next(i for i, line in enumerate(lines) if "short test summary" in line)
        return lines[start:end], lines[-1].partition(" in ")[0]

    alone, shared = last(), last("-n2")
    assert shared == alone
    assert "4 failed, 4 passed, 1 error, 12 paths failed" in alone[1]


def test_a_payload_is_one_ascii_string_and_properties_are_strings(suite):
    for report in suite.reports():
        if report.when == "call" and report.passed:
            assert type(report.wandr) is str
            assert report.wandr.isascii()
            assert json.loads(report.wandr)["schema"] == 1
            assert all(type(value) is str for _, value in report.user_properties)


def test_a_dying_worker_loses_its_task_alone(suite):
    suite.task("killer", die=True)
    result = suite.run("-n2")
    assert result.ret == 1
    scores = suite.scores()
    assert (scores["scored"], scores["selected"]) == (8, 10)
    assert scores["unscored"] == [
        {"task_id": "killer", "reason": "the worker process died while it ran this task"},
        {"task_id": "x", "reason": "nothing recorded"},
    ]
    assert "killer" not in [task["task_id"] for task in scores["tasks"]]
    result.stdout.fnmatch_lines(["killer *unscored: the worker process died*", "*8 of 10 scored*"])


def test_when_every_worker_dies_the_rest_is_unscored(project):
    project.task("killer", die=True)
    for name in "abcdef":
        project.task(name)
    result = project.run("-n1", "--max-worker-restart=0")
    assert result.ret != 0
    scores = project.scores()
    assert scores["selected"] == 7
    assert scores["scored"] + len(scores["unscored"]) == 7
    assert "killer" in [task["task_id"] for task in scores["unscored"]]


def test_the_first_failure_stops_the_workers(project):
    for name in "abcdef":
        project.task(name, more="[gate]\nsoft_f1_full = 0.5", f1=0.25)
    result = project.run("-n2", "-x")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    scores = project.scores()
    assert scores["selected"] == 6
    assert scores["scored"] + len(scores["unscored"]) == 6


def test_gates_decide_the_exit_status_under_workers(project):
    project.task("t1", f1=0.25)
    project.task("t2", f1=0.75)
    result = project.run("-n2", "--wandr-fail-under=soft_f1_full:0.6")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED gate soft_f1_full: 0.5000 is below 0.6 by 0.1000"])


def test_workers_take_the_folders_from_the_ini_file_not_from_testpaths(project):
    project.ini("testpaths = tests", "wandr_tasks = bench")
    (project.path / "tests").mkdir()
    (project.path / "tests" / "test_unit.py").write_text("def test_a(): pass\n")
    project.task("t1", folder="bench")
    project.run("-n2").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--wandr-system=nobody"], "ERROR: no system is called 'nobody'*"),
        (["tests"], "ERROR: no task packages (folders with a task.toml) under tests*"),
        (["--wandr-fail-under=x:1"], "ERROR: --wandr-fail-under: there is no reward 'x'*"),
        (
            ["--wandr-record=new", "-o", "wandr_tasks=nowhere"],
            "ERROR: no folder of task packages at *nowhere*",
        ),
    ],
)
def test_usage_errors_are_reported_once_and_stop_the_run(project, args, message):
    project.task("t1")
    (project.path / "tests").mkdir()
    result = project.run("-n2", *args)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])
    assert len([line for line in result.errlines if line.startswith("ERROR")]) == 1
    result.stdout.no_fnmatch_line("*INTERNALERROR*")


def test_a_conftest_beside_the_tasks_counts_under_workers(project):
    project.task("t1")
    (project.path / "tasks" / "conftest.py").write_text(
        "def pytest_wandr_make_system(name):\n    return (lambda task: None) if name == 'near' else None\n"
    )
    project.run("-n2", system="near").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    "plugin", ["no:terminal", "no:xdist", "no:cacheprovider", "no:junitxml", "no:python"]
)
def test_no_other_plugin_is_needed(project, plugin):
    project.task("t1", f1=0.5)
    assert project.run("-p", plugin, "--wandr-fail-under=soft_f1_full:0.6").ret == 1
    assert project.scores()["headline"]["soft_f1_full"] == 0.5


def test_errors_look_the_same_under_workers(project):
    project.task("a", error="nothing recorded")
    project.task("b")
    (project.path / "tasks" / "b" / "task.toml").write_text("id = [")
    result = project.run("-n2")
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines_random(["*ERROR at call of a*", "*ERROR at setup of b*"])


@pytest.mark.parametrize("mode", ["strict", "auto"])
def test_pytest_asyncio_beside_tasks(project, mode):
    project.asyncio = True
    project.ini(f"asyncio_mode = {mode}", "asyncio_default_fixture_loop_scope = function")
    for name in "ab":
        project.task(name)
    project.run_apart("-W", "error").assert_outcomes(passed=2)
