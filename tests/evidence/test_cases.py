"""The shared table of excerpt cases: page, excerpt, expected verdict, why."""

import json
from pathlib import Path

import pytest

from pytest_wandr.evidence import find_excerpt, read_page

CASES = [
    json.loads(line)
    for name in ("excerpt_cases.jsonl", "excerpt_cases_more.jsonl")
    for line in (Path(__file__).parents[1] / "cases" / name).read_text("utf-8").splitlines()
]


def page_of(case):
    if "text" in case:
        return read_page(case["text"].encode(), media_type="text/plain; charset=utf-8")
    return read_page(case["html"].encode(), media_type="text/html; charset=utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_an_excerpt_is_faithful_exactly_when_the_page_says_it(case):
    match = find_excerpt(page_of(case), case["excerpt"])
    assert match.faithful is (case["expect"] == "faithful"), f"{case['why']}: {match.explain()}"
