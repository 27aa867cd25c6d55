"""Which groups does a task have, and which node is at home in each?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pytest_wandr.hierarchy.names import KeyNames

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_wandr.model import KeySpec, NameVerdict, NodeSpec, TaskSpec

    Judged: TypeAlias = Mapping[tuple[str, str], Sequence[NameVerdict]]
    """Verdicts on names, by node and key."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One group of the tree: a key at a depth, its home node, and the groups below each of its entities.

    `routes` leads a node to its group among `children`; `slots` is how many records of a node a full
    group holds (the product of the counts from here down to `url`).
    """

    home: int
    node: str
    key: KeySpec
    depth: int
    names: KeyNames
    children: tuple[Shape, ...]
    routes: Mapping[int, int]
    slots: Mapping[int, int]


def shape_of(task: TaskSpec, confirmed: Sequence[NameVerdict] = ()) -> Shape:
    """The root group of a task: its members. `confirmed` is what a judge said of names that look alike.

    Raises:
        ValueError: a node shares no leading key with the main node.
    """
    judged: dict[tuple[str, str], list[NameVerdict]] = {}
    for verdict in confirmed:
        judged.setdefault((verdict.node, verdict.key), []).append(verdict)
    return _group(task.nodes, shared_depths(task), 0, 0, judged)


def shared_depths(task: TaskSpec) -> tuple[int, ...]:
    """For each node, how many leading keys it shares with the main node (the main node: all above `url`)."""
    depths = [len(task.main.entity_keys)]
    for node in task.nodes[1:]:
        depths.append(_shared(task.main, node))
        if not depths[-1]:
            raise ValueError(
                f"node {node.name!r} shares no leading key (same name, same required count) with the main"
                f" node {task.main.name!r}; start its keys with {task.main.keys[0].name!r}"
            )
    return tuple(depths)


def _shared(main: NodeSpec, node: NodeSpec) -> int:
    depth = 0
    for ours, theirs in zip(main.entity_keys, node.entity_keys, strict=False):
        if (ours.name, ours.required) != (theirs.name, theirs.required):
            break
        depth += 1
    return depth


def _group(nodes: Sequence[NodeSpec], shared: Sequence[int], home: int, depth: int, judged: Judged) -> Shape:
    key = nodes[home].keys[depth]
    passing = [home, *_joining(shared, home, depth)]
    homes = _homes_below(nodes, shared, home, depth)
    children = tuple(_group(nodes, shared, node, depth + 1, judged) for node in homes)
    routes = {node: homes.index(node) if node in homes else 0 for node in passing} if children else {}
    return Shape(
        home=home,
        node=nodes[home].name,
        key=key,
        depth=depth,
        names=KeyNames(key, judged.get((nodes[home].name, key.name), ())),
        children=children,
        routes=routes,
        slots={node: _product(nodes[node].keys[depth:]) for node in passing},
    )


def _joining(shared: Sequence[int], home: int, depth: int) -> list[int]:
    """Other nodes whose records join this group: only the main node's groups are shared."""
    return [] if home else [node for node in range(1, len(shared)) if shared[node] > depth]


def _homes_below(nodes: Sequence[NodeSpec], shared: Sequence[int], home: int, depth: int) -> list[int]:
    """The home nodes of the groups below: this node's next key, and every node that branches off here."""
    if depth == len(nodes[home].keys) - 1:
        return []
    return [home, *(node for node in _joining(shared, home, depth) if shared[node] == depth + 1)]


def _product(keys: Sequence[KeySpec]) -> int:
    count = 1
    for key in keys:
        count *= key.required
    return count


def intermediate(shape: Shape) -> bool:
    """True for a group of keys between the member key and `url`."""
    return shape.depth > 0 and bool(shape.children)
