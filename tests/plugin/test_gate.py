"""--wandr-fail-under gates the run on its headline."""

import pytest


@pytest.fixture
def half(project):
    """Two tasks whose mean is 0.5."""
    project.task("t1", f1=0.25)
    project.task("t2", f1=0.75)
    return project


@pytest.mark.parametrize(
    ("floor", "ret", "line"),
    [
        ("soft_f1_full:0.5", 0, "passed gate soft_f1_full: 0.5000 meets 0.5 by 0.0000"),
        ("soft_f1_full:0.4", 0, "passed gate soft_f1_full: 0.5000 meets 0.4 by 0.1000"),
        (
            "hard_recall_retrieval:0.625",
            1,
            "FAILED gate hard_recall_retrieval: 0.5000 is below 0.625 by 0.1250",
        ),
        ("soft_f1_full:0.500001", 1, "FAILED gate soft_f1_full: 0.5000 is below 0.500001 by 1.0e-06"),
        ("soft_f1_full:1", 1, "FAILED gate soft_f1_full: 0.5000 is below 1 by 0.5000"),
    ],
)
def test_the_gate_decides_the_exit_status_and_says_by_how_much(half, floor, ret, line):
    result = half.run(f"--wandr-fail-under={floor}")
    assert result.ret == ret
    result.stdout.fnmatch_lines([line])
    result.assert_outcomes(passed=2)


def test_a_failing_gate_is_red(half):
    result = half.run("--color=yes", "--wandr-fail-under=soft_f1_full:0.9")
    assert [line for line in result.outlines if line.startswith("\x1b[31m\x1b[1mFAILED gate")]


def test_gates_add_up_and_the_command_line_replaces_the_ini_file(half):
    half.ini("wandr_fail_under =", "    soft_f1_full:0.9", "    hard_f1_full:0.4")
    result = half.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED gate soft_f1_full*", "passed gate hard_f1_full*"])
    again = half.run("--wandr-fail-under=hard_f1_full:0.4", "--wandr-fail-under=soft_f1_full:0.1")
    assert again.ret == 0


@pytest.mark.parametrize("verbosity", ["-q", "-qq", "-v"])
def test_the_gate_line_is_shown_however_quiet(half, verbosity):
    result = half.run(verbosity, "--wandr-fail-under=soft_f1_full:0.9")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED gate soft_f1_full*"])


def test_a_gate_without_any_score_fails(project):
    project.task("t1", error="nothing recorded")
    result = project.run("--wandr-fail-under=soft_f1_full:0")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAILED gate soft_f1_full: no task was scored, the gate asks for 0"])


def test_a_gate_never_hides_another_exit_status(half):
    half.pytester.makeconftest(
        (half.path / "conftest.py").read_text()
        + "\ndef pytest_runtest_logfinish(nodeid):\n"
        + "    if 't1' in nodeid:\n        raise KeyboardInterrupt\n"
    )
    result = half.run("--wandr-fail-under=soft_f1_full:0.9")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert half.scores()["scored"] == 1


@pytest.mark.parametrize(
    ("floor", "message"),
    [
        (
            "soft_f2_full:0.4",
            "*--wandr-fail-under: there is no reward 'soft_f2_full'; there are soft_precision_full, *",
        ),
        ("0.4", "*there is no reward '0.4'*"),
        ("soft_f1_full", "*'' is not a number from 0 to 1, as in soft_f1_full:0.4"),
        ("soft_f1_full:40", "*'40' is not a number from 0 to 1*"),
        ("soft_f1_full:nan", "*'nan' is not a number from 0 to 1*"),
        ("soft_f1_full:-0.1", "*'-0.1' is not a number from 0 to 1*"),
        ("soft_f1_full:0,4", "*'0,4' is not a number*"),
    ],
)
def test_a_gate_that_makes_no_sense_is_a_usage_error(half, floor, message):
    result = half.run(f"--wandr-fail-under={floor}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])
