"""Answers that were paid for: kept durably, found again, folded by many processes, lost by none."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.errors import CannotWrite, CassetteError
from pytest_wandr.judges.llm.answers import FILE, JOURNAL, Answers, answer_key
from pytest_wandr.judges.llm.exchange import Prompt, Said, Usage

PROMPT = Prompt(name="n", system="s", document="{}", schema={"type": "object"}, max_tokens=10)
IDENTITY = {"protocol": "fake", "model": "m", "options": {"temperature": 0}}
KEY = answer_key(IDENTITY, PROMPT)
OTHER = answer_key(IDENTITY, PROMPT, 1)
SAID = Said('{"a": "é\u2028"}', "m-1", Usage(10, 2, 5))


def test_an_answer_is_there_at_once_and_after_a_fold(tmp_path):
    answers = Answers(tmp_path)
    assert answers.get(KEY) is None
    answers.put(KEY, SAID)
    assert Answers(tmp_path).get(KEY) == SAID  # before it is folded: another process sees it
    answers.close()
    assert Answers(tmp_path).get(KEY) == SAID
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_what_is_unknown_stays_unknown(tmp_path):
    answers = Answers(tmp_path)
    answers.put(KEY, Said("x"))
    answers.close()
    assert Answers(tmp_path).get(KEY) == Said("x", "", None)


def test_nothing_new_writes_nothing(tmp_path):
    Answers(tmp_path / "absent").close()
    assert not (tmp_path / "absent").exists()


def test_the_file_does_not_depend_on_the_order_of_answers(tmp_path):
    for folder, keys in (("a", [KEY, OTHER]), ("b", [OTHER, KEY])):
        answers = Answers(tmp_path / folder)
        for key in keys:
            answers.put(key, SAID)
        answers.close()
    assert (tmp_path / "a" / FILE).read_bytes() == (tmp_path / "b" / FILE).read_bytes()


def test_what_was_stored_first_stays(tmp_path):
    for text in ("first", "second"):
        answers = Answers(tmp_path)
        answers.put(KEY, Said(text))
        answers.close()
    assert Answers(tmp_path).get(KEY) == Said("first")


def test_it_can_be_written_again_after_a_fold(tmp_path):
    answers = Answers(tmp_path)
    for key in (KEY, OTHER):
        answers.put(key, SAID)
        answers.close()
    assert len(Answers(tmp_path)) == 2


@given(st.text(st.characters(codec=None)), st.text(st.characters(codec=None)))
def test_any_text_survives(tmp_path_factory, text, model):
    folder = tmp_path_factory.mktemp("answers")
    answers = Answers(folder)
    answers.put(KEY, Said(text, model))
    answers.close()
    assert Answers(folder).get(KEY) == Said(text, model)
    assert (folder / FILE).read_bytes().count(b"\n") == 1


# The key holds all that can change an answer, and nothing else.


def test_every_part_of_a_prompt_and_of_a_model_is_in_the_key():
    keys = {
        KEY,
        OTHER,
        *(
            answer_key(IDENTITY, replace(PROMPT, **change))
            for change in (
                {"name": "o"},
                {"system": "t"},
                {"document": "{ }"},
                {"schema": {"type": "array"}},
                {"max_tokens": 11},
            )
        ),
        *(
            answer_key(IDENTITY | change, PROMPT)
            for change in (
                {"protocol": "p"},
                {"model": "m2"},
                {"options": {"temperature": 1}},
                {"options": {}},
                {"host": "h"},
            )
        ),
    }
    assert len(keys) == 12


def test_the_order_of_names_in_an_identity_is_not_in_the_key():
    assert answer_key(dict(reversed(IDENTITY.items())), PROMPT) == KEY


# Damage, secrets, full disks.


def test_a_torn_last_line_costs_that_answer_alone(tmp_path):
    answers = Answers(tmp_path)
    answers.put(KEY, SAID)
    answers.put(OTHER, SAID)
    (journal,) = (tmp_path / JOURNAL).iterdir()
    journal.write_bytes(journal.read_bytes()[:-30])
    again = Answers(tmp_path)
    assert again.get(KEY) == SAID
    assert again.get(OTHER) is None


def test_a_line_torn_behind_a_brace_of_its_text_poisons_nothing(tmp_path):
    answers = Answers(tmp_path / "whole")
    answers.put(KEY, Said('{"records":[{"id":"r1"},{}]}', "m"))
    (journal,) = (tmp_path / "whole" / JOURNAL).iterdir()
    line = journal.read_bytes()
    cuts = [at for at in range(len(line) - 2) if line[:at].endswith(b"}")]
    assert len(cuts) >= 3
    for cut in cuts:
        torn = tmp_path / str(cut)
        (torn / JOURNAL).mkdir(parents=True)
        (torn / JOURNAL / "0").write_bytes(line[:cut])
        answers = Answers(torn)
        assert answers.get(KEY) is None
        answers.put(OTHER, SAID)
        answers.close()
        again = Answers(torn)
        assert (again.get(KEY), again.get(OTHER)) == (None, SAID)


def test_a_line_behind_a_torn_one_is_whole(tmp_path):
    (tmp_path / JOURNAL).mkdir()
    (tmp_path / JOURNAL / "0").write_bytes(b'{"key":"' + KEY.encode() + b'","mod')
    answers = Answers(tmp_path)
    answers.put(OTHER, SAID)
    answers.close()
    again = Answers(tmp_path)
    assert (again.get(KEY), again.get(OTHER)) == (None, SAID)


@pytest.mark.parametrize("line", ["no json", '{"key":"short"}', "{}", ""])
def test_a_damaged_file_is_an_error_that_says_what_to_do(tmp_path, line):
    (tmp_path / FILE).write_text(f"{line}\n")
    with pytest.raises(CassetteError, match=r"answers\.jsonl:1: no answer. Restore the file"):
        Answers(tmp_path)


def test_a_damaged_answer_is_an_error_when_it_is_needed(tmp_path):
    (tmp_path / FILE).write_text(f'{{"key":"{KEY}","text":1}}\n')
    answers = Answers(tmp_path)
    with pytest.raises(CassetteError, match="is damaged"):
        answers.get(KEY)


def test_a_secret_is_never_stored(tmp_path, monkeypatch):
    monkeypatch.setenv("JUDGE_API_KEY", "sk-planted-0123456789")
    answers = Answers(tmp_path)
    with pytest.raises(CassetteError, match="JUDGE_API_KEY") as caught:
        answers.put(KEY, Said("the key is sk-planted-0123456789"))
    assert "planted" not in str(caught.value)
    answers.close()
    assert not list(tmp_path.rglob("*.jsonl"))
    assert not any(b"planted" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_a_full_disk_is_an_error_and_what_was_kept_stays(tmp_path, monkeypatch):
    answers = Answers(tmp_path)
    answers.put(KEY, SAID)
    real = os.write

    def full(handle, data):
        real(handle, data[:5])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(CannotWrite, match="No space left"):
        answers.put(OTHER, SAID)
    monkeypatch.undo()
    answers.put(OTHER, SAID)
    answers.close()
    assert len(Answers(tmp_path)) == 2


# Several processes.

_CHILD = """
import sys, time
from pathlib import Path
from pytest_wandr.judges.llm.answers import Answers, answer_key
from pytest_wandr.judges.llm.exchange import Prompt, Said

folder, name, count, then = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
for at in range(count):
    if at % 5 == 0:
        answers = Answers(folder)
    document = f"{name}-{at}"
    key = answer_key({}, Prompt("n", "s", document, {}, 1))
    answers.put(key, Said(document))
    if at % 5 == 4 and then == "fold":
        answers.close()
if then == "hang":
    print("written", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def child():
    """Starts processes, and leaves none behind."""
    running = []

    def start(folder, name, count, then):
        command = [sys.executable, "-c", _CHILD, str(folder), name, str(count), then]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        return running[-1]

    yield start
    for process in running:
        process.kill()
        process.wait()
        process.stdout.close()


def texts(folder):
    return sorted(json.loads(line)["text"] for line in (folder / FILE).read_bytes().splitlines())


def test_processes_that_fold_at_the_same_time_lose_nothing(tmp_path, child):
    running = [child(tmp_path, name, 50, "fold") for name in "abcd"]
    assert [process.wait(60) for process in running] == [0] * 4
    assert texts(tmp_path) == sorted(f"{name}-{at}" for name in "abcd" for at in range(50))
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_what_a_killed_process_paid_for_is_kept(tmp_path, child):
    hanging = child(tmp_path, "a", 5, "hang")
    assert hanging.stdout.readline() == "written\n"
    mine = Answers(tmp_path)
    mine.put(KEY, SAID)
    mine.close()
    assert len(texts(tmp_path)) == 1  # those of a living process stay with it
    assert len(Answers(tmp_path)) == 6
    hanging.send_signal(signal.SIGKILL)
    hanging.wait()
    assert len(Answers(tmp_path)) == 6
    after = Answers(tmp_path)
    after.close()
    assert len(texts(tmp_path)) == 6
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
