"""A file is written whole or not at all, and an error names it."""

import errno
import hashlib
import os

import pytest

from pytest_wandr.cassettes.entry import Entry
from pytest_wandr.cassettes.journal import Journal, read_journal
from pytest_wandr.errors import CannotWrite
from pytest_wandr.markers import read_marker, write_pieces, write_whole, writing


def refuse(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_cannot_be_written_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, call):
    path = tmp_path / "scores.json"
    write_whole(path, b"old", durable=True)
    owner = os if call == "fsync" else type(path)
    monkeypatch.setattr(owner, call, refuse)
    with pytest.raises(CannotWrite) as refused:
        write_whole(path, b"new", durable=True)
    assert str(refused.value).startswith(
        f"{path} cannot be written: No space left on device. What it was to hold"
    )
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("number", "cure"),
    [(errno.ENOSPC, "Make room"), (errno.EFBIG, "Make room"),
     (errno.EACCES, "Make it writable for this user"), (errno.EROFS, "Make it writable for this user"),
     (errno.EIO, "See to that")],
)  # fmt: skip
def test_an_error_says_what_to_do(tmp_path, number, cure):
    with (
        pytest.raises(CannotWrite, match=rf"place\. {cure}.*, then go on with --wandr-resume"),
        writing(tmp_path),
    ):
        raise OSError(number, os.strerror(number))


def test_pieces_are_written_as_the_whole_would_be_and_vouched_for(tmp_path):
    pieces = [b"one\n", b"", b"two\n"]
    digest = write_pieces(tmp_path / "new" / "a.jsonl", iter(pieces))
    assert (tmp_path / "new" / "a.jsonl").read_bytes() == b"one\ntwo\n"
    assert digest == hashlib.sha256(b"one\ntwo\n").hexdigest()


def test_pieces_that_end_in_an_error_leave_the_old_file(tmp_path):
    def broken():
        yield b"half of it"
        raise ZeroDivisionError

    write_whole(tmp_path / "a.jsonl", b"old")
    with pytest.raises(ZeroDivisionError):
        write_pieces(tmp_path / "a.jsonl", broken())
    assert (tmp_path / "a.jsonl").read_bytes() == b"old"


def test_where_no_folder_can_be_made_the_file_is_named_too(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CannotWrite, match=r"a\.json cannot be written: File exists"):
        write_whole(tmp_path / "file" / "a.json", b"")


def test_other_errors_pass_as_they_are(tmp_path):
    with pytest.raises(ZeroDivisionError), writing(tmp_path):
        raise ZeroDivisionError


@pytest.mark.parametrize("room", [0, 1, 20])
def test_a_journal_takes_a_line_or_nothing_of_it(tmp_path, monkeypatch, room):
    journal = Journal(tmp_path / "journal" / "main.jsonl")
    first, second = (Entry.of(f"https://wire.example/{at}", status=200) for at in "ab")
    journal.append(first)
    real, left = os.write, [room]

    def little(handle, data):
        taken = bytes(data[: left[0]])
        left[0] -= len(taken)
        return real(handle, taken) if taken else refuse()

    monkeypatch.setattr(os, "write", little)
    with pytest.raises(CannotWrite, match=r"main\.jsonl cannot be written: No space left"):
        journal.append(second)
    monkeypatch.undo()
    assert read_journal(tmp_path / "journal" / "main.jsonl") == ([first], [])
    journal.append(second)
    journal.close()
    assert read_journal(tmp_path / "journal" / "main.jsonl") == ([first, second], [])


def test_a_journal_writes_on_when_little_is_taken_at_a_time(tmp_path, monkeypatch):
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:7]))
    journal = Journal(tmp_path / "main.jsonl")
    entry = Entry.of("https://wire.example/a", status=200)
    journal.append(entry)
    journal.close()
    assert read_journal(tmp_path / "main.jsonl") == ([entry], [])


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, None])
def test_a_marker_that_is_none_is_torn_whatever_it_is(tmp_path, body):
    path = tmp_path / "rail" / "complete.json"
    path.mkdir(parents=True)
    if body is not None:
        path.rmdir()
        path.write_bytes(body)
    assert read_marker(path) == (None, "rail/complete.json is torn, so it is not used")
