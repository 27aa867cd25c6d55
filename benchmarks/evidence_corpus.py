"""Where are the saved pages to measure on, and which sentences do they hold?"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+")


def shared() -> Path:
    """The folder that holds `pages/`: WANDR_SHARED, or `../shared` beside the repository."""
    return Path(os.environ.get("WANDR_SHARED", _ROOT.parent / "shared"))


def require_pages() -> None:
    """Stop with a message, and no error, where there are no saved pages to measure on."""
    if not (shared() / "pages" / "manifest.jsonl").is_file():
        print(f"skipped: no saved pages under {shared()}; set WANDR_SHARED to the folder that holds pages/")
        raise SystemExit(0)


def entries(kind: str) -> list[dict]:
    """The manifest entries of one kind, `html` or `pdf`, in file order."""
    lines = (shared() / "pages" / "manifest.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return sorted((e for e in found if e["file"].startswith(f"{kind}/")), key=lambda e: e["file"])


def body(entry: dict) -> bytes:
    return (shared() / "pages" / entry["file"]).read_bytes()


def gold_sentences(entry: dict, *, least: int = 25, most: int = 400) -> list[str]:
    """The sentences of the gold text that are long enough to mean something, each once."""
    if not entry.get("gold"):
        return []
    text = (shared() / "pages" / entry["gold"]).read_text("utf-8")
    parts = (" ".join(part.split()) for part in _SENTENCE.split(text))
    return list(dict.fromkeys(part for part in parts if least <= len(part) <= most))
