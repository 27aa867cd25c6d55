"""What has the judge of this run cost? Read from the ledger of all processes when the run ends.

<out>/.judge-run/  shared by the processes of a run, gone after it; a run that is resumed goes on with it
<out>/spend.json   what was spent. It says how a run went, not how good the system is
"""

from __future__ import annotations

import shutil
from dataclasses import asdict
from decimal import Decimal
from typing import TYPE_CHECKING

from pytest_wandr.budget import FOLDER, Spent, calls_told, money, open_ledger, parse
from pytest_wandr.markers import pretty, write_whole, writing
from pytest_wandr.reports.terminal import Line
from pytest_wandr.reports.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE = "spend.json"


def begin_spending(out: Path, *, resume: bool) -> None:
    """Nothing is spent yet; a resumed run has spent what it had spent before.

    Raises:
        CannotWrite: what an older run left cannot be removed.
    """
    if resume:
        return
    with writing(out / FILE):
        (out / FILE).unlink(missing_ok=True)
    _clear(out)


def end_spending(out: Path, budget: str, *, ended: bool) -> Spent:
    """Write what was spent, if a judge was asked at all. `ended` False: the run may be resumed.

    Raises:
        CannotWrite: the file cannot be written.
    """
    spent = open_ledger(out / FOLDER, budget).totals()
    if spent != Spent():
        write_whole(out / FILE, pretty({**asdict(spent), "budget": budget}))
    if ended:
        _clear(out)
    return spent


def _clear(out: Path) -> None:
    with writing(out / FOLDER):
        if (out / FOLDER).exists():
            shutil.rmtree(out / FOLDER)


def spending_lines(spent: Spent, budget: str) -> Iterator[Line]:
    """`judge: 312 calls, 1.2 M tokens in, 45 k out, $3.41 of $5.00`, and what a reader should know."""
    if spent == Spent():
        return
    cap = parse(budget)
    calls = calls_told(spent.calls) if cap.calls is None else f"{spent.calls} of {calls_told(cap.calls)}"
    parts = [calls, f"{amount(spent.input)} tokens in", f"{amount(spent.output)} out"]
    dollars = Decimal(spent.dollars)
    if dollars or cap.dollars is not None:
        parts.append(f"${money(dollars)}" + ("" if cap.dollars is None else f" of ${money(cap.dollars)}"))
    if spent.unknown:
        parts.append(f"{calls_told(spent.unknown)} counted at the worst")
    yield Line(f"judge: {', '.join(parts)}")
    for note in spent.notes:
        yield Line(f"note judge: {one_line(note)}", ("cyan",))


def amount(number: int) -> str:
    """`999`, `45 k`, `1.2 M`."""
    for size, unit in ((10**6, "M"), (10**3, "k")):
        if number >= size:
            tenths = number * 10 // size
            return f"{tenths // 10}.{tenths % 10} {unit}" if tenths < 100 else f"{tenths // 10} {unit}"
    return str(number)
