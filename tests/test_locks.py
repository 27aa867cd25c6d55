"""One writer at a time, and never a lock that outlives its owner. The other process is a real one."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_wandr.errors import CannotWrite, InUse
from pytest_wandr.locks import LOCK, Claims, FolderLock, briefly, locked

ROOT = Path(__file__).resolve().parent.parent
HOLD = """
import sys
from pathlib import Path
from pytest_wandr.locks import FolderLock
FolderLock(Path(sys.argv[1])).take()
print("taken", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "out"


@pytest.fixture
def other(folder):
    """Another process that has the lock of the folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout.readline() == b"taken\n"
    yield process
    process.kill()
    process.communicate()


def test_the_second_writer_is_told_who_the_first_is(folder, other):
    with pytest.raises(InUse) as refused:
        FolderLock(folder, ", or write elsewhere with --wandr-out").take()
    assert str(refused.value) == (
        f"{folder} is in use: process {other.pid} writes there at this moment. "
        "Wait for it, or end it, or write elsewhere with --wandr-out."
    )


def test_a_killed_owner_locks_nobody_out(folder, other):
    os.kill(other.pid, signal.SIGKILL)
    other.wait()
    assert (folder / LOCK).exists()
    with locked(folder):
        assert (folder / LOCK).read_text() == f"{os.getpid()}\n"
    assert not (folder / LOCK).exists()


def test_whoever_is_refused_takes_nothing_from_the_owner(folder, other):
    for _ in range(3):
        with pytest.raises(InUse, match=str(other.pid)):
            FolderLock(folder).take()
    other.communicate()
    with locked(folder):
        pass


def test_a_lock_leaves_nothing_behind_and_can_be_taken_again(folder):
    for _ in range(2):
        with locked(folder):
            assert folder.is_dir()
            with pytest.raises(InUse), locked(folder):
                pass
        assert not folder.exists()


def test_what_was_written_meanwhile_stays(folder):
    lock = FolderLock(folder)
    lock.take()
    (folder / "page").write_text("")
    lock.release()
    lock.release()
    assert [path.name for path in folder.iterdir()] == ["page"]


def test_a_lock_is_given_back_when_something_is_raised(folder):
    with pytest.raises(ZeroDivisionError), locked(folder):
        1 / 0  # noqa: B018
    with locked(folder):
        pass


def test_a_file_that_its_last_owner_removed_is_no_lock(folder, monkeypatch):
    """Opened before the owner removed it, locked after: then another has the new file, perhaps."""
    real, opened = os.open, []

    def late(path, *args):
        opened.append(real(path, *args))
        if len(opened) == 1:
            Path(path).unlink()
        return opened[-1]

    monkeypatch.setattr(os, "open", late)
    with locked(folder):
        assert len(opened) == 2
        assert (folder / LOCK).read_text() == f"{os.getpid()}\n"


def test_where_nothing_can_be_written_the_file_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match=r"\.lock cannot be written: Not a directory"):
        FolderLock(tmp_path / "file" / "out").take()


QUEUE = """
import sys
from pathlib import Path
from pytest_wandr.locks import briefly
with briefly(Path(sys.argv[1])):
    print("in", flush=True)
    sys.stdin.read(1)
"""


def test_whoever_changes_a_file_briefly_waits_for_the_others(folder):
    command = [sys.executable, "-c", QUEUE, folder]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "cwd": ROOT}
    first = subprocess.Popen(command, **pipes)
    assert first.stdout.readline() == b"in\n"
    second = subprocess.Popen(command, **pipes)
    os.set_blocking(second.stdout.fileno(), False)
    try:
        for _ in range(20):  # while the first is in, the second is not
            assert second.stdout.read(1) is None
            time.sleep(0.05)
        first.send_signal(signal.SIGKILL)
        os.set_blocking(second.stdout.fileno(), True)
        assert second.stdout.readline() == b"in\n"
    finally:
        for process in (first, second):
            process.kill()
            process.communicate()
    with briefly(folder):
        pass
    assert list(folder.iterdir()) == []


def test_a_folder_that_vanishes_while_it_is_waited_for_is_made_again(folder, monkeypatch):
    whole = Path.mkdir

    def vanishing(path, *args, **more):
        whole(path, *args, **more)
        if not vanished:
            vanished.append(path)
            path.rmdir()
            raise FileExistsError(path)

    vanished = []
    monkeypatch.setattr(Path, "mkdir", vanishing)
    with briefly(folder):
        assert folder.is_dir()
    assert vanished == [folder]


def test_a_file_in_the_place_of_the_folder_is_an_error(folder):
    folder.write_text("")
    with pytest.raises(CannotWrite, match="out cannot be written"), briefly(folder):
        pass


CLAIM = """
import os, sys
from pytest_wandr.locks import Claims
claims = Claims(os.open(sys.argv[1], os.O_RDWR))
for line in sys.stdin:
    how, key = line.split()
    print(claims.take(key) if how == "take" else claims.give_back(key), flush=True)
"""
KEYS = ["0" * 32, "f" * 32, "00000000000000a" + "0" * 17]


class Claimant:
    """Another process that claims as it is told."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [sys.executable, "-c", CLAIM, path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip

    def told(self, how, key):
        self.process.stdin.write(f"{how} {key}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def kill(self):
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def claimed(tmp_path):
    """An open file of claims, and another process that claims in it."""
    path = tmp_path / "claims"
    path.touch()
    handle = os.open(path, os.O_RDWR)
    other = Claimant(path)
    yield Claims(handle), other
    other.kill()
    os.close(handle)


@pytest.mark.parametrize("key", KEYS)
def test_a_claim_keeps_others_from_that_key_alone(claimed, key):
    mine, other = claimed
    assert mine.take(key)
    assert other.told("take", key) == "False"
    assert [other.told("take", free) for free in KEYS if free != key] == ["True", "True"]
    assert [mine.take(free) for free in KEYS if free != key] == [False, False]
    mine.give_back(key)
    assert other.told("take", key) == "True"
    assert not mine.take(key)


def test_the_claims_of_a_killed_process_are_free(claimed):
    mine, other = claimed
    assert other.told("take", KEYS[0]) == "True"
    assert not mine.take(KEYS[0])
    other.kill()
    assert mine.take(KEYS[0])


def test_claims_take_no_room(claimed, tmp_path):
    mine, _ = claimed
    assert all(map(mine.take, KEYS))
    assert (tmp_path / "claims").stat().st_size == 0
