"""What does a run look like in a pull request? One Markdown page, safe whatever the texts hold."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from pytest_wandr.reports.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_wandr.model import Agreement, RunReport, TaskReport

_READINGS = ("full", "retrieval")
_NUMBERS = ("precision", "recall", "f1")


def summary(report: RunReport) -> str:
    """Headline, tasks, what could not be scored."""
    parts = [f"# {_cell(report.system)}: {report.scored} of {report.selected} scored"]
    if report.incomplete:
        parts.append("**Incomplete:** some records are undecided; see the tasks below.")
    if report.headline is not None:
        parts.append(_headline(report.headline))
    if report.tasks:
        parts.append(_tasks(report.tasks))
    if report.agreement:
        parts.append(_agreement(report.agreement))
    if report.unscored:
        rows = [(_cell(task.task_id), _cell(task.reason)) for task in report.unscored]
        parts.append("## Not scored\n\n" + _table(("task", "reason"), rows))
    return "\n\n".join(parts) + "\n"


def _headline(rewards: Mapping[str, float]) -> str:
    rows = [
        (f"{kind} {reading}", *(f"{rewards[f'{kind}_{number}_{reading}']:.4f}" for number in _NUMBERS))
        for kind in ("soft", "hard")
        for reading in _READINGS
    ]
    return _table(("", "precision", "recall", "F1"), rows)


def _tasks(tasks: Iterable[TaskReport]) -> str:
    head = ("task", "soft F1", "hard F1", "wanted", "found", "proven", "undecided", "remarks")
    return "## Tasks\n\n" + _table(head, [_task(task) for task in tasks])


def _task(task: TaskReport) -> tuple[str, ...]:
    counts = task.diagnostics.counts
    undecided = [f"undecided: {cause} {count}" for cause, count in sorted(task.diagnostics.undecided.items())]
    return (
        _cell(task.task_id),
        f"{task.rewards['soft_f1_full']:.4f}",
        f"{task.rewards['hard_f1_full']:.4f}",
        *(str(count) for count in (counts.wanted, counts.found, counts.proven, counts.undecided)),
        _cell("; ".join([*task.gate_failures, *undecided, *task.notes])),
    )


def _agreement(agreed: Iterable[Agreement]) -> str:
    head = ("part", "decisions", "votes each", "agreement", "share of yes", "beyond chance")
    return "## Agreement of the votes\n\n" + _table(head, [_agreed(each) for each in agreed])


def _agreed(agreed: Agreement) -> tuple[str, ...]:
    kappa = "undefined, all votes are alike" if agreed.kappa is None else f"{agreed.kappa:.4f}"
    return (
        _cell(agreed.part),
        str(agreed.decisions),
        str(agreed.samples),
        *("" if value is None else f"{value:.4f}" for value in (agreed.agreement, agreed.base_rate)),
        f"{agreed.statistic} {kappa}" if agreed.compared else "no two votes to compare",
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(text: str) -> str:
    """Text that means only itself: no tables, links, images or tags come out of it."""
    escaped = re.sub(r"([\\`*_\[\]!|~])", r"\\\1", html.escape(one_line(text), quote=False))
    return escaped.replace("://", "&#58;//").replace("www.", "www&#46;")
