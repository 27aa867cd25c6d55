"""How is a recording looked after by hand? The actions of `wandr cassette`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pytest_wandr.cassettes import PageStore, pack, unpack
from pytest_wandr.cassettes.packed import ANSWERS, INDEX, NAMES, VERDICTS
from pytest_wandr.errors import TaskSpecError, WandrError
from pytest_wandr.judges.llm.answers import JOURNAL, Answers
from pytest_wandr.locks import briefly, locked
from pytest_wandr.paid import check_paid, count_by_source, keep_sorted, sorted_lines
from pytest_wandr.remember import FILE
from pytest_wandr.stale import check_verdicts, count_by_judge, keep, sift
from pytest_wandr.task import is_task_folder, load_task, peek_task

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from pytest_wandr.model import TaskSpec

_PARTS = (INDEX, VERDICTS, ANSWERS, NAMES, "journal", JOURNAL, "blobs")
"""A folder that holds any of these is a recording, or the beginning of one."""
Action: TypeAlias = "Callable[[Path, argparse.Namespace], int]"


def run(options: argparse.Namespace) -> int:
    """Do `options.action` to each recording of `options.paths`; the worst exit status.

    Raises:
        WandrError: a path is no recording, or something is wrong with one.
    """
    status = 0
    for path in options.paths:
        status = max(status, _ACTIONS[options.action](_folder_of(path), options))
    return status


def _folder_of(path: Path) -> Path:
    """The folder of the recording at `path`, which may be its sealed file."""
    folder = path if path.name not in {"", ".."} else path.resolve()
    if path.suffix == ".zip" and path.is_file():
        folder = path.with_suffix("")
    if _is_recording(folder):
        return folder
    inside = sorted(filter(_is_recording, {each.with_suffix("") for each in folder.glob("*")}))
    hint = f"; it holds {len(inside)}: name them, as in {inside[0]}" if inside else ""
    raise WandrError(f"{path} is not the folder of a recording{hint}")


def _is_recording(folder: Path) -> bool:
    sealed = folder.name and folder.with_name(folder.name + ".zip").is_file()
    return bool(sealed) or any((folder / name).exists() for name in _PARTS)


def _list(folder: Path, _: argparse.Namespace) -> int:
    store = PageStore(folder)
    for entry in store.entries():
        _say(f"{entry.status or '---'} {entry.size:>9} {entry.url}{f' -> {entry.to}' if entry.to else ''}")
    for judge, count in count_by_judge(store).items():
        _say(f"{count} verdicts by {judge}")
    for what, count in count_by_source(store).items():
        _say(f"{count} {what}")
    return 0


def _check(folder: Path, options: argparse.Namespace) -> int:
    store = PageStore(folder)
    verdicts = check_verdicts(store, _task_of(folder, options.tasks))
    problems = [*(f"{folder}: {problem}" for problem in store.check()), *verdicts, *check_paid(store)]
    for problem in problems:
        _say(problem)
    _say(f"{folder}: {len(store.entries())} entries, {len(problems)} problems")
    return 1 if problems else 0


def _task_of(folder: Path, tasks: Path) -> TaskSpec | None:
    """The task that was recorded here, when its package can be read."""
    for package in sorted(filter(is_task_folder, tasks.glob("*"))):
        try:
            if peek_task(package).id == folder.resolve().name:
                return load_task(package)
        except TaskSpecError:  # `wandr check` says what is wrong with it
            continue
    return None


def _fold(folder: Path, _: argparse.Namespace) -> int:
    with locked(folder):
        store = PageStore(folder)
        _say(f"{folder}: {store.fold()} entries in the index")
        Answers(folder).close()
        for note in store.notes:
            _say(f"{folder}: {note}")
    return 0


def _collect(folder: Path, options: argparse.Namespace) -> int:
    with locked(folder), briefly(folder):
        store = PageStore(folder)
        sifted = sift(store, _task_of(folder, options.tasks))
        unsorted = sorted_lines(store)
        would = "would be " * options.dry_run
        needless = list(store.needless())
        for why, count in sifted.dropped.items():
            _say(f"{folder}: {count} verdicts no longer apply: {why}")
        if sifted.dropped and not (folder / FILE).exists():
            _say(f"{folder}: its verdicts are sealed; unpack it, gc and pack it again to be rid of them")
        for path in unsorted:
            _say(f"{path}: its lines {would or 'were '}sorted, each key once")
        if not options.dry_run:
            store.gc()
            keep(store, sifted)
            keep_sorted(unsorted)
        _say(f"{folder}: {len(needless)} files {would}removed, {sum(sifted.dropped.values())} verdicts stale")
    return 0


def _pack(folder: Path, _: argparse.Namespace) -> int:
    _say(str(pack(folder)))
    return 0


def _unpack(folder: Path, _: argparse.Namespace) -> int:
    with locked(folder), briefly(folder):
        _say(f"{folder}: {unpack(folder)} files")
    return 0


_ACTIONS: dict[str, Action] = {
    "ls": _list,
    "check": _check,
    "fold": _fold,
    "gc": _collect,
    "pack": _pack,
    "unpack": _unpack,
}


def _say(text: str) -> None:
    print(text)  # noqa: T201 -- a command's output
