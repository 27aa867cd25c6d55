"""Was this record judged before? A store of verdicts, keyed by everything that can change the answer."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_wandr.errors import CassetteError
from pytest_wandr.identity import IDENTITY_VERSION
from pytest_wandr.locks import briefly
from pytest_wandr.markers import read_whole, write_whole
from pytest_wandr.model import canonical_json, digest_of
from pytest_wandr.verdict_lines import LineReader, damaged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pydantic import JsonValue

    from pytest_wandr.model import RecordVerdict

SCHEMA = 1
EXTRACTOR_VERSION = "2"
"""Raised with every change of `evidence` after which some page or excerpt is read differently."""
CHECKS_VERSION = "1"
"""Raised with every change of `checks` or `judge` after which some verdict differs."""
UNANSWERED = frozenset(
    {"refused", "cut_off", "unreadable", "bad_schema", "judge_down", "judge_failed", "no_budget"}
)
"""Codes of questions to which a judge gave no usable answer this time."""
PASSING = UNANSWERED | {"not_recorded", "internal", "no_answer", "no_verdict"}
"""Codes of what could not be decided this time. Such a verdict is never kept: the next run tries again."""

_HEAD = re.compile(rb'\{"key":"([^"\\]+)",(?:"made":\{|"verdict":\{)')
_JUDGE = re.compile(rb'"judge":("(?:[^"\\]|\\.)*")')
_SHORT = 12
_NAMES = frozenset({"checks", "extractor", "identity", "judge", "page", "record", "requirements", "sample"})


@dataclass(frozen=True)
class Basis:
    """What a verdict rests on: digests of record, page and requirements, who judged, versions of the code.

    `judge` names the judge with model, prompt and parameters. `page` is a digest of what the record's url
    led to, as the index of the recording knows it, so no page need be read to find a verdict.
    """

    judge: str
    requirements: str
    record: str
    page: str
    sample: int = 0
    extractor: str = EXTRACTOR_VERSION
    identity: str = IDENTITY_VERSION
    checks: str = CHECKS_VERSION

    @cached_property
    def key(self) -> str:
        """The key of the verdict."""
        return verdict_key(
            judge=self.judge,
            requirements=self.requirements,
            record=self.record,
            page=self.page,
            extractor=self.extractor,
            identity=self.identity,
            checks=self.checks,
            sample=self.sample,
        )

    def made(self) -> dict[str, JsonValue]:
        """What is stored beside the verdict, to say one day why it no longer applies."""
        values = asdict(self)
        return values | {name: values[name][:_SHORT] for name in ("requirements", "record", "page")}


def verdict_key(  # noqa: PLR0913 -- each can change a verdict, and none may be forgotten
    *,
    judge: str,
    requirements: str,
    record: str,
    page: str,
    extractor: str,
    identity: str,
    checks: str,
    sample: int = 0,
) -> str:
    """The key of a verdict; see `Basis` for what it is made of."""
    return digest_of({
        "schema": SCHEMA,
        "judge": judge,
        "requirements": requirements,
        "record": record,
        "page": page,
        "extractor": extractor,
        "identity": identity,
        "checks": checks,
        "sample": sample,
    })  # fmt: skip


def key_maker(shared: Basis) -> Callable[[str, str], str]:
    """From the digests of a record and its page to the key that `Basis.key` gives, for many records.

    Everything else they share, and it is hashed once.
    """
    before = {name: getattr(shared, name) for name in ("checks", "extractor", "identity", "judge")}
    after = {"requirements": shared.requirements, "sample": shared.sample, "schema": SCHEMA}
    begun = hashlib.sha256(f'{canonical_json(before)[:-1]},"page":"'.encode("utf-8", "surrogatepass"))
    rest = f'",{canonical_json(after)[1:]}'.encode("utf-8", "surrogatepass")

    def key(record: str, page: str) -> str:
        hashed = begun.copy()
        hashed.update(f'{page}","record":"{record}'.encode() + rest)
        return hashed.hexdigest()

    return key


def worth_keeping(verdict: RecordVerdict) -> bool:
    """False when something could not be decided this time, and may be the next time."""
    parts = [part for _, part in verdict.parts()]
    parts += [part for each in verdict.requirements for part in (each.satisfied, each.supported)]
    return not any(part.value is None and part.code in PASSING for part in parts)


class VerdictStore:
    """Verdicts in one file, one a line, sorted by key. Nothing is written before `save`.

    `sealed` gives the lines that count as long as there is no such file; `save` begins it with them.
    """

    def __init__(self, path: Path | str, sealed: Callable[[], bytes] = bytes) -> None:
        self.path = Path(path)
        self._sealed = sealed
        self._lines = _read(self.path, sealed)
        self._new: dict[str, bytes] = {}
        self._reader = LineReader(self.path)
        self._by_record: dict[str, list[Mapping[str, Any]]] | None = None

    def __len__(self) -> int:
        return len(self._lines)

    def get(self, key: str) -> RecordVerdict | None:
        """The verdict under that key.

        Raises:
            CassetteError: its line is damaged.
        """
        line = self._lines.get(key)
        return None if line is None else self._reader.verdict(line)

    def judges(self) -> tuple[str, ...]:
        """Whose verdicts are in here, sorted."""
        found = {match[1]: line for line in self._lines.values() if (match := _JUDGE.search(line))}
        return tuple(sorted({str(_loaded(name, line, self.path)) for name, line in found.items()}))

    def about(self, record: str) -> list[Mapping[str, Any]]:
        """What the stored verdicts of a record, by its digest, rest on.

        Raises:
            CassetteError: a line is damaged.
        """
        if self._by_record is None:
            self._by_record = {}
            for line in self._lines.values():
                made = _made(line, self.path)
                self._by_record.setdefault(str(made.get("record")), []).append(made)
        return self._by_record.get(record[:_SHORT], [])

    def put(self, key: str, verdict: RecordVerdict, made: Mapping[str, JsonValue] | None = None) -> None:
        """Keep a verdict. `made` is what it rests on; saving drops older verdicts of the same record."""
        line = {"key": key, "verdict": verdict.model_dump(mode="json", exclude_defaults=True)}
        text = canonical_json(line | ({"made": dict(made)} if made else {}))
        self._lines[key] = self._new[key] = text.encode("utf-8", "backslashreplace")
        self._by_record = None

    def save(self, refuse: Callable[[bytes, str], None] | None = None) -> None:
        """Fold what is new into the file, which may have grown since it was read. All or nothing.

        Runs that save at once lose nothing of each other.

        `refuse` may raise for a line that must not be written, one with a secret say.

        Raises:
            CassetteError: a line of the file is damaged; it stays as it is.
        """
        if not self._new:
            return
        if refuse is not None:
            for line in self._new.values():
                refuse(line, f"a verdict in {self.path}")
        with briefly(self.path.parent):
            merged = _without(_read(self.path, self._sealed), self._new, self.path) | self._new
            body = b"".join(merged[key] + b"\n" for key in sorted(merged))
            write_whole(self.path, body, durable=True)  # these may have been paid for
        self._lines, self._new = merged, {}


def _made(line: bytes, path: Path) -> Mapping[str, Any]:
    """What a stored verdict rests on, all of it; empty when it does not say."""
    stored = _loaded(line, line, path)
    made: Any = stored.get("made", {}) if isinstance(stored, dict) else None
    if not isinstance(made, dict) or not (not made or made.keys() >= _NAMES):
        raise damaged(line, path, "it does not say what it rests on")
    return made


def _loaded(text: bytes, line: bytes, path: Path) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise damaged(line, path, str(error)) from None


def _subject(line: bytes, path: Path) -> str:
    """What a line is about: the record, who judged it, which sample. Empty when it does not say."""
    made = _made(line, path)
    return canonical_json([made["record"], made["judge"], made["sample"]]) if made else ""


def _without(lines: Mapping[str, bytes], new: Mapping[str, bytes], path: Path) -> dict[str, bytes]:
    """The lines that are about nothing that the new ones are about."""
    subjects = {_subject(line, path) for line in new.values()} - {""}
    return {key: line for key, line in lines.items() if _subject(line, path) not in subjects}


def _read(path: Path, sealed: Callable[[], bytes]) -> dict[str, bytes]:
    """The lines by key, as they are: most of them are only carried along."""
    text = read_whole(path) if path.exists() else sealed()
    return {_key(line, path, number): line for number, line in numbered(text)}


def numbered(text: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines of a store with their numbers."""
    *lines, rest = text.split(b"\n")
    yield from enumerate([*lines, rest] if rest else lines, 1)


def _key(line: bytes, path: Path, number: int) -> str:
    head = _HEAD.match(line)
    if head is None or not line.endswith(b"}"):
        raise CassetteError(f"{path}:{number}: no verdict. Restore the file, or delete it to judge again.")
    return head[1].decode("utf-8", "replace")
