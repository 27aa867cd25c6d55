"""`wandr cassette` knows the stored verdicts: which are damaged, and which can never apply again."""

import json
import shutil
from pathlib import Path

import pytest

from pytest_wandr import stale, verdicts
from pytest_wandr.cassettes import PageStore, pack
from pytest_wandr.cli import main
from pytest_wandr.fetch.trace import every_trace, trace
from pytest_wandr.stale import check_verdicts, count_by_judge, sift
from pytest_wandr.task import load_task

ROOT = Path(__file__).resolve().parent.parent
TASK = "executive_changes"


@pytest.fixture
def folder(tmp_path):
    """The recording of a demo task with its verdicts; the task package lies beside it."""
    shutil.copytree(ROOT / "cassettes" / TASK, tmp_path / "cassettes" / TASK)
    shutil.copytree(ROOT / "tasks" / TASK, tmp_path / "tasks" / "executive")
    return tmp_path / "cassettes" / TASK


@pytest.fixture
def task(folder):
    return load_task(folder.parents[1] / "tasks" / "executive")


@pytest.fixture
def lines(folder):
    return (folder / "verdicts.jsonl").read_bytes().splitlines(keepends=True)


def opened(folder):
    return PageStore(folder, environment={})


def write(folder, lines):
    (folder / "verdicts.jsonl").write_bytes(b"".join(lines))


def problems(folder, task=None, environment=None):
    return [
        problem.replace(f"{folder}/verdicts.jsonl", "F")
        for problem in check_verdicts(opened(folder), task, environment or {})
    ]


def edited(line, **changes):
    data = json.loads(line)
    for place, value in changes.items():
        part, _, name = place.partition("_")
        (data[part] if name else data)[name or part] = value
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def run(folder, *words):
    tasks = [f"--tasks={folder.parents[1] / 'tasks'}"] if words[0] in {"check", "gc"} else []
    return main(["cassette", *words, *tasks, str(folder)])


def test_the_verdicts_of_the_demo_are_sound(folder, task):
    assert problems(folder, task) == []
    assert sift(opened(folder), task).dropped == {}
    assert sift(opened(folder), task).kept == (folder / "verdicts.jsonl").read_bytes()


def test_every_kind_of_damage_is_named_with_file_and_line(folder, lines):
    torn = lines[-1][:-9]
    harmed = [
        lines[1],
        lines[0],
        lines[0],
        b"{\n",
        edited(lines[2], made_page="0" * 12, new=1),
        b"\n",
        lines[3].replace(b'":"', b'": "', 1),
        torn,
    ]
    write(folder, harmed)
    found = problems(folder)
    assert found[0] == "F:2: out of order; `wandr cassette gc` sorts the lines"
    assert found[1] == "F:3: the key of line 2 again; `wandr cassette gc` keeps the last"
    assert found[2].startswith("F:4: the verdict")
    assert "F:5" in found[3]
    assert "new: Extra inputs are not permitted" in found[3]
    assert found[4].startswith("F:6: the verdict")
    assert found[5] == "F:7: no canonical JSON: somebody edited it"
    assert found[6].startswith("F:8: the verdict")
    assert found[7] == "F:8: the last line is torn: it does not end"
    assert len(found) == 8


def test_a_line_without_its_end_is_torn_even_if_it_can_be_read(folder, lines):
    write(folder, [*lines[:-1], lines[-1][:-1]])
    assert problems(folder) == [f"F:{len(lines)}: the last line is torn: it does not end"]


def test_a_secret_in_a_verdict_is_found(folder, lines):
    name = json.loads(lines[0])["verdict"]["page"]["final_url"]
    found = problems(folder, environment={"WANDR_TOKEN": name})
    assert "F:1: the verdict holds the value of the environment variable WANDR_TOKEN" in found[0]
    assert name not in found[0]


def changed_page(folder, lines):
    """Record another body under the url of the first verdict's page; how many verdicts rest on it."""
    store = opened(folder)
    page = json.loads(lines[0])["made"]["page"]
    url = next(url for url in store.urls() if trace(store, url)[:12] == page)
    old = store.ending(url).entry
    body = store.page(old).body + b"<p>One more line."
    store.put(old.model_copy(update={"blob": "", "size": 0}), body)
    store.fold()
    return sum(json.loads(line)["made"]["page"] == page for line in lines)


def test_verdicts_on_a_page_that_changed_are_stale(folder, lines, task):
    count = changed_page(folder, lines)
    found = problems(folder, task)
    assert len(found) == count >= 1
    assert found[0] == "F:1: its page changed, or is no longer recorded"
    assert sift(opened(folder), task).dropped == {"its page changed, or is no longer recorded": count}


def test_verdicts_on_pages_that_are_no_longer_recorded_are_stale_but_not_those_on_refused_urls(
    folder, lines, task
):
    refused = edited(lines[0], made_page="0" * 12)
    blocked = json.loads(refused)
    blocked["verdict"]["page_content_usable"] = {"value": False, "code": "blocked", "reason": "file:"}
    refused = json.dumps(blocked, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    write(folder, [refused, *lines[1:]])
    (folder / "index.jsonl").write_text("")
    assert len(problems(folder, task)) == len(lines) - 1
    assert sift(opened(folder), task).kept == refused


def test_verdicts_on_changed_requirements_are_stale_when_the_task_is_known(folder, lines):
    package = folder.parents[1] / "tasks" / "executive"
    (package / "instruction.md").write_text("Something else.")
    assert problems(folder, None) == []
    found = problems(folder, load_task(package))
    assert found == [f"F:{n}: the task's requirements changed" for n in range(1, len(lines) + 1)]


def test_verdicts_of_older_code_are_stale_and_those_of_newer_code_are_not(folder, lines, monkeypatch):
    monkeypatch.setitem(stale._VERSIONS, "checks", "1.10")
    write(
        folder,
        [
            edited(lines[0], made_checks="1.9"),
            edited(lines[1], made_checks="1.11"),
            edited(lines[2], made_checks="next"),
            edited(lines[3], made_checks="1.10"),
        ],
    )
    assert problems(folder) == ["F:1: it was made by an older version of: checks"]


def test_verdicts_that_do_not_say_what_they_rest_on_stay(folder, lines, task):
    data = json.loads(lines[0])
    del data["made"]
    write(folder, [json.dumps(data, sort_keys=True, separators=(",", ":")).encode() + b"\n"])
    assert sift(opened(folder), task).dropped == {}


def test_every_trace_knows_each_way_to_each_page(folder):
    store = opened(folder)
    assert {trace(store, url) for url in store.urls()} == every_trace(store)
    assert len(every_trace(store)) > 20


def test_gc_drops_what_can_never_apply_and_only_says_so_on_a_dry_run(folder, lines, capsys):
    count = changed_page(folder, lines)
    before = (folder / "verdicts.jsonl").read_bytes()
    files = sorted(folder.rglob("*"))
    assert run(folder, "gc", "--dry-run") == 0
    assert f"1 files would be removed, {count} verdicts stale" in capsys.readouterr().out
    assert (folder / "verdicts.jsonl").read_bytes() == before
    assert sorted(folder.rglob("*")) == files
    assert run(folder, "gc") == 0
    assert f"{count} verdicts no longer apply: its page changed" in capsys.readouterr().out
    assert len((folder / "verdicts.jsonl").read_bytes().splitlines()) == len(lines) - count
    assert run(folder, "check") == 0


def test_gc_mends_what_a_merge_of_two_branches_left(folder, lines):
    write(folder, [lines[2], lines[0], lines[1], lines[0]])
    assert run(folder, "check") == 1
    assert run(folder, "gc") == 0
    assert (folder / "verdicts.jsonl").read_bytes() == b"".join(lines[:3])


def test_gc_removes_a_file_of_which_nothing_is_left(folder, monkeypatch):
    monkeypatch.setitem(stale._VERSIONS, "checks", "99")
    assert run(folder, "gc") == 0
    assert not (folder / "verdicts.jsonl").exists()


def test_gc_does_not_touch_a_file_with_a_damaged_line(folder, lines, capsys):
    write(folder, [lines[0], b"{\n"])
    assert run(folder, "gc") == 1
    assert "verdicts.jsonl" in capsys.readouterr().err
    assert (folder / "verdicts.jsonl").read_bytes() == lines[0] + b"{\n"


def test_sealed_verdicts_are_checked_and_counted_in_place(folder, lines, capsys):
    changed_page(folder, lines)
    pack(folder)
    shutil.rmtree(folder)
    assert run(folder, "check") == 1
    out = capsys.readouterr().out
    assert f"{folder}.zip/verdicts.jsonl:1: its page changed, or is no longer recorded" in out
    assert run(folder, "gc") == 0
    assert "its verdicts are sealed; unpack it, gc and pack it again" in capsys.readouterr().out
    assert run(folder, "ls") == 0
    assert f"{len(lines)} verdicts by rules\n" in capsys.readouterr().out
    assert run(folder.with_name(f"{TASK}.zip"), "unpack") == 0
    assert (folder / "verdicts.jsonl").read_bytes() == b"".join(lines)
    assert not folder.with_name(f".{TASK}.zip.tmp").exists()


def test_ls_counts_the_verdicts_of_each_judge(folder, lines):
    write(folder, [edited(lines[0], made_judge="llm/m"), *lines[1:]])
    assert count_by_judge(opened(folder)) == {"llm/m": 1, "rules": len(lines) - 1}


def test_versions_of_the_code_are_the_ones_that_verdicts_are_kept_under():
    assert {
        "extractor": verdicts.EXTRACTOR_VERSION,
        "identity": verdicts.IDENTITY_VERSION,
        "checks": verdicts.CHECKS_VERSION,
    } == stale._VERSIONS
