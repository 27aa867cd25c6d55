"""What does a task package ask? Loads the folder, or says everything that is wrong with it at once.

`files` reads text and TOML, `positions` finds the lines, `tables` checks types; `nodes`, `keys`, `naming` and
`checking` give them meaning, and `fixtures` reads the records with known verdicts. Looking whether a folder
is a task, and what it is called, is cheap: pydantic and the rest are imported when a task is loaded.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.task.files import MANIFEST, manifest_of, read_toml

if TYPE_CHECKING:
    from pytest_wandr.model import Fixture, TaskSpec


class TaskPeek(NamedTuple):
    """What a collector shows of a task before it is loaded."""

    id: str
    title: str


def is_task_folder(path: Path | str) -> bool:
    """True for a folder with a task.toml in it."""
    return (Path(path) / MANIFEST).is_file()


def peek_task(path: Path | str) -> TaskPeek:
    """Id and title of the task in a folder, unchecked; the folder's name when the id is missing.

    Raises:
        TaskSpecError: there is no task.toml, or it is not UTF-8, or not TOML.
    """
    folder = Path(path)
    values = read_toml(folder, manifest_of(folder))
    name, title = values.get("id"), values.get("title")
    return TaskPeek(
        id=name if isinstance(name, str) and name else folder.resolve().name,
        title=title if isinstance(title, str) else "",
    )


def load_task(folder: Path | str) -> TaskSpec:
    """The task in a folder.

    Raises:
        TaskSpecError: something is wrong; every problem of the package is listed, with file, line and hint.
    """
    from pytest_wandr.task.loading import load

    return load(Path(folder))


def load_fixtures(folder: Path | str, task: TaskSpec) -> tuple[Fixture, ...]:
    """The records with known verdicts of a task; none when there is no fixtures.jsonl.

    Raises:
        TaskSpecError: a line is wrong; every wrong line is listed.
    """
    from pytest_wandr.task.fixtures import read_fixtures

    return read_fixtures(Path(folder), task)
