"""What do tests of judges run against? `StandIn`: a judge's server on loopback, honest or faulty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_wandr.testing.standin import Call, StandIn

__all__ = ["Call", "StandIn"]


def __getattr__(name: str) -> Any:
    """Load the server when it is first asked for."""
    if name in __all__:
        from pytest_wandr.testing import standin

        return getattr(standin, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
