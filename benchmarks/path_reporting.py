"""What does it cost to report every hierarchy path? 500 tasks of 341 paths, beside one path each.

    python benchmarks/path_reporting.py [--quick] [--json]

Runs whole pytest sessions, alone and with two workers, with a stand-in for the pipeline whose score has the
same paths for every task (30 % of them unproven), and prints the CPU microseconds that each further path
adds: making the score, writing its files, sending it, summing up. Target: at most 15 microseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

TASKS, PATHS = 500, 341
MANIFEST = """schema_version = "1"
id = "{id}"
[[nodes]]
name = "main"
keys = [{{ name = "company", required = 1 }}, {{ name = "url", required = 1 }}]
"""
CONFTEST = """
import os
from pytest_wandr import pipeline
from pytest_wandr.model import *
from pytest_wandr.hierarchy.paths import PathRow
from pytest_wandr.score import roll_up
from pytest_wandr.task import load_task

def path(number):
    names = (f"company {number}", f"https://{number}.example/")
    if number % 10 < 7:
        return PathRow(node="main", path=names, outcome="proven")
    why = dict(part="excerpts_faithful", reason="excerpt 1 is not on the page")
    return PathRow(node="main", path=names, outcome="unproven", **why)

PATHS = tuple(map(path, range(int(os.environ["WANDR_PATHS"]))))

async def evaluate(folder, *, system, judge, settings):
    task = load_task(folder)
    score = roll_up(task, (), ())._replace(paths=PATHS)
    submission = Submission(task_id=task.id, system="stand-in")
    return pipeline.Evaluation(task, submission, (), score, pipeline.report_of(task, submission, score))

pipeline.evaluate = evaluate

def pytest_wandr_make_system(name):
    return lambda task: None
"""


def fill(folder: Path, tasks: int) -> None:
    """A project with so many task packages."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "conftest.py").write_text(CONFTEST)
    for number in range(tasks):
        place = folder / "tasks" / f"t{number:03}"
        place.mkdir(parents=True)
        (place / "task.toml").write_text(MANIFEST.format(id=place.name))
        (place / "instruction.md").write_text("Find the companies.\n")


def cpu_seconds(folder: Path, paths: int, *options: str) -> float:
    """User and system time of a whole run, workers included."""
    plugins = ("-p", "no:cacheprovider", "-p", "xdist", "-p", "pytest_wandr.plugin")
    command = [sys.executable, "-m", "pytest", "-q", *plugins, "--wandr-system=stand-in", *options]
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "WANDR_PATHS": str(paths)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the tasks, one process")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    tasks = TASKS // 10 if options.quick else TASKS
    found: dict[str, float] = {"tasks": tasks, "paths": tasks * PATHS}
    with tempfile.TemporaryDirectory() as name:
        fill(Path(name), tasks)
        for workers in (0,) if options.quick else (0, 2):
            floor, full = (cpu_seconds(Path(name), paths, f"-n{workers}") for paths in (1, PATHS))
            found[f"CPU seconds, one path a task, -n{workers}"] = round(floor, 2)
            found[f"CPU seconds, all paths, -n{workers}"] = round(full, 2)
            found[f"microseconds a path, -n{workers}"] = round(
                1e6 * (full - floor) / (tasks * (PATHS - 1)), 2
            )
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:40} {value:>12,}")


if __name__ == "__main__":
    main()
