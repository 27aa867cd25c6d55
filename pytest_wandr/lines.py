"""Are the lines of a store sound: readable, canonical, sorted, each key once, and free of secrets?"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from pytest_wandr.errors import CassetteError
from pytest_wandr.model import canonical_json
from pytest_wandr.verdicts import numbered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pytest_wandr.cassettes import PageStore
    from pytest_wandr.cassettes.secrets import SecretScan

Key: TypeAlias = tuple[str, ...]
Read: TypeAlias = Callable[[bytes], tuple[Key, str]]
"""The key by which a line is sorted, and what else is wrong with it; raises CassetteError when it is none."""


def path_of(store: PageStore, name: str) -> Path:
    """Where a file of a recording is read from, as errors name it."""
    loose = store.folder / name
    return loose if loose.exists() else store.folder.with_name(f"{store.folder.name}.zip") / name


def check_lines(text: bytes, where: Path, read: Read, *, scan: SecretScan, what: str) -> Iterator[str]:
    """Every problem of a store's lines, in words, with file and line. `what` is what a line holds."""
    seen: dict[Key, int] = {}
    before: Key = ()
    for number, line in numbered(text):
        try:
            key, other = read(line)
            scan.refuse(line, what)
        except CassetteError as error:
            yield f"{where}:{number}: {str(error).removeprefix(f'{where}: ')}"
            continue
        for problem in (_misplaced(key, before, seen), _misspelt(line), other):
            if problem:
                yield f"{where}:{number}: {problem}"
        before = key
        seen.setdefault(key, number)
    if text and not text.endswith(b"\n"):
        yield f"{where}:{len(text.splitlines())}: the last line is torn: it does not end"


def _misplaced(key: Key, before: Key, seen: Mapping[Key, int]) -> str:
    if key in seen:
        return f"the key of line {seen[key]} again; `wandr cassette gc` keeps the last"
    return "" if key > before else "out of order; `wandr cassette gc` sorts the lines"


def _misspelt(line: bytes) -> str:
    known: Any = json.loads(line)
    written = canonical_json(known).encode("utf-8", "backslashreplace")
    return "" if line == written else "no canonical JSON: somebody edited it"


def mended(text: bytes, where: Path, read: Read) -> bytes:
    """The same lines sorted; of those with one key the last, which is the one that a reader finds.

    Raises:
        CassetteError: a line is damaged; the message names it.
    """
    kept: dict[Key, bytes] = {}
    for number, line in numbered(text):
        try:
            kept[read(line)[0]] = line
        except CassetteError as error:
            raise CassetteError(f"{where}:{number}: {str(error).removeprefix(f'{where}: ')}") from None
    return b"".join(kept[key] + b"\n" for key in sorted(kept))
