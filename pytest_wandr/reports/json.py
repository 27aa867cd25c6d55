"""Which files does a run leave? A reader never sees half a file, and the bytes are the same each time.

<out>/scores.json              the whole run
<out>/summary.md               the same for people
<out>/<task>/submission/       as delivered (written by the solve stage, before anything is read)
<out>/<task>/solved.json       what that was made from (the same stage)
<out>/<task>/verdicts.jsonl    one line for each record, in the order of the submission
<out>/<task>/score.json        the score with its tree and paths
<out>/<task>/reward.json       the twelve rewards as one flat mapping
<out>/<task>/complete.json     the marker, last: inputs, the report, digests of what the other files hold
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_wandr.markers import COMPLETE, pretty, sweep, write_pieces, write_whole
from pytest_wandr.model import digest_of
from pytest_wandr.reports.environment import environment_digest
from pytest_wandr.reports.lines import score_text, verdicts_text
from pytest_wandr.reports.markdown import summary

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_wandr.model import RunReport, Submission
    from pytest_wandr.pipeline import Evaluation

MARKER = COMPLETE


def write_run(out: Path, report: RunReport) -> None:
    """`scores.json` and `summary.md`."""
    _write(out / "scores.json", pretty(report.model_dump(mode="json")))
    _write(out / "summary.md", _bytes(summary(report)))


def write_task(out: Path, evaluation: Evaluation) -> None:
    """Everything about one task. An earlier marker goes first, the new one comes last."""
    folder = out / evaluation.task.id
    (folder / MARKER).unlink(missing_ok=True)
    sweep(folder)
    files: dict[str, Iterable[bytes]] = {
        "verdicts.jsonl": map(_bytes, verdicts_text(evaluation.submission.records, evaluation.verdicts)),
        "score.json": [_bytes(score_text(evaluation.score))],
        "reward.json": [pretty(reward_file(evaluation.score.rewards))],
    }
    marker = {
        "task": evaluation.task.digest,
        "submission": _digest(evaluation.submission),
        "inputs": dict(evaluation.inputs),
        "environment": environment_digest(),
        "report": evaluation.report.model_dump(mode="json"),
        "files": {name: write_pieces(folder / name, pieces) for name, pieces in files.items()},
    }
    _write(folder / MARKER, pretty(marker))


def _digest(submission: Submission) -> str:
    """sha256 of what was delivered, whatever it cost; records are in there by their own digests."""
    rest = submission.model_dump(mode="json", exclude={"usage", "records"})
    return digest_of(rest | {"records": [record.digest for record in submission.records]})


def reward_file(rewards: Any) -> dict[str, float]:
    """The flat shape that trainers read: the twelve rewards, and `reward` and `grade`, which are soft F1."""
    return {**rewards, "reward": rewards["soft_f1_full"], "grade": rewards["soft_f1_full"]}


def _bytes(text: str) -> bytes:
    """UTF-8; a lone surrogate becomes the escape that JSON has for it."""
    return text.encode("utf-8", "backslashreplace")


def _write(path: Path, body: bytes) -> None:
    write_whole(path, body)
