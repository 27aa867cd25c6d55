"""Verdicts that are put together from shared parts are what reading their JSON gives, or none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pytest_wandr.model import Part, RecordVerdict, RequirementVerdict, canonical_json
from pytest_wandr.verdict_parts import SharedParts
from tests.strategies import COSTLY, record_verdicts

REASONS = st.sampled_from(
    ["", "not there", 'say "no"', "a\\", '{"value":true}', "{", '",', "é\n", '"value":false}']
)
PARTS = st.builds(
    Part,
    value=st.sampled_from([True, False, None]),
    reason=REASONS,
    code=st.sampled_from(["", "absent", 'a"']),
)
ENTRIES = st.builds(
    RequirementVerdict,
    id=st.sampled_from(["a", "b", '{"value":true}', "{"]),
    satisfied=PARTS,
    supported=PARTS,
)
VERDICTS = record_verdicts(
    PARTS,
    ENTRIES,
    judge=st.sampled_from(["rules", 'a "model"', '{"value":true}', ""]),
    votes=st.dictionaries(st.sampled_from(["x", "{"]), st.just((True, None)), max_size=1),
)
YES_TEXT = '{"value":true}'
YES_ENTRY = f'{{"id":"a","satisfied":{YES_TEXT},"supported":{YES_TEXT}}}'


def text_of(verdict):
    """A verdict as a store writes it."""
    return canonical_json(verdict.model_dump(mode="json", exclude_defaults=True)).encode()


def plain(**changes):
    """The JSON of a verdict, with some of its members replaced by other text."""
    told = json.loads(text_of(RecordVerdict.of(full=True)))
    members = dict.fromkeys(told, YES_TEXT) | changes
    return ("{" + ",".join(f'"{name}":{text}' for name, text in sorted(members.items())) + "}").encode()


@COSTLY
@given(st.lists(VERDICTS, min_size=1, max_size=5))
def test_what_was_read_before_changes_no_verdict(verdicts):
    parts = SharedParts()
    for verdict in [*verdicts, *verdicts]:
        found = parts.read(text_of(verdict))
        assert found == verdict
        assert found.model_dump() == verdict.model_dump()
        assert list(vars(found)) == list(RecordVerdict.model_fields)


def test_verdicts_share_their_parts_and_requirements():
    parts = SharedParts()
    no = Part(value=False, reason="it is not there", code="absent")
    entry = RequirementVerdict(id="names", satisfied=no, supported=no)
    one, other = (
        parts.read(text_of(RecordVerdict.of(full=full).model_copy(update={"requirements": (entry,)})))
        for full in (True, False)
    )
    assert one is not None
    assert other is not None
    assert one != other
    assert one.requirements[0] is other.requirements[0]
    assert one.page_content_usable is other.page_content_usable is one.excerpts_faithful


@COSTLY
@given(VERDICTS, st.data())
def test_damaged_text_is_not_read_as_something_else(verdict, data):
    parts, text = SharedParts(), text_of(verdict)
    assert parts.read(text) == verdict
    at = data.draw(st.integers(0, len(text) - 1))
    put = data.draw(st.sampled_from([b"", b"{", b"}", b'"', b",", b"\\", b"\x00", b"\xff", b"1", b"null"]))
    damaged = text[:at] + put + text[at + data.draw(st.integers(0, 2)) :]
    found = parts.read(damaged)
    try:
        expected = RecordVerdict.model_validate_json(damaged)
    except ValidationError:
        assert found is None
    else:
        assert found is None or found == expected


@pytest.mark.parametrize(
    "changes",
    [
        {"overall_valid": '{"value":true,"code":"odd order"}'},
        {"overall_valid": '{ "value":true}'},
        {"overall_valid": '{"value":1}'},
    ],
    ids=["order", "space", "number"],
)
def test_what_no_store_writes_is_left_to_the_long_way(changes):
    parts = SharedParts()
    assert parts.read(plain()) is not None
    assert parts.read(plain(**changes)) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"overall_valid": '{"value":false},"overall_valid":{"value":true}'},
        {"requirements": f'[{YES_ENTRY[:-1]},"satisfied":{{"value":null}}}}]'},
        {"requirements": f'[],"requirements":[{YES_ENTRY}]'},
    ],
    ids=["part", "satisfied", "requirements"],
)
def test_of_what_is_told_twice_the_last_counts_or_nothing_is_read(changes):
    text = plain(**changes)
    assert SharedParts().read(text) in (None, RecordVerdict.model_validate_json(text))


@pytest.mark.parametrize(
    "reason", ['{\\"value\\":true}', "{", "\\\\", '\\\\\\"},\\"', "\\u00e9", "\\ud83d\\ude00"]
)
def test_a_reason_may_hold_what_looks_like_structure(reason):
    text = plain(excerpts_faithful=f'{{"code":"absent","reason":"{reason}","value":false}}')
    found = SharedParts().read(text)
    assert found == RecordVerdict.model_validate_json(text)
    assert found.excerpts_faithful.reason == json.loads(f'"{reason}"')


@pytest.mark.parametrize("reason", ["\\ud800", "\\x", "\x01"], ids=["surrogate", "escape", "control"])
def test_a_reason_that_the_fast_reader_refuses_is_left_to_the_long_way(reason):
    parts = SharedParts()
    parts.read(plain(excerpts_faithful='{"reason":"fine","value":false}'))
    assert parts.read(plain(excerpts_faithful=f'{{"reason":"{reason}","value":false}}')) is None
