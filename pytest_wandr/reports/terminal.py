"""What does a run look like on a terminal? Lines of text with a style, ready for pytest's own writer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pytest_wandr.reports.text import clip, clip_middle, one_line, padded, width_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pytest_wandr.hierarchy.paths import PathRow
    from pytest_wandr.model import Agreement, PathCounts, PathOutcome, RunReport, TaskReport
    from pytest_wandr.reports.gate import Gate
    from pytest_wandr.reports.payload import Payload

    _Path: TypeAlias = PathOutcome | PathRow

_COLUMNS = ("soft F1", "hard F1", "wanted", "found", "proven", "undecided")
_LEAST_NAME = 16
_LEAST_WIDTH = 20


class Line(NamedTuple):
    """A line and the names of its markup, as pytest's writer knows them."""

    text: str
    markup: tuple[str, ...] = ()


@dataclass(frozen=True)
class Look:
    """How much is shown: columns of the terminal, `-q`, and the options for paths."""

    width: int = 80
    quiet: bool = False
    paths: str = "none"
    paths_max: int = 10


def run_lines(
    report: RunReport, payloads: Sequence[Payload], gates: Iterable[Gate], *, look: Look
) -> Iterator[Line]:
    """The whole summary of a run. The first line is its title."""
    yield Line(f"wandr: {one_line(report.system)}")
    if look.paths != "none":
        for payload in payloads:
            counts = payload.report.diagnostics.counts
            yield Line(f"{one_line(payload.report.task_id)}: {counts_text(counts)}", ("bold",))
            yield from path_lines(payload.paths(), shown=look.paths, limit=look.paths_max)
    if not look.quiet:
        yield from task_table(report, look.width)
    yield headline_line(report)
    yield from agreement_lines(report)
    yield from verdict_lines(report, gates)
    yield from note_lines(payloads)


def note_lines(payloads: Iterable[Payload]) -> Iterator[Line]:
    """What a reader of this run should know: once for all tasks that say the same."""
    tasks: dict[str, list[str]] = {}
    for payload in payloads:
        for note in payload.notes:
            tasks.setdefault(note, []).append(payload.report.task_id)
    for note, names in sorted(tasks.items()):
        whose = one_line(names[0]) if len(names) == 1 else f"{len(names)} tasks"
        yield Line(f"note {whose}: {one_line(note)}", ("cyan",))


def task_table(report: RunReport, width: int) -> Iterator[Line]:
    """A row for every task, scored or not. Narrow terminals lose columns from the right, then letters."""
    ids = [*(task.task_id for task in report.tasks), *(lost.task_id for lost in report.unscored)]
    columns = _fitting(width)
    room = max(width - sum(len(column) + 2 for column in columns), _LEAST_NAME)
    room = min(room, max([4, *(width_of(one_line(name)) for name in ids)]))
    if report.tasks:
        yield Line(_row("task", columns, columns, room), ("bold",))
    for task in report.tasks:
        cells = _cells(task)
        name = clip_middle(one_line(task.task_id), room)
        yield Line(_row(name, [cells[column] for column in columns], columns, room), _style(task))
    for unscored in report.unscored:
        name = padded(clip_middle(one_line(unscored.task_id), room), room)
        yield Line(clip(f"{name}  unscored: {one_line(unscored.reason)}", max(width, _LEAST_WIDTH)), ("red",))


def _fitting(width: int) -> tuple[str, ...]:
    columns: tuple[str, ...] = _COLUMNS
    while len(columns) > 2 and _LEAST_NAME + sum(len(column) + 2 for column in columns) > width:
        columns = columns[:-1]
    return columns


def _row(name: str, cells: Sequence[str], columns: Sequence[str], room: int) -> str:
    fields = (cell.rjust(len(column)) for cell, column in zip(cells, columns, strict=True))
    return "  ".join([padded(name, room), *fields])


def _cells(task: TaskReport) -> Mapping[str, str]:
    counts = task.diagnostics.counts
    return {
        "soft F1": f"{task.rewards['soft_f1_full']:.3f}",
        "hard F1": f"{task.rewards['hard_f1_full']:.3f}",
        "wanted": str(counts.wanted),
        "found": str(counts.found),
        "proven": str(counts.proven),
        "undecided": str(counts.undecided),
    }


def _style(task: TaskReport) -> tuple[str, ...]:
    if task.gate_failures:
        return ("red",)
    return ("yellow",) if task.incomplete else ()


def headline_line(report: RunReport) -> Line:
    """`soft F1 0.720, hard F1 0.620, 2 of 2 scored`."""
    rewards = report.headline
    scores = "no score"
    if rewards is not None:
        scores = f"soft F1 {rewards['soft_f1_full']:.3f}, hard F1 {rewards['hard_f1_full']:.3f}"
    remark = ", incomplete" if report.incomplete else ""
    text = f"{scores}, {report.scored} of {report.selected} scored{remark}"
    return Line(text, ("bold",))


def agreement_lines(report: RunReport) -> Iterator[Line]:
    """`agreement of 3 votes: satisfied 0.967 (kappa 0.812), ...`: one line, and only when a panel voted."""
    if report.agreement:
        told = ", ".join(f"{each.part} {agreed_text(each)}" for each in report.agreement)
        yield Line(f"agreement of {max(each.samples for each in report.agreement)} votes: {told}")


def agreed_text(agreed: Agreement) -> str:
    """`0.967 (Fleiss' kappa 0.812)`; what cannot be computed says so."""
    if agreed.agreement is None:
        return "(no two votes to compare)"
    kappa = "undefined: all votes are alike" if agreed.kappa is None else f"{agreed.kappa:.3f}"
    return f"{agreed.agreement:.3f} ({agreed.statistic} {kappa})"


def verdict_lines(report: RunReport, gates: Iterable[Gate]) -> Iterator[Line]:
    """What went wrong on the way; then what decides the exit status: undecided, unscored, gates."""
    for task in report.tasks:
        for note in task.notes:
            yield Line(f"note {one_line(task.task_id)}: {one_line(note)}", ("yellow",))
    causes: Counter[str] = Counter()
    for task in report.tasks:
        causes.update(task.diagnostics.undecided)
    if causes:
        yield Line(f"INCOMPLETE {undecided_text(causes)}", ("red", "bold"))
    if report.unscored:
        lost = len(report.unscored)
        yield Line(f"FAILED {lost} of {report.selected} tasks could not be scored", ("red", "bold"))
    for gate in gates:
        word = "passed" if gate.passed else "FAILED"
        yield Line(f"{word} gate {gate}", ("green",) if gate.passed else ("red", "bold"))


def undecided_text(causes: Mapping[str, int]) -> str:
    """`3 undecided: low_confidence 1, not_recorded 2; record the pages with --wandr-record=new`."""
    hints = [f"; {hint}" for cause, hint in _HINTS.items() if cause in causes]
    listed = ", ".join(f"{cause} {count}" for cause, count in sorted(causes.items()))
    return f"{sum(causes.values())} undecided: {one_line(listed)}{''.join(hints)}"


_HINTS = {
    "not_recorded": "record the pages with --wandr-record=new",
    "no_verdict": "judge what is not stored with --wandr-record=new and the judge that is replayed",
    "needs_judge": "ask a model with --wandr-judge=llm (docs/how-to/judge.md)",
    "no_budget": "what is known already costs nothing in the next run",
}


def path_lines(paths: Iterable[_Path], *, shown: str, limit: int) -> Iterator[Line]:
    """At most `limit` (0: all) of the paths that `shown` asks for, then how many were left out.

    No line is clipped: urls want copying, and the end of a reason is often its point.
    """
    wanted = [path for path in paths if shown == "all" or path.outcome != "proven"]
    cut = wanted[: limit or None]
    for path in cut:
        for text in _path(path):
            yield Line(text, _PATH_STYLE[path.outcome])
    rest = sum(path.slots for path in wanted[len(cut) :])
    if rest:
        yield Line(f"  ... and {rest} more (--wandr-paths-max=0 lists all)")


_PATH_STYLE: Mapping[str, tuple[str, ...]] = {
    "proven": ("green",),
    "unproven": ("red",),
    "undecided": ("yellow",),
    "missing": ("red",),
}


def _path(path: _Path) -> Iterator[str]:
    """`unproven   Acme > Jane Doe > https://...`, and below it `excerpts_faithful: excerpt 2 is not ...`."""
    _, _, subtask = path.node.partition(".")
    names = (f"[{subtask}]", *path.path) if subtask else path.path
    label = " > ".join(map(one_line, names))
    times = f" x {path.slots}" if path.slots > 1 else ""
    surplus = "" if path.required else " (surplus)"
    yield f"  {path.outcome:<9}  {label}{times}{surplus}"
    if why := ": ".join(filter(None, (path.part, one_line(path.reason)))):
        yield f"             {why}"


def counts_text(counts: PathCounts) -> str:
    """`70 wanted, 58 found, 51 proven, 2 undecided`."""
    return (
        f"{counts.wanted} wanted, {counts.found} found, {counts.proven} proven, {counts.undecided} undecided"
    )


def failure_text(report: TaskReport, paths: Iterable[_Path], *, why: Sequence[str], limit: int) -> str:
    """The short table of a failed task: why, the score, and the first paths that are not proven."""
    cells = _cells(report)
    score = (
        f"soft F1 {cells['soft F1']}, hard F1 {cells['hard F1']}: {counts_text(report.diagnostics.counts)}"
    )
    lines = path_lines(paths, shown="failed", limit=limit)
    return "\n".join([*map(one_line, why), score, *(line.text for line in lines)])
