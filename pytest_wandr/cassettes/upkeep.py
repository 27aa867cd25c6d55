"""Is a recording whole, and free of secrets and of litter?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.cassettes.secrets import SecretScan
from pytest_wandr.cassettes.urls import request_key
from pytest_wandr.errors import CassetteError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pytest_wandr.cassettes.blobs import BlobStore
    from pytest_wandr.cassettes.store import PageStore


def check_store(store: PageStore, environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Every problem of a recording, in words; empty when it is whole."""
    scan = SecretScan(environment)
    return (*store.notes, *_check_entries(store, scan), *_astray(store), *_litter_in_words(store))


def _check_entries(store: PageStore, scan: SecretScan) -> Iterator[str]:
    for entry in store.entries():
        try:
            body = store.page(entry).body
            scan.refuse(body, f"the recorded page {entry.url}")
            scan.refuse(entry.line().encode(), f"the index line of {entry.url}")
        except CassetteError as error:
            yield str(error)


def _astray(store: PageStore) -> Iterator[str]:
    """Entries that a replay would take for another url's. A key says which request a line answers.

    It is that of the url alone, or what the hop before names (in a chain that was given a cookie); a view
    that a browser made is found by the request that it is of.
    """
    entries = store.entries()
    reached = {entry.next for entry in entries} | {entry.key for entry in entries if entry.via_of}
    for entry in entries:
        if entry.key not in reached and entry.key != request_key(entry.url, method=entry.method):
            yield (
                f"{store.index_path}: the key {entry.key} is not that of {entry.url}, and no other line "
                "leads there: it answers for another url. Restore the line, or record the page again"
            )


def _litter_in_words(store: PageStore) -> Iterator[str]:
    for path in litter(store.blobs, (entry.blob for entry in store.entries())):
        yield f"{path}: no entry needs this file"


def litter(blobs: BlobStore, needed: Iterable[str]) -> Iterator[Path]:
    """Files among the bodies that no entry needs: orphans, strangers, what a killed writer left."""
    wanted = set(needed) - {""}
    for name, path in blobs.names():
        if name not in wanted:
            yield path
