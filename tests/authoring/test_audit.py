"""`wandr audit`: a judge that is good enough passes; one that is not fails, with what it got wrong."""

import re
import shutil

import pytest

from pytest_wandr.cli import main
from tests.authoring.conftest import TASK
from tests.judges.wandr_demo import ROOT


def audit(capsys, *options):
    status = main(["audit", f"tasks/{TASK}", "--mutations=4", *options])
    return status, capsys.readouterr().out


def share(out, name):
    """(right, total) of a line."""
    return tuple(map(int, re.search(rf"^  {name} +(\d+)/(\d+) ", out, re.MULTILINE).groups()))


def test_an_honest_judge_passes_and_a_second_audit_costs_nothing(project, standin, capsys):
    status, out = audit(capsys)
    assert status == 0, out
    assert "passed: no part below 0.9" in out
    assert not re.search("not judged as known", out)
    for part in ("full", "retrieval", "requirements_all_supported", "wrong entity", "injected instruction"):
        right, total = share(out, part)
        assert right == total > 0
    asked = int(re.search(r"(\d+) of them put to the judge", out)[1])
    assert asked > 0
    assert "3 repeats agree on satisfied: 1.000, Fleiss' kappa" in out
    assert f"cost: {standin.count} calls" in out
    assert 3 * (asked - 2) + 2 <= standin.count <= 3 * asked + 2  # two canaries; twins are asked about once
    standin.forget()
    status, again = audit(capsys)
    assert (status, standin.count) == (0, 0)
    assert again.splitlines()[:-1] == out.splitlines()[:-1]
    assert "cost: 0 calls" in again


def test_a_judge_that_says_yes_to_all_fails_and_the_cases_are_named(project, standin, capsys):
    standin.mode = "yes"
    project.configure(standin.config(canaries=False))
    status, out = audit(capsys)
    assert status == 1
    assert "FAILED: below 0.9: " in out
    missed = re.findall(
        r"^    (fixture \d+), (.*?): (.*)\n      (\w+) should be false: (.*)", out, re.MULTILINE
    )
    assert missed
    assert all(TASK not in item and "=" in item for _, _, item, _, _ in missed)


def test_a_judge_that_fails_its_canaries_decides_nothing_and_fails(project, standin, capsys):
    standin.mode = "yes"
    status, out = audit(capsys)
    assert status == 1
    assert "not to be trusted" in out
    assert re.search(r"^  full +\d+/\d+ .* [1-9]\d*$", out, re.MULTILINE)


def test_a_judge_that_wavers_shows_it_in_its_repeats(project, standin, capsys):
    standin.mode = "noisy"
    project.configure(standin.config(canaries=False))
    _, out = audit(capsys)
    agreed = re.search(r"3 repeats agree on satisfied: (0\.\d+), Fleiss' kappa (-?0\.\d+)", out)
    assert agreed, out
    assert float(agreed[2]) < float(agreed[1]) < 1


def test_the_threshold_decides_the_exit_status(project, standin, capsys):
    standin.mode = "refusing"
    assert audit(capsys, "--threshold=0")[0] == 0
    assert audit(capsys, "--threshold=1")[0] == 1


def test_a_budget_stops_an_audit_which_then_says_so(project, standin, capsys):
    status, out = audit(capsys, "--budget=3calls")
    assert standin.count == 3
    assert status == 1
    assert "budget of 3 calls is used up" in out


def test_rules_are_audited_too_and_say_nothing_about_a_model(project, capsys):
    status, out = audit(capsys, "--judge=rules")
    assert status == 1  # nothing is checked, so rules leave all open
    shutil.copy(ROOT / f"tasks/{TASK}/task.toml", f"tasks/{TASK}/task.toml")
    status, out = audit(capsys, "--judge=rules")
    assert status == 0
    assert "machine checks decide all of them: this says nothing about the judge" in out


def test_a_task_without_fixtures_cannot_be_audited(project, capsys):
    (project.root / f"tasks/{TASK}/fixtures.jsonl").unlink()
    assert main(["audit", f"tasks/{TASK}"]) == 1
    assert "nothing to audit a judge on; write fixtures.jsonl" in capsys.readouterr().err


@pytest.mark.parametrize("bad", ["--threshold=2", "--threshold=x", "--repeats=0", "--mutations=-1"])
def test_options_that_make_no_sense_are_refused(project, capsys, bad):
    with pytest.raises(SystemExit) as stopped:
        audit(capsys, bad)
    assert stopped.value.code == 2
    assert bad.split("=")[0] in capsys.readouterr().err
