"""When does a task pass, fail or error?"""

import textwrap
import xml.etree.ElementTree as ET

import pytest
from wandr_fakes import a_path

PATHS = [
    a_path("acme"),
    a_path("birch", "unproven", part="excerpts_faithful", reason="excerpt 2 is not on the page"),
    a_path("(missing)", "missing", slots=2),
    a_path("cedar", "unproven", part="overall_valid", reason="not a company", required=False),
]


@pytest.fixture
def mixed(project):
    project.task("t1")
    project.task("t2", paths=PATHS, f1=0.5)
    project.task("t3")
    return project


def test_a_failed_path_is_data_not_a_failure(mixed):
    result = mixed.run()
    result.assert_outcomes(passed=3)
    assert result.ret == 0
    assert "path" not in result.outlines[-1]


@pytest.mark.parametrize("extra", [(), ("-q",), ("-v",), ("-rA",), ("--wandr-paths=none",), ("--tb=no",)])
def test_strict_fails_the_task_and_counts_every_required_path(mixed, extra):
    result = mixed.run("--wandr-strict", *extra)
    assert result.ret == 1
    assert "1 failed, 2 passed, 3 paths failed" in result.outlines[-1]


def test_strict_counts_do_not_stop_at_the_cap(mixed):
    result = mixed.run("--wandr-strict", "--wandr-paths-max=1")
    assert "3 paths failed" in result.outlines[-1]
    result.stdout.fnmatch_lines(["*... and 3 more*"])


def test_strict_lets_surplus_be(project):
    project.task("t1", paths=[a_path("acme"), a_path("cedar", "unproven", required=False)])
    project.run("--wandr-strict").assert_outcomes(passed=1)


def test_strict_fails_on_undecided_paths(project):
    project.task("t1", paths=[a_path("acme", "undecided")], undecided={"not_recorded": 1})
    result = project.run("--wandr-strict")
    assert "1 failed, 1 paths failed" in result.outlines[-1]


def test_a_task_below_its_own_gate_fails_with_a_short_table(mixed):
    mixed.task("t4", more="[gate]\nsoft_f1_full = 0.6", f1=0.5, paths=PATHS)
    result = mixed.run()
    result.assert_outcomes(passed=3, failed=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(
        [
            "*_ t4 _*",
            "soft_f1_full is 0.500, the task's gate asks for 0.6",
            "soft F1 0.500, hard F1 0.500: 4 wanted, 2 found, 1 proven, 0 undecided",
            "  unproven   birch > https://birch.example/",
            "             excerpts_faithful: excerpt 2 is not on the page",
            "  missing    (missing) > * x 2",
        ]
    )
    assert not [line for line in result.outlines if "Traceback" in line or "items.py" in line]


def test_a_task_at_its_own_gate_passes(project):
    project.task("t1", more="[gate]\nsoft_f1_full = 0.5", f1=0.5)
    project.run().assert_outcomes(passed=1)


def test_a_broken_manifest_is_an_error_of_the_set_up_and_stops_nobody(mixed):
    (mixed.path / "tasks" / "t2" / "task.toml").write_text("id = [")
    result = mixed.run()
    result.assert_outcomes(passed=2, errors=1)
    result.stdout.fnmatch_lines(
        [
            "*ERROR at setup of t2*",
            "t2: 1 problem in the task package",
            "    tasks/t2/task.toml:1: *not TOML*",
        ]
    )
    assert str(mixed.path) not in mixed.score_bytes().decode()
    assert [task["task_id"] for task in mixed.scores()["unscored"]] == ["t2"]
    assert result.ret == 1


def test_what_cannot_be_scored_is_an_error_with_one_line(mixed):
    mixed.task("t4", error="nothing recorded for https://a.example/; run with --wandr-record=new")
    result = mixed.run()
    result.assert_outcomes(passed=3, errors=1)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*ERROR at call of t4*", "t4: nothing recorded for https://a.example/; *"])
    assert mixed.scores()["unscored"] == [
        {
            "reason": "nothing recorded for https://a.example/; run with --wandr-record=new",
            "task_id": "t4",
        }
    ]


def test_the_cause_of_a_failing_system_is_shown(project):
    project.task("t1")
    project.conftest(
        textwrap.dedent("""
        from pytest_wandr import pipeline
        from pytest_wandr.errors import SystemFailed

        async def evaluate(folder, **kwargs):
            try:
                raise KeyError("their own bug")
            except KeyError as error:
                raise SystemFailed("system 'mine' raised KeyError") from error

        def pytest_configure(config):
            real = pipeline.evaluate
            pipeline.evaluate = evaluate
            config.add_cleanup(lambda: setattr(pipeline, "evaluate", real))

        def pytest_wandr_make_system(name):
            return lambda task: None
        """)
    )
    result = project.run()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["t1: system 'mine' raised KeyError", "*conftest.py*", "    KeyError: 'their own bug'"]
    )


def test_a_bug_keeps_its_traceback_and_is_an_error(mixed):
    mixed.task("t4", bug="division by zero")
    result = mixed.run()
    result.assert_outcomes(passed=3, errors=1)
    result.stdout.fnmatch_lines(["*wandr_fakes.py*ZeroDivisionError*"])
    assert mixed.scores()["unscored"][0]["reason"] == "ZeroDivisionError: division by zero"


def test_a_skipped_task_is_unscored(mixed):
    path = mixed.path / "tasks" / "conftest.py"
    path.write_text(
        "import pytest\n"
        "def pytest_collection_modifyitems(items):\n"
        "    items[0].add_marker(pytest.mark.skip(reason='not today'))\n"
    )
    result = mixed.run()
    result.assert_outcomes(passed=2, skipped=1)
    assert mixed.scores()["unscored"] == [{"reason": "Skipped: not today", "task_id": "t1"}]
    assert result.ret == 1


def test_stopping_at_the_first_failure_leaves_the_rest_unscored(project):
    project.task("t1", more="[gate]\nsoft_f1_full = 0.5", f1=0.25)
    project.task("t2")
    result = project.run("-x")
    result.assert_outcomes(failed=1)
    scores = project.scores()
    assert (scores["scored"], scores["selected"]) == (1, 2)
    assert scores["unscored"] == [{"reason": "not run: the session ended first", "task_id": "t2"}]


def test_strict_counts_one_failure_for_maxfail(project):
    for name in ("t1", "t2", "t3"):
        project.task(name, paths=PATHS)
    result = project.run("--wandr-strict", "--maxfail=2")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(["*stopping after 2 failures*"])


def test_a_task_that_was_not_fully_judged_fails_and_says_so_with_cause_and_remedy(project):
    project.task("t1", paths=[a_path("acme"), a_path("birch", "undecided")], undecided={"not_recorded": 1})
    result = project.run()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "not fully judged, 1 undecided: not_recorded 1; record the pages with --wandr-record=new",
            "soft F1 1.000, hard F1 1.000, 1 of 1 scored, incomplete",
            "INCOMPLETE 1 undecided: not_recorded 1; record the pages with --wandr-record=new",
        ]
    )
    assert result.ret == 1
    assert project.scores()["incomplete"] is True
    assert (project.scores()["scored"], project.scores()["unscored"]) == (1, [])


@pytest.mark.parametrize("policy", [(), ("--wandr-strict",)])
def test_junit_has_one_testcase_for_each_task_and_the_scores_as_properties(mixed, policy):
    mixed.task("t4", error="broken \x1b[31m \x00 text")
    mixed.run("--junitxml=junit.xml", *policy)
    suite = ET.parse(mixed.path / "junit.xml").getroot().find("testsuite")
    cases = suite.findall("testcase")
    assert len(cases) == 4
    properties = {p.get("name"): p.get("value") for p in cases[1].iter("property")}
    assert properties["wandr.soft_f1_full"] == "0.5"
    assert properties["wandr.proven"] == "1"
    assert properties["wandr.missing"] == "2"
    assert "wandr.enrichment" not in properties
    assert all(name.startswith("wandr.") for name in properties)
    assert len(suite.findall("testcase/failure")) == (1 if policy else 0) + 1
    text = (mixed.path / "junit.xml").read_text()
    assert '"paths"' not in text
    assert len(text) < 16_000


@pytest.mark.parametrize("style", ["auto", "long", "short", "line", "native", "no"])
def test_every_traceback_style_will_do(project, style):
    project.task("t1", more="[gate]\nsoft_f1_full = 0.5", f1=0.25)
    project.task("t2", error="nothing recorded")
    project.task("t3", bug="division by zero")
    result = project.run(f"--tb={style}")
    result.assert_outcomes(failed=1, errors=2)
    result.stdout.no_fnmatch_line("*INTERNALERROR*")


TWICE = """
def pytest_runtest_protocol(item, nextitem):
    from _pytest.runner import runtestprotocol
    runtestprotocol(item, nextitem=nextitem)
    fake = item.path.with_name("fake.json")
    fake.write_text(fake.read_text().replace('"f1": 0.25', '"f1": 0.75'))
    runtestprotocol(item, nextitem=nextitem)
    return True
"""


def test_when_a_task_runs_twice_the_last_run_counts(project):
    conftest = project.path / "conftest.py"
    conftest.write_text(conftest.read_text() + TWICE)
    project.task("t1", f1=0.25)
    last = [report for report in project.reports() if report.when == "call"][-1]
    names = [name for name, _ in last.user_properties]
    assert len(names) == len(set(names))
    assert ("wandr.soft_f1_full", "0.75") in last.user_properties
    scores = project.scores()
    assert (scores["scored"], scores["headline"]["soft_f1_full"]) == (1, 0.75)


def test_results_are_never_spelled_out_by_asyncio(project, monkeypatch):
    """The loop formats the result of its main task, which for a big task takes longer than the task."""
    from pytest_wandr.model import TaskScore

    def spell(self):
        raise AssertionError("spelled out")

    monkeypatch.setattr(TaskScore, "__repr__", spell)
    project.task("t1", paths=PATHS)
    project.run().assert_outcomes(passed=1)
