"""Mutations are false for certain: the checks of the demo tasks, which decide everything, say so too."""

from collections import Counter

import pytest

from pytest_wandr.authoring.cases import ASKED, cases_of, contradicts, value_of
from pytest_wandr.authoring.mutations import mutations_of
from pytest_wandr.cassettes import PageStore
from pytest_wandr.evidence import find_excerpt, read_page
from pytest_wandr.fetch import fetch, open_fetcher
from pytest_wandr.judge import judge
from pytest_wandr.judges.rules import Rules
from pytest_wandr.model import Submission
from pytest_wandr.task import load_fixtures
from tests.judges.wandr_demo import NAMES, ROOT, spec

KINDS = {"excerpt dropped", "wrong entity", "near-namesake", "stale page", "injected instruction"}


async def cases(task):
    fixtures = load_fixtures(ROOT / "tasks" / task.id, task)
    records = tuple(fixture.record for fixture in fixtures)
    async with open_fetcher(PageStore(ROOT / "cassettes" / task.id)) as fetcher:
        return cases_of(
            fixtures, await fetch(Submission(task_id=task.id, system="", records=records), fetcher)
        )


async def mutants(task, most=5):
    made = mutations_of(task, await cases(task), most=most)
    return [case.apart(number) for number, case in enumerate(made, start=1)]


async def judged(task, found):
    submission = Submission(task_id=task.id, system="", records=tuple(case.record for case in found))
    return await judge(task, submission, {case.record.url: case.page for case in found}, Rules())


@pytest.mark.parametrize("name", NAMES)
async def test_checks_that_decide_everything_call_every_mutation_false(name):
    task = spec(name)
    found = await mutants(task)
    verdicts = await judged(task, found)
    assert {case.kind for case in found} >= {"wrong entity", "injected instruction"}
    assert max(Counter(case.kind for case in found).values()) <= 5
    wrong = [
        (case.kind, case.record.item, name_of)
        for case, verdict in zip(found, verdicts, strict=True)
        for name_of, value in case.expected.items()
        if value_of(verdict, name_of) is (not value)
    ]
    assert len(wrong) <= 0.05 * len(found) * len(ASKED), wrong[:5]  # the audit leaves these few out
    assert all(value_of(verdict, "full") is not True for verdict in verdicts)


async def test_every_kind_of_mutation_is_made_of_the_demo_tasks():
    made = {case.kind for name in NAMES for case in await mutants(spec(name), most=1)}
    assert made == KINDS


async def test_a_mutation_changes_one_thing_and_keeps_its_excerpts_on_its_page():
    task = spec("maker_recalls")
    originals = {case.source: case for case in await cases(task)}
    for case in await mutants(task):
        before = originals[case.source]
        page = read_page(case.page.body, media_type=case.page.media_type, url=case.page.final_url)
        assert all(find_excerpt(page, excerpt).faithful for excerpt in case.record.excerpts), case.kind
        assert (case.record.item != before.record.item) == (
            case.kind not in ("excerpt dropped", "stale page")
        )
        assert (case.page != before.page) == (case.kind in ("stale page", "injected instruction"))
        assert case.record.digest != before.record.digest


async def test_fixtures_as_they_stand_are_judged_as_they_say():
    for name in NAMES:
        task = spec(name)
        found = await cases(task)
        verdicts = await judged(task, found)
        pairs = zip(found, verdicts, strict=True)
        assert not any(contradicts(verdict, case) for case, verdict in pairs), name
