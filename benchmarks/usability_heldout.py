"""How often is a page called usable, or no evidence, rightly? Labelled pages, also those the rules never saw.

    python benchmarks/usability_heldout.py [--quick] [--json]

The pages are invented and are part of the tests. "Found" is a page that is no evidence and is called that.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from pytest_wandr.evidence import page_problem, read_page

_PAGES = Path(__file__).resolve().parents[1] / "tests" / "cases" / "usability_pages.jsonl"


def measure() -> dict[str, dict[str, float]]:
    """For the open and the held-out pages: how many, precision, recall, and how many got their very kind."""
    splits: dict[str, Counter[str]] = {}
    for line in _PAGES.read_text("utf-8").splitlines():
        page = json.loads(line)
        problem = page_problem(
            read_page(page["html"].encode(), media_type="text/html"), status=page["status"]
        )
        kind = "usable" if problem is None else problem.split(":")[0]
        counts = splits.setdefault(page["split"], Counter())
        counts["pages"] += 1
        counts["bad"] += page["expect"] != "usable"
        counts["told"] += kind != "usable"
        counts["found"] += "usable" not in {kind, page["expect"]}
        counts["kind"] += kind == page["expect"]
    return {split: _figures(counts) for split, counts in splits.items()}


def _figures(counts: Counter[str]) -> dict[str, float]:
    return {
        "pages": counts["pages"],
        "bad": counts["bad"],
        "precision": round(counts["found"] / counts["told"], 4),
        "recall": round(counts["found"] / counts["bad"], 4),
        "very kind": round(counts["kind"] / counts["pages"], 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="no difference: the pages are short")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    found = measure()
    if parser.parse_args().json:
        print(json.dumps(found, indent=1))
        return
    for split, figures in found.items():
        print(f"{split:10}", *(f"{name} {value:g}" for name, value in figures.items()), sep="   ")


if __name__ == "__main__":
    main()
