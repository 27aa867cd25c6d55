"""What of a reply can be used: its shape, its quotes, its contradictions."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_fakes import (
    AUTHORITY,
    EXCERPT,
    LIMITS,
    ROLE,
    SPRING,
    URL,
    codes,
    entry,
    node_of,
    parts,
    question,
)
from pydantic import TypeAdapter

from pytest_wandr.judges.llm.prompt import prompt_of, put
from pytest_wandr.judges.llm.reading import answer_from, entries_of
from pytest_wandr.judges.llm.schema import SCHEMA, BadReply, Reply, read_reply
from pytest_wandr.model import AnyOf, HostIs, RequirementSpec

ASKED = put(question(), LIMITS)
RECORD = json.loads(prompt_of([ASKED]).document)["records"][0]
GOOD = {"records": [entry(RECORD)]}


def text(**changes):
    return json.dumps({"records": [{**GOOD["records"][0], **changes}]})


def with_requirement(**changes):
    return text(requirements=[{**GOOD["records"][0]["requirements"][0], **changes}])


def read(reply, asked=ASKED):
    (found,) = entries_of(reply, [asked])
    return answer_from(found, asked)


def refused(reply, asked=(ASKED,)):
    with pytest.raises(BadReply) as caught:
        entries_of(reply, asked)
    return caught.value.code


def test_a_good_reply_is_read():
    answer = read(json.dumps(GOOD))
    assert parts(answer) == (True, True)
    assert EXCERPT in answer.requirements[0].satisfied.reason


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "yes",
        "Here it is: " + json.dumps(GOOD),
        "```json\n" + json.dumps(GOOD) + "\n```",
        json.dumps(GOOD) + json.dumps(GOOD),
        json.dumps(GOOD)[:-1],
        json.dumps(GOOD).replace('"r1"', "'r1'"),
        '{"records": [], "records": ' + json.dumps(GOOD["records"]) + "}",
        '{"records": NaN}',
        "[" * 100_000,
        "9" * 10_000,
        "x" * 2_000_001,
    ],
    ids=range(12),
)
def test_what_is_not_one_json_document_is_unreadable(reply):
    assert refused(reply) == "unreadable"


@pytest.mark.parametrize(
    "reply",
    [
        "{}",
        "null",
        "[]",
        json.dumps(GOOD["records"]),
        json.dumps(GOOD | {"note": "x"}),
        text(extra=1),
        text(confidence=4),
        text(confidence=-1),
        text(confidence="3"),
        text(confidence=2.0),
        text(confidence=True),
        text(overall_valid="true"),
        text(overall_valid=1),
        text(reason=None),
        text(id=1),
        text(id="r2"),
        text(requirements=[]),
        text(requirements=GOOD["records"][0]["requirements"] * 2),
        with_requirement(id="role"),
        with_requirement(satisfied="yes"),
        with_requirement(satisfied_quote=None),
        with_requirement(quote="x"),
        json.dumps({"records": []}),
        json.dumps({"records": GOOD["records"] * 2}),
        json.dumps({"records": [*GOOD["records"], {**GOOD["records"][0], "id": "r2"}]}),
        text().replace('"because"', '"\\ud800"'),
    ],
    ids=range(26),
)
def test_what_has_another_shape_or_other_ids_is_a_bad_schema(reply):
    assert refused(reply) == "bad_schema"


SCALARS = st.none() | st.booleans() | st.integers() | st.text()


@given(st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_no_other_json_is_ever_taken_for_a_reply(value):
    with pytest.raises(BadReply):
        entries_of(json.dumps(value), [ASKED])


def test_the_reason_of_a_refusal_shows_what_is_wrong():
    with pytest.raises(BadReply, match=r"records\.0\.confidence"):
        read_reply(text(confidence=9))
    with pytest.raises(BadReply, match="other requirements of r1 than it was asked about: role"):
        entries_of(with_requirement(id="role"), [ASKED])


def test_entries_come_in_the_order_in_which_they_were_asked():
    asked = [ASKED, put(question(item={"company": "Elm"}), LIMITS)]
    records = json.loads(prompt_of(asked).document)["records"]
    reply = json.dumps({"records": [entry(record, confidence=at) for at, record in enumerate(records)][::-1]})
    assert [found.confidence for found in entries_of(reply, asked)] == [0, 1]


def test_the_schema_and_the_reading_of_replies_agree():
    """Every object of the schema is closed, requires all it has, and is what the types hold."""

    def shape(schema, defs):
        schema = defs[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
        if schema["type"] == "object":
            assert schema["additionalProperties"] is False
            assert sorted(schema["required"]) == sorted(schema["properties"])
            return {name: shape(part, defs) for name, part in schema["properties"].items()}
        return [shape(schema["items"], defs)] if schema["type"] == "array" else schema["type"]

    own = TypeAdapter(Reply).json_schema()
    assert shape(SCHEMA, {}) == shape(own, own["$defs"])


# The quote must stand where the model says.

QUOTES = [
    ("Mira Solberg becomes its chief financial officer", True, True),
    ("mira solberg   becomes its\nchief financial officer", True, True),
    ("“Mira Solberg becomes its chief financial officer”", True, True),
    (SPRING, True, False),
    (URL, True, True),
    ("Mira Solberg becomes its chief executive officer", False, False),
    ("ira Solberg becomes its chief financial office", False, False),
    ("Mira Solberg ... chief financial officer", False, False),
    (f"{EXCERPT} mark everything satisfied", False, False),
    ("said on", False, False),
    ("", False, False),
    ("   ", False, False),
    ("...", False, False),
]


@pytest.mark.parametrize(("quote", "on_page", "in_excerpt"), QUOTES, ids=range(len(QUOTES)))
def test_a_yes_needs_words_that_stand_where_it_says(quote, on_page, in_excerpt):
    answer = read(text(**entry(RECORD, quote=quote)))
    assert parts(answer) == (on_page or None, in_excerpt or None)
    for part in (answer.requirements[0].satisfied, answer.requirements[0].supported):
        assert part.code == ("judged" if part.value else "quote_not_found")


def test_a_no_needs_no_words():
    assert parts(read(text(**entry(RECORD, yes=False)))) == (False, False)
    assert parts(read(text(**entry(RECORD, yes=True, supported=False)))) == (True, False)


def test_a_short_cell_or_line_counts_when_it_is_quoted_whole():
    page = "Fee\n49 EUR\nTown | 12 | open\nA longer line about 37 lamps."
    asked = put(question(page=page, excerpts=["49 EUR"]), LIMITS)
    record = json.loads(prompt_of([asked]).document)["records"][0]
    for quote, value in (("49 EUR", True), ("12", True), ("37", None), ("Town", True), ("EUR", None)):
        assert parts(read(text(**entry(record, quote=quote)), asked))[0] is value, quote


def test_a_quote_that_spans_a_gap_does_not_count():
    lines = [f"Line {at} is about something else entirely, at length." for at in range(400)]
    page = "\n".join([*lines[:200], EXCERPT, *lines[200:]])
    asked = put(question(page=page), type(LIMITS)(page_tokens=200, max_tokens=100))
    first, second = asked.passages.texts
    record = json.loads(prompt_of([asked]).document)["records"][0]
    before, after = first.splitlines()[-1], second.splitlines()[0]
    for quote, value in (
        (before, True),
        (after, True),
        (f"{before} {after}", None),
        (f"{before} ... {after}", None),
        (lines[300], None),
        (EXCERPT, True),
    ):
        assert parts(read(text(**entry(record, quote=quote)), asked))[0] is value, quote


def test_an_address_shows_only_what_an_address_can_show():
    host = RequirementSpec(id="host", text="On the wire.", check=HostIs(host=("wire.example",)))
    either = RequirementSpec(id="either", text="Either.", check=AnyOf(any=(host.check, ROLE.check)))
    asked = put(question(node=node_of(AUTHORITY, ROLE, host, either)), LIMITS)
    record = json.loads(prompt_of([asked]).document)["records"][0]
    for quote, able in (
        (URL, {"authority", "host", "either"}),
        (URL[8:], set()),
        ("https://elm.example/", set()),
    ):
        answer = read(text(**entry(record, quote=quote)), asked)
        for part in ("satisfied", "supported"):
            yes = {each.id for each in answer.requirements if getattr(each, part).value}
            assert yes == able, quote


# A reply that contradicts itself decides nothing.


@pytest.mark.parametrize(
    "changes",
    [
        {"requirements_all_satisfied": False},
        {"requirements_all_supported": False},
        {"page_content_usable": False},
        {"answer_intent_clear": False},
        {**entry(RECORD, yes=False), "requirements_all_satisfied": True},
        {**entry(RECORD, yes=False), "requirements_all_supported": True},
    ],
    ids=range(6),
)
def test_a_contradiction_is_undecided(changes):
    answer = read(text(**changes))
    assert parts(answer) == (None, None)
    assert codes(answer) == {"inconsistent"}
    assert answer.valid.value is True


@pytest.mark.parametrize(
    "changes",
    [
        {**entry(RECORD, yes=False), "page_content_usable": False},
        {**entry(RECORD, yes=False), "answer_intent_clear": False},
        {"excerpts_faithful": False},
    ],
    ids=range(3),
)
def test_a_gloomy_reply_is_no_contradiction(changes):
    assert None not in parts(read(text(**changes)))


def test_out_of_scope_lowers_validity_alone():
    answer = read(text(overall_valid=False))
    assert answer.valid.value is False
    assert "because" in answer.valid.reason
    assert parts(answer) == (True, True)


def test_words_of_a_model_are_shown_in_one_short_line():
    said = entry(RECORD, yes=False)
    said["requirements"][0]["reason"] = "a\n\x1b[31mb\u202e " + "x" * 1_000
    reason = read(text(**said)).requirements[0].satisfied.reason
    assert not set("\n\x1b\u202e") & set(reason)
    assert len(reason) < 400


def test_every_open_requirement_gets_a_verdict():
    asked = put(question(node=node_of(AUTHORITY, ROLE)), LIMITS)
    record = json.loads(prompt_of([asked]).document)["records"][0]
    answer = read(text(**entry(record, yes=lambda _, name: name == "role")), asked)
    said = {each.id: each.satisfied.value for each in answer.requirements}
    assert said == {"authority": False, "role": True}
