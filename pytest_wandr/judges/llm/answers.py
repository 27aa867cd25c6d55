"""What was paid for already? The answers of models, each under a key of all that can change it.

    <task>/answers.jsonl             every answer, one a line, sorted by key
    <task>/answers.journal/...       what processes got and have not folded in yet: see `journals`

A line is written and synced before its answer is used. Who else was asked about, which process asked, with
which credentials and when is no part of the key.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.packed import sealed_text
from pytest_wandr.cassettes.secrets import SecretScan
from pytest_wandr.errors import CassetteError
from pytest_wandr.judges.llm.exchange import Said, Usage
from pytest_wandr.judges.llm.journals import Journals
from pytest_wandr.locks import briefly
from pytest_wandr.markers import read_whole, write_whole
from pytest_wandr.model import Frozen, canonical_json, digest_of
from pytest_wandr.verdicts import numbered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pydantic import JsonValue

    from pytest_wandr.judges.llm.exchange import Prompt

FILE = "answers.jsonl"
JOURNAL = "answers.journal"
_VERSION = 1
_HEAD = re.compile(rb'\{"key":"([0-9a-f]{64})",.*\}', re.DOTALL)


class _Tokens(Frozen):
    input: int
    output: int
    cached: int = 0


class _Line(Frozen):
    key: str
    model: str = ""
    text: str
    usage: _Tokens | None = None


def answer_key(identity: Mapping[str, JsonValue], prompt: Prompt, sample: int = 0) -> str:
    """The key of an answer: the model with its parameters, all that it is told, and which sample it is."""
    return digest_of({
        "version": _VERSION,
        "model": dict(identity),
        "name": prompt.name,
        "system": prompt.system,
        "document": prompt.document,
        "schema": dict(prompt.schema),
        "max_tokens": prompt.max_tokens,
        "sample": sample,
    })  # fmt: skip


class Answers:
    """The answers of one task, in the folder of its recording. Close it to fold what is new."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._journals = Journals(folder / JOURNAL)
        self._scan = SecretScan()
        self._lines = {**_lines(self._journals.texts()), **_stored(self._path)}

    def __len__(self) -> int:
        return len(self._lines)

    def get(self, key: str) -> Said | None:
        """The answer under that key.

        Raises:
            CassetteError: its line is damaged.
        """
        line = self._lines.get(key)
        return None if line is None else _said(line, self._path)

    def put(self, key: str, said: Said) -> None:
        """Keep an answer: it is on disk when this returns.

        Raises:
            CassetteError: it holds a secret.
            CannotWrite: there is no room, say.
        """
        usage = None if said.usage is None else asdict(said.usage)
        text = canonical_json({"key": key, "model": said.model, "text": said.text, "usage": usage})
        line = text.encode("utf-8", "backslashreplace")
        self._scan.refuse(line, f"an answer in {self._path}")
        self._journals.append(line)
        self._lines[key] = line

    def close(self) -> None:
        """Fold the answers of this process, and of those that were killed, into the file.

        Raises:
            CannotWrite: there is no room, say; then the journals stay.
        """
        self._journals.fold(self._fold)

    def _fold(self, texts: Sequence[bytes]) -> None:
        new = _lines(texts)
        if not new:
            return
        with briefly(self._path.parent):
            merged = new | _stored(self._path)
            write_whole(self._path, b"".join(merged[key] + b"\n" for key in sorted(merged)), durable=True)


def _stored(path: Path) -> dict[str, bytes]:
    """The folded answers by key.

    Raises:
        CassetteError: a line is no answer. The file is written whole, so somebody else damaged it.
    """
    found = {}
    for number, line in numbered(read_whole(path) if path.exists() else sealed_text(path)):
        head = _HEAD.fullmatch(line)
        if head is None:
            raise CassetteError(f"{path}:{number}: no answer. Restore the file, or delete it to ask again.")
        found[head[1].decode()] = line
    return found


def _lines(texts: Sequence[bytes]) -> dict[str, bytes]:
    """The answers in journals by key; a line that a killed process left torn is none."""
    found: dict[str, bytes] = {}
    for text in texts:
        for line in text.split(b"\n"):
            head = _HEAD.fullmatch(line)
            if head is not None and _is_whole(line):
                found.setdefault(head[1].decode(), line)
    return found


def _is_whole(line: bytes) -> bool:
    """False for a line that was torn behind a brace within its text."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def told(line: bytes, path: Path) -> tuple[tuple[str, ...], str]:
    """The key of a stored line, by which lines are sorted, and the model that answered, "" if unknown.

    Raises:
        CassetteError: it is damaged; `path` is named.
    """
    head = _HEAD.fullmatch(line)
    if head is None:
        raise CassetteError(f"{path}: no answer. Restore the file, or delete it to ask again.")
    return (head[1].decode(),), _said(line, path).model


def _said(line: bytes, path: Path) -> Said:
    try:
        stored = _Line.model_validate(json.loads(line))  # lone surrogates, which the fast reader refuses
    except (ValueError, RecursionError) as error:
        raise CassetteError(
            f"{path}: the answer {line[8:20]!r}... is damaged: {type(error).__name__}. "
            "Restore the file, or delete it to ask again."
        ) from None
    usage = None if stored.usage is None else Usage(**stored.usage.model_dump())
    return Said(stored.text, stored.model, usage)
