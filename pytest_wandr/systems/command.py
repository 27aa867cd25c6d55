"""How does a program in any language become a system? `cmd:...` runs it, deadline and clean-up included.

The command is split as a shell would, but no shell runs. It gets, as placeholders `{...}` in its
arguments and as environment variables:

    {instruction}       WANDR_INSTRUCTION       what is asked (also on standard input)
    {instruction_file}  WANDR_INSTRUCTION_FILE  the same in a file
    {task_json}         WANDR_TASK_JSON         nodes, keys and counts as a JSON file
    {task_id}           WANDR_TASK_ID
    {outdir}            WANDR_OUTDIR            where results_<node>.jsonl go
    {pages}             WANDR_PAGES             the recorded pages: TSV, a passage a line: url, passage
    {effort}            WANDR_EFFORT

Standard output counts as the final answer when there are no results files. `usage.json` in the output
folder is read as usage.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import signal
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pytest_wandr.errors import SubmissionError, SystemFailed
from pytest_wandr.model import Usage
from pytest_wandr.systems import Answer
from pytest_wandr.systems.directory import read_folder

if TYPE_CHECKING:
    from pytest_wandr.model import TaskSpec
    from pytest_wandr.systems import SolveContext

_GRACE = 5.0
_TAIL = 2000
USAGE_FILE = "usage.json"


@dataclass(frozen=True)
class Command:
    """Runs one command line per task, from the root folder's point of view."""

    line: str
    rootdir: Path

    async def solve(self, task: TaskSpec, ctx: SolveContext) -> Answer:
        """Run the command; results files are taken from the output folder by the solve stage.

        A non-zero exit with results is an answer with that `state`. When the stage's deadline cancels
        this call, the whole process group ends.

        Raises:
            SystemFailed: it cannot be started, or it failed and left no results.
        """
        with tempfile.TemporaryDirectory(prefix="wandr-") as scratch:
            values = _prepare(task, ctx, Path(scratch))
            words = [_fill(word, values) for word in _split(self.line)]
            out, err, status = await self._run(words, values)
        if status and not read_folder(ctx.outdir):
            tail = err[-_TAIL:].decode("utf-8", "replace").strip() or "nothing"
            raise SystemFailed(
                f"cmd:{self.line} ended with exit status {status} and no results; it said: {tail}"
            )
        texts = (out.decode("utf-8", "replace"),) if out.strip() else ()
        return Answer(
            texts=texts, usage=_usage(ctx.outdir), state=f"exit status {status}" if status else "done"
        )

    async def _run(self, words: list[str], values: dict[str, str]) -> tuple[bytes, bytes, int]:
        if not words:
            raise SystemFailed("cmd: names no program; it should be cmd:PROGRAM ARGUMENT ...")
        environment = os.environ | {f"WANDR_{name.upper()}": value for name, value in values.items()}
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                cwd=self.rootdir,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise SystemFailed(f"cmd:{self.line} cannot be started: {error}") from None
        try:
            out, err = await process.communicate(values["instruction"].encode())
        finally:
            await _end_group(process)
        return out, err, process.returncode or 0


async def _end_group(process: asyncio.subprocess.Process) -> None:
    """TERM, a grace period for the leader, KILL: grandchildren of an ended leader are in the same group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_GRACE):
                await process.wait()
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


def _prepare(task: TaskSpec, ctx: SolveContext, scratch: Path) -> dict[str, str]:
    """The values for placeholders and environment; the files among them are written."""
    instruction = scratch / "instruction.md"
    instruction.write_text(task.instruction, encoding="utf-8")
    asked = scratch / "task.json"
    asked.write_text(json.dumps(_public(task), indent=1), encoding="utf-8")
    pages = scratch / "pages.tsv"
    with pages.open("w", encoding="utf-8", errors="surrogateescape") as lines:
        for page in ctx.corpus.pages():
            lines.writelines(f"{page.url}\t{block.replace(chr(9), ' ')}\n" for block in page.blocks)
    return {
        "instruction": task.instruction,
        "instruction_file": str(instruction),
        "task_json": str(asked),
        "task_id": task.id,
        "outdir": str(ctx.outdir.resolve()),
        "pages": str(pages),
        "effort": ctx.effort or "",
    }


def _public(task: TaskSpec) -> dict[str, object]:
    nodes = [
        {
            "name": node.name,
            "file": node.file_name,
            "keys": [{"name": k.name, "fields": k.item_fields, "required": k.required} for k in node.keys],
            "answer": node.answer,
            "requirements": [requirement.text for requirement in node.requirements],
        }
        for node in task.nodes
    ]
    return {"id": task.id, "title": task.title, "nodes": nodes}


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise SystemFailed(f"cmd:{line} cannot be split into words: {error}") from error


def _fill(word: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        word = word.replace("{" + name + "}", value)
    return word


def _usage(outdir: Path) -> Usage | None:
    path = outdir / USAGE_FILE
    if not path.is_file():
        return None
    try:
        return Usage.model_validate_json(path.read_bytes())
    except ValidationError as error:
        fields = ", ".join(Usage.model_fields)
        raise SubmissionError(f"{path} is not a usage report (fields: {fields}): {error}") from error
