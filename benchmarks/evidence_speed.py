"""What does a page cost, next to lxml's own parse and text walk, and does the cost stay linear?

    python benchmarks/evidence_speed.py [--quick] [--json]

CPU time, best of several runs. Saved pages are used when at hand (WANDR_SHARED or ../shared); the rest is
generated.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from typing import TYPE_CHECKING

from evidence_corpus import body, entries, shared
from lxml import etree

from pytest_wandr.evidence import find_excerpt, read_page

if TYPE_CHECKING:
    from collections.abc import Callable

PARAGRAPH = (
    '<p class="c-{n}" id="p{n}">Barge <b>{n}</b> was built in Pell in 18{n:02d} for the '
    '<a href="/f/{n}">Ferrow family</a>, '
    "cost 1,{n:03d}.50 crowns and carried rope &amp; salt, café goods and “grain” until it sank.</p>\n"
)
ABSENT = "The barge was built in Quillby for the harbour office and never sank."


def best(work: Callable[[], object], runs: int) -> float:
    """The least CPU time of several runs, in seconds."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def page_of(size: int) -> bytes:
    """A page of about so many bytes."""
    parts, total, n = [], 0, 0
    while total < size:
        parts.append(PARAGRAPH.format(n=n % 100))
        total += len(parts[-1])
        n += 1
    return f"<html><head><title>Barges</title></head><body>{''.join(parts)}</body></html>".encode()


def lxml_alone(source: bytes) -> str:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    return "".join(etree.fromstring(source, parser).itertext())


def skeleton(source: bytes) -> object:
    return read_page(source, media_type="text/html").haystack("reading")


def on_saved_pages(runs: int, step: int) -> dict:
    """The ratio on saved pages of at least 10 kB, as UTF-8: of the sums, and of the median page."""
    ratios, ours, theirs = [], 0.0, 0.0
    for entry in entries("html")[::step]:
        source = body(entry)
        if len(source) < 10_000 or (entry.get("charset") or "utf-8").lower() != "utf-8":
            continue
        a, b = best(lambda: skeleton(source), runs), best(lambda: lxml_alone(source), runs)  # noqa: B023
        ratios.append(a / b)
        ours, theirs = ours + a, theirs + b
    return {
        "pages": len(ratios),
        "sum": ours / theirs,
        "median": statistics.median(ratios),
        "worst": max(ratios),
    }


def absent_excerpt(runs: int) -> float:
    """Milliseconds to refuse an excerpt on a page of 100 kB whose skeletons are built."""
    page = read_page(page_of(100_000), media_type="text/html")
    find_excerpt(page, ABSENT)
    return 1000 * best(lambda: find_excerpt(page, ABSENT), runs)


def doubling(runs: int, sizes: list[int]) -> list[dict]:
    """The cost of pages that double in size: reading, skeleton and one refused excerpt."""
    rows: list[dict] = []
    for size in sizes:
        source = page_of(size)
        seconds = best(lambda: find_excerpt(read_page(source, media_type="text/html"), ABSENT), runs)  # noqa: B023
        alone = best(lambda: lxml_alone(source), runs)  # noqa: B023
        factor = seconds / rows[-1]["seconds"] if rows else None
        rows.append({"bytes": len(source), "seconds": seconds, "lxml": alone, "factor": factor})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer pages, up to 2.5 MB")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args()
    runs = 3 if options.quick else 7
    sizes = [
        156_250,
        312_500,
        625_000,
        1_250_000,
        2_500_000,
        *([] if options.quick else [5_000_000, 10_000_000]),
    ]
    result = {"absent_ms": absent_excerpt(20), "doubling": doubling(runs, sizes)}
    if (shared() / "pages" / "manifest.jsonl").is_file():
        result["saved"] = on_saved_pages(runs, 4 if options.quick else 1)
    if options.json:
        print(json.dumps(result, indent=1))
        return
    if "saved" in result:
        print(
            "text and skeleton / lxml parse and text:", {k: round(v, 2) for k, v in result["saved"].items()}
        )
    print(f"absent excerpt, page of 100 kB: {result['absent_ms']:.2f} ms")
    for row in result["doubling"]:
        factor = f", {row['factor']:.2f} times the page of half the size" if row["factor"] else ""
        print(f"{row['bytes']:>10} bytes {row['seconds']:.4f} s, lxml alone {row['lxml']:.4f} s{factor}")


if __name__ == "__main__":
    main()
