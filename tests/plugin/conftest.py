"""Projects with task packages in them, run by pytest inside pytest."""

import importlib
import importlib.metadata
import json
import os
import pkgutil
import sys
from pathlib import Path

import pytest

from pytest_wandr import reports

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # so that tests and inner runs share one wandr_fakes
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


@pytest.fixture(scope="session", autouse=True)
def _all_modules_are_loaded_once():
    """Inner runs drop the modules they import; a class that exists twice breaks isinstance."""
    for name in ("plugin", "hookspecs", "items", "pipeline", "systems.function", "judges"):
        importlib.import_module(f"pytest_wandr.{name}")
    for module in pkgutil.iter_modules(reports.__path__, "pytest_wandr.reports."):
        importlib.import_module(module.name)


class Project:
    """A repository with an agent in it."""

    asyncio = False

    def __init__(self, pytester):
        self.pytester = pytester
        self.path = pytester.path
        pytester.makeini("[pytest]\n")
        pytester.makeconftest(CONFTEST.format(here=str(HERE)))

    def task(self, name, *, folder="tasks", more="", f1=1.0, paths=(), **fake):
        """Add a task package that the fake pipeline scores as told."""
        place = self.path / folder / name
        place.mkdir(parents=True)
        (place / "task.toml").write_text(MANIFEST.format(id=name, more=more))
        (place / "instruction.md").write_text("Find the companies.\n")
        rows = [path.model_dump() for path in paths]
        (place / "fake.json").write_text(json.dumps({"f1": f1, "paths": rows, **fake}))
        return place

    def ini(self, *lines):
        (self.path / "tox.ini").unlink(missing_ok=True)
        self.pytester.makeini("\n".join(["[pytest]", *lines, ""]))

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
        for name, value in (env or {}).items():
            self.pytester._monkeypatch.setenv(name, value)
        return self.pytester.runpytest_subprocess(*self.args(*args, system=system))

    def reports(self, *args, system="mine"):
        recorder = self.pytester.inline_run(*self.args(*args, system=system))
        return recorder.getreports("pytest_runtest_logreport")

    def out(self, system="mine"):
        return self.path / ".wandr" / system

    def score_bytes(self, system="mine"):
        return (self.out(system) / "scores.json").read_bytes()

    def scores(self, system="mine"):
        return json.loads(self.score_bytes(system))


@pytest.fixture
def project(pytester, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    for name in list(os.environ):
        if name.startswith("PYTEST_XDIST"):
            monkeypatch.delenv(name)
    return Project(pytester)
