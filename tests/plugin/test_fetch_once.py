"""One recording run asks for each url once, with any number of workers; each recording stands by itself."""

import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing

import pytest
from wandr_project import Project
from wandr_site import Site

from pytest_wandr.cassettes import PageStore
from pytest_wandr.cassettes.commons import FOLDER

TASKS = ("amber", "birch", "cedar", "dunes")
SHARED = ("/0", "/1", "/moved/2", "/door", "/missing", "/busy", "/broken")
PAGE = (
    "<!doctype html><html lang=en><title>Acme</title><h1>Acme</h1><p>Acme makes good things in Lower "
    "Fenwick, and it has employed forty people there since it was founded by two sisters. Visit {}."
)
CONFTEST = """
import dataclasses, os
from pathlib import Path
from pytest_wandr import pipeline

HERE = Path(__file__).parent
real = pipeline.open_fetcher

def opened(store, *, live, **rest):
    limits = dataclasses.replace(live.limits, attempts=1)
    live = dataclasses.replace(live, limits=limits, browser="off", user_agent=f"{{os.getpid()}}")
    return real(store, live=dataclasses.replace(live, allow=frozenset([{place!r}])), **rest)

pipeline.open_fetcher = opened

def agent(task):
    paths = [*{shared!r}, f"/{{task.id}}", *(HERE / "more").read_text().split()]
    records = [
        {{"item": {{"company": f"Acme {{p}}"}}, "url": f"http://{place}{{p}}", "excerpts": ["Acme makes"]}}
        for p in paths
    ]
    return {{"main": records}}

def pytest_wandr_make_system(name):
    return agent
"""


class CountedVisits(Site):
    """Pages that say how often they were asked for; `askers` are the processes that came first."""

    def __init__(self):
        self.askers = {}
        super().__init__()

    def hear(self, request):
        self.askers.setdefault(request.path, int(request.headers["User-Agent"]))

    def answer(self, request):
        time.sleep(0.02)
        if request.path == "/broken":
            request.wfile.write(b"no http at all\r\n\r\n")
            return
        headers = {}
        status = {"/missing": 404, "/busy": 503}.get(request.path, 200)
        if request.path.startswith("/moved"):
            status, headers = 302, {"Location": request.path[6:]}
        if request.path == "/door":
            status, headers = 302, {"Location": "/inside", "Set_Cookie": "in=1; Path=/"}
        self.send(request, status, PAGE.format(self.asked[request.path]).encode(), **headers)


@pytest.fixture
def site():
    with closing(CountedVisits()) as site:
        yield site


@pytest.fixture
def suite(tmp_path, site):
    return make_suite(tmp_path, site)


def make_suite(folder, site):
    folder.mkdir(exist_ok=True)
    suite = Project(folder)
    suite.conftest(CONFTEST.format(place=site.place, shared=SHARED))
    (folder / "more").write_text("")
    for name in TASKS:
        suite.task(name)
    return suite


def record(suite, *args, mode="new"):
    result = suite.run_apart(f"--wandr-record={mode}", *args)
    assert result.ret in (0, 1), result.outlines + result.errlines
    assert f"{len(TASKS)} of {len(TASKS)} scored" in "\n".join(result.outlines)
    return result


def recordings(suite):
    return {
        path.relative_to(suite.path).as_posix(): path.read_bytes()
        for path in sorted((suite.path / "cassettes").rglob("*"))
        if path.is_file()
    }


def left_over(suite):
    return [path for path in suite.path.rglob("*") if FOLDER in path.parts]


ONCE = dict.fromkeys((*SHARED, "/2", "/inside", *(f"/{name}" for name in TASKS)), 1)


@pytest.mark.parametrize(
    ("mode", "args"),
    [
        ("new", ["-n0"]),
        ("new", ["-n2"]),
        ("new", ["-n4", "--dist=loadfile"]),
        ("retry", ["-n0"]),
        ("all", ["-n3", "--dist=worksteal"]),
    ],
)
def test_a_run_asks_for_each_url_once(suite, site, mode, args):
    record(suite, *args, mode=mode)
    assert site.asked == ONCE
    assert left_over(suite) == []
    bodies = {name: PageStore(suite.path / "cassettes" / name) for name in TASKS}
    for path in ("/0", "/1", "/moved/2", "/door"):
        pages = [store.get(f"http://{site.place}{path}") for store in bodies.values()]
        assert pages == [pages[0]] * len(TASKS)
        assert b"Visit 1." in pages[0].body
    assert [store.check() for store in bodies.values()] == [()] * len(TASKS)


def test_the_number_of_workers_changes_no_byte(tmp_path, site):
    suite = make_suite(tmp_path / "suite", site)
    found = []
    for args in (["-n0"], ["-n3"]):
        site.asked.clear()
        record(suite, *args)
        found.append((recordings(suite), suite.score_bytes()))
        shutil.rmtree(suite.path / "cassettes")
        shutil.rmtree(suite.path / ".wandr")
    assert found[0] == found[1]


def test_each_recording_stands_by_itself(suite, site):
    record(suite, "-n2")
    live = suite.score_bytes()
    for name in TASKS[:2]:
        alone = suite.path.parent / f"only-{name}"
        shutil.copytree(suite.path / "cassettes" / name, alone / name)
    for name in TASKS[:2]:
        args = (
            f"--wandr-cassettes={suite.path.parent / f'only-{name}'}",
            f"--wandr-out=only-{name}",
            "-k",
            name,
        )
        assert "1 of 1 scored" in "\n".join(suite.run_apart(*args).outlines)
        verdicts = [suite.path / place / name / "verdicts.jsonl" for place in (".wandr/mine", f"only-{name}")]
        assert verdicts[0].read_bytes() == verdicts[1].read_bytes()
    before = recordings(suite)
    suite.run_apart("-n2")
    assert suite.score_bytes() == live
    assert recordings(suite) == before
    assert site.asked == ONCE


@pytest.mark.parametrize(
    ("mode", "again"), [("new", []), ("retry", ["/busy", "/broken"]), ("all", list(ONCE))]
)
def test_a_later_run_asks_once_more_for_what_it_is_to_ask_for(suite, site, mode, again):
    record(suite)
    record(suite, "-n2", mode=mode)
    assert site.asked == {path: 2 if path in again else 1 for path in ONCE}


def test_a_replay_makes_and_removes_nothing_of_it(suite, site):
    record(suite)
    place = suite.out() / FOLDER
    place.mkdir()
    (place / "3f").write_text("from a run that was killed")
    suite.run_apart()
    assert [path.name for path in place.iterdir()] == ["3f"]
    record(suite)
    assert left_over(suite) == []


def made_known(suite):
    lines = b"".join(path.read_bytes() for path in (suite.out() / FOLDER).glob("??")).splitlines()
    return len(list(filter(None, lines)))


def until(condition):
    deadline = time.monotonic() + 100
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def start(suite, *args):
    command = [sys.executable, "-m", "pytest", *suite.args("--wandr-record=new", *args)]
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    return subprocess.Popen(
        command, cwd=suite.path, env=kept, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        start_new_session=True,
    )  # fmt: skip


def test_a_worker_that_is_killed_while_it_fetches_leaves_its_pages_to_the_others(suite, site):
    (suite.path / "more").write_text("/held")
    process = start(suite, "-n2", "--max-worker-restart=0")
    until(lambda: site.asked["/held"] == 1 and made_known(suite) == len(ONCE) - 2)  # two tasks have not begun
    os.kill(site.askers["/held"], signal.SIGKILL)
    until(lambda: site.asked["/held"] == 2)
    site.come.set()
    said, _ = process.communicate(timeout=300)
    assert "unscored: the worker process died" in said
    assert "Traceback" not in said
    assert {path for path, times in site.asked.items() if times > 1} == {"/held"}
    assert left_over(suite) == []


@pytest.mark.parametrize("args", [["-n0"], ["-n2"]], ids=" ".join)
def test_a_killed_run_that_is_resumed_ends_in_the_same_bytes(tmp_path, site, args):
    suite = make_suite(tmp_path / "suite", site)
    (suite.path / "more").write_text("/held")
    process = start(suite, *args)
    until(lambda: site.asked["/held"] == 1)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert left_over(suite) != []
    site.come.set()
    site.asked.clear()
    record(suite, *args, "--wandr-resume")
    assert max(site.asked.values()) == 1
    assert left_over(suite) == []
    resumed = recordings(suite), suite.score_bytes()
    for name in ("cassettes", ".wandr"):
        shutil.rmtree(suite.path / name)
    site.asked.clear()
    record(suite, *args)
    assert (recordings(suite), suite.score_bytes()) == resumed
