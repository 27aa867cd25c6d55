"""What is sent: one document of data, equal to what was built, whatever text is in it."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_fakes import AUTHORITY, EXCERPT, LIMITS, PAGE, ROLE, URL, node_of, question

from pytest_wandr.judges.llm.cleaning import cleaned, cleaned_value, escaped, estimated_tokens, hints_about
from pytest_wandr.judges.llm.instructions import SYSTEM
from pytest_wandr.judges.llm.prompt import prompt_of, put, with_more_room
from pytest_wandr.judges.llm.schema import SCHEMA

ANY = st.text(st.characters(codec=None) | st.sampled_from('<>&"\\{}[]`\u2028\u200b\U000e0041\ud800\x00\x1b'))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY, inner, max_size=3),
    max_leaves=8,
)
PLAIN = re.compile(r"[ -%'-;=?-~]*")  # ASCII without < > & and without control characters


def document_of(*questions, limits=LIMITS):
    return json.loads(prompt_of([put(each, limits) for each in questions]).document)


def test_the_document_of_one_record_is_as_documented():
    node = node_of(AUTHORITY, ROLE)
    assert document_of(question(node=node, lang="en-GB", page_lang="en")) == {
        "task": {"id": "appointments", "instruction": "Find new chiefs.", "guidance": ""},
        "requirements": [
            {"id": "authority", "text": "Comes from the issuer."},
            {"id": "role", "text": "Says the role."},
        ],
        "page": {
            "url": URL,
            "declared_language": "en-GB",
            "written_in": "en",
            "passages": [PAGE],
            "left_out": "",
            "hints": [],
        },
        "records": [
            {
                "id": "r1",
                "node": "main",
                "item": {"company": "Birch Lane Foods"},
                "answer": {"role": "chief financial officer"},
                "excerpts": [EXCERPT],
                "hints": [],
                "decide": ["authority", "role"],
            }
        ],
    }


def test_a_language_without_end_costs_nothing():
    page = document_of(question(lang="en-" * 100_000))["page"]
    assert page["declared_language"] == ("en-" * 100_000)[:40]


def test_only_what_is_open_is_sent():
    asked = question(node=node_of(AUTHORITY, ROLE))
    asked = type(asked)(**{**vars(asked), "open": ("role",)})
    document = document_of(asked)
    assert [each["id"] for each in document["requirements"]] == ["role"]
    assert document["records"][0]["decide"] == ["role"]


def test_instructions_schema_and_name_are_the_same_for_all():
    one = prompt_of([put(question(), LIMITS)])
    other = prompt_of([put(question(page="Elm", task={"id": "other"}, node=node_of(ROLE)), LIMITS)])
    assert (one.system, one.schema, one.name) == (other.system, other.schema, other.name)
    assert one.system == SYSTEM
    assert one.schema == SCHEMA
    assert with_more_room(one).max_tokens == 2 * one.max_tokens == 2_000


def test_the_document_begins_with_what_calls_have_in_common():
    document = prompt_of([put(question(), LIMITS)]).document
    places = [document.index(f'"{name}":') for name in ("task", "requirements", "page", "records")]
    assert places == sorted(places)


@given(page=ANY, excerpts=st.lists(ANY, max_size=3), name=ANY, answer=st.dictionaries(ANY, JSON, max_size=3))
def test_no_text_leaves_its_place(page, excerpts, name, answer):
    asked = question(
        page=page,
        excerpts=excerpts,
        item={"company": name},
        answer=answer,
        url=page,
        lang=name,
        page_lang=name,
    )
    document = prompt_of([put(asked, LIMITS)]).document
    assert PLAIN.fullmatch(document)
    found, end = json.JSONDecoder().raw_decode(document)
    assert end == len(document)
    assert list(found) == ["task", "requirements", "page", "records"]
    assert "".join(found["page"]["passages"]) == cleaned(page)
    (record,) = found["records"]
    assert record["excerpts"] == [cleaned(excerpt) for excerpt in excerpts]
    assert record["item"] == {"company": cleaned(name)}
    assert record["answer"] == json.loads(json.dumps(cleaned_value(answer)))
    assert list(record) == ["id", "node", "item", "answer", "excerpts", "hints", "decide"]


@given(ANY)
def test_cleaning_is_done_once_and_for_all(text):
    once = cleaned(text)
    assert cleaned(once) == once
    assert not hints_about([once])
    assert once.encode().decode() == once  # no halves of characters
    assert json.loads(escaped({"text": once})) == {"text": once}


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("a\u200bb\u2060c\ufeffd", "abcd"),
        ("so\u00adft", "soft"),
        ("\u202eevil\u202c", "evil"),
        ("ok\U000e0069\U000e0067\U000e006e", "ok"),
        ("heart\ufe0f \U000e0100x", "heart x"),
        ("half \ud800 way", "half  way"),
        ("bell\x07 nul\x00 esc\x1b[31m", "bell  nul  esc [31m"),
        ("a\r\nb\rc\u2028d\u2029e\x85f\x0bg", "a\nb\nc\nd\ne\nf\ng"),
        ("tab\tstays\n", "tab\tstays\n"),
        ("é ß 漢字 🙂 العربية", "é ß 漢字 🙂 العربية"),
    ],
)
def test_what_nobody_sees_is_removed(dirty, clean):
    assert cleaned(dirty) == clean


def test_what_was_removed_is_told():
    asked = question(
        page=f"{PAGE}\u200b\u200b", excerpts=[f"{EXCERPT}\U000e0041"], item={"company": "B\u202e"}
    )
    found = document_of(asked)
    assert found["page"]["hints"] == ["2 invisible characters were removed"]
    assert found["records"][0]["hints"] == [
        "1 marks of writing direction were removed",
        "1 tag characters were removed",
    ]


@pytest.mark.parametrize("names", [("a", "a\u200b"), ("a\u200b", "a")])
def test_a_name_that_only_looks_like_another_one_does_not_take_its_place(names):
    fields = {name: "real" if name == "a" else "other" for name in names}
    (record,) = document_of(question(item=fields, answer={"deep": [fields]}))["records"]
    assert record["item"] == {"a": "real"}
    assert record["answer"] == {"deep": [{"a": "real"}]}


def test_numbers_that_json_lacks_are_sent_as_text():
    found = document_of(question(answer={"n": float("nan"), "m": [float("-inf"), 1.5]}))
    assert found["records"][0]["answer"] == {"n": "nan", "m": ["-inf", 1.5]}


def test_tokens_are_estimated_from_the_escaped_text():
    assert estimated_tokens("") == 0
    assert estimated_tokens("abcdef") == 2
    assert estimated_tokens("abcdefg") == 3
    assert estimated_tokens("漢") == 2  # six characters, \u6f22
    assert estimated_tokens("<") == 2


def test_records_that_share_a_call_are_numbered_and_their_requirements_joined():
    node = node_of(AUTHORITY, ROLE)
    first, second = question(node=node), question(node=node, item={"company": "Elm Foods"})
    first = type(first)(**{**vars(first), "open": ("role",)})
    document = document_of(first, second)
    assert [each["id"] for each in document["records"]] == ["r1", "r2"]
    assert [each["decide"] for each in document["records"]] == [["role"], ["authority", "role"]]
    assert {each["id"] for each in document["requirements"]} == {"authority", "role"}


def test_the_instructions_name_every_field_of_document_and_reply():
    def names(value):
        if isinstance(value, dict):
            for name, part in value.items():
                yield name
                yield from names(part)
        elif isinstance(value, list):
            for part in value:
                yield from names(part)

    document = document_of(question(item={"id": "x"}, answer={}))
    told = set(SYSTEM.split('"')[1::2])
    assert set(names(document)) - {"node"} <= told | {"id"}

    def properties(schema):
        for name, part in schema.get("properties", {}).items():
            yield name
            yield from properties(part.get("items", part))

    assert set(properties(SCHEMA)) <= told
