"""Whole runs with a judge that is paid: equal bytes for any workers, and a key that stays secret."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from pytest_wandr.testing import StandIn
from tests.judges.wandr_demo import Project, spec

NAMES = ("recall_three_sources", "listed_issuers")
KEY = "wk-Zq81mVt0rNpX4cLb92Hs6y"
LOUD = ("-vv", "-l", "-rA", "--log-file=log.txt", "--log-file-level=DEBUG", "--junitxml=junit.xml")


def _may_be_interrupted():
    """Whoever runs these tests in the background of a shell has made all of them deaf to an interrupt."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Repository(Project):
    """A project that pytest is run in."""

    def fill(self, standin, *, names=NAMES, conftest="", **config):
        for name in names:
            self.add(name)
        self.configure("[tool.pytest]\n" + standin.config(key_env="WANDR_TEST_KEY", **config))
        (self.root / "conftest.py").write_text(conftest)
        return self

    def start(self, *args, key=KEY):
        command = [sys.executable, "-m", "pytest", "-p", "no:asyncio", "-p", "no:hypothesispytest"]
        command += ["--wandr-system=oracle-noisy", "--wandr-judge=llm", "--wandr-out=out", *args]
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        env = {**inherited, "WANDR_TEST_KEY": key}
        with (self.root / "stdout.txt").open("w") as out, (self.root / "stderr.txt").open("w") as err:
            return subprocess.Popen(
                command, cwd=self.root, env=env, stdout=out, stderr=err,
                preexec_fn=_may_be_interrupted,  # noqa: PLW1509 -- nothing but a signal is set
            )  # fmt: skip

    def run(self, *args, key=KEY):
        """The exit status and everything that was printed."""
        status = self.start(*args, key=key).wait(timeout=120)
        return status, (self.root / "stdout.txt").read_text() + (self.root / "stderr.txt").read_text()

    def bytes_of(self, folder):
        paths = sorted(path for path in (self.root / folder).rglob("*") if path.is_file())
        return {
            str(path.relative_to(self.root)): path.read_bytes() for path in paths if path.name != "spend.json"
        }


def leaks(root, key=KEY):
    """Files that hold the key or its beginning."""
    needles = [text.encode() for text in (key, key[:12])]
    files = [path for path in root.rglob("*") if path.is_file()]
    assert len(files) > 10
    return [str(path) for path in files if any(each in path.read_bytes() for each in needles)]


@pytest.fixture(scope="module")
def standin():
    with StandIn(map(spec, NAMES), key=KEY) as running:
        yield running


@pytest.fixture(scope="module")
def two_workers(standin, tmp_path_factory):
    """A first run, with two workers and as much output as there can be."""
    repository = Repository(tmp_path_factory.mktemp("two")).fill(standin)
    standin.forget()
    status, text = repository.run("-n2", *LOUD)
    assert "2 passed" in text, text
    assert status == 0
    return repository, standin.count, text


def test_a_second_run_makes_no_call_and_writes_the_same_bytes(two_workers, standin):
    repository, calls, _ = two_workers
    before = {**repository.bytes_of("out"), **repository.bytes_of("cassettes")}
    standin.forget()
    status, text = repository.run("-n0")
    assert status == 0, text
    assert (calls > 50, standin.count) == (True, 0)
    assert {**repository.bytes_of("out"), **repository.bytes_of("cassettes")} == before


def test_one_process_writes_what_two_workers_write(two_workers, standin, tmp_path):
    repository, calls, _ = two_workers
    alone = Repository(tmp_path).fill(standin)
    standin.forget()
    status, text = alone.run("-n0")
    assert status == 0, text
    assert standin.count == calls
    assert alone.bytes_of("out") == repository.bytes_of("out")
    assert alone.bytes_of("cassettes") == repository.bytes_of("cassettes")


def amid_a_call(root):
    """The process with most calls that are reserved and not settled."""
    open_calls = {}
    for line in (root / "out/.judge-run/ledger.jsonl").read_text().splitlines():
        row = json.loads(line)
        if "reserve" in row:
            open_calls[row["reserve"]] = row["pid"]
        else:
            open_calls.pop(row.get("settle", row.get("cancel")), None)
    return Counter(open_calls.values()).most_common(1)[0][0]


def test_two_workers_make_at_most_100_calls_when_one_is_killed_amid_its_calls(tmp_path):
    names = ("ceo_cfo_appointments", "town_fees_double_proof", "town_service_fees")
    with StandIn(map(spec, names), mode="slow", delay=0.3) as slow:
        repository = Repository(tmp_path).fill(slow, names=names, concurrency=8)
        running = repository.start("-n2", "--wandr-budget=100calls")
        while slow.count < 30:
            assert running.poll() is None
            time.sleep(0.01)
        os.kill(amid_a_call(tmp_path), signal.SIGKILL)
        assert running.wait(timeout=240) == 1
        text = (tmp_path / "stdout.txt").read_text()
        spent = json.loads((tmp_path / "out/spend.json").read_text())
        scores = json.loads((tmp_path / "out/scores.json").read_text())
        assert 90 <= slow.count <= 100
    assert spent["calls"] == 100
    assert spent["unknown"] >= max(1, 100 - slow.count)  # what was never settled counts
    assert "judge: 100 of 100 calls" in text
    assert len(scores["unscored"]) == 1
    assert any(task["incomplete"] for task in scores["tasks"])
    assert "no_budget" in "".join(path.read_text() for path in (tmp_path / "out").glob("*/verdicts.jsonl"))


class TestKey:
    def test_it_is_sent_and_appears_nowhere(self, two_workers):
        repository, calls, text = two_workers
        assert calls
        assert "DEBUG" in (repository.root / "log.txt").read_text()
        assert leaks(repository.root) == []
        assert KEY[:12] not in text

    def test_a_crash_within_the_client_shows_no_locals_with_it(self, standin, tmp_path):
        crash = (
            "import h11\n"
            "def pytest_configure(config):\n"
            "    def send(self, event):\n"
            "        raise RuntimeError('the wire broke')\n"
            "    h11.Connection.send_with_data_passthrough = h11.Connection.send = send\n"
        )
        repository = Repository(tmp_path).fill(standin, names=["recall_three_sources"], conftest=crash)
        status, text = repository.run("-n0", *LOUD, "--full-trace")
        assert status == 1
        assert "the wire broke" in text
        assert leaks(repository.root) == []

    def test_an_interrupted_run_shows_no_locals_with_it(self, tmp_path):
        with StandIn([spec("recall_three_sources")], mode="slow", delay=60, key=KEY) as slow:
            repository = Repository(tmp_path).fill(slow, names=["recall_three_sources"])
            running = repository.start("-n0", *LOUD, "--full-trace")
            while not slow.count:
                assert running.poll() is None
                time.sleep(0.02)
            running.send_signal(signal.SIGINT)
            assert running.wait(timeout=240) == pytest.ExitCode.INTERRUPTED
        assert "KeyboardInterrupt" in (tmp_path / "stdout.txt").read_text()
        assert leaks(tmp_path) == []
