"""Whole runs of pytest that pay for a judge: the cap, what is told, what a kill leaves, where no key is."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_wandr.task import load_task
from pytest_wandr.testing import StandIn
from tests.judges.loopback import KEY

ROOT = Path(__file__).resolve().parents[2]
TASKS = ("recall_three_sources", "town_fees_double_proof")


class Runs:
    """A repository with demo tasks whose checks decide nothing, and the runs of pytest in it."""

    def __init__(self, folder):
        self.folder = folder
        self.add(TASKS[0])

    def add(self, *names):
        folder = self.folder
        for name in names:
            shutil.copytree(ROOT / "tasks" / name, folder / "tasks" / name)
            shutil.copytree(ROOT / "cassettes" / name, folder / "cassettes" / name)
            manifest = folder / "tasks" / name / "task.toml"
            manifest.write_text(manifest.read_text().replace("decisive = true", "decisive = false"))
            for stored in ("verdicts.jsonl", "answers.jsonl"):
                (folder / "cassettes" / name / stored).unlink(missing_ok=True)

    def configure(self, standin, **more):
        (self.folder / "pyproject.toml").write_text("[tool.pytest]\n" + standin.config(**more))

    def start(self, *args, **env):
        command = [sys.executable, "-m", "pytest", "--wandr-system=oracle", "--wandr-judge=llm"]
        command += ["-p", "no:cacheprovider", "-p", "no:asyncio", *args]
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env={**inherited, "COLUMNS": "160", **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, *args, **env):
        started = self.start(*args, **env)
        said, _ = started.communicate()
        return started.returncode, said

    @property
    def out(self):
        return self.folder / ".wandr" / "oracle"

    def spent(self):
        return json.loads((self.out / "spend.json").read_text())

    def results(self):
        return {
            str(path.relative_to(self.out)): path.read_bytes()
            for path in self.out.rglob("*")
            if path.is_file() and path.name not in ("spend.json", ".lock")
        }


@pytest.fixture
def runs(tmp_path):
    return Runs(tmp_path / "project")


def standing(**behaviour):
    return StandIn([load_task(ROOT / "tasks" / name) for name in TASKS], **behaviour)


def test_a_run_tells_what_it_may_spend_and_what_it_spent_and_the_next_one_spends_nothing(runs):
    with standing() as standin:
        runs.configure(standin)
        status, said = runs.run("--wandr-budget=5.00")
        assert status == 0, said
        spent, results, calls = runs.spent(), runs.results(), standin.count
        again, said_again = runs.run("--wandr-budget=5.00")
    assert "judge llm for at most $5.00, record none" in said
    assert spent["calls"] == calls > 0
    assert (spent["budget"], spent["unknown"]) == ("5.00", 0)
    found = re.search(
        r"^judge: (\d+) calls, .* tokens in, .* out, \$(\d\.\d\d) of \$5\.00$", said, re.MULTILINE
    )
    assert found, said
    assert int(found[1]) == calls
    assert not (runs.out / ".judge-run").exists()
    assert (again, standin.count, runs.results()) == (0, calls, results)
    assert "judge: " not in said_again
    assert not (runs.out / "spend.json").exists()


def test_two_workers_stop_together_at_the_cap_and_the_run_is_incomplete(runs):
    runs.add(TASKS[1])
    with standing() as standin:
        runs.configure(standin)
        status, said = runs.run("-n2", "--wandr-budget=9calls")
        first = standin.count
        assert (status, first, runs.spent()["calls"]) == (1, 9, 9), said
        assert "no_budget" in said
        assert "judge: 9 of 9 calls, " in said
        assert json.loads((runs.out / "scores.json").read_text())["incomplete"]
        status, said = runs.run("-n2")
    assert status == 0, said
    rest = runs.spent()["calls"]
    assert standin.count == first + rest
    assert "for at most" not in said


def killed(runs, standin, *args, after):
    """A run that is killed, with all its processes, once so many calls have arrived."""
    started = runs.start(*args)
    while standin.count < after and started.poll() is None:
        time.sleep(0.02)
    os.killpg(started.pid, signal.SIGKILL)
    said, _ = started.communicate()
    assert started.returncode == -signal.SIGKILL, said


def test_a_killed_run_goes_on_with_the_same_money(runs):
    runs.add(TASKS[1])
    with standing(mode="slow", delay=0.1) as standin:
        runs.configure(standin, concurrency=2)
        killed(runs, standin, "-n2", "--wandr-budget=12calls", after=5)
        first = standin.count
        assert (runs.out / ".judge-run").exists()
        standin.mode = "honest"
        _, said = runs.run("-n2", "--wandr-budget=12calls", "--wandr-resume")
        assert "continuing a run that did not end" in said
        assert runs.spent()["calls"] == 12
        assert standin.count <= 12
        assert standin.count > first


@pytest.mark.parametrize(
    ("args", "more", "words"),
    [
        (["--wandr-budget=lots"], {}, "--wandr-budget: 'lots' is no budget; write dollars"),
        (["--wandr-budget=5"], {"price": None}, "so a budget in dollars cannot be kept"),
        ([], {"key_env": "WANDR_TEST_NO_SUCH"}, "needs the environment variable WANDR_TEST_NO_SUCH"),
        ([], {"votes": 2}, "tool.wandr.judge.votes: 2 votes can be a tie"),
        (["-n2"], {"votes": 2}, "tool.wandr.judge.votes: 2 votes can be a tie"),
    ],
)
def test_what_cannot_be_kept_is_said_before_anything_is_asked(runs, args, more, words):
    with standing() as standin:
        runs.configure(standin, **{name: value for name, value in more.items() if value is not None})
        if more.get("price", 0) is None:
            config = runs.folder / "pyproject.toml"
            config.write_text(re.sub(r"price = .*\n", "", config.read_text()))
        status, said = runs.run(*args)
    assert (status, standin.count) == (4, 0), said
    assert words in said
    assert "Traceback" not in said
    assert not runs.out.exists()


@pytest.mark.parametrize(
    ("mode", "key"), [("honest", KEY), ("honest", "another-key-0123456789"), ("500", KEY), ("html", KEY)]
)
def test_the_key_is_in_no_output_and_in_no_file(runs, mode, key):
    with standing(mode=mode, key=key) as standin:
        runs.configure(standin, key_env="WANDR_TEST_JUDGE")
        args = [
            "--log-level=DEBUG",
            "-rA",
            "-vv",
            "--showlocals",
            "--junitxml=junit.xml",
            "--wandr-budget=200calls",
        ]
        status, said = runs.run(*args, "--log-file=log.txt", WANDR_TEST_JUDGE=KEY)
    assert status == (0 if (mode, key) == ("honest", KEY) else 1), said
    files = {path: path.read_bytes() for path in runs.folder.rglob("*") if path.is_file()}
    assert b"HTTP Request: POST" in files[runs.folder / "log.txt"]
    holding = [str(path) for path, body in files.items() if KEY[:12].encode() in body]
    assert (holding, KEY[:12] in said) == ([], False)


def test_a_judge_that_costs_nothing_is_not_mentioned(runs):
    status, said = runs.run("--wandr-judge=rules", "--wandr-budget=5.00")
    assert status == 1  # what needs a judge is undecided
    assert "judge: " not in said
    assert not (runs.out / "spend.json").exists()
    assert not (runs.out / ".judge-run").exists()
