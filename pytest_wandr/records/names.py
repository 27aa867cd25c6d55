"""Which field of a record does a JSON key mean? Case, spaces and hyphens aside, and a few aliases."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_wandr.model import NodeSpec
    from pytest_wandr.records.syntax import Json

ALIASES = {
    "url": ("source_url", "source", "link", "citation"),
    "excerpts": ("excerpt", "quotes", "quote", "evidence"),
    "answer": ("answers", "values"),
}
_SHORT = 400
"""Letters of all keys together up to which their meaning is remembered: records share their keys."""
WRAPPERS = ("records", "results", "data", "rows", "items", "output", "answers")


def fold(name: str) -> str:
    """The form under which two spellings of a field name meet."""
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def fields_of(node: NodeSpec) -> tuple[str, ...]:
    """The item fields that every record of the node must have, from the member down."""
    return tuple(dict.fromkeys(name for key in node.entity_keys for name in key.item_fields))


def optional_fields_of(node: NodeSpec) -> tuple[str, ...]:
    """The item fields that identity looks at when they are there (`also`)."""
    wanted = fields_of(node)
    return tuple(dict.fromkeys(name for key in node.entity_keys for name in key.also if name not in wanted))


def wrappers_of(node: NodeSpec) -> frozenset[str]:
    """The folded keys under which an object may hold the whole list of records."""
    return frozenset({*WRAPPERS, fold(node.name), fold(f"results_{node.name}")})


def tell_tales_of(node: NodeSpec) -> frozenset[str]:
    """The folded keys that make an object in the middle of prose a record of this node."""
    return frozenset({"item", *map(fold, fields_of(node))})


def named(found: Mapping[str, Json], name: str) -> list[str]:
    """The keys of `found` that mean `name`: the exact one first."""
    keys = tuple(found)
    return list(_known(keys, name) if sum(map(len, keys)) < _SHORT else _named(keys, name))


def _named(keys: tuple[str, ...], name: str) -> tuple[str, ...]:
    wanted = fold(name)
    meant = [key for key in keys if fold(key) == wanted]
    return tuple(sorted(meant, key=lambda key: key != name))


_known = lru_cache(maxsize=1024)(_named)


def members_of(found: Mapping[str, Json], wrappers: Iterable[str]) -> list[list[Json]] | None:
    """The lists of records that a wrapper object holds. None when it is no wrapper."""
    if "item" in found:
        return None
    folded = {fold(key) for key in found}
    if "item" in folded or folded & {"url", "excerpts"}:
        return None
    lists: list[list[Json]] = []
    for key, value in found.items():
        if fold(key) not in wrappers:
            continue
        if isinstance(value, list) and (not value or any(isinstance(one, dict) for one in value)):
            lists.append(value)
        elif isinstance(value, dict):
            alone = any(fold(inner) == "item" for inner in value)
            lists += [[value]] if alone else members_of(value, wrappers) or []
    return lists or None
