"""What is asked? A task package: nodes, key hierarchies, requirements."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, TypeAlias

from pydantic import Field, JsonValue

from pytest_wandr.model.base import Frozen, digest_of
from pytest_wandr.model.checks import Check

KeyKind: TypeAlias = Literal[
    "company", "person", "product", "place", "paper", "url", "enum", "text", "date", "id"
]
Policy: TypeAlias = Literal["strict", "balanced", "lenient"]


class IdentityOptions(Frozen):
    """How an author refines when two values of a key are the same thing (see docs/reference/task-toml.md)."""

    aliases: Mapping[str, tuple[str, ...]] = {}
    distinct: tuple[tuple[str, str], ...] = ()
    policy: Policy = "strict"
    also: tuple[str, ...] = ()
    confirm: bool = False
    numbers: Literal["identity", "ignore"] = "identity"
    keep_legal_form: bool = False
    subsidiaries: Literal["separate", "merge"] = "separate"
    paper_versions: Literal["separate", "merge"] = "merge"
    url: Mapping[str, JsonValue] = {}


class KeySpec(IdentityOptions):
    """One level of a hierarchy: a kind of entity, and how many of it are required under each parent."""

    name: str
    kind: KeyKind = "text"
    required: int = Field(ge=1)
    fields: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()

    @cached_property
    def item_fields(self) -> tuple[str, ...]:
        """The item fields that hold this key's value; the first is the name, further ones must agree."""
        return self.fields or (self.name,)


class RequirementSpec(Frozen):
    """One thing that page and excerpts must show. With `decisive`, the check alone decides."""

    id: str
    text: str
    check: Check | None = None
    decisive: bool = False


class NodeSpec(Frozen):
    """One results file and one key hierarchy, ending in `url`."""

    name: str
    keys: tuple[KeySpec, ...]
    answer: tuple[str, ...] = ()
    requirements: tuple[RequirementSpec, ...] = ()
    overall: Check | None = None

    @property
    def entity_keys(self) -> tuple[KeySpec, ...]:
        """The keys above `url`."""
        return self.keys[:-1]

    @property
    def file_name(self) -> str:
        """Where a system writes this node's records."""
        return f"results_{self.name}.jsonl"

    @property
    def required_records(self) -> int:
        """Product of the counts along the keys."""
        count = 1
        for key in self.keys:
            count *= key.required
        return count


class TaskSpec(Frozen):
    """A whole task package: what is asked, of which shape, and what counts as proof."""

    schema_version: str = "1"
    id: str
    version: str = "1.0.0"
    title: str = ""
    topics: tuple[str, ...] = ()
    canary: str = ""
    instruction: str = ""
    judge_guidance: str = ""
    nodes: tuple[NodeSpec, ...]
    gate: Mapping[str, float] = {}

    @property
    def main(self) -> NodeSpec:
        """The first node; all others share one or more of its leading keys."""
        return self.nodes[0]

    def node(self, name: str) -> NodeSpec:
        """The node of that name. KeyError when there is none."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise KeyError(name)

    @property
    def required_records(self) -> int:
        """Records that a complete submission holds, over all nodes."""
        return sum(node.required_records for node in self.nodes)

    @cached_property
    def digest(self) -> str:
        """sha256 of everything in the package that can change a verdict or a score."""
        return digest_of(self.model_dump(mode="json", by_alias=True))
