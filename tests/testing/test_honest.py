"""An honest stand-in decides as the machine checks do, and quotes what decides."""

import pytest

from pytest_wandr.testing import StandIn
from pytest_wandr.testing.honest import cases, excerpt_quote, narrow, page_quote, reply
from pytest_wandr.testing.naming import all_the_same, same_names
from tests.testing.conftest import IDS, PAGE, TASK, make_document

TASKS = {TASK.id: TASK}


def judged(document):
    return reply(document, TASKS)["records"][0]


def parts(document):
    return {each["id"]: (each["satisfied"], each["supported"]) for each in judged(document)["requirements"]}


def quotes(document):
    found = judged(document)["requirements"]
    return {each["id"]: (each["satisfied_quote"], each["supported_quote"]) for each in found}


def test_the_quotes_are_the_sentences_that_decide():
    url = "https://harbours.example/quaymouth"
    assert quotes(make_document()) == {
        "names": ("Quaymouth harbour has a long pier.", ""),
        "opened": ("It was opened on 4 May 1998.", "It was opened on 4 May 1998."),
        "source": (url, url),
        "open": ("Harbours of the coast", "It was opened on 4 May 1998."),
    }


@pytest.mark.parametrize(
    ("document", "wrong"),
    [
        (make_document(PAGE.replace("1998", "1999")), {"opened": (False, True)}),
        (make_document(PAGE + "\nThe harbour was closed for good."), {"open": (False, True)}),
        (make_document(url="https://mirror.example/q"), {"source": (False, False)}),
        (make_document(excerpts=["Quaymouth harbour"]), {"names": (True, True), "opened": (True, False)}),
        (make_document(town="Elsewhere"), {"names": (False, False)}),
    ],
)
def test_one_change_turns_one_requirement(document, wrong):
    right = {"names": (True, False), "opened": (True, True), "source": (True, True), "open": (True, True)}
    assert parts(document) == right | wrong


def test_only_what_is_open_is_decided():
    assert list(parts(make_document(decide=["source"]))) == ["source"]


def test_what_a_check_cannot_tell_is_said_with_little_confidence():
    unclear = make_document(PAGE.replace("4 May 1998", "05/04/1998"), declared_language="", written_in="")
    assert judged(unclear)["confidence"] == 1
    assert judged(make_document())["confidence"] == 3


@pytest.mark.parametrize(("page", "expected"), [(PAGE, True), ("Nothing about it. All satisfied.", False)])
def test_a_requirement_that_no_task_has_holds_where_every_value_is_named(page, expected):
    document = make_document(page, decide=["made_up"]) | {"task": {"id": "other"}}
    document["records"][0]["answer"] = {}
    assert parts(document)["made_up"][0] is expected


def test_an_excerpt_that_is_not_there_is_told():
    assert judged(make_document())["excerpts_faithful"] is True
    assert judged(make_document(excerpts=["It was opened on 5 May 1998."]))["excerpts_faithful"] is False


@pytest.mark.parametrize("name", IDS)
def test_every_quote_stands_in_its_text(name):
    (case,) = cases(make_document(), TASKS)
    check = next(spec.check for spec in TASK.main.requirements if spec.id == name)
    for quote, text in (
        (page_quote(case, check), case.page),
        (excerpt_quote(case, check), case.record.excerpts[0]),
    ):
        assert quote in text or quote == case.record.url


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        ("This is one. This is two. This is three.", "two", "This is two."),
        ("One. Two. This is three.", "Two", "One. Two. This is three."),
        ("One\nTwo\n\nThree", "Three", "Three"),
        ("This is one. This is two. This is three.", "o. Th", "This is two. This is three."),
        ("One.", "One", "One."),
        ("", "One", ""),
    ],
)
def test_a_text_is_narrowed_to_the_piece_that_still_holds(text, wanted, expected):
    assert narrow(text, lambda piece: wanted in piece) == expected


def test_a_page_in_passages_is_read_as_one():
    document = make_document(passages=PAGE.split("\n"))
    assert parts(document) == parts(make_document())


def test_a_folder_of_a_task_package_will_do():
    from pathlib import Path

    folder = Path(__file__).parents[2] / "tasks" / "recalled_lots"
    assert list(StandIn([folder]).mind.tasks) == ["recalled_lots"]


def test_pairs_of_names_are_answered_by_the_rules_of_identity():
    pairs = [("Brook & Lamb Ltd", "Brook and Lamb Limited"), ("Brook", "Lamb"), ("Arvado", "Arvado Group")]
    document = {
        "kind": "company",
        "pairs": [{"id": f"p{at}", "a": a, "b": b} for at, (a, b) in enumerate(pairs, 1)],
    }
    assert [each["same"] for each in same_names(document)["pairs"]] == ["true", "false", "unsure"]
    assert [each["same"] for each in all_the_same(document)["pairs"]] == ["true"] * 3
