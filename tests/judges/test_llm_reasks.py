"""One word that changes asks again exactly what depends on it."""

import pytest
from judge_fakes import AUTHORITY, PAGE, ROLE, FakeModel, ask, judge_of, node_of, question

from pytest_wandr.model import RequirementSpec


def three(**more):
    return [
        question(item={"company": "Ash Foods"}, **more),
        question(item={"company": "Elm Foods"}, page=f"{PAGE}\nElm.", url="https://wire.example/elm", **more),
        question(item={"company": "Oak Foods"}, node=node_of(AUTHORITY, ROLE), **more),
    ]


def asked_again(folder, questions, **changes):
    before = FakeModel(yes=True)
    ask(judge_of(folder, before), *three())
    after = FakeModel(yes=True, **changes)
    ask(judge_of(folder, after), *questions)
    return sorted(after.about())


def test_another_word_of_a_page_asks_its_records_again(tmp_path):
    questions = three()
    questions[1] = question(
        item={"company": "Elm Foods"}, page=f"{PAGE}\nOak.", url="https://wire.example/elm"
    )
    assert asked_again(tmp_path, questions) == ["Elm Foods"]


def test_another_word_of_a_requirement_asks_the_records_that_it_decides(tmp_path):
    questions = three()
    other = RequirementSpec(id="role", text="Says the post.", check=ROLE.check)
    questions[2] = question(item={"company": "Oak Foods"}, node=node_of(AUTHORITY, other))
    assert asked_again(tmp_path, questions) == ["Oak Foods"]


@pytest.mark.parametrize("change", [{"judge_guidance": "Be kind."}, {"instruction": "Find old chiefs."}])
def test_another_word_of_the_task_asks_all_again(tmp_path, change):
    assert asked_again(tmp_path, three(task=change)) == ["Ash Foods", "Elm Foods", "Oak Foods"]


def test_another_model_is_asked_everything(tmp_path):
    assert len(asked_again(tmp_path, three(), model="fake-2")) == 3


def test_another_word_of_the_instructions_asks_all_again(tmp_path, monkeypatch):
    from pytest_wandr.judges.llm import prompt

    ask(judge_of(tmp_path, FakeModel(yes=True)), *three())
    monkeypatch.setattr(prompt, "SYSTEM", prompt.SYSTEM.replace("evidence", "proof"))
    model = FakeModel(yes=True)
    ask(judge_of(tmp_path, model), *three())
    assert model.calls == 3


def test_nothing_else_asks_again(tmp_path):
    ask(judge_of(tmp_path, FakeModel(yes=True)), *three())
    model = FakeModel(yes=True)
    ask(judge_of(tmp_path, model, share=8, canaries=False, at_once=2), *three()[::-1])
    assert model.calls == 0
