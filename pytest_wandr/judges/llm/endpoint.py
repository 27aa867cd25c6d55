"""How is a model asked, once and for money? Turn, reservation, call, settlement; again when it is worth it.

No call is lost or made twice unknowingly: each attempt is reserved on its own, and one whose outcome nobody
knows counts at its worst.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pytest_wandr.errors import BudgetExceeded, JudgeError
from pytest_wandr.judges.llm.costs import believable, cost_of, worst_case
from pytest_wandr.judges.llm.exchange import Said, Unsaid, Usage
from pytest_wandr.judges.llm.patience import RETRYABLE, UNCERTAIN, delay, retry_after
from pytest_wandr.judges.llm.post import Door, Lost, Reply
from pytest_wandr.judges.llm.secret import Secret, usable
from pytest_wandr.judges.llm.turns import LONGEST_PAUSE, Turns
from pytest_wandr.judges.llm.wires import WIRES
from pytest_wandr.judges.llm.wires.reading import at, message_of, parsed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    import httpx
    from pydantic import JsonValue

    from pytest_wandr.budget import Ledger, Ticket
    from pytest_wandr.judges import Setup
    from pytest_wandr.judges.llm.config import JudgeConfig
    from pytest_wandr.judges.llm.exchange import Prompt

ATTEMPTS = 5
FAILURES = 10
_LOST_ATTEMPTS = 2
_POLL = 0.1
_OF_ONE_REQUEST = frozenset({400, 413, 422})


@dataclass(frozen=True)
class Surroundings:
    """What an endpoint uses of the world around it. `now` is seconds since 1970.

    The environment holds keys, so it does not show.
    """

    environ: Mapping[str, str] = field(repr=False)
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    now: Callable[[], float] = time.time
    clock: Callable[[], float] = time.monotonic


class Endpoint:
    """A model behind a server; see `exchange.Model`."""

    def __init__(
        self, config: JudgeConfig, setup: Setup, ledger: Ledger, around: Surroundings | None = None
    ) -> None:
        """Ready to be asked; nothing is written or dialled yet.

        Raises:
            JudgeError: there is no key, or a cap in dollars and no price.
        """
        if ledger.cap.dollars is not None and config.price is None:
            raise JudgeError(_no_price(config))
        self.config = config
        self._around = around or Surroundings(os.environ)
        self._ledger = ledger
        self._wire = WIRES[config.protocol]
        secret = Secret(self._around.environ.get(config.key_name, "") if config.key_name else "")
        self._secret = usable(secret, config.key_name, whose=config.name)
        self._door = Door(
            config.url, key_header=self._wire.key_header, secret=self._secret, timeout=config.timeout
        )
        self._turns = Turns(
            setup.run,
            config.url,
            concurrency=config.concurrency,
            per_minute=config.per_minute,
            clock=self._around.clock,
            sleep=self._around.sleep,
        )
        self._left_out: set[str] = set()
        self._failures = 0
        self._last_failure = ""
        self._begun = False
        self.spent = Decimal(0)
        """Dollars that calls of this process have cost, those of unknown cost at their worst."""

    def __repr__(self) -> str:
        return f"<Endpoint {self.config.protocol} {self.config.model}>"

    @property
    def identity(self) -> Mapping[str, JsonValue]:
        """Protocol, host, model and parameters, as configured."""
        return self.config.identity

    async def say(self, prompt: Prompt) -> Said | Unsaid:
        """Ask once. Waits for its turn, stays within the budget, tries again what is worth it.

        Raises:
            CannotWrite: the ledger or the folder of turns cannot be written.
        """
        if self._failures >= FAILURES:
            why = f"it failed {FAILURES} times in a row and is not asked any more: {self._last_failure}"
            return Unsaid("judge_down", why)
        self._begin()
        async with self._door.opened() as client:
            try:
                return await self._tried(prompt, client)
            except BudgetExceeded as error:
                return Unsaid("no_budget", str(error))

    def _begin(self) -> None:
        """What a reader of the run should know of this judge, once."""
        if self._begun:
            return
        self._begun = True
        name = self.config.model
        if self.config.moves:
            self._ledger.note(f"the model name {name} may mean another model tomorrow; name a dated one")
        if self.config.price is None:
            self._ledger.note(f"no price is given for {name}: its calls are counted, not what they cost")

    async def _tried(self, prompt: Prompt, client: httpx.AsyncClient) -> Said | Unsaid:
        asked = await self._ask(prompt, client)
        for attempt in range(1, ATTEMPTS):
            wait = self._wait_after(asked, attempt)
            if wait is None or self._failures >= FAILURES:
                break
            await self._around.sleep(wait)
            asked = await self._ask(prompt, client)
        heard = asked.heard
        if isinstance(heard, Unsaid) and (wished := self._wished(asked)) and wished > LONGEST_PAUSE:
            heard = replace(heard, reason=f"{heard.reason} (it asks for {wished:.0f} s, more than 60 s)")
        self._count(asked, heard)
        return heard

    def _count(self, asked: _Asked, heard: Said | Unsaid) -> None:
        """Failures in a row. What only this request is to blame for says nothing about the next."""
        if isinstance(heard, Unsaid) and heard.code in ("judge_down", "judge_failed"):
            self._failures += asked.status not in _OF_ONE_REQUEST
            self._last_failure = heard.reason
        else:
            self._failures = 0

    def _wished(self, asked: _Asked) -> float | None:
        """For how many seconds the server wants to be left alone."""
        if not isinstance(asked.outcome, Reply) or asked.outcome.status not in RETRYABLE:
            return None
        return retry_after(asked.outcome.headers["retry-after"], self._around.now())

    async def _ask(self, prompt: Prompt, client: httpx.AsyncClient) -> _Asked:
        """One attempt: at most one request, which is reserved before and settled after."""
        async with self._turns.turn():
            call = self._wire.request(prompt, self.config)
            body = self._adapted(call.body)
            data = json.dumps(body).encode()
            ticket = await self._reserve(len(data), prompt.max_tokens)
            posted = False
            try:
                outcome = await self._door.post(client, call.path, call.headers, data)
                posted = True
            finally:
                if not posted:  # cancelled on the way
                    self._settle(ticket, None, None)
            heard = self._settled(ticket, outcome, size=len(data), max_tokens=prompt.max_tokens)
            return _Asked(body, data, outcome, heard)

    async def _reserve(self, size: int, max_tokens: int) -> Ticket:
        """Room for the call. While calls are open that may turn out cheaper, it is worth a wait.

        Raises:
            BudgetExceeded: there is no room.
        """
        worst = worst_case(self.config.price, size=size, max_tokens=max_tokens)
        waited = 0.0
        while True:
            try:
                return self._ledger.reserve(worst)
            except BudgetExceeded:
                if waited > self.config.timeout or not self._ledger.may_fit(worst):
                    raise
            await self._around.sleep(_POLL)
            waited += _POLL

    def _settled(self, ticket: Ticket, outcome: Reply | Lost, *, size: int, max_tokens: int) -> Said | Unsaid:
        """What was heard; the ledger knows what it cost."""
        if isinstance(outcome, Lost):
            if outcome.sent:
                self._settle(ticket, None, None)
            else:
                self._ledger.cancel(ticket)
            return Unsaid("judge_down" if outcome.again else "unreadable", outcome.why)
        heard = self._wire.read(outcome.status, outcome.headers, outcome.body)
        if outcome.status != 200 and outcome.status not in UNCERTAIN:
            self._settle(ticket, Decimal(0), Usage(0, 0))
            return heard
        if heard.usage is not None and not believable(heard.usage, size=size, max_tokens=max_tokens):
            heard = replace(heard, usage=None)
        cost = None if heard.usage is None else cost_of(self.config.price, heard.usage)
        self._settle(ticket, cost, heard.usage)
        return heard

    def _settle(self, ticket: Ticket, cost: Decimal | None, usage: Usage | None) -> None:
        self._ledger.settle(ticket, cost, usage)
        self.spent += ticket.worst if cost is None else cost

    def _wait_after(self, asked: _Asked, attempt: int) -> float | None:
        """Seconds until the next attempt; None when there is none."""
        if isinstance(asked.outcome, Lost):
            again = asked.outcome.again and (not asked.outcome.sent or attempt < _LOST_ATTEMPTS)
            return delay(asked.data, attempt) if again else None
        if self._learned(asked.outcome, asked.body):
            return 0.0
        if asked.outcome.status not in RETRYABLE:
            return None
        wished = self._wished(asked)
        if wished is None:
            return delay(asked.data, attempt)
        if wished > LONGEST_PAUSE:
            return None
        self._turns.pause(wished)
        return 0.0

    def _learned(self, reply: Reply, body: Mapping[str, Any]) -> bool:
        """True when the server names a parameter that it does not take and that can do without."""
        if reply.status not in (400, 422):
            return False
        names = [name for name in named_parameters(reply.body, body) if self._can_do_without(name)]
        for name in names:
            if name not in self._left_out:
                self._left_out.add(name)
                instead = "another name is sent" if name in self._wire.limits else "it is left out"
                self._ledger.note(f"{self.config.model} does not take the parameter {name}: {instead}")
        return bool(names)

    def _can_do_without(self, name: str) -> bool:
        if name in self._wire.limits:
            return bool(self._limits() - {name})
        return name in self.config.options or name == "store"

    def _limits(self) -> set[str]:
        return set(self._wire.limits) - self._left_out

    def _adapted(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The body without what the server does not take. The cap on a reply stays, by another name."""
        kept = {name: value for name, value in body.items() if name not in self._left_out}
        for name in self._left_out.intersection(self._wire.limits, body):
            kept[min(self._limits())] = body[name]
        return kept


@dataclass(frozen=True)
class _Asked:
    """One attempt: what was sent, what came, and what it means."""

    body: Mapping[str, Any]
    data: bytes
    outcome: Reply | Lost
    heard: Said | Unsaid

    @property
    def status(self) -> int:
        return self.outcome.status if isinstance(self.outcome, Reply) else 0


def named_parameters(reply: bytes, sent: Mapping[str, Any]) -> list[str]:
    """Which of the parameters that were sent an error is about."""
    error = parsed(reply) or {}
    param = at(error, "error", "param")
    if isinstance(param, str) and param:
        return [name for name in sent if name == param.split(".")[0]]
    words = set(re.findall(r"\w+", message_of(error)))
    return [name for name in sent if name in words]


def _no_price(config: JudgeConfig) -> str:
    return (
        f"the judge {config.name!r} has no price, so a budget in dollars cannot be kept. Say what "
        f"{config.model} costs, in dollars for a million tokens: price = {{ input = ..., output = ... }} in "
        "the judge's table of pyproject.toml; or cap the calls, as in --wandr-budget=100calls"
    )
