"""Laws of reading results files: nothing raises, nothing is lost, nothing is changed."""

import json
import re
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_wandr.model import KeySpec, NodeSpec, Record
from pytest_wandr.records import read_records, write_records
from pytest_wandr.records.blank import is_blank, is_blank_answer

NODE = NodeSpec(
    name="main",
    keys=(
        KeySpec(name="company", required=2),
        KeySpec(name="person", required=1, fields=("first", "last name")),
        KeySpec(name="url", kind="url", required=1),
    ),
    answer=("role",),
)
GOOD = (
    '{"item": {"company": "A", "first": "B", "last name": "C"}, '
    '"url": "https://a.test", "excerpts": "x", "answer": 1}'
)
DOCS = (Path(__file__).parent.parent / "docs" / "reference" / "results-files.md").read_text("utf-8")
SHARED = Path(__file__).parent / "cases" / "submission_cases.jsonl"
CODES, NOTES = (
    set(re.findall(r"^\| `(\w+)", DOCS.partition(f"## {title}\n")[2].partition("\n## ")[0], re.MULTILINE))
    for title in ("Reject codes", "Notes")
)

ANY_CHAR = st.characters(exclude_categories=())
NAMES = st.text(ANY_CHAR, min_size=1).filter(lambda text: not is_blank(text))
VALUES = NAMES.map(lambda text: normalize("NFC", text).strip()).filter(lambda text: not is_blank(text))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(ANY_CHAR),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(ANY_CHAR), inner, max_size=3),
    max_leaves=8,
)
URLS = st.from_regex(r"https?://[a-z]{1,9}\.test/[a-z0-9/?=&%#-]{0,20}", fullmatch=True).filter(
    lambda url: "&amp" not in url and "&#" not in url
)
RECORDS = st.builds(
    Record,
    node=st.just("main"),
    item=st.fixed_dictionaries({"company": VALUES, "first": VALUES, "last name": VALUES}),
    url=URLS,
    excerpts=st.lists(NAMES, min_size=1, max_size=3).map(tuple),
    answer=st.fixed_dictionaries({"role": JSON.filter(lambda value: not is_blank_answer(value))}),
)
SCRAPS = st.lists(
    st.sampled_from(
        [
            "{",
            "}",
            "[",
            "]",
            '"',
            "'",
            ",",
            ":",
            "\\",
            "\n",
            "\r\n",
            " ",
            "```",
            "~~~",
            "json",
            "//",
            "/*",
            "*/",
            "#",
            "...",
            "…",
            "<think>",
            "</think>",
            "“",
            "”",
            "null",
            "None",
            "NaN",
            "item",
            '"item": {"company": "A"}',
            '"records": [',
            "https://a.test",
            "\ufeff",
            "\u2028",
            "\ud800",
            "\0",
            "1.",
            "- ",
            "é",
            GOOD,
        ]
    ),
    max_size=40,
).map("".join)


def is_sound(parsed, text):
    assert list(parsed.notes) == sorted(set(parsed.notes))
    assert set(parsed.notes) <= NOTES
    for one in parsed.rejected:
        assert one.code.split(":")[0] in CODES
        assert len(one.raw) <= 200
        assert 1 <= one.line <= text.count("\n") + 1
    lines = [one.line for one in parsed.rejected]
    assert lines == sorted(lines)
    assert parsed.records or parsed.rejected
    json.dumps(parsed.model_dump())


@given(st.text(ANY_CHAR) | SCRAPS)
@example("<think>")
@example("[{")
@example('{"item": {"company": "A"}, "url": "https://a.test", "excerpts": [{}]}')
def test_any_text_can_be_read(text):
    is_sound(read_records(text, NODE), text)


@given(st.binary() | SCRAPS.map(lambda text: text.encode("utf-8", "replace")[1:]))
@example(b"\xff\xfe{")
@example(b"\xfe\xff\x00")
@example(b"\xff\xfe\x00\x00\x00")
@example(b"\x00")
def test_any_bytes_can_be_read(data):
    parsed = read_records(data, NODE)
    assert parsed.records or parsed.rejected


@given(st.lists(RECORDS, max_size=4))
def test_what_was_written_reads_back_the_same(records):
    text = write_records(records)
    parsed = read_records(text, NODE)
    assert list(parsed.records) == records
    assert [one.code for one in parsed.rejected] == ([] if records else ["no_records_found"])
    assert parsed.notes == ()
    assert read_records(text.encode(), NODE).records == parsed.records
    assert len(text.splitlines()) == len(records)


@given(st.lists(RECORDS | st.dictionaries(st.text(max_size=5), JSON, max_size=3), min_size=1, max_size=6))
def test_every_line_of_a_jsonl_file_is_a_record_or_a_reject(lines):
    text = "\n".join(
        write_records([one]).rstrip("\n") if isinstance(one, Record) else json.dumps(one) for one in lines
    )
    parsed = read_records(text, NODE)
    assert len(parsed.records) + len(parsed.rejected) == len(lines)


@given(st.lists(RECORDS, min_size=1, max_size=3), st.integers(0, 400))
def test_a_cut_text_keeps_the_complete_records_and_adds_none(records, cut):
    text = write_records(records)
    kept = text[: max(0, len(text) - cut)]
    whole = kept.count("\n") + (not kept.endswith("\n") and text[len(kept) : len(kept) + 1] == "\n")
    parsed = read_records(kept, NODE)
    assert list(parsed.records) == records[:whole]


@given(
    st.lists(RECORDS, min_size=1, max_size=3),
    st.sampled_from(["array", "wrapper", "fence", "prose", "pretty"]),
)
def test_any_frame_gives_the_same_records(records, frame):
    rows = [json.loads(line) for line in write_records(records).split("\n") if line]
    lines = write_records(records)
    text = {
        "array": json.dumps(rows, indent=1),
        "wrapper": json.dumps({"results": rows}),
        "fence": f"```jsonl\n{lines}```",
        "prose": f"Here they are:\n{lines}\nThat is all.",
        "pretty": "\n\n".join(json.dumps(row, indent=4) for row in rows),
    }[frame]
    parsed = read_records(text, NODE)
    assert (list(parsed.records), parsed.rejected) == (records, ())


HOSTILE = {
    "braces": "{" * 50_000,
    "brackets": "[" * 50_000,
    "quotes": '"' * 50_001,
    "ticks": "`" * 50_001,
    "open objects": '{"a":' * 50_000,
    "open objects on lines": '{"a":[\n' * 4_000,
    "open strings": '{"a":"\n' * 4_000,
    "open arrays": '[{"a":1,\n' * 4_000,
    "open comments": '{"a":/*' * 50_000,
    "slashes": "[{/" * 50_000,
    "wrappers": '{"records":[{"a":"' * 4_000,
    "reasoning": "<think>" * 50_000,
    "ends": "</think>{}" * 4_000,
    "fences": "```\n" * 50_000,
    "backslashes": '{"' + "\\" * 50_001,
    "commas": "[{" + "," * 50_000,
    "blanks": "{" + " \n" * 30_000 + "x",
    "curly": "{“" * 50_000,
    "single": "{'" * 50_000,
    "hashes": "{#\n" * 50_000,
    "braces in prose": '"]' + "\"'...{'" * 6_000,
    "half curly": "</think>" + '“{"https://a.test/{"' * 3_000,
    "nested wrappers": '{"records":[' * 20_000,
    "nested lists": "[{'" + "[{" * 20_000,
    "lines that close": '"records":[{"' + '{"\n*/[](:]' * 6_000,
    "lists of comments": '"records":[/*x/\'' * 6_000,
    "dots": "..." * 50_000,
    "links": '{"url":"' + "[](" * 50_000 + '"}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_to_its_end(name):
    parsed = read_records(HOSTILE[name], NODE)
    assert not parsed.records
    assert parsed.rejected
    # what follows an unclosed reasoning block is reasoning
    recovered = read_records(HOSTILE[name] + "\n" + GOOD, NODE)
    assert len(recovered.records) == (name != "reasoning")


def test_written_lines_are_the_published_shape():
    record = Record(
        node="main", item={"company": "Ä\u2028"}, url="https://a.test", excerpts=("\ud800",), answer={"n": 1}
    )
    assert write_records([record]) == (
        '{"item": {"company": "Ä\\u2028"}, "url": "https://a.test", '
        '"excerpts": ["\\ud800"], "answer": {"n": 1}}\n'
    )
    assert write_records([]) == ""


def test_the_reference_lists_every_code_and_note_of_the_shared_cases():
    expected = [json.loads(line)["expect"] for line in SHARED.read_text("utf-8").split("\n") if line]
    assert {code.split(":")[0] for one in expected for code in one["rejected"]} <= CODES
    assert {note for one in expected for note in one["notes"]} <= NOTES


def test_the_example_of_the_reference_is_read():
    example = DOCS.partition("```json\n")[2].partition("\n```")[0]
    node = NodeSpec(
        name="n",
        keys=(KeySpec(name="company", required=1), KeySpec(name="url", required=1)),
        answer=("role",),
    )
    parsed = read_records(example, node)
    assert (len(parsed.records), parsed.rejected, parsed.notes) == (1, (), ())
