"""The judge that asks nobody."""

import asyncio

import pytest

from pytest_wandr import judges
from pytest_wandr.errors import JudgeError
from pytest_wandr.judges import Question
from pytest_wandr.judges.rules import Rules, undecidable
from pytest_wandr.model import (
    KeySpec,
    Mentions,
    NodeSpec,
    Record,
    RequirementSpec,
    TaskSpec,
)

KEYS = (KeySpec(name="company", kind="company", required=1), KeySpec(name="url", required=1))
CHECK = Mentions(mentions=("company",))
DECISIVE = RequirementSpec(id="names", text="Names it.", check=CHECK, decisive=True)
CEILING = RequirementSpec(id="role", text="Says the role.", check=CHECK)
OPEN = RequirementSpec(id="authority", text="Comes from the issuer.")


def task_of(*nodes):
    return TaskSpec(
        id="t", nodes=tuple(NodeSpec(name=name, keys=KEYS, requirements=specs) for name, specs in nodes)
    )


def question_of(task, *open_ids):
    record = Record(node="main", item={"company": "Birch"}, url="https://wire.example/")
    return Question(task, task.main, record, record.url, "text", open_ids, ())


def test_every_open_requirement_needs_a_judge_and_is_named():
    task = task_of(("main", (DECISIVE, CEILING, OPEN)))
    (answer,) = asyncio.run(Rules().ask([question_of(task, "role", "authority")]))
    assert [verdict.id for verdict in answer.requirements] == ["role", "authority"]
    for verdict in answer.requirements:
        assert (verdict.satisfied.value, verdict.supported.value) == (None, None)
        assert verdict.satisfied.code == "needs_judge"
    assert "authority" in answer.requirements[1].satisfied.reason
    assert "Comes from the issuer." in answer.requirements[1].satisfied.reason


def test_it_answers_every_question_in_order():
    task = task_of(("main", (CEILING, OPEN)))
    answers = asyncio.run(
        Rules().ask([question_of(task, "role"), question_of(task, "authority"), question_of(task)])
    )
    assert [[v.id for v in answer.requirements] for answer in answers] == [["role"], ["authority"], []]


def test_undecidable_lists_what_no_check_decides_alone():
    task = task_of(("main", (DECISIVE, CEILING, OPEN)), ("main.listing", (OPEN,)))
    assert undecidable(task) == ("main: role", "main: authority", "main.listing: authority")


def test_a_task_of_decisive_checks_needs_no_other_judge():
    assert undecidable(task_of(("main", (DECISIVE,)))) == ()


def test_built_in_judges_are_found_by_name_and_others_are_refused_with_a_hint():
    assert judges.resolve("rules").name == "rules"
    with pytest.raises(JudgeError, match="pytest_wandr_make_judge"):
        judges.resolve("oracle")
