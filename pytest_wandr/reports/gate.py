"""Is the run good enough? Floors for the headline, and by how much each is met or missed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True)
class Gate:
    """One floor of the run. `value` is None when no task was scored, which never passes."""

    metric: str
    floor: float
    value: float | None

    @property
    def passed(self) -> bool:
        """The floor itself is good enough."""
        return self.value is not None and self.value >= self.floor

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.metric}: no task was scored, the gate asks for {self.floor:g}"
        distance = abs(self.value - self.floor)
        by = f"{distance:.4f}" if distance >= 0.00005 or not distance else f"{distance:.1e}"
        side = f"meets {self.floor:g}" if self.passed else f"is below {self.floor:g}"
        return f"{self.metric}: {self.value:.4f} {side} by {by}"


def check_floors(
    headline: Mapping[str, float] | None, floors: Iterable[tuple[str, float]]
) -> tuple[Gate, ...]:
    """Every floor against the headline, in the order given."""
    values = headline or {}
    return tuple(Gate(metric=metric, floor=floor, value=values.get(metric)) for metric, floor in floors)
