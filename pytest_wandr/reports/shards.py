"""Which part of a suite does one machine of a CI matrix run, and what must it leave for the merge?

<out>/shard.json   which shard this was, of which suite: `wandr merge` refuses what does not belong together
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_wandr.errors import WandrError
from pytest_wandr.markers import pretty, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

SHARD = "shard.json"
_FORM = re.compile(r"([1-9][0-9]{0,5})/([1-9][0-9]{0,5})")


class Shard(NamedTuple):
    """Part `number` of `of`, counted from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def parse_shard(text: str) -> Shard | None:
    """`2/8` as a shard; None when it is none."""
    match = _FORM.fullmatch(text.strip())
    shard = Shard(int(match[1]), int(match[2])) if match else None
    return shard if shard and shard.number <= shard.of else None


def members(task_ids: Iterable[str], shard: Shard) -> frozenset[str]:
    """The tasks of this shard, dealt out in the order of their digests.

    Every task is in exactly one shard, sizes differ by one at most, and the order of the tasks means nothing.
    """
    ordered = sorted(set(task_ids), key=_digest)
    return frozenset(ordered[shard.number - 1 :: shard.of])


def suite_digest(task_ids: Iterable[str]) -> str:
    """A digest of all tasks that were dealt out."""
    return _digest("\n".join(sorted(set(task_ids))))


def write_shard(out: Path, shard: Shard, *, suite: str, effort: str | None) -> None:
    """What the merge wants to know."""
    marker = {"shard": shard.number, "of": shard.of, "suite": suite, "effort": effort}
    write_whole(out / SHARD, pretty(marker))


def is_shard(marker: Mapping[str, Any]) -> bool:
    """True when a marker has the form that `write_shard` gives it."""
    numbers = [marker.get("shard"), marker.get("of")]
    whole = all(type(number) is int for number in numbers) and parse_shard("{}/{}".format(*numbers))
    return bool(whole) and isinstance(marker.get("suite"), str) and "effort" in marker


def refuse_shard(text: str, source: str) -> WandrError:
    """What to say of a shard that makes no sense."""
    return WandrError(f"{source}: {text!r} is no shard, as 2/8 is: the second of eight")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
