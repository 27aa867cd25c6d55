"""What was found in a text so far? The entries in the place of records, and what surrounds them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_wandr.records.syntax import Json


@dataclass(frozen=True)
class Entry:
    """One thing in the place of a record: what it says, or the code why it says nothing."""

    start: int
    end: int
    data: Json = None
    code: str = ""


@dataclass(frozen=True)
class Names:
    """The folded keys that tell a wrapper, and a record in the middle of prose."""

    wrappers: frozenset[str]
    tell_tales: frozenset[str]


@dataclass
class Frame:
    """A text while it is being read: what was found so far."""

    text: str
    names: Names
    entries: list[Entry] = field(default_factory=list)
    scalars: list[Entry] = field(default_factory=list)
    drafts: list[Entry] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)
    prose: bool = False
    fence: str = ""
    fence_start: int = 0
    seen: int = 0
    seen_before_fence: int = 0
    seen_in_fences: int = 0
    nesting: int = 0
    spare: int = 0
    html: bool = False

    def add(self, entry: Entry) -> None:
        """Take one entry in."""
        self.seen += 1
        self.entries.append(entry)
