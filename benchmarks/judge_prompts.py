"""What does it cost to put a question to a model? Processor time of one prompt, beside reading its page.

    python benchmarks/judge_prompts.py [--quick] [--json]

Each page is extracted once (`read_page` and its text); then one record after another that cites it is put
into a prompt, with checks of a date, a number, a name and a pattern open, within 12,000 tokens of page. The
first record pays for what is kept of the page. On the hostile pages names, dates and numbers stand on every
line: those that are asked for, or each time others. Best of the rounds; a ratio is of one round.
Target for pages of 400 kB: 0.5 s for the first record, 50 ms for a further one.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from typing import TYPE_CHECKING

from pytest_wandr.evidence import read_page
from pytest_wandr.judges import Question
from pytest_wandr.judges.llm.prompt import Limits, prompt_of, put
from pytest_wandr.judges.llm.sheets import sheet_of
from pytest_wandr.model import (
    DateIn,
    KeySpec,
    Matches,
    Mentions,
    NodeSpec,
    NumberIn,
    Part,
    Record,
    RequirementSpec,
    RequirementVerdict,
    TaskSpec,
)

if TYPE_CHECKING:
    from collections.abc import Callable

LIMITS = Limits(page_tokens=12_000, max_tokens=1_000)
OPEN = Part(value=None, code="open")
HOSTILE = 400_000
NODE = NodeSpec(
    name="fees",
    keys=(KeySpec(name="company", kind="company", required=1), KeySpec(name="url", required=1)),
    answer=("on", "fee"),
    requirements=(
        RequirementSpec(id="when", text="Says when.", check=DateIn(date="on")),
        RequirementSpec(id="fee", text="Says how much.", check=NumberIn(number="fee")),
        RequirementSpec(id="who", text="Says who.", check=Mentions(mentions=("company",))),
        RequirementSpec(id="what", text="Says what for.", check=Matches(matches="(?i)for the ovens")),
    ),
)
TASK = TaskSpec(id="fees", instruction="Find fees.", nodes=(NODE,))


def plain(at: int) -> str:
    return f"Paragraph {at} speaks of weather and bread, of the barges, and of roads that were opened lately."


def matching(at: int) -> str:
    return f"Birch Lane Foods pays 1,234.50 crowns for the ovens on 9 June 2026 and {at} on 06/09/2026."


def varied(at: int) -> str:
    day = f"{1 + at % 28} June {1990 + at % 40}"
    return (
        f"Birch {at} Foods pays 1,{at % 1000:03}.50 crowns on {day}, and {at}.25 on 07/08/{1990 + at % 35}."
    )


def short(at: int) -> str:
    return ("9 June 2026", "1,234.50", "Birch Lane Foods")[at % 3]


PAGES: dict[str, tuple[Callable[[int], str], int]] = {
    "1 kB": (plain, 1_000),
    "60 kB": (plain, 60_000),
    "400 kB, all match": (matching, HOSTILE),
    "400 kB, others each time": (varied, HOSTILE),
    "400 kB, short lines": (short, HOSTILE),
}


def page_of(line: Callable[[int], str], size: int) -> bytes:
    lines, total, at = [], 0, 0
    while total < size:
        lines.append(f"<p>{line(at)}</p>\n")
        total += len(lines[-1])
        at += 1
    return f"<html><head><title>Fees</title></head><body>{''.join(lines)}</body></html>".encode()


def question(text: str, at: int) -> Question:
    record = Record(
        node="fees",
        item={"company": "Birch Lane Foods"},
        url="https://wire.example/fees",
        excerpts=("pays 1,234.50 crowns for the ovens", f"nowhere is this said {at} times"),
        answer={"on": "2026-06-09", "fee": 1234.5} if at % 2 == 0 else {"on": f"2026-06-{at:02}", "fee": at},
    )
    return Question(
        task=TASK,
        node=NODE,
        record=record,
        final_url=record.url,
        page_text=text,
        open=tuple(each.id for each in NODE.requirements),
        known=tuple(
            RequirementVerdict(id=each.id, satisfied=OPEN, supported=OPEN) for each in NODE.requirements
        ),
    )


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def measured(line: Callable[[int], str], size: int, *, rounds: int, records: int) -> dict[str, float]:
    body = page_of(line, size)
    text = read_page(body, media_type="text/html").text
    found = []
    for _ in range(rounds):
        sheet_of.cache_clear()
        read = seconds(lambda: read_page(body, media_type="text/html").text)
        each = [seconds(lambda at=at: prompt_of([put(question(text, at), LIMITS)])) for at in range(records)]
        found.append((read, each[0], statistics.mean(each[1:])))
    read, first, further = (min(column) for column in zip(*found, strict=True))
    return {
        "characters": len(text),
        "read_ms": 1000 * read,
        "first_ms": 1000 * first,
        "further_ms": 1000 * further,
        "first_ratio": min(row[1] / row[0] for row in found),
        "further_ratio": min(row[2] / row[0] for row in found),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rounds, records = (1, 5) if options.quick else (5, 21)
    result = {
        name: measured(line, size, rounds=rounds, records=records) for name, (line, size) in PAGES.items()
    }
    if options.json:
        print(json.dumps(result))
        return
    print(f"{'':26}{'read_page':>12}{'first':>12}{'further':>12}{'ratios':>16}")
    for name, row in result.items():
        times = "".join(f"{row[key]:9.1f} ms" for key in ("read_ms", "first_ms", "further_ms"))
        print(f"{name:26}{times}{row['first_ratio']:8.2f}{row['further_ratio']:8.2f}")


if __name__ == "__main__":
    main()
