"""What does one judged unit cost here, and what elsewhere? Whole runs side by side, at two sizes each.

    python benchmarks/peers.py [--install FOLDER] [--python PATH ...] [--rounds N] [--quick] [--json]

A unit is a record here (its page read, its excerpts looked for, all six parts decided, or its stored verdict
found), and there a sample or test case with a scorer that does nothing: what a framework costs before anybody
judges. Processor time is that of the whole process tree, start-up included; the slope between two sizes is
what one more unit costs. Rounds alternate, figures are medians. Target: each of our slopes 50 times below
those of the peers.

`--install FOLDER` puts each peer into an environment of its own there. `--python PATH` names interpreters
that have one. A peer that is not found is "not installed". Runs are cut off from the network where possible.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
from evidence_speed import page_of
from peer_scripts import DEEPEVAL, INSPECT, PLAIN

from pytest_wandr.cassettes import PageStore
from pytest_wandr.cassettes.entry import Entry

ROOT = Path(__file__).resolve().parent.parent
PEERS = {"inspect_ai": "inspect_ai==0.3.285", "deepeval": "deepeval==4.3.1"}
TARGET = 50
SETTINGS = {
    "PYTHONDONTWRITEBYTECODE": "",  # an installed package is compiled once
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "DEEPEVAL_UPDATE_WARNING_OPT_OUT": "YES",
    "DEEPEVAL_DISABLE_DOTENV": "1",
}
MANIFEST = """schema_version = "1"
id = "{id}"
[[nodes]]
name = "{id}"
keys = [{{ name = "barge", required = {units} }}, {{ name = "url", required = 1 }}]
[[nodes.requirements]]
id = "names"
text = "The page names the barge."
check = {{ mentions = ["barge"] }}
decisive = true
"""
FILL = 300
"""Records of one generated task, about the median of the published suite."""
Prepare: TypeAlias = Callable[[Path, int], int]


class Spent(NamedTuple):
    """One run: processor milliseconds of its process tree, and the peak megabytes of its largest process."""

    cpu_ms: float
    peak_mb: float


class Work:
    """Two folders of different size, made once. `prepare` fills one and returns how many units it holds."""

    def __init__(self, folder: Path, prepare: Prepare, sizes: tuple[int, int]) -> None:
        self.ready: list[tuple[Path, int]] = []
        for size in sizes:
            place = Path(tempfile.mkdtemp(dir=folder))
            self.ready.append((place, prepare(place, size)))


@dataclass(frozen=True)
class Contender:
    """One row: a command that runs in two folders of different size."""

    name: str
    work: Work
    command: tuple[str, ...]
    version: str = ""
    spent: list[tuple[Spent, ...]] = field(default_factory=list)

    def run(self, prefix: tuple[str, ...]) -> None:
        """One round: both sizes."""
        self.spent.append(tuple(run((*prefix, *self.command), *place) for place in self.work.ready))

    def row(self) -> dict[str, float | str]:
        """Medians over the rounds."""
        (_, small), (_, large) = self.work.ready
        slope = statistics.median((b.cpu_ms - a.cpu_ms) / (large - small) for a, b in self.spent)
        total = statistics.median(b.cpu_ms for _, b in self.spent)
        return {
            "name": self.name,
            "version": self.version,
            "small": small,
            "units": large,
            "cpu ms a further unit": round(slope, 3),
            "cpu ms a unit in all": round(total / large, 3),
            "cpu s in all": round(total / 1000, 2),
            "start-up s": round((total - slope * large) / 1000, 2),
            "peak MB": round(max(b.peak_mb for _, b in self.spent)),
        }


def run(command: Sequence[str], folder: Path, units: int) -> Spent:
    """Run to the end and say what it took.

    Raises:
        RuntimeError: it failed; with the end of what it printed.
    """
    own = {"UNITS": str(units), "HOME": str(folder), "PYTHONPATH": str(ROOT)}
    with (folder / "printed").open("wb") as printed:
        process = subprocess.Popen(
            command, cwd=folder, env=os.environ | SETTINGS | own, stdout=printed, stderr=printed
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        end = (folder / "printed").read_text(errors="replace")[-2000:]
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}:\n{end}")
    return Spent(1000 * (used.ru_utime + used.ru_stime), used.ru_maxrss / 1024)


def cut_off() -> tuple[str, ...]:
    """The start of a command that runs without a network, where the system lets us."""
    prefix = ("unshare", "-rn")
    found = shutil.which("unshare")
    works = found and subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
    return prefix if works else ()


def pytest_of(python: str, *options: str) -> tuple[str, ...]:
    return (python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options)


def writes(name: str, text: str) -> Prepare:
    """A preparation that writes one script; it learns its size when it runs."""

    def prepare(folder: Path, units: int) -> int:
        (folder / name).write_text(text)
        return units

    return prepare


def demo(folder: Path, packages: int) -> int:
    """So many demo tasks with their pages, again from the first when they run out."""
    tasks = sorted(path for path in (ROOT / "tasks").iterdir() if path.is_dir())
    for number in range(packages):
        task = tasks[number % len(tasks)]
        name = f"{task.name}_{number}"
        place = folder / "tasks" / name
        place.mkdir(parents=True)
        for file in task.iterdir():
            text = file.read_text(encoding="utf-8").replace(task.name, name)
            (place / file.name).write_text(text, encoding="utf-8")
        shutil.copytree(ROOT / "cassettes" / task.name, folder / "cassettes" / name)
    return judged_once(folder, "oracle-noisy")


def barges(size: int) -> Prepare:
    """Generated tasks of `FILL` records: one page of so many bytes each, one excerpt, one requirement."""

    def prepare(folder: Path, units: int) -> int:
        for number, start in enumerate(range(0, units, FILL)):
            barge_task(folder, f"barges_{number}", min(FILL, units - start), size)
        return judged_once(folder, "dir:handed")

    return prepare


def barge_task(folder: Path, name: str, units: int, size: int) -> None:
    """One generated task, its pages, and what a system delivered."""
    task, handed = folder / "tasks" / name, folder / "handed" / name
    for place in (task, handed):
        place.mkdir(parents=True)
    (task / "task.toml").write_text(MANIFEST.format(id=name, units=units))
    (task / "instruction.md").write_text("Find the barges.\n")
    store, lines, rest = PageStore(folder / "cassettes" / name, environment={}), [], page_of(size)
    for number in range(units):
        url, barge = f"https://{name.replace('_', '-')}.example/{number}", f"Marigold {number}"
        excerpt = f"Barge {barge} was built in Pell for the Ferrow family and never sank."
        body = rest.replace(b"<body>", f"<body><p>{excerpt}</p>".encode())
        store.put(Entry.of(url, status=200, headers={"content-type": "text/html; charset=utf-8"}), body)
        lines.append(json.dumps({"item": {"barge": barge}, "url": url, "excerpts": [excerpt], "answer": {}}))
    store.fold()
    (handed / f"results_{name}.jsonl").write_text("\n".join(lines) + "\n")


def judged_once(folder: Path, system: str) -> int:
    """Run a system, so that its records and their verdicts lie ready; returns how many records there are."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    run(ours(f"--wandr-system={system}", "--wandr-record=new", "--wandr-out=first"), folder, 0)
    found = folder.glob("first/*/submission/results_*.jsonl")
    return sum(len(path.read_bytes().splitlines()) for path in found)


def ours(*options: str) -> tuple[str, ...]:
    return pytest_of(sys.executable, *options)


def our_rows(folder: Path, *, quick: bool) -> Iterator[Contender]:
    """Judging and replaying small pages; judging the demo tasks, and pages of the usual size."""
    again = ("--wandr-system=dir:first", "--wandr-out=again")
    small = Work(folder, barges(1_000), (20, 100) if quick else (600, 6_000))
    yield Contender("ours: replay", small, ours(*again, "--wandr-judge=replay"))
    if quick:
        yield Contender("ours: rules, 1 kB", small, ours(*again))
        return
    yield Contender("ours: rules, 1 kB", Work(folder, barges(1_000), (300, 1_800)), ours(*again))
    yield Contender("ours: rules, demo", Work(folder, demo, (8, 24)), ours(*again))
    yield Contender("ours: rules, 60 kB", Work(folder, barges(60_000), (50, 300)), ours(*again))


def their_rows(folder: Path, found: dict[str, tuple[str, str]], *, quick: bool) -> Iterator[Contender]:
    """Each peer that is there, and pytest itself. `found`: their interpreters and versions."""
    sizes = (50, 150) if quick else (200, 1_000)
    tests = Work(folder, writes("test_units.py", PLAIN), (100, 500) if quick else (1_000, 10_000))
    plain = ("env", "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1", *pytest_of(sys.executable))
    yield Contender("plain pytest", tests, plain, pytest.__version__)
    if "inspect_ai" in found:
        python, version = found["inspect_ai"]
        script = Work(folder, writes("evaluate.py", INSPECT), sizes)
        for way in ("model", "solver"):
            yield Contender(f"inspect_ai, {way}", script, (python, "evaluate.py", way), version)
    if "deepeval" in found:
        python, version = found["deepeval"]
        cases = Work(folder, writes("test_units.py", DEEPEVAL), sizes)
        yield Contender("deepeval", cases, pytest_of(python), version)


def install(folder: Path) -> list[str]:
    """Make an environment for each peer; returns their interpreters."""
    for name, wanted in PEERS.items():
        venv.create(folder / name, with_pip=True)
        subprocess.run([folder / name / "bin" / "python", "-m", "pip", "install", "-q", wanted], check=True)
    return [str(folder / name / "bin" / "python") for name in PEERS]


def peers_in(pythons: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The first interpreter that has it, and the version, of each peer that is there."""
    found: dict[str, tuple[str, str]] = {}
    for python in pythons:
        if shutil.which(python) is None:
            raise SystemExit(f"--python {python}: there is no such interpreter")
        for name in PEERS:
            ask = [python, "-c", f"from importlib.metadata import version; print(version({name!r}))"]
            told = subprocess.run(ask, capture_output=True, text=True, check=False)
            if told.returncode == 0:
                found.setdefault(name, (python, told.stdout.strip()))
    return found


def measure(found: dict[str, tuple[str, str]], *, quick: bool, rounds: int) -> list[dict[str, float | str]]:
    """All rows; what cannot be run here is a row that says so."""
    prefix = cut_off()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        rows = [*our_rows(place, quick=quick), *their_rows(place, found, quick=quick)]
        for _ in range(rounds):
            for one in rows:
                one.run(prefix)
        measured = [one.row() for one in rows]
    return measured + [{"name": name, "version": "not installed"} for name in PEERS if name not in found]


def compared(rows: list[dict[str, float | str]]) -> list[dict[str, float | str]]:
    """How many times less than each peer each of our ways costs, by slope and with start-up."""
    slope, total = "cpu ms a further unit", "cpu ms a unit in all"
    mine = [row for row in rows if str(row["name"]).startswith("ours") and slope in row]
    theirs = [row for row in rows if str(row["name"]).startswith(tuple(PEERS)) and slope in row]
    return [
        {
            "ours": row["name"],
            "peer": other["name"],
            "times less": round(float(other[slope]) / max(float(row[slope]), 0.001), 1),
            "with start-up": round(float(other[total]) / float(row[total]), 1),
        }
        for row in mine
        for other in theirs
    ]


def show(rows: list[dict[str, float | str]], ratios: list[dict[str, float | str]]) -> None:
    """Print both tables."""
    columns = (
        "units",
        "cpu ms a further unit",
        "cpu ms a unit in all",
        "cpu s in all",
        "start-up s",
        "peak MB",
    )
    print(f"{'':22}{'version':>14}" + "".join(f"{name:>23}" for name in columns))
    for row in rows:
        print(f"{row['name']:22}{row['version']:>14}" + "".join(f"{row.get(n, ''):>23}" for n in columns))
    for row in ratios:
        print(f"{row['ours']:22} costs {row['times less']} times less than {row['peer']} (target {TARGET}), "
              f"{row['with start-up']} times with start-up")  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--install", type=Path, metavar="FOLDER", help="put the peers into FOLDER first")
    parser.add_argument("--python", action="append", default=[], metavar="PATH", help="it has a peer")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="runs of each (3)")
    parser.add_argument("--quick", action="store_true", help="small sizes, one round")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args()
    installed = install(options.install.resolve()) if options.install else []
    found = peers_in([*options.python, *installed, sys.executable])
    rows = measure(found, quick=options.quick, rounds=1 if options.quick else options.rounds)
    ratios = compared(rows)
    if options.json:
        print(json.dumps({"target": TARGET, "rows": rows, "ratios": ratios}))
        return
    show(rows, ratios)


if __name__ == "__main__":
    main()
