"""Does a run that is killed at any moment end as if nothing had happened? SIGKILL at many points, resume.

    python benchmarks/kill_soak.py [--kills=1000] [--quick] [--json]

Each round kills a recording run in a small project: before the n-th change of a file (or half-way through
writing it), in the only process, in a worker or in the controller, or after some time. What was killed is
continued with `--wandr-resume`, and killed again now and then. At the end all results, verdicts and
recordings must be the same bytes as those of a run that nobody disturbed; and what was saved when the process
died must be neither solved nor judged again.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import json
import os
import pkgutil
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Start: TypeAlias = "Callable[[Path, list[str], dict[str, str], float | None], int]"
ROOT = Path(__file__).resolve().parent.parent
SYSTEM, JUDGE = "mine", "asked"
TASKS = ("amber", "birch", "cedar")
COMPANIES = ("Acme Rivets", "Birch Looms", "Cedar Mills")
MANIFEST = """
schema_version = "1"
id = "{id}"
[[nodes]]
name = "main"
keys = [{{ name = "company", kind = "company", required = 4 }}, {{ name = "url", required = 1 }}]
[[nodes.requirements]]
id = "names"
text = "The page names the company."
check = {{ mentions = ["company"] }}
decisive = true
[[nodes.requirements]]
id = "friendly"
text = "The page speaks well of the company."
"""
PAGE = (
    "<!doctype html><html lang=en><title>{0}</title><h1>{0}</h1><p>{0} makes good things in Lower Fenwick, \
and it has employed forty people there since it was founded by two sisters."
)
CONFTEST = '''
import json, os, signal, sys
from pathlib import Path

HERE = Path(__file__).parent
COMPANIES = {companies!r}
CHANGES = {{"os.rename", "os.remove", "os.rmdir", "os.mkdir"}}


def log(kind, what):
    handle = os.open(HERE / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(handle, f"{{kind}} {{what}}\\n".encode())
    os.close(handle)


class Killer:
    """Dies before the n-th change of a file in this project, or half-way through writing it."""

    def __init__(self, left, how):
        self.left, self.how, self.busy = left, how, False

    def __call__(self, event, args):
        if self.busy or not self.changes(event, args):
            return
        self.left -= 1
        if self.left == 0:
            self.busy = True
            if event == "open" and self.how == "torn":
                Path(args[0]).write_bytes(b'{{"key":"torn')
            os.kill(os.getpid(), signal.SIGKILL)

    def changes(self, event, args):
        if event != "open" and event not in CHANGES:
            return False
        path = os.fspath(args[0]) if isinstance(args[0], (str, bytes, os.PathLike)) else ""
        if not str(path).startswith(str(HERE)) or str(path).endswith("log"):
            return False
        return event != "open" or bool(args[2] & (os.O_WRONLY | os.O_RDWR))


def pytest_configure(config):
    who, _, rest = os.environ.get("SOAK_KILL", "").partition(":")
    if who and who == os.environ.get("PYTEST_XDIST_WORKER", "main"):
        left, _, how = rest.partition(":")
        sys.addaudithook(Killer(int(left), how))


def pytest_wandr_make_system(name):
    return solve if name == "mine" else None


def pytest_wandr_make_judge(name):
    return Asked() if name == "asked" else None


def solve(task, ctx):
    def record(company, url):
        text = f"{{company}} makes good things in Lower Fenwick"
        return {{"item": {{"company": company}}, "url": url, "excerpts": [text], "answer": {{}}}}

    records = [record(company, f"https://{{task.id}}.example/{{at}}") for at, company in enumerate(COMPANIES)]
    records.append(record("Dunmore Ropes", "https://never-recorded.example/"))
    log("solve", task.id)
    return records


class Asked:
    name = "asked"

    async def ask(self, questions):
        from pytest_wandr.judges import Answer
        from pytest_wandr.model import Part, RequirementVerdict

        for question in questions:
            log("judge", question.task.id)
        def approve(name):
            return RequirementVerdict(id=name, satisfied=Part(value=True), supported=Part(value=True))

        return [Answer(requirements=tuple(map(approve, question.open))) for question in questions]
'''


@dataclass
class Project:
    """A folder with tasks, recordings and an agent in it."""

    folder: Path
    start: Start
    kills: int = 0
    differences: list[str] = field(default_factory=list)

    @property
    def out(self) -> Path:
        return self.folder / ".wandr" / SYSTEM

    def snapshot(self) -> dict[str, bytes]:
        """Everything that a run leaves."""
        places = (self.out, self.folder / "cassettes")
        files = (path for place in places for path in sorted(place.rglob("*")) if path.is_file())
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in files}

    def saved(self) -> set[str]:
        """What need not be done again: `solve <task>`, `judge <task>`."""
        done = {f"solve {task}" for task in TASKS if (self.out / task / "solved.json").exists()}
        verdicts = (task for task in TASKS if (self.folder / "cassettes" / task / "verdicts.jsonl").exists())
        return done | {f"judge {task}" for task in verdicts}

    def log(self) -> list[str]:
        path = self.folder / "log"
        return path.read_text().splitlines() if path.exists() else []

    def run(self, *args: str, kill: str = "", after: float | None = None) -> int:
        """One run of pytest, in its own process group; the exit status, negative for a signal."""
        saved, before = self.saved() if "--wandr-resume" in args else set(), len(self.log())
        command = [*_plugin(), f"--wandr-system={SYSTEM}", f"--wandr-judge={JUDGE}", *args]
        status = self.start(self.folder, command, {"SOAK_KILL": kill}, after)
        again = saved.intersection(self.log()[before:])
        self.differences += [f"done again: {what}" for what in sorted(again)]
        return status

    def compare(self, expected: dict[str, bytes]) -> None:
        """Note every file that is not as it should be."""
        found = self.snapshot()
        for name in sorted({*expected, *found}):
            if expected.get(name) != found.get(name):
                what = "missing" if name not in found else "different" if name in expected else "left over"
                self.differences.append(f"{what}: {name}")


def start_apart(folder: Path, command: list[str], more: dict[str, str], after: float | None) -> int:
    """Run pytest in a new process."""
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "pytest", *command],
            cwd=folder,
            env=_environment(more),
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        process.returncode = _wait(process.pid, after)
        return process.returncode


def start_forked(folder: Path, command: list[str], more: dict[str, str], after: float | None) -> int:
    """Run pytest in a copy of this process, which has everything loaded: several times as fast."""
    process = os.fork()
    if not process:
        try:
            os.setsid()
            os.chdir(folder)
            said = os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(said, 1)
            os.dup2(said, 2)
            os.environ.clear()
            os.environ.update(_environment(more))
            import pytest

            status = int(pytest.main(command))
            sys.stdout.flush()
            os._exit(status)
        finally:
            os._exit(70)
    return _wait(process, after)


def _environment(more: dict[str, str]) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    return (
        kept
        | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        | more
    )


def _wait(process: int, after: float | None) -> int:
    """Wait for the end, or end it; workers of a dead controller die with it, as in a power cut."""
    deadline = time.monotonic() + (after if after is not None else 600)
    status: int | None = None
    while status is None and time.monotonic() < deadline:
        ended, code = os.waitpid(process, os.WNOHANG)
        status = os.waitstatus_to_exitcode(code) if ended else None
        time.sleep(0.005)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)
    if status is None:
        status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return status


def _plugin() -> list[str]:
    """No other plugins: they cost more than a run here."""
    return [
        *("-p", "no:cacheprovider", "-p", "xdist.plugin", "-p", "pytest_wandr.plugin"),
        *("-W", "ignore:Module already imported"),
    ]


def build(folder: Path, start: Start = start_apart) -> Project:
    """The project before its first run."""
    from pytest_wandr.cassettes import Entry, PageStore

    folder.mkdir(parents=True)
    (folder / "tox.ini").write_text("[pytest]\n")
    (folder / "conftest.py").write_text(CONFTEST.format(companies=COMPANIES))
    for task in TASKS:
        place = folder / "tasks" / task
        place.mkdir(parents=True)
        (place / "task.toml").write_text(MANIFEST.format(id=task))
        (place / "instruction.md").write_text("Find the companies.\n")
        store = PageStore(folder / "cassettes" / task, environment={})
        for at, company in enumerate(COMPANIES):
            headers = {"content-type": "text/html; charset=utf-8"}
            entry = Entry.of(f"https://{task}.example/{at}", status=200, headers=headers)
            store.put(entry, PAGE.format(company).encode())
        store.fold()
    return Project(folder, start)


def undisturbed(folder: Path, *args: str) -> dict[str, bytes]:
    """What a run leaves that nobody kills."""
    project = build(folder)
    status = project.run("--wandr-record=new", *args)
    if status not in (0, 1):
        raise SystemExit((folder / "said").read_text())
    return project.snapshot()


def killed(
    project: Project, expected: dict[str, bytes], kills: list[tuple[str, float | None]], *args: str
) -> Project:
    """Run, kill, resume, kill, ... and at last resume to the end. A kill: (where, None) or ("", seconds)."""
    folder = project.folder
    common = ["--wandr-record=new", *args]
    status = 0
    for round_, (kill, after) in enumerate(kills):
        resume = ["--wandr-resume"] if round_ else []
        status = project.run(*common, *resume, kill=kill, after=after)
        died = status < 0 or "worker 'gw" in (folder / "said").read_text(errors="replace")
        project.kills += died
    project.run(*common, "--wandr-resume")
    project.compare(expected)
    return project


def preload() -> None:
    """Load what a run needs, before it is forked."""
    import xdist.plugin  # noqa: F401

    from pytest_wandr import reports

    for name in ("plugin", "items", "pipeline", "judge", "fetch.live"):
        importlib.import_module(f"pytest_wandr.{name}")
    for module in pkgutil.iter_modules(reports.__path__, "pytest_wandr.reports."):
        importlib.import_module(module.name)


def draw(seed: str, low: int, high: int) -> int:
    """A number that looks random and is the same every time."""
    return low + int.from_bytes(hashlib.sha256(seed.encode()).digest()[:4], "big") % (high - low + 1)


def plan(number: int) -> tuple[list[tuple[str, float | None]], list[str]]:
    """The kills of one round, and the options of its runs."""
    kind = draw(f"kind {number}", 1, 10)
    args = ["-n2"] if kind > 7 else ["-n0"]
    kills: list[tuple[str, float | None]] = []
    for again in range(draw(f"times {number}", 1, 3)):
        seed = f"{number} {again}"
        if kind in (7, 10):
            kills.append(("", draw(f"after {seed}", 50, 2500) / 1000))
            continue
        who = "main" if kind != 9 else f"gw{draw(f'who {seed}', 0, 1)}"
        last = 118 if kind < 7 else 60 if who != "main" else 10
        how = "torn" if draw(f"how {seed}", 0, 1) else "before"
        kills.append((f"{who}:{draw(f'at {seed}', 1, last)}:{how}", None))
    return kills, args


def soak(wanted: int, first: int, *, loud: bool) -> tuple[int, int, list[str]]:
    """Kill until there were enough kills: (rounds, kills, what differed)."""
    kills = rounds = 0
    differences: list[str] = []
    with tempfile.TemporaryDirectory() as work:
        expected = undisturbed(Path(work, "undisturbed"))
        while kills < wanted:
            points, args = plan(first + rounds)
            folder = Path(work, str(rounds))
            project = killed(build(folder, start_forked), expected, points, *args)
            kills += project.kills
            differences += [f"round {first + rounds} {args} {points}: {what}" for what in project.differences]
            rounds += 1
            shutil.rmtree(folder)
            if loud and rounds % 10 == 0:
                print(f"{kills} kills in {rounds} rounds, {len(differences)} differences", flush=True)
    return rounds, kills, differences


def main() -> int:
    """Print what differed; exit status 1 when anything did."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="number of the first round, for other points")
    parser.add_argument("--quick", action="store_true", help="6 kills")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    preload()
    started = time.monotonic()
    wanted = 6 if options.quick else options.kills
    rounds, kills, differences = soak(wanted, options.first, loud=not options.json)
    seconds = round(time.monotonic() - started)
    if options.json:
        print(json.dumps({"rounds": rounds, "kills": kills, "seconds": seconds, "differences": differences}))
    else:
        print("\n".join([*differences, f"{kills} kills, {len(differences)} differences, {seconds} s"]))
    return 1 if differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
