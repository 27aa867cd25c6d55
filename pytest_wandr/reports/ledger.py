"""What was selected, what was scored, what was not? The one place where a run is summed up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_wandr.agreement import pooled
from pytest_wandr.model import RunReport, Unscored
from pytest_wandr.reports.environment import environment
from pytest_wandr.reports.payload import Payload, unpack
from pytest_wandr.rewards import headline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_wandr.model import TaskReport

CRASHED = "the worker process died while it ran this task"
NOT_RUN = "not run: the session ended first"


@dataclass
class Ledger:
    """Outcomes by node id. Order of arrival never matters: everything is sorted on the way out."""

    selected: dict[str, None] = field(default_factory=dict)
    scored: dict[str, Payload] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def select(self, nodeids: Iterable[str]) -> None:
        """These are to be run; workers may say so more than once."""
        self.selected.update(dict.fromkeys(nodeids))

    def commit(self, nodeid: str, text: str) -> Payload:
        """This task was scored; an earlier outcome is replaced."""
        self.failed.pop(nodeid, None)
        payload = self.scored[nodeid] = unpack(text)
        return payload

    def fail(self, nodeid: str, reason: str) -> None:
        """This task could not be scored; an earlier outcome is replaced."""
        self.scored.pop(nodeid, None)
        self.failed[nodeid] = reason

    def crash(self, nodeid: str) -> None:
        """The process died. What had arrived before that stays."""
        if nodeid not in self.scored:
            self.failed[nodeid] = CRASHED

    def payloads(self) -> list[Payload]:
        """Scored tasks by id."""
        return sorted(self.scored.values(), key=lambda payload: payload.report.task_id)

    def run_report(self, *, system: str, judge: str, task_id: Callable[[str], str]) -> RunReport:
        """What the run amounts to. `task_id` names the tasks that never reported."""
        lost = [nodeid for nodeid in self.selected if nodeid not in self.scored]
        return sum_up(
            system=system,
            judge=self._judge(judge),
            tasks=[payload.report for payload in self.scored.values()],
            unscored=[(task_id(nodeid), self.failed.get(nodeid, NOT_RUN)) for nodeid in lost],
            selected=len(self.selected),
        )

    def _judge(self, asked: str) -> str:
        """Who judged, under the name by which verdicts are stored: a replay then reports the same."""
        judges = {payload.judge.removeprefix("replay:") for payload in self.scored.values()} - {""}
        return ", ".join(sorted(judges)) or asked


def sum_up(
    *,
    system: str,
    judge: str,
    tasks: Iterable[TaskReport],
    unscored: Iterable[tuple[str, str]],
    selected: int,
) -> RunReport:
    """The report of a run, whatever the order of its tasks."""
    ordered = tuple(sorted(tasks, key=lambda task: task.task_id))
    return RunReport(
        system=system,
        judge=judge,
        headline=headline([task.rewards for task in ordered]),
        scored=len(ordered),
        selected=selected,
        incomplete=any(task.incomplete for task in ordered),
        tasks=ordered,
        unscored=tuple(Unscored(task_id=name, reason=reason) for name, reason in sorted(unscored)),
        environment=environment(),
        agreement=pooled(each for task in ordered for each in task.agreement),
    )
