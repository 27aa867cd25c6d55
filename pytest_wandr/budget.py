"""What may the calls of a run cost, and what have they cost? One ledger for all its processes.

Lines are appended under a lock. A call is reserved at its worst case before it is made and settled after it,
so the sum is never too low: what a killed process had reserved counts as spent. Nothing here is a float.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pytest_wandr.errors import BudgetExceeded, JudgeError
from pytest_wandr.markers import writing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDER = ".judge-run"
FILE = "ledger.jsonl"
_CALLS = re.compile(r"([0-9]{1,12}) ?calls?")
_DOLLARS = re.compile(r"\$?([0-9]{1,12}(?:\.[0-9]{1,6})?)")


@dataclass(frozen=True)
class Usage:
    """Tokens of one call, as reported. `input` counts the `cached` ones too, whatever the protocol does."""

    input: int
    output: int
    cached: int = 0


@dataclass(frozen=True)
class Spent:
    """What calls have cost so far. `unknown` counts calls whose usage was not reported or not believable."""

    calls: int = 0
    input: int = 0
    output: int = 0
    dollars: str = "0"
    unknown: int = 0
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True)
class Cap:
    """What a run may cost at most; None is no limit."""

    dollars: Decimal | None = None
    calls: int | None = None

    def __str__(self) -> str:
        parts = [] if self.dollars is None else [f"${money(self.dollars)}"]
        parts += [] if self.calls is None else [calls_told(self.calls)]
        return " and ".join(parts)


def parse(text: str) -> Cap:
    """Read `5.00`, `100calls` or `5.00,100calls`; nothing is no limit.

    Raises:
        JudgeError: it is none of these.
    """
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        for name, pattern in (("dollars", _DOLLARS), ("calls", _CALLS)):
            if (match := pattern.fullmatch(part)) and name not in found:
                found[name] = match[1]
                break
        else:
            raise JudgeError(
                f"{text!r} is no budget; write dollars, a number of calls, or both: 5.00 or 100calls or "
                "5.00,100calls"
            )
    return Cap(
        dollars=Decimal(found["dollars"]) if "dollars" in found else None,
        calls=int(found["calls"]) if "calls" in found else None,
    )


def money(dollars: Decimal) -> str:
    """`3.41`; below a cent as many digits as it takes to see something."""
    if dollars and dollars < Decimal("0.01"):
        return f"{dollars:.6f}"
    return f"{dollars:.2f}"


def calls_told(number: int) -> str:
    """`1 call`, `2 calls`."""
    return "1 call" if number == 1 else f"{number} calls"


@dataclass(frozen=True)
class Ticket:
    """One reserved call, with what it costs at worst in dollars."""

    number: int
    worst: Decimal


@dataclass
class _Open:
    worst: Decimal
    pid: int


@dataclass
class _Book:
    """The sum of all lines so far."""

    numbers: int = 0
    calls: int = 0
    input: int = 0
    output: int = 0
    dollars: Decimal = Decimal(0)
    unknown: int = 0
    open: dict[int, _Open] = field(default_factory=dict)
    notes: dict[str, None] = field(default_factory=dict)

    def reserved(self) -> Decimal:
        """What the open calls cost at worst."""
        return sum((each.worst for each in self.open.values()), Decimal(0))

    def made(self) -> int:
        """How many calls were made, or may have been."""
        return self.calls + len(self.open)

    def take(self, line: dict[str, Any]) -> None:
        """One more line. Of a call that is no longer open, nothing counts twice."""
        if "reserve" in line:
            self.numbers += 1
            self.open[int(line["reserve"])] = _Open(Decimal(line["worst"]), int(line["pid"]))
        elif "note" in line:
            self.notes.setdefault(str(line["note"]))
        elif "cancel" in line:
            self.open.pop(int(line["cancel"]), None)
        elif (known := self.open.pop(int(line["settle"]), None)) is not None:
            self._settle(known, line)

    def _settle(self, known: _Open, line: dict[str, Any]) -> None:
        self.calls += 1
        self.dollars += known.worst if line["cost"] is None else Decimal(line["cost"])
        self.unknown += line["input"] is None
        self.input += line["input"] or 0
        self.output += line["output"] or 0


def open_ledger(run: Path, text: str) -> Ledger:
    """The ledger of the run whose processes share the folder `run`, under the budget `text`.

    Raises:
        JudgeError: the budget cannot be read.
    """
    return Ledger(run / FILE, parse(text))


class Ledger:
    """What all processes of a run have reserved and spent, in one file. Made lazily: only a call makes it."""

    def __init__(self, path: Path, cap: Cap | None = None) -> None:
        self.cap = cap or Cap()
        self._path = path
        self._book = _Book()
        self._offset = 0
        self._guard = threading.RLock()

    def reserve(self, worst: Decimal) -> Ticket:
        """Make room for a call that costs `worst` dollars at most; it may be made once this returns.

        Raises:
            BudgetExceeded: it could go over the cap. Nothing is reserved then.
            CannotWrite: the ledger cannot be written; the call must not be made.
        """
        with self._locked() as handle:
            if obstacle := self._obstacle(worst):
                raise BudgetExceeded(obstacle)
            ticket = Ticket(self._book.numbers + 1, worst)
            self._append(handle, {"reserve": ticket.number, "worst": str(worst), "pid": os.getpid()})
            return ticket

    def settle(self, ticket: Ticket, cost: Decimal | None, usage: Usage | None) -> None:
        """The call was made. `cost` None: not known, so it counts at its worst. `usage` None: not known."""
        row = {
            "settle": ticket.number,
            "cost": None if cost is None else str(cost),
            "input": usage.input if usage else None,
            "output": usage.output if usage else None,
        }
        with self._locked() as handle:
            self._append(handle, row)

    def cancel(self, ticket: Ticket) -> None:
        """The call was never sent."""
        with self._locked() as handle:
            self._append(handle, {"cancel": ticket.number})

    def note(self, text: str) -> None:
        """Something that a reader of the run should know; said once, however many processes say it."""
        with self._locked() as handle:
            if text not in self._book.notes:
                self._append(handle, {"note": text})

    def totals(self) -> Spent:
        """What was spent so far. Calls that were never settled count as spent, at their worst."""
        if not self._path.exists():
            return Spent()
        with self._locked():
            book = self._book
            return Spent(
                calls=book.made(),
                input=book.input,
                output=book.output,
                dollars=f"{book.dollars + book.reserved():f}",
                unknown=book.unknown + len(book.open),
                notes=tuple(sorted(book.notes)),
            )

    def may_fit(self, worst: Decimal) -> bool:
        """True when the call would fit if what living processes have reserved came back: worth a wait."""
        with self._locked():
            book, cap = self._book, self.cap
            if cap.calls is not None and book.made() >= cap.calls:
                return False
            lost = (each.worst for each in book.open.values() if not _lives(each.pid))
            return cap.dollars is None or sum(lost, book.dollars) + worst <= cap.dollars

    def _obstacle(self, worst: Decimal) -> str:
        """Why there is no room for the call; "" when there is."""
        book, cap = self._book, self.cap
        if cap.calls is not None and book.made() >= cap.calls:
            were = "was" if book.made() == 1 else "were"
            return f"the budget of {cap} is used up: {calls_told(book.made())} {were} made"
        spent = book.dollars + book.reserved()
        if cap.dollars is not None and spent + worst > cap.dollars:
            return (
                f"the budget of {cap} does not allow this call: ${spent:.4f} are spent or reserved, "
                f"and it could cost ${worst:.4f}"
            )
        return ""

    @contextmanager
    def _locked(self) -> Iterator[int]:
        """The open file, all of its lines taken in, and nobody else at it."""
        with self._guard, writing(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX)
                self._catch_up(handle)
                yield handle
            finally:
                os.close(handle)

    def _catch_up(self, handle: int) -> None:
        """Take in what others wrote. A line without its end was torn by a kill: its call was never made."""
        size = os.fstat(handle).st_size
        if size < self._offset:  # a new run began
            self._book, self._offset = _Book(), 0
        text = os.pread(handle, size - self._offset, self._offset)
        if text and not text.endswith(b"\n"):
            os.write(handle, b"\n")
            size += 1
        self._offset = size
        for line in text.split(b"\n"):
            self._take(line)

    def _take(self, line: bytes) -> None:
        """Count a line. What a kill tore is a part of a line, which is no JSON, and counts nothing."""
        try:
            row = json.loads(line)
        except ValueError:
            return
        try:
            self._book.take(row)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            raise JudgeError(
                f"{self._path}: {line[:60]!r} is no line of a ledger, so nobody knows what was spent. "
                "Restore the file, or run again without --wandr-resume, which begins a new one."
            ) from None

    def _append(self, handle: int, row: dict[str, Any]) -> None:
        left = json.dumps(row).encode() + b"\n"
        try:
            while left:
                left = left[os.write(handle, left) :]
        except OSError:
            os.ftruncate(handle, self._offset)
            raise
        self._catch_up(handle)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
