"""Which urls may be fetched."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_wandr.fetch import refuse_url
from pytest_wandr.fetch.addresses import refuse_address
from pytest_wandr.fetch.policy import MAX_URL, Refusal, Target, refuse_unrecorded, target_of

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "cases" / "bad_urls.jsonl").read_text("utf-8").splitlines()
]
PUBLIC = "93.184.215.14"


@pytest.mark.parametrize("case", CASES, ids=[case["why"] for case in CASES])
def test_the_listed_urls_are_refused_or_allowed(case):
    reason = refuse_url(case["url"], case.get("resolves"))
    assert (reason is None) is case["allowed"], reason
    assert reason is None or reason.strip()
