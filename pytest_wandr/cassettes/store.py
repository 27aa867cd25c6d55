"""Which pages were recorded for a task? An index, the bodies, and the journals of a recording that runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.blobs import BlobStore, write_atomically
from pytest_wandr.cassettes.chain import Ask, Ending, follow, problem_of
from pytest_wandr.cassettes.entry import Entry
from pytest_wandr.cassettes.journal import Journal, best, index_text, read_index, read_journal
from pytest_wandr.cassettes.secrets import SecretScan
from pytest_wandr.cassettes.urls import normal_url
from pytest_wandr.errors import CassetteError
from pytest_wandr.model import Page

if TYPE_CHECKING:
    from collections.abc import Mapping


class PageStore:
    """The recorded pages of one task, in a folder that need not exist yet.

    `worker` names the journal of this writer. Nothing is written before the first `put`.
    """

    def __init__(
        self, folder: Path | str, *, worker: str = "main", environment: Mapping[str, str] | None = None
    ) -> None:
        self.folder = Path(folder)
        self.blobs = BlobStore(self.folder / "blobs")
        self.notes: list[str] = []
        self.fresh: set[str] = set()
        self._scan = SecretScan(environment)
        self._journal = Journal(self.folder / "journal" / f"{worker}-{os.getpid()}.jsonl")
        self._entries = self._load()

    @property
    def index_path(self) -> Path:
        """The committed index."""
        return self.folder / "index.jsonl"

    def _journals(self) -> list[Path]:
        return sorted((self.folder / "journal").glob("*.jsonl"))

    def _load(self) -> dict[str, Entry]:
        entries = best(read_index(self.index_path)) if self.index_path.exists() else {}
        written: list[Entry] = []
        for path in self._journals():
            found, notes = read_journal(path)
            written += found
            self.notes += notes
        return entries | best(written)

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

    def nearest(self, url: str) -> str | None:
        """A recorded url with the same host and path, when there is one."""
        place = normal_url(url).partition("?")[0]
        return next((known for known in self.urls() if known.partition("?")[0] == place), None)

    def ending(self, url: str) -> Ending:
        """Follow the recorded hops of a url to their end."""
        walk = follow(url)
        ask = next(walk)
        while True:
            try:
                ask = walk.send(self._entries.get(ask.key))
            except StopIteration as stop:
                ending: Ending = stop.value
                return ending

    def page(self, ending: Ending | Entry, url: str = "") -> Page:
        """The page at the end of a chain, or of one entry by itself."""
        if isinstance(ending, Entry):
            ending = Ending(ending, Ask(ending.url, ending.key), (), ending.error)
        entry = ending.entry
        if entry is None:
            raise CassetteError(f"{ending.ask.url} was never recorded")
        body = self.blobs.get(entry.blob, entry.size) if entry.blob else b""
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

    def put(self, entry: Entry, body: bytes = b"") -> Entry:
        """Record an entry with its body; it replaces what had its key.

        Raises:
            CassetteError: it would store a secret.
        """
        if body:
            self._scan.refuse(body, f"the page {entry.url}")
            entry = entry.model_copy(update={"blob": self.blobs.put(body), "size": len(body)})
        self._scan.refuse(entry.line().encode(), f"the recording of {entry.url}")
        self._journal.append(entry)
        self._entries[entry.key] = entry
        self.fresh.add(entry.key)
        return entry

    def close(self) -> None:
        """Release the journal."""
        self._journal.close()

    def fold(self) -> int:
        """Merge all journals into the index and remove them; the number of entries. Safe to be killed in."""
        self.close()
        journals = self._journals()
        self._entries = self._load()
        if journals:
            write_atomically(self.index_path, index_text(self._entries).encode())
        for path in journals:
            path.unlink(missing_ok=True)
        if journals:
            journals[0].parent.rmdir()
        return len(self._entries)
