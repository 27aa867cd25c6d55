"""Who lives in the sealed web? Slices of one frozen bank of vetted, invented names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pytest_wandr.sealed.prose import sections

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.sealed.rng import Rng


def bank(kind: Literal["company", "surname", "town", "product"], start: int, count: int) -> Sequence[str]:
    """That many names of a kind, from a fixed place in the bank: districts take slices that never overlap."""
    found = sections("names.txt")[kind][start : start + count]
    if len(found) < count:
        raise ValueError(f"the name bank holds no {count} names of kind {kind} from {start} on")
    return found


def persons(rng: Rng, start: int, count: int) -> Sequence[str]:
    """That many full names: an ordinary given name and an invented surname of its own."""
    given = sections("lexicon/appointments.txt")["given"]
    return [f"{rng.sub(last).pick(given)} {last}" for last in bank("surname", start, count)]


def slug(name: str) -> str:
    """A name as a piece of a path."""
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())
