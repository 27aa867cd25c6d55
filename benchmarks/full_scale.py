"""What does a benchmark of full size cost? 500 tasks, 170,495 records, 100,000 pages of about 60 KB.

    python benchmarks/full_scale.py [--quick] [--json] [--tasks N] [--folder DIR] [--only replay]

Real pytest runs, with two workers and with none: replaying stored verdicts, then judging with `rules` from
packed recordings, next to the floor of the pages (read + decompress + lxml's parse and text walk, in as many
processes). The whole is judged with two workers alone, a tenth of it with none too. CPU is user and system
time of the whole process tree, memory the peak of what the tree holds (PSS: shared pages count once; RSS:
once for each process), sampled twenty times a second.

Targets: a replayed record costs at most 0.1 ms of CPU and 1 KB, judging at most 3 times the floor, and ten
times the tasks at most 11 times as much. `--folder` keeps the suite for another run; without it the suite
goes to a temporary folder. It is a tenth where less than 15 GB of the disk would be left.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from full_scale_suite import bodies, build, plans
from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TASKS = 500
QUICK = 2
TARGETS = {"CPU ms a record": 0.1, "KB a record": 1, "times the floor": 3, "growth": 11}
SPARE = 15_000_000_000
"""Bytes that are left free on the disk."""
TASK_BYTES = 4_000_000
"""What a task takes on the disk with everything that runs write."""
PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1024


@dataclass
class Run:
    """What one run of a process tree cost: CPU and wall seconds, peaks in KB."""

    cpu: float = 0.0
    wall: float = 0.0
    rss: int = 0
    pss: int = 0


class Sampler(threading.Thread):
    """Watches the memory of a process and all below it."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.root = root
        self.rss = self.pss = 0
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.05):
            tree = list(descendants(self.root))
            rss = sum(map(resident, tree))
            if rss > 0.9 * self.rss:  # the peak of one is near the peak of the other, and PSS is dear
                self.pss = max(self.pss, sum(map(proportional, tree)))
            self.rss = max(self.rss, rss)


def descendants(pid: int) -> Iterator[int]:
    """A process and all that it started, as far as they still run."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found = children.read_text().split()
        except OSError:
            continue
        for child in found:
            yield from descendants(int(child))


def resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_KB
    except (OSError, IndexError):
        return 0


def proportional(pid: int) -> int:
    try:
        rows = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(row.split()[1]) for row in rows if row.startswith("Pss:")), 0)


def watched(command: Sequence[str], folder: Path) -> Run:
    """Run a command to its end. A run in which tasks fail ends with 1, which is no fault here.

    Modules are compiled once, as of any installed package.
    """
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": ""}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with (folder / "last-run.txt").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        sampler = Sampler(process.pid)
        sampler.start()
        status = process.wait()
        sampler.ended.set()
        sampler.join()
    if status not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: exit status {status}, see {log.name}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(cpu, time.perf_counter() - start, sampler.rss, sampler.pss)


def pytest_run(folder: Path, tasks: str, judge: str, workers: int) -> Run:
    """One run over the tasks of a folder; its results go to out-<judge>."""
    plugins = ("-p", "no:cacheprovider", "-p", "xdist", "-p", "pytest_wandr.plugin")
    options = ("--wandr-system=dir:submissions", f"--wandr-judge={judge}", f"--wandr-out=out-{judge}")
    command = (sys.executable, "-m", "pytest", "-q", tasks, *plugins, *options, f"-n{workers}")
    return watched(command, folder)


def floor_of(paths: Sequence[Path]) -> int:
    """Read, decompress, parse and walk every page of these recordings; returns how many there were."""
    pages = 0
    for path in paths:
        for data in bodies(path):
            source = zlib.decompress(data, 31)
            parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
            "".join(etree.fromstring(source, parser).itertext())
            pages += 1
    return pages


def floor(folder: Path, tasks: str, processes: int) -> tuple[Run, int]:
    """The least that reading all pages costs, shared out among processes."""
    names = sorted(path.parent.name for path in (folder / tasks).rglob("task.toml"))
    paths = [folder / "cassettes" / f"{name}.zip" for name in names]
    shares = [paths[at::processes] for at in range(processes)]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        pages = sum(pool.map(floor_of, shares))
        pool.close()
        pool.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(cpu, time.perf_counter() - start), pages


def store_and_judge(folder: Path, part: str, workers: int) -> dict[str, float]:
    """Judging one set of tasks with `rules` next to the floor of its pages, in as many processes."""
    least, pages = floor(folder, part, max(1, workers))
    judged = pytest_run(folder, part, "rules", workers)
    return {
        "pages": pages,
        "floor, CPU ms a page": 1e3 * least.cpu / pages,
        "rules, CPU ms a page": 1e3 * judged.cpu / pages,
        "times the floor": judged.cpu / least.cpu,
        "CPU seconds": judged.cpu,
        "seconds": judged.wall,
    }


def replay(folder: Path, part: str, workers: int, records: int) -> dict[str, float]:
    """Replaying the stored verdicts of one set of tasks."""
    run = pytest_run(folder, part, "replay", workers)
    return {
        "records": records,
        "CPU ms a record": 1e3 * run.cpu / records,
        "CPU seconds": run.cpu,
        "seconds": run.wall,
        "peak PSS, MB": run.pss / 1024,
        "peak RSS, MB": run.rss / 1024,
        "peak PSS, KB a record": run.pss / records,
    }


def growth(part: dict[str, float], whole: dict[str, float]) -> dict[str, float]:
    """How much more the whole takes than its tenth; both have tasks of all sizes."""
    found = {f"growth of {name}": whole[name] / part[name] for name in ("CPU seconds", "seconds")}
    if "records" in part:
        found["growth of records"] = whole["records"] / part["records"]
        more = whole["peak PSS, MB"] - part["peak PSS, MB"]
        found["further KB a record"] = 1024 * more / (whole["records"] - part["records"])
    return found


def measure(
    folder: Path, tasks: int, *, judging: bool, workers: Sequence[int]
) -> dict[str, dict[str, float]]:
    """Every table, by name."""
    suite = plans(tasks)
    tenth = sum(plan.records for plan in suite if plan.is_part)
    records = sum(plan.records for plan in suite)
    found: dict[str, dict[str, float]] = {}
    if tasks < 10:
        found[f"replay, -n{workers[0]}"] = replay(folder, "tasks", workers[0], records)
        found[f"rules, -n{workers[0]}"] = store_and_judge(folder, "tasks", workers[0])
        return found
    for count in workers:
        small, large = replay(folder, "tasks/part", count, tenth), replay(folder, "tasks", count, records)
        found[f"replay, a tenth, -n{count}"] = small
        found[f"replay, -n{count}"] = large | growth(small, large)
    for count in workers if judging else ():
        small = store_and_judge(folder, "tasks/part", count)
        found[f"rules, a tenth, -n{count}"] = small
        if count == workers[-1]:
            large = store_and_judge(folder, "tasks", count)
            found[f"rules, -n{count}"] = large | growth(small, large)
    return found


def yardstick() -> float:
    """CPU seconds of three million steps of a loop: how fast the machine is just now."""
    start, state = time.process_time(), 0
    for step in range(3_000_000):
        state ^= step * 3
    return round(time.process_time() - start, 3)


def fitting(tasks: int, place: Path) -> int:
    """As many tasks, or a tenth where the disk has no room for them."""
    if shutil.disk_usage(place).free - tasks * TASK_BYTES >= SPARE:
        return tasks
    print("the disk has no room for the whole: a tenth is measured", file=sys.stderr)
    return max(10, tasks // 10)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two tasks, one run of each kind")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--tasks", type=int, default=TASKS, help="how many, 10 or more (default 500)")
    parser.add_argument("--folder", type=Path, help="keep the suite here for another run")
    parser.add_argument("--only", choices=("replay", "rules"), help="leave the other out")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.folder or Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        tasks = QUICK if options.quick else fitting(max(10, options.tasks), folder)
        build(folder, tasks)
        marks = [yardstick()]
        workers = (0,) if options.quick else (0, 2)
        found = measure(folder, tasks, judging=options.only != "replay", workers=workers)
        marks.append(yardstick())
    if options.json:
        print(json.dumps({"tasks": tasks, "targets": TARGETS, "yardstick": marks, "runs": found}))
        return
    print(f"{tasks} tasks; targets: {TARGETS}; yardstick before and after: {marks}")
    for name, values in found.items():
        print(f"\n{name}")
        for what, value in values.items():
            print(f"    {what:24} {value:>14,.3f}")


if __name__ == "__main__":
    main()
