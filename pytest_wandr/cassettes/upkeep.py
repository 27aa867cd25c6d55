"""Is a recording whole, and free of secrets and of litter?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.cassettes.secrets import SecretScan
from pytest_wandr.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_wandr.cassettes.blobs import BlobStore
    from pytest_wandr.cassettes.store import PageStore


def check_store(store: PageStore, environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Every problem of a recording, in words; empty when it is whole."""
    scan = SecretScan(environment)
    return (*store.notes, *_check_entries(store, scan), *_litter_in_words(store))


def _check_entries(store: PageStore, scan: SecretScan) -> Iterator[str]:
    for entry in store.entries():
        try:
            body = store.page(entry).body
            scan.refuse(body, f"the recorded page {entry.url}")
            scan.refuse(entry.line().encode(), f"the index line of {entry.url}")
        except CassetteError as error:
            yield str(error)


def _litter_in_words(store: PageStore) -> Iterator[str]:
    for path in litter(store.blobs, (entry.blob for entry in store.entries())):
        yield f"{path}: no entry needs this file"


def litter(blobs: BlobStore, needed: Iterable[str]) -> Iterator[Path]:
    """Files among the bodies that no entry needs: orphans, strangers, what a killed writer left."""
    wanted = set(needed) - {""}
    for name, path in blobs.names():
        if name not in wanted:
            yield path
