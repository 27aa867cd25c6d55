"""The public names as a user's type checker sees them: checked by mypy, never run."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_wandr.evidence import find_excerpt, page_problem, read_page
from pytest_wandr.fetch import refuse_url
from pytest_wandr.identity import cluster, compare, url_key
from pytest_wandr.model import (
    Page,
    Record,
    RecordVerdict,
    RunReport,
    Submission,
    TaskScore,
    TaskSpec,
)
from pytest_wandr.records import read_records
from pytest_wandr.rewards import branch_rewards, headline, record_rewards
from pytest_wandr.score import score_task
from pytest_wandr.systems import Answer, SolveContext, System
from pytest_wandr.task import load_task


class Mine:
    async def solve(self, task: TaskSpec, ctx: SolveContext) -> Answer:
        hits = ctx.corpus.search(task.title, limit=3)
        return Answer(records={task.main.name: [{"item": {}, "url": hit.url} for hit in hits]})


system: System = Mine()
task: TaskSpec = load_task("tasks/one")
records: tuple[Record, ...] = read_records(b"", task.main).records
submission = Submission(task_id=task.id, system="mine", records=records)
verdicts = [RecordVerdict.of(full=True, page=Page(url="", final_url="")) for _ in records]
score: TaskScore = score_task(task, records, verdicts, rejected=submission.rejected)
rewards: Mapping[str, float] = score.rewards
mean: Mapping[str, float] | None = headline([rewards])
credit: float | None = record_rewards(task, records, verdicts)[0].credit
recall: float = branch_rewards(task, records, verdicts)[0].recall
page = read_page(b"", media_type="text/html", url="https://a.example/")
faithful: bool = find_excerpt(page, "words").faithful
problem: str | None = page_problem(page, status=200)
refused: str | None = refuse_url("http://127.0.0.1/", resolved=["127.0.0.1"])
same: bool = compare("company", "a", "b") == "same"
groups: list[list[int]] = cluster("person", ["a", "b"], policy="strict")
key: str = url_key("https://a.example/")
report: RunReport = RunReport(
    system="mine", judge="rules", headline=None, scored=0, selected=0, incomplete=False
)
