"""What can others plug in? Two hooks that supply a system and a judge, three that follow a run.

Implement them in a `conftest.py` or in a plugin. The reporting hooks are called in the controlling
process alone, never in a worker of pytest-xdist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_wandr.judges import Judge
    from pytest_wandr.model import PathOutcome, RunReport, TaskReport
    from pytest_wandr.systems import System


@pytest.hookspec(firstresult=True)
def pytest_wandr_make_system(config: pytest.Config, name: str) -> System | None:
    """The system that `--wandr-system=NAME` means, or None when the name is not yours.

    Called once in each process that runs tasks, after collection, so a `conftest.py` beside the
    tasks counts. A name from this hook wins over a built-in one. A system is anything with
    `async def solve(task, ctx)`, or a plain function.
    """


@pytest.hookspec(firstresult=True)
def pytest_wandr_make_judge(config: pytest.Config, name: str) -> Judge | None:
    """The judge that `--wandr-judge=NAME` means, or None when the name is not yours."""


@pytest.hookspec
def pytest_wandr_path(task_id: str, path: PathOutcome, config: pytest.Config) -> None:
    """One hierarchy path of a scored task: proven, unproven, undecided or missing."""


@pytest.hookspec
def pytest_wandr_task_scored(report: TaskReport, config: pytest.Config) -> None:
    """One task was scored. Follows all of its paths; tasks come in the order in which they end."""


@pytest.hookspec
def pytest_wandr_scores(report: RunReport, config: pytest.Config) -> None:
    """The run has ended and `scores.json` is written."""
