"""Where do recorded bodies lie? In files named by the sha256 of the decoded body, compressed."""

from __future__ import annotations

import hashlib
import re
import zlib
from typing import TYPE_CHECKING

from pytest_wandr.errors import CassetteError
from pytest_wandr.markers import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_BODY = 32_000_000
"""No body is larger, whatever a recording says: it may come from a stranger's pull request."""
_NAME = re.compile(r"[0-9a-f]{64}")
_GZIP = 31
"""zlib's window bits for a gzip frame; its header holds no time and no name."""


class BlobStore:
    """A folder of compressed bodies: written once, verified on every read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha: str) -> Path:
        """Where that body lies.

        Raises:
            CassetteError: the name is no sha256, so it may point anywhere.
        """
        if not _NAME.fullmatch(sha):
            raise CassetteError(f"{self.folder}: {sha!r} is no blob name")
        return self.folder / sha[:2] / f"{sha}.gz"

    def put(self, body: bytes) -> str:
        """Store a body and return its name. Two writers of one body cannot hurt each other."""
        sha = hashlib.sha256(body).hexdigest()
        path = self.path(sha)
        if len(body) > MAX_BODY:
            raise CassetteError(f"a body of {len(body)} bytes is over the limit of {MAX_BODY}")
        if not self._is_whole(sha, len(body)):
            write_whole(path, pack_body(body))
        return sha

    def _is_whole(self, sha: str, size: int) -> bool:
        try:
            self.get(sha, size)
        except CassetteError:
            return False
        return True

    def get(self, sha: str, size: int) -> bytes:
        """The body of that name.

        Raises:
            CassetteError: it is missing, damaged, or not as large as its entry says.
        """
        path = self.path(sha)
        try:
            return unpack_body(path.read_bytes(), sha, size)
        except FileNotFoundError:
            problem = "is missing; restore it from version control or record its url again"
        except OSError as error:
            problem = f"cannot be read: {error.strerror or error}"
        except CassetteError as error:
            problem = str(error)
        raise CassetteError(f"recorded body {path} {problem}")

    def names(self) -> Iterator[tuple[str, Path]]:
        """(name, path) of every file that is there, sorted; the name is empty for what is no blob."""
        for path in sorted(self.folder.glob("**/*")):
            if path.is_file():
                name = path.name.removesuffix(".gz")
                known = _NAME.fullmatch(name) and self.path(name) == path
                yield (name if known else "", path)


def pack_body(body: bytes) -> bytes:
    """A gzip frame that depends on the body alone."""
    packer = zlib.compressobj(6, zlib.DEFLATED, _GZIP)
    return packer.compress(body) + packer.flush()


def unpack_body(data: bytes, sha: str, size: int) -> bytes:
    """Undo `pack_body`, never beyond the size that is expected.

    Raises:
        CassetteError: not the body that was recorded.
    """
    unpacker = zlib.decompressobj(_GZIP)
    try:
        body = unpacker.decompress(data, min(size, MAX_BODY) + 1)
    except zlib.error as error:
        raise CassetteError(f"is damaged: {error}") from None
    if len(body) != size:
        raise CassetteError(f"is not the {size} bytes that its entry says")
    if hashlib.sha256(body).hexdigest() != sha:
        raise CassetteError("is damaged: its content does not match its name")
    return body
