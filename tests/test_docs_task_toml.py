"""The reference page of task.toml: its examples load, and nothing that can be written is left out."""

import json
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from pytest_wandr.model import IdentityOptions, KeyKind, KeySpec, NodeSpec, RequirementSpec, TaskSpec
from pytest_wandr.task import load_fixtures, load_task

PAGE = (Path(__file__).parent.parent / "docs" / "reference" / "task-toml.md").read_text("utf-8")
BLOCKS = re.findall(r"^```toml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
EXAMPLE = BLOCKS[0]
HEAD = 'id = "t"\n[[nodes]]\nname = "t"\n'
FIELDS = 'answer = ["announced_on", "salary"]\n'
KEYS = """keys = [
  { name = "company", required = 1 },
  { name = "appointee", required = 1 },
  { name = "url", required = 1 },
]
"""


def loaded(tmp_path, text, name="t"):
    folder = tmp_path / name
    folder.mkdir()
    (folder / "task.toml").write_text(text, "utf-8")
    (folder / "instruction.md").write_text("Find them.", "utf-8")
    return load_task(folder)


def whole(block):
    """A fragment of the page, completed to a task."""
    if block.startswith("schema_version"):
        return block
    if block.startswith("keys"):
        return HEAD + block
    if block.startswith("[gate]"):
        return HEAD + KEYS + block
    named = re.sub(r"^(check = )", lambda match: f'text = "x"\n{match[1]}', block, flags=re.MULTILINE)
    parts = named.split("[[nodes.requirements]]\n")
    return (
        HEAD
        + FIELDS
        + KEYS
        + "".join(f'[[nodes.requirements]]\nid = "r{i}"\n{part}' for i, part in enumerate(parts) if part)
    )


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.split("\n", 2)[1][:40])
def test_every_block_loads(tmp_path, block):
    text = whole(block)
    task = loaded(tmp_path, text, tomllib.loads(text)["id"])
    assert task.nodes
    if "[[nodes.requirements]]" in block:
        assert len(task.main.requirements) >= 3


def test_the_page_has_examples():
    assert len(BLOCKS) >= 5
    assert EXAMPLE.startswith("schema_version")


def test_the_fixture_of_the_page_belongs_to_its_task(tmp_path):
    task = loaded(tmp_path, EXAMPLE, "ceo_appointments")
    line = re.search(r"^```json\n(.*?)\n```", PAGE, re.DOTALL | re.MULTILINE)[1]
    (tmp_path / "ceo_appointments" / "fixtures.jsonl").write_text(line + "\n", "utf-8")
    [fixture] = load_fixtures(tmp_path / "ceo_appointments", task)
    assert fixture.full is True
    assert set(json.loads(line)) == {
        name
        for row in re.findall(r"^\| (`[^|]+) \|", PAGE.partition("## fixtures")[2], re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }


def section(title):
    start = PAGE.index(f"\n{title}\n")
    level = title.split(" ")[0]
    rest = PAGE[start + len(title) + 2 :]
    end = re.search(rf"^{level[:2]}#? ", rest, re.MULTILINE)
    return set(re.findall(r"^\| `(\w+)`", rest[: end.start()] if end else rest, re.MULTILINE))


def test_every_field_is_documented():
    own = {"instruction", "judge_guidance"}
    assert section("## Top level") == set(TaskSpec.model_fields) - own
    assert section("## nodes") == set(NodeSpec.model_fields)
    assert section("## requirements") == set(RequirementSpec.model_fields)
    assert section("## keys") == set(KeySpec.model_fields) - set(IdentityOptions.model_fields)
    assert section("### kinds") == set(get_args(KeyKind))
    assert section("### Identity options") >= set(IdentityOptions.model_fields)


def test_every_kind_verb_and_option_has_an_example():
    examples = "\n".join(BLOCKS)
    for kind in get_args(KeyKind):
        assert f'kind = "{kind}"' in examples
    for name in section("## Checks") | section("### Identity options") - {
        "archives_same_page",
        "scheme",
        "trailing_slash",
    }:
        assert re.search(rf"\b{name} = ", examples), name
