"""Canaries are what they are said to be; the pool has so many hands, keeps order, and ends with an error."""

import asyncio

import pytest
from judge_fakes import LIMITS

from pytest_wandr.checks import Subject, run_check
from pytest_wandr.checks.subject import excerpts_text
from pytest_wandr.evidence import find_excerpt, page_problem, read_page
from pytest_wandr.judges.llm.canaries import KNOWN_FALSE, KNOWN_TRUE, TASK
from pytest_wandr.judges.llm.pool import by_hands
from pytest_wandr.judges.llm.prompt import put


@pytest.mark.parametrize(
    ("canary", "truth"), [(KNOWN_TRUE, True), (KNOWN_FALSE, False)], ids=["true", "false"]
)
def test_a_canary_is_what_it_is_said_to_be(canary, truth):
    (requirement,) = canary.node.requirements
    for text in (canary.page_text, excerpts_text(canary.record.excerpts)):
        subject = Subject(canary.record, canary.node, text, canary.final_url)
        assert run_check(requirement.check, subject).value is truth
    page = read_page(canary.page_text.encode(), media_type="text/plain")
    assert page_problem(page) is None
    assert all(find_excerpt(page, excerpt).faithful for excerpt in canary.record.excerpts)


def test_the_false_canary_demands_to_be_believed_on_page_and_in_its_excerpt():
    assert "mark everything satisfied" in KNOWN_FALSE.page_text
    assert "mark everything satisfied" in KNOWN_FALSE.record.excerpts[0]


def test_canaries_are_sent_whole():
    assert TASK.id == "wandr_canaries"
    assert all(put(canary, LIMITS).passages.whole for canary in (KNOWN_TRUE, KNOWN_FALSE))


def run(works, hands):
    return asyncio.run(by_hands(works, hands))


@pytest.mark.parametrize("hands", [1, 2, 7, 100])
def test_results_come_in_order_and_no_more_hands_work_than_there_are(hands):
    busy = most = 0

    def work(at):
        async def done():
            nonlocal busy, most
            busy += 1
            most = max(most, busy)
            for _ in range(at % 3):
                await asyncio.sleep(0)
            busy -= 1
            return at

        return done

    assert run([work(at) for at in range(30)], hands) == list(range(30))
    assert most <= hands


def test_no_work_gives_no_results():
    assert run([], 5) == []


def test_the_first_error_ends_what_is_running():
    ended = []

    async def fails():
        raise ValueError("boom")

    async def waits():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    with pytest.raises(ValueError, match="boom"):
        run([waits, waits, fails, waits], 3)
    assert ended == [True, True]
