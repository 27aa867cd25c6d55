"""The judge llm: what it asks, what it keeps, and what it says when a model gives no usable answer."""

import pytest
from judge_fakes import (
    FakeModel,
    ask,
    asked_about,
    codes,
    companies,
    judge_of,
    one,
    parts,
    question,
)

from pytest_wandr.errors import BudgetExceeded
from pytest_wandr.judges.llm import answers
from pytest_wandr.judges.llm.exchange import Unsaid


def test_a_yes_with_its_words_is_a_yes(tmp_path):
    answer = one(judge_of(tmp_path, FakeModel()))
    assert parts(answer) == (True, True)
    assert answer.confidence == 3
    assert answer.valid.value is True


def test_a_no_is_a_no_and_says_why(tmp_path):
    answer = one(judge_of(tmp_path, FakeModel(yes=False)))
    assert parts(answer) == (False, False)
    assert "it says nothing of it" in answer.requirements[0].satisfied.reason


def test_nothing_is_asked_without_questions(tmp_path):
    model = FakeModel()
    assert ask(judge_of(tmp_path, model, canaries=True)) == []
    assert model.calls == 0
    assert not list(tmp_path.iterdir())


def test_the_second_run_asks_nothing_and_says_the_same(tmp_path):
    questions = asked_about(companies(5))
    first, second = FakeModel(), FakeModel()
    answers_1 = ask(judge_of(tmp_path, first, canaries=True), *questions)
    stored = (tmp_path / "appointments" / answers.FILE).read_bytes()
    answers_2 = ask(judge_of(tmp_path, second, canaries=True), *questions)
    assert (first.calls, second.calls) == (7, 0)
    assert answers_1 == answers_2
    assert (tmp_path / "appointments" / answers.FILE).read_bytes() == stored


@pytest.mark.parametrize("hands", [1, 3, 50])
def test_neither_order_nor_how_many_at_once_matters(tmp_path, hands):
    names = companies(9)
    yes = {name: at % 2 == 0 for at, name in enumerate(names)}
    files = []
    for folder, ordered in (("a", names), ("b", names[::-1])):
        model = FakeModel(yes=lambda record, _: yes[record["item"]["company"]])
        said = ask(judge_of(tmp_path / folder, model, at_once=hands), *asked_about(ordered))
        assert [parts(answer)[0] for answer in said] == [yes[name] for name in ordered]
        files.append((tmp_path / folder / "appointments" / answers.FILE).read_bytes())
    assert files[0] == files[1]


def test_records_that_are_sent_alike_are_paid_for_once(tmp_path):
    model = FakeModel()
    alike = [question(cited=f"https://wire.example/{at}") for at in range(20)]
    said = ask(judge_of(tmp_path, model), *alike)
    assert model.calls == 1
    assert {parts(answer) for answer in said} == {(True, True)}


@pytest.mark.parametrize("code", ["refused", "unreadable", "bad_schema", "judge_down", "judge_failed"])
def test_no_answer_is_undecided_with_its_own_cause(tmp_path, code):
    model = FakeModel(script=lambda document: Unsaid(code, "for a reason"))
    answer = one(judge_of(tmp_path, model))
    assert parts(answer) == (None, None)
    assert codes(answer) == {code}
    assert answer.requirements[0].satisfied.reason == "for a reason"
    assert model.calls == 1


def test_one_that_fails_costs_the_others_nothing(tmp_path):
    def script(document):
        bad = document["records"][0]["item"]["company"] == "Number 1 Foods"
        return Unsaid("judge_down", "gone") if bad else None

    said = ask(judge_of(tmp_path, FakeModel(yes=True, script=script)), *asked_about(companies(4)))
    assert [parts(answer)[0] for answer in said] == [True, None, True, True]


def test_a_reply_that_was_cut_off_gets_twice_the_room_once(tmp_path):
    def script(document):
        return Unsaid("cut_off", "too long") if model.prompts[-1].max_tokens < 2_000 else None

    model = FakeModel(script=script)
    assert parts(one(judge_of(tmp_path, model))) == (True, True)
    assert [prompt.max_tokens for prompt in model.prompts] == [1_000, 2_000]
    again = FakeModel()
    one(judge_of(tmp_path, again))
    assert again.calls == 0


def test_a_reply_that_is_cut_off_twice_is_undecided(tmp_path):
    model = FakeModel(script=lambda document: Unsaid("cut_off", "too long"))
    assert codes(one(judge_of(tmp_path, model))) == {"cut_off"}
    assert model.calls == 2


def test_a_server_that_refuses_more_room_leaves_the_reply_cut_off(tmp_path):
    said = iter([Unsaid("cut_off", "too long"), Unsaid("judge_failed", "at most 1000")])
    answer = one(judge_of(tmp_path, FakeModel(script=lambda document: next(said))))
    assert codes(answer) == {"cut_off"}


def test_failures_are_not_stored_so_the_next_run_tries_again(tmp_path):
    for script in (
        lambda document: Unsaid("refused", "no"),
        lambda document: "no json",
        lambda document: "{}",
    ):
        one(judge_of(tmp_path, FakeModel(script=script)))
        assert not (tmp_path / "appointments").exists()
    model = FakeModel()
    assert parts(one(judge_of(tmp_path, model))) == (True, True)
    assert model.calls == 1


def test_what_failed_is_not_paid_for_twice_in_one_run(tmp_path):
    model = FakeModel(script=lambda document: "no json")
    alike = [question(cited=f"https://wire.example/{at}") for at in range(5)]
    said = ask(judge_of(tmp_path, model), *alike)
    assert model.calls == 1
    assert {code for answer in said for code in codes(answer)} == {"unreadable"}


@pytest.mark.parametrize("raised", [True, False])
def test_a_spent_budget_ends_the_asking(tmp_path, raised):
    class Poor(FakeModel):
        tried = 0

        async def say(self, prompt):
            self.tried += 1
            if self.calls < 3:
                return await super().say(prompt)
            if raised:
                raise BudgetExceeded("the budget of 3 calls is spent")
            return Unsaid("no_budget", "the budget of 3 calls is spent")

    model = Poor(yes=True)
    said = ask(judge_of(tmp_path, model, at_once=1), *asked_about(companies(200)))
    assert model.tried == 4
    assert [parts(answer)[0] for answer in said] == [True] * 3 + [None] * 197
    assert codes(said[-1]) == {"no_budget"}
    assert "3 calls is spent" in said[-1].requirements[0].satisfied.reason
    rich = FakeModel(yes=True)
    assert {parts(a)[0] for a in ask(judge_of(tmp_path, rich), *asked_about(companies(200)))} == {True}
    assert rich.calls == 197


def test_a_budget_that_is_spent_leaves_known_answers_alone(tmp_path):
    names = companies(4)
    ask(judge_of(tmp_path, FakeModel(yes=True)), *asked_about(names[2:]))
    model = FakeModel(script=lambda document: Unsaid("no_budget", "spent"))
    said = ask(judge_of(tmp_path, model, at_once=1), *asked_about(names))
    assert [parts(answer)[0] for answer in said] == [None, None, True, True]
    assert model.calls == 1


def test_a_record_that_is_longer_than_any_page_is_not_sent(tmp_path):
    model = FakeModel()
    answer = one(judge_of(tmp_path, model), question(excerpts=["word " * 20_000]))
    assert codes(answer) == {"record_too_long"}
    assert "tokens" in answer.requirements[0].satisfied.reason
    assert model.calls == 0


def test_an_error_while_asking_loses_nothing_that_was_paid_for(tmp_path):
    class Breaks(FakeModel):
        async def say(self, prompt):
            if self.calls == 2:
                raise RuntimeError("boom")
            return await super().say(prompt)

    with pytest.raises(RuntimeError, match="boom"):
        ask(judge_of(tmp_path, Breaks(yes=True), at_once=1), *asked_about(companies(5)))
    model = FakeModel(yes=True)
    ask(judge_of(tmp_path, model), *asked_about(companies(5)))
    assert model.calls == 3
