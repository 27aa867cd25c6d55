"""Which nodes does a task have? The main one first, then subtasks that begin with its keys."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_wandr.model import KeySpec, NodeSpec, RequirementSpec
from pytest_wandr.task.checking import read_check
from pytest_wandr.task.keys import RESERVED, fold, read_keys

if TYPE_CHECKING:
    from pytest_wandr.task.tables import Table

_FIELDS = ("name", "keys", "answer", "requirements", "overall")
_REQUIREMENT_FIELDS = ("id", "text", "check", "decisive")
_PART = r"[A-Za-z0-9][A-Za-z0-9_-]*"
_NODE_NAME = re.compile(rf"{_PART}(?:\.{_PART})*")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_LONGEST_NAME = 120


def read_nodes(task: Table) -> tuple[NodeSpec, ...]:
    """The nodes of a task, in order."""
    tables = task.tables("nodes")
    if not tables and ("nodes" not in task or task.values["nodes"] == []):
        task.wrong("nodes" if "nodes" in task else None, "a task has at least one node", "write [[nodes]]")
    nodes: list[NodeSpec] = []
    main: tuple[KeySpec, ...] | None = None
    for table in tables:
        node = _node(table, main)
        main = node.keys if main is None else main
        nodes.append(node)
    _check_names(tables)
    return tuple(nodes)


def _node(table: Table, main: tuple[KeySpec, ...] | None) -> NodeSpec:
    table.only(_FIELDS)
    name = table.text("name", needed=True, hint="it is part of a file name: results_<name>.jsonl")
    keys = read_keys(table, main)
    item_fields = tuple(field for key in keys if key.name != "url" for field in key.item_fields)
    answer = _answer(table, item_fields)
    fields = (*item_fields, *answer)
    overall = table.table("overall")
    return NodeSpec(
        name=name,
        keys=keys,
        answer=answer,
        requirements=_requirements(table, fields),
        overall=read_check(overall, fields) if overall else None,
    )


def _answer(table: Table, item_fields: tuple[str, ...]) -> tuple[str, ...]:
    answer = table.texts("answer")
    taken = {*map(fold, item_fields), *RESERVED}
    for index, name in enumerate(answer):
        if fold(name) in taken:
            message = (
                f"the answer field {name!r} is taken by a key, a part of a record or another answer field"
            )
            table.findings.add((*table.path, "answer", index), message, "give each field a name of its own")
        taken.add(fold(name))
    return answer


def _requirements(node: Table, fields: tuple[str, ...]) -> tuple[RequirementSpec, ...]:
    found = []
    seen: set[str] = set()
    for table in node.tables("requirements"):
        requirement = _requirement(table, fields)
        if requirement.id in seen:
            table.wrong("id", f"there are two requirements {requirement.id!r}", "give each an id of its own")
        seen.update({requirement.id} - {""})
        found.append(requirement)
    return tuple(found)


def _requirement(table: Table, fields: tuple[str, ...]) -> RequirementSpec:
    table.only(_REQUIREMENT_FIELDS)
    name = table.text("id", needed=True, hint='a short name for reports: id = "window"')
    if name.strip() and not _ID.fullmatch(name):
        table.wrong("id", f"{name!r} is no id", "use letters, digits, _ and -")
    text = table.text("text", needed=True, hint="one sentence that says what page and excerpts must show")
    inner = table.table("check")
    check = read_check(inner, fields) if inner else None
    decisive = table.flag("decisive")
    if decisive and "check" not in table:
        hint = "add a check, or drop `decisive` and let a judge decide"
        table.wrong("decisive", "there is no check that could decide", hint)
        decisive = False
    return RequirementSpec(id=name, text=text, check=check, decisive=decisive)


def _check_names(tables: list[Table]) -> None:
    """Names are file-safe and differ, also where case does not count; subtasks bear the main node's name."""
    names = [name if isinstance(name := table.values.get("name"), str) else "" for table in tables]
    seen: set[str] = set()
    for index, (table, name) in enumerate(zip(tables, names, strict=True)):
        if not name.strip():
            continue
        if name.casefold() in seen:
            table.wrong("name", f"there are two nodes {name!r}", "give each node a name of its own")
        seen.add(name.casefold())
        if not _NODE_NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
            table.wrong("name", f"{name!r} is not safe in a file name", "use letters, digits, _ and -")
        elif index == 0 and "." in name:
            hint = "the first node is the main one and has no dot in its name; put subtasks below it"
            table.wrong("name", f"{name!r} is the name of a subtask", hint)
        elif index and names[0] and not name.startswith(names[0] + "."):
            table.wrong(
                "name", f"{name!r} does not begin with {names[0] + '.'!r}", f'write "{names[0]}.{name}"'
            )
