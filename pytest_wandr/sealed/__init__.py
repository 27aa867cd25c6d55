"""Is there a web whose truth is known? An invented one: generated, byte-equal, served on loopback only."""

from __future__ import annotations

from pytest_wandr.sealed.web import SealedWeb

__all__ = ["SealedWeb", "open_web"]


def open_web(name: str = "demo-1", edition: int = 0) -> SealedWeb:
    """The sealed web of that name. Pages are planned now and drawn when asked for.

    Raises:
        ValueError: there is no sealed web of that name.
    """
    from pytest_wandr.sealed.plan import WORLDS, plan

    if name not in WORLDS:
        raise ValueError(f"there is no sealed web {name!r}; there is: {', '.join(WORLDS)}")
    return SealedWeb(name, edition, plan(name).pages)
