"""A file of plain records is read line by line; what comes of it is what the long way makes of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr import records
from pytest_wandr.model import KeySpec, NodeSpec
from pytest_wandr.records import read_records

NODE = NodeSpec(
    name="main",
    keys=(KeySpec(name="company", required=2), KeySpec(name="url", kind="url", required=1)),
    answer=("role",),
)
PLAIN = {
    "item": {"company": "Arvado"},
    "url": "https://a.example/b",
    "excerpts": ["Arvado opened a mill.", "It has two floors."],
    "answer": {"role": "owner"},
}
LINE = json.dumps(PLAIN)
OTHERS = [
    "",
    " ",
    "\r",
    "...",
    "```json",
    "```",
    "Here are the records:",
    "<think>",
    "[",
    "]",
    LINE + ",",
    " " + LINE,
    LINE + "\r",
    LINE + LINE,
    LINE[:-1],
    LINE[:40],
    "\ufeff" + LINE,
    json.dumps({"records": [PLAIN]}),
    json.dumps([PLAIN]),
    json.dumps(PLAIN | {"url": "https://bit.ly/x"}),
    json.dumps(PLAIN | {"excerpts": ['a "quoted" word \\ and \u2028 more'], "answer": {"role": 'x"y'}}),
    json.dumps(PLAIN | {"excerpts": ["Ünïcode “quotes” \u2028 \x85"]}, ensure_ascii=False),
    json.dumps(PLAIN | {"answer": {"role": 3}}),
    json.dumps(PLAIN | {"answer": {"role": ["a", "b"]}}),
    json.dumps(PLAIN | {"answer": {"role": {"a": "b"}}}),
    json.dumps(PLAIN | {"answer": {"role": float("nan")}}),
    LINE.replace('"owner"', "1e999"),
    LINE.replace('"owner"', "1" * 5000),
    LINE.replace('"owner"', "n/a"),
    LINE.replace('"url"', '"url": "https://b.example/", "url"'),
    LINE.replace('"role"', '"role": "keeper", "role"'),
    LINE.replace('"role"', '"role" : "owner", "role"'),
    LINE.replace('"company"', '"company": "Birch", "company"'),
    LINE.replace('"Arvado opened', '"\x01Arvado opened'),
    LINE.replace('"excerpts"', '"item": {"company": ["x"]}, "excerpts"'),
    "3",
    '"text"',
    "{}",
]
LINES = st.lists(st.just(LINE) | st.sampled_from(OTHERS), min_size=1, max_size=5)


def both_ways(data: str | bytes):
    """(the usual way, the long way)."""
    usual = read_records(data, NODE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "plain_records", lambda *_: None)
        return usual, read_records(data, NODE)


@given(LINES, st.sampled_from(["", "\n", "\n\n"]))
def test_a_text_reads_the_same_both_ways(lines, end):
    text = "\n".join(lines) + end
    for data in (text, text.encode()):
        usual, long = both_ways(data)
        assert usual == long
        assert usual.model_dump() == long.model_dump()


@pytest.mark.parametrize("other", OTHERS)
def test_each_kind_of_line_reads_the_same_both_ways(other):
    usual, long = both_ways(f"{LINE}\n{other}\n{LINE}\n")
    assert usual == long


@given(st.data())
def test_a_damaged_text_reads_the_same_both_ways(data):
    text = f"{LINE}\n{LINE}\n"
    at = data.draw(st.integers(0, len(text)))
    put = data.draw(
        st.sampled_from(["", '"', "\\", "{", "}", "\n", ",", ":", "\x00", "é", "1", "\r", "\udc80"])
    )
    damaged = text[:at] + put + text[at + data.draw(st.integers(0, 3)) :]
    for one in (damaged, damaged.encode("utf-8", "surrogateescape")):
        usual, long = both_ways(one)
        assert usual == long


@pytest.mark.parametrize("line", [LINE, OTHERS[20], OTHERS[21], OTHERS[22]])
def test_plain_records_take_the_short_way(line, monkeypatch):
    monkeypatch.setattr(records, "frame", lambda *_: pytest.fail("the long way"))
    assert len(read_records(f"{line}\n{LINE}\n", NODE).records) == 2


def test_a_key_that_is_said_twice_takes_the_long_way():
    twice = LINE.replace('"role"', '"role": "keeper", "role"')
    found = read_records(f"{LINE}\n{twice}\n", NODE)
    assert [line.code for line in found.rejected] == ["duplicate_json_key"]
    assert len(found.records) == 1
