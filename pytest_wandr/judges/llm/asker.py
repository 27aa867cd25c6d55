"""Was this asked before? Else it is asked now, and what was paid for is kept at once.

What cannot be used (a refusal, a reply that was cut off or has another shape) is remembered for this run
alone: asking again now would cost the same and say the same, and the next run may try again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeAlias

from pytest_wandr.errors import BudgetExceeded
from pytest_wandr.judges.llm.answers import answer_key
from pytest_wandr.judges.llm.exchange import Said, Unsaid
from pytest_wandr.judges.llm.prompt import with_more_room
from pytest_wandr.judges.llm.schema import BadReply

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_wandr.judges.llm.answers import Answers
    from pytest_wandr.judges.llm.exchange import Model, Prompt

Check: TypeAlias = "Callable[[str], object]"
"""Reads the text of a reply; raises `BadReply` for one that cannot be used."""


class Asker:
    """One model and the answers of one task. It belongs to one event loop."""

    def __init__(self, model: Model, answers: Answers) -> None:
        self.model = model
        self._answers = answers
        self._identity = model.identity
        self._unsaid: dict[str, Unsaid] = {}
        self._asking: dict[str, asyncio.Lock] = {}
        self._stopped: Unsaid | None = None

    def key_of(self, prompt: Prompt, sample: int = 0) -> str:
        """The key of the answer to a prompt."""
        return answer_key(self._identity, prompt, sample)

    def known(self, key: str) -> Said | Unsaid | None:
        """What was said before: an answer of any run, or why there was none in this one."""
        return self._answers.get(key) or self._unsaid.get(key)

    def keep(self, key: str, said: Said) -> None:
        """Store an answer, durably."""
        self._answers.put(key, said)

    async def ask(self, prompt: Prompt, sample: int = 0, *, check: Check | None = None) -> Said | Unsaid:
        """The answer to a prompt, which is paid for once however often and by how many at once it is asked.

        `sample` tells repeats of the same prompt apart. A reply that `check` refuses is none.
        """
        key = self.key_of(prompt, sample)
        async with self._asking.setdefault(key, asyncio.Lock()):
            known = self.known(key)
            return known if known is not None else await self._ask(key, prompt, check)

    async def _ask(self, key: str, prompt: Prompt, check: Check | None) -> Said | Unsaid:
        said = await self.say(prompt)
        if isinstance(said, Unsaid) and said.code == "cut_off":
            again = await self.say(with_more_room(prompt))
            said = said if _refused_more(again) else again
        if isinstance(said, Said) and check is not None:
            said = checked(said, check)
        if isinstance(said, Said):
            self._answers.put(key, said)
        else:
            self._unsaid[key] = said
        return said

    async def say(self, prompt: Prompt) -> Said | Unsaid:
        """Ask the model, whatever was asked before; nothing more once the budget is spent."""
        if self._stopped is not None:
            return self._stopped
        try:
            said = await self.model.say(prompt)
        except BudgetExceeded as error:
            said = Unsaid("no_budget", str(error))
        if isinstance(said, Unsaid) and said.code == "no_budget":
            self._stopped = said
        return said


def _refused_more(said: Said | Unsaid) -> bool:
    """True when the server takes no call with so much room."""
    return isinstance(said, Unsaid) and said.code == "judge_failed"


def checked(said: Said, check: Check) -> Said | Unsaid:
    """A reply that can be used, or why it cannot."""
    try:
        check(said.text)
    except BadReply as error:
        return Unsaid(error.code, str(error), said.model, said.usage)
    return said
