"""How far may a fetch go? Limits, and the doors that only code can open."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import ssl

Record: TypeAlias = Literal["none", "new", "retry", "all"]
_RESERVED = (".example", ".test", ".invalid")
Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Caps on bytes (on the wire and decoded), seconds and simultaneous requests.

    `spacing`: seconds from one request to a host to the next. `longest_wait`: a host that asks to wait longer
    is not waited for.
    """

    wire: int = 5_000_000
    decoded: int = 10_000_000
    codings: int = 2
    connect: float = 5.0
    read: float = 10.0
    deadline: float = 30.0
    attempts: int = 3
    per_host: int = 2
    total: int = 32
    spacing: float = 0.25
    longest_wait: float = 20.0

    def __post_init__(self) -> None:
        if 2 * self.connect >= self.deadline:  # TCP and TLS have one connect timeout each
            raise ValueError("connecting must end well before the deadline, or the pool loses its slots")


def shared(limits: Limits, workers: int) -> Limits:
    """One worker's part of the limits of a run: at least two requests at a time."""
    return replace(limits, total=max(2, limits.total // workers))


@dataclass(frozen=True, kw_only=True)
class BrowserLimits:
    """Caps on one page in a browser (requests, bytes, seconds), on pages at once, and on the browser itself.

    `patience`: seconds for which a page that shows little must stand still before it counts as done.
    `pages`: how many a browser shows before it makes way for a new one. `memory`: resident bytes of one of
    its processes, where the system tells.
    """

    requests: int = 60
    bytes: int = 20_000_000
    seconds: float = 15.0
    patience: float = 3.0
    at_once: int = 2
    pages: int = 50
    memory: int = 1_000_000_000


@dataclass(frozen=True)
class SealedHosts:
    """The invented hosts of a sealed web, and the loopback port that serves them all."""

    hosts: frozenset[str]
    port: int

    def __post_init__(self) -> None:
        real = sorted(host for host in self.hosts if not host.endswith(_RESERVED))
        if real:
            raise ValueError(f"{real[0]} may be a real host; invented hosts end in {', '.join(_RESERVED)}")


@dataclass(frozen=True, kw_only=True)
class Live:
    """How live pages are fetched. `allow` holds exact `host:port` entries that tests may reach on loopback.

    These are arguments in code on purpose: no setting and no task package can open a door.

    `browser`: broken pages are retried in one when it is there (auto), never (off), or it must be there (on);
    `chromium` is its executable, when it is to be a certain one.
    """

    limits: Limits = Limits()
    allow: frozenset[str] = frozenset()
    user_agent: str = ""
    recorded: str = ""
    resolve: Resolve | None = None
    ssl_context: ssl.SSLContext | None = None
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.time
    browser: Literal["auto", "off", "on"] = "auto"
    chromium: str = ""
    browser_limits: BrowserLimits = BrowserLimits()
