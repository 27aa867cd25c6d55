"""What others can plug in, and when they are asked."""

import pytest
from wandr_fakes import a_path

PATHS = [a_path("acme"), a_path("birch", "unproven", part="overall_valid")]
RECORD = """
import json, os
def note(*what):
    row = [*what, "worker" if os.environ.get("PYTEST_XDIST_WORKER") else "controller"]
    with open({log!r}, "a") as log:
        print(json.dumps(row), file=log)
def pytest_wandr_path(task_id, path, config): note("path", task_id, path.path[0], path.outcome)
def pytest_wandr_task_scored(report, config): note("task", report.task_id)
def pytest_wandr_scores(report, config): note("run", report.scored)
"""


def add_conftest(project, text):
    path = project.path / "conftest.py"
    path.write_text(path.read_text() + text)


def calls(project):
    import json

    return [json.loads(line) for line in (project.path / "log").read_text().splitlines()]


def test_reporting_hooks_follow_the_run_in_the_controller_alone(project):
    add_conftest(project, RECORD.format(log=str(project.path / "log")))
    project.task("t1", paths=PATHS)
    project.task("t2", error="nothing")
    project.run("--tb=no")
    assert calls(project) == [
        ["path", "t1", "acme", "proven", "controller"],
        ["path", "t1", "birch", "unproven", "controller"],
        ["task", "t1", "controller"],
        ["run", 1, "controller"],
    ]


def test_scores_are_written_when_the_last_hook_is_called(project):
    add_conftest(
        project,
        "\ndef pytest_wandr_scores(report, config):\n"
        "    print('written:', (config.rootpath / '.wandr/mine/scores.json').is_file())\n",
    )
    project.task("t1")
    project.run("-s").stdout.fnmatch_lines(["*written: True*"])


def test_paths_are_unpacked_only_when_somebody_listens(project, monkeypatch):
    from pytest_wandr.reports.payload import Payload

    unpacked = []
    real = Payload.paths
    monkeypatch.setattr(Payload, "paths", lambda self: unpacked.append(1) or real(self))
    project.task("t1", paths=PATHS)
    project.run()
    assert not unpacked
    add_conftest(project, "\ndef pytest_wandr_path(path): pass\n")
    project.run()
    assert unpacked == [1]


def test_a_conftest_beside_the_tasks_may_supply_the_system(project):
    project.task("t1")
    (project.path / "tasks" / "conftest.py").write_text(
        "def pytest_wandr_make_system(name):\n    return (lambda task: None) if name == 'near' else None\n"
    )
    project.run(system="near").assert_outcomes(passed=1)


def test_a_conftest_wins_over_a_built_in_name(project):
    add_conftest(
        project,
        "\ndef pytest_wandr_make_judge(config, name):\n    print('asked for', name)\n    return object()\n",
    )
    project.task("t1")
    project.run("-s").stdout.fnmatch_lines(["*asked for rules*"])


def test_an_unknown_system_is_a_usage_error_that_lists_what_is_known(project):
    project.task("t1")
    result = project.run(system="nobody")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: no system is called 'nobody'. Known: *oracle*"])
    assert not project.out("nobody").exists()


@pytest.mark.parametrize("args", [(), ("-n1",)], ids=["alone", "worker"])
def test_an_agent_that_cannot_be_imported_is_a_usage_error_that_says_where(project, args):
    project.task("t1")
    add_conftest(project, "\ndef pytest_wandr_make_system(name):\n    from my_absent_agent import solve\n")
    result = project.run(*args)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["*the system 'mine' cannot be made: ModuleNotFoundError: *'my_absent_agent' (*conftest.py:*)"]
    )


def test_an_unknown_judge_is_a_usage_error(project):
    project.task("t1")
    result = project.run("--wandr-judge=nobody")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: *'nobody'*"])


def test_hooks_may_be_implemented_without_a_system(project):
    add_conftest(project, RECORD.format(log=str(project.path / "log")))
    project.pytester.makepyfile("def test_a(): pass")
    project.run(system=None).assert_outcomes(passed=1)


def test_a_misspelt_hook_argument_is_refused(project):
    add_conftest(project, "\ndef pytest_wandr_make_system(config, nmae): pass\n")
    project.task("t1")
    assert project.run().ret not in (0, 1)
