"""How many honest excerpts are accepted and how many changed ones, on saved pages?

    python benchmarks/evidence_quality.py [--quick] [--json]

Needs the folder of saved pages (WANDR_SHARED, or ../shared beside the repository). A changed excerpt whose
text does stand on the page is counted apart: it is no lie.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections import Counter
from itertools import pairwise

from evidence_corpus import body, entries, gold_sentences, require_pages
from evidence_variants import FAITHFUL, UNFAITHFUL, stitched

from pytest_wandr.evidence import find_excerpt, page_problem, read_page


def measure(*, quick: bool) -> dict:
    """All figures as one plain structure."""
    recall, faithful, unfaithful, walls = Counter(), Counter(), Counter(), Counter()
    accepted: list[tuple[str, str, str]] = []
    pages = entries("html")
    for entry in pages[:: 4 if quick else 1]:
        page = read_page(body(entry), media_type="text/html")
        walls[_wall_class(entry), _kind(page_problem(page))] += 1
        sentences = [s for s in gold_sentences(entry) if any(map(str.isalpha, s))]
        for sentence in sentences:
            match = find_excerpt(page, sentence)
            recall[match.where or f"not found: {match.reason}"] += 1
        step = max(1, len(sentences) // (15 if quick else 40))
        _vary(page, sentences[::step], (faithful, unfaithful), accepted)
    return {
        "recall": dict(recall),
        "faithful": _shares(faithful, "accepted"),
        "unfaithful": _shares(unfaithful, "accepted"),
        "accepted_unfaithful": accepted,
        "usability": {f"{a} -> {b}": n for (a, b), n in sorted(walls.items())},
    }


def _vary(page, sentences: list[str], counts: tuple[Counter, Counter], accepted: list) -> None:
    faithful, unfaithful = counts
    plain = _plain(page.full_text + page.hidden_text)
    for sentence in sentences:
        for name, change in FAITHFUL.items():
            if (text := change(sentence)) is not None:
                faithful[name, "accepted" if find_excerpt(page, text).faithful else "refused"] += 1
    changed = [(n, s, c(s)) for s in sentences for n, c in UNFAITHFUL.items()]
    changed += [("stitched", a, stitched(a, b)) for a, b in pairwise(sentences)]
    for name, sentence, text in changed:
        if text is None or _plain(text) == _plain(sentence):
            continue
        match = find_excerpt(page, text)
        verdict = "refused" if not match.faithful else "on the page" if _occurs(text, plain) else "accepted"
        unfaithful[name, verdict] += 1
        if verdict == "accepted":
            accepted.append((name, match.how, text))


def _occurs(text: str, plain: str) -> bool:
    """True when the changed text, or its pieces around the dots in this order, do stand on the page."""
    at = 0
    for piece in map(_plain, text.removeprefix("+ ").split(" ... ")):
        found = plain.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text).casefold())


def _shares(counts: Counter, good: str) -> dict:
    table = {}
    for name in dict.fromkeys(name for name, _ in counts):
        row = {verdict: n for (other, verdict), n in counts.items() if other == name}
        total = sum(row.values())
        table[name] = {**row, "total": total, "share": round(row.get(good, 0) / total, 4)}
    total = sum(counts.values())
    share = sum(n for (_, verdict), n in counts.items() if verdict == good) / max(1, total)
    return table | {"all": {"total": total, "share": round(share, 4)}}


def _wall_class(entry: dict) -> str:
    challenge = (
        "wall-" in entry["file"]
        and "page_with" not in entry["file"]
        and "requested_page" not in entry["file"]
    )
    return "challenge fixture" if challenge else "page"


def _kind(problem: str | None) -> str:
    return "usable" if problem is None else problem.split(":")[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="every fourth page, fewer sentences")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args()
    require_pages()
    result = measure(quick=options.quick)
    if options.json:
        print(json.dumps(result, ensure_ascii=False, indent=1))
        return
    total = sum(result["recall"].values())
    visible = result["recall"].get("reading", 0) + result["recall"].get("full", 0)
    print(f"gold sentences: {total}, in the reading or full view {visible / total:.4f}   {result['recall']}")
    for title in ("faithful", "unfaithful"):
        print(f"\n{title}: share accepted")
        for name, row in result[title].items():
            print(f"  {name:18} {row['share']:.4f} of {row['total']:5}  {row.get('on the page', '')}")
    print("\nunfaithful and accepted:")
    for name, how, text in result["accepted_unfaithful"]:
        print(f"  {name} ({how}): {text}")
    print("\nusability:", *(f"{k}: {n}" for k, n in result["usability"].items()), sep="\n  ")


if __name__ == "__main__":
    main()
