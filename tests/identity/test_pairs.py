"""The pair file: what is known to be the same is, what is known to differ never is."""

import json
from pathlib import Path

import pytest

from pytest_wandr.identity import compare, explain

_FILE = Path(__file__).parent.parent / "cases" / "identity_pairs.jsonl"
PAIRS = [json.loads(line) for line in _FILE.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", PAIRS, ids=lambda c: f"{c['kind']}: {c['a']} | {c['b']}")
def test_the_verdict_is_same_exactly_when_the_pair_is(case):
    found = explain(case["kind"], case["a"], case["b"])
    assert (found.verdict == "same") is case["same"], (found, case["why"])
    assert compare(case["kind"], case["b"], case["a"]) == found.verdict
