"""Each url is asked for once in a run, whichever of its tasks cite it. Real sockets, and real processes."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from pytest_wandr.cassettes import PageStore
from pytest_wandr.cassettes.commons import begin_sharing
from pytest_wandr.errors import CassetteError
from pytest_wandr.fetch import Limits, fetch, open_fetcher
from pytest_wandr.fetch.browser.standing import rendered_key
from pytest_wandr.model import Record, Submission

ROOT = Path(__file__).resolve().parents[2]
SCRIPT_ONLY = b"<html><body><div id=app></div><script>show()</script></body></html>"


class Run:
    """One recording run: its tasks are fetched one after the other, as a process does it."""

    def __init__(self, web, server, folder, mode="new", **options):
        self.web, self.server, self.folder, self.mode, self.options = web, server, folder, mode, options
        self.out = folder / "out"
        self.out.mkdir(exist_ok=True)
        begin_sharing(self.out)

    def store(self, name, **options):
        return PageStore(self.folder / "cassettes" / name, **{"environment": {}, **options})

    @asynccontextmanager
    async def fetcher(self, name, **options):
        store = self.store(name, **options)
        async with self.web.recording(
            store, self.server, record=self.mode, out=self.out, **self.options
        ) as fetcher:
            yield fetcher
        store.fold()

    async def task(self, name, *paths, **options):
        urls = [self.server.url(path) for path in paths]
        async with self.fetcher(name, **options) as fetcher:
            pages = await asyncio.gather(*map(fetcher.get, urls))
        async with open_fetcher(self.store(name)) as replay:
            assert [await replay.get(url) for url in urls] == list(pages)
        wrong = [problem for problem in self.store(name).check() if "no entry needs" not in problem]
        assert wrong == []
        return pages


def contents(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def ever_new(web, *headers, status="200 OK"):
    """A page that is another one each time it is asked for."""
    visits = []

    async def page(writer, head):
        visits.append(head)
        writer.write(web.answer(b"visit %d" % len(visits), *headers, status=status))

    return page


@pytest.fixture
def site(web):
    async def session(writer, head):
        cookie = [line for line in head.split(b"\r\n") if line.lower().startswith(b"cookie")]
        writer.write(web.answer(b"in with " + b"".join(cookie)))

    def to(place, *headers):
        return web.answer(b"", f"Location: {place}", *headers, status="302 Found")

    return {
        "/a": ever_new(web, "Content-Type: text/html; charset=utf-8"),
        "/to-a": to("/a"),
        "/also-to-a": to("/to-a"),
        "/gone": ever_new(web, status="404 Not Found"),
        "/busy": ever_new(web, status="503 Busy"),
        "/broken": b"nonsense",
        "/loop": to("/loop"),
        "/door": to("/session?n=1", "Set-Cookie: n=1; Path=/"),
        "/to-door": to("/door"),
        "/session": session,
        "/sets": ever_new(web, "Set-Cookie: seen=1"),
        "/signed": to("/vault?token=opensesame"),
        "/vault": ever_new(web),
        "/always": to("/always", "Set-Cookie: a=1"),
    }


ALL = (
    "/a", "/to-a", "/also-to-a", "/gone", "/busy", "/broken", "/loop", "/door", "/to-door", "/session?n=1",
    "/sets", "/signed", "/always",
)  # fmt: skip


@pytest.mark.parametrize("mode", ["new", "retry", "all"])
async def test_a_second_task_takes_over_what_the_first_one_recorded(web, site, tmp_path, mode):
    async with web.serving(site) as server:
        run = Run(web, server, tmp_path, mode)
        first = await run.task("amber", *ALL)
        asked = sorted(server.asked)
        second = await run.task("birch", *reversed(ALL))
        assert sorted(server.asked) == asked
    assert list(reversed(second)) == list(first)
    amber, birch = (contents(tmp_path / "cassettes" / name) for name in ("amber", "birch"))
    assert amber == birch


async def test_without_a_run_around_them_tasks_fetch_for_themselves(web, site, tmp_path):
    async with web.serving(site) as server:
        run = Run(web, server, tmp_path)
        run.out = None
        bodies = [(await run.task(name, "/a"))[0].body for name in ("amber", "birch")]
    assert bodies == [b"visit 1", b"visit 2"]


@pytest.mark.parametrize("path", ALL)
async def test_a_task_takes_no_more_than_it_cites(web, site, tmp_path, path):
    """As if it had been fetched alone: nothing of what else the first task recorded gets in."""
    async with web.serving(site) as server:
        run = Run(web, server, tmp_path)
        await run.task("amber", *ALL)
        await run.task("birch", path)
        begin_sharing(run.out)
        await run.task("cedar", path)
    birch, cedar = ([(e.key, e.to) for e in run.store(name).entries()] for name in ("birch", "cedar"))
    assert birch == cedar


async def test_chains_that_share_a_hop_ask_for_it_once(web, site, tmp_path):
    async with web.serving(site) as server:
        run = Run(web, server, tmp_path)
        await run.task("amber", "/to-a")
        pages = await run.task("birch", "/also-to-a", "/a")
    assert sorted(server.asked) == ["/a", "/also-to-a", "/to-a"]
    assert {page.body for page in pages} == {b"visit 1"}


async def test_spellings_of_one_url_are_one_url(web, site, tmp_path):
    async with web.serving(site) as server:
        run = Run(web, server, tmp_path)
        await run.task("amber", "/a#part")
        await run.task("birch", "/%61", "/a?")
    assert server.asked == ["/a"]


@pytest.mark.parametrize("mode", ["retry", "all"])
async def test_what_an_earlier_run_recorded_does_not_count(web, site, tmp_path, mode):
    async with web.serving(site) as server:
        for name in ("amber", "birch"):
            await Run(web, server, tmp_path).task(name, "/busy")
        run = Run(web, server, tmp_path, mode)
        pages = [(await run.task(name, "/busy"))[0] for name in ("amber", "birch")]
    assert server.asked == ["/busy"] * 3
    assert [page.body for page in pages] == [b"visit 3"] * 2


async def test_what_another_task_recorded_earlier_is_not_taken(web, site, tmp_path):
    """Two tasks that are recorded on two days stand for two days."""
    async with web.serving(site) as server:
        await Run(web, server, tmp_path).task("amber", "/a")
        run = Run(web, server, tmp_path)
        pages = [(await run.task(name, "/a"))[0].body for name in ("amber", "birch")]
    assert pages == [b"visit 1", b"visit 2"]


async def test_new_keeps_what_a_task_has_and_others_do_not_get_it(web, site, tmp_path):
    async with web.serving(site) as server:
        await Run(web, server, tmp_path).task("birch", "/a")
        run = Run(web, server, tmp_path)
        pages = [(await run.task(name, "/a"))[0].body for name in ("amber", "birch", "cedar")]
    assert pages == [b"visit 2", b"visit 1", b"visit 2"]


async def test_what_lies_behind_a_cookie_is_taken_as_one_or_asked_for_anew(web, site, tmp_path):
    async with web.serving(site) as server:
        run = Run(web, server, tmp_path)
        (first,) = await run.task("amber", "/to-door")
        for line in (run.out / ".pages-run").glob("??"):  # as if its end had been lost
            text = line.read_bytes()
            if b"/session" in text and b"/door" not in text:
                line.unlink()
        (second,) = await run.task("birch", "/to-door")
    assert first.body == second.body == b"in with Cookie: n=1"
    assert server.asked == ["/to-door", "/door", "/session?n=1", "/door", "/session?n=1"]


async def test_a_secret_in_a_redirect_is_taken_over_masked_with_all_behind_it(web, site, tmp_path):
    async with web.serving(site) as server:
        run = Run(web, server, tmp_path)
        pages = [(await run.task(name, "/signed"))[0].body for name in ("amber", "birch")]
    assert pages == [b"visit 1"] * 2
    assert server.asked == ["/signed", "/vault?token=opensesame"]
    assert b"opensesame" not in b"".join(contents(tmp_path).values())


async def test_a_page_that_may_not_be_recorded_is_shared_with_nobody(web, tmp_path):
    secret = {"SHIP_TOKEN": "sesame-open-sesame"}
    async with web.serving({"/echo": web.answer(b"you sent sesame-open-sesame")}) as server:
        run = Run(web, server, tmp_path)
        for name in ("amber", "birch"):
            with pytest.raises(CassetteError, match="SHIP_TOKEN"):
                await run.task(name, "/echo", environment=secret)
    assert b"open-sesame" not in b"".join(contents(tmp_path).values())


async def test_trouble_of_ours_is_no_recording_and_is_not_shared(web, site, tmp_path):
    async def no_files(_host, _port):
        raise OSError(24, "Too many open files")

    async with web.serving(site) as server:
        run = Run(web, server, tmp_path, resolve=no_files)
        async with run.fetcher("amber") as fetcher:
            page = await fetcher.get("http://www.harbour.com/a")
        written = b"".join(contents(run.out).values())
    assert page.problem is not None
    assert (b"harbour" in written) == page.problem.decided


async def test_a_damaged_page_is_fetched_anew_and_the_run_says_so(web, site, tmp_path):
    async with web.serving(site) as server:
        run = Run(web, server, tmp_path)
        await run.task("amber", "/a")
        (blob,) = (tmp_path / "cassettes" / "amber" / "blobs").rglob("*.gz")
        blob.write_bytes(b"garbage")
        async with run.fetcher("birch") as fetcher:
            page = await fetcher.get(server.url("/a"))
            assert "was fetched again: recorded body" in fetcher.notes[0]
    assert page.body == b"visit 2"


async def test_no_bodies_are_held_by_what_is_shared(web, tmp_path):
    site = {f"/{number}": web.answer(bytes([65 + number]) * 40_000) for number in range(8)}
    async with web.serving(site) as server:
        run = Run(web, server, tmp_path)
        await run.task("amber", *site)
        async with run.fetcher("birch") as fetcher:
            for path in site:
                assert len((await fetcher.get(server.url(path))).body) == 40_000
            held = [value for value in vars(fetcher._commons).values() if isinstance(value, bytes | dict)]
    assert held == []
    assert sum(map(len, contents(run.out).values())) < 8 * 1000
    assert server.asked == list(site)


async def test_replaying_leaves_what_is_shared_alone(web, site, tmp_path):
    async with web.serving(site) as server:
        run = Run(web, server, tmp_path)
        await run.task("amber", "/a")
        before = contents(run.out)
        async with open_fetcher(run.store("birch"), out=run.out) as fetcher:
            assert (await fetcher.get("https://harbour.com/a")).problem.kind == "not_recorded"
    assert contents(run.out) == before


WORKER = """
import asyncio, json, sys
from pathlib import Path
from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import Limits, Live, open_fetcher

async def main(out, folder, place, *urls):
    store = PageStore(folder, environment={})
    live = Live(limits=Limits(attempts=1), allow=frozenset({place}), browser="off")
    async with open_fetcher(store, record="new", live=live, out=Path(out)) as fetcher:
        pages = await asyncio.gather(*map(fetcher.get, urls))
    store.fold()
    print(json.dumps([page.body.decode() for page in pages]))

asyncio.run(main(*sys.argv[1:]))
"""


class Workers:
    """Processes that fetch for tasks of one run at the same time."""

    def __init__(self, run):
        self.run = run
        self.started = []

    def start(self, name, *paths):
        urls = [self.run.server.url(path) for path in paths]
        folder = self.run.folder / "cassettes" / name
        process = subprocess.Popen(
            [sys.executable, "-c", WORKER, self.run.out, folder, self.run.server.place, *urls],
            stdout=subprocess.PIPE, cwd=ROOT,
        )  # fmt: skip
        self.started.append(process)
        return process

    async def said(self, process):
        output, _ = await asyncio.to_thread(process.communicate)
        assert process.returncode == 0
        return json.loads(output)

    def close(self):
        for process in self.started:
            if process.poll() is None:
                os.kill(process.pid, signal.SIGCONT)
                process.kill()
            if process.returncode is None or not process.stdout.closed:
                process.communicate()


@pytest.fixture
def gate():
    return asyncio.Event()


@asynccontextmanager
async def workers(web, site, tmp_path):
    async with web.serving(site) as server:
        team = Workers(Run(web, server, tmp_path))
        try:
            yield server, team
        finally:
            team.close()


def held_back(web, gate, come):
    """A page that is another one each time, and comes when the gate is open; `come`: it was asked for."""
    visits = []

    async def page(writer, head):
        visits.append(head)
        come.set()
        await gate.wait()
        writer.write(web.answer(b"visit %d" % len(visits)))

    return page


async def until(server, path):
    while path not in server.asked:  # noqa: ASYNC110 -- the server of these tests tells nobody
        await asyncio.sleep(0.01)


async def test_two_processes_that_want_a_page_at_once_ask_for_it_once(web, site, tmp_path, gate):
    come = asyncio.Event()
    site["/held"] = held_back(web, gate, come)
    async with workers(web, site, tmp_path) as (server, team):
        first = team.start("amber", "/held", "/a")
        await come.wait()
        second = team.start("birch", "/held", "/gone")
        await until(server, "/gone")  # the second one waits, and does not stand still
        await asyncio.sleep(0.2)
        gate.set()
        said = [await team.said(one) for one in (first, second)]
    assert said == [["visit 1", "visit 1"], ["visit 1", "visit 1"]]
    assert sorted(server.asked) == ["/a", "/gone", "/held"]


async def test_what_a_killed_process_was_fetching_another_one_fetches(web, site, tmp_path, gate):
    come = asyncio.Event()
    site["/held"] = held_back(web, gate, come)
    async with workers(web, site, tmp_path) as (server, team):
        first = team.start("amber", "/a", "/held")
        await come.wait()
        second = team.start("birch", "/held", "/a", "/gone")
        await until(server, "/gone")
        assert server.asked.count("/held") == 1
        first.kill()
        gate.set()
        said = await team.said(second)
    assert said == ["visit 2", "visit 1", "visit 1"]
    assert sorted(server.asked) == ["/a", "/gone", "/held", "/held"]


async def test_chains_that_wait_for_each_other_in_two_processes_come_to_an_end(web, site, tmp_path):
    """Every way round: plain hops, cookies and secrets that lead to each other."""

    def to(place, *headers):
        return web.answer(b"", f"Location: {place}", *headers, status="302 Found")

    site |= {
        "/p": to("/q"), "/q": to("/p"), "/c": to("/d", "Set-Cookie: c=1; Path=/"),
        "/d": to("/c", "Set-Cookie: d=1; Path=/"), "/s": to("/t?token=opensesame"),
        "/t": to("/s?token=opensesame"), "/pc": to("/c"), "/cp": to("/p", "Set-Cookie: c=1; Path=/"),
    }  # fmt: skip
    paths = ["/p", "/q", "/c", "/d", "/s", "/t?token=opensesame", "/pc", "/cp"]
    async with workers(web, site, tmp_path) as (server, team), asyncio.timeout(90):
        started = [team.start(name, *order) for name, order in (("amber", paths), ("birch", paths[::-1]))]
        for one in started:
            await team.said(one)
        assert server.asked.count("/p") <= 2  # once plain, once with a cookie
        assert server.asked.count("/q") <= 2


async def test_many_processes_ask_for_each_page_once(web, tmp_path):
    site = {f"/{number}": ever_new(web) for number in range(30)}
    site |= {f"/to/{n}": web.answer(b"", f"Location: /{n}", status="302 Found") for n in range(30)}
    paths = list(site)
    async with workers(web, site, tmp_path) as (server, team):
        orders = [paths[start:] + paths[:start] for start in (0, 17, 34, 51)]
        started = [team.start(f"task{at}", *order) for at, order in enumerate(orders)]
        for order, one in zip(orders, started, strict=True):
            assert await team.said(one) == ["visit 1"] * len(order)
        assert sorted(server.asked) == sorted(paths)
    recordings = [contents(tmp_path / "cassettes" / f"task{at}") for at in range(4)]
    assert recordings == [recordings[0]] * 4


async def test_a_process_that_stands_still_is_passed_over(web, site, tmp_path, gate):
    come = asyncio.Event()
    site["/held"] = held_back(web, gate, come)
    async with workers(web, site, tmp_path) as (server, team):
        first = team.start("amber", "/held")
        await come.wait()
        os.kill(first.pid, signal.SIGSTOP)
        gate.set()
        limits = Limits(attempts=1, connect=0.1, deadline=0.3, longest_wait=0.0, spacing=0.0)
        run = team.run
        run.options["limits"] = limits
        async with run.fetcher("birch") as fetcher:
            page = await fetcher.get(server.url("/held"))
            assert "stood still" in fetcher.notes[0]
    assert page.body == b"visit 2"


async def test_waiting_is_not_the_hosts_time(web, site, tmp_path, gate):
    """A page that another process holds for longer than any deadline of ours is no failure."""
    come = asyncio.Event()
    site["/held"] = held_back(web, gate, come)
    async with workers(web, site, tmp_path) as (server, team):
        first = team.start("amber", "/held")
        await come.wait()
        run = team.run
        run.options["limits"] = Limits(attempts=1, connect=0.1, deadline=0.3, longest_wait=60.0)
        async with run.fetcher("birch") as fetcher:
            second = asyncio.ensure_future(fetcher.get(server.url("/held")))
            await asyncio.sleep(0.8)
            assert not second.done()
            gate.set()
            page = await second
        assert await team.said(first) == ["visit 1"]
    assert (page.body, page.problem) == (b"visit 1", None)
    assert server.asked == ["/held"]


async def test_a_page_stays_what_it_is_for_the_stage_that_fetches(web, site, tmp_path):
    async with web.serving(site) as server:
        run = Run(web, server, tmp_path)
        cited = [Record(node="n", item={"company": "c"}, url=server.url(p)) for p in ("/a", "/to-a", "/a#x")]
        for name in ("amber", "birch"):
            submission = Submission(task_id=name, system="t", records=tuple(cited))
            async with run.fetcher(name) as fetcher:
                pages = await fetch(submission, fetcher)
            assert {page.body for page in pages.values()} == {b"visit 1"}
            assert [page.url for page in pages.values()] == [record.url for record in cited]


class FakeBrowser:
    """Stands in for a browser: what it shows tells how often it was asked, and by which cookies."""

    def __init__(self):
        self.shown = []

    def install(self, monkeypatch):
        from pytest_wandr.fetch.browser import renderer, retry
        from pytest_wandr.fetch.browser.tab import Shown

        browser = self

        class Renderer:
            def __init__(self, *_):
                pass

            async def show(self, url, chain):
                browser.shown.append((url.partition("/")[2].partition("/")[2], chain.given_cookie))
                words = f"seen {len(browser.shown)} with {chain.given_cookie} " + "and a lot to read " * 40
                return Shown(url=url, status=200, body=f"<p>{words}".encode(), trouble=None)

            async def aclose(self):
                pass

        monkeypatch.setattr(renderer, "Renderer", Renderer)
        monkeypatch.setattr(retry, "find_chromium", lambda _live: "chromium")
        return self


@pytest.fixture
def browser(monkeypatch):
    return FakeBrowser().install(monkeypatch)


@pytest.fixture
def scripts(web):
    return {
        "/app": web.answer(SCRIPT_ONLY, "Content-Type: text/html"),
        "/to-app": web.answer(b"", "Location: /app", status="302 Found"),
        "/gate": web.answer(b"", "Location: /app", "Set-Cookie: in=1; Path=/", status="302 Found"),
    }


async def test_what_a_browser_shows_is_taken_over_as_well(web, scripts, tmp_path, browser):
    async with web.serving(scripts) as server:
        run = Run(web, server, tmp_path, browser="on")
        first = await run.task("amber", "/app", "/to-app")
        second = await run.task("birch", "/to-app", "/app")
        assert list(first) == list(reversed(second))
        assert [page.via for page in first] == ["browser"] * 2
        assert len(browser.shown) == 1
        (third,) = await run.task("cedar", "/app#/team")  # another route is another view
        assert len(browser.shown) == 2
    assert third.body != first[0].body
    assert sorted(server.asked) == ["/app", "/to-app"]


async def test_what_a_browser_shows_behind_a_cookie_is_taken_over_with_the_chain(
    web, scripts, tmp_path, browser
):
    async with web.serving(scripts) as server:
        run = Run(web, server, tmp_path, browser="on")
        (first,) = await run.task("amber", "/gate")
        (second,) = await run.task("birch", "/gate")
    assert first == second
    assert len(browser.shown) == 1
    assert browser.shown[0][1] is True
    assert server.asked == ["/gate", "/app"]


async def test_a_browser_that_needs_the_cookies_of_a_chain_gets_those_of_its_own(
    web, scripts, tmp_path, browser
):
    """Another route is to be shown, and the cookies that lead there are in no recording."""
    async with web.serving(scripts) as server:
        run = Run(web, server, tmp_path, browser="on")
        await run.task("amber", "/gate")
        (page,) = await run.task("birch", "/gate#/team")
        assert page.via == "browser"
        assert [given for _, given in browser.shown] == [True, True]
        entry = run.store("birch").ending(server.url("/gate")).entry
        assert run.store("birch").find(rendered_key(entry, page.url)) is not None
    assert server.asked == ["/gate", "/app"] * 2


async def test_a_browser_that_fails_failed_for_all_tasks(web, scripts, tmp_path, monkeypatch):
    from pytest_wandr.fetch.browser import renderer
    from pytest_wandr.fetch.failure import FetchFailed

    browser = FakeBrowser().install(monkeypatch)

    async def show(_self, url, _chain):
        browser.shown.append(url)
        raise FetchFailed("timeout", "nothing to read after 15 seconds")

    monkeypatch.setattr(renderer.Renderer, "show", show)
    async with web.serving(scripts) as server:
        run = Run(web, server, tmp_path, browser="on")
        pages = [(await run.task(name, "/app"))[0] for name in ("amber", "birch")]
    assert [page.note for page in pages] == ["in a browser: nothing to read after 15 seconds"] * 2
    assert len(browser.shown) == 1
