"""`wandr estimate` counts the very calls that a run makes, and never asks."""

import re
import shutil
from decimal import Decimal

import pytest

from pytest_wandr.budget import open_ledger
from pytest_wandr.cli import main
from pytest_wandr.testing import StandIn
from tests import test_naming as names
from tests.authoring.conftest import TASK
from tests.judges.wandr_demo import ROOT, Project, spec


def estimate(capsys, *options):
    assert main(["estimate", *options]) == 0
    return capsys.readouterr().out


def row(out, name):
    """records, answered, calls, tokens in, tokens out, about, at most"""
    return re.search(
        rf"^{name} +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +\$(\S+) +\$(\S+)", out, re.MULTILINE
    ).groups()


def test_a_delivered_run_is_counted_call_by_call_and_what_was_paid_for_is_not(project, standin, capsys):
    project.evaluate(TASK)
    made = standin.count - 2  # two canaries come on top
    spent = open_ledger(project.out / ".judge-run", "").totals()
    (project.cassettes / TASK / "answers.jsonl").rename(project.root / "kept.jsonl")
    (project.cassettes / TASK / "verdicts.jsonl").unlink()
    out = estimate(capsys, "--results=out")
    records, answered, calls, tokens_in, _, about, most = row(out, TASK)
    assert int(records) >= int(calls) == made > 0
    assert answered == "0"
    assert Decimal(about) <= Decimal(most)
    assert Decimal(spent.dollars) <= Decimal(most) + Decimal("0.02")
    assert int(tokens_in) > made * 100
    (project.root / "kept.jsonl").rename(project.cassettes / TASK / "answers.jsonl")
    out = estimate(capsys, "--results=out")
    assert row(out, TASK)[1:3] == (str(made), "0")
    assert standin.count == made + 2


def test_three_votes_and_two_members_ask_six_times(project, standin, capsys):
    project.evaluate(TASK, project.judge("rules"))
    once = int(row(estimate(capsys, "--results=out"), TASK)[2])
    second = standin.config(table="tool.wandr.judges.second", model="stand-in-2")
    first = standin.config(table="tool.wandr.judges.first")
    project.configure(f'{first}{second}[tool.wandr.judge]\npanel = ["first", "second"]\nvotes = 3\n')
    assert int(row(estimate(capsys, "--results=out"), TASK)[2]) == 6 * once


def test_without_results_the_fixtures_stand_for_the_records(project, standin, capsys):
    out = estimate(capsys)
    records, _, calls, *_ = row(out, TASK)
    assert records == calls
    assert re.search(rf"^{TASK}.*prompts of \d+ fixtures$", out, re.MULTILINE)
    assert row(out, "all")[2] == calls
    (project.root / f"tasks/{TASK}/fixtures.jsonl").unlink()
    longest = estimate(capsys)
    assert "pages as long as allowed" in longest
    assert int(row(longest, TASK)[3]) > int(row(out, TASK)[3])
    assert standin.count == 0


def test_a_task_that_checks_decide_costs_nothing_and_a_missing_price_is_told(project, standin, capsys):
    shutil.copy(ROOT / f"tasks/{TASK}/task.toml", f"tasks/{TASK}/task.toml")
    project.configure(standin.config().replace("price", "# price"))
    out = estimate(capsys, "tasks")
    assert "machine checks decide all" in out
    assert "no price" in out
    assert "$" not in out


def test_results_that_are_not_there_are_an_error(project, capsys):
    assert main(["estimate", "--results=nowhere"]) == 1
    assert f"nowhere holds no results for {TASK}" in capsys.readouterr().err


def test_records_with_a_stored_verdict_of_this_very_judge_are_not_counted(project, standin, capsys):
    project.evaluate(TASK)
    (project.cassettes / TASK / "answers.jsonl").unlink()
    out = estimate(capsys, "--results=out")
    records, answered, calls, *_ = row(out, TASK)
    assert (answered, calls) == ("0", "0")
    assert f"delivered records, {records} of them judged before" in out
    project.configure(standin.config(votes=3))
    again = estimate(capsys, "--results=out")
    assert int(row(again, TASK)[2]) > 0
    assert "judged before" not in again


def test_a_record_that_came_later_is_counted_alone(project, standin, capsys):
    project.evaluate(TASK)
    lines = (project.cassettes / TASK / "verdicts.jsonl").read_bytes().splitlines(keepends=True)
    paid = [line for line in lines if b"stand-in" in line]
    (project.cassettes / TASK / "answers.jsonl").unlink()
    for line in paid:
        (project.cassettes / TASK / "verdicts.jsonl").write_bytes(
            b"".join(each for each in lines if each != line)
        )
        out = estimate(capsys, "--results=out")
        if row(out, TASK)[2] == "1":
            break
    else:
        raise AssertionError("no record of which a judge is asked")
    assert f", {int(row(out, TASK)[0]) - 1} of them judged before" in out


@pytest.fixture
def named(tmp_path, monkeypatch):
    """A project with two names that look alike, and a stand-in that says they are one."""
    with StandIn([spec(names.TASK)], replies=names.words("true")) as server:
        made = Project(tmp_path)
        made.add(names.TASK)
        made.configure(server.config(confirm_names=True))
        monkeypatch.chdir(tmp_path)
        yield made, server


def test_calls_about_names_that_look_alike_are_counted(named, capsys):
    project, server = named
    project.evaluate(names.TASK, system=names.agent)
    made = server.count - 2  # the canaries
    folder = project.cassettes / names.TASK
    kept = {name: (folder / name).read_bytes() for name in ("answers.jsonl", "names.jsonl", "verdicts.jsonl")}
    for name in kept:
        (folder / name).unlink()
    out = estimate(capsys, "--results=out")
    assert int(row(out, names.TASK)[2]) == made
    assert ", 1 list of names that look alike" in out
    (folder / "verdicts.jsonl").write_bytes(kept["verdicts.jsonl"])
    assert row(estimate(capsys, "--results=out"), names.TASK)[2] == "1"
    (folder / "answers.jsonl").write_bytes(kept["answers.jsonl"])
    assert row(estimate(capsys, "--results=out"), names.TASK)[1:3] == ("1", "0")
    (folder / "answers.jsonl").unlink()
    (folder / "names.jsonl").write_bytes(kept["names.jsonl"])
    out = estimate(capsys, "--results=out")
    assert row(out, names.TASK)[1:3] == ("0", "0")
    assert "of names" not in out


def test_without_the_option_names_are_not_counted_and_without_results_it_is_told(named, capsys):
    project, server = named
    project.evaluate(names.TASK, project.judge("rules"), system=names.agent)
    with_names = int(row(estimate(capsys, "--results=out"), names.TASK)[2])
    assert "fixtures, without calls about names" in estimate(capsys)
    project.configure(server.config())
    assert int(row(estimate(capsys, "--results=out"), names.TASK)[2]) == with_names - 1
    assert "about names" not in estimate(capsys)
