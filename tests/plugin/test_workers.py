"""The same results whatever runs the tasks: one process, several workers, a worker that dies."""

import json

import pytest
from wandr_fakes import a_path
from wandr_project import Project

PATHS = [
    a_path("acme \ud800 🏢"),
    a_path("birch", "unproven", part="excerpts_faithful", reason="\x1b[31m"),
    a_path("(missing)", "missing", slots=2),
]


NEAR = "def pytest_wandr_make_system(name):\n    return (lambda task: None) if name == 'near' else None\n"
LOG = """
import json, os
def note(*what):
    row = [*what, "worker" if os.environ.get("PYTEST_XDIST_WORKER") else "controller"]
    with open(os.path.join(os.path.dirname(__file__), "log"), "a") as log:
        print(json.dumps(row), file=log)
def pytest_wandr_path(task_id, path, config): note("path", task_id, path.outcome)
def pytest_wandr_task_scored(report, config): note("task", report.task_id)
def pytest_wandr_scores(report, config): note("run", report.scored)
"""
ARGS = ("--wandr-strict", "--wandr-paths=failed", "--wandr-fail-under=soft_f1_full:0.9")


def fill(project):
    """Nine tasks in a folder that the ini file names, with a system beside them, and ordinary tests."""
    project.ini("testpaths = tests", "wandr_tasks = bench")
    for number, name in enumerate("hgfedcba"):
        paths = PATHS if number % 2 else [a_path("acme")]
        undecided = {"b": 1, "a": 2} if number == 3 else {}
        project.task(name, folder="bench", f1=1 / (number + 3), paths=paths, undecided=undecided)
    project.task("x", folder="bench", error="nothing recorded")
    broken = project.task("y", folder="bench")
    (broken / "task.toml").write_text("id = [")
    project.conftest(NEAR, "bench")
    (project.path / "tests").mkdir()
    (project.path / "tests" / "test_unit.py").write_text("raise SystemExit('collected')\n")
    return project


@pytest.fixture
def suite(project):
    return fill(project)


@pytest.fixture(scope="module")
def twice(tmp_path_factory):
    """The same suite run by one process and by two workers: (project, result, calls of our hooks) each."""

    def once(*args, seed):
        project = fill(Project(tmp_path_factory.mktemp("suite")))
        conftest = project.path / "conftest.py"
        conftest.write_text(conftest.read_text() + LOG)
        result = project.run_apart(*ARGS, *args, system="near", env={"PYTHONHASHSEED": seed})
        calls = [json.loads(line) for line in (project.path / "log").read_text().splitlines()]
        return project, result, calls

    return once(seed="1"), once("-n2", seed="2")


def test_scores_and_task_results_are_equal_byte_for_byte(twice):
    (alone, *_), (shared, *_) = twice
    files = sorted(path.relative_to(alone.out("near")) for path in alone.out("near").rglob("*.*"))
    assert len(files) == 2 + 8 * 4
    for file in files:
        assert (alone.out("near") / file).read_bytes() == (shared.out("near") / file).read_bytes()


def test_the_summary_and_the_last_line_are_equal(twice):
    def last(result):
        lines = result.outlines
        start = next(i for i, line in enumerate(lines) if " wandr: near " in line)
        end = next(i for i, line in enumerate(lines) if "short test summary" in line)
        return lines[start:end], lines[-1].partition(" in ")[0].strip("= ")

    (_, alone, _), (_, shared, _) = twice
    assert last(alone) == last(shared)
    assert "4 failed, 4 passed, 2 errors, 12 paths failed" in alone.outlines[-1]


def test_errors_look_the_same(twice):
    for _, result, _ in twice:
        result.stdout.fnmatch_lines_random(["*ERROR at call of x*", "*ERROR at setup of y*"])
        result.stdout.fnmatch_lines_random(["x: nothing recorded", "y: 1 problem in the task package"])


def test_a_gate_decides_the_exit_status_of_both(twice):
    for _, result, _ in twice:
        assert result.ret == 1
        result.stdout.fnmatch_lines(["FAILED gate soft_f1_full: 0.1786 is below 0.9 by 0.7214"])


def test_reporting_hooks_are_called_in_the_controller_alone(twice):
    for _, _, calls in twice:
        assert [call[0] for call in calls].count("path") == 4 * 1 + 4 * 3
        assert sorted(call[1] for call in calls if call[0] == "task") == list("abcdefgh")
        assert calls[-1] == ["run", 8, "controller"]
        assert {call[-1] for call in calls} == {"controller"}


@pytest.mark.parametrize(
    "args",
    [
        ["-n3", "--dist=worksteal", "-p", "no:terminal"],
        ["-n2", "--dist=loadfile"],
        ["-p", "no:xdist", "bench/x", "bench/y", "bench/c", "bench"],
    ],
    ids=lambda args: " ".join(args[:2]),
)
def test_scores_do_not_depend_on_who_runs_what(suite, args):
    alone = suite.run(system="near")
    expected = suite.score_bytes("near")
    (suite.out("near") / "scores.json").unlink()
    shared = suite.run(*args, system="near")
    assert shared.ret == alone.ret == 1
    assert suite.score_bytes("near") == expected


def test_a_payload_is_one_ascii_string_and_properties_are_strings(suite):
    for report in suite.reports(system="near"):
        if report.when == "call" and report.passed:
            assert type(report.wandr) is str
            assert report.wandr.isascii()
            assert json.loads(report.wandr)["schema"] == 2
            assert all(type(value) is str for _, value in report.user_properties)


def test_reasons_can_be_sent_whatever_they_hold(project):
    project.task("t1", error="caf\udce9 \x1b[31m")
    project.task("t2", bug="caf\udce9 \x1b[31m")
    sent = [vars(report).get("wandr_error") for report in project.reports()]
    assert [text for text in sent if text] == [
        "caf\\udce9 \\x1b[31m",
        "ZeroDivisionError: caf\\udce9 \\x1b[31m",
    ]


def test_a_dying_worker_loses_its_task_alone(suite):
    suite.task("killer", folder="bench", die=True)
    result = suite.run("-n2", system="near")
    assert result.ret == 1
    scores = suite.scores("near")
    assert (scores["scored"], scores["selected"]) == (8, 11)
    assert [task["task_id"] for task in scores["unscored"]] == ["killer", "x", "y"]
    assert scores["unscored"][0]["reason"] == "the worker process died while it ran this task"
    assert [task["task_id"] for task in scores["tasks"]] == list("abcdefgh")
    result.stdout.fnmatch_lines(["killer *unscored: the worker process died*", "*8 of 11 scored*"])


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


@pytest.mark.parametrize(
    "plugin", ["no:terminal", "no:xdist", "no:cacheprovider", "no:junitxml", "no:python"]
)
def test_no_other_plugin_is_needed(project, plugin):
    project.task("t1", f1=0.5)
    assert project.run("-p", plugin, "--wandr-fail-under=soft_f1_full:0.6").ret == 1
    assert project.scores()["headline"]["soft_f1_full"] == 0.5


@pytest.mark.parametrize("mode", ["strict", "auto"])
def test_pytest_asyncio_beside_tasks(project, mode):
    project.asyncio = True
    project.ini(f"asyncio_mode = {mode}", "asyncio_default_fixture_loop_scope = function")
    for name in "ab":
        project.task(name)
    project.run_apart("-W", "error").assert_outcomes(passed=2)
