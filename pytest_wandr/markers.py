"""Is what lies on disk whole, and made from the same inputs? Small JSON files that vouch for others."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from pytest_wandr.errors import CannotWrite, CassetteError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

SOLVED = "solved.json"
COMPLETE = "complete.json"
_FORBIDDEN = "Make it writable for this user, or choose another place"
_CURE = "See to that"
_CURES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "Make room"),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _FORBIDDEN),
}


def write_whole(path: Path, body: bytes, *, durable: bool = False) -> None:
    """All or nothing: into a file beside it, then renamed. `durable`: also when the power fails.

    Raises:
        CannotWrite: there is no room, say. Nothing is left of it.
    """
    with _replacing(path, durable=durable) as file:
        file.write(body)


def write_pieces(path: Path, pieces: Iterable[bytes]) -> str:
    """Write a file as `write_whole` does, piece by piece; returns the sha256 of the whole.

    Raises:
        CannotWrite: there is no room, say. Nothing is left of it.
    """
    digest = hashlib.sha256()
    with _replacing(path) as file:
        for piece in pieces:
            file.write(piece)
            digest.update(piece)
    return digest.hexdigest()


@contextmanager
def _replacing(path: Path, *, durable: bool = False) -> Iterator[BinaryIO]:
    """A new file beside `path`, which takes its place in the end."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with writing(path, beside):
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("wb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        beside.replace(path)


def read_whole(path: Path) -> bytes:
    """The bytes of a file of a recording.

    Raises:
        FileNotFoundError: there is none.
        CassetteError: there is one, or something else in its place, that cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise CassetteError(f"{path} cannot be read: {error.strerror or error}") from None


@contextmanager
def writing(path: Path, beside: Path | None = None) -> Iterator[None]:
    """What fails to be written in this context is an error with a name; `beside` is removed then.

    Raises:
        CannotWrite: names the file, what is lost and what to do.
    """
    try:
        yield
    except OSError as error:
        if beside is not None:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
        cure = _CURES.get(error.errno or 0, _CURE)
        raise CannotWrite(
            f"{path} cannot be written: {error.strerror or error}. What it was to hold is lost, and nothing "
            f"half-written is in its place. {cure}, then go on with --wandr-resume."
        ) from None


def sweep(folder: Path, pattern: str = ".*.tmp") -> None:
    """Remove what killed writers left in a folder; the unfinished files of living ones stay."""
    for path in folder.glob(pattern):
        writer = path.name.split(".")[-2]
        if not (writer.isdecimal() and _lives(int(writer))):
            path.unlink(missing_ok=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return process != os.getpid()


def pretty(value: object) -> bytes:
    """Readable JSON with sorted keys; a lone surrogate becomes the escape that JSON has for it."""
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "backslashreplace")


def read_marker(path: Path) -> tuple[dict[str, Any] | None, str | None]:
    """A marker, or None when there is none; the second value says why one cannot be used."""
    try:
        marker = json.loads(path.read_bytes())
    except FileNotFoundError:
        return None, None
    except (ValueError, OSError, RecursionError):
        marker = None
    if not isinstance(marker, dict):
        return None, f"{path.parent.name}/{path.name} is torn, so it is not used"
    return marker, None


def changed_inputs(marker: Mapping[str, Any], inputs: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the inputs that differ from those of the marker."""
    known = marker.get("inputs")
    if not isinstance(known, dict):
        return ("format",)
    return tuple(name for name in sorted({*known, *inputs}) if known.get(name) != inputs.get(name))


def digests(folder: Path) -> dict[str, str]:
    """sha256 of every file below a folder, by its path in it."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in _files(folder)
    }


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())
