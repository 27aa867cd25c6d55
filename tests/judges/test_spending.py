"""What a run says of its money."""

import json
from decimal import Decimal

import pytest

from pytest_wandr.budget import FOLDER, Spent, Usage, open_ledger
from pytest_wandr.reports.spending import FILE, amount, begin_spending, end_spending, spending_lines


def told(spent, budget=""):
    return [line.text for line in spending_lines(spent, budget)]


SPENT = Spent(312, 1_234_567, 45_678, "3.4149")


@pytest.mark.parametrize(
    ("spent", "budget", "line"),
    [
        (SPENT, "5.00", "judge: 312 calls, 1.2 M tokens in, 45 k out, $3.41 of $5.00"),
        (SPENT, "", "judge: 312 calls, 1.2 M tokens in, 45 k out, $3.41"),
        (SPENT, "400calls,5", "judge: 312 of 400 calls, 1.2 M tokens in, 45 k out, $3.41 of $5.00"),
        (Spent(3, 900, 7), "", "judge: 3 calls, 900 tokens in, 7 out"),
        (
            Spent(1, 9, 7, unknown=1),
            "1calls",
            "judge: 1 of 1 call, 9 tokens in, 7 out, 1 call counted at the worst",
        ),
        (Spent(0, notes=("n",)), "5.00", "judge: 0 calls, 0 tokens in, 0 out, $0.00 of $5.00"),
        (
            Spent(3, 0, 0, "0.5", unknown=2),
            "",
            "judge: 3 calls, 0 tokens in, 0 out, $0.50, 2 calls counted at the worst",
        ),
    ],
)
def test_one_line_says_what_was_spent(spent, budget, line):
    assert told(spent, budget)[0] == line


def test_notes_follow_and_cannot_fool_the_terminal():
    assert told(Spent(1, notes=("\x1b[2Jgone\nnext",)))[1].startswith("note judge: ")
    assert all(line.isprintable() for line in told(Spent(1, notes=("\x1b[2Jgone\nnext",))))


def test_nothing_is_said_of_nothing():
    assert told(Spent(), "5.00") == []


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (999, "999"), (1000, "1.0 k"), (9999, "9.9 k"), (45_678, "45 k"), (1_200_000, "1.2 M")],
)
def test_amounts_are_short(number, text):
    assert amount(number) == text


def spend(out):
    ledger = open_ledger(out / FOLDER, "")
    ledger.settle(ledger.reserve(Decimal(0)), None, Usage(7, 3))


def test_what_was_spent_is_written_and_the_ledger_is_gone(tmp_path):
    spend(tmp_path)
    assert end_spending(tmp_path, "9calls", ended=True) == Spent(1, 7, 3)
    assert json.loads((tmp_path / FILE).read_text()) == {
        "calls": 1, "input": 7, "output": 3, "dollars": "0", "unknown": 0, "notes": [], "budget": "9calls",
    }  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_an_interrupted_run_keeps_its_ledger_and_a_resumed_one_goes_on_with_it(tmp_path):
    spend(tmp_path)
    end_spending(tmp_path, "", ended=False)
    begin_spending(tmp_path, resume=True)
    spend(tmp_path)
    assert end_spending(tmp_path, "", ended=False).calls == 2
    begin_spending(tmp_path, resume=False)
    assert list(tmp_path.iterdir()) == []
    spend(tmp_path)
    assert end_spending(tmp_path, "", ended=True).calls == 1


def test_without_a_paid_judge_nothing_is_written(tmp_path):
    begin_spending(tmp_path, resume=False)
    assert end_spending(tmp_path, "5.00", ended=True) == Spent()
    assert list(tmp_path.iterdir()) == []
