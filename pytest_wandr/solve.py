"""Stage 1: what did the system deliver? Run it, save everything as delivered, then read the records.

Channels, best first, for each node: the file `results_<node>.jsonl`; another results file when exactly one
node and one file are left over; the final answer's text. Channels of one node are never merged.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING, Any

from pytest_wandr.errors import SystemFailed, WandrError
from pytest_wandr.markers import writing
from pytest_wandr.model import Parsed, Record, Rejected, Submission
from pytest_wandr.records import read_records, write_records
from pytest_wandr.systems import Answer
from pytest_wandr.systems.delivered import note_delivery, replace_folder
from pytest_wandr.systems.directory import read_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pytest_wandr.model import NodeSpec, TaskSpec
    from pytest_wandr.systems import Delivered, SolveContext, System

ANSWER_FILE = "answer.txt"
_RAW = 200


async def solve(  # noqa: PLR0913 -- what is asked of whom, and where it goes
    task: TaskSpec,
    system: System,
    ctx: SolveContext,
    *,
    name: str,
    keep: Path,
    inputs: Mapping[str, Any] | None = None,
) -> Submission:
    """Ask the system, keep what it delivered under `keep`, and read it.

    `ctx.outdir` is emptied first and becomes `keep` at the end, so an earlier delivery is replaced only
    by a new one. With `inputs`, a marker beside `keep` says what the delivery was made from.

    Raises:
        SystemFailed: the system raised, or it was stopped at its deadline with nothing delivered.
        CannotWrite: there is no room for what was delivered, say.
    """
    with writing(ctx.outdir):
        if ctx.outdir.exists():
            shutil.rmtree(ctx.outdir)
        ctx.outdir.mkdir(parents=True)
    answer = await _ask(system, task, ctx, name)
    if not ctx.outdir.is_dir():
        raise SystemFailed(
            f"system {name!r} removed its output folder {ctx.outdir} while it solved {task.id}"
        )
    with writing(ctx.outdir):
        _save(task, answer, ctx.outdir)
    if inputs is not None:
        note_delivery(ctx.outdir, keep, answer, inputs)
    with writing(keep):
        replace_folder(ctx.outdir, keep)
    return read_submission(task, keep, name=name, answer=answer)


async def _ask(system: System, task: TaskSpec, ctx: SolveContext, name: str) -> Answer:
    try:
        async with asyncio.timeout(ctx.deadline):
            return _as_answer(task, await system.solve(task, ctx))
    except TimeoutError as error:
        state = f"stopped at the deadline of {ctx.deadline or 0:g} s"
        if ctx.deadline is None:  # the system's own time-out, not ours
            raise SystemFailed(f"system {name!r} raised TimeoutError on {task.id}: {error}") from error
        if not read_folder(ctx.outdir):
            raise SystemFailed(
                f"system {name!r} was {state} on {task.id} and had written no results"
            ) from None
        return Answer(state=state)
    except WandrError:
        raise
    except Exception as error:  # foreign code may raise anything; the cause is chained and shown
        raise SystemFailed(f"system {name!r} raised {type(error).__name__} on {task.id}: {error}") from error


def _as_answer(task: TaskSpec, delivered: Delivered) -> Answer:
    if isinstance(delivered, Answer):
        return delivered
    if delivered is None:
        return Answer()
    if isinstance(delivered, str):
        return Answer(texts=(delivered,))
    if not isinstance(delivered, Mapping):
        return Answer(records=_by_node(task, _rows(task, delivered)))
    files = {
        _file(task, node): text.encode("utf-8", "surrogatepass")
        for node, text in delivered.items()
        if isinstance(text, str)
    }
    records = {node: _rows(task, rows) for node, rows in delivered.items() if not isinstance(rows, str)}
    return Answer(files=files, records=records)


def _rows(task: TaskSpec, rows: object) -> list[Any]:
    """Records in a sequence: in anything else they have no order, or are none."""
    if isinstance(rows, Iterable) and not isinstance(rows, bytes | Mapping | Set):
        return list(rows)
    raise SystemFailed(
        f"the system returned {type(rows).__name__} for {task.id}; return a list of records, "
        "{node: list of records}, the text of an answer, or None when the results files are written"
    )


def _by_node(task: TaskSpec, rows: Sequence[Any]) -> Mapping[str, list[Any]]:
    nodes: dict[str, list[Any]] = {}
    for row in rows:
        nodes.setdefault(row.node if isinstance(row, Record) else task.main.name, []).append(row)
    return nodes


def _file(task: TaskSpec, node: str) -> str:
    try:
        return task.node(node).file_name
    except KeyError:
        known = ", ".join(n.name for n in task.nodes)
        raise WandrError(f"records for {node!r}, but the nodes of {task.id} are {known}") from None


def _save(task: TaskSpec, answer: Answer, folder: Path) -> None:
    """Write the artefacts as delivered. Files that the system wrote itself stay as they are."""
    for file_name, body in answer.files.items():
        (folder / file_name).write_bytes(body)
    for node, rows in answer.records.items():
        name = _file(task, node)
        (folder / name).write_bytes(b"".join(_line(row, name) for row in rows))
    if answer.texts:
        (folder / ANSWER_FILE).write_bytes("\n\n".join(answer.texts).encode("utf-8", "surrogatepass"))


def _line(row: Any, name: str) -> bytes:
    """A record as JSON; a lone surrogate becomes the escape that JSON has for it."""
    try:
        text = json.dumps(_plain(row), ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise SystemFailed(
            f"a record for {name} cannot be written as JSON: {error}; use texts, numbers, lists and dicts"
        ) from error
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _plain(row: Any) -> Any:
    return row.model_dump(mode="json", exclude={"node"}) if isinstance(row, Record) else row


def read_submission(task: TaskSpec, folder: Path, *, name: str, answer: Answer | None = None) -> Submission:
    """Read a delivery from its folder. The same files give the same submission, whoever wrote them."""
    files = read_folder(folder)
    text = files.pop(ANSWER_FILE, b"").decode("utf-8", "surrogateescape")
    chosen, unread = _claim(task, files)
    parsed = {node.name: _read(chosen[node.name], node) for node in task.nodes if node.name in chosen}
    left = [node for node in task.nodes if node.name not in chosen]
    parsed |= _from_text(task, left, text)
    notes = {node: result.notes for node, result in sorted(parsed.items()) if result.notes}
    said = [answer.state] if answer is not None and answer.state != "done" else []
    if unread:
        said.append(f"files that belong to no node were not read: {', '.join(unread)}")
    if said:
        notes["system"] = tuple(said)
    return Submission(
        task_id=task.id,
        system=name,
        records=tuple(record for node in task.nodes for record in _get(parsed, node).records),
        rejected=tuple(line for node in task.nodes for line in _get(parsed, node).rejected),
        notes=notes,
        usage=answer.usage if answer else None,
    )


def _read(body: str | bytes, node: NodeSpec) -> Parsed:
    """The records of a file. A blank file, or an empty array, holds nothing that could fail."""
    said = body.strip()
    return (
        Parsed(notes=("nothing_delivered",)) if said in {b"", b"[]", "", "[]"} else read_records(body, node)
    )


def _get(parsed: Mapping[str, Parsed], node: NodeSpec) -> Parsed:
    return parsed.get(node.name, Parsed())


def _claim(task: TaskSpec, files: Mapping[str, bytes]) -> tuple[dict[str, str | bytes], list[str]]:
    """Which file belongs to which node, and which files belong to none."""
    named: dict[str, str | bytes] = {n.name: files[n.file_name] for n in task.nodes if n.file_name in files}
    spare = [f for f in files if f.endswith((".jsonl", ".json")) and not f.startswith("usage.")]
    spare = [f for f in spare if f not in {node.file_name for node in task.nodes}]
    missing = [node.name for node in task.nodes if node.name not in named]
    if len(missing) == 1 and len(spare) == 1:
        named[missing[0]] = files[spare.pop()]
    return named, spare


def _from_text(task: TaskSpec, nodes: Sequence[NodeSpec], text: str) -> dict[str, Parsed]:
    """Records from a final answer: all of it for a single node, else what stands under each node's name."""
    if not nodes or not text.strip():
        return {}
    if len(task.nodes) == 1:
        return {nodes[0].name: read_records(text, nodes[0])}
    parts = _sections(task, text)
    parsed = {node.name: read_records(parts[node.name], node) for node in nodes if node.name in parts}
    stray = parts.get("", "")
    if "{" in stray:
        known = parsed.get(nodes[0].name, Parsed())
        lost = (*known.rejected, *_nobodys(stray, nodes[0]))
        parsed[nodes[0].name] = known.model_copy(update={"rejected": lost})
    return parsed


def _nobodys(text: str, node: NodeSpec) -> list[Rejected]:
    """One failing line for each thing that a node would have got, had the text named one."""
    found = read_records(text, node)
    raws = [write_records([record]) for record in found.records] + [line.raw for line in found.rejected]
    return [Rejected(node=node.name, line=1, code="node_not_named", raw=raw.strip()[:_RAW]) for raw in raws]


def _sections(task: TaskSpec, text: str) -> dict[str, str]:
    """Split a text at the lines that name a node and hold no record; "" is what comes before the first."""
    names = sorted((node.name for node in task.nodes), key=len, reverse=True)
    one = r"(?<![\w.-])(?:results_)?{}(?![\w-]|\.(?!jsonl?\b)\w)"
    marker = re.compile("|".join(one.format(re.escape(name)) for name in names))
    sections: dict[str, list[str]] = {"": []}
    current = ""
    for line in text.split("\n"):
        found = None if "{" in line or '"' in line else marker.search(line)
        if found:
            current = next(name for name in names if name in found.group())
            sections.setdefault(current, [])
            line = "```" if line.lstrip().startswith("```") else ""  # noqa: PLW2901 -- only the name goes
        sections[current].append(line)
    return {node: "\n".join(lines) for node, lines in sections.items()}
