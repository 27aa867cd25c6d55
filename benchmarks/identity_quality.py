"""How right are the verdicts? Precision and recall on pair sets, false merges among distinct names.

    python benchmarks/identity_quality.py [--quick] [--json]

The sets are not part of this repository: set WANDR_SHARED to the folder that holds `identity_data`, or keep
it beside the repository as `../shared`. With --quick only the sets that a release must not fall behind on.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path

from pytest_wandr.identity import cluster, explain
from pytest_wandr.identity.policies import POLICIES, merges

_ROOT = Path(__file__).resolve().parents[1]
_QUICK = ("nk_name_bench", "autofj_pairs")
_PAIR_SETS = (
    *_QUICK,
    "ditto_fodors_zagats",
    "ditto_dblp_acm",
    "ditto_dblp_googlescholar",
    "ditto_itunes_amazon",
    "ditto_beer",
    "ditto_walmart_amazon",
    "ditto_abt_buy",
)
TARGETS = {  # figure: (at least, at most)
    "nk_name_bench company strict precision": (0.98, 1.0),
    "nk_name_bench company strict recall": (0.474, 1.0),
    "nk_name_bench person strict precision": (0.98, 1.0),
    "nk_name_bench person strict recall": (0.178, 1.0),
    "nk_name_bench company balanced precision": (0.97, 1.0),
    "nk_name_bench company balanced recall": (0.69, 1.0),
    "nk_name_bench person balanced precision": (0.97, 1.0),
    "nk_name_bench person balanced recall": (0.56, 1.0),
    "false merges strict percent": (0.0, 0.03),
}


def data_folder() -> Path | None:
    """Where the public sets are, if they are here."""
    folder = Path(os.environ.get("WANDR_SHARED", _ROOT.parent / "shared")) / "identity_data"
    return folder if folder.is_dir() else None


def rows(folder: Path, name: str) -> list[dict[str, object]]:
    """The lines of one set."""
    text = (folder / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def pair_figures(folder: Path, name: str) -> dict[str, float]:
    """Precision and recall of each policy, by kind; a pair alone, without the guards of a list."""
    found: dict[str, float] = {}
    by_kind: dict[str, list[dict[str, object]]] = {}
    for row in rows(folder, name):
        by_kind.setdefault(str(row["kind"]), []).append(row)
    for kind, pairs in sorted(by_kind.items()):
        verdicts = [explain(kind, str(row["a"]), str(row["b"])) for row in pairs]
        positives = sum(bool(row["same"]) for row in pairs)
        for policy in POLICIES:
            hits = Counter(
                bool(row["same"])
                for row, verdict in zip(pairs, verdicts, strict=True)
                if merges(kind, policy, verdict)
            )
            merged = hits[True] + hits[False]
            found[f"{name} {kind} {policy} precision"] = hits[True] / merged if merged else 1.0
            found[f"{name} {kind} {policy} recall"] = hits[True] / positives if positives else 1.0
    return found


def false_merges(folder: Path, policies: tuple[str, ...]) -> dict[str, float]:
    """Names lost when lists of distinct names are collapsed, in percent."""
    by_set: dict[tuple[str, str], set[str]] = {}
    for row in rows(folder, "autofj_distinct_names"):
        by_set.setdefault((str(row["kind"]), str(row["set"])), set()).add(str(row["name"]))
    total = sum(len(names) for names in by_set.values())
    found: dict[str, float] = {}
    for policy in policies:
        lost = sum(
            len(names) - len(cluster(kind, sorted(names), policy)) for (kind, _), names in by_set.items()
        )
        found[f"false merges {policy} percent"] = 100 * lost / total
    return found


def measure(folder: Path, *, quick: bool) -> dict[str, float]:
    """All figures."""
    found: dict[str, float] = {}
    for name in _QUICK if quick else _PAIR_SETS:
        found |= pair_figures(folder, name)
    found |= false_merges(folder, ("strict",) if quick else POLICIES)
    return {key: round(value, 4) for key, value in found.items()}


def missed(found: dict[str, float]) -> list[str]:
    """Targets that the figures do not reach."""
    return [
        f"{name}: {found[name]} is not within {low} and {high}"
        for name, (low, high) in TARGETS.items()
        if not low <= found[name] <= high
    ]


def _print_table(found: dict[str, float]) -> None:
    for key, value in found.items():
        if key.endswith("strict precision"):
            stem = key.removesuffix(" strict precision")
            cells = [
                f"{found[f'{stem} {p} precision']:.3f}/{found[f'{stem} {p} recall']:.3f}" for p in POLICIES
            ]
            print(f"{stem:32}", *cells)
        elif key.startswith("false merges"):
            print(f"{key:32} {value:.4f}")


def main() -> int:
    """Measure, print, and say whether every target is reached."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args()
    folder = data_folder()
    if folder is None:
        print("skipped: no identity_data; set WANDR_SHARED to the folder that holds it")
        return 0
    found = measure(folder, quick=options.quick)
    if options.json:
        print(json.dumps(found, indent=2, sort_keys=True))
    else:
        print(f"{'set and kind':32}", *(f"{policy} P/R".ljust(11) for policy in POLICIES))
        _print_table(found)
    problems = missed(found)
    print(*problems, sep="\n", file=sys.stderr, end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
