"""Was this record judged before? A store of verdicts, keyed by everything that can change the answer."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import ValidationError

from pytest_wandr.errors import CassetteError
from pytest_wandr.model import Frozen, RecordVerdict, canonical_json, digest_of

SCHEMA = 1


class _Line(Frozen):
    key: str
    verdict: RecordVerdict


def verdict_key(  # noqa: PLR0913 -- each can change a verdict, and none may be forgotten
    *, judge: str, requirements: str, record: str, page: str, extractor: str, identity: str, sample: int = 0
) -> str:
    """The key of a verdict: digests of the record, its page and its node's requirements, and who judged how.

    `judge` names the judge with model, prompt and parameters; `extractor` and `identity` are the versions of
    the code that reads pages and compares names; `page` is "" when there was none.
    """
    return digest_of({
        "schema": SCHEMA,
        "judge": judge,
        "requirements": requirements,
        "record": record,
        "page": page,
        "extractor": extractor,
        "identity": identity,
        "sample": sample,
    })  # fmt: skip


class VerdictStore:
    """Verdicts in one file, one a line, sorted by key. Nothing is written before `save`."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self._verdicts = _read(self.path)
        self._new: dict[str, RecordVerdict] = {}

    def __len__(self) -> int:
        return len(self._verdicts)

    def get(self, key: str) -> RecordVerdict | None:
        """The verdict under that key."""
        return self._verdicts.get(key)

    def put(self, key: str, verdict: RecordVerdict) -> None:
        """Keep a verdict."""
        self._verdicts[key] = self._new[key] = verdict

    def save(self) -> None:
        """Fold what is new into the file, which may have grown since it was read. All or nothing."""
        if not self._new:
            return
        merged = _read(self.path) | self._new
        text = "".join(_line(key, merged[key]) for key in sorted(merged))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_name(f".{self.path.name}.{os.getpid()}.tmp")
        temporary.write_bytes(text.encode())
        temporary.replace(self.path)
        self._verdicts, self._new = merged, {}


def _line(key: str, verdict: RecordVerdict) -> str:
    return (
        canonical_json({"key": key, "verdict": verdict.model_dump(mode="json", exclude_defaults=True)}) + "\n"
    )


def _read(path: Path) -> dict[str, RecordVerdict]:
    verdicts: dict[str, RecordVerdict] = {}
    if not path.exists():
        return verdicts
    for number, text in enumerate(path.read_bytes().splitlines(), 1):
        try:
            line = _Line.model_validate_json(text)
        except ValidationError as error:
            what = error.errors()[0]["msg"]
            raise CassetteError(
                f"{path}:{number}: no verdict: {what}. Restore the file, or delete it to judge again."
            ) from None
        verdicts[line.key] = line.verdict
    return verdicts
