"""Which pages are tried again in a browser, what stands in the end, and what is said where there is none."""

import subprocess
import sys

import pytest

from pytest_wandr.cassettes import Entry, PageStore
from pytest_wandr.checks.cited import judge_excerpts, read_cited
from pytest_wandr.errors import BrowserError
from pytest_wandr.fetch import Live, open_fetcher
from pytest_wandr.fetch.browser import find, standing
from pytest_wandr.fetch.browser.find import find_chromium
from pytest_wandr.fetch.browser.rule import worth_a_browser
from pytest_wandr.fetch.browser.standing import rendered_key, route_of
from pytest_wandr.model import FetchProblem, Page

SAID = "Odalys Wren was named chief executive of Tarn Valley Rail on 3 March. " * 4
SHELL = "<div id=app></div><script src=/app.js></script>"
CONSENT = (
    "<title>Your privacy</title><h1>We value your privacy</h1><p>We and our partners use cookies.</p>"
    "<p>Cookie consent</p><button>Accept all cookies</button><button>Reject all cookies</button>"
)
CHALLENGE = "<title>Just a moment...</title><p>Verify you are human.</p><script>check()</script>"
URL = "https://rail.example/news"


def page(body, status=200, kind=None, media_type="text/html"):
    problem = FetchProblem(kind=kind, detail="x") if kind else None
    data = body if isinstance(body, bytes) else body.encode()
    return Page(url=URL, final_url=URL, status=status, media_type=media_type, body=data, problem=problem)


WORTH = [
    (page(SHELL), "script-only shell"),
    (page("<noscript>Please enable JavaScript to view this site.</noscript>" + SHELL), "script-only shell"),
    (page("<meta http-equiv=refresh content='0; url=/x'>"), "redirect"),
    (page("<script>window.location = '/x'</script>"), "redirect"),
    (page(CONSENT), "consent wall"),
    (page(CHALLENGE), "challenge"),
    (page(CHALLENGE, 403, "refused"), "challenge"),
    (page(CHALLENGE, 503, "http_retryable"), "challenge"),
    (page(CHALLENGE, 429, "http_retryable"), "challenge"),
    (page(f"<p>No reader of this kind is let in. {SAID}", 403, "refused"), "refused"),
    (page("", 403, "refused"), "refused"),
    (page("<p>Not acceptable", 406, "refused"), "refused"),
    (page(SHELL, 999, "refused"), "refused"),
    (page("", 200, "empty"), "empty"),
    (page(" \n", 200, "empty"), "empty"),
    (page("<html><body></body></html>"), "empty"),
]
NOT_WORTH = [
    page(f"<p>{SAID}"),
    page(f"<p>{SAID}<script>more()</script>"),
    page("<h1>404</h1><p>Page not found"),
    page("<h1>404</h1>", 404, "gone"),
    page("", 204, "empty"),
    page("<p>Log in", 401, "refused"),
    page("<p>Unavailable for legal reasons", 451, "refused"),
    page("<p>Internal error", 500, "http_retryable"),
    page("<p>Too many requests. Slow down.", 418, "http_error"),
    page("", 0, "timeout"),
    page("", 0, "dns"),
    page("", 0, "blocked"),
    page("", 0, "decoded_too_large"),
    page("", 0, "not_recorded"),
    page(SHELL, 200, "redirect_loop"),
    page(b"%PDF-1.7\n", media_type="application/pdf"),
    page(b"\x89PNG\r\n\x1a\n" + bytes(99), kind="binary", media_type="image/png"),
    page("{}", media_type="application/json"),
    page("short", media_type="text/plain"),
    page("<title>Sign in</title><input type=password>"),
]


@pytest.mark.parametrize(("sent", "kind"), WORTH, ids=[f"{what}-{n}" for n, (_, what) in enumerate(WORTH)])
def test_a_page_that_a_browser_may_mend_is_tried_again(sent, kind):
    assert (worth_a_browser(sent) or "nothing").partition(":")[0] == kind


@pytest.mark.parametrize("sent", NOT_WORTH, ids=range(len(NOT_WORTH)))
def test_a_page_that_no_browser_mends_is_not(sent):
    assert worth_a_browser(sent) is None


@pytest.mark.parametrize(
    ("url", "route"),
    [
        (URL, ""), (f"{URL}#part", ""), (f"{URL}#", ""), (f"{URL}#/team", "#/team"),
        (f"{URL}#!team", "#!team"), (f"{URL}#!/a#b", "#!/a#b"), (f"{URL}?a=#/", "#/"),
    ],
    ids=range(7),
)  # fmt: skip
def test_a_fragment_that_scripts_route_by_is_part_of_what_is_shown(url, route):
    assert route_of(url) == route


def sent(store, body, *, rule=1, url=URL, **rest):
    entry = Entry.of(url, status=200, headers={"content-type": "text/html"}, rule=rule, **rest)
    return store.put(entry, body.encode())


def shown(store, entry, body="", *, url=URL, **rest):
    line = Entry(key=rendered_key(entry, url), url=entry.url, via="browser", via_of=entry.key, **rest)
    return store.put(line, body.encode())


async def replayed(store, url=URL):
    async with open_fetcher(store) as fetcher:
        return await fetcher.get(url)


async def test_what_a_browser_showed_stands_for_a_broken_page(store):
    shown(store, sent(store, SHELL), f"<p>{SAID}", status=200)
    found = await replayed(store)
    assert (found.via, found.final_url, found.hops, found.note) == ("browser", URL, (), "")
    assert SAID.strip() in found.body.decode()


async def test_where_its_scripts_led_is_the_final_url(store):
    shown(store, sent(store, SHELL), f"<p>{SAID}", status=200, to="https://rail.example/moved")
    found = await replayed(store)
    assert (found.final_url, found.hops) == ("https://rail.example/moved", (URL,))


async def test_a_page_that_is_whole_stands_whatever_a_browser_showed(store):
    shown(store, sent(store, f"<p>{SAID}"), "<p>another page", status=200)
    assert (await replayed(store)).via == "cassette"


async def test_a_page_that_is_as_broken_in_a_browser_stands_as_it_was_sent(store):
    shown(store, sent(store, SHELL), SHELL, status=200)
    found = await replayed(store)
    assert (found.body.decode(), found.note) == (SHELL, "in a browser: the same")


async def test_a_page_that_is_broken_in_another_way_says_in_which(store):
    shown(store, sent(store, SHELL), CONSENT, status=200)
    note = "in a browser: consent wall: the page asks for consent before it shows anything"
    assert (await replayed(store)).note == note


async def test_a_failure_in_the_browser_leaves_the_page_as_it_was_sent(store):
    error = FetchProblem(kind="timeout", detail="nothing to read after 15 seconds")
    shown(store, sent(store, SHELL), error=error)
    found = await replayed(store)
    assert (found.via, found.problem) == ("cassette", None)
    assert found.note == "in a browser: nothing to read after 15 seconds"


async def test_the_reason_of_a_verdict_says_what_the_browser_made_of_it(store):
    shown(store, sent(store, SHELL), error=FetchProblem(kind="timeout", detail="nothing to read"))
    usable, _ = judge_excerpts(read_cited(await replayed(store)), ("Odalys Wren",))
    shell = "script-only shell: scripts and no text"
    assert (usable.value, usable.reason) == (
        False, f"the page is no evidence: {shell} (in a browser: nothing to read)",
    )  # fmt: skip


def test_the_reason_for_no_page_says_it_too():
    refused = page("<p>Forbidden", 403, "refused").model_copy(update={"note": "in a browser: the same"})
    assert read_cited(refused).missing.reason == "the url gave no page: refused: x (in a browser: the same)"


async def test_a_recording_from_before_any_rule_stands_as_it_is(store):
    sent(store, SHELL, rule=0)
    found = await replayed(store)
    assert (found.problem, found.note) == (None, "")


async def test_a_rule_that_asks_for_a_view_that_was_never_recorded_is_no_broken_page(store, monkeypatch):
    sent(store, f"<p>{SAID}")
    assert (await replayed(store)).problem is None
    monkeypatch.setattr(standing, "worth_a_browser", lambda page: "thin: under a new rule")
    found = await replayed(store)
    assert found.problem.kind == "not_recorded"
    assert not found.problem.decided
    assert found.body == b""
    assert "needs a browser (thin: under a new rule)" in found.problem.detail
    assert "pytest --wandr-record=new -k rail" in found.problem.detail


@pytest.mark.parametrize("body", [None, SHELL], ids=["never recorded", "never shown"])
async def test_what_is_not_recorded_names_the_command_of_this_run(store, body):
    if body:
        sent(store, body)
    async with open_fetcher(store, command="pytest --wandr-system=mine --wandr-record=new") as fetcher:
        problem = (await fetcher.get(URL)).problem
    assert problem.kind == "not_recorded"
    assert problem.detail.endswith("To record it: pytest --wandr-system=mine --wandr-record=new -k rail")


async def test_without_a_browser_the_recording_says_so_and_replays_equal(web, store, monkeypatch):
    monkeypatch.setattr(find, "_NAMES", ())
    monkeypatch.delenv("WANDR_CHROMIUM", raising=False)
    site = {"/a": web.answer(SHELL.encode()), "/b": web.answer(f"<p>{SAID}".encode())}
    async with web.serving(site) as server:
        async with web.recording(store, server, browser="auto") as fetcher:
            live = [await fetcher.get(server.url(path)) for path in site]
        store.fold()
        for mode in ("new", "retry"):
            opened = PageStore(store.folder)
            async with web.recording(opened, server, browser="auto", record=mode) as fetcher:
                again = [await fetcher.get(server.url(path)) for path in site]
    there = [await replayed(PageStore(store.folder), page.url) for page in live]
    assert live == again == there
    assert live[0].note == "in a browser: none was at hand when this was recorded"
    assert (live[0].problem, live[1].note) == (None, "")
    assert server.asked == ["/a", "/b"]
    assert PageStore(store.folder).check() == ()


async def test_switched_off_nothing_is_decided_and_nothing_recorded(web, store):
    site = {"/a": web.answer(SHELL.encode())}
    async with web.serving(site) as server, web.recording(store, server, browser="off") as fetcher:
        assert (await fetcher.get(server.url("/a"))).note == ""
    (entry,) = store.entries()
    assert (entry.rule, entry.via) == (0, "http")


class Installed:
    """A machine with some programs and packages."""

    def __init__(self, monkeypatch, programs=(), *, playwright=True):
        monkeypatch.delenv("WANDR_CHROMIUM", raising=False)
        monkeypatch.setattr(find.shutil, "which", lambda name: f"/bin/{name}" if name in programs else None)
        monkeypatch.setattr(find, "find_spec", lambda name: object() if playwright else None)
        self.setenv = monkeypatch.setenv


def test_the_argument_is_found_first_then_the_variable_then_the_usual_names(monkeypatch):
    machine = Installed(monkeypatch, {"google-chrome", "chromium-browser", "mine", "other"})
    assert find_chromium(Live()) == "/bin/chromium-browser"
    machine.setenv("WANDR_CHROMIUM", "other")
    assert find_chromium(Live()) == "/bin/other"
    assert find_chromium(Live(chromium="mine")) == "/bin/mine"


@pytest.mark.parametrize(
    ("programs", "playwright"), [((), True), (("chromium",), False)], ids=["none", "bare"]
)
def test_a_browser_that_nobody_asked_for_may_be_missing(monkeypatch, programs, playwright):
    Installed(monkeypatch, programs, playwright=playwright)
    assert find_chromium(Live()) is None


@pytest.mark.parametrize(
    ("programs", "playwright", "live", "says"),
    [
        ((), True, Live(browser="on"), "apt-get install chromium"),
        (("chromium",), False, Live(browser="on"), r"pip install 'pytest-wandr\[browser\]'"),
        (("chromium",), True, Live(chromium="/no/such"), "'/no/such' is no program"),
        (("mine",), False, Live(chromium="mine"), "playwright, which is not installed"),
    ],
    ids=["no chromium", "no playwright", "bad argument", "named, no playwright"],
)
def test_a_browser_that_was_asked_for_must_be_there(monkeypatch, programs, playwright, live, says):
    Installed(monkeypatch, programs, playwright=playwright)
    with pytest.raises(BrowserError, match=says):
        find_chromium(live)


def test_a_browser_that_the_environment_names_was_asked_for(monkeypatch):
    Installed(monkeypatch, {"chromium"}).setenv("WANDR_CHROMIUM", "/no/such")
    with pytest.raises(BrowserError, match="'/no/such' is no program; .* WANDR_CHROMIUM"):
        find_chromium(Live())


async def test_what_is_missing_is_told_before_anything_is_fetched(web, store, monkeypatch):
    Installed(monkeypatch)
    async with web.serving({}) as server:
        with pytest.raises(BrowserError):
            async with web.recording(store, server, browser="on"):
                pytest.fail("a fetcher was opened")


def test_replaying_imports_no_browser():
    code = (
        "import sys, pytest_wandr.fetch, pytest_wandr.fetch.browser.standing\n"
        "assert not {'playwright', 'httpx', 'vcr'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
