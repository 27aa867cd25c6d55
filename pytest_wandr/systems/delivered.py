"""Was this task solved before? The marker beside a delivery, and how an interrupted run finds it again."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pytest_wandr.markers import SOLVED, changed_inputs, digests, pretty, read_marker, write_whole
from pytest_wandr.model import Usage
from pytest_wandr.systems import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def note_delivery(new: Path, keep: Path, answer: Answer, inputs: Mapping[str, Any]) -> None:
    """Write the marker of a delivery that lies in `new` and is about to become `keep`."""
    marker = {
        "inputs": dict(inputs),
        "files": digests(new),
        "state": answer.state,
        "usage": answer.usage.model_dump(mode="json") if answer.usage else None,
    }
    write_whole(keep.with_name(SOLVED), pretty(marker), durable=True)


def earlier_delivery(new: Path, keep: Path, inputs: Mapping[str, Any]) -> tuple[Answer | None, str | None]:
    """The answer whose files lie whole in `keep`, and were made from the same inputs; else None, and why.

    A run may have been killed between writing the marker and moving the files: that is done now.
    """
    marker, note = read_marker(keep.with_name(SOLVED))
    if marker is None:
        return None, note
    changed = changed_inputs(marker, inputs)
    if changed:
        return None, f"solved again: {', '.join(changed)} changed"
    answer = _answer(marker)
    if answer is None or not _in_place(new, keep, marker.get("files")):
        return None, "solved again: the earlier delivery is not whole"
    return answer, "solved before, not again"


def replace_folder(new: Path, keep: Path) -> None:
    """Put the new folder in the place of the old one."""
    old = _old(keep)
    if old.exists():
        shutil.rmtree(old)
    keep.parent.mkdir(parents=True, exist_ok=True)
    if keep.exists():
        keep.rename(old)
    new.rename(keep)
    if old.exists():
        shutil.rmtree(old)


def _in_place(new: Path, keep: Path, files: object) -> bool:
    if keep.is_dir() and digests(keep) == files:
        for stale in (new, _old(keep)):
            if stale.exists():
                shutil.rmtree(stale)
        return True
    if not new.is_dir() or digests(new) != files:
        return False
    replace_folder(new, keep)
    return True


def _old(keep: Path) -> Path:
    return keep.with_name(keep.name + ".old")


def _answer(marker: Mapping[str, Any]) -> Answer | None:
    try:
        usage = Usage.model_validate(marker["usage"]) if marker["usage"] is not None else None
        return Answer(usage=usage, state=str(marker["state"]))
    except (KeyError, ValidationError):
        return None
