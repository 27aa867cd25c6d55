"""Which stored verdicts are damaged, and which can never apply again?

A verdict rests on digests alone, so it is called stale only when that is certain: no recorded page has its
digest, no node of the task has its requirements, or an older version of the code made it. Verdicts of another
record, of another judge, by newer code or about a refused url stay as they are.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.secrets import SecretScan
from pytest_wandr.fetch.trace import every_trace
from pytest_wandr.identity import IDENTITY_VERSION
from pytest_wandr.lines import check_lines, path_of
from pytest_wandr.markers import write_whole
from pytest_wandr.remember import FILE, requirements_digest
from pytest_wandr.verdict_lines import StoredVerdict, read_line
from pytest_wandr.verdicts import CHECKS_VERSION, EXTRACTOR_VERSION, numbered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_wandr.cassettes import PageStore
    from pytest_wandr.lines import Key
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


def count_by_judge(store: PageStore) -> Mapping[str, int]:
    """How many verdicts each judge has in a store, by the name that it is kept under.

    Raises:
        CassetteError: a line is damaged.
    """
    where = path_of(store, FILE)
    lines = (read_line(line, where) for _, line in numbered(store.text_of(FILE)))
    found = Counter(str(stored.made.get("judge", stored.verdict.judge)) for stored in lines)
    return dict(sorted(found.items()))


def check_verdicts(
    store: PageStore, task: TaskSpec | None, environment: Mapping[str, str] | None = None
) -> Iterator[str]:
    """Every problem of the stored verdicts, in words, with file and line."""
    where, present = path_of(store, FILE), Present.of(store, task)

    def read(line: bytes) -> tuple[Key, str]:
        stored = read_line(line, where)
        return (stored.key,), present.why_stale(stored)

    yield from check_lines(store.text_of(FILE), where, read, scan=SecretScan(environment), what="the verdict")


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
    where, present = path_of(store, FILE), Present.of(store, task)
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
