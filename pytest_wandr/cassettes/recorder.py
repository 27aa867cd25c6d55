"""How does an HTTP exchange get onto tape? One vcrpy patch per process, and a tape per attempt.

vcrpy patches httpx's transports for the whole process, so it is entered once, however many tasks record.
Which tape an exchange belongs to is a context variable: tasks that run at the same time cannot mix, and
requests that nobody records pass untouched.
"""

from __future__ import annotations

import threading
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple

from vcr.cassette import Cassette
from vcr.persisters.filesystem import CassetteNotFoundError
from vcr.record_mode import RecordMode

from pytest_wandr.cassettes.urls import request_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from vcr.request import Request

    from pytest_wandr.cassettes.entry import Entry
    from pytest_wandr.cassettes.store import PageStore

_UNUSED_PATCHERS = ("httplib", "requests", "boto3", "urllib3", "httplib2", "tornado", "aiohttp", "httpx2")


class MissingRecording(BaseException):
    """Nothing was recorded for a request that may not be sent.

    Not an `Exception`: a client's `except Exception` must not turn it into a broken page.
    """


class Exchange(NamedTuple):
    """One answer as it came over the wire, its body still encoded."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def first(self, name: str) -> str:
        """The first value of a header; "" when there is none."""
        return next((value for known, value in self.headers if known == name), "")

    def joined(self, name: str) -> str:
        """All values of a header, joined."""
        return ", ".join(value for known, value in self.headers if known == name)


class Tape:
    """What one attempt heard. With a store it is a player: it answers, and refuses what it does not know."""

    def __init__(self, plays: PageStore | None = None) -> None:
        self.plays = plays
        self.heard: Exchange | None = None


_TAPE: ContextVar[Tape | None] = ContextVar("wandr_tape", default=None)


@contextmanager
def taping(tape: Tape) -> Iterator[Tape]:
    """Within this context, the exchanges of this task go to that tape."""
    token = _TAPE.set(tape)
    try:
        yield tape
    finally:
        _TAPE.reset(token)


class _Nowhere:
    """A persister: vcrpy keeps nothing itself."""

    @staticmethod
    def load_cassette(cassette_path: str, serializer: object) -> None:  # noqa: ARG004
        raise CassetteNotFoundError


class WandrCassette(Cassette):  # type: ignore[misc]
    """A vcrpy cassette that finds entries in a dictionary and leaves the keeping to the tape."""

    @property
    def write_protected(self) -> bool:
        """Never: `can_play_response_for` refuses by itself."""
        return False

    def can_play_response_for(self, request: Request) -> bool:
        """True when the tape plays and knows the request."""
        tape = _TAPE.get()
        if tape is None or tape.plays is None:
            return False
        if tape.plays.find(_key(request)) is None:
            raise MissingRecording(request.uri)
        return True

    def play_response(self, request: Request) -> dict[str, Any]:
        """The recorded answer in vcrpy's form."""
        tape = _TAPE.get()
        entry = tape.plays.find(_key(request)) if tape is not None and tape.plays is not None else None
        if tape is None or tape.plays is None or entry is None:
            raise MissingRecording(request.uri)
        return _vcr_response(entry, tape.plays.page(entry).body)

    def append(self, request: Request, response: Mapping[str, Any]) -> None:  # noqa: ARG002
        """Hand the answer to the tape."""
        tape = _TAPE.get()
        if tape is not None:
            tape.heard = _exchange(response)


def _key(request: Request) -> str:
    return request_key(request.uri, method=request.method, body=request.body_bytes or b"")


def _exchange(response: Mapping[str, Any]) -> Exchange:
    listed: Mapping[str, Sequence[str]] = response["headers"]
    headers = tuple((name.lower(), value) for name, values in listed.items() for value in values)
    return Exchange(response["status"]["code"], headers, response["body"]["string"])


def _vcr_response(entry: Entry, body: bytes) -> dict[str, Any]:
    return {
        "status": {"code": entry.status, "message": ""},
        "headers": {name: [value] for name, value in entry.headers.items()},
        "body": {"string": body},
    }


class _Patch:
    """The one patch of this process, and how many want it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._stack = ExitStack()

    def enter(self) -> None:
        with self._lock:
            if self._users == 0:
                context = WandrCassette.use(
                    path="wandr", persister=_Nowhere, record_mode=RecordMode.ALL,
                    skip_patchers=_UNUSED_PATCHERS,
                )  # fmt: skip
                self._stack.enter_context(context)
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._stack.close()


_PATCH = _Patch()


@contextmanager
def patched() -> Iterator[None]:
    """Within this context, exchanges of httpx are heard. May be entered by many at once."""
    _PATCH.enter()
    try:
        yield
    finally:
        _PATCH.leave()
