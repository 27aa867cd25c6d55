"""Two runs at once: the second is refused where the first writes, and nowhere else. With real processes."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks import kill_soak

GATE = """

import time
_solve = solve


def solve(task, ctx):
    log("begun", task.id)
    while (HERE / "gate").exists() and os.environ.get("WAITS") == task.id:
        time.sleep(0.01)
    return _solve(task, ctx)
"""


WANDR = "import sys; from pytest_wandr.cli import main; sys.exit(main())"


class Runs:
    """A project whose agent waits in front of a gate, when its run is told to."""

    def __init__(self, project):
        self.project = project
        self.folder = project.folder
        self.started = []
        with (self.folder / "conftest.py").open("a") as conftest:
            conftest.write(GATE)

    def start(self, *args, waits=""):
        command = [sys.executable, "-m", "pytest", *kill_soak._plugin(), "--wandr-system=mine"]
        process = subprocess.Popen(
            [*command, "--wandr-judge=asked", *args],
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=kill_soak._environment({"WAITS": waits}), start_new_session=True,
        )  # fmt: skip
        self.started.append(process)
        return process

    def run(self, *args):
        process = self.start(*args)
        said, _ = process.communicate(timeout=300)
        return process.returncode, said

    def waiting(self, *args, task="amber"):
        """A run that waits within a task, while it writes there."""
        (self.folder / "gate").touch()
        process = self.start(*args, waits=task)
        deadline = time.monotonic() + 120
        while f"begun {task}" not in self.project.log() and time.monotonic() < deadline:
            assert process.poll() is None, process.communicate()[0]
            time.sleep(0.02)
        return process

    def end(self, process):
        (self.folder / "gate").unlink()
        process.communicate(timeout=300)
        return process.returncode

    def close(self):
        for process in self.started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()


@pytest.fixture
def runs(tmp_path):
    runs = Runs(kill_soak.build(tmp_path / "project"))
    yield runs
    runs.close()


def files(folder):
    return {path: path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()}


@pytest.mark.parametrize("how", ["-n0", "-n2"])
def test_a_second_run_into_one_output_folder_is_refused_and_changes_nothing(runs, how):
    first = runs.waiting("-n0", "--wandr-record=new")
    before = files(runs.project.out)
    status, said = runs.run(how)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert said.count(f"in use: process {first.pid} writes there") == 1
    assert str(runs.project.out) in said
    assert "or write elsewhere with --wandr-out" in said
    assert "Traceback" not in said
    assert "INTERNALERROR" not in said
    assert files(runs.project.out) == before
    assert runs.end(first) == 0
    assert not (runs.project.out / ".lock").exists()
    assert (runs.project.out / "scores.json").exists()


def test_a_killed_run_locks_nobody_out(runs):
    first = runs.waiting("-n0", "--wandr-record=new")
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    (runs.folder / "gate").unlink()
    status, said = runs.run("-n0", "--wandr-record=new", "--wandr-resume")
    assert status == 0, said
    assert list(runs.folder.rglob(".lock")) == []


def test_a_task_is_recorded_by_one_run_at_a_time_and_the_others_go_on(runs):
    first = runs.waiting("-n0", "--wandr-record=new")
    status, said = runs.run("-n0", "--wandr-record=new", "--wandr-out=other")
    assert status == pytest.ExitCode.TESTS_FAILED
    assert f"cassettes/amber is in use: process {first.pid} writes there" in said
    assert "or record elsewhere with --wandr-cassettes" in said
    assert "2 of 3 scored" in said
    assert runs.end(first) == 0
    status, said = runs.run("-n0", "--wandr-record=new", "--wandr-out=other")
    assert status == 0, said


def test_reading_a_recording_needs_no_lock(runs):
    first = runs.waiting("-n0", "--wandr-record=new")
    _, said = runs.run("-n0", "--wandr-out=other")
    assert "3 of 3 scored" in said
    assert "in use" not in said
    assert runs.end(first) == 0


def test_shards_record_into_one_folder_at_once(runs):
    options = ("-n0", "--wandr-record=new")
    first = runs.waiting(*options, "--wandr-shard=1/2", "--wandr-out=one", task=shard(1)[0])
    status, said = runs.run(*options, "--wandr-shard=2/2", "--wandr-out=two")
    assert status == 0, said
    assert runs.end(first) == 0


def shard(number):
    from pytest_wandr.reports.shards import Shard, members

    return sorted(members(kill_soak.TASKS, Shard(number, 2)))


def test_by_hand_nothing_is_changed_under_a_run_that_records(runs):
    first = runs.waiting("-n0", "--wandr-record=new")
    for action in ("fold", "gc"):
        done = subprocess.run(
            [sys.executable, "-c", WANDR, "cassette", action, "cassettes/amber"],
            cwd=runs.folder, env=kill_soak._environment({}), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1, done
        assert f"in use: process {first.pid}" in done.stderr
    assert runs.end(first) == 0
