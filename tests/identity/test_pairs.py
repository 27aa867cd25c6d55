"""The pair files: what is known to be the same is, what is known to differ never is."""

import json
from pathlib import Path

import pytest

from pytest_wandr.identity import cluster, explain, normal_form

_CASES = Path(__file__).parent.parent / "cases"
PAIRS = [
    json.loads(line)
    for name in ("identity_pairs.jsonl", "identity_more_pairs.jsonl", "identity_pairs_more.jsonl")
    for line in (_CASES / name).read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", PAIRS, ids=lambda c: f"{c['kind']}: {c['a']} | {c['b']}")
def test_the_verdict_is_same_exactly_when_the_pair_is(case):
    kind, a, b = case["kind"], case["a"], case["b"]
    found = explain(kind, a, b)
    assert (found.verdict == "same") is case["same"], (found, case.get("why"))
    assert explain(kind, b, a) == found
    assert len(cluster(kind, [a, b])) == (1 if case["same"] else 2)
    if not case["same"]:
        assert normal_form(kind, a) != normal_form(kind, b)


def test_both_answers_have_many_cases():
    assert sum(case["same"] for case in PAIRS) > 150
    assert sum(not case["same"] for case in PAIRS) > 150
