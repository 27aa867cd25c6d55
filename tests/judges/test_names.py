"""What a model is asked about names that look alike, and what of its reply is used."""

import asyncio
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_fakes import FakeModel, judge_of

from pytest_wandr.judges import ConfirmsNames
from pytest_wandr.judges.llm import names as asked_names
from pytest_wandr.judges.llm.exchange import Said, Unsaid
from pytest_wandr.judges.llm.names import MOST_NAMES, MOST_PAIRS, SCHEMA, SYSTEM, prompt_of, read_pairs
from pytest_wandr.judges.llm.prompt import Limits
from pytest_wandr.judges.llm.schema import BadReply
from pytest_wandr.judges.replay import Replay
from pytest_wandr.judges.rules import Rules
from pytest_wandr.model import KeySpec, NameList, NamePair, NodeSpec, TaskSpec, canonical_json
from pytest_wandr.naming import NAMES_VERSION

KEY = KeySpec(name="company", kind="company", required=2)
TASK = TaskSpec(
    id="firms",
    title="Firms of the valley",
    nodes=(NodeSpec(name="main", keys=(KEY, KeySpec(name="url", required=1))),),
)


def name_list(*pairs, names=None, under=((),), further=()):
    found = [NamePair(a=a, b=b, further=further, reason="group") for a, b in pairs]
    listed = names or sorted({name for pair in pairs for name in pair})
    return NameList(
        node="main", key="company", kind="company", under=under, names=tuple(listed), pairs=tuple(found)
    )


ONE = name_list(("Arvado", "Arvado Group"))


def saying(*words, reason="because"):
    """A script that answers the pairs of every document with these words, in their order."""

    def script(document):
        entries = [
            {"id": pair["id"], "reason": reason, "same": word}
            for pair, word in zip(document["pairs"], words * len(document["pairs"]), strict=False)
        ]
        return json.dumps({"pairs": entries})

    return script


def in_turn(*words):
    """A script that answers one document after the other, each with one word."""
    left = iter(words)

    def script(document):
        return saying(next(left))(document)

    return script


def confirm(judge, *lists):
    return list(asyncio.run(judge.confirm(TASK, lists)))


def words(judge, *lists):
    return [(verdict.same, verdict.code) for verdict in confirm(judge, *lists)]


# -- what is asked ------------------------------------------------------------------------------------------


def test_a_list_is_one_document_with_its_names_and_the_pairs_that_look_alike(tmp_path):
    model = FakeModel(script=saying("true"))
    asked = name_list(
        ("Arvado", "Arvado Group"), names=["Arvado", "Arvado Group", "Cindrale"], under=((("Valley",),),)
    )
    confirm(judge_of(tmp_path, model), asked)
    assert model.documents == [
        {
            "task": {"id": "firms", "title": "Firms of the valley"},
            "kind": "company",
            "key": "company",
            "found_under": [["Valley"]],
            "names": ["Arvado", "Arvado Group", "Cindrale"],
            "left_out": 0,
            "hints": [],
            "pairs": [{"id": "p1", "a": "Arvado", "b": "Arvado Group"}],
        }
    ]
    (prompt,) = model.prompts
    assert (prompt.system, prompt.schema) == (SYSTEM, SCHEMA)


def test_further_fields_are_shown_with_the_names():
    prompt = prompt_of(TASK, ONE, name_list(("Arvado", "Arvado Group"), further=("1965", "")).pairs, 100)
    assert json.loads(prompt.document)["pairs"][0]["a"] == "Arvado (1965)"


def test_a_very_long_list_is_told_by_the_names_of_its_pairs():
    many = [f"Firm {at}" for at in range(MOST_NAMES + 1)]
    prompt = prompt_of(TASK, name_list(("Firm 1", "Firm 2"), names=many), ONE.pairs, 100)
    document = json.loads(prompt.document)
    assert document["names"] == ["Arvado", "Arvado Group"]
    assert document["left_out"] == MOST_NAMES - 1


def test_long_names_are_told_without_the_rest_of_their_list(tmp_path):
    model = FakeModel(script=saying("true"))
    judge = judge_of(tmp_path, model, limits=Limits(page_tokens=500, max_tokens=100))
    asked = name_list(
        ("Arvado", "Arvado Group"), names=[f"Firm {at} of the upper valley" for at in range(90)]
    )
    assert words(judge, asked) == [(True, "judged")]
    assert model.documents[0]["names"] == ["Arvado", "Arvado Group"]
    assert len(model.prompts[0].document) / 3 <= 500


def test_names_without_end_are_not_sent_and_stay_distinct(tmp_path):
    model = FakeModel(script=saying("true"))
    judge = judge_of(tmp_path, model, limits=Limits(page_tokens=500, max_tokens=100))
    (found,) = asyncio.run(judge.confirm(TASK, [name_list(("Arvado", "Arvado " + "Group " * 1000))]))
    assert (found.same, found.code, model.prompts) == (None, "names_too_long", [])
    assert "a judge is shown 500 at most" in found.reason


def test_more_pairs_than_fit_into_a_call_are_asked_in_several(tmp_path):
    pairs = [(f"Firm {at}", f"Firm {at} Group") for at in range(MOST_PAIRS + 2)]
    model = FakeModel(script=saying("true"))
    assert len(words(judge_of(tmp_path, model), name_list(*pairs))) == MOST_PAIRS + 2
    assert [len(document["pairs"]) for document in model.documents] == [MOST_PAIRS, 2]


@given(st.text(st.characters(codec=None), min_size=1))
def test_a_name_stays_within_its_own_string(name):
    document = prompt_of(TASK, name_list((name, name + "x")), name_list((name, name + "x")).pairs, 9).document
    assert document.isascii()
    assert not set("<>&") & set(document)
    assert [*json.loads(document)] == [
        "task", "kind", "key", "found_under", "names", "left_out", "hints", "pairs"
    ]  # fmt: skip


def test_changed_instructions_come_with_a_new_version():
    """What is stored says nothing of other instructions: raise `NAMES_VERSION` and write the digest here."""
    told = hashlib.sha256(canonical_json([SYSTEM, dict(SCHEMA)]).encode()).hexdigest()
    assert (NAMES_VERSION, told[:16]) == (1, "5537f532dea949ba")


# -- what is used of the reply ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "same", "code"),
    [("true", True, "judged"), ("false", False, "judged"), ("unsure", None, "unsure")],
)
def test_only_a_clear_yes_makes_two_names_one(word, same, code, tmp_path):
    (verdict,) = confirm(judge_of(tmp_path, FakeModel(script=saying(word))), ONE)
    assert (verdict.same, verdict.code, verdict.reason) == (same, code, "because")
    assert (verdict.node, verdict.key, verdict.under) == ("main", "company", ((),))


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        ("yes", "unreadable"),
        ('```json\n{"pairs": []}\n```', "unreadable"),
        ('{"pairs": []}', "bad_schema"),
        ('{"pairs": [{"id": "p1", "same": "true"}]}', "bad_schema"),
        ('{"pairs": [{"id": "p1", "reason": "", "same": true}]}', "bad_schema"),
        ('{"pairs": [{"id": "p1", "reason": "", "same": "yes"}]}', "bad_schema"),
        ('{"pairs": [{"id": "p2", "reason": "", "same": "true"}]}', "bad_schema"),
        ('{"pairs": [{"id": "p1", "reason": "", "same": "true", "sure": 1}]}', "bad_schema"),
    ],
)
def test_a_reply_of_another_shape_decides_nothing(reply, code, tmp_path):
    assert words(judge_of(tmp_path, FakeModel(script=lambda _: reply)), ONE) == [(None, code)]


def test_a_pair_that_is_answered_twice_is_answered_not_at_all():
    entry = {"id": "p1", "reason": "", "same": "true"}
    with pytest.raises(BadReply):
        read_pairs(json.dumps({"pairs": [entry, entry]}), 1)


@pytest.mark.parametrize("code", ["refused", "cut_off", "no_budget", "judge_down", "judge_failed"])
def test_no_answer_leaves_names_apart_with_its_cause(code, tmp_path):
    model = FakeModel(script=lambda _: Unsaid(code, f"it was {code}"))
    (verdict,) = confirm(judge_of(tmp_path, model), ONE)
    assert (verdict.same, verdict.code, verdict.reason) == (None, code, f"it was {code}")


def test_pairs_may_come_back_in_any_order(tmp_path):
    asked = name_list(("Arvado", "Arvado Group"), ("Belmorix", "Belmorix Group"))

    def script(_):
        entries = [
            {"id": name, "reason": name, "same": word} for name, word in (("p2", "false"), ("p1", "true"))
        ]
        return json.dumps({"pairs": entries})

    found = confirm(judge_of(tmp_path, FakeModel(script=script)), asked)
    assert [(verdict.a, verdict.same, verdict.reason) for verdict in found] == [
        ("Arvado", True, "p1"),
        ("Belmorix", False, "p2"),
    ]


def test_long_reasons_are_cut_and_cleaned(tmp_path):
    (verdict,) = confirm(
        judge_of(tmp_path, FakeModel(script=saying("true", reason="\u202ea\n b" * 300))), ONE
    )
    assert len(verdict.reason) == 300
    assert verdict.reason.startswith("a ba ba b")


# -- samples, members, canaries, what is kept ----------------------------------------------------------


def test_most_samples_decide_about_names_too(tmp_path):
    model = FakeModel(script=in_turn("true", "unsure", "true"))
    judge = judge_of(tmp_path, model, votes=3)
    assert words(judge, ONE) == [(True, "judged")]
    assert model.calls == 3


def test_a_minority_of_samples_decides_nothing(tmp_path):
    model = FakeModel(script=in_turn("true", "unsure", "false"))
    assert words(judge_of(tmp_path, model, votes=3), ONE) == [(None, "no_majority")]


def test_a_stored_sample_is_one_sample_whatever_happens(tmp_path):
    """Asked again with more votes, only the samples that were never drawn are drawn."""
    first = FakeModel(script=saying("true"))
    confirm(judge_of(tmp_path, first, votes=3), ONE)
    again = FakeModel(script=saying("false"))
    assert words(judge_of(tmp_path, again, votes=3), ONE) == [(True, "judged")]
    assert again.calls == 0
    assert words(judge_of(tmp_path, again, votes=5), ONE) == [(True, "judged")]
    assert again.calls == 2


def test_an_equal_list_is_asked_about_once(tmp_path):
    model = FakeModel(script=saying("true"))
    assert words(judge_of(tmp_path, model), ONE, ONE) == [(True, "judged")] * 2
    assert model.calls == 1


def test_who_fails_its_canaries_is_not_asked_about_names(tmp_path):
    model = FakeModel(yes=True, script=saying("true"))
    assert words(judge_of(tmp_path, model, canaries=True), ONE) == [(None, "judge_untrusted")]
    assert model.documents == []


def test_a_judge_is_asked_where_the_user_or_the_author_wants_it(tmp_path):
    plain, all_keys = judge_of(tmp_path, FakeModel()), judge_of(tmp_path, FakeModel(), confirm_names=True)
    wanted = KEY.model_copy(update={"confirm": True})
    assert [judge.confirms(key) for judge in (plain, all_keys) for key in (KEY, wanted)] == [
        False, True, True, True
    ]  # fmt: skip
    assert plain.identity != all_keys.identity
    assert isinstance(plain, ConfirmsNames)
    assert not isinstance(Rules(), ConfirmsNames)
    assert not isinstance(Replay(), ConfirmsNames)


def test_a_stored_reply_of_another_shape_decides_nothing(tmp_path, monkeypatch):
    confirm(judge_of(tmp_path, FakeModel(script=saying("true"))), ONE)
    monkeypatch.setattr(asked_names, "read_pairs", _refuse)
    assert words(judge_of(tmp_path, FakeModel(script=lambda _: Said("{}"))), ONE) == [(None, "bad_schema")]


def _refuse(text, count):
    raise BadReply("bad_schema", f"{count} of {len(text)}")
