"""Does a run that is killed at any moment end as if nothing had happened? SIGKILL at many points, resume.

    python benchmarks/kill_soak.py [--kills=1000] [--quick] [--json]

Each round kills a recording run in a small project: before the n-th change of a file (or half-way through
writing it), in the only process, in a worker or in the controller, or after some time; also while it fetches
pages from a slow server on loopback, and while it writes verdicts. What was killed is continued with
`--wandr-resume`, and killed again now and then. At the end all results, verdicts and recordings must be the
same bytes as those of a run that nobody disturbed; and what was saved when the process died must be neither
solved nor judged again.
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
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.kill_project import COMPANIES, CONFTEST, JUDGE, MANIFEST, PAGE, SYSTEM, TASKS  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    Start: TypeAlias = Callable[[Path, list[str], dict[str, str], float | None], int]


@dataclass
class Project:
    """A folder with tasks, recordings and an agent in it. With a port, its pages come from there, slowly."""

    folder: Path
    start: Start
    port: int = 0
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
        status = self.start(self.folder, command, {"SOAK_KILL": kill, "SOAK_PORT": str(self.port)}, after)
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


def build(folder: Path, start: Start = start_apart, port: int = 0) -> Project:
    """The project before its first run. Without the port of a server, its pages are recorded already."""
    from pytest_wandr.cassettes import Entry, PageStore

    folder.mkdir(parents=True)
    (folder / "tox.ini").write_text("[pytest]\n")
    (folder / "conftest.py").write_text(CONFTEST.format(companies=COMPANIES, tasks=TASKS))
    for task in TASKS:
        place = folder / "tasks" / task
        place.mkdir(parents=True)
        (place / "task.toml").write_text(MANIFEST.format(id=task))
        (place / "instruction.md").write_text("Find the companies.\n")
        if port:
            continue
        store = PageStore(folder / "cassettes" / task, environment={})
        for at, company in enumerate(COMPANIES):
            headers = {"content-type": "text/html; charset=utf-8"}
            entry = Entry.of(f"https://{task}.example/{at}", status=200, headers=headers)
            store.put(entry, PAGE.format(company).encode())
        store.fold()
    return Project(folder, start, port)


@contextlib.contextmanager
def slow_server() -> Iterator[int]:
    """The port of a server of its own process."""
    command = [sys.executable, str(ROOT / "benchmarks" / "kill_project.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield int(server.stdout.readline())
        finally:
            server.kill()


def undisturbed(folder: Path, *args: str, port: int = 0) -> dict[str, bytes]:
    """What a run leaves that nobody kills."""
    project = build(folder, port=port)
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


_KINDS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, *(1, 11, 12, 13, 14) * 3, 15, 16)
"""Runs with workers (8, 9, 10, 15, 16) cost eight times as much as the others, so they are fewer."""


def plan(number: int) -> tuple[list[tuple[str, float | None]], list[str], bool]:
    """The kills of one round, the options of its runs, and whether its pages are fetched."""
    kind = _KINDS[draw(f"kind {number}", 0, len(_KINDS) - 1)]
    live = kind > 10
    args = ["-n2"] if kind in (8, 9, 10, 15, 16) else ["-n0"]
    kills = [_kill(kind, f"{number} {again}") for again in range(draw(f"times {number}", 1, 3))]
    return kills, args, live


def _kill(kind: int, seed: str) -> tuple[str, float | None]:
    """Kinds 7, 10: after some time. 11 to 16 fetch: 11, 12 die while pages come, 13, 15 while verdicts are
    written, 14 anywhere. 9, 15, 16 in a worker, 8 in the controller, all others in the only process."""
    if kind in (7, 10):
        return "", draw(f"after {seed}", 50, 2500) / 1000
    who = f"gw{draw(f'who {seed}', 0, 1)}" if kind in (9, 15, 16) else "main"
    if kind in (11, 12, 16):
        return f"{who}:{draw(f'at {seed}', 1, 8)}:fetch{draw(f'wait {seed}', 0, 90)}", None
    how = "torn" if draw(f"how {seed}", 0, 1) else "before"
    if kind in (13, 15):
        return f"{who}:{draw(f'at {seed}', 1, 8)}:{how}:verdicts", None
    last = {8: 10, 9: 60, 14: 180}.get(kind, 130)
    return f"{who}:{draw(f'at {seed}', 1, last)}:{how}", None


def soak(wanted: int, first: int, *, loud: bool) -> tuple[int, int, list[str]]:
    """Kill until there were enough kills: (rounds, kills, what differed)."""
    kills = rounds = 0
    differences: list[str] = []
    with tempfile.TemporaryDirectory() as work, slow_server() as port:
        expected = {live: undisturbed(Path(work, f"{live}"), port=port * live) for live in (False, True)}
        while kills < wanted:
            points, args, live = plan(first + rounds)
            folder = Path(work, str(rounds))
            project = killed(build(folder, start_forked, port * live), expected[live], points, *args)
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
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before its time"))
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
