"""What do the files of a task package hold, before any meaning? Text in UTF-8, and TOML."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

from pytest_wandr.errors import Problem, TaskSpecError
from pytest_wandr.task.findings import Findings

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = "task.toml"
_WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def text_of(path: Path, findings: Findings) -> str | None:
    """The text of a file with line feeds only. None when it cannot be read; why is noted."""
    try:
        data = path.read_bytes()
    except OSError as error:
        findings.problems.append(_unreadable(path, error))
        return None
    try:
        return data.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8"
        findings.problems.append(Problem(str(path), line, path.name, message, "save the file as UTF-8"))
        return None


def manifest_of(folder: Path) -> str:
    """The text of the folder's task.toml.

    Raises:
        TaskSpecError: there is none, or it is not UTF-8.
    """
    path = folder / MANIFEST
    findings = Findings(str(path))
    text = text_of(path, findings)
    if text is None:
        raise findings.stop()
    return text


def read_toml(folder: Path, text: str) -> dict[str, object]:
    """What the text of the folder's task.toml says.

    Raises:
        TaskSpecError: it is not TOML.
    """
    path = folder / MANIFEST
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        problem = _syntax(path, text, str(error))
    except RecursionError:
        problem = Problem(
            str(path), 1, MANIFEST, "values are nested too deeply", "a task needs a few levels only"
        )
    raise TaskSpecError((problem,))


def _unreadable(path: Path, error: OSError) -> Problem:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        what = "the file is missing" if path.parent.is_dir() else "there is no such folder"
        return Problem(
            str(path), 0, path.name, what, "a task package is a folder with task.toml and instruction.md"
        )
    return Problem(
        str(path), 0, path.name, f"cannot be read: {error.strerror or error}", "check its permissions"
    )


def _syntax(path: Path, text: str, message: str) -> Problem:
    where = _WHERE.search(message)
    line = int(where[1]) if where and where[1] else text.rstrip().count("\n") + 1
    said = _WHERE.sub("", message)
    column = f" (column {where[2]})" if where and where[2] else ""
    hint = "strings need quotes, and an inline table { ... } stands on one line"
    return Problem(str(path), line, MANIFEST, f"not TOML: {said}{column}", hint)
