"""Do rows of real tables pass in every usual rendering, and fail with a cell emptied, swapped or moved?

python benchmarks/evidence_tables.py [--quick] [--json]
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import TYPE_CHECKING

from evidence_corpus import body, entries, require_pages
from evidence_variants import pick
from lxml import etree

from pytest_wandr.evidence import find_excerpt, read_page

if TYPE_CHECKING:
    from collections.abc import Iterator

JOINTS = {"bars": " | ", "tabs": "\t", "commas": ", ", "spaces": " "}


def rows(source: bytes) -> Iterator[list[str]]:
    """The rows with two to twelve cells, two of them with short text, that hold no table themselves."""
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True)
    for row in etree.fromstring(source, parser).iter("tr"):
        cells = [el for el in row if el.tag in {"td", "th"}]
        spanning = any(el.get("colspan") or el.get("rowspan") for el in cells)
        if spanning or next(row.iter("table"), None) is not None:
            continue
        texts = [" ".join(" ".join(el.itertext()).split()) for el in cells]
        filled = [
            text for text in texts if any(map(str.isalnum, text)) and len(text) < 80 and "|" not in text
        ]
        if 2 <= len(cells) <= 12 and len(filled) >= 2 and len(filled) == sum(map(bool, texts)):
            yield texts


def changed(cells: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The row with a cell emptied, two cells swapped, a cell moved past an empty one, cells pushed on."""
    filled = [at for at, text in enumerate(cells) if text]
    at = filled[pick("".join(cells), len(filled))]
    yield "emptied", [("" if n == at else text) for n, text in enumerate(cells)]
    first, second = filled[0], filled[-1]
    if cells[first] != cells[second]:
        swapped = list(cells)
        swapped[first], swapped[second] = swapped[second], swapped[first]
        yield "swapped", swapped
    empty = next((n for n, text in enumerate(cells) if not text and n and cells[n - 1]), None)
    if empty is not None:
        moved = list(cells)
        moved[empty], moved[empty - 1] = moved[empty - 1], moved[empty]
        yield "moved", moved
    yield "pushed", [*cells[:at], "", *cells[at:]]


def measure() -> dict:
    """Counts of accepted and refused rows, by rendering and change."""
    counts, wrong = Counter(), []
    for entry in entries("html"):
        source = body(entry)
        page = read_page(source, media_type="text/html")
        if page.problem or page.charset != "utf-8":
            continue
        for cells in list(rows(source))[:60]:
            for name, joint in JOINTS.items():
                _count(page, (name, "as it is"), joint.join(cells), counts, wrong)
            for change, other in changed(cells):
                _count(page, ("bars", change), f"| {' | '.join(other)} |", counts, wrong)
                _count(page, ("tabs", change), "\t".join(other), counts, wrong)
    return {"counts": {" ".join(key): n for key, n in sorted(counts.items())}, "wrong": wrong}


def _count(page, kind: tuple[str, str], text: str, counts: Counter, wrong: list) -> None:
    match = find_excerpt(page, text)
    counts[(*kind, "accepted" if match.faithful else "refused")] += 1
    if match.faithful is not (kind[1] == "as it is"):
        wrong.append((*kind, match.how or match.reason, text[:160]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="no difference: there are few tables")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    require_pages()
    result = measure()
    if options.json:
        print(json.dumps(result, ensure_ascii=False, indent=1))
        return
    for key, n in result["counts"].items():
        print(f"{key:30} {n}")
    for row in result["wrong"][:40]:
        print("  ", *row, sep=" / ")


if __name__ == "__main__":
    main()
