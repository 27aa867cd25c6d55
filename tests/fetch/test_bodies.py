"""What is held of many large pages: as much as there is room for; each is judged by its whole body."""

import shutil

import pytest

from pytest_wandr.cassettes import Entry, PageStore, pack
from pytest_wandr.errors import CassetteError
from pytest_wandr.fetch import Bodies, fetch, open_fetcher
from pytest_wandr.judge import judge
from pytest_wandr.judges.rules import Rules
from pytest_wandr.model import FetchProblem, Page, Record, Submission
from pytest_wandr.task import load_task

URLS = [f"https://wire.brassleaf.example/{number}" for number in range(6)]
TASK = """
schema_version = "1"
id = "rail"
title = "Companies of Brassleaf"
canary = "wandr-canary rail"

[[nodes]]
name = "main"
keys = [{ name = "company", kind = "company", required = 6 }, { name = "url", required = 1 }]

[[nodes.requirements]]
id = "names"
text = "The page names the company."
check = { mentions = ["company"] }
decisive = true
"""


def body_of(number):
    return f"<p>Company Tarn{number} makes rails.</p>".encode().ljust(1000)


@pytest.fixture
def recorded(tmp_path):
    store = PageStore(tmp_path / "rail", environment={})
    for number, url in enumerate(URLS):
        store.put(Entry.of(url, status=200, headers={"content-type": "text/html"}), body_of(number))
    store.fold()
    return store


def submission():
    records = [
        Record(
            node="main", item={"company": f"Tarn{n}"}, url=url, excerpts=(f"Company Tarn{n} makes rails.",)
        )
        for n, url in enumerate(URLS)
    ]
    return Submission(task_id="rail", system="t", records=(*records, records[0]))


async def fetched(store, room):
    bodies = Bodies(store, room)
    async with open_fetcher(store) as fetcher:
        return await fetch(submission(), fetcher, bodies=bodies), bodies


@pytest.mark.parametrize(("room", "held"), [(0, 0), (999, 0), (1000, 1), (2500, 2), (6000, 6)])
async def test_only_what_there_is_room_for_is_held(recorded, room, held):
    pages, bodies = await fetched(recorded, room)
    assert sum(bool(page.body) for page in pages.values()) == held
    assert [bodies.whole(page).body for page in pages.values()] == [body_of(n) for n in range(6)]


@pytest.mark.parametrize("sealed", [False, True])
async def test_the_verdicts_do_not_depend_on_the_room(recorded, tmp_path, sealed):
    (tmp_path / "task").mkdir()
    (tmp_path / "task" / "task.toml").write_text(TASK)
    (tmp_path / "task" / "instruction.md").write_text("Find them.")
    task = load_task(tmp_path / "task")
    if sealed:
        pack(recorded.folder)
        shutil.rmtree(recorded.folder)
        recorded = PageStore(recorded.folder, environment={})
    found = []
    for room in (0, 3000, 100_000):
        pages, bodies = await fetched(recorded, room)
        found.append(await judge(task, submission(), pages, Rules(), whole=bodies.whole))
    assert found[0] == found[1] == found[2]
    assert all(verdict.full for verdict in found[0])


async def test_each_page_is_read_once_more_however_many_records_cite_it(recorded, monkeypatch):
    pages, bodies = await fetched(recorded, 0)
    read = []
    monkeypatch.setattr(recorded, "body", lambda sha, size: read.append(sha) or b"x" * size)
    bodies.whole(pages[URLS[0]])
    assert read == [pages[URLS[0]].digest]


async def test_a_body_that_is_lost_meanwhile_is_an_error_and_no_empty_page(recorded):
    pages, bodies = await fetched(recorded, 0)
    next(recorded.blobs.folder.glob("*/*.gz")).unlink()
    with pytest.raises(CassetteError, match="is missing"):
        [bodies.whole(page) for page in pages.values()]


def test_what_is_not_recorded_stays_as_it_is(recorded):
    problem = FetchProblem(kind="internal", detail="no network")
    for page in (Page(url="u", final_url="u", problem=problem), Page(url="u", final_url="u", body=b"given")):
        bodies = Bodies(recorded, 0)
        assert bodies.whole(bodies.put_away(page)) is page
