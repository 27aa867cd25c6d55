"""How long does scoring a whole benchmark take? 500 tasks, 170,495 records, invented names.

    python benchmarks/score_scale.py [--quick] [--json]

Once in one process and once in two, as `-n 2` would share the tasks out. Target: 5 seconds on two cores.
On a busy machine look at the processor time, and at the yardstick: a fixed loop, timed beside the scoring.

The shape follows what is published about the benchmark: a median of 50 members and about 245 records a
task, a long tail up to several thousand records, flat, nested, with several pages, and with a subtask.
Normal forms, clustering and url keys are part of the time; making the submissions is not.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import multiprocessing
import time
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pytest_wandr.model import KeySpec, LedTo, NodeSpec, Record, RecordVerdict, TaskSpec
from pytest_wandr.score import score_task

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.queues import SimpleQueue
    from multiprocessing.synchronize import Barrier

Submission: TypeAlias = tuple[TaskSpec, list[Record], list[RecordVerdict]]

TASKS, RECORDS = 500, 170_495
TARGET = 5.0
"""Seconds for all of them on two cores."""
FIRST = (
    "Ar", "Bel", "Cin", "Dov", "Est", "Fal", "Gor", "Hal", "Ith", "Jor", "Kel", "Lum", "Mor", "Nav",
    "Ost", "Per", "Quen", "Ros", "Sel", "Tam",
)  # fmt: skip
MIDDLE = (
    "va", "bo", "ri", "lo", "ma", "ne", "di", "ru", "fe", "ka", "so", "ti",
)  # fmt: skip
LAST = (
    "don", "rix", "dale", "quist", "worth", "mere", "stead", "holm", "lund", "crest", "gate",
    "field",
)  # fmt: skip
TRADE = (
    "Rail", "Foods", "Optics", "Mining", "Textiles", "Labs", "Energy", "Paper", "Marine",
    "Robotics",
)  # fmt: skip
FORMS = ("Inc.", "Ltd", "GmbH", "Corp.", "S.A.", "")


def mixed(number: int) -> int:
    """A repeatable scatter of whole numbers."""
    number = (number ^ (number >> 15)) * 0x2C1B3C6D & 0xFFFFFFFF
    return (number ^ (number >> 12)) * 0x297A2D39 & 0xFFFFFFFF


def company(number: int) -> str:
    """An invented company name, different for every number below 28,800."""
    at = number
    words = []
    for table in (FIRST, MIDDLE, LAST, TRADE):
        words.append(table[at % len(table)])
        at //= len(table)
    return f"{words[0]}{words[1]}{words[2]} {words[3]} {FORMS[mixed(number) % len(FORMS)]}".strip()


def person(number: int) -> str:
    """An invented personal name."""
    at = mixed(number)
    given = FIRST[at % 20] + MIDDLE[at // 20 % 12]
    return f"{given} {FIRST[at // 240 % 20]}{LAST[at // 4800 % 12]}"


def sizes(tasks: int, records: int) -> list[int]:
    """Record counts: lognormal quantiles around a median of 245, scaled in the tail to the exact total."""
    wanted = []
    for rank in range(tasks):
        share = (rank + 0.5) / tasks
        wanted.append(245 * math.exp(0.82 * _normal_quantile(share)))
    scale = records / sum(wanted)
    rounded = [max(8, round(size * scale)) for size in wanted]
    rounded[-1] += records - sum(rounded)
    return rounded


def _normal_quantile(share: float) -> float:
    low, high = -6.0, 6.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 0.5 * (1 + math.erf(middle / math.sqrt(2))) < share else (low, middle)
    return low


def task_of(number: int, size: int) -> TaskSpec:
    """Four shapes in turn: flat with pages, nested, nested with a subtask, matrix with a subtask."""
    url = lambda count: KeySpec(name="url", kind="url", required=count)  # noqa: E731
    members = max(2, size // 4)
    top = KeySpec(name="company", kind="company", required=members)
    inner = KeySpec(name="person", kind="person", required=2)
    axis = KeySpec(name="role", kind="enum", required=3, labels=("CEO", "CFO", "CTO"))
    listing = NodeSpec(name="t.listing", keys=(top, url(1)))
    nodes = [
        [(top, url(4))],
        [(top, inner, url(2))],
        [(top, KeySpec(name="person", kind="person", required=3), url(1)), listing],
        [(top, axis, url(1)), listing],
    ][number % 4]
    main, *others = nodes
    return TaskSpec(id=f"t{number}", nodes=(NodeSpec(name="t", keys=main), *others))


def records_of(task: TaskSpec, number: int, size: int) -> Iterator[Record]:
    """Records that fill the slots of one member after the other."""
    made = 0
    for member in range(size):
        name = company((number * 977 + member) % 28_800)
        for node in task.nodes:
            for record in _member(node, name, member * 31 + number):
                if made == size:
                    return
                made += 1
                yield record


def _member(node: NodeSpec, name: str, seed: int) -> Iterator[Record]:
    items: list[dict[str, str]] = [{"company": name}]
    for key in node.entity_keys[1:]:
        values = key.labels or [person(seed + 7 * nth) for nth in range(key.required)]
        items = [{**item, key.name: value} for item in items for value in values]
    slug = name.lower().replace(" ", "-").strip(".")
    for place, item in enumerate(items):
        for page in range(node.keys[-1].required):
            url = f"https://www.{slug}.example/{node.name}/{place}/news-{seed}?id={page}&utm_source=feed"
            yield Record(node=node.name, item=item, url=url)


def verdict_of(number: int, url: str) -> RecordVerdict:
    """About a third right, a few undecided, each with the page it led to."""
    roll = mixed(number) % 100
    full = True if roll < 36 else None if roll < 38 else False
    retrieval = True if full or roll < 60 else full
    return RecordVerdict.of(
        full=full, retrieval=retrieval, page=LedTo(final_url=url, digest=f"{number:064x}")
    )


def submissions(tasks: int, records: int, share: int = 0, of: int = 1) -> list[Submission]:
    """Everything to score, or every so-manieth task of it."""
    made = []
    for number, size in enumerate(sizes(tasks, records)):
        if number % of == share:
            task = task_of(number, size)
            found = list(records_of(task, number, size))
            made.append((task, found, [verdict_of(n * 131 + number, r.url) for n, r in enumerate(found)]))
    return made


class Spent(NamedTuple):
    """What one process scored, when (on a clock that all processes share), with how much processor time."""

    records: int
    start: float
    end: float
    busy: float
    longest: float


def score_all(work: list[Submission]) -> Spent:
    """Score every task of a list."""
    gc.collect()
    gc.freeze()
    start, busy, longest = time.perf_counter(), time.process_time(), 0.0
    for task, found, verdicts in work:
        begin = time.process_time()
        score_task(task, found, verdicts)
        longest = max(longest, time.process_time() - begin)
    return Spent(
        records=sum(len(found) for _, found, _ in work),
        start=start,
        end=time.perf_counter(),
        busy=time.process_time() - busy,
        longest=longest,
    )


def worker(plan: tuple[int, int, int, int], ready: Barrier, results: SimpleQueue[Spent]) -> None:
    """One process: make its share, wait for the others, score."""
    work = submissions(*plan)
    ready.wait()
    results.put(score_all(work))


def measure(tasks: int, records: int, processes: int) -> dict[str, float]:
    """Seconds until all tasks are scored."""
    context = multiprocessing.get_context("spawn")
    ready, results = context.Barrier(processes), context.SimpleQueue()
    plans = [(tasks, records, share, processes) for share in range(processes)]
    workers = [context.Process(target=worker, args=(plan, ready, results)) for plan in plans]
    for process in workers:
        process.start()
    spent = [results.get() for _ in workers]
    for process in workers:
        process.join()
    busy, scored = sum(part.busy for part in spent), sum(part.records for part in spent)
    return {
        "processes": processes,
        "records": scored,
        "seconds": round(max(part.end for part in spent) - min(part.start for part in spent), 2),
        "seconds of processor time": round(busy, 2),
        "the same, largest task": round(max(part.longest for part in spent), 3),
        "microseconds a record": round(1e6 * busy / scored, 1),
    }


def yardstick() -> float:
    """Seconds of processor time of three million steps of a loop: how fast the machine is just now."""
    start, state = time.process_time(), 0
    for step in range(3_000_000):
        state ^= step * 3
    return round(time.process_time() - start, 3)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the tasks and records")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    part = 10 if options.quick else 1
    before = yardstick()
    found = [measure(TASKS // part, RECORDS // part, processes) for processes in (1, 2)]
    marks = (before, yardstick())
    if options.json:
        print(json.dumps({"target": TARGET / part, "yardstick": marks, "runs": found}))
        return
    for name in found[0]:
        print(f"{name:28}", *(f"{run[name]:>12,}" for run in found))
    print(f"{'target on two cores':28} {'':12} {TARGET / part:>12,}")
    print(f"{'yardstick before, after':28} {marks[0]:>12,} {marks[1]:>12,}")


if __name__ == "__main__":
    main()
