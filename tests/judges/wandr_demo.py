"""The demo tasks with a judge that must be asked: copies without decisive checks, and how to run them."""

import asyncio
import shutil
from dataclasses import dataclass
from pathlib import Path

from pytest_wandr import judges
from pytest_wandr.judges import Setup
from pytest_wandr.judges.rules import Rules
from pytest_wandr.pipeline import RunSettings, evaluate
from pytest_wandr.systems import resolve as system_named
from pytest_wandr.task import load_task

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = sorted(path.parent for path in (ROOT / "tasks").glob("*/task.toml"))
NAMES = [folder.name for folder in FOLDERS]
PROTOCOLS = ("openai-chat", "openai-responses", "anthropic")


def spec(name):
    """A demo task as it is, with checks that decide: the truth."""
    return load_task(ROOT / "tasks" / name)


@dataclass(frozen=True)
class Project:
    """A folder with tasks whose checks decide nothing, their recordings, and a judge's configuration."""

    root: Path

    @property
    def cassettes(self):
        return self.root / "cassettes"

    @property
    def out(self):
        return self.root / "out"

    def add(self, name):
        folder = self.root / "tasks" / name
        shutil.copytree(ROOT / "tasks" / name, folder)
        shutil.copytree(ROOT / "cassettes" / name, self.cassettes / name)
        self.change(folder / "task.toml", "decisive = true", "decisive = false")
        return folder

    def change(self, file, old, new):
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{old!r} is not in {path}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def configure(self, text):
        self.root.mkdir(parents=True, exist_ok=True)
        (self.root / "pyproject.toml").write_text(text, encoding="utf-8")

    def judge(self, name="llm", budget=""):
        setup = Setup(
            rootdir=self.root, cassettes=self.cassettes, run=self.root / "out" / ".judge-run", budget=budget
        )
        return judges.resolve(name, setup)

    def evaluate(self, name, judge=None, *, system="oracle-noisy"):
        return run(self.root / "tasks" / name, judge or self.judge(), self.cassettes, self.out, system=system)


def run(folder, judge, cassettes, out, *, system="oracle-noisy"):
    settings = RunSettings(system_name=str(system), out=out, cassettes=cassettes)
    asked = system_named(system, rootdir=ROOT) if isinstance(system, str) else system
    return asyncio.run(evaluate(folder, system=asked, judge=judge, settings=settings))


def truth(name, tmp_path):
    """The original task, judged by its checks alone."""
    return run(ROOT / "tasks" / name, Rules(), ROOT / "cassettes", tmp_path / "truth")


def parts_of(verdict):
    """Every part of a verdict by name, those of its requirements too."""
    found = dict(verdict.parts())
    for each in verdict.requirements:
        found[f"{each.id} satisfied"] = each.satisfied
        found[f"{each.id} supported"] = each.supported
    return found


def undecided_codes(evaluation):
    """The codes of all that is undecided of records that a judge was asked about."""
    parts = [part for verdict in evaluation.verdicts for part in parts_of(verdict).values()]
    return {part.code for part in parts if part.value is None} - {"not_asked"}
