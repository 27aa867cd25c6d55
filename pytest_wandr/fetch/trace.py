"""What would a url lead to, as far as the index of a recording tells? No body is read for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.fetch.policy import refuse_spelling, refuse_unrecorded
from pytest_wandr.model import digest_of

if TYPE_CHECKING:
    from pytest_wandr.cassettes.chain import Ending
    from pytest_wandr.cassettes.store import PageStore


def trace(store: PageStore, url: str) -> str:
    """A digest of everything about the page that can change a verdict; "" when it was never recorded."""
    refused = refuse_spelling(url)
    if refused is not None:
        return digest_of(["blocked", url, refused])
    ending = store.ending(url)
    if ending.entry is not None:
        return _recorded(ending)
    missing = ending.ask.url
    refused = refuse_unrecorded(missing)
    if refused is not None and not store.knows_host(missing):
        return digest_of(["blocked", missing, refused])
    return ""


def _recorded(ending: Ending) -> str:
    entry = ending.entry
    assert entry is not None  # the caller looked
    problem = ending.problem
    return digest_of([
        entry.blob,
        entry.size,
        entry.status,
        entry.headers.get("content-type", ""),
        entry.url,
        entry.via,
        [problem.kind, problem.detail] if problem else None,
    ])  # fmt: skip
