"""A run that asks a model tells how far it is: answers, those that decide nothing, and what they cost."""

import os
import re
import subprocess
import sys
import threading
from decimal import Decimal

import pytest
from judge_fakes import FakeModel, ask, asked_about, companies, judge_of

from pytest_wandr.judges import watch_judge
from pytest_wandr.judges.llm.exchange import Unsaid
from pytest_wandr.judges.rules import Rules
from pytest_wandr.progress import Board, Moment, Step, line_of
from pytest_wandr.testing import StandIn, honest
from tests.judges.wandr_demo import Project, spec


class Paid(FakeModel):
    """A model that has cost something before, and costs a quarter of a dollar a call."""

    spent = Decimal("7.5")

    async def say(self, prompt):
        self.spent += Decimal("0.25")
        return await super().say(prompt)


def watched(folder, *models, count=4, **ways):
    steps = []
    judge = judge_of(folder, *models, at_once=1, **ways)
    watch_judge(judge, steps.append)
    ask(judge, *asked_about(companies(count)))
    return steps


def test_every_answer_is_a_step_and_what_others_cost_before_is_none_of_it(tmp_path):
    steps = watched(tmp_path, Paid(yes=True))
    assert steps == [Step("judge", done, 4, spent=0.25 * done) for done in range(5)]


def test_answers_that_decide_nothing_count_as_failures(tmp_path):
    def script(document):
        bad = "2" in document["records"][0]["item"]["company"]
        return Unsaid("refused", "it does not like it") if bad else None

    steps = watched(tmp_path, FakeModel(yes=True, script=script))
    assert [(each.done, each.failures, each.spent) for each in steps] == [
        (0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 1, 0), (4, 1, 0),
    ]  # fmt: skip


def test_records_that_share_a_call_come_together_and_a_panel_costs_the_sum(tmp_path):
    steps = watched(tmp_path, Paid(yes=True), Paid(yes=True, model="fake-2"), share=3)
    assert [(each.done, each.spent) for each in steps] == [(0, 0), (3, 0.5), (4, 1.0)]


def test_what_is_known_costs_nothing_and_canaries_do(tmp_path):
    assert watched(tmp_path, Paid(yes=True))[-1].spent == 1
    assert [each.spent for each in watched(tmp_path, Paid(yes=True))] == [0] * 5
    steps = watched(tmp_path, Paid(), count=1, canaries=True)
    assert steps[0] == Step("judge", 0, 1)
    assert steps[-1].spent > 0


def test_answers_do_not_depend_on_being_watched(tmp_path):
    alone = ask(judge_of(tmp_path / "a", FakeModel()), *asked_about(companies(3)))
    judge = judge_of(tmp_path / "b", FakeModel())
    watch_judge(judge, lambda _: None)
    assert ask(judge, *asked_about(companies(3))) == alone


def test_a_judge_that_tells_nothing_is_left_alone():
    judge = Rules()
    watch_judge(judge, print)
    assert not hasattr(judge, "watch")


def test_the_line_tells_of_answers_and_dollars():
    board = Board()
    note = board.begin()
    note(Step("judge", 3, 10, 1, spent=0.125))
    assert (
        line_of(Moment(8, 0, 0.0, board.tally())) == "0 of 8 tasks, 3 of 10 judged, 1 undecided, $0.12 spent"
    )


CONFTEST = """
from pytest_wandr import watching
watching._PLAIN_SECONDS = 0.05
"""


@pytest.fixture
def held():
    """A stand-in that answers three questions about records, and the others once it is let."""
    task, come, seen = spec("maker_recalls"), threading.Event(), []

    def reply(document):
        if document["task"]["id"] == task.id:
            seen.append(document)
            if len(seen) > 3:
                come.wait(60)
        return honest.reply(document, {task.id: task})

    with StandIn([task], replies={"records": reply}) as server:
        yield server, come
        come.set()


def test_a_plain_run_prints_it(tmp_path, held):
    server, come = held
    project = Project(tmp_path)
    project.add("maker_recalls")
    project.configure(server.config(concurrency=1))
    (tmp_path / "conftest.py").write_text(CONFTEST)
    command = [sys.executable, "-m", "pytest", "-p", "no:asyncio", "-p", "no:hypothesispytest", "tasks"]
    command += ["--wandr-system=oracle-noisy", "--wandr-judge=llm", "--wandr-out=out"]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    run = subprocess.Popen(command, cwd=tmp_path, env=inherited, **pipes)
    printed = []
    try:
        for line in run.stdout:
            printed.append(line)
            if "3 of " in line and "judged" in line:
                break
        come.set()
        printed += run.stdout
        run.wait(60)
    finally:
        run.kill()
        run.communicate()
    text = "".join(printed)
    assert re.search(r"^wandr: 0 of 1 tasks, 3 of \d+ judged, \$\d+\.\d\d spent", text, re.MULTILINE), text
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert files
    assert not any(b" judged, " in path.read_bytes() for path in files)
