"""What does one line of a recording hold? One request and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from pydantic import Field, ValidationError

from pytest_wandr.cassettes.urls import normal_url, request_key
from pytest_wandr.errors import CassetteError
from pytest_wandr.model import FetchProblem, Frozen, canonical_json

Via: TypeAlias = Literal["http", "browser"]

KEPT_HEADERS = frozenset({"content-type", "content-language", "content-disposition", "x-robots-tag"})
"""All others are dropped: cookies are secrets, dates and tags change by themselves, a location is `to`."""


class Entry(Frozen):
    """One request and what came of it. The body lies in the blob named `blob`, by its sha256.

    `to` is where a redirect leads; `next` is the key of that request when it is not the plain key of `to`
    (a chain that was given a cookie). `error` is what went wrong on the way, replayed as the same problem.
    `rule` is the version of the rule that chose whether a browser tries again; 0: none was to try. What it
    made is an entry of its own, `via` browser, with the key of the request in `via_of`.
    """

    version: Literal[1] = 1
    key: str
    method: str = "GET"
    url: str
    via: Via = "http"
    via_of: str = ""
    rule: int = Field(default=0, ge=0)
    status: int = 0
    headers: Mapping[str, str] = {}
    blob: str = Field(default="", pattern="^([0-9a-f]{64})?$")
    size: int = Field(default=0, ge=0)
    to: str = ""
    next: str = ""
    error: FetchProblem | None = None
    recorded: str = ""

    @classmethod
    def of(cls, url: str, *, via: Via = "http", after: str = "", **rest: object) -> Entry:
        """An entry under the key of this request; its url is kept in normal form."""
        key = request_key(url, via=via, after=after)
        return cls.model_validate({"key": key, "url": normal_url(url), "via": via, **rest})

    def line(self) -> str:
        """Canonical JSON, only what is not the default, with a newline."""
        return canonical_json({"version": 1, **self.model_dump(mode="json", exclude_defaults=True)}) + "\n"

    @property
    def rank(self) -> tuple[bool, bool, str]:
        """Which of two entries with one key is kept: the smaller. Pages before failures."""
        return self.error is not None, not 200 <= self.status < 400, self.line()


def parse_line(line: str | bytes) -> Entry:
    """Read one line.

    Raises:
        CassetteError: it is no recording line.
    """
    try:
        return Entry.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "line"
        raise CassetteError(f"no recording: {where}: {first['msg']}") from None


def kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers that may be recorded, by lower-case name."""
    lowered = {name.lower(): value for name, value in headers.items()}
    return {name: lowered[name] for name in sorted(KEPT_HEADERS & lowered.keys())}
