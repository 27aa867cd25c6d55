"""Which stored verdicts are damaged, and which can never apply again?

A verdict rests on digests alone, so it is called stale only when that is certain: no recorded page has its
digest, no node of the task has its requirements, or an older version of the code made it. Verdicts of another
record, of another judge, by newer code or about a refused url stay as they are.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_wandr.cassettes.secrets import SecretScan
from pytest_wandr.errors import CassetteError
from pytest_wandr.fetch.trace import every_trace
from pytest_wandr.identity import IDENTITY_VERSION
from pytest_wandr.markers import write_whole
from pytest_wandr.model import canonical_json
from pytest_wandr.remember import FILE, requirements_digest
from pytest_wandr.verdicts import CHECKS_VERSION, EXTRACTOR_VERSION, StoredVerdict, numbered, read_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_wandr.cassettes import PageStore
    from pytest_wandr.model import TaskSpec

_SHORT = 12
_VERSIONS = {"extractor": EXTRACTOR_VERSION, "identity": IDENTITY_VERSION, "checks": CHECKS_VERSION}


@dataclass(frozen=True)
class Present:
    """What there is to rest on: short digests of pages, and of requirements when the task is known."""

    pages: frozenset[str]
    requirements: frozenset[str] | None

    @classmethod
    def of(cls, store: PageStore, task: TaskSpec | None) -> Present:
        """What a recording and its task package hold now."""
        pages = frozenset(trace[:_SHORT] for trace in every_trace(store))
        if task is None:
            return cls(pages, None)
        return cls(pages, frozenset(requirements_digest(task, node)[:_SHORT] for node in task.nodes))

    def why_stale(self, stored: StoredVerdict) -> str:
        """Why a verdict can never apply again, or ""."""
        made = stored.made
        if not made:
            return ""
        older = [name for name, now in _VERSIONS.items() if _is_older(str(made.get(name, now)), now)]
        if older:
            return f"it was made by an older version of: {', '.join(older)}"
        if made.get("page") not in self.pages and stored.verdict.page_content_usable.code != "blocked":
            return "its page changed, or is no longer recorded"
        if self.requirements is not None and made.get("requirements") not in self.requirements:
            return "the task's requirements changed"
        return ""


def _is_older(version: str, now: str) -> bool:
    """True when both are numbers with dots and the first is smaller."""
    try:
        one, other = ([int(part) for part in text.split(".")] for text in (version, now))
    except ValueError:
        return False
    return one < other


def verdicts_path(store: PageStore) -> Path:
    """Where the verdicts of a recording are read from, as errors name it."""
    loose = store.folder / FILE
    return loose if loose.exists() else store.folder.with_name(f"{store.folder.name}.zip") / FILE


def count_by_judge(store: PageStore) -> Mapping[str, int]:
    """How many verdicts each judge has in a store, by the name that it is kept under.

    Raises:
        CassetteError: a line is damaged.
    """
    where = verdicts_path(store)
    lines = (read_line(line, where) for _, line in numbered(store.text_of(FILE)))
    found = Counter(str(stored.made.get("judge", stored.verdict.judge)) for stored in lines)
    return dict(sorted(found.items()))


def check_verdicts(
    store: PageStore, task: TaskSpec | None, environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Every problem of the stored verdicts, in words, with file and line."""
    text = store.text_of(FILE)
    where, scan, present = verdicts_path(store), SecretScan(environment), Present.of(store, task)
    seen: dict[str, int] = {}
    before = ""
    for number, line in numbered(text):
        try:
            stored = read_line(line, where)
            scan.refuse(line, "the verdict")
        except CassetteError as error:
            yield f"{where}:{number}: {str(error).removeprefix(f'{where}: ')}"
            continue
        for problem in (_misplaced(stored.key, before, seen), _misspelt(line), present.why_stale(stored)):
            if problem:
                yield f"{where}:{number}: {problem}"
        before = stored.key
        seen.setdefault(stored.key, number)
    if text and not text.endswith(b"\n"):
        yield f"{where}:{len(text.splitlines())}: the last line is torn: it does not end"


def _misplaced(key: str, before: str, seen: Mapping[str, int]) -> str:
    if key in seen:
        return f"the key of line {seen[key]} again; `wandr cassette gc` keeps the last"
    return "" if key > before else "out of order; `wandr cassette gc` sorts the lines"


def _misspelt(line: bytes) -> str:
    known: Any = json.loads(line)
    written = canonical_json(known).encode("utf-8", "backslashreplace")
    return "" if line == written else "no canonical JSON: somebody edited it"


@dataclass(frozen=True)
class Sifted:
    """The stored verdicts that may still apply, as file content, and why the others cannot."""

    kept: bytes
    dropped: Mapping[str, int]


def sift(store: PageStore, task: TaskSpec | None) -> Sifted:
    """Sort out the stored verdicts. Nothing is written.

    Raises:
        CassetteError: a line is damaged.
    """
    where, present = verdicts_path(store), Present.of(store, task)
    kept: dict[str, bytes] = {}
    dropped: Counter[str] = Counter()
    for _, line in numbered(store.text_of(FILE)):
        stored = read_line(line, where)
        why = present.why_stale(stored)
        if why:
            dropped[why] += 1
        else:
            kept[stored.key] = line
    return Sifted(b"".join(kept[key] + b"\n" for key in sorted(kept)), dict(sorted(dropped.items())))


def keep(store: PageStore, sifted: Sifted) -> None:
    """Write what is left of the verdicts of a folder.

    Raises:
        CannotWrite: there is no room, say; then nothing changed.
    """
    path = store.folder / FILE
    if path.exists() and path.read_bytes() != sifted.kept:
        if sifted.kept:
            write_whole(path, sifted.kept, durable=True)
        else:
            path.unlink()
