"""What does a url lead to, hop by hop? The same rules for a live fetch and for a replay, without any I/O."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple, TypeAlias

from pytest_wandr.cassettes.entry import Entry
from pytest_wandr.cassettes.urls import request_key
from pytest_wandr.model import FetchProblem

MAX_REDIRECTS = 5
_REFUSED = frozenset({401, 403, 406, 451, 999})
_GONE = frozenset({404, 410})
RETRYABLE = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})
_PASSING = frozenset({"timeout", "connect", "dns", "protocol", "rate_limited"})
_MAGIC = (b"PK\x03\x04", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"\x1f\x8b", b"\x7fELF")
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\r\f\x1b")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Ask(NamedTuple):
    """The next request of a chain."""

    url: str
    key: str


class Ending(NamedTuple):
    """How a chain ended: its last entry (None: that request is unknown), the hops before it, a problem."""

    entry: Entry | None
    ask: Ask
    hops: tuple[str, ...]
    problem: FetchProblem | None = None


Walk: TypeAlias = Generator[Ask, Entry | None, Ending]


def follow(url: str) -> Walk:
    """Ask for one request after the other until there is a page, a problem, or an unknown request."""
    ask = Ask(url, request_key(url))
    hops: tuple[str, ...] = ()
    seen = {ask.key}
    while True:
        entry = yield ask
        if entry is None or entry.error is not None or not entry.to:
            return Ending(entry, ask, hops, entry.error if entry is not None else None)
        hops = (*hops, entry.url)
        ask = Ask(entry.to, entry.next or request_key(entry.to))
        if ask.key in seen:
            return Ending(entry, ask, hops, _looping("redirect_loop", f"comes back to {entry.to}"))
        if len(hops) > MAX_REDIRECTS:
            return Ending(entry, ask, hops, _looping("redirect_limit", f"over {MAX_REDIRECTS} redirects"))
        seen.add(ask.key)


def ending_of(url: str, find: Callable[[str], Entry | None]) -> Ending:
    """Follow a url through entries that are known by key, to the end or to the first unknown one."""
    walk = follow(url)
    ask = next(walk)
    while True:
        try:
            ask = walk.send(find(ask.key))
        except StopIteration as stop:
            ending: Ending = stop.value
            return ending


def _looping(kind: str, detail: str) -> FetchProblem:
    return FetchProblem.model_validate({"kind": kind, "detail": detail})


def problem_of(status: int, body: bytes) -> FetchProblem | None:
    """Why an answer is no page, from its status and its bytes (never from its headers)."""
    if not 200 <= status < 300:
        return FetchProblem(kind=_status_kind(status), detail=f"HTTP status {status}")
    if status == 204 or not body or body.isspace():
        return FetchProblem(kind="empty", detail="the page is blank")
    if body.startswith(b"%PDF-") or not _is_binary(body):
        return None
    return FetchProblem(kind="binary", detail="the bytes are no text and no PDF")


def is_passing(entry: Entry) -> bool:
    """True for a failure that may be gone by now: no answer in time, a server in trouble, a busy host."""
    if entry.error is not None:
        return entry.error.kind in _PASSING
    return entry.status in RETRYABLE or 500 <= entry.status <= 599


def _status_kind(status: int) -> str:
    if status in _REFUSED:
        return "refused"
    if status in _GONE:
        return "gone"
    return "http_retryable" if status in RETRYABLE else "http_error"


def _is_binary(body: bytes) -> bool:
    if body.startswith(_MAGIC):
        return True
    head = body[:2000]
    controls = len(head) - len(head.translate(None, delete=_CONTROLS))
    return controls > max(8, len(head) // 20) and not body.startswith(_UTF16)
