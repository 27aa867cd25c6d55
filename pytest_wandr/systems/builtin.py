"""What do systems with a known result look like? `empty`, `oracle` and `oracle-noisy`.

They test the harness, and show what a score of 0, of 1 and in between looks like. `oracle` hands over the
known-good fixtures of a task. `oracle-noisy` spoils them in known ways; each share is in per cent:

    oracle-noisy:seed=7,drop=10,digit=5,swap=5,silent=3,junk=2,bad=50

    drop     the record is left out
    digit    the last digit (or letter) of an excerpt is changed, so it is no longer on the page
    swap     the excerpts are another record's
    silent   the record has no excerpts
    junk     an unreadable line is added
    bad      share of the task's known-bad fixtures that is handed over as well
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from pytest_wandr.errors import WandrError
from pytest_wandr.systems import Answer
from pytest_wandr.task import load_fixtures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from pytest_wandr.model import Fixture, Record, TaskSpec
    from pytest_wandr.systems import SolveContext, System

_JUNK = '{"item": {"name": "cut in the mid'


def make(name: str, options: str) -> System:
    """The built-in system of that name.

    Raises:
        WandrError: options that it does not have.
    """
    if name == "oracle-noisy":
        return NoisyOracle(_noise(options))
    if options:
        raise WandrError(f"system {name!r} takes no options, but got {options!r}")
    return Empty() if name == "empty" else Oracle()


class Empty:
    """Delivers nothing: scored, and 0."""

    async def solve(self, task: TaskSpec, ctx: SolveContext) -> Answer:  # noqa: ARG002 -- the protocol's shape
        """No records."""
        return Answer()


class Oracle:
    """Delivers the known-good fixtures."""

    async def solve(self, task: TaskSpec, ctx: SolveContext) -> Answer:
        """The fixtures whose full verdict is true."""
        good = [fixture.record for fixture in load_fixtures(ctx.folder, task) if fixture.full is True]
        return Answer(files=_files(task, _lines(good)))


@dataclass(frozen=True)
class Noise:
    """Shares of faults in per cent (see the module's docstring), and the seed that picks the victims."""

    seed: int = 1
    drop: int = 6
    digit: int = 4
    swap: int = 3
    silent: int = 2
    junk: int = 1
    bad: int = 30


@dataclass(frozen=True)
class NoisyOracle:
    """Delivers fixtures with known faults. The same seed picks the same faults, whatever the order."""

    noise: Noise

    async def solve(self, task: TaskSpec, ctx: SolveContext) -> Answer:
        """Spoiled good fixtures, then the chosen bad ones, then junk."""
        fixtures = load_fixtures(ctx.folder, task)
        good = [fixture.record for fixture in fixtures if fixture.full is True]
        lines: dict[str, list[str]] = {node.name: [] for node in task.nodes}
        for position, record in enumerate(good):
            lines[record.node] += self._spoil(task, record, good[position - 1])
        for fixture in self._bad(task, fixtures):
            lines[fixture.record.node].append(_line(fixture.record))
        return Answer(files=_files(task, lines))

    def _spoil(self, task: TaskSpec, record: Record, other: Record) -> list[str]:
        hit = {kind: self._chosen(kind, task, record) for kind in ("drop", "digit", "swap", "silent", "junk")}
        if hit["drop"]:
            return []
        if hit["digit"]:
            record = record.model_copy(update={"excerpts": tuple(map(_alter, record.excerpts))})
        elif hit["swap"]:
            record = record.model_copy(update={"excerpts": other.excerpts})
        elif hit["silent"]:
            record = record.model_copy(update={"excerpts": ()})
        return [_line(record), *([_JUNK] if hit["junk"] else [])]

    def _bad(self, task: TaskSpec, fixtures: Sequence[Fixture]) -> list[Fixture]:
        known = [fixture for fixture in fixtures if fixture.full is False]
        return [fixture for fixture in known if self._chosen("bad", task, fixture.record)]

    def _chosen(self, kind: str, task: TaskSpec, record: Record) -> bool:
        """A draw keyed by content: neither order nor other records can shift it."""
        key = "\x1f".join((str(self.noise.seed), kind, task.id, record.digest))
        draw = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=4).digest(), "big")
        share: int = getattr(self.noise, kind)
        return draw * 100 >> 32 < share


def _noise(options: str) -> Noise:
    noise = Noise()
    known = [field.name for field in fields(Noise)]
    for pair in filter(None, options.split(",")):
        name, _, value = pair.partition("=")
        if name not in known or not value.isdecimal() or (name != "seed" and int(value) > 100):
            raise WandrError(
                f"oracle-noisy: {pair!r} is not understood; use {', '.join(known)} as name=number, "
                "shares from 0 to 100"
            )
        noise = replace(noise, **{name: int(value)})
    return noise


def _alter(excerpt: str) -> str:
    """Change the last digit, or else the last letter, to another one."""
    for wanted, alphabet in ((str.isdigit, "0123456789"), (str.isalpha, "abcdefghijklmnopqrstuvwxyz")):
        for position in range(len(excerpt) - 1, -1, -1):
            if wanted(excerpt[position]):
                found = alphabet.find(excerpt[position].lower())
                changed = alphabet[(found + 1) % len(alphabet)]
                return excerpt[:position] + changed + excerpt[position + 1 :]
    return excerpt + " x"


def _line(record: Record) -> str:
    shown: dict[str, JsonValue | Mapping[str, JsonValue] | Mapping[str, str] | Sequence[str]] = {
        "item": record.item,
        "url": record.url,
        "excerpts": record.excerpts,
        "answer": record.answer,
    }
    return json.dumps(shown, ensure_ascii=False)


def _lines(records: Sequence[Record]) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {}
    for record in records:
        lines.setdefault(record.node, []).append(_line(record))
    return lines


def _files(task: TaskSpec, lines: Mapping[str, Sequence[str]]) -> dict[str, bytes]:
    """Results files for nodes that have lines."""
    return {
        node.file_name: ("\n".join(lines[node.name]) + "\n").encode("utf-8", "surrogatepass")
        for node in task.nodes
        if lines.get(node.name)
    }
