"""What is a task worth, and where were points lost?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal, TypeAlias

from pytest_wandr.model.base import Frozen, Sparse

Outcome: TypeAlias = Literal["proven", "unproven", "undecided", "missing"]


class PathOutcome(Frozen):
    """What became of one complete path of the hierarchy (one required slot, or a surplus record).

    `path` holds the display names from the member down to the url; in a missing path the names that
    nobody supplied are `(missing)`. `part` and `reason` say why, for what is not proven. `slots` is how
    many equal missing slots the entry stands for. `required` is false for what was supplied beyond.
    """

    node: str
    path: tuple[str, ...]
    outcome: Outcome
    part: str = ""
    reason: str = ""
    slots: int = 1
    required: bool = True


class PathCounts(Frozen):
    """Required slots: wanted = found + missing, found = proven + unproven + undecided."""

    wanted: int
    found: int
    proven: int
    unproven: int
    undecided: int
    missing: int
    surplus: int = 0


class Reading(Frozen):
    """The four values of an entity under one reading (scoring.md section 4)."""

    precision: float | None
    recall: float
    complete: bool
    clean: bool


class ScoreEntity(Frozen):
    """One supplied entity (or page) with its groups of children."""

    name: str
    full: Reading
    retrieval: Reading
    groups: tuple[ScoreGroup, ...] = ()


class ScoreIdentity(Frozen):
    """Entities that are the same thing. More than one means duplicates: the worst counts."""

    name: str
    entities: tuple[ScoreEntity, ...]


class ScoreGroup(Frozen):
    """The children of one entity under one key of one node (the home node)."""

    node: str
    key: str
    required: int
    identities: tuple[ScoreIdentity, ...]


class Structure(Frozen):
    """How complete the shape is before any judging (scoring.md section 5). Losses in percentage points."""

    discovery: float
    enrichment: float | None
    evidence: float | None
    duplicate_loss: Mapping[str, float]
    surplus: float


class Probes(Frozen):
    """Shares of the judged records that fail a probe, in percent; None when nothing was judged."""

    judged: int
    page_unusable: float | None
    invalid: float | None
    unsatisfied: float | None
    unsupported: float | None
    unfaithful: float | None


class NearDuplicate(Frozen):
    """Two names that look alike, why, and what a judge said of it when one was asked."""

    key: str
    a: str
    b: str
    reason: str


class Diagnostics(Sparse):
    """Where the points were lost. `confirmed` are names that count as one since a judge said so."""

    sparse: ClassVar[tuple[str, ...]] = ("confirmed",)

    counts: PathCounts
    structure: Structure
    probes: Probes
    near_duplicates: tuple[NearDuplicate, ...] = ()
    undecided: Mapping[str, int] = {}
    rejected: Mapping[str, int] = {}
    confirmed: tuple[NearDuplicate, ...] = ()


class TaskScore(Frozen):
    """The score of one task: twelve rewards, the tree behind them, what became of every path."""

    task_id: str
    rewards: Mapping[str, float]
    tree: ScoreGroup
    paths: tuple[PathOutcome, ...]
    diagnostics: Diagnostics

    @property
    def incomplete(self) -> bool:
        """True when a leaf is undecided."""
        return bool(self.diagnostics.undecided)


ScoreEntity.model_rebuild()
