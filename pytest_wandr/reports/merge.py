"""How do the shards of a CI matrix become one run again? The same bytes as a run without shards."""

from __future__ import annotations

import shutil
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from pytest_wandr.errors import WandrError
from pytest_wandr.markers import read_marker, writing
from pytest_wandr.model import RunReport
from pytest_wandr.reports.json import write_run
from pytest_wandr.reports.ledger import sum_up
from pytest_wandr.reports.resume import interrupted, is_whole
from pytest_wandr.reports.shards import SHARD, is_shard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


class _Part(NamedTuple):
    folder: Path
    marker: dict[str, Any]
    report: RunReport

    @property
    def task_ids(self) -> list[str]:
        return [*(t.task_id for t in self.report.tasks), *(t.task_id for t in self.report.unscored)]


def merge(out: Path, folders: Sequence[Path]) -> RunReport:
    """Make one output folder of the output folders of all shards.

    Raises:
        WandrError: a shard is missing, given twice, unfinished, damaged, or belongs to another run.
        CannotWrite: there is no room, say.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise WandrError(f"{out} is not empty; merge into a new folder")
    parts = [_read(folder) for folder in folders]
    _refuse_strangers(parts)
    _refuse_gaps(parts)
    _refuse_overlaps(parts)
    _refuse_losses(parts)
    report = sum_up(
        system=parts[0].report.system,
        judge=_judge(parts),
        tasks=[task for part in parts for task in part.report.tasks],
        unscored=[(lost.task_id, lost.reason) for part in parts for lost in part.report.unscored],
        selected=sum(part.report.selected for part in parts),
    ).model_copy(update={"environment": parts[0].report.environment})
    _write(out, parts, report)
    return report


def _read(folder: Path) -> _Part:
    if interrupted(folder):
        raise WandrError(f"{folder}: this shard did not end; run it again with --wandr-resume")
    marker, torn = read_marker(folder / SHARD)
    torn = torn or (None if marker is None or is_shard(marker) else "of another form")
    if marker is None or torn:
        what = f"{SHARD} is torn" if torn else f"there is no {SHARD}"
        raise WandrError(f"{folder}: {what}; it is no output folder of a run with --wandr-shard")
    try:
        return _Part(folder, marker, RunReport.model_validate_json((folder / "scores.json").read_bytes()))
    except (OSError, ValidationError) as error:
        raise WandrError(f"{folder}: scores.json cannot be read; run this shard again") from error


def _refuse_strangers(parts: Sequence[_Part]) -> None:
    """All shards come from one suite, system, judge, and from machines with the same versions."""
    told: dict[str, Callable[[_Part], object]] = {
        "number of shards": lambda part: part.marker["of"],
        "suite of tasks": lambda part: part.marker["suite"],
        "system": lambda part: part.report.system,
        "effort": lambda part: part.marker["effort"],
        "environment": lambda part: dict(part.report.environment),
    }
    for part in parts[1:]:
        for what, value in told.items():
            if value(part) != value(parts[0]):
                raise WandrError(
                    f"{part.folder} has another {what} than {parts[0].folder}: "
                    f"{_difference(value(part), value(parts[0]))}"
                )


def _difference(one: object, other: object) -> str:
    if isinstance(one, dict) and isinstance(other, dict):
        names = [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]
        return ", ".join(f"{name} {one.get(name)}, not {other.get(name)}" for name in names)
    return f"{one}, not {other}"


def _judge(parts: Sequence[_Part]) -> str:
    """Who judged. A shard without any task cannot say whose stored verdicts a replay would have used."""
    told = {part.report.judge for part in parts if part.report.tasks} or {parts[0].report.judge}
    if len(told) > 1:
        raise WandrError(f"the shards were judged by different judges: {', '.join(sorted(told))}")
    return told.pop()


def _refuse_gaps(parts: Sequence[_Part]) -> None:
    of = parts[0].marker["of"]
    given = Counter(part.marker["shard"] for part in parts)
    missing = [f"{number}/{of}" for number in range(1, of + 1) if number not in given]
    if missing:
        raise WandrError(f"shards are missing: {', '.join(missing)}")
    twice = [f"{number}/{of}" for number, count in sorted(given.items()) if count > 1]
    if twice:
        raise WandrError(f"shards are given more than once: {', '.join(twice)}")


def _refuse_overlaps(parts: Sequence[_Part]) -> None:
    where: dict[str, Path] = {}
    for part in parts:
        for task_id in sorted(set(part.task_ids)):
            other = where.setdefault(task_id, part.folder)
            if other != part.folder:
                raise WandrError(f"the task {task_id} is in {other} and in {part.folder}")


def _refuse_losses(parts: Sequence[_Part]) -> None:
    """Of each task all files are there, as its markers say: a part may have been lost on the way."""
    for part in parts:
        for task in part.report.tasks:
            if not is_whole(part.folder, task):
                raise WandrError(
                    f"{part.folder}: the files of the task {task.task_id} are not whole, or not those of its "
                    "score; fetch this shard again, or run it again with --wandr-resume"
                )


def _write(out: Path, parts: Sequence[_Part], report: RunReport) -> None:
    """Into a folder beside it, then renamed: whoever sees `out` sees all of it."""
    beside = out.with_name(out.name + ".merging")
    with writing(out):
        if beside.exists():
            shutil.rmtree(beside)
        for part in parts:
            for task_id in part.task_ids:
                if (part.folder / task_id).is_dir():
                    shutil.copytree(part.folder / task_id, beside / task_id, dirs_exist_ok=True)
        write_run(beside, report)
        if out.exists():
            out.rmdir()
        beside.rename(out)
