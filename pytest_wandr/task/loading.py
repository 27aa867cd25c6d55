"""Is a folder a usable task package? Reads its files and says everything that is wrong with them at once."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

from pytest_wandr.errors import Problem, TaskSpecError
from pytest_wandr.model import TaskSpec
from pytest_wandr.task.files import MANIFEST, manifest_of, read_toml, text_of
from pytest_wandr.task.findings import Findings, near
from pytest_wandr.task.nodes import read_nodes
from pytest_wandr.task.tables import Table

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA_VERSION = "1"
INSTRUCTION = "instruction.md"
_WRITE_IT = "write what the system is told, word for word"
_FIELDS = ("schema_version", "id", "version", "title", "topics", "canary", "nodes", "gate")
_REWARDS = tuple(
    "_".join(parts)
    for parts in product(("soft", "hard"), ("precision", "recall", "f1"), ("full", "retrieval"))
)
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def load(folder: Path) -> TaskSpec:
    """The task in a folder.

    Raises:
        TaskSpecError: something is wrong; every problem of the package is listed.
    """
    findings = Findings(str(folder / MANIFEST))
    instruction = _instruction(folder, findings)
    guidance = text_of(folder / "judge.md", findings) if (folder / "judge.md").exists() else ""
    others = tuple(findings.problems)
    try:
        text = manifest_of(folder)
    except TaskSpecError as error:
        raise TaskSpecError((*error.problems, *others)) from error
    return _spec(folder, text, instruction, guidance or "", others)


@lru_cache(maxsize=8)
def _spec(folder: Path, text: str, instruction: str, guidance: str, others: tuple[Problem, ...]) -> TaskSpec:
    """A task from what its files hold. An item asks for it when it is set up, and when it runs."""
    try:
        values = read_toml(folder, text)
    except TaskSpecError as error:
        raise TaskSpecError((*error.problems, *others)) from error
    here = Findings(str(folder / MANIFEST), text)
    task = _task(Table(values, (), here), folder)
    if here.problems or others:
        here.problems += others
        raise here.stop()
    return TaskSpec.model_validate({**task, "instruction": instruction, "judge_guidance": guidance})


def _instruction(folder: Path, findings: Findings) -> str:
    path = folder / INSTRUCTION
    if not path.is_file():
        return ""  # `require_instruction` refuses to run such a task
    text = text_of(path, findings)
    if text is not None and not text.strip():
        findings.problems.append(Problem(str(path), 1, INSTRUCTION, "the file is empty", _WRITE_IT))
    return text or ""


def require_instruction(folder: Path, task: TaskSpec) -> None:
    """A manifest alone can be read and scored, but a task without an instruction cannot be asked.

    Raises:
        TaskSpecError: there is no instruction.md.
    """
    if not task.instruction:
        problem = Problem(str(folder / INSTRUCTION), 0, INSTRUCTION, "the file is missing", _WRITE_IT)
        raise TaskSpecError((problem,))


def _task(table: Table, folder: Path) -> dict[str, object]:
    table.only(_FIELDS)
    version = (
        table.text("schema_version", hint=f'write schema_version = "{SCHEMA_VERSION}"') or SCHEMA_VERSION
    )
    if version != SCHEMA_VERSION:
        hint = f'this release reads schema_version = "{SCHEMA_VERSION}"; upgrade pytest-wandr for newer ones'
        table.wrong("schema_version", f"unsupported schema version {version!r}", hint)
    name = table.text("id", needed=True, hint=f'write id = "{folder.resolve().name}"')
    if name.strip() and not _ID.fullmatch(name):
        table.wrong("id", f"{name!r} is not safe in a file name", "use letters, digits, _, - and .")
    return {
        "schema_version": version,
        "id": name,
        "version": table.text("version") or "1.0.0",
        "title": table.text("title"),
        "topics": table.texts("topics"),
        "canary": table.text("canary"),
        "nodes": read_nodes(table),
        "gate": _gate(table),
    }


def _gate(task: Table) -> dict[str, float]:
    table = task.table("gate")
    if table is None:
        return {}
    gate: dict[str, float] = {}
    for name in table.values:
        if name not in _REWARDS:
            table.wrong(name, "unknown reward", near(name, _REWARDS))
            continue
        value = table.number(name)
        if value is not None and not 0 <= value <= 1:
            table.wrong(name, f"must be from 0 to 1, not {value}", "rewards are shares: 40 percent is 0.40")
        gate[name] = value or 0.0
    return gate
