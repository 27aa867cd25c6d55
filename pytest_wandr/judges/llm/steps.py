"""How far is a judge with the questions of a task? For the eyes alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.progress import Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_wandr.judges import Answer
    from pytest_wandr.judges.llm.exchange import Model
    from pytest_wandr.progress import Watch


class Count:
    """How many of `total` questions have an answer, which of these decide nothing, what it has cost since."""

    def __init__(self, total: int, watch: Watch, models: Sequence[Model]) -> None:
        self._total = total
        self._watch = watch
        self._models = models
        self._before = _spent(models)
        self._done = self._undecided = 0
        self._tell()

    def add(self, answers: Iterable[Answer]) -> None:
        """These are new."""
        for answer in answers:
            self._done += 1
            self._undecided += _is_undecided(answer)
        self._tell()

    def _tell(self) -> None:
        cost = _spent(self._models) - self._before
        self._watch(Step("judge", self._done, self._total, self._undecided, spent=cost))


def _spent(models: Iterable[Model]) -> float:
    return float(sum(getattr(model, "spent", 0) for model in models))


def _is_undecided(answer: Answer) -> bool:
    parts = [part for each in answer.requirements for part in (each.satisfied, each.supported)]
    return any(part.value is None for part in parts)
