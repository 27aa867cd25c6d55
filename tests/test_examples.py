"""The agents that the docs show do what the docs say, on the demo tasks, offline."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from pytest_wandr.judges import resolve as judge_named
from pytest_wandr.pipeline import RunSettings, evaluate
from pytest_wandr.systems import resolve

ROOT = Path(__file__).resolve().parent.parent
TASKS = sorted(path.parent for path in (ROOT / "tasks").glob("*/task.toml"))
HOW_TO = (ROOT / "docs" / "how-to" / "score-my-agent.md").read_text(encoding="utf-8")


def score(name, folder, tmp_path, rootdir=ROOT):
    settings = RunSettings(system_name=name, out=tmp_path / "out", cassettes=ROOT / "cassettes")
    system = resolve(name, rootdir=rootdir)
    return asyncio.run(evaluate(folder, system=system, judge=judge_named("rules"), settings=settings)).score


def block(language, containing):
    found = re.findall(rf"^```{language}\n(.*?)^```", HOW_TO, re.MULTILINE | re.DOTALL)
    return next(text for text in found if containing in text)


@pytest.mark.parametrize(
    ("language", "file", "command"),
    [("bash", "agent.sh", "bash agent.sh"), ("python", "agent.py", f"{sys.executable} agent.py")],
)
def test_the_ten_line_programs_of_the_docs_score_between_0_and_1(language, file, command, tmp_path):
    (tmp_path / file).write_text(block(language, "WANDR_PAGES"))
    rewards = score(f"cmd:{command}", ROOT / "tasks" / "ceo_cfo_appointments", tmp_path, tmp_path).rewards
    assert 0 < rewards["soft_f1_full"] < 1


def test_the_function_of_the_docs_proves_something(tmp_path):
    (tmp_path / "agent.py").write_text(block("python", "ctx.corpus.search"))
    found = score("agent.py:solve", ROOT / "tasks" / "ceo_cfo_appointments", tmp_path, tmp_path)
    assert found.diagnostics.counts.proven > 0


def test_mine_is_strictly_between_0_and_1_on_at_least_four_tasks(tmp_path):
    results = {folder.name: score("examples/mine.py:solve", folder, tmp_path) for folder in TASKS}
    between = [name for name, found in results.items() if 0 < found.rewards["soft_f1_full"] < 1]
    assert len(between) >= 4
    assert not any(found.incomplete for found in results.values())


def test_mine_does_not_read_fixtures_or_the_truth():
    source = (ROOT / "examples" / "mine.py").read_text()
    assert not re.search(r"fixtures|sealed|ctx\.folder|open\(", source)


@pytest.mark.parametrize("folder", TASKS, ids=lambda folder: folder.name)
def test_oracle_scores_1_on_all_twelve_rewards(folder, tmp_path):
    found = score("oracle", folder, tmp_path)
    assert set(found.rewards.values()) == {1.0}
    assert found.diagnostics.counts.wanted == found.diagnostics.counts.proven


@pytest.mark.parametrize("folder", TASKS, ids=lambda folder: folder.name)
def test_empty_is_scored_and_scores_0(folder, tmp_path):
    found = score("empty", folder, tmp_path)
    assert set(found.rewards.values()) == {0.0}
    assert not found.incomplete


@pytest.mark.parametrize("folder", TASKS, ids=lambda folder: folder.name)
def test_oracle_noisy_lies_in_between_and_leaves_nothing_undecided(folder, tmp_path):
    found = score("oracle-noisy", folder, tmp_path)
    assert 0 < found.rewards["soft_f1_full"] < 1
    assert not found.incomplete
