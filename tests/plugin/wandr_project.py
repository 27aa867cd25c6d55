"""A repository with task packages and an agent in it, run by pytest inside pytest."""

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
INSTALLED = any(
    entry.value == "pytest_wandr.plugin" for entry in importlib.metadata.entry_points(group="pytest11")
)

REWRITE = "ignore:Module already imported:pytest.PytestAssertRewriteWarning"

MANIFEST = """\
schema_version = "1"
id = "{id}"
title = "Companies of the invented town {id}"
canary = "wandr-canary {id}"

[[nodes]]
name = "main"
keys = [{{ name = "company", kind = "company", required = 2 }}, {{ name = "url", required = 1 }}]

[[nodes.requirements]]
id = "names"
text = "The page names the company."
check = {{ mentions = ["company"] }}
decisive = true
{more}
"""

CONFTEST = """\
import sys
sys.path.insert(0, {here!r})
import wandr_fakes

def pytest_configure(config):
    wandr_fakes.install(config)

def pytest_wandr_make_system(config, name):
    if name == "mine":
        return lambda task: None
"""


class Project:
    """A repository with an agent in it."""

    asyncio = False

    def __init__(self, path, pytester=None):
        self.path = path
        self.pytester = pytester
        self.ini()
        self.conftest(CONFTEST.format(here=str(HERE)))

    def ini(self, *lines):
        (self.path / "tox.ini").write_text("\n".join(["[pytest]", *lines, ""]))

    def conftest(self, text, folder="."):
        (self.path / folder / "conftest.py").write_text(text)

    def task(self, name, *, folder="tasks", more="", f1=1.0, paths=(), **fake):
        """Add a task package that the fake pipeline scores as told."""
        place = self.path / folder / name
        place.mkdir(parents=True)
        (place / "task.toml").write_text(MANIFEST.format(id=name, more=more))
        (place / "instruction.md").write_text("Find the companies.\n")
        rows = [path._asdict() for path in paths]
        (place / "fake.json").write_text(json.dumps({"f1": f1, "paths": rows, **fake}))
        return place

    def args(self, *args, system="mine"):
        plugin = () if INSTALLED else ("-p", "pytest_wandr.plugin", "-W", REWRITE)
        tested = () if system is None else (f"--wandr-system={system}",)
        others = () if self.asyncio else ("-p", "no:asyncio")
        return (*plugin, *others, *tested, *map(str, args))

    def run(self, *args, system="mine"):
        """In this process."""
        given = self.args(*args, system=system)
        return self.pytester.runpytest_inprocess(*given, no_reraise_ctrlc=True)

    def run_apart(self, *args, system="mine", env=None):
        """In a process of its own: for workers, and for what must not be loaded already."""
        command = [sys.executable, "-m", "pytest", *self.args(*args, system=system)]
        inherited = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
        done = subprocess.run(
            command,
            cwd=self.path,
            env={**inherited, "COLUMNS": "100", **(env or {})},
            capture_output=True,
            text=True,
            check=False,
        )
        return pytest.RunResult(done.returncode, done.stdout.splitlines(), done.stderr.splitlines(), 0.0)

    def reports(self, *args, system="mine"):
        recorder = self.pytester.inline_run(*self.args(*args, system=system))
        return recorder.getreports("pytest_runtest_logreport")

    def out(self, system="mine"):
        return self.path / ".wandr" / system

    def score_bytes(self, system="mine"):
        return (self.out(system) / "scores.json").read_bytes()

    def scores(self, system="mine"):
        return json.loads(self.score_bytes(system))
