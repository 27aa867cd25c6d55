"""Recording from live servers, and replaying what was recorded."""

import asyncio
import gzip
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from pytest_wandr.cassettes import PageStore
from pytest_wandr.cassettes.chain import is_passing
from pytest_wandr.cassettes.entry import Entry
from pytest_wandr.errors import CassetteError
from pytest_wandr.fetch import Limits, SealedHosts, fetch, open_fetcher
from pytest_wandr.model import FetchProblem, Record, Submission
from pytest_wandr.progress import Step

PATIENT = Limits(connect=4, read=8, deadline=10, attempts=3)


def submission(*urls):
    records = tuple(Record(node="rail", item={"company": f"c{n}"}, url=url) for n, url in enumerate(urls))
    return Submission(task_id="rail", system="t", records=records)


def contents(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


@pytest.fixture
def site(web):
    """A small site: pages, redirects, cookies, errors, a PDF."""

    async def by_cookie(writer, head):
        if b"cookie: seen=1" in head.lower():
            writer.write(web.answer(b"the page behind the wall"))
        else:
            writer.write(web.answer(b"", "Location: /wall", "Set-Cookie: seen=1", status="302 Found"))

    async def cookie_in_sight(writer, head):
        seen = b"cookie:" in head.lower()
        writer.write(web.answer(b"with a cookie" if seen else b"without a cookie"))

    return {
        "/a": web.answer(b"page a", "Content-Type: text/html; charset=utf-8", "Date: today", "Server: x/1"),
        "/b": web.answer(b"page b"),
        "/gz": web.answer(gzip.compress(b"packed"), "Content-Encoding: gzip"),
        "/pdf": web.answer(b"%PDF-1.7\n\x00\xff\xfe\r\n", "Content-Type: application/pdf"),
        "/to-a": web.answer(b"moved", "Location: /a", status="301 Moved"),
        "/to-to-a": web.answer(b"moved", "Location: to-a#part", status="307 Temporary"),
        "/to-gone": web.answer(b"", "Location: /gone", status="302 Found"),
        "/gone": web.answer(b"no such page", status="404 Not Found"),
        "/sets": web.answer(b"", "Location: /sight", "Set-Cookie: a=1; Path=/", status="302 Found"),
        "/sight": cookie_in_sight,
        "/plain-to-sight": web.answer(b"", "Location: /sight", status="302 Found"),
        "/wall": by_cookie,
        "/always": web.answer(b"", "Location: /always", "Set-Cookie: a=1", status="302 Found"),
    }


async def record(web, site, store, paths, **options):
    async with web.serving(site) as server:
        async with web.recording(store, server, **options) as fetcher:
            pages = {path: await fetcher.get(server.url(path)) for path in paths}
        store.fold()
        return server, pages


async def test_every_page_replays_as_it_was_fetched(web, site, store):
    server, live = await record(web, site, store, site)
    async with open_fetcher(PageStore(store.folder)) as fetcher:
        for path in site:
            assert await fetcher.get(server.url(path)) == live[path]
    assert live["/gz"].body == b"packed"
    assert live["/pdf"].body == b"%PDF-1.7\n\x00\xff\xfe\r\n"
    assert live["/pdf"].media_type == "application/pdf"
    assert live["/gone"].problem.kind == "gone"


async def test_a_redirect_ends_at_its_last_url_and_keeps_its_hops(web, site, store):
    server, live = await record(web, site, store, ["/to-to-a"])
    page = live["/to-to-a"]
    assert page.url == server.url("/to-to-a")
    assert page.final_url == server.url("/a")
    assert page.hops == (server.url("/to-to-a"), server.url("/to-a"))
    assert page.body == b"page a"
    assert server.asked == ["/to-to-a", "/to-a", "/a"]


async def test_five_redirects_are_followed_and_the_sixth_is_a_problem(web, store):
    answers = {f"/{n}": web.answer(b"", f"Location: /{n + 1}", status="302 Found") for n in range(6)}
    answers["/6"] = web.answer(b"end")
    _, live = await record(web, answers, store, ["/1", "/0"])
    assert live["/1"].body == b"end"
    assert live["/0"].problem.kind == "redirect_limit"


async def test_a_chain_keeps_its_cookies_to_itself(web, site, store):
    _, live = await record(web, site, store, ["/sets", "/sight", "/plain-to-sight"])
    assert live["/sets"].body == b"with a cookie"
    assert live["/sight"].body == b"without a cookie"
    assert live["/plain-to-sight"].body == b"without a cookie"


async def test_the_order_of_fetching_does_not_change_a_recording(web, site, store, tmp_path):
    other = PageStore(tmp_path / "other", environment={})
    async with web.serving(site) as server:
        for into, paths in ((store, list(site)), (other, list(reversed(site)))):
            async with web.recording(into, server) as fetcher:
                await asyncio.gather(*(fetcher.get(server.url(path)) for path in paths))
            into.fold()
    assert contents(store.folder) == contents(other.folder)


async def test_a_page_that_sets_a_cookie_and_redirects_to_itself_is_reached(web, site, store):
    server, live = await record(web, site, store, ["/wall"])
    assert live["/wall"].body == b"the page behind the wall"
    assert live["/wall"].hops == (server.url("/wall"),)
    assert store.get(server.url("/wall")) == live["/wall"]


@pytest.mark.parametrize("value", ["é".encode("latin-1"), "é".encode(), b"\xff\xc3"])
async def test_a_cookie_goes_back_as_the_bytes_it_came_as(web, store, value):
    hop = (
        b"HTTP/1.1 302 Found\r\nLocation: /in\r\nSet-Cookie: city=" + value + b"\r\nContent-Length: 0\r\n\r\n"
    )

    async def inside(writer, head):
        writer.write(web.answer(b"welcome" if b"cookie: city=" + value in head.lower() else b"who is it?"))

    _, pages = await record(web, {"/gate": hop, "/in": inside}, store, ["/gate"])
    assert pages["/gate"].body == b"welcome"


async def test_chains_that_share_a_hop_with_a_cookie_share_what_is_behind_it(web, store):
    """Servers may tell visits apart: all chains see the same visit, and replay it."""
    visits = []

    async def door(writer, head):
        visits.append(head)
        number = len(visits)
        writer.write(
            web.answer(b"", f"Location: /s?n={number}", f"Set-Cookie: n={number}", status="302 Found")
        )

    async def session(writer, head):
        await asyncio.sleep(0)
        writer.write(web.answer(head.split()[1] + b" with n=%d" % head.lower().count(b"cookie: n=1")))

    to_door = web.answer(b"", "Location: /door", status="302 Found")
    pages = {"/door": door, "/s": session, "/one": to_door, "/two": to_door}
    async with web.serving(pages) as server:
        urls = [server.url(path) for path in ("/door", "/one", "/two", "/door#part", "/door?")]
        async with web.recording(store, server) as fetcher:
            live = await asyncio.gather(*map(fetcher.get, urls))
            live += [await fetcher.get(server.url("/two#later"))]
        store.fold()
    async with open_fetcher(PageStore(store.folder)) as fetcher:
        replayed = [await fetcher.get(url) for url in [*urls, server.url("/two#later")]]
    assert replayed == live
    assert {page.body for page in live} == {b"/s?n=1 with n=1"}
    assert len(visits) == 1


async def test_two_cookie_hops_that_lead_to_each_other_wait_for_nobody(web, store):
    def sets(to, cookie):
        return web.answer(b"", f"Location: {to}", f"Set-Cookie: {cookie}", status="302 Found")

    site = {"/a": sets("/b", "a=1"), "/b": sets("/a", "b=1")}
    async with web.serving(site) as server, web.recording(store, server) as fetcher, asyncio.timeout(20):
        live = await asyncio.gather(*(fetcher.get(server.url(path)) for path in ("/a", "/b", "/a#x")))
    assert {page.problem.kind for page in live} <= {"redirect_loop", "redirect_limit"}


@pytest.mark.parametrize("mode", ["new", "retry", "all"])
async def test_a_recorded_invented_web_is_kept_when_its_server_is_not_there(web, store, mode):
    url = "https://wire.brassleaf.example/a"
    store.put(Entry.of(url, status=200, headers={"content-type": "text/html"}), b"page a")
    store.put(Entry.of(f"{url}/old", status=302, to=url))
    store.fold()
    before = contents(store.folder)
    again = PageStore(store.folder, environment={})
    async with web.serving({}) as server, web.recording(again, server, record=mode) as fetcher:
        assert (await fetcher.get(url)).body == b"page a"
        assert (await fetcher.get(f"{url}/old")).final_url == url
        assert (await fetcher.get(f"{url}/never")).problem.kind == "blocked"
    again.close()
    after = {name: body for name, body in contents(store.folder).items() if "journal" not in str(name)}
    assert after == before
    again.fold()
    assert again.get(url).body == b"page a"


async def test_a_secret_in_a_redirect_is_asked_for_again_not_sent_masked(web, store):
    asked = []

    async def vault(writer, head):
        asked.append(head.split()[1])
        writer.write(
            web.answer(b"in" if len(asked) > 1 else b"busy", status="200 OK" if len(asked) > 1 else "503 No")
        )

    hop = web.answer(b"", "Location: /vault?token=opensesame", status="302 Found")
    async with web.serving(
        {"/gate": hop, "/vault": vault, "/other": web.answer(b"", "Location: /gate", status="302 F")}
    ) as server:
        for mode in ("new", "retry"):
            async with web.recording(PageStore(store.folder), server, record=mode) as fetcher:
                page = await fetcher.get(server.url("/gate"))
                again = await fetcher.get(server.url("/other"))
            PageStore(store.folder).fold()
    assert (page.body, again.body) == (b"in", b"in")
    assert asked == [b"/vault?token=opensesame"] * 2
    assert b"opensesame" not in store.index_path.read_bytes()


async def test_a_page_that_redirects_to_itself_whatever_the_cookie_is_a_loop(web, site, store):
    server, live = await record(web, site, store, ["/always"])
    assert live["/always"].problem.kind == "redirect_loop"
    assert len(server.asked) == 2


async def test_no_cookie_and_no_request_header_is_ever_recorded(web, site, store):
    await record(web, site, store, ["/sets", "/wall", "/a"])
    written = b"".join(contents(store.folder).values()).lower()
    for word in (b"cookie", b"seen=1", b"user-agent", b"accept", b"server", b"date"):
        assert word not in written


async def test_recording_twice_gives_the_same_bytes(web, site, tmp_path):
    async with web.serving(site) as server:
        for name in ("one", "two"):
            store = PageStore(tmp_path / name / "rail", environment={})
            async with web.recording(store, server) as fetcher:
                for path in site:
                    await fetcher.get(server.url(path))
            store.fold()
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


async def test_new_fetches_only_what_is_missing(web, site, store):
    async with web.serving(site) as server:
        for paths in (["/a", "/to-gone"], ["/a", "/to-gone", "/gone", "/b"]):
            opened = PageStore(store.folder, environment={})
            async with web.recording(opened, server) as fetcher:
                await fetch(submission(*map(server.url, paths)), fetcher)
            opened.fold()
    assert sorted(server.asked) == ["/a", "/b", "/gone", "/to-gone"]


async def test_all_fetches_everything_again_once_and_replaces_it(web, site, store):
    async with web.serving(site) as server:
        for body in (b"first", b"second"):
            site["/a"] = web.answer(body)
            opened = PageStore(store.folder, environment={})
            async with web.recording(opened, server, record="all") as fetcher:
                urls = [server.url(path) for path in ("/a", "/to-a", "/to-to-a")]
                pages = await fetch(submission(*urls), fetcher)
            opened.fold()
            assert {page.body for page in pages.values()} == {body}
        assert opened.gc() == 1
    assert sorted(server.asked) == sorted(["/a", "/to-a", "/to-to-a"] * 2)
    assert PageStore(store.folder).get(server.url("/a")).body == b"second"


async def test_recorded_failures_are_tried_again_only_when_asked(web, site, store):
    site["/down"] = web.answer(b"", status="503 Unavailable")
    async with web.serving(site) as server:
        for number, mode in enumerate(("new", "new", "retry")):
            async with web.recording(store, server, record=mode) as fetcher:
                page = await fetcher.get(server.url("/down"))
                assert page.problem.kind == "http_retryable"
            store.fold()
            store = PageStore(store.folder, environment={})
            assert len(server.asked) == (1, 1, 2)[number]
        site["/down"] = web.answer(b"up again")
        async with web.recording(store, server, record="retry") as fetcher:
            assert (await fetcher.get(server.url("/down"))).body == b"up again"
        store.fold()
    assert PageStore(store.folder).get(server.url("/down")).body == b"up again"


PASSING = ("408 Timeout", "425 Early", "429 Many", "500 Error", "501 Not", "502 Bad", "503 Busy", "520 Odd")
STAYING = (
    "200 OK",
    "301 Moved",
    "400 Bad",
    "401 Who",
    "403 No",
    "404 Gone",
    "406 No",
    "410 Gone",
    "451 Law",
    "999 No",
)


@pytest.mark.parametrize("status", [*PASSING, *STAYING])
async def test_retrying_asks_again_for_statuses_that_may_have_passed(web, store, status):
    answers = {"/x": web.answer(b"text", status=status)}
    async with web.serving(answers) as server:
        for _ in range(2):
            async with web.recording(store, server, record="retry") as fetcher:
                await fetcher.get(server.url("/x"))
            store.fold()
            store = PageStore(store.folder, environment={})
    assert len(server.asked) == (2 if status in PASSING else 1)


@pytest.mark.parametrize(
    ("kind", "passing"),
    [
        ("timeout", True), ("connect", True), ("dns", True), ("protocol", True), ("rate_limited", True),
        ("tls", False), ("blocked", False), ("redirect_loop", False), ("body_too_large", False),
        ("bad_coding", False), ("decoded_too_large", False),
    ],
)  # fmt: skip
def test_failures_that_may_have_passed(kind, passing):
    error = FetchProblem(kind=kind)
    assert is_passing(Entry.of("https://harbour.com/", error=error)) == passing
    assert is_passing(Entry.of("https://harbour.com/", status=503, error=error)) == passing


async def test_retrying_fetches_what_is_missing_and_leaves_the_rest(web, site, store):
    site["/flaky"] = Flapping([b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"], web.answer(b"whole"))
    async with web.serving(site) as server:
        for mode, paths in (
            ("new", ["/a", "/flaky", "/to-gone"]),
            ("retry", ["/a", "/flaky", "/to-gone", "/b"]),
        ):
            async with web.recording(store, server, record=mode) as fetcher:
                pages = await fetch(submission(*map(server.url, paths)), fetcher)
            store.fold()
            store = PageStore(store.folder, environment={})
    assert sorted(server.asked) == ["/a", "/b", "/flaky", "/flaky", "/gone", "/to-gone"]
    assert pages[server.url("/flaky")].body == b"whole"


async def test_the_end_of_a_chain_is_retried_without_its_beginning(web, site, store):
    site["/to-down"] = web.answer(b"", "Location: /down", status="302 Found")
    site["/down"] = Flapping([web.answer(b"", status="503 Unavailable")], web.answer(b"up"))
    async with web.serving(site) as server:
        for mode in ("new", "retry"):
            async with web.recording(store, server, record=mode) as fetcher:
                page = await fetcher.get(server.url("/to-down"))
            store.fold()
            store = PageStore(store.folder, environment={})
    assert page.body == b"up"
    assert server.asked == ["/to-down", "/down", "/down"]


async def test_many_records_that_cite_one_url_fetch_it_once(web, site, store):
    async with web.serving(site) as server:
        cited = [server.url("/a")] * 50 + [server.url("/to-a"), server.url("/a#part"), server.url("/b")] * 5
        async with web.recording(store, server) as fetcher:
            pages = await fetch(submission(*cited), fetcher)
    assert sorted(server.asked) == ["/a", "/b", "/to-a"]
    assert list(pages) == [server.url(path) for path in ("/a", "/to-a", "/a#part", "/b")]
    assert pages[server.url("/a#part")].url == server.url("/a#part")
    assert pages[server.url("/a#part")].final_url == server.url("/a")


async def test_a_host_gets_few_requests_at_a_time(web, store):
    running = most = 0

    async def busy(writer, head):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.02)
        running -= 1
        writer.write(web.answer(b"x", "Connection: close"))

    limits = Limits(attempts=1, per_host=2)
    async with web.serving({"/x": busy}) as server, web.recording(store, server, limits=limits) as fetcher:
        await asyncio.gather(*(fetcher.get(server.url(f"/x?{n}")) for n in range(9)))
    assert most == 2


class Flapping:
    """Fails a few times, then answers."""

    def __init__(self, failures, answer):
        self.left = failures
        self.answer = answer

    async def __call__(self, writer, head):
        if self.left:
            writer.write(self.left.pop(0))
        else:
            writer.write(self.answer)


async def test_only_the_last_attempt_is_recorded(web, store):
    busy = web.answer(b"busy", "Retry-After: 3", status="503 Unavailable")
    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    answers = {
        "/x": Flapping([busy, b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"], web.answer(b"whole"))
    }
    server, live = await record(web, answers, store, ["/x"], limits=PATIENT, sleep=sleep)
    assert live["/x"].body == b"whole"
    assert server.asked == ["/x"] * 3
    assert waited[0] == 3
    assert 0 <= waited[1] <= 2
    assert [entry.status for entry in store.entries()] == [200]


async def test_attempts_end(web, store):
    answers = {"/x": web.answer(b"busy", status="503 Unavailable")}
    server, live = await record(web, answers, store, ["/x"], limits=PATIENT)
    assert live["/x"].problem.kind == "http_retryable"
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", ["404 Not Found", "403 Forbidden", "400 Bad Request"])
async def test_what_would_not_change_is_not_repeated(web, store, status):
    server, _ = await record(web, {"/x": web.answer(b"", status=status)}, store, ["/x"], limits=PATIENT)
    assert len(server.asked) == 1


async def test_a_server_that_asks_to_wait_a_day_is_not_waited_for(web, store):
    answers = {"/x": web.answer(b"", "Retry-After: 86400", status="429 Too Many")}
    server, live = await record(web, answers, store, ["/x"], limits=PATIENT)
    assert live["/x"].problem.kind == "rate_limited"
    assert len(server.asked) == 1


async def test_a_refused_url_is_never_sent_and_still_has_a_page(web, site, store):
    async with web.serving(site) as server, web.recording(store, server) as fetcher:
        for url in (
            "http://127.0.0.1/",
            "file:///etc/passwd",
            "http://me:pw@harbour.com/",
            "",
            "\x00",
            "http://\ud800",
        ):
            page = await fetcher.get(url)
            assert page.problem.kind == "blocked"
            assert page.url == url
    assert server.asked == []
    store.fold()
    assert "pw" not in store.index_path.read_text()


async def test_a_redirect_is_checked_like_a_cited_url(web, site, store):
    async with web.serving({"/secret": web.answer(b"inside")}) as inside:
        site["/in"] = web.answer(b"", f"Location: {inside.url('/secret')}", status="302 Found")
        _, live = await record(web, site, store, ["/in"])
    assert live["/in"].problem.kind == "blocked"
    assert inside.asked == []


async def test_secrets_in_a_url_are_sent_but_not_recorded(web, store):
    answers = {
        "/a": web.answer(b"", "Location: /b?x=1&token=hush-hush-hush", status="302 Found"),
        "/b": web.answer(b"in"),
    }
    server, live = await record(web, answers, store, ["/a?api_key=very-secret-indeed"])
    assert server.asked == ["/a?api_key=very-secret-indeed", "/b?x=1&token=hush-hush-hush"]
    page = live["/a?api_key=very-secret-indeed"]
    assert page.body == b"in"
    assert store.get(page.url) == page
    written = b"".join(contents(store.folder).values())
    assert b"secret-indeed" not in written
    assert b"hush-hush" not in written
    assert store.get(server.url("/a?api_key=another-secret-one")) is None


async def test_a_page_that_echoes_a_key_is_not_recorded(web, site, tmp_path):
    store = PageStore(tmp_path / "rail", environment={"MODEL_API_KEY": "sk-0123456789abcdef"})
    site["/echo"] = web.answer(b"your key is sk-0123456789abcdef")
    async with web.serving(site) as server, web.recording(store, server) as fetcher:
        with pytest.raises(CassetteError, match="MODEL_API_KEY") as caught:
            await fetch(submission(server.url("/a"), server.url("/echo")), fetcher)
    assert "0123456789" not in str(caught.value)
    assert b"0123456789" not in b"".join(contents(tmp_path).values())


async def test_sealed_hosts_lead_to_loopback_and_keep_their_urls(web, site, store):
    site["/abs"] = web.answer(b"", "Location: https://wire.brassleaf.example/a", status="302 Found")
    async with web.serving(site) as server:
        hosts = SealedHosts(frozenset({"wire.brassleaf.example", "ledger.test"}), server.port)
        async with web.recording(store, server, hosts=hosts) as fetcher:
            page = await fetcher.get("https://ledger.test/abs")
            strange = await fetcher.get("https://other.example/a")
    assert page.body == b"page a"
    assert page.final_url == "https://wire.brassleaf.example/a"
    assert page.hops == ("https://ledger.test/abs",)
    assert strange.problem.kind == "blocked"
    assert any(b"host: ledger.test\r\n" in head for head in server.heads)
    assert store.urls() == (
        "https://ledger.test/abs", "https://other.example/a", "https://wire.brassleaf.example/a",
    )  # fmt: skip


def test_a_real_host_cannot_be_sealed():
    with pytest.raises(ValueError, match=r"harbour\.com"):
        SealedHosts(frozenset({"a.example", "harbour.com"}), 80)


async def test_a_url_that_was_never_recorded_is_undecided_and_says_what_to_do(web, site, store):
    server, _ = await record(web, site, store, ["/a"])
    async with open_fetcher(PageStore(store.folder)) as fetcher:
        page = await fetcher.get(server.url("/a?page=2"))
        fresh = await fetcher.get("https://harbour.com/never?token=hush-hush")
        refused = await fetcher.get("http://10.0.0.1/")
    assert page.problem.kind == "not_recorded"
    assert not page.problem.decided
    for part in (
        server.url("/a?page=2"),
        f"under the same path: {server.url('/a')}.",
        "--wandr-record=new -k rail",
    ):
        assert part in page.problem.detail
    assert "same path" not in fresh.problem.detail
    assert "hush" not in fresh.problem.detail
    assert refused.problem.kind == "blocked"


async def test_a_redirect_into_the_unknown_is_undecided(web, site, store):
    server, _ = await record(web, site, store, ["/to-gone"])
    kept = [line for line in store.index_path.read_text().splitlines(keepends=True) if '"to"' in line]
    store.index_path.write_text("".join(kept))
    async with open_fetcher(PageStore(store.folder)) as fetcher:
        page = await fetcher.get(server.url("/to-gone"))
    assert page.problem.kind == "not_recorded"
    assert server.url("/gone") in page.problem.detail


async def test_a_damaged_recording_stops_the_task(web, site, store):
    server, _ = await record(web, site, store, ["/a"])
    (blob,) = store.folder.glob("blobs/*/*")
    blob.write_bytes(blob.read_bytes()[:-12])
    async with open_fetcher(PageStore(store.folder)) as fetcher:
        with pytest.raises(CassetteError, match=blob.name):
            await fetch(submission(server.url("/a")), fetcher)


async def test_progress_counts_every_distinct_url(web, site, store):
    server, _ = await record(web, site, store, ["/a", "/b"])
    seen = []
    urls = [server.url("/a"), server.url("/b"), server.url("/a")]
    async with open_fetcher(store) as fetcher:
        await fetch(submission(*urls), fetcher, watch=seen.append)
    assert seen == [Step("fetch", done, 2) for done in (0, 1, 2)]


async def test_progress_counts_pages_that_could_not_be_had_and_hosts_that_are_asked(web, site, store):
    seen, come = [], asyncio.Event()

    async def held(writer, head):
        await come.wait()
        writer.write(web.answer(b"late"))

    def watch(step):
        seen.append(step)
        if step.done == 2:  # the third page comes when both others are there
            come.set()

    site["/held"] = held
    async with web.serving(site) as server, web.recording(store, server) as fetcher:
        await fetch(submission(*map(server.url, ("/held", "/a", "/gone"))), fetcher, watch=watch)
    assert [(step.done, step.total) for step in seen] == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert [step.failures for step in seen[2:]] == [1, 1]
    assert [step.hosts for step in seen[2:]] == [1, 0]


async def test_no_records_need_no_pages(store):
    async with open_fetcher(store) as fetcher:
        assert await fetch(submission(), fetcher) == {}
    assert not store.folder.exists()


def test_replaying_imports_neither_an_http_client_nor_vcrpy(tmp_path):
    script = """
import asyncio, sys
from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import fetch, open_fetcher, refuse_url
async def main():
    async with open_fetcher(PageStore("rail")) as fetcher:
        page = await fetcher.get("https://harbour.com/")
    assert page.problem.kind == "not_recorded"
    assert refuse_url("http://10.0.0.1/")
asyncio.run(main())
heavy = {"httpx", "httpcore", "h11", "anyio", "vcr", "yaml", "idna"}
print(sorted(heavy & set(sys.modules)))
"""
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", script]
    environment = {"PYTHONPATH": str(root)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.parametrize("odd", ["/a b", "/a\u202eb", "/a\x00b", "/a|b", "/a<b>"])
async def test_a_refused_spelling_does_not_stand_in_for_the_clean_one(web, store, odd):
    class Any(dict):
        def __missing__(self, path):
            return web.answer(f"page {path}".encode())

    async with web.serving(Any()) as server, web.recording(store, server) as fetcher:
        refused = await fetcher.get(server.url(odd))
        clean = await fetcher.get(server.url("/a%20b"))
        again = await fetcher.get(server.url(odd))
    assert refused.problem.kind == "blocked"
    assert refused == again
    assert clean.body == b"page /a%20b"
    assert server.asked == ["/a%20b"]


async def test_a_long_path_in_another_script_is_sent(web, store):
    path = "/" + "東京" * 400

    class Any(dict):
        def __missing__(self, path):
            return web.answer(b"page")

    async with web.serving(Any()) as server, web.recording(store, server) as fetcher:
        page = await fetcher.get(server.url(path))
    assert page.body == b"page"
    assert store.get(server.url(path)) == page


async def test_a_blocked_url_is_judged_again_when_doors_have_changed(web, site, store):
    async with web.serving(site) as server:
        sealed = SealedHosts(frozenset({"wire.brassleaf.example"}), server.port)
        for hosts, problem in ((None, "blocked"), (sealed, None)):
            async with web.recording(store, server, hosts=hosts) as fetcher:
                page = await fetcher.get("https://wire.brassleaf.example/a")
            store.fold()
            store = PageStore(store.folder, environment={})
            assert (page.problem and page.problem.kind) == problem
    async with open_fetcher(store) as fetcher:
        assert (await fetcher.get("https://wire.brassleaf.example/a")).body == b"page a"


async def test_a_broken_body_does_not_hide_a_redirect_or_a_status(web, store):
    broken = ("Content-Encoding: gzip",)
    answers = {
        "/to": web.answer(b"moved", "Location: /a, b", *broken, status="302 Found"),
        "/a,%20b": web.answer(b"here"),
        "/gone": web.answer(b"gone", *broken, status="404 Not Found"),
    }
    _, live = await record(web, answers, store, ["/to", "/gone"])
    assert live["/to"].body == b"here"
    assert live["/gone"].problem.kind == "gone"


async def test_trouble_of_our_own_is_not_recorded(web, site, store, monkeypatch):
    async with web.serving(site) as server, web.recording(store, server) as fetcher:

        async def full(request):
            raise httpx.PoolTimeout("full")

        monkeypatch.setattr(fetcher._requester._transport, "handle_async_request", full)
        page = await fetcher.get(server.url("/a"))
        assert page.problem.kind == "internal"
        assert not page.problem.decided
        monkeypatch.undo()
        assert (await fetcher.get(server.url("/a"))).body == b"page a"
    assert [entry.status for entry in store.entries()] == [200]


async def test_one_damaged_page_cancels_the_others(web, site, store):
    async def slow(writer, head):
        await asyncio.sleep(30)

    site["/slow"] = slow
    store = PageStore(store.folder, environment={"A_TOKEN": "hush-hush-hush"})
    site["/echo"] = web.answer(b"hush-hush-hush")
    patient = Limits(connect=4, read=60, deadline=60, attempts=1)
    async with web.serving(site) as server, web.recording(store, server, limits=patient) as fetcher:
        with pytest.raises(CassetteError, match="A_TOKEN"):
            await fetch(submission(server.url("/slow"), server.url("/echo")), fetcher)


LOCATIONS = [
    "/café one",
    "/caf%C3%A9%20one",
    " /caf%c3%a9%20one#part ",
    "//PLACE/café one",
    "HTTP://PLACE/./café one",
]


@pytest.mark.parametrize("location", LOCATIONS)
async def test_a_redirect_target_may_be_written_in_many_ways(web, store, location):
    async def turn(writer, head):
        target = location.replace("PLACE", server.place).encode()
        writer.write(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: %s\r\n\r\n" % target)

    answers = {"/x": turn, "/caf%C3%A9%20one": web.answer(b"here")}
    async with web.serving(answers) as server, web.recording(store, server) as fetcher:
        page = await fetcher.get(server.url("/x"))
    assert page.body == b"here"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_every_kind_of_redirect_is_followed(web, site, store, status):
    site["/x"] = web.answer(b"moved", "Location: /a", status=f"{status} Moved")
    _, live = await record(web, site, store, ["/x"])
    assert live["/x"].body == b"page a"


@pytest.mark.parametrize("status", [300, 304, 305, 306])
async def test_other_answers_of_that_class_are_no_redirects(web, site, store, status):
    site["/x"] = web.answer(b"", "Location: /a", status=f"{status} Other")
    server, live = await record(web, site, store, ["/x"])
    assert live["/x"].problem.kind == "http_error"
    assert server.asked == ["/x"]


async def test_a_page_may_redirect_to_itself_as_long_as_the_cookies_change(web, store):
    async def count(writer, head):
        seen = next((n for n in (2, 1) if f"n={n}".encode() in head), 0)
        if seen == 2:
            writer.write(web.answer(b"third time"))
        else:
            again = ("Location: /count", f"Set-Cookie: n={seen + 1}")
            writer.write(web.answer(b"", *again, status="302 Found"))

    server, live = await record(web, {"/count": count}, store, ["/count"])
    assert live["/count"].body == b"third time"
    assert store.get(server.url("/count")) == live["/count"]
    assert len(store.entries()) == 3
