"""Real pages, when a folder of them is at hand: honest excerpts are found, changed ones are refused.

What is expected follows from how each excerpt was made, so nothing has to be labelled. The folder is never
part of the project: it is looked for at WANDR_SHARED, or in `../shared` beside the repository.
"""

import json
import os
import re
import unicodedata
import zlib
from collections import Counter
from pathlib import Path

import pytest

from pytest_wandr.evidence import find_excerpt, page_problem, read_page

SHARED = Path(os.environ.get("WANDR_SHARED", Path(__file__).resolve().parents[3] / "shared"))
MANIFEST = SHARED / "pages" / "manifest.jsonl"
pytestmark = pytest.mark.skipif(
    not MANIFEST.is_file(),
    reason=f"no saved pages at {MANIFEST.parent} (set WANDR_SHARED to a folder with pages/)",
)
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
NEGATIONS = {"not", "never", "no", "nicht", "kein", "keine", "pas", "jamais", "non", "nunca", "не", "niet"}
VERBS = {"is", "was", "are", "were", "has", "ist", "war", "est", "es", "è"}


def entries():
    found = map(json.loads, MANIFEST.read_text("utf-8").splitlines())
    return sorted((e for e in found if e["file"].startswith("html/")), key=lambda e: e["file"])


def sentences(entry):
    if not entry.get("gold"):
        return []
    text = (SHARED / "pages" / entry["gold"]).read_text("utf-8")
    parts = (" ".join(part.split()) for part in SENTENCE.split(text))
    return list(dict.fromkeys(p for p in parts if 40 <= len(p) <= 400 and sum(map(str.isalpha, p)) > 20))[:30]


def pick(items, text):
    return items[zlib.crc32(text.encode()) % len(items)] if items else None


def other_digit(text):
    at = pick([m.start() for m in re.finditer(r"[0-9]", text)], text)
    return None if at is None else f"{text[:at]}{(int(text[at]) + 3) % 10}{text[at + 1 :]}"


def other_name(text):
    at = pick([m.start() for m in re.finditer(r"(?<=[a-z,] )[A-Z][a-z]{3,}", text)], text)
    return None if at is None else f"{text[: at + 1]}{'o' if text[at + 1] != 'o' else 'u'}{text[at + 2 :]}"


def other_negation(text):
    words = text.split(" ")
    inner = range(1, len(words) - 1)
    at = next((n for n in inner if words[n].lower() in NEGATIONS), None)
    if at is not None:
        return " ".join(words[:at] + words[at + 1 :])
    at = next((n for n in inner if words[n] in VERBS), None)
    return None if at is None else " ".join([*words[: at + 1], "not", *words[at + 1 :]])


CHANGES = {"digit": other_digit, "name": other_name, "negation": other_negation}


def plain(text):
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text).casefold())


@pytest.fixture(scope="module")
def table():
    """Verdicts by how an excerpt was made; a changed excerpt that is on the page all the same is left out."""
    counts, wrong, foreign = (
        Counter(),
        [],
        ["The lighthouse of Orrin was sold to Ida Kerr in the spring of 1987."],
    )
    for entry in entries():
        page = read_page(
            (SHARED / "pages" / entry["file"]).read_bytes(), media_type="text/html", url="https://page.test/"
        )
        text = plain(page.full_text + page.hidden_text)
        own = sentences(entry)
        for sentence in own:
            made = [("honest", sentence), ("other page", pick(foreign, sentence))]
            made += [(name, change(sentence)) for name, change in CHANGES.items()]
            for name, excerpt in made:
                if excerpt is None or (name != "honest" and plain(excerpt) in text):
                    continue
                match = find_excerpt(page, excerpt)
                counts[name, match.faithful] += 1
                if match.faithful is not (name == "honest"):
                    wrong.append(f"{entry['file']}: {name}: {match.explain()}: {excerpt}")
        foreign = own or foreign
    print("\nmade by      faithful  unfaithful")
    for name in dict.fromkeys(name for name, _ in counts):
        print(f"{name:12} {counts[name, True]:8}  {counts[name, False]:10}")
    print(*wrong[:20], sep="\n")
    return counts


def test_honest_excerpts_of_real_pages_are_faithful(table):
    found, missed = table["honest", True], table["honest", False]
    assert found + missed >= 500
    assert found / (found + missed) >= 0.993


@pytest.mark.parametrize("name", ["digit", "name", "negation", "other page"])
def test_changed_excerpts_of_real_pages_are_unfaithful(table, name):
    assert table[name, False] >= 100
    assert table[name, True] == 0


def test_real_articles_are_usable():
    problems = {}
    for entry in entries():
        if entry.get("gold") and len(sentences(entry)) >= 5:
            page = read_page((SHARED / "pages" / entry["file"]).read_bytes(), media_type="text/html")
            problems[entry["file"]] = page_problem(page)
    assert len(problems) >= 30
    assert not {file: problem for file, problem in problems.items() if problem}
