"""How are an audit and an estimate told? Lines for a terminal, aligned, safe to show."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from pytest_wandr.authoring.estimate import BYTES_A_TOKEN, Bill
from pytest_wandr.budget import money
from pytest_wandr.reports.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_wandr.authoring.audit import Audit
    from pytest_wandr.authoring.estimate import Estimate
    from pytest_wandr.authoring.tally import Miss, Tally
    from pytest_wandr.judges.llm.exchange import Spent
    from pytest_wandr.model import Agreement

_MOST_MISSES = 20


def audit_lines(audit: Audit, *, threshold: float) -> Iterator[str]:
    """One audited task."""
    yield f"{audit.task_id}: judge {audit.judge}, {audit.cases} cases, {audit.asked} of them put to the judge"
    if not audit.asked:
        yield "  machine checks decide all of them: this says nothing about the judge"
    yield f"  {'part':<28}{'right':>12}  accuracy  95 % interval   undecided"
    for tally in audit.parts:
        yield _tally_line(tally)
    yield "  kind of case"
    for tally in audit.kinds:
        yield _tally_line(tally)
    for agreed in audit.agreement:
        yield _agreement_line(agreed)
    yield from (f"  {note}" for note in audit.notes)
    yield from _miss_lines(audit.misses)
    below = ", ".join(tally.name for tally in audit.below(threshold))
    yield f"  FAILED: below {threshold:g}: {below}" if below else f"  passed: no part below {threshold:g}"


def _tally_line(tally: Tally) -> str:
    low, high = tally.interval
    counts = f"{tally.right}/{tally.total}"
    shares = f"{tally.accuracy:8.3f}  {low:.3f} to {high:.3f}"
    return f"  {tally.name:<28}{counts:>12}  {shares}  {tally.undecided:>9}"


def _agreement_line(agreed: Agreement) -> str:
    raw = "undefined" if agreed.agreement is None else f"{agreed.agreement:.3f}"
    kappa = "undefined, all votes are alike" if agreed.kappa is None else f"{agreed.kappa:.3f}"
    return f"  {agreed.samples} repeats agree on {agreed.part}: {raw}, {agreed.statistic} {kappa}"


def _miss_lines(misses: Sequence[Miss]) -> Iterator[str]:
    if misses:
        yield f"  {len(misses)} not judged as known:"
    for miss in misses[:_MOST_MISSES]:
        record = miss.case.record
        item = ", ".join(f"{name}={value}" for name, value in record.item.items())
        yield visible(f"    {miss.case.source}, {miss.case.kind}: {item}")
        yield visible(f"      {miss.part} should be {str(miss.expected).lower()}: {miss.reason}")
    if len(misses) > _MOST_MISSES:
        yield f"    and {len(misses) - _MOST_MISSES} more"


def spent_line(spent: Spent) -> str:
    """What an audit has cost."""
    dollars = money(Decimal(spent.dollars))
    line = f"cost: {spent.calls} calls, {spent.input} tokens in, {spent.output} tokens out, ${dollars}"
    return "; ".join([line, *spent.notes])


def estimate_lines(estimates: Sequence[Estimate], *, priced: bool) -> Iterator[str]:
    """All tasks, and their sum."""
    rows = [(each.task_id, each.records, each.answered, each.bill, each.basis) for each in estimates]
    total = sum((each.bill for each in estimates), Bill())
    records, answered = (sum(column) for column in zip(*[row[1:3] for row in rows], strict=True))
    width = max(len(row[0]) for row in rows) + 2
    yield (
        f"{'task':<{width}}{'records':>8}{'answered':>9}{'calls':>8}{'tokens in':>12}{'tokens out':>12}"
        f"{'about':>10}{'at most':>10}"
    )
    for name, *numbers, bill, basis in [*rows, ("all", records, answered, total, "")]:
        counts = "".join(f"{number:>{size}}" for number, size in zip(numbers, (8, 9), strict=True))
        yield (
            f"{name:<{width}}{counts}{bill.calls:>8}{bill.input:>12}{bill.output:>12}"
            f"{_dollars(bill.about, priced=priced):>10}{_dollars(bill.most, priced=priced):>10}  {basis}"
        ).rstrip()
    yield (
        f"tokens: a body's bytes / {BYTES_A_TOKEN}, replies without hidden reasoning; at most: every byte a "
        "token, every reply as long as allowed. Two canaries a task and model, and retries, come on top."
    )


def _dollars(amount: Decimal, *, priced: bool) -> str:
    return f"${money(amount)}" if priced else "no price"
