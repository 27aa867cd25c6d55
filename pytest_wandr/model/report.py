"""What does a whole run amount to?"""

from __future__ import annotations

from collections.abc import Mapping

from pytest_wandr.model.base import Frozen
from pytest_wandr.model.score import Diagnostics
from pytest_wandr.model.submission import Usage


class TaskReport(Frozen):
    """One task in a run report: its score without the tree. `notes` is what went wrong on the way."""

    task_id: str
    title: str
    digest: str
    rewards: Mapping[str, float]
    diagnostics: Diagnostics
    incomplete: bool
    gate_failures: tuple[str, ...] = ()
    usage: Usage | None = None
    notes: tuple[str, ...] = ()


class Unscored(Frozen):
    """A task that could not be scored, and why. It is never averaged in as 0."""

    task_id: str
    reason: str


class RunReport(Frozen):
    """A whole run. `headline` is None when no task was scored."""

    system: str
    judge: str
    headline: Mapping[str, float] | None
    scored: int
    selected: int
    incomplete: bool
    tasks: tuple[TaskReport, ...] = ()
    unscored: tuple[Unscored, ...] = ()
    environment: Mapping[str, str] = {}
