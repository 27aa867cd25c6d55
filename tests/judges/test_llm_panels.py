"""Samples, members, canaries, and the name under which verdicts are stored."""

import json
from itertools import permutations

import pytest
from judge_fakes import (
    LIMITS,
    FakeModel,
    ask,
    asked_about,
    codes,
    companies,
    entry,
    judge_of,
    one,
    parts,
)

from pytest_wandr.judges import identity_of
from pytest_wandr.judges.llm.exchange import Unsaid


def test_samples_are_asked_and_kept_apart(tmp_path):
    turn = iter([True, False, True])
    model = FakeModel(script=lambda document: says(document, yes=next(turn)))
    answer = one(judge_of(tmp_path, model, votes=3))
    assert parts(answer)[0] is True
    assert answer.votes["authority.satisfied"] in set(permutations((True, True, False)))
    again = FakeModel()
    assert one(judge_of(tmp_path, again, votes=3)) == answer
    assert again.calls == 0
    more = FakeModel(yes=False)
    assert parts(one(judge_of(tmp_path, more, votes=5)))[0] is False
    assert more.calls == 2


def says(document, **more):
    return json.dumps({"records": [entry(record, **more) for record in document["records"]]})


def test_members_vote_in_their_order(tmp_path):
    models = [
        FakeModel(yes=True, model="a"),
        FakeModel(yes=False, model="b"),
        FakeModel(yes=False, model="c"),
    ]
    answer = one(judge_of(tmp_path, *models))
    assert answer.votes["authority.satisfied"] == (True, False, False)
    assert parts(answer) == (False, False)


def test_canaries_are_asked_first_and_once_for_a_task(tmp_path):
    model = FakeModel()
    judge = judge_of(tmp_path, model, canaries=True)
    assert parts(one(judge)) == (True, True)
    assert [json.loads(p.document)["task"]["id"] for p in model.prompts] == ["wandr_canaries"] * 2 + [
        "appointments"
    ]
    assert judge.take_notes() == ()


@pytest.mark.parametrize(
    ("yes", "why"), [(True, "it says yes to a record"), (False, "it says no to a record")]
)
def test_a_model_that_fails_a_canary_is_not_asked_about_anything_else(tmp_path, yes, why):
    model = FakeModel(yes=yes)
    judge = judge_of(tmp_path, model, canaries=True)
    answer = one(judge)
    assert parts(answer) == (None, None)
    assert codes(answer) == {"judge_untrusted"}
    assert why in answer.requirements[0].satisfied.reason
    assert model.documents == []
    assert len(judge.take_notes()) == 1
    assert judge.take_notes() == ()


def test_a_member_that_fails_a_canary_leaves_the_others_their_votes(tmp_path):
    models = [FakeModel(model="a"), FakeModel(yes=True, model="b"), FakeModel(model="c")]
    answer = one(judge_of(tmp_path, *models, canaries=True))
    assert parts(answer) == (True, True)
    assert answer.votes["authority.satisfied"] == (True, None, True)


def test_a_canary_without_budget_ends_the_asking(tmp_path):
    class Poor(FakeModel):
        async def say(self, prompt):
            self.prompts.append(prompt)
            return Unsaid("no_budget", "spent")

    model = Poor()
    said = ask(judge_of(tmp_path, model, canaries=True), *asked_about(companies(10)))
    assert {code for answer in said for code in codes(answer)} == {"no_budget"}
    assert model.calls == 1


def test_a_canary_that_gets_no_answer_is_told(tmp_path):
    class Shy(FakeModel):
        async def say(self, prompt):
            said = await super().say(prompt)
            return Unsaid("refused", "it would not") if "canaries" in prompt.document else said

    judge = judge_of(tmp_path, Shy(), canaries=True)
    assert parts(one(judge)) == (True, True)
    notes = judge.take_notes()
    assert len(notes) == 2
    assert all("it would not" in note for note in notes)


def test_identity_names_the_model_and_changes_with_what_matters(tmp_path):
    base = identity_of(judge_of(tmp_path, FakeModel()))
    assert base.startswith("llm:fake-1#")
    assert len(base) == len("llm:fake-1#") + 8
    same = judge_of(tmp_path / "elsewhere", FakeModel(), share=8, at_once=1)
    assert identity_of(same) == base
    others = [
        judge_of(tmp_path, FakeModel(model="fake-2")),
        judge_of(tmp_path, FakeModel(), votes=3),
        judge_of(tmp_path, FakeModel(), canaries=True),
        judge_of(tmp_path, FakeModel(), FakeModel()),
        judge_of(tmp_path, FakeModel(), limits=type(LIMITS)(page_tokens=500, max_tokens=1_000)),
        judge_of(tmp_path, FakeModel(), limits=type(LIMITS)(page_tokens=12_000, max_tokens=500)),
    ]
    assert len({base, *map(identity_of, others)}) == 7


def test_identity_changes_with_a_word_of_the_instructions(tmp_path, monkeypatch):
    from pytest_wandr.judges.llm import llm

    before = identity_of(judge_of(tmp_path, FakeModel()))
    monkeypatch.setattr(llm, "SYSTEM", llm.SYSTEM.replace("evidence", "proof"))
    assert identity_of(judge_of(tmp_path, FakeModel())) != before
