"""What models said is looked after like verdicts: counted, checked, sorted, never dropped."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_wandr.cassettes import PageStore, pack
from pytest_wandr.cli import main
from pytest_wandr.errors import CassetteError
from pytest_wandr.judges.llm.answers import Answers
from pytest_wandr.judges.llm.exchange import Said, Usage
from pytest_wandr.lines import mended
from pytest_wandr.model import KeySpec, NameList, NamePair, NameVerdict, NodeSpec, RecordVerdict, TaskSpec
from pytest_wandr.naming import NameStore
from pytest_wandr.paid import check_paid, count_by_source, keep_sorted, sorted_lines
from pytest_wandr.verdicts import VerdictStore

KEYS = (KeySpec(name="company", kind="company", required=2), KeySpec(name="url", required=1))
FIRMS = TaskSpec(id="firms", nodes=(NodeSpec(name="main", keys=KEYS),))
FILES = ("answers.jsonl", "names.jsonl", "verdicts.jsonl")


def names(a, b):
    return NameList(
        node="main", key="company", kind="company", under=(), names=(a, b), pairs=(NamePair(a=a, b=b),)
    )


def say(folder, judge, *lists):
    store = NameStore(PageStore(folder, environment={}), judge)
    for each in lists:
        place = {"node": "main", "key": "company", "under": ()}
        store.put(
            FIRMS, each, [NameVerdict(**place, a=each.pairs[0].a, b=each.pairs[0].b, same=True, reason="so")]
        )
    store.save()


@pytest.fixture
def folder(tmp_path):
    """A recording without pages, with lines of all three kinds."""
    place = tmp_path / "firms"
    place.mkdir()
    (place / "index.jsonl").write_bytes(b"")
    answers = Answers(place)
    answers.put("a" * 64, Said('{"records":[]}', "quill-2", Usage(3, 2, 1)))
    answers.put("b" * 64, Said("no", "quill-2"))
    answers.put("c" * 64, Said("\ud800", ""))
    answers.close()
    say(place, "llm:b#1", names("Brassleaf", "Brass Leaf"), names("Oak", "Oak Foods"))
    say(place, "llm:a#1", names("Oak", "Oak Foods"))
    verdicts = VerdictStore(place / "verdicts.jsonl")
    verdicts.put("k", RecordVerdict.of(full=True))
    verdicts.save()
    return place


def opened(folder):
    return PageStore(folder, environment={})


def lines(folder, name):
    return (folder / name).read_bytes().splitlines(keepends=True)


def write(folder, name, found):
    (folder / name).write_bytes(b"".join(found))


def problems(folder, environment=None):
    return [each.replace(f"{folder}/", "") for each in check_paid(opened(folder), environment or {})]


def test_what_was_written_is_sound_and_counted(folder):
    assert problems(folder) == []
    assert sorted_lines(opened(folder)) == {}
    assert count_by_source(opened(folder)) == {
        "answers by a model that gave no name": 1,
        "answers by quill-2": 2,
        "lists of names by llm:a#1": 1,
        "lists of names by llm:b#1": 2,
    }


def test_ls_counts_all_three(folder, capsys):
    assert main(["cassette", "ls", str(folder)]) == 0
    out = capsys.readouterr().out.splitlines()
    assert "2 answers by quill-2" in out
    assert "2 lists of names by llm:b#1" in out
    assert any("1 verdicts by" in line for line in out)


@pytest.mark.parametrize(
    ("name", "what"), [("answers.jsonl", "no answer"), ("names.jsonl", "nothing that was said of names")]
)
def test_every_kind_of_damage_is_named_with_file_and_line(folder, name, what):
    first, second, third = lines(folder, name)
    broken = first.replace(b'"text":', b'"tixt":').replace(b'"said":', b'"sayd":')
    loose = third.replace(b'":"', b'": "', 1)
    write(folder, name, [second, first, first, b"{\n", b"\n", broken, loose, third[:-9]])
    found = problems(folder)
    assert found[:2] == [
        f"{name}:2: out of order; `wandr cassette gc` sorts the lines",
        f"{name}:3: the key of line 2 again; `wandr cassette gc` keeps the last",
    ]
    assert [each.split(": ")[0] for each in found[2:]] == [f"{name}:{n}" for n in (4, 5, 6, 7, 8, 8)]
    assert what in found[2]
    assert what in found[3]
    assert found[-1].endswith("the last line is torn: it does not end")


@pytest.mark.parametrize("name", FILES[:2])
def test_a_line_too_deep_to_be_read_is_damaged_too(folder, name):
    first = lines(folder, name)[0].rstrip(b"}\n")
    write(folder, name, [first + b',"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"])
    assert problems(folder)[0].startswith(f"{name}:1: ")


def test_a_secret_is_found_and_not_shown(folder):
    found = problems(folder, {"WANDR_TOKEN": "Oak Foods and more"})
    assert found == []
    write(
        folder, "answers.jsonl", [lines(folder, "answers.jsonl")[0].replace(b"quill-2", b"hunter2-hunter2")]
    )
    (found,) = problems(folder, {"WANDR_TOKEN": "hunter2-hunter2"})
    assert found.startswith(
        "answers.jsonl:1: the answer holds the value of the environment variable WANDR_TOKEN"
    )
    assert "hunter2" not in found


def test_check_and_gc_know_them_too(folder, capsys):
    before = {name: (folder / name).read_bytes() for name in FILES[:2]}
    for name in FILES[:2]:
        first, second, third = lines(folder, name)
        write(folder, name, [third, first, second, first])
    mixed = {name: (folder / name).read_bytes() for name in FILES[:2]}
    assert main(["cassette", "check", str(folder)]) == 1
    out = capsys.readouterr().out
    assert f"{folder}/answers.jsonl:4: the key of line 2 again" in out
    assert f"{folder}/names.jsonl:2: out of order" in out
    assert main(["cassette", "gc", "--dry-run", str(folder)]) == 0
    assert "answers.jsonl: its lines would be sorted, each key once" in capsys.readouterr().out
    assert {name: (folder / name).read_bytes() for name in FILES[:2]} == mixed
    assert main(["cassette", "gc", str(folder)]) == 0
    assert "names.jsonl: its lines were sorted, each key once" in capsys.readouterr().out
    assert {name: (folder / name).read_bytes() for name in FILES[:2]} == before
    assert main(["cassette", "gc", str(folder)]) == 0
    assert "sorted" not in capsys.readouterr().out
    assert main(["cassette", "check", str(folder)]) == 0


def test_gc_keeps_what_a_reader_finds_of_two_answers_with_one_key(folder):
    first = json.loads(lines(folder, "answers.jsonl")[0])
    other = json.dumps(first | {"text": "other"}, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    write(folder, "answers.jsonl", [*lines(folder, "answers.jsonl"), other])
    known = Answers(folder).get("a" * 64)
    keep_sorted(sorted_lines(opened(folder)))
    assert Answers(folder).get("a" * 64) == known
    assert known.text == "other"
    assert len(lines(folder, "answers.jsonl")) == 3


@pytest.mark.parametrize("name", FILES[:2])
def test_gc_touches_nothing_when_a_line_is_damaged(folder, name, capsys):
    first, second, third = lines(folder, name)
    write(folder, name, [third, first, second.replace(b"{", b"[", 1)])
    before = {each: (folder / each).read_bytes() for each in FILES}
    (folder / "blobs" / "aa").mkdir(parents=True)
    (folder / "blobs" / "aa" / "stray").write_bytes(b"x")
    assert main(["cassette", "gc", str(folder)]) == 1
    assert f"{name}:3: " in capsys.readouterr().err
    assert {each: (folder / each).read_bytes() for each in FILES} == before
    assert (folder / "blobs" / "aa" / "stray").exists()


def test_all_three_are_sealed_read_in_place_and_unpacked(folder, capsys):
    before = {name: (folder / name).read_bytes() for name in FILES}
    counts = count_by_source(opened(folder))
    pack(folder)
    shutil.rmtree(folder)
    store = opened(folder)
    assert count_by_source(store) == counts
    assert problems(folder) == []
    assert sorted_lines(store) == {}
    assert Answers(folder).get("b" * 64).text == "no"
    assert NameStore(store, "llm:a#1").get(FIRMS, names("Oak", "Oak Foods"))[0].same is True
    assert VerdictStore(folder / "verdicts.jsonl", store.sealed_verdicts).get("k") == RecordVerdict.of(
        full=True
    )
    assert main(["cassette", "ls", f"{folder}.zip"]) == 0
    assert "2 answers by quill-2" in capsys.readouterr().out
    assert not folder.exists()
    assert main(["cassette", "unpack", f"{folder}.zip"]) == 0
    assert {name: (folder / name).read_bytes() for name in FILES} == before


def test_damage_in_a_sealed_file_is_named_in_it(folder):
    write(folder, "names.jsonl", lines(folder, "names.jsonl")[::-1])
    pack(folder)
    shutil.rmtree(folder)
    assert problems(folder)[0].startswith(f"{folder}.zip/names.jsonl:2: out of order")


def test_what_is_added_to_sealed_lines_stands_beside_them(folder):
    pack(folder)
    shutil.rmtree(folder)
    answers = Answers(folder)
    answers.put("d" * 64, Said("more", "quill-3"))
    answers.close()
    say(folder, "llm:a#1", names("Elm", "Elm Foods"))
    counts = count_by_source(opened(folder))
    assert counts["answers by quill-2"] == 2
    assert counts["answers by quill-3"] == 1
    assert counts["lists of names by llm:a#1"] == 2
    pack(folder)
    shutil.rmtree(folder)
    assert count_by_source(opened(folder)) == counts


def test_a_line_that_cannot_be_read_is_named_with_its_number(tmp_path):
    def read(line):
        if line == b"x":
            raise CassetteError("no line")
        return (line.decode(),), ""

    assert mended(b"b\na\nb\n", tmp_path / "f", read) == b"a\nb\n"
    with pytest.raises(CassetteError, match="f:2: no line"):
        mended(b"b\nx\n", tmp_path / "f", read)


# -- two runs at once -----------------------------------------------------------------------------------

_CHILD = """
import sys
from pathlib import Path
from test_paid import names, say
from pytest_wandr.judges.llm.answers import Answers
from pytest_wandr.judges.llm.exchange import Said
from pytest_wandr.model import RecordVerdict
from pytest_wandr.verdicts import VerdictStore

folder, name = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
for at in range(25):
    verdicts = VerdictStore(folder / "verdicts.jsonl")
    verdicts.put(f"{name}{at}", RecordVerdict.of(full=True))
    verdicts.save()
    say(folder, name, names(f"Oak {at}", f"Oak {at} Foods"))
    answers = Answers(folder)
    answers.put(f"{ord(name):02x}{at:02}" * 16, Said(name))
    answers.close()
"""


def test_runs_that_save_at_once_lose_nothing_of_each_other(tmp_path):
    folder = tmp_path / "firms"
    tests = str(Path(__file__).parent)
    children = [
        subprocess.Popen(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {tests!r})\n{_CHILD}", str(folder), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for name in "abc"
    ]
    try:
        assert [child.stdout.readline() for child in children] == [b"ready\n"] * 3
        for child in children:
            child.stdin.write(b"go\n")
            child.stdin.flush()
        assert [child.wait(100) for child in children] == [0] * 3
    finally:
        for child in children:
            child.kill()
            child.communicate()
    assert [len(lines(folder, name)) for name in FILES] == [75] * 3
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    assert problems(folder) == []
