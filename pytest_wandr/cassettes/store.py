"""Which pages were recorded for a task? An index, the bodies, and the journals of a recording that runs."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.blobs import BlobStore
from pytest_wandr.cassettes.chain import Ask, Ending, ending_of, problem_of
from pytest_wandr.cassettes.journal import Journal, best, index_text, read_index, read_journal
from pytest_wandr.cassettes.packed import INDEX, VERDICTS, PackedStore, blob_member
from pytest_wandr.cassettes.secrets import SecretScan
from pytest_wandr.cassettes.upkeep import check_store, litter
from pytest_wandr.cassettes.urls import normal_url
from pytest_wandr.errors import CassetteError
from pytest_wandr.markers import read_whole, write_whole
from pytest_wandr.model import Page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_wandr.cassettes.entry import Entry


def _origin(url: str) -> str:
    return "/".join(url.split("/", 3)[:3])


class PageStore:
    """The recorded pages of one task, in a folder that need not exist yet, or sealed in a zip beside it.

    What is recorded on top of a sealed file lies in the folder, and goes before what is sealed.
    `worker` names the journal of this writer. Nothing is written before the first `put`. `fresh` holds the
    keys that were recorded since the store was opened, `notes` what was wrong with journals.
    """

    def __init__(
        self, folder: Path | str, *, worker: str = "main", environment: Mapping[str, str] | None = None
    ) -> None:
        self.folder = Path(folder)
        self.blobs = BlobStore(self.folder / "blobs")
        self.notes: list[str] = []
        self.fresh: set[str] = set()
        self._environment = environment
        self._scan = SecretScan(environment)
        self._packed = PackedStore(self.folder)
        self._journal = Journal(self.folder / "journal" / f"{worker}-{os.getpid()}.jsonl")
        self._entries = self._load()
        self._places: dict[str, str] | None = None

    @property
    def index_path(self) -> Path:
        """The committed index."""
        return self.folder / INDEX

    def has_index(self) -> bool:
        """True when there is an index, in the folder or sealed."""
        return self.index_path.is_file() or self._packed.path.is_file()

    def index_bytes(self) -> bytes:
        """The index as a reader sees it."""
        return index_text(self._entries).encode()

    def raw_body(self, sha: str, size: int) -> bytes:
        """A body as it is stored, compressed, when what it holds is whole.

        Raises:
            CassetteError: it is missing or damaged.
        """
        path = self.blobs.path(sha)
        packed = None if path.exists() else self._packed.body(sha, size)
        if packed is None:
            self.blobs.get(sha, size)
            return read_whole(path)
        return self._packed.text(blob_member(sha))

    def sealed_verdicts(self) -> bytes:
        """The verdicts in the sealed file; empty when there are none."""
        return self._packed.text(VERDICTS)

    def text_of(self, name: str) -> bytes:
        """Verdicts or answers as a reader sees them: the file in the folder, or else what is sealed."""
        path = self.folder / name
        return read_whole(path) if path.exists() else self._packed.text(name)

    def _journals(self) -> list[Path]:
        return sorted((self.folder / "journal").glob("*.jsonl"))

    def _load(self) -> dict[str, Entry]:
        """Packed entries, then the index over them, then all journals over both."""
        entries = best(read_index(self._packed.text(INDEX), str(self._packed.path)))
        if self.index_path.exists():
            entries |= best(read_index(read_whole(self.index_path), str(self.index_path)))
        written: list[Entry] = []
        for path in self._journals():
            found, notes = read_journal(path)
            written += found
            self.notes += notes
        return entries | best(written)

    def digest(self) -> str:
        """sha256 of the index, packed or not, and of the journals over it; bodies are named in there."""
        index = read_whole(self.index_path) if self.index_path.exists() else b""
        parts = (self._packed.text(INDEX), index, *(read_whole(path) for path in self._journals()))
        return hashlib.sha256(b"".join(parts)).hexdigest()

    def entries(self) -> tuple[Entry, ...]:
        """All entries, by url."""
        return tuple(sorted(self._entries.values(), key=lambda entry: (entry.url, entry.via, entry.key)))

    def urls(self) -> tuple[str, ...]:
        """Every url with an entry, sorted, in normal form."""
        return tuple(sorted({entry.url for entry in self._entries.values()}))

    def find(self, key: str) -> Entry | None:
        """The entry with that key."""
        return self._entries.get(key)

    def get(self, url: str) -> Page | None:
        """What the url led to when it was recorded; None when it, or where it leads, never was.

        Raises:
            CassetteError: the recorded body is missing or damaged.
        """
        ending = self.ending(url)
        return None if ending.entry is None else self.page(ending, url)

    def ending(self, url: str) -> Ending:
        """Follow the recorded hops of a url to their end."""
        return ending_of(url, self._entries.get)

    def page(self, ending: Ending | Entry, url: str = "") -> Page:
        """The page at the end of a chain, or of one entry by itself.

        Raises:
            CassetteError: the recorded body is missing or damaged.
        """
        if not isinstance(ending, Ending):
            ending = Ending(ending, Ask(ending.url, ending.key), (), ending.error)
        entry = ending.entry
        if entry is None:
            raise CassetteError(f"{ending.ask.url} was never recorded")
        return page_of(ending, self.body(entry.blob, entry.size) if entry.blob else b"", url)

    def body(self, sha: str, size: int) -> bytes:
        """A recorded body.

        Raises:
            CassetteError: it is missing, damaged, or has another size.
        """
        if not self.blobs.path(sha).exists():
            packed = self._packed.body(sha, size)
            if packed is not None:
                return packed
        return self.blobs.get(sha, size)

    def nearest(self, url: str) -> str | None:
        """A recorded url with the same host and path, when there is one."""
        return self._by_place().get(normal_url(url).partition("?")[0])

    def knows_host(self, url: str) -> bool:
        """True when anything was recorded from the host and port of this url."""
        return _origin(normal_url(url)) in self._by_place()

    def _by_place(self) -> dict[str, str]:
        """Recorded urls by origin, and by origin and path: the first of each."""
        if self._places is None:
            urls = [entry.url for entry in reversed(self.entries()) if entry.status]
            self._places = {_origin(url): url for url in urls}
            self._places |= {url.partition("?")[0]: url for url in urls}
        return self._places

    def put(self, entry: Entry, body: bytes = b"") -> Entry:
        """Record an entry with its body; it replaces what had its key.

        Raises:
            CassetteError: it would store a secret.
        """
        self._scan.refuse(entry.line().encode(), f"the recording of {entry.url}")
        if body:
            self._scan.refuse(body, f"the page {entry.url}")
            entry = entry.model_copy(update={"blob": self.blobs.put(body), "size": len(body)})
        self._journal.append(entry)
        self._entries[entry.key] = entry
        self._places = None
        self.fresh.add(entry.key)
        return entry

    def close(self) -> None:
        """Release the journal."""
        self._journal.close()

    def fold(self) -> int:
        """Merge all journals into the index and remove them; returns how many entries there are.

        One process does this, after all writers have ended. Killed half-way, it can simply be done again.
        """
        self.close()
        journals = self._journals()
        self.notes.clear()
        self._entries = self._load()
        if journals:
            write_whole(self.index_path, self.index_bytes())
        for path in journals:
            path.unlink(missing_ok=True)
        with suppress(OSError):  # not there, or not empty
            (self.folder / "journal").rmdir()
        return len(self._entries)

    def check(self) -> tuple[str, ...]:
        """Every problem in words: damaged, missing or needless bodies, torn lines, secrets."""
        return check_store(self, self._environment)

    def needless(self) -> Iterator[Path]:
        """Files among the bodies that no entry needs."""
        return litter(self.blobs, (entry.blob for entry in self._entries.values()))

    def gc(self) -> int:
        """Remove files among the bodies that no entry needs; returns how many."""
        needless = list(self.needless())
        for path in needless:
            path.unlink()
        return len(needless)


def page_of(ending: Ending, body: bytes, url: str = "") -> Page:
    """The page at the end of a chain that has one, with its body, for the url as cited."""
    entry = ending.entry
    assert entry is not None  # the callers looked
    return Page(
        url=url or entry.url,
        final_url=entry.url,
        status=entry.status,
        media_type=entry.headers.get("content-type", ""),
        body=body,
        digest=entry.blob,
        via="browser" if entry.via == "browser" else "cassette",
        hops=ending.hops,
        problem=ending.problem or problem_of(entry.status, body),
    )
