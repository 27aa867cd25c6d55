"""The docs say what the code does: names, options, examples, outputs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_wandr import hookspecs, options
from pytest_wandr.model import Record, RecordVerdict, Rejected, TaskSpec
from pytest_wandr.rewards import REWARDS, branch_rewards, record_rewards
from pytest_wandr.score import score_task
from pytest_wandr.systems import known_names

ROOT = Path(__file__).resolve().parent.parent
DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *DOCS]


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def words(page):
    return len(re.sub(r"```.*?```", "", page, flags=re.DOTALL).split())


def test_the_readme_is_short():
    assert words(text("README.md")) <= 600


def test_the_tour_takes_ten_minutes():
    assert words(text("docs/tour.md")) <= 450


@pytest.mark.parametrize("name", [name for name, _, _ in options._OPTIONS])
def test_every_option_is_documented_with_its_ini_twin(name):
    page = text("docs/reference/options.md")
    assert re.search(rf"`--wandr-{name}[ `]", page)
    assert f"`wandr_{name.replace('-', '_')}`" in page


def test_no_option_is_documented_that_does_not_exist():
    known = {name for name, _, _ in options._OPTIONS}
    mentioned = {
        name
        for page in PAGES
        for name in re.findall(r"--wandr-([a-z]+(?:-[a-z]+)*)", page.read_text("utf-8"))
    }
    assert mentioned - known - {"x"} == set()  # --wandr-x stands for any of them


@pytest.mark.parametrize("name", [name for name in vars(hookspecs) if name.startswith("pytest_wandr_")])
def test_every_hook_is_documented(name):
    assert f"`{name}(" in text("docs/reference/hooks.md")


@pytest.mark.parametrize("name", REWARDS)
def test_every_reward_is_documented(name):
    assert f"`{name}`" in text("docs/reference/rewards.md")


@pytest.mark.parametrize("name", known_names())
def test_every_built_in_system_is_documented(name):
    assert f"`{name}`" in text("docs/reference/options.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_blocks_compile(page):
    for block in re.findall(
        r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    ):
        compile(block, page.name, "exec")


def test_the_worked_example_of_the_scoring_page_is_what_the_code_says():
    """The table of section 6 is read from the page; the numbers after it are compared with the score."""
    page = text("docs/scoring.md").partition("## 6. Worked example")[2]
    keys = [{"name": "company", "kind": "company", "required": 2}]
    url = {"name": "url", "kind": "url", "required": 1}
    person = {"name": "person", "kind": "person", "required": 1}
    nodes = ({"name": "main", "keys": [*keys, person, url]}, {"name": "main.listing", "keys": [*keys, url]})
    task = TaskSpec.model_validate({"id": "t", "nodes": nodes})
    rows = [
        [cell.strip() for cell in row.split("|")[1:-1]] for row in page.split("\n") if row.startswith("| ")
    ][1:]
    records = [
        Record(
            node="main" if node == "main" else "main.listing",
            item={"company": company} | ({"person": who} if who else {}),
            url=f"https://{url}.example/",
        )
        for node, company, who, url, _ in rows
    ]
    rewards = score_task(task, records, [RecordVerdict.of(full=row[4] == "true") for row in rows]).rewards
    stated = dict(
        re.findall(r"(Soft precision|Soft recall|Soft F1)\s*= (?:\([^)]*\) / 2 = )?([\d.]+\d)", page)
    )
    assert len(rows) == 4
    assert {name: float(number) for name, number in stated.items()} == {
        "Soft precision": rewards["soft_precision_full"],
        "Soft recall": rewards["soft_recall_full"],
        "Soft F1": rewards["soft_f1_full"],
    }
    assert rewards["hard_precision_full"] == rewards["hard_recall_full"] == 0


def test_the_reinforcement_learning_example_runs():
    task = TaskSpec.model_validate(
        {
            "id": "t",
            "nodes": [{"name": "t", "keys": [{"name": "c", "required": 1}, {"name": "url", "required": 1}]}],
        }
    )
    submission = type(
        "S",
        (),
        {
            "records": [Record(node="t", item={"c": "Acme"}, url="https://a.example/")],
            "rejected": [Rejected(node="t", line=2, code="invalid_json")],
        },
    )
    scope = {"task": task, "submission": submission, "verdicts": [RecordVerdict.of(full=True)]}
    block = re.search(r"```python\n(.*?)```", text("docs/reference/rewards.md"), re.DOTALL).group(1)
    exec(block, scope)
    assert scope["credits"] == record_rewards(
        task, submission.records, scope["verdicts"], rejected=submission.rejected
    )
    assert scope["members"] == branch_rewards(task, submission.records, scope["verdicts"])


@pytest.fixture(scope="module")
def first_run(tmp_path_factory):
    """What the README's first command prints, without the installation."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "tasks",
        "--wandr-system=oracle-noisy",
        "-p",
        "no:cacheprovider",
    ]
    command += [f"--wandr-out={tmp_path_factory.mktemp('out')}"]
    environment = os.environ | {"COLUMNS": "80", "PYTEST_ADDOPTS": ""}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_the_readme_shows_the_end_of_a_real_run(first_run):
    shown = re.search(r"^```text\n(.*?)^```", text("README.md"), re.MULTILINE | re.DOTALL).group(1)
    assert shown.strip() in first_run.stdout
    assert first_run.returncode == 0, first_run.stdout


def test_the_readme_commands_can_be_listed():
    tool = ROOT / "tools" / "readme_commands.py"
    listed = subprocess.run([sys.executable, tool], capture_output=True, text=True, check=True).stdout
    assert "--wandr-system=oracle-noisy" in listed


WHY = "docs/how-to/why-was-my-record-refused.md"


def test_the_refusals_that_the_docs_show_are_real(tmp_path):
    command = [sys.executable, "-m", "pytest", "tasks/maker_recalls", "--wandr-system=oracle-noisy"]
    command += ["--wandr-paths=failed", "-p", "no:cacheprovider", f"--wandr-out={tmp_path}"]
    environment = os.environ | {"COLUMNS": "80", "PYTEST_ADDOPTS": ""}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    shown = re.search(r"^```text\n(.*?)^```", text(WHY), re.MULTILINE | re.DOTALL).group(1)
    assert shown in done.stdout


def test_the_matchers_words_that_the_docs_show_are_real():
    page = text(WHY)
    program = re.search(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL).group(1)
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert f"```text\n{said}```" in page
