"""The verdicts of the demo tasks are those of today's code, and score the demo without any page."""

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_wandr import judges, systems
from pytest_wandr.pipeline import RunSettings, evaluate
from pytest_wandr.remember import FILE

ROOT = Path(__file__).resolve().parent.parent
IDS = sorted(path.name for path in (ROOT / "cassettes").iterdir() if path.is_dir())
SYSTEM = "oracle-noisy"
AGAIN = f"""\
the verdicts in cassettes/*/{FILE} are not those of a fresh judging.
Did code that decides change? Then raise its version (EXTRACTOR_VERSION or CHECKS_VERSION in
pytest_wandr/verdicts.py, IDENTITY_VERSION in pytest_wandr/identity/__init__.py), so that stored verdicts of
everybody are retired. Then make the demo's anew, and commit them:
    rm cassettes/*/{FILE}
    pytest --wandr-system={SYSTEM} --wandr-judge=rules --wandr-record=new"""


def judge_afresh(folder, name):
    """What a recording run stores for one task, when nothing was stored before."""
    cassette = folder / "cassettes" / name
    cassette.mkdir(parents=True)
    shutil.copy(ROOT / "cassettes" / name / "index.jsonl", cassette)
    shutil.copytree(ROOT / "cassettes" / name / "blobs", cassette / "blobs")
    settings = RunSettings(
        system_name=SYSTEM, out=folder / "out", cassettes=folder / "cassettes", record="new"
    )
    tested = systems.resolve(SYSTEM, rootdir=folder)
    package = ROOT / "tasks" / name
    asyncio.run(evaluate(package, system=tested, judge=judges.resolve("rules"), settings=settings))
    return cassette


def differences(kept, fresh):
    """How two stores differ, in words that help."""
    ours, theirs = ({json.loads(line)["key"]: line for line in store.splitlines()} for store in (kept, fresh))
    both = ours.keys() & theirs.keys()
    return {
        "other verdict, same versions": sum(ours[key] != theirs[key] for key in both),
        "not stored": len(theirs.keys() - both),
        "stored for nothing": len(ours.keys() - both),
    }


@pytest.mark.parametrize("name", IDS)
def test_committed_verdicts_are_those_of_a_fresh_judging(tmp_path, name):
    """Fails when code that decides changed, whether or not its version was raised: see `AGAIN`."""
    cassette = judge_afresh(tmp_path, name)
    kept, fresh = (ROOT / "cassettes" / name / FILE).read_bytes(), (cassette / FILE).read_bytes()
    assert kept == fresh, f"{name}: {differences(kept, fresh)}; {AGAIN}"
    index = ROOT / "cassettes" / name / "index.jsonl"
    assert (cassette / "index.jsonl").read_bytes() == index.read_bytes()  # nothing was fetched


def test_differences_tell_a_forgotten_version_from_a_raised_one():
    one, other, third = (b'{"key":"%s","verdict":1}\n' % key for key in (b"a", b"b", b"c"))
    changed = one.replace(b"1", b"2")
    assert differences(one + other, changed + third) == {
        "other verdict, same versions": 1,
        "not stored": 1,
        "stored for nothing": 1,
    }


def test_the_committed_verdicts_are_small():
    assert sum((ROOT / "cassettes" / name / FILE).stat().st_size for name in IDS) < 1_000_000


REPLAY = """
import sys
import pytest
status = pytest.main(sys.argv[1:])
print("loaded:", [name for name in ("lxml", "parsel", "w3lib", "httpx", "vcr") if name in sys.modules])
sys.exit(status)
"""


def run(folder, *options):
    command = [sys.executable, "-c", REPLAY, "-q", "-p", "no:cacheprovider", "-n0"]
    done = subprocess.run(
        [*command, f"--wandr-system={SYSTEM}", *options, f"--rootdir={folder}", str(folder / "tasks")],
        cwd=folder, capture_output=True, text=True, check=False, env=environment(),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment():
    import os

    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return kept | {"PYTHONPATH": str(ROOT)}


def scores(folder):
    report = json.loads((folder / "scores.json").read_bytes())
    return {task["task_id"]: task["rewards"] for task in report["tasks"]}, report["headline"]


def test_a_replay_of_the_demo_needs_no_page_and_no_parser_and_gives_the_same_scores(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    shutil.copytree(ROOT / "tasks", tmp_path / "tasks")
    for name in IDS:
        (tmp_path / "cassettes" / name).mkdir(parents=True)
        for file in ("index.jsonl", FILE):
            shutil.copy(ROOT / "cassettes" / name / file, tmp_path / "cassettes" / name)
    said = run(tmp_path, "--wandr-judge=replay", "--wandr-out=replayed")
    assert "loaded: []" in said
    run(tmp_path, "--wandr-judge=rules", f"--wandr-cassettes={ROOT / 'cassettes'}", "--wandr-out=judged")
    replayed, judged = scores(tmp_path / "replayed"), scores(tmp_path / "judged")
    assert replayed == judged
    assert len(replayed[0]) == len(IDS) == 8
    for name in IDS:
        for file in ("reward.json", "score.json", "verdicts.jsonl"):
            assert (tmp_path / "replayed" / name / file).read_bytes() == (
                tmp_path / "judged" / name / file
            ).read_bytes()
