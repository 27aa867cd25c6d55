"""Can an honest little agent get somewhere with the recorded pages alone? It reads, and knows no truth."""

import asyncio
import re
from pathlib import Path

import pytest

from pytest_wandr.cassettes import PageStore
from pytest_wandr.evidence import read_page
from pytest_wandr.fetch import fetch, open_fetcher
from pytest_wandr.judge import judge
from pytest_wandr.judges.rules import Rules
from pytest_wandr.model import Record, Submission
from pytest_wandr.score import score_task
from pytest_wandr.task import load_task

ROOT = Path(__file__).parents[2]
HEADLINE = re.compile(
    r"^(?P<c>\w+ \w+) (?:appoints|names|elects|has chosen) (?P<p>\w+ \w+) as (?:its new )?(?P<r>.+)$"
    r"|^(?P<p2>\w+ \w+) (?:to become|takes over as) (?P<r2>.+) of (?P<c2>\w+ \w+)$"
)
DATED = re.compile(r"^(?:Announced|Published) on (.+)\.$", re.MULTILINE)
LISTED = re.compile(r"^(\w+ \w+) is admitted to trading on the Tamarin Board\.$", re.MULTILINE)
ROW = re.compile(r"^(\w+ \w+)[\s|]+(admitted to trading on the Tamarin Board)[\s|]+([A-Z]{4})$", re.MULTILINE)


def corpus(name):
    """(url, page) of everything readable that was recorded for a task."""
    store = PageStore(ROOT / "cassettes" / name, environment={})
    for url in store.urls():
        page = store.get(url)
        if page and page.final_url == url and page.status == 200 and "html" in page.media_type:
            yield url, read_page(page.body, media_type=page.media_type, url=url)


def appointments(name, *, careful):
    """One record for each company in a headline; a careful agent leaves interim posts and mirrors out."""
    node, taken = name, set()
    for url, page in corpus(name):
        head, day = HEADLINE.match(page.title), DATED.search(page.text)
        if head and day:
            found = {key[0]: value for key, value in head.groupdict().items() if value}
            doubtful = "interim" in found["r"] or "mirror" in url or "chairwatch" in url
            if not (careful and doubtful) and found["c"] not in taken:
                taken.add(found["c"])
                yield Record(
                    node=node, item={"company": found["c"], "company_appointee": found["p"]}, url=url,
                    excerpts=(page.title, day[0]), answer={"role": found["r"], "announced_on": day[1]},
                )  # fmt: skip


def listings(name):
    """One record for each company that a page says is admitted."""
    taken = set()
    for url, page in corpus(name):
        for found in LISTED.finditer(page.text):
            if found[1] not in taken:
                taken.add(found[1])
                yield Record(
                    node=f"{name}.company_listing", item={"company": found[1]}, url=url, excerpts=(found[0],)
                )


def directory(name):
    """The rows of the exchange's directory."""
    for url, page in corpus(name):
        for company, admitted, ticker in ROW.findall(page.text):
            excerpt = f"{company} {admitted} {ticker}"
            yield Record(
                node=name, item={"company": company}, url=url, excerpts=(excerpt,), answer={"ticker": ticker}
            )


def score(name, records):
    task = load_task(ROOT / "tasks" / name)
    submission = Submission(task_id=name, system="little", records=tuple(records))

    async def verdicts():
        async with open_fetcher(PageStore(ROOT / "cassettes" / name, environment={})) as fetcher:
            pages = await fetch(submission, fetcher)
        return await judge(task, submission, pages, Rules())

    return score_task(task, submission.records, asyncio.run(verdicts())).rewards


def test_reading_the_directory_is_enough_for_the_list():
    rewards = score("listed_issuers", directory("listed_issuers"))
    assert rewards["soft_f1_full"] == 1.0


@pytest.fixture(scope="module")
def careless():
    name = "ceo_cfo_appointments"
    return score(name, [*appointments(name, careful=False), *listings(name)])


@pytest.fixture(scope="module")
def careful():
    name = "ceo_cfo_appointments"
    return score(name, [*appointments(name, careful=True), *listings(name)])


def test_a_careless_reader_gets_a_part(careless):
    assert 0.7 <= careless["soft_f1_full"] <= 0.95


def test_a_careful_reader_gets_more_but_not_all(careless, careful):
    assert careless["soft_precision_full"] < careful["soft_precision_full"] < 1.0
    assert careless["hard_f1_full"] <= careful["hard_f1_full"] < 1.0
