"""`wandr estimate` counts the very calls that a run makes, and never asks."""

import re
import shutil
from decimal import Decimal

from pytest_wandr.budget import open_ledger
from pytest_wandr.cli import main
from tests.authoring.conftest import TASK
from tests.judges.wandr_demo import ROOT


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
