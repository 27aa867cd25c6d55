"""What does a whole run amount to?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pytest_wandr.model.base import Frozen, Sparse
from pytest_wandr.model.score import Diagnostics
from pytest_wandr.model.submission import Usage


class Agreement(Frozen):
    """How far the samples of a panel agree about one part: `satisfied`, `supported` or `overall_valid`.

    `patterns` counts decisions by their votes (see `agreement`); the rest follows from it. `compared` are the
    decisions with two votes or more, `agreement` the chance that two votes on one of them agree, `base_rate`
    the share of yes among all votes. `kappa` is what `statistic` names; None: undefined, no variance.
    """

    part: str
    samples: int
    decisions: int
    compared: int
    agreement: float | None
    base_rate: float | None
    statistic: str
    kappa: float | None
    patterns: Mapping[str, int]


class TaskReport(Sparse):
    """One task in a run report: its score without the tree. `notes` is what went wrong on the way."""

    sparse: ClassVar[tuple[str, ...]] = ("agreement",)

    task_id: str
    title: str
    digest: str
    rewards: Mapping[str, float]
    diagnostics: Diagnostics
    incomplete: bool
    gate_failures: tuple[str, ...] = ()
    usage: Usage | None = None
    notes: tuple[str, ...] = ()
    agreement: tuple[Agreement, ...] = ()


class Unscored(Frozen):
    """A task that could not be scored, and why. It is never averaged in as 0."""

    task_id: str
    reason: str


class RunReport(Sparse):
    """A whole run. `headline` is None when no task was scored."""

    sparse: ClassVar[tuple[str, ...]] = ("agreement",)

    system: str
    judge: str
    headline: Mapping[str, float] | None
    scored: int
    selected: int
    incomplete: bool
    tasks: tuple[TaskReport, ...] = ()
    unscored: tuple[Unscored, ...] = ()
    environment: Mapping[str, str] = {}
    agreement: tuple[Agreement, ...] = ()
