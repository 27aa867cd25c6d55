"""Long work is seen while it runs, on terminals and elsewhere, and leaves nothing behind."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from contextlib import closing, suppress

import pytest
from wandr_project import Project
from wandr_site import Site

PAGE = (
    b"<!doctype html><html lang=en><title>Acme</title><h1>Acme</h1><p>Acme makes good things in Lower "
    b"Fenwick, and it has employed forty people there since it was founded by two sisters."
)
CONFTEST = """
import dataclasses, os
from pathlib import Path
from pytest_wandr import pipeline, watching

real = pipeline.open_fetcher
watching._LIVE_SECONDS = watching._TELL_SECONDS = 0.02
watching._PLAIN_SECONDS = 0.05

def opened(store, *, live, **rest):
    (Path(__file__).parent / f"total-{{store.folder.name}}").write_text(str(live.limits.total))
    return real(store, live=dataclasses.replace(live, allow=frozenset([{place!r}]), browser="off"), **rest)

pipeline.open_fetcher = opened

def agent(task):
    (Path(__file__).parent / f"pid-{{task.id}}").write_text(str(os.getpid()))
    pages = ["a", "b", "missing", "held"]
    records = [
        {{"item": {{"company": "Acme"}}, "url": f"http://{place}/{{page}}", "excerpts": ["Acme makes"]}}
        for page in pages
    ]
    return {{"main": records}}

def pytest_wandr_make_system(name):
    return agent
"""


class FourPages(Site):
    """One of them is missing."""

    def answer(self, request):
        self.send(request, 404 if request.path == "/missing" else 200, PAGE)


@pytest.fixture
def site():
    with closing(FourPages()) as site:
        yield site


class Run:
    """A pytest process whose output is read while it runs."""

    def __init__(self, project, *args, terminal, env=None):
        inherited = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST_", "CI"))}
        inherited |= {"TERM": "xterm", "COLUMNS": "80", **(env or {})}
        command = [sys.executable, "-m", "pytest", *project.args("--wandr-record=new", *args)]
        self.output = b""
        self._reader, writer = pty.openpty() if terminal else os.pipe()
        self.process = subprocess.Popen(
            command, cwd=project.path, env=inherited, stdin=subprocess.DEVNULL, stdout=writer, stderr=writer
        )
        os.close(writer)

    def until(self, words):
        """Read on until the words are there, or the run has ended."""
        while words not in self.output and self._read():
            pass
        assert words in self.output, self.output.decode()

    def end(self):
        """Read to the end; the exit status."""
        while self._read():
            pass
        os.close(self._reader)
        return self.process.wait()

    def _read(self):
        with suppress(OSError):  # how a terminal says that nobody writes any more
            part = os.read(self._reader, 65536)
            self.output += part
            return part
        return b""


class Screen:
    """As much of a terminal as is used here, and everything that has scrolled off its top."""

    CODES = re.compile(rb"\x1b(?:\[([0-9;]*)([A-Za-z])|([A-Z0-9]))|\r|\n|[^\x1b\r\n]")

    def __init__(self, rows=6, columns=80):
        self.rows, self.columns = rows, columns
        self.lines = [""]
        self.row = self.column = 0
        self.saved = (0, 0)

    @property
    def top(self):
        return max(0, len(self.lines) - self.rows)

    def feed(self, output):
        for found in self.CODES.finditer(output):
            _, code, plain = found.groups()
            if code or plain:
                getattr(self, "on_" + (code or plain).decode())()
            elif found[0] == b"\r":
                self.column = 0
            elif found[0] == b"\n":
                self.on_D()
            else:
                self.put(found[0].decode("ascii", "replace"))
        return [line.rstrip() for line in self.lines]

    def put(self, letter):
        if self.column == self.columns:
            self.on_D()
            self.column = 0
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[: self.column] + letter + line[self.column + 1 :]
        self.column += 1

    def on_D(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")

    def on_A(self):
        self.row = max(self.top, self.row - 1)

    def on_B(self):
        self.row = min(len(self.lines) - 1, self.row + 1)

    def on_7(self):
        self.saved = (self.row - self.top, self.column)

    def on_8(self):
        self.row, self.column = self.saved[0] + self.top, self.saved[1]

    def on_K(self):
        self.lines[self.row] = self.lines[self.row][: self.column]

    def on_J(self):
        self.on_K()
        self.lines[self.row + 1 :] = ["" for _ in self.lines[self.row + 1 :]]

    def on_m(self):
        pass


def shown(output):
    """What is left on the screen, without the time that it took and without blank lines at the end."""
    lines = [re.sub(r"=* (.* in) [0-9.:]+s.*", r"\1", line) for line in Screen().feed(output)]
    return "\n".join(lines).rstrip().split("\n")


def fill(path, site, *tasks):
    path.mkdir(exist_ok=True)
    project = Project(path)
    project.conftest(CONFTEST.format(place=site.place))
    for task in tasks or ("amber",):
        project.task(task)
    return project


def left(project):
    """Every file of results and recordings."""
    places = (project.out(), project.path / "cassettes")
    return {
        file.relative_to(project.path): file.read_bytes()
        for place in places
        for file in sorted(place.rglob("*"))
        if file.is_file()
    }


TASKS = ("amber", "birch")


@pytest.mark.parametrize(
    ("args", "seen"), [((), b"3 of 4 pages"), (("-n2",), b"6 of 8 pages")], ids=["-n0", "-n2"]
)
def test_a_live_line_comes_and_goes_and_leaves_no_trace(tmp_path, site, args, seen):
    watched = fill(tmp_path / "watched", site, *TASKS)
    run = Run(watched, *args, terminal=True)
    run.until(b"0 of 2 tasks, " + seen)
    last = [line for line in Screen().feed(run.output) if line][-1]
    assert last.startswith(f"wandr: 0 of 2 tasks, {seen.decode()}, ")
    assert " failed" in last
    site.come.set()
    assert run.end() == 0
    unseen = fill(tmp_path / "unseen", site, *TASKS)
    other = Run(unseen, *args, "--wandr-progress=off", terminal=True)
    assert other.end() == 0
    expected = [line.replace("/unseen", "/watched") for line in shown(other.output)]
    assert shown(run.output) == expected
    assert b"\x1bD" not in other.output
    assert left(watched) == left(unseen)
    assert not (watched.out() / ".progress").exists()


@pytest.mark.parametrize(
    ("terminal", "args", "env"),
    [
        (False, (), {}), (False, ("-n2", "--wandr-progress=live"), {}), (True, ("-s",), {}),
        (True, (), {"CI": "1"}), (True, (), {"TERM": "dumb"}),
    ],
    ids=["a pipe", "workers and a pipe, asked for live", "-s", "CI", "dumb"],
)  # fmt: skip
def test_plain_lines_are_lines(tmp_path, site, terminal, args, env):
    project = fill(tmp_path / "p", site)
    run = Run(project, *args, terminal=terminal, env=env)
    run.until(b"wandr: 0 of 1 tasks, 3 of 4 pages, 1 host, 1 failed")
    site.come.set()
    assert run.end() == 0
    text = run.output.decode().replace("\r\n", "\n")
    assert re.search(
        r"^wandr: 0 of 1 tasks, 3 of 4 pages, 1 host, 1 failed(, about .* left)?$", text, re.MULTILINE
    )
    assert "\x1bD" not in text
    assert "\x1b[J" not in text


def test_a_live_line_can_be_had_in_ci(tmp_path, site):
    run = Run(fill(tmp_path / "p", site), "-s", "--wandr-progress=live", terminal=True, env={"CI": "1"})
    run.until(b"3 of 4 pages")
    site.come.set()
    assert run.end() == 0
    assert b"\x1bD" in run.output


@pytest.mark.parametrize(
    ("terminal", "args"),
    [(False, ("-q",)), (True, ("-q", "--wandr-progress=live")), (True, ("--wandr-progress=off",))],
    ids=["-q", "-q and live", "off"],
)
def test_quiet_runs_say_nothing(tmp_path, site, terminal, args):
    site.come.set()
    run = Run(fill(tmp_path / "p", site), *args, terminal=terminal)
    assert run.end() == 0
    assert b" of 1 tasks" not in run.output


def test_a_replay_is_not_watched(tmp_path, site):
    run = Run(fill(tmp_path / "p", site), "--wandr-record=none", "--trace-config", terminal=True)
    assert run.end() == 0
    assert b"wandr-onlooker" not in run.output
    assert b"wandr-collection" in run.output
    assert not site.asked


def test_a_worker_that_is_killed_breaks_nothing(tmp_path, site):
    project = fill(tmp_path / "p", site, "amber", "birch")
    run = Run(project, "-n2", terminal=True)
    run.until(b"0 of 2 tasks, 6 of 8 pages")
    os.kill(int((project.path / "pid-amber").read_text()), signal.SIGKILL)
    run.until(b"1 of 2 tasks, 6 of 7 pages")
    site.come.set()
    assert run.end() == 1
    assert any("1 failed, 1 passed" in line for line in shown(run.output))
    assert [task["task_id"] for task in project.scores()["tasks"]] == ["birch"]
    assert not (project.out() / ".progress").exists()


def test_what_a_killed_run_left_is_cleared(tmp_path, site):
    site.come.set()
    project = fill(tmp_path / "p", site)
    stale = project.out() / ".progress"
    stale.mkdir(parents=True)
    (stale / "gw7.json").write_text(json.dumps({"fetch": {"tasks": 1}}))
    assert Run(project, "-n2", terminal=True).end() == 0
    assert not stale.exists()


@pytest.mark.parametrize(("args", "total"), [((), "32"), (("-n2",), "16")], ids=["-n0", "-n2"])
def test_workers_share_the_requests_of_a_run_and_each_task_has_its_own_recording(tmp_path, site, args, total):
    """A page that two tasks cite is fetched once for both, whichever process runs them."""
    site.come.set()
    project = fill(tmp_path / "p", site, "amber", "birch")
    assert Run(project, *args, terminal=False).end() == 0
    assert site.asked == dict.fromkeys(["/a", "/b", "/missing", "/held"], 1)
    indexes = [project.path / "cassettes" / task / "index.jsonl" for task in ("amber", "birch")]
    assert indexes[0].read_bytes() == indexes[1].read_bytes()
    assert [(project.path / f"total-{task}").read_text() for task in ("amber", "birch")] == [total, total]


@pytest.mark.parametrize(
    ("record", "env", "line"),
    [
        ("new", {}, "wandr: cited pages are fetched from the network"),
        ("retry", {}, "wandr: cited pages are fetched from the network"),
        (
            "all",
            {"CI": "true"},
            "wandr: cited pages are fetched from the network; what comes may differ * (CI is set)",
        ),
    ],
)
def test_the_header_says_that_a_run_goes_to_the_network(project, monkeypatch, record, env, line):
    project.task("amber")
    monkeypatch.delenv("CI", raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    project.run(f"--wandr-record={record}").stdout.fnmatch_lines([line])
    project.run().stdout.no_fnmatch_line("wandr: *from the network*")
