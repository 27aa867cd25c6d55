"""The console script: what it prints, and its exit status."""

import pytest

from pytest_wandr.cassettes import Entry, PageStore
from pytest_wandr.cli import main

MANIFEST = """
schema_version = "1"
id = "rail"
version = "1.0.0"
title = "Rail"
[[nodes]]
name = "rail"
keys = [{ name = "company", kind = "company", required = 2 }, { name = "url", required = 1 }]
"""


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "tasks" / "rail"
    folder.mkdir(parents=True)
    (folder / "task.toml").write_text(MANIFEST)
    (folder / "instruction.md").write_text("Find rail companies.")
    return folder


def test_check_counts_sound_packages(package, capsys):
    assert main(["check", str(package.parent)]) == 0
    out = capsys.readouterr().out
    assert "rail: 2 records in 1 nodes, 0 fixtures" in out
    assert "1 of 1 task packages are sound" in out


def test_check_names_the_requirements_that_need_a_judge(package, capsys):
    open_one = '\n[[nodes.requirements]]\nid = "tone"\ntext = "The page is polite."\n'
    (package / "task.toml").write_text(MANIFEST + open_one)
    assert main(["check", str(package)]) == 0
    said = capsys.readouterr().out
    assert (
        "no check decides rail: tone; the judge `rules` leaves it open, --wandr-judge=llm asks a model"
        in said
    )


def test_check_prints_every_problem_with_its_line(package, capsys):
    (package / "task.toml").write_text(
        MANIFEST.replace("required = 2", "requird = 2").replace("title", "titel")
    )
    assert main(["check", str(package)]) == 1
    out = capsys.readouterr().out
    assert "task.toml:5: titel" in out
    assert "task.toml:8:" in out
    assert "0 of 1 task packages are sound" in out


def test_check_of_a_folder_without_packages_says_so(tmp_path, capsys):
    assert main(["check", str(tmp_path)]) == 1
    assert "is no task package" in capsys.readouterr().err


@pytest.fixture
def recording(tmp_path):
    store = PageStore(tmp_path / "cassettes" / "rail")
    body = b"<p>Tamarind Rail</p>"
    store.put(Entry.of("https://rail.example/", status=200, headers={"content-type": "text/html"}), body)
    store.fold()
    return store.folder


def test_cassette_ls_shows_status_size_and_url(recording, capsys):
    assert main(["cassette", "ls", str(recording)]) == 0
    assert capsys.readouterr().out == "200        20 https://rail.example/\n"


def test_cassette_check_finds_a_damaged_body(recording, capsys):
    assert main(["cassette", "check", str(recording)]) == 0
    blob = next(path for path in (recording / "blobs").rglob("*") if path.is_file())
    blob.write_bytes(b"damaged")
    assert main(["cassette", "check", str(recording)]) == 1
    assert "1 entries, 1 problems" in capsys.readouterr().out


@pytest.mark.parametrize("where", [".", "../rail", "./../rail/."])
def test_a_recording_may_be_named_from_within(recording, capsys, monkeypatch, where):
    monkeypatch.chdir(recording)
    assert main(["cassette", "check", where]) == 0
    assert "1 entries, 0 problems" in capsys.readouterr().out


def test_a_folder_of_recordings_is_none_and_says_what_it_holds(recording, capsys):
    assert main(["cassette", "check", str(recording.parent)]) == 1
    told = capsys.readouterr().err
    assert f"{recording.parent} is not the folder of a recording; it holds 1" in told
    assert f"as in {recording}" in told


def test_cassette_gc_removes_what_nothing_refers_to(recording, capsys):
    (recording / "index.jsonl").write_text("")
    assert main(["cassette", "gc", str(recording)]) == 0
    assert "1 files removed" in capsys.readouterr().out


def test_cassette_fold_and_pack(recording, capsys):
    assert main(["cassette", "fold", str(recording)]) == 0
    assert main(["cassette", "pack", str(recording)]) == 0
    assert recording.with_name("rail.zip").is_file()


def test_a_path_without_a_recording_is_an_error(tmp_path, capsys):
    assert main(["cassette", "ls", str(tmp_path / "none")]) == 1
    assert "is not the folder of a recording" in capsys.readouterr().err


def test_no_command_is_a_usage_error():
    with pytest.raises(SystemExit) as stopped:
        main([])
    assert stopped.value.code == 2
