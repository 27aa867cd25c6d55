"""Did the last run end, and which of its tasks need not be done again?

<out>/running.json   there while a run goes on; it is left behind by a run that was killed

A task counts when its marker `complete.json` was made from the same inputs and vouches for every file. A new
run that does not resume removes the markers of its tasks first, so nothing older can be taken for its own.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from pytest_wandr.hierarchy.paths import PathRow
from pytest_wandr.markers import (
    COMPLETE,
    SOLVED,
    changed_inputs,
    digests,
    pretty,
    read_marker,
    sweep,
    write_whole,
    writing,
)
from pytest_wandr.model import TaskReport, TaskScore
from pytest_wandr.reports.environment import environment_digest
from pytest_wandr.verdicts import UNANSWERED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


RUNNING = "running.json"


class Result(NamedTuple):
    """What a session keeps of one task: fresh, or taken from disk."""

    report: TaskReport
    paths: tuple[PathRow, ...]
    judge: str = ""
    notes: tuple[str, ...] = ()


def interrupted(out: Path) -> bool:
    """True when the last run in this folder did not end."""
    return (out / RUNNING).exists()


def begin(out: Path, task_ids: Iterable[str], *, resume: bool) -> None:
    """Mark the run as going on. Unless it resumes one that had begun, all its tasks count as not done."""
    marker, _ = read_marker(out / RUNNING)
    cleared = resume and (marker is None or marker.get("state") == "running")
    if not cleared:
        write_whole(out / RUNNING, pretty({"state": "starting"}), durable=True)
        for task_id in task_ids:
            for name in (COMPLETE, SOLVED):
                with writing(out / task_id / name):
                    (out / task_id / name).unlink(missing_ok=True)
    write_whole(out / RUNNING, pretty({"state": "running"}), durable=True)


def end(out: Path) -> None:
    """The run has ended and everything is written."""
    with writing(out / RUNNING):
        (out / RUNNING).unlink(missing_ok=True)
        sweep(out)


def taken(out: Path, task_id: str, inputs: Mapping[str, Any]) -> tuple[Result | None, str | None]:
    """What an interrupted run completed with the same inputs; else None, and why when it is worth a word."""
    folder = out / task_id
    marker, note = read_marker(folder / COMPLETE)
    if marker is None:
        return None, note
    changed = changed_inputs(marker, inputs)
    if marker.get("environment") != environment_digest():
        changed = (*changed, "environment")
    if changed:
        return None, f"not taken from disk: {', '.join(changed)} changed"
    try:
        result = _read(folder, marker)
    except (KeyError, TypeError, OSError, ValidationError):
        result = None
    if result is None:
        return None, "not taken from disk: its files are not whole"
    if unanswered := sorted(UNANSWERED.intersection(result.report.diagnostics.undecided)):
        return (
            None,
            f"not taken from disk: the judge gave no answer ({', '.join(unanswered)}), so it is asked",
        )
    sweep(folder)
    return result, None


def is_whole(out: Path, report: TaskReport) -> bool:
    """True when a task's files are there as its markers say, and are those that gave this report."""
    folder = out / report.task_id
    if folder.parent != out or folder.name != report.task_id:
        return False
    marker, _ = read_marker(folder / COMPLETE)
    solved, _ = read_marker(folder / SOLVED)
    if marker is None or solved is None or marker.get("report") != report.model_dump(mode="json"):
        return False
    told, delivered = marker.get("files"), solved.get("files")
    if not isinstance(told, dict) or not isinstance(delivered, dict):
        return False
    there = digests(folder)
    files = {**told, **{f"submission/{name}": digest for name, digest in delivered.items()}}
    return all(there.get(name) == digest for name, digest in files.items())


def _read(folder: Path, marker: Mapping[str, Any]) -> Result | None:
    bodies = {name: (folder / name).read_bytes() for name in marker["files"]}
    if any(hashlib.sha256(body).hexdigest() != marker["files"][name] for name, body in bodies.items()):
        return None
    score = TaskScore.model_validate_json(bodies["score.json"])
    report = TaskReport.model_validate(marker["report"])
    paths = tuple([PathRow(**path.model_dump()) for path in score.paths])
    return Result(report, paths, marker["inputs"]["judge"], ("complete before, taken from disk",))
