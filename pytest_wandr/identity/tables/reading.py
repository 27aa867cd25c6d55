"""How are the tables written down? As plain words."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text block, as a set."""
    return frozenset(text.split())
