"""Who judges when nobody is asked? The stored verdicts of an earlier judge, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_wandr.errors import JudgeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.judges import Answer, Question


@dataclass(frozen=True)
class Replay:
    """The judge `replay`, or `replay:NAME` for the verdicts of the judge NAME. It answers no question."""

    of: str = ""

    @property
    def name(self) -> str:
        """`replay` or `replay:NAME`."""
        return f"replay:{self.of}" if self.of else "replay"

    async def ask(self, questions: Sequence[Question]) -> Sequence[Answer]:  # noqa: ARG002 -- the protocol
        """Never called by a run.

        Raises:
            JudgeError: always.
        """
        raise JudgeError("the judge 'replay' answers no questions: it only knows stored verdicts")

    def choose(self, known: Sequence[str], where: str) -> str:
        """Whose verdicts are meant, of the judges that are known; "" when there is none at all.

        Raises:
            JudgeError: several judges are known and none was named.
        """
        if self.of or not known:
            return self.of
        if len(known) > 1:
            raise JudgeError(
                f"{where} holds verdicts of several judges: {', '.join(known)}. "
                f"Choose one, as in --wandr-judge=replay:{known[0]}"
            )
        return known[0]
