"""What a real browser makes of pages, hostile ones too: it shows what may be read, and reaches nothing."""

import asyncio
import gzip
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import aclosing
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="needs the extra: pip install 'pytest-wandr[browser]'")

from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import BrowserLimits, Limits, Live, SealedHosts, open_fetcher
from pytest_wandr.fetch.browser import find
from pytest_wandr.fetch.browser.browsers import Browsers
from pytest_wandr.fetch.browser.find import find_chromium
from pytest_wandr.fetch.browser.processes import _process, family

CHROMIUM = find_chromium(Live())
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium")

SAID = "Odalys Wren was named chief executive of Tarn Valley Rail on 3 March."
TEXT = f"{SAID} She follows Ives Marlow, who leaves after nine years. " * 4
CALM = {
    "limits": Limits(decoded=2_000_000, connect=4, read=8, deadline=10, attempts=1),
    "browser_limits": BrowserLimits(seconds=60, patience=1.8, at_once=4),
}
HASTY = {
    "limits": Limits(decoded=200_000, connect=1, read=2, deadline=3, attempts=1),
    "browser_limits": BrowserLimits(seconds=10, patience=1.8, at_once=2, memory=400_000_000),
}
"""Only for pages that never come to an end."""
FILL = "fetch('/data').then(answer => answer.text()).then(text => { app.textContent = text });"


def shell(script, *, head=""):
    return f"<html><head>{head}</head><body><div id=app></div><script>{script}</script></body></html>"


def go(url):
    return shell("location.href = " + json.dumps(url).replace("<", r"\x3c"))


def pages_of(inside):
    """Pages by path, and what is seen of each: where a browser ends and finds the text, or why it does not.

    `inside` is a loopback address that nothing may reach.
    """
    ws = inside.replace("http", "ws", 1)
    return {
        "/shell": (shell(FILL), "/shell"),
        "/late": (shell(f"setTimeout(() => {{ {FILL} }}, 1000)"), "/late"),
        "/script-file": ("<body><div id=app></div><script src=/fill.js></script>", "/script-file"),
        "/module": ("<body><div id=app></div><script type=module>import '/fill.js'</script>", "/module"),
        "/js-redirect": (go("/article"), "/article"),
        "/js-redirect-chain": (go("/to-article"), "/article"),
        "/js-redirect-odd": (go('/to-article?x="</script><b>'), "/article"),
        "/meta-refresh": ("<meta http-equiv=refresh content='0; url=/article'>", "/article"),
        "/meta-refresh-later": ("<meta http-equiv=refresh content='1; url=/article'>", "/article"),
        "/push-state": (shell("history.pushState(0, '', '/shown');" + FILL), "/shown"),
        "/liar": (
            shell(
                "Object.defineProperty(Element.prototype, 'outerHTML', {get() { return 'a lie' }});"
                "JSON.stringify = () => 'a lie'; Object.prototype.url = 'http://a-lie.com/';" + FILL
            ),
            "/liar",
        ),
        "/dialogs": (shell("alert(1); confirm(2); prompt(3);" + FILL), "/dialogs"),
        "/popups": (shell(f"for (let i = 0; i < 9; i++) open('{inside}' + i);" + FILL), "/popups"),
        "/before-unload": (
            shell("onbeforeunload = event => { event.preventDefault() };" + FILL), "/before-unload",
        ),
        "/private": (
            shell(
                f"new Image().src = '{inside}img'; fetch('{inside}fetch').catch(() => 0);"
                f"fetch('http://inside.tarn-valley-rail.com/').catch(() => 0);"
                f"navigator.sendBeacon('{inside}beacon', 'x');"
                f"fetch('{inside}post', {{method: 'POST', body: 'x', mode: 'no-cors'}}).catch(() => 0);"
                f"new EventSource('{inside}events');"
                f"const xhr = new XMLHttpRequest(); xhr.open('GET', '{inside}xhr'); xhr.send();"
                f"const frame = document.createElement('iframe'); frame.src = '{inside}frame';"
                "document.body.append(frame);" + FILL,
                head=f"<link rel=preconnect href='{inside}'><link rel=prefetch href='{inside}prefetch'>"
                f"<link rel=preload as=fetch href='{inside}preload'><link rel=stylesheet href='{inside}css'>"
                f"<link rel=manifest href='{inside}manifest'><link rel=icon href='{inside}icon'>"
                f"<link rel=modulepreload href='{inside}module'>"
                f'<script type=speculationrules>{{"prerender": [{{"urls": ["{inside}spec"]}}]}}</script>',
            ),
            "/private",
        ),
        "/web-socket": (
            shell(f"try {{ new WebSocket('{ws}') }} catch {{}}; {FILL}"), "/web-socket",
        ),
        "/web-rtc": (
            shell(
                f"const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{inside[7:-1]}'}},"
                f"{{urls: 'turn:{inside[7:-1]}?transport=tcp', username: 'a', credential: 'b'}}]}});"
                "peer.createDataChannel('x');"
                "peer.createOffer().then(offer => peer.setLocalDescription(offer));" + FILL
            ),
            "/web-rtc",
        ),
        "/worker": (
            shell(
                f"const code = `fetch('{inside}worker').catch(() => 0); importScripts('{inside}import')`;"
                "new Worker(URL.createObjectURL(new Blob([code])));" + FILL
            ),
            "/worker",
        ),
        "/service-worker": (
            shell(f"navigator.serviceWorker?.register('/sw.js').catch(() => 0); {FILL}"), "/service-worker",
        ),
        "/many-requests": (
            shell(
                f"for (let i = 0; i < 500; i++) fetch('/data?' + i).catch(() => 0);"
                f"app.textContent = `{TEXT}`"
            ),
            "/many-requests",
        ),
        "/bomb-part": (shell("fetch('/bomb').then(a => a.text()).catch(() => 0);" + FILL), "/bomb-part"),
        "/cookie-of-script": (None, "/cookie-of-script"),
        "/cookie-of-server": (None, "/cookie-of-server"),
        "/challenge": (None, "/challenge"),
        "/still-refused": ("<p>Forbidden.</p>", "refused: HTTP status 403|the same"),
        "/nothing": (shell("1"), "the same"),
        "/blank": ("", "the same|next to no text"),
        "/consent": (None, "the same"),
        "/to-private": (go(f"{inside}page"), "port .* is not one of"),
        "/to-private-name": (go("http://inside.tarn-valley-rail.com/"), "leads to 127.0.0.1 is not public"),
        "/to-private-by-302": (go("/redirects-inside"), "port .* is not one of"),
        "/to-private-by-form": (
            shell(f"document.body.innerHTML = '<form method=post action={inside}form></form>';"
                  "document.forms[0].submit()"),
            "ended at no web page",
        ),
        "/to-metadata": (go("http://169.254.169.254/latest/"), "169.254.169.254 is not public"),
        "/to-file": (go("file:///etc/passwd"), "the same"),
        "/to-data": (go("data:text/html,<p>hello</p>"), "redirect|the same"),
        "/to-blob": (
            shell("location.href = URL.createObjectURL(new Blob(['<p>hello'], {type: 'text/html'}))"),
            "ended at no web page|the same",
        ),
        "/to-bomb": (go("/bomb"), "over 2000000 bytes after decoding"),
        "/to-download": (go("/download"), "the same|ended at no web page"),
        "/to-each-other": (go("/ping"), "over 60 requests"),
        "/to-too-many": (go("/r0"), "over 5 redirects"),
        "/to-gone": (go("/gone"), "/gone"),
        "/grown": (
            shell("document.body.textContent = 'x'.repeat(3e6)"), "the document grew over 2000000 bytes",
        ),
    }  # fmt: skip


ENDLESS = {
    "/spin": (shell("for (;;);"), "nothing to read after 10 seconds"),
    "/memory": (
        shell("const all = []; for (;;) { const part = new Uint8Array(2e7); part.fill(7); all.push(part) }"),
        "the page crashed|nothing to read",
    ),
    "/alerts": (shell("for (;;) alert(1)"), "nothing to read after 10 seconds|the same"),
    "/dom": (
        shell("setInterval(() => { for (let i = 0; i < 999; i++) document.body.append('xxxxxxxxxxxx') }, 1)"),
        "the document grew over 200000 bytes|nothing to read",
    ),
    "/to-endless": (go("/endless"), "over 5000000 bytes|no complete answer"),
    "/to-drip": (go("/drip"), "no complete answer in time"),
    "/drip-part": (
        f"<body><div id=app></div><script>fetch('/drip').catch(() => 0);{FILL}</script>", "/drip-part",
    ),
    "/reloads": (shell("location.reload()"), "over 60 requests|nothing to read|ended at no|the same"),
}  # fmt: skip


SETS_COOKIE = "document.cookie = 'seen=zürich'; location.reload()"


def site_of(web, pages):  # noqa: C901
    """The pages, and the parts that they need."""

    def html(text, *headers, status="200 OK"):
        return web.answer(text.encode(), "Content-Type: text/html; charset=utf-8", *headers, status=status)

    async def by_script(writer, head):
        writer.write(html(f"<p>{TEXT}" if "seen=zürich".encode() in head else shell(SETS_COOKIE)))

    async def by_server(writer, head):
        writer.write(
            html(
                shell("fetch('/data-for-cookie').then(a => a.text()).then(t => { app.textContent = t })"),
                "Set-Cookie: given=1; HttpOnly",
            )
        )

    async def data_for_cookie(writer, head):
        writer.write(web.answer(TEXT.encode() if b"given=1" in head else b"no cookie"))

    async def challenge(writer, head):
        solved = b"solved=42" in head
        asks = "<title>Just a moment...</title><p>Checking your browser before you go on.</p>"
        script = (
            "<script>document.cookie = 'solved=' + 6 * 7; setTimeout(() => location.reload(), 200)</script>"
        )
        writer.write(html(f"<p>{TEXT}") if solved else html(asks + script, status="403 Forbidden"))

    async def endless(writer, head):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            writer.write(b"<p>more</p>" * 5000)
            await writer.drain()

    async def drip(writer, head):
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        while True:
            writer.write(b"<")
            await writer.drain()
            await asyncio.sleep(0.1)

    consent = (
        "<title>Your privacy</title><h1>We value your privacy</h1><p>We and our partners use cookies.</p>"
        "<p>Cookie consent</p><button>Accept all cookies</button><button>Reject all cookies</button>"
    )
    hops = {f"/r{n}": web.answer(b"", f"Location: /r{n + 1}", status="302 Found") for n in range(8)}
    parts = {
        "/data": web.answer(TEXT.encode(), "Content-Type: text/plain"),
        "/data-for-cookie": data_for_cookie,
        "/fill.js": web.answer(FILL.encode(), "Content-Type: text/javascript"),
        "/sw.js": web.answer(
            b"onfetch = event => event.respondWith(new Response('a lie'))", "Content-Type: text/javascript"
        ),
        "/article": html(f"<p>{TEXT}</p>"),
        "/to-article": web.answer(b"", "Location: /to-article-2", status="302 Found"),
        "/to-article-2": web.answer(b"", "Location: /article", status="302 Found"),
        "/bomb": web.answer(
            gzip.compress(bytes(8_000_000)), "Content-Encoding: gzip", "Content-Type: text/html"
        ),
        "/download": web.answer(bytes(range(256)), "Content-Type: application/octet-stream"),
        "/ping": html(go("/pong")),
        "/pong": html(go("/ping")),
        "/gone": html(f"<p>{TEXT}", status="410 Gone"),
        "/favicon.ico": web.answer(b""),
        "/endless": endless,
        "/drip": drip,
        **hops,
    }
    own = {path: html(text) for path, (text, _) in pages.items() if text is not None}
    own |= {"/still-refused": html("<p>Forbidden.</p>", status="403 Forbidden"), "/consent": html(consent)}
    own |= {"/cookie-of-script": by_script, "/cookie-of-server": by_server, "/challenge": challenge}
    return {**parts, **own}


async def resolve(host, port):
    return ["127.0.0.1"]


async def record_all(web, folder, pages, inside, options):
    """Record all pages at once: the pages as seen live, and the server that was asked."""
    site = site_of(web, pages)
    async with web.serving(
        {**site, "/redirects-inside": web.answer(b"", f"Location: {inside}hop", status="302 Found")}
    ) as server:
        store = PageStore(folder, environment={})
        async with web.recording(store, server, browser="on", resolve=resolve, **options) as fetcher:
            found = await asyncio.gather(*(fetcher.get(server.url(path)) for path in pages))
        store.fold()
    return dict(zip(pages, found, strict=True)), server


class Seen:
    """What came of all pages: live, and replayed by a process in which playwright cannot be imported."""

    def __init__(self, live, servers, folders, inside):
        self.live, self.servers, self.folders, self.inside = live, servers, folders, inside


class Canary(asyncio.DatagramProtocol):
    """A loopback port that nothing may connect to, or send to."""

    def __init__(self):
        self.connections = 0

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._met, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/"
        loop = asyncio.get_running_loop()
        self._udp, _ = await loop.create_datagram_endpoint(lambda: self, ("127.0.0.1", self.port))
        return self

    def datagram_received(self, data, addr):
        self.connections += 1

    async def _met(self, reader, writer):
        self.connections += 1
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret")
        writer.close()

    async def __aexit__(self, *error):
        self._udp.close()
        self._server.close()
        await self._server.wait_closed()


@pytest.fixture(scope="module")
def seen(tmp_path_factory, web_tools):
    """All pages, recorded once for the whole module."""
    calm, hasty = (tmp_path_factory.mktemp(name) / "rail" for name in ("calm", "hasty"))

    async def run():
        async with Canary() as canary:
            pages = pages_of(canary.url)
            live, server = await record_all(web_tools, calm, pages, canary.url, CALM)
            more, other = await record_all(web_tools, hasty, ENDLESS, canary.url, HASTY)
            return Seen(live | more, {calm: server, hasty: other}, (calm, hasty), canary)

    return asyncio.run(run())


EXPECTED = {path: what for path, (_, what) in {**pages_of("http://127.0.0.1:1/"), **ENDLESS}.items()}
SHOWN = [path for path, what in EXPECTED.items() if what.startswith("/")]
NOT_SHOWN = [path for path, what in EXPECTED.items() if not what.startswith("/")]


@pytest.mark.parametrize("path", SHOWN)
def test_what_scripts_show_is_read(seen, path):
    page = seen.live[path]
    assert (page.via, page.note) == ("browser", "")
    assert SAID in page.body.decode()
    assert page.final_url.endswith(EXPECTED[path])
    assert page.hops == ((page.url,) if page.final_url != page.url else ())
    assert page.media_type == "text/html; charset=utf-8"
    assert b"a lie" not in page.body.partition(b"<script>")[0]


@pytest.mark.parametrize("path", NOT_SHOWN)
def test_what_may_not_be_shown_leaves_the_servers_answer_and_says_why(seen, path):
    page = seen.live[path]
    assert page.via == "cassette"
    assert re.fullmatch(f"in a browser: .*({EXPECTED[path]}).*", page.note)
    assert page.final_url == page.url
    assert b"secret" not in page.body


def test_the_browser_reaches_nothing_by_itself(seen):
    assert seen.inside.connections == 0


def test_no_page_costs_more_than_its_requests(seen):
    (calm, *_) = seen.servers.values()
    assert 0 < sum(path.startswith("/data?") for path in calm.asked) <= 60
    assert sum(path in {"/ping", "/pong"} for path in calm.asked) <= 60


def test_images_fonts_and_posts_are_never_asked_for(seen):
    for server in seen.servers.values():
        assert all(head.startswith(b"get ") for head in server.heads)
        assert "/favicon.ico" not in server.asked


def test_the_status_of_what_is_shown_is_kept(seen):
    assert seen.live["/challenge"].status == 200
    assert seen.live["/to-gone"].problem.kind == "gone"


REPLAY = """
import asyncio, sys
sys.modules["playwright"] = None
from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import open_fetcher
async def main():
    async with open_fetcher(PageStore(sys.argv[1])) as fetcher:
        for url in sys.stdin.read().split():
            print((await fetcher.get(url)).model_dump_json())
asyncio.run(main())
assert "httpx" not in sys.modules and "vcr" not in sys.modules
"""


def test_everything_replays_equal_where_there_is_no_playwright(seen):
    for folder in seen.folders:
        here = [page for page in seen.live.values() if f":{seen.servers[folder].port}/" in page.url]
        urls = "\n".join(page.url for page in here)
        done = subprocess.run(
            [sys.executable, "-c", REPLAY, str(folder)],
            input=urls,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines() == [page.model_dump_json() for page in here]
        assert PageStore(folder, environment={}).check() == ()
        assert len(here) > 5


def test_a_recording_names_the_rule_and_what_was_rendered(seen):
    lines = [json.loads(line) for line in (seen.folders[0] / "index.jsonl").read_text().splitlines()]
    sent = {line["key"]: line for line in lines if line.get("via", "http") == "http"}
    rendered = [line for line in lines if line.get("via") == "browser"]
    assert len(rendered) == len(pages_of(""))
    assert all(sent[line["via_of"]]["rule"] == 1 and "rule" not in line for line in rendered)


def processes_of(mark="--wandr-browser="):
    """The browsers that run, with all that they spawned."""
    return [process.number for process in family(mark)]


def gone(number, mark, seconds=15.0):
    """Whether nothing is left, after a while for the system to notice."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not processes_of(mark) and not Path(f"/proc/{number}").exists():
            return True
        time.sleep(0.1)
    return False


def ended(numbers, seconds=15.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(_process(int(number)) for number in numbers):
            return True
        time.sleep(0.1)
    return False


def children(number):
    return [path.parent.name for path in Path("/proc").glob("[0-9]*/stat") if parent_of(path) == number]


def parent_of(path):
    try:
        return int(path.read_text(errors="replace").rpartition(")")[2].split()[1])
    except OSError:
        return 0


async def asked_twice(server):
    """By the fetcher first, then for the browser."""
    while server.asked.count("/a") < 2:  # noqa: ASYNC110
        await asyncio.sleep(0.05)


@pytest.fixture
def mark():
    return f"--wandr-browser={os.getpid()}-"


async def test_no_process_is_left_behind(web, store, mark):
    async with web.serving({"/a": web.answer(shell(f"document.body.append(`{TEXT}`)").encode())}) as server:
        before = set(children(os.getpid()))
        async with web.recording(store, server, browser="on", **CALM) as fetcher:
            assert (await fetcher.get(server.url("/a"))).via == "browser"
            assert len(processes_of(mark)) > 2
        assert processes_of(mark) == []
        assert set(children(os.getpid())) <= before


async def test_a_cancelled_fetch_leaves_no_process_behind(web, store, mark):
    async with web.serving({"/a": web.answer(shell("for (;;);").encode())}) as server:

        async def run():
            async with web.recording(store, server, browser="on", **CALM) as fetcher:
                await fetcher.get(server.url("/a"))

        task = asyncio.create_task(run())
        await asked_twice(server)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert processes_of(mark) == []


@pytest.mark.parametrize("wait", [0.0, 0.3, 0.8])
async def test_a_browser_that_is_cancelled_while_it_starts_is_ended(mark, wait):
    browsers = Browsers(CHROMIUM, BrowserLimits())

    async def run():
        try:
            async with browsers.context():
                await asyncio.sleep(60)
        finally:
            await browsers.aclose()

    before = set(children(os.getpid()))
    task = asyncio.create_task(run())
    await asyncio.sleep(wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert processes_of(mark) == []
    assert set(children(os.getpid())) <= before


RUN = """
import asyncio, sys
from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import Live, open_fetcher
async def main():
    live = Live(allow=frozenset({sys.argv[1]}), browser="on")
    async with open_fetcher(PageStore(sys.argv[2]), record="new", live=live) as fetcher:
        await fetcher.get(f"http://{sys.argv[1]}/a")
asyncio.run(main())
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
async def test_whatever_ends_a_run_ends_its_browser(web, tmp_path, how):
    async with web.serving({"/a": web.answer(shell("for (;;);").encode())}) as server:
        run = subprocess.Popen(  # noqa: ASYNC220
            [sys.executable, "-c", RUN, server.place, str(tmp_path / "rail")], stderr=subprocess.DEVNULL
        )
        await asked_twice(server)
        mark = f"--wandr-browser={run.pid}-"
        drivers = children(run.pid)
        assert len(processes_of(mark)) > 2
        run.send_signal(how)
        await asyncio.to_thread(run.wait)
        assert await asyncio.to_thread(gone, run.pid, mark)
        assert await asyncio.to_thread(ended, drivers)


async def test_without_any_interception_the_browser_still_reaches_nothing():
    async with Canary() as canary, aclosing(Browsers(CHROMIUM, BrowserLimits())) as browsers:
        async with browsers.context() as context:
            page = await context.new_page()
            for url in (
                canary.url,
                canary.url.replace("127.0.0.1", "localhost"),
                f"http://[::1]:{canary.port}/",
            ):
                with pytest.raises(Exception, match="ERR_"):
                    await page.goto(url, timeout=10_000)
            page = await context.new_page()  # the error page of a refused navigation may still be on its way
            ws = canary.url.replace("http", "ws")
            await page.set_content(f"<img src='{canary.url}'><script>new WebSocket('{ws}')</script>")
            await page.evaluate(
                "ice => { const peer = new RTCPeerConnection({iceServers: [{urls: ice}]});"
                "peer.createDataChannel('x'); peer.createOffer().then(o => peer.setLocalDescription(o)) }",
                f"stun:127.0.0.1:{canary.port}",
            )
            await page.wait_for_timeout(1500)
        assert canary.connections == 0
        reader, writer = await asyncio.open_connection("127.0.0.1", canary.port)
        assert b"secret" in await reader.read()
        writer.close()
        assert canary.connections == 1


async def test_a_browser_makes_way_for_the_next_after_some_pages(web, store, mark):
    pages = {f"/{n}": web.answer(shell(f"document.body.append(`{TEXT}`)").encode()) for n in range(3)}
    limits = BrowserLimits(seconds=30, pages=1, at_once=1)
    mains = []
    async with web.serving(pages) as server:
        async with web.recording(store, server, browser="on", browser_limits=limits) as fetcher:
            for path in pages:
                assert (await fetcher.get(server.url(path))).via == "browser"
                mains.append(min(processes_of(mark)))
        assert len(set(mains)) == 3
        assert processes_of(mark) == []


async def test_a_browser_that_dies_is_trouble_of_ours_and_the_next_page_gets_another(web, store, mark):
    async def kills(writer, head):
        if killed:
            writer.write(web.answer(shell(f"document.body.append(`{TEXT}`)").encode()))
        elif processes_of(mark):
            killed.append(processes_of(mark))
            for number in killed[0]:
                os.kill(number, signal.SIGKILL)
            writer.write(web.answer(b""))
        else:
            writer.write(web.answer(shell("1").encode()))

    killed = []
    async with web.serving({"/a": kills}) as server:
        async with web.recording(store, server, browser="on", **CALM) as fetcher:
            page = await fetcher.get(server.url("/a"))
            assert page.problem.kind == "internal"
            assert page.body == b""
            assert (await fetcher.get(server.url("/a"))).via == "browser"
        assert killed


async def test_a_part_that_fails_through_our_trouble_leaves_the_page_undecided(web, store):
    async def no_answer(host, port):
        raise socket.gaierror(socket.EAI_AGAIN, "try again")

    page = shell(
        "fetch('http://api.tarn-valley-rail.com/').then(a => a.text()).then(t => { app.textContent = t })"
    )
    async with web.serving({"/a": web.answer(page.encode())}) as server:
        async with web.recording(store, server, browser="on", resolve=no_answer, **CALM) as fetcher:
            assert (await fetcher.get(server.url("/a"))).problem.kind == "internal"
        store.fold()
        async with open_fetcher(PageStore(store.folder)) as fetcher:
            found = await fetcher.get(server.url("/a"))
    assert found.problem.kind == "not_recorded"
    assert "needs a browser (script-only shell: scripts and no text)" in found.problem.detail


async def test_an_error_in_the_fetcher_is_not_taken_for_a_broken_page(web, store):
    async def broken(host, port):
        raise RuntimeError("a bug")

    page = shell("fetch('http://api.tarn-valley-rail.com/').catch(() => 0)")
    site = {"/a": web.answer(page.encode())}
    async with (
        web.serving(site) as server,
        web.recording(store, server, browser="on", resolve=broken, **CALM) as fetcher,
    ):
        with pytest.raises(RuntimeError, match="a bug"):
            await fetcher.get(server.url("/a"))


async def test_two_ways_to_one_page_show_it_once_and_routes_show_it_each(web, store):
    script = "app.textContent = location.hash + ' ' + `" + TEXT + "`"
    site = {
        "/a": web.answer(shell(script).encode()),
        "/b": web.answer(b"", "Location: /a", status="302 Found"),
    }
    async with web.serving(site) as server:
        async with web.recording(store, server, browser="on", **CALM) as fetcher:
            paths = ("/a", "/b", "/a#part", "/a#/team", "/a#!/board")
            pages = await asyncio.gather(*(fetcher.get(server.url(path)) for path in paths))
        assert [page.via for page in pages] == ["browser"] * 5
        assert server.asked.count("/a") == 1 + 3
    assert pages[1].hops == (server.url("/b"),)
    assert pages[0].body == pages[1].body == pages[2].body
    assert [b"#/team" in page.body for page in pages] == [False, False, False, True, False]
    assert b"#!/board" in pages[4].body


async def test_the_browser_keeps_the_cookies_of_a_chain_that_was_given_one(web, store):
    async def data(writer, head):
        writer.write(web.answer(TEXT.encode() if b"from=hop" in head else b"no cookie"))

    script = "fetch('/data').then(a => a.text()).then(t => { app.textContent = t })"
    site = {
        "/a": web.answer(b"", "Location: /b", "Set-Cookie: from=hop; Path=/", status="302 Found"),
        "/b": web.answer(shell(script).encode()), "/data": data,
    }  # fmt: skip
    async with web.serving(site) as server, web.recording(store, server, browser="on", **CALM) as fetcher:
        given, plain = [await fetcher.get(server.url(path)) for path in ("/a", "/b")]
    assert SAID.encode() in given.body
    assert plain.note == "in a browser: the same"


async def test_a_page_behind_tls_and_a_sealed_web_are_shown_too(web, store):
    async with web.serving(
        {"/a": web.answer(shell(FILL).encode()), "/data": web.answer(TEXT.encode())}
    ) as server:
        hosts = SealedHosts(frozenset({"www.tarn-valley.test"}), server.port)
        async with web.recording(store, server, browser="on", hosts=hosts, **CALM) as fetcher:
            page = await fetcher.get("https://www.tarn-valley.test/a")
    assert page.via == "browser"
    assert SAID.encode() in page.body


async def test_with_a_browser_at_last_only_what_had_none_is_shown(web, store, monkeypatch, tmp_path):
    site = {
        "/a": web.answer(shell(FILL).encode()),
        "/b": web.answer(f"<p>{TEXT}".encode()),
        "/data": web.answer(TEXT.encode()),
    }
    async with web.serving(site) as server:
        with monkeypatch.context() as patch:
            patch.setattr(find, "_NAMES", ())
            async with web.recording(store, server, browser="auto") as fetcher:
                assert (
                    await fetcher.get(server.url("/a"))
                ).note == "in a browser: none was at hand when this was recorded"
                await fetcher.get(server.url("/b"))
        store.fold()
        again = PageStore(store.folder, environment={})
        async with web.recording(again, server, browser="auto", **CALM) as fetcher:
            pages = [await fetcher.get(server.url(path)) for path in ("/a", "/b")]
        assert [page.via for page in pages] == ["browser", "cassette"]
        assert server.asked == ["/a", "/b", "/a", "/data"]
        again.fold()
        assert PageStore(store.folder).check() == ()


async def test_a_recorded_view_is_not_made_again_unless_all_is(web, store):
    site = {
        "/a": web.answer(shell(FILL).encode()),
        "/data": web.answer(TEXT.encode()),
        "/c": web.answer(shell("1").encode()),
    }
    async with web.serving(site) as server:
        paths = ("/a", "/c")
        for record, times in (("new", 2), ("new", 2), ("retry", 2), ("all", 4)):
            async with web.recording(store, server, browser="on", record=record, **CALM) as fetcher:
                pages = [await fetcher.get(server.url(path)) for path in paths]
                assert pages == [await fetcher.get(server.url(path)) for path in paths]
            store.fold()
            store = PageStore(store.folder, environment={})
            assert [server.asked.count(path) for path in paths] == [times, times]
