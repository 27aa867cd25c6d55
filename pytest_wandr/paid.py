"""What did models say, and is it stored soundly? Their answers, and what they said of names.

Both were paid for, and a line says nothing of the page or task that it was about. So none is ever called
stale: `wandr cassette gc` sorts them after a merge, and drops a line only if another has its key.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_wandr import naming
from pytest_wandr.cassettes.packed import ANSWERS, NAMES
from pytest_wandr.cassettes.secrets import SecretScan
from pytest_wandr.judges.llm import answers
from pytest_wandr.lines import check_lines, mended, path_of
from pytest_wandr.markers import write_whole
from pytest_wandr.verdicts import numbered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from pytest_wandr.cassettes import PageStore
    from pytest_wandr.lines import Key


@dataclass(frozen=True)
class _Kind:
    """A file: what a line holds, in the plural too, and who said it with which key."""

    name: str
    one: str
    many: str
    tell: Callable[[bytes, Path], tuple[Key, str]]


_KINDS = (
    _Kind(ANSWERS, "the answer", "answers", answers.told),
    _Kind(NAMES, "what was said of names", "lists of names", naming.told),
)


def count_by_source(store: PageStore) -> Mapping[str, int]:
    """How many lines there are, by what they hold and who said it: `answers by MODEL`.

    Raises:
        CassetteError: a line is damaged.
    """
    found: Counter[str] = Counter()
    for kind in _KINDS:
        where = path_of(store, kind.name)
        sources = (kind.tell(line, where)[1] for _, line in numbered(store.text_of(kind.name)))
        found.update(f"{kind.many} by {source or 'a model that gave no name'}" for source in sources)
    return dict(sorted(found.items()))


def check_paid(store: PageStore, environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """Every problem of these lines, in words, with file and line."""
    scan = SecretScan(environment)
    for kind in _KINDS:
        where = path_of(store, kind.name)
        read = _reading(kind, where)
        yield from check_lines(store.text_of(kind.name), where, read, scan=scan, what=kind.one)


def sorted_lines(store: PageStore) -> Mapping[Path, bytes]:
    """What the files in the folder hold once their lines are in order, if they are not. Nothing is written.

    Raises:
        CassetteError: a line is damaged.
    """
    found = {}
    for kind in _KINDS:
        path = store.folder / kind.name
        text = path.read_bytes() if path.exists() else b""
        whole = mended(text, path, _reading(kind, path))
        if whole != text:
            found[path] = whole
    return found


def keep_sorted(found: Mapping[Path, bytes]) -> None:
    """Write what `sorted_lines` found.

    Raises:
        CannotWrite: there is no room, say; then the rest is as it was.
    """
    for path, text in found.items():
        write_whole(path, text, durable=True)


def _reading(kind: _Kind, where: Path) -> Callable[[bytes], tuple[Key, str]]:
    def read(line: bytes) -> tuple[Key, str]:
        return kind.tell(line, where)[0], ""

    return read
