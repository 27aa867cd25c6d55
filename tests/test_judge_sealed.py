"""The judge `rules` against a web whose truth is known."""

import asyncio

import pytest

from pytest_wandr.judge import judge
from pytest_wandr.judges.rules import Rules, undecidable
from pytest_wandr.model import FetchProblem, Page, Submission
from pytest_wandr.sealed import open_web
from pytest_wandr.sealed.demo import package
from pytest_wandr.sealed.demo.catalog import catalog
from pytest_wandr.sealed.demo.prove import Library
from pytest_wandr.sealed.tasks import write_package
from pytest_wandr.task import load_task


@pytest.fixture(scope="module")
def library():
    return Library(open_web())


def page_at(web, url):
    """What a fetcher would bring back, without a network."""
    final, answer = url, web.answer(url)
    while answer.status == 301:
        final = answer.headers["location"]
        answer = web.answer(final)
    kind = {0: "protocol", 404: "gone"}.get(answer.status)
    return Page(
        url=url,
        final_url=final,
        status=answer.status,
        media_type=answer.headers.get("content-type", ""),
        body=answer.body,
        problem=FetchProblem(kind=kind) if kind else None,
    )


@pytest.mark.parametrize("name", ["recall_three_sources", "listed_issuers", "town_fees_double_proof"])
def test_every_fixture_of_a_decisive_task_gets_its_known_verdict(library, name, tmp_path):
    plan = next(plan for plan in catalog(library) if plan.id == name)
    fixtures = list(package.fixtures(library, plan))
    write_package(library, plan, fixtures, tmp_path / name)
    task = load_task(tmp_path / name)
    assert undecidable(task) == ()
    records = tuple(fixture.record for fixture in fixtures)
    pages = {record.url: page_at(library.web, record.url) for record in records}
    verdicts = asyncio.run(
        judge(task, Submission(task_id=task.id, system="s", records=records), pages, Rules())
    )
    for fixture, verdict in zip(fixtures, verdicts, strict=True):
        told = f"{fixture.fault}: {fixture.why}\n{verdict}"
        assert fixture.full is None or verdict.full is fixture.full, told
        assert fixture.retrieval is None or verdict.retrieval is fixture.retrieval, told
    assert {True, False} <= {verdict.full for verdict in verdicts}
