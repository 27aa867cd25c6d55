"""Recording as a whole task sees it: what is fetched and judged again, and what is told on the way."""

import pytest

from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import Limits, Live
from pytest_wandr.judges.rules import Rules
from pytest_wandr.pipeline import RunSettings, evaluate
from pytest_wandr.progress import Step

MANIFEST = """
schema_version = "1"
id = "rail"
title = "Companies"
canary = "wandr-canary rail"
[[nodes]]
name = "main"
keys = [{ name = "company", kind = "company", required = 2 }, { name = "url", required = 1 }]
[[nodes.requirements]]
id = "names"
text = "The page names the company."
check = { mentions = ["company"] }
decisive = true
"""
PAGE = (
    b"<!doctype html><html lang=en><title>Acme</title><h1>Acme</h1><p>Acme makes good things in Lower "
    b"Fenwick, and it has employed forty people there since it was founded by two sisters."
)
PATHS = ("/a", "/flaky", "/gone")


@pytest.fixture
def task(tmp_path):
    folder = tmp_path / "tasks" / "rail"
    folder.mkdir(parents=True)
    (folder / "task.toml").write_text(MANIFEST)
    (folder / "instruction.md").write_text("Find the companies.\n")
    return folder


@pytest.fixture
def site(web):
    return {
        "/a": web.answer(PAGE, "Content-Type: text/html"),
        "/flaky": web.answer(b"", status="503 Unavailable"),
        "/gone": web.answer(b"", status="404 Not Found"),
    }


async def run(task, server, mode, watch=None):
    def agent(_task):
        return {
            "main": [
                {"item": {"company": "Acme"}, "url": server.url(path), "excerpts": ["Acme makes good things"]}
                for path in PATHS
            ]
        }

    settings = RunSettings(
        system_name="agent",
        out=task.parents[1] / "out",
        cassettes=task.parents[1] / "cassettes",
        record=mode,
        live=Live(allow=frozenset({server.place}), limits=Limits(attempts=1), browser="off"),
        **({"watch": watch} if watch else {}),
    )
    evaluation = await evaluate(task, system=agent, judge=Rules(), settings=settings)
    return [verdict.page_content_usable.value for verdict in evaluation.verdicts]


async def test_a_retry_judges_again_what_it_fetched_again(web, site, task):
    async with web.serving(site) as server:
        assert await run(task, server, "new") == [True, False, False]
        site["/flaky"] = site["/a"]
        assert await run(task, server, "new") == [True, False, False]
        assert sorted(server.asked) == sorted(PATHS)
        assert await run(task, server, "retry") == [True, True, False]
        assert sorted(server.asked) == sorted((*PATHS, "/flaky"))
        assert await run(task, server, "none") == [True, True, False]
    store = PageStore(task.parents[1] / "cassettes" / "rail")
    assert [entry.status for entry in store.entries()] == [200, 200, 404]


async def test_a_retry_with_nothing_to_retry_changes_no_byte(web, site, task):
    def recorded():
        cassettes = task.parents[1] / "cassettes"
        return {path: path.read_bytes() for path in cassettes.rglob("*") if path.is_file()}

    del site["/flaky"]
    site["/flaky"] = site["/a"]
    async with web.serving(site) as server:
        await run(task, server, "new")
        before = recorded()
        await run(task, server, "retry")
        assert recorded() == before
    assert sorted(server.asked) == sorted(PATHS)


@pytest.mark.parametrize("mode", ["new", "retry", "all"])
async def test_a_recording_tells_how_far_it_is(web, site, task, mode):
    seen = []
    async with web.serving(site) as server:
        await run(task, server, mode, seen.append)
    assert seen[:2] == [Step("solve"), Step("fetch", 0, 3)]
    assert [(step.stage, step.done) for step in seen[2:]] == [("fetch", done) for done in (1, 2, 3)]
    assert seen[-1].failures == 2


async def test_a_replay_tells_of_no_pages(web, site, task):
    seen = []
    async with web.serving(site) as server:
        await run(task, server, "none", seen.append)
        assert server.asked == []
    assert seen == [Step("solve")]
