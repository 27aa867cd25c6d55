"""How are finished results files scored? `dir:PATH` reads PATH/<task id>/results_<node>.jsonl."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_wandr.errors import SubmissionError
from pytest_wandr.systems import Answer

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_wandr.model import TaskSpec
    from pytest_wandr.systems import SolveContext


@dataclass(frozen=True)
class Directory:
    """Hands over what is in a folder; also in the layout of an output folder (`<task>/submission/`)."""

    path: Path

    async def solve(self, task: TaskSpec, ctx: SolveContext) -> Answer:  # noqa: ARG002 -- the protocol's shape
        """The files for this task; none when the folder has nothing for it (that scores 0).

        Raises:
            SubmissionError: the folder itself does not exist.
        """
        if not self.path.is_dir():
            raise SubmissionError(
                f"dir:{self.path} is not a folder; it should hold <task id>/results_<node>.jsonl"
            )
        folder = self.path / task.id
        if (folder / "submission").is_dir():
            folder = folder / "submission"
        return Answer(files=read_folder(folder))


def read_folder(folder: Path) -> dict[str, bytes]:
    """The results and answer files of a folder, by name."""
    if not folder.is_dir():
        return {}
    kinds = {".jsonl", ".json", ".txt", ".md"}
    names = sorted(path.name for path in folder.iterdir() if path.suffix in kinds and path.is_file())
    return {name: (folder / name).read_bytes() for name in names}
