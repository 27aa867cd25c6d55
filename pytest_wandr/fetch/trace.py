"""What would a url lead to, as far as the index of a recording tells? No body is read for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.fetch.browser.rule import RULE
from pytest_wandr.fetch.browser.standing import rendered_key
from pytest_wandr.fetch.policy import MAX_URL, refuse_spelling, refuse_unrecorded
from pytest_wandr.model import canonical_json, digest_of, digest_of_text, quoted

if TYPE_CHECKING:
    from pytest_wandr.cassettes.chain import Ending
    from pytest_wandr.cassettes.entry import Entry
    from pytest_wandr.cassettes.store import PageStore
    from pytest_wandr.model import FetchProblem


def trace(store: PageStore, url: str) -> str:
    """A digest of everything about the page that can change a verdict; "" when it was never recorded."""
    ending = store.ending(url)
    refused = None if _as_recorded(url, ending) else refuse_spelling(url)
    if refused is not None:
        return digest_of(["blocked", url, refused])
    if ending.entry is not None:
        return _recorded(store, ending, url)
    missing = ending.ask.url
    refused = refuse_unrecorded(missing)
    if refused is not None and not store.knows_host(missing):
        return digest_of(["blocked", missing, refused])
    return ""


def every_trace(store: PageStore) -> frozenset[str]:
    """The traces of all urls that lead to a recorded page, in whatever spelling; not of refused ones."""
    rendered: dict[str, list[Entry]] = {}
    for entry in store.entries():
        if entry.via == "browser":
            rendered.setdefault(entry.via_of, []).append(entry)
    found = set()
    for url in store.urls():
        ending = store.ending(url)
        if ending.entry is not None:
            seen = rendered.get(ending.entry.key, []) if ending.entry.rule else []
            found |= {_digest(ending, each) for each in (None, *seen)}
    return frozenset(found)


def _as_recorded(url: str, ending: Ending) -> bool:
    """True for a recorded url in the spelling of the index: only other spellings can be refused."""
    first = (*ending.hops, ending.entry.url)[0] if ending.entry else ""
    return first == url and len(url) <= MAX_URL


def _recorded(store: PageStore, ending: Ending, url: str) -> str:
    entry = ending.entry
    assert entry is not None  # the caller looked
    return _digest(ending, store.find(rendered_key(entry, url)) if entry.rule else None)


def _digest(ending: Ending, seen: Entry | None) -> str:
    entry, problem = ending.entry, ending.problem
    assert entry is not None  # the callers looked
    wrong = _told(problem)
    rendered = f"[{canonical_json(RULE)},{_seen(seen)}]" if seen else "null"
    return digest_of_text(f"[{_seen(entry)},{wrong},{rendered}]")


def _seen(entry: Entry) -> str:
    """What the server sent, or a browser made of it: values of canonical JSON, parted by commas."""
    kind = entry.headers.get("content-type", "")
    sent = f"{quoted(entry.url)},{quoted(entry.via)},{entry.status},{quoted(kind)},{quoted(entry.blob)}"
    return f"{sent},{entry.size},{quoted(entry.to)},{_told(entry.error)}"


def _told(problem: FetchProblem | None) -> str:
    return canonical_json([problem.kind, problem.detail]) if problem else "null"
