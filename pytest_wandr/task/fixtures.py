"""Which records with known verdicts does a task package hold? The lines of its fixtures.jsonl."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pytest_wandr.model import Fixture, NodeSpec, Record, TaskSpec, Truth, conjunction
from pytest_wandr.task.files import text_of
from pytest_wandr.task.findings import Findings, near

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FIXTURES = "fixtures.jsonl"
_FIELDS = ("node", "item", "url", "excerpts", "answer", "full", "retrieval", "fault", "why")


class _Line:
    """One line and where to note what is wrong with it."""

    def __init__(self, findings: Findings, number: int, values: Mapping[str, object]) -> None:
        self.findings = findings
        self.number = number
        self.values = values

    def wrong(self, key: str, message: str, hint: str = "") -> None:
        self.findings.add_at(self.number, key, message, hint)

    def text(self, name: str) -> str:
        value = self.values.get(name, "")
        if not isinstance(value, str):
            self.wrong(name, "must be a string", f'write "{name}": "..."')
            return ""
        return value

    def truth(self, name: str, default: Truth) -> Truth:
        value = self.values.get(name, default)
        if value is None or isinstance(value, bool):
            return value
        self.wrong(name, "must be true, false or null", "null means that it cannot be decided")
        return None


def read_fixtures(folder: Path, task: TaskSpec) -> tuple[Fixture, ...]:
    """The fixtures of a task; none when there is no such file.

    Raises:
        TaskSpecError: a line is wrong; every wrong line is listed.
    """
    path = folder / FIXTURES
    if not path.exists():
        return ()
    findings = Findings(str(path))
    text = text_of(path, findings) or ""
    found = [
        _fixture(line, task)
        for number, raw in enumerate(text.split("\n"), start=1)
        if raw.strip() and (line := _line(findings, number, raw))
    ]
    if findings.problems:
        raise findings.stop()
    return tuple(fixture for fixture in found if fixture)


def _line(findings: Findings, number: int, raw: str) -> _Line | None:
    try:
        values = json.loads(raw)
    except (ValueError, RecursionError) as error:
        findings.add_at(number, FIXTURES, f"not JSON: {error}", "write one JSON object on each line")
        return None
    if not isinstance(values, dict):
        findings.add_at(number, FIXTURES, "not a JSON object", "write one JSON object on each line")
        return None
    return _Line(findings, number, values)


def _fixture(line: _Line, task: TaskSpec) -> Fixture | None:
    before = len(line.findings.problems)
    for name in line.values:
        if name not in _FIELDS:
            line.wrong(name, "unknown key", near(name, _FIELDS))
    node = _node(line, task)
    if "full" not in line.values:
        line.wrong("full", "`full` is missing", "say whether the record is right: true, false or null")
    full = line.truth("full", None)
    retrieval = line.truth("retrieval", full)
    if conjunction((full, retrieval)) is not full:
        line.wrong(
            "retrieval", f"full={full} cannot be with retrieval={retrieval}", "full includes retrieval"
        )
    fault, why = line.text("fault"), line.text("why")
    if full is True and fault:
        line.wrong("fault", "a record that is right has no fault", 'write "fault": "" or "full": false')
    values = {**_record(line, node, right=full is True), "node": node.name if node else ""}
    if len(line.findings.problems) > before:
        return None
    return Fixture(record=Record.model_validate(values), full=full, retrieval=retrieval, fault=fault, why=why)


def _node(line: _Line, task: TaskSpec) -> NodeSpec | None:
    name = line.text("node") or task.main.name
    known = {node.name: node for node in task.nodes}
    if name not in known:
        line.wrong("node", f"there is no node {name!r}", near(name, known))
    return known.get(name)


def _record(line: _Line, node: NodeSpec | None, *, right: bool) -> dict[str, object]:
    url = line.text("url")
    if right and not url:
        line.wrong("url", "`url` is missing", "a right record cites a page")
    excerpts = line.values.get("excerpts", [])
    if not isinstance(excerpts, list) or not all(isinstance(one, str) for one in excerpts):
        line.wrong("excerpts", "must be a list of strings", 'write "excerpts": ["..."]')
    answer = line.values.get("answer", {})
    if not isinstance(answer, dict):
        line.wrong("answer", "must be an object", 'write "answer": {}')
    return {"item": _item(line, node, right=right), "url": url, "excerpts": excerpts, "answer": answer}


def _item(line: _Line, node: NodeSpec | None, *, right: bool) -> Mapping[str, object]:
    item = line.values.get("item", {})
    if not isinstance(item, dict):
        line.wrong("item", "must be an object", 'write "item": {"company": "..."}')
        return {}
    for name, value in item.items():
        if not isinstance(value, str):
            line.wrong(f"item.{name}", "must be a string", "put the value in quotes")
    if node is not None:
        _check_names(line, item, node, right=right)
    return item


def _check_names(line: _Line, item: Mapping[str, object], node: NodeSpec, *, right: bool) -> None:
    wanted = [name for key in node.entity_keys for name in key.item_fields]
    optional = [name for key in node.entity_keys for name in key.also]
    for name in item:
        if name not in wanted and name not in optional:
            line.wrong(f"item.{name}", f"no key of {node.name!r} has such a field", near(name, wanted))
    for name in wanted if right else ():
        if not str(item.get(name, "")).strip():
            line.wrong(f"item.{name}", "the field is missing or empty", "a right record has all keys")
