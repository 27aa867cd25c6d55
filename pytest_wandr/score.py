"""What is a submission worth? Verdicts rolled up the key hierarchy (docs/scoring.md is the contract)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.hierarchy.alike import name_lists
from pytest_wandr.hierarchy.paths import count_paths, paths_of, undecided_pages
from pytest_wandr.hierarchy.place import Entity, Group, Identity, place
from pytest_wandr.hierarchy.structure import (
    confirmed_duplicates,
    groups_of,
    near_duplicates,
    structure_of,
)
from pytest_wandr.hierarchy.tree import supplied
from pytest_wandr.model import (
    Diagnostics,
    NameList,
    NameVerdict,
    PathOutcome,
    Probes,
    Reading,
    Record,
    RecordVerdict,
    Rejected,
    ScoreEntity,
    ScoreGroup,
    ScoreIdentity,
    TaskScore,
    TaskSpec,
    unchecked,
)
from pytest_wandr.rewards import task_rewards

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_wandr.hierarchy.entries import Entry
    from pytest_wandr.hierarchy.paths import PathRow
    from pytest_wandr.hierarchy.rollup import Value


def score_task(
    task: TaskSpec,
    records: Sequence[Record],
    verdicts: Sequence[RecordVerdict],
    *,
    rejected: Sequence[Rejected] = (),
    confirmed: Sequence[NameVerdict] = (),
) -> TaskScore:
    """Score a submission from the verdicts on its records, given in the order of the records.

    `confirmed` is what a judge said of names that look alike, in any order (see `look_alikes`).

    Raises:
        ValueError: there is not exactly one verdict for each record.
        SubmissionError: a record belongs to a node that the task does not have.
    """
    return roll_up(task, records, verdicts, rejected=rejected, confirmed=confirmed).told()


class Scored(NamedTuple):
    """A score as it comes out of the hierarchy: what a run writes and sends, without a type for each part."""

    task_id: str
    rewards: Mapping[str, float]
    root: Group
    paths: tuple[PathRow, ...]
    diagnostics: Diagnostics

    @property
    def incomplete(self) -> bool:
        """True when a leaf is undecided."""
        return bool(self.diagnostics.undecided)

    def told(self) -> TaskScore:
        """The same in the types of the model."""
        return TaskScore(
            task_id=self.task_id,
            rewards=self.rewards,
            tree=_Told().group(self.root),
            paths=tuple([unchecked(PathOutcome, path._asdict()) for path in self.paths]),
            diagnostics=self.diagnostics,
        )


def roll_up(
    task: TaskSpec,
    records: Sequence[Record],
    verdicts: Sequence[RecordVerdict],
    *,
    rejected: Sequence[Rejected] = (),
    confirmed: Sequence[NameVerdict] = (),
) -> Scored:
    """What `score_task` tells, before it takes the shape of its types.

    Raises:
        ValueError: there is not exactly one verdict for each record.
        SubmissionError: a record belongs to a node that the task does not have.
    """
    given = supplied(task, records, verdicts, rejected, confirmed)
    root = place(given.root, given.all)
    paths = paths_of(root, tuple(node.name for node in task.nodes))
    diagnostics = _diagnostics(root, paths, given.entries, rejected)
    return Scored(task.id, task_rewards(root), root, paths, diagnostics)


def look_alikes(
    task: TaskSpec,
    records: Sequence[Record],
    *,
    rejected: Sequence[Rejected] = (),
    confirmed: Sequence[NameVerdict] = (),
) -> tuple[NameList, ...]:
    """The lists of sibling names of which a judge could still confirm something, in a fixed order.

    Names that are confirmed to be one may share children, whose names may then look alike: ask again until
    nothing is left.

    Raises:
        SubmissionError: a record belongs to a node that the task does not have.
    """
    verdicts = [RecordVerdict.of(full=False)] * len(records)  # names do not depend on what evidence is worth
    given = supplied(task, records, verdicts, rejected, confirmed)
    return name_lists(place(given.root, given.all))


def _diagnostics(
    root: Group, paths: Sequence[PathRow], entries: Sequence[Entry], rejected: Sequence[Rejected]
) -> Diagnostics:
    groups = groups_of(root)
    return Diagnostics(
        counts=count_paths(paths),
        structure=structure_of(groups),
        probes=_probes(entries),
        near_duplicates=near_duplicates(groups),
        undecided=_counted(cause.code or cause.reason or cause.part for cause in undecided_pages(root)),
        rejected=_counted(line.code for line in rejected),
        confirmed=confirmed_duplicates(groups),
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _probes(entries: Sequence[Entry]) -> Probes:
    """A record with one false part is decided, so the shares are of those whose full reading is decided."""
    judged = [entry for entry in entries if entry.full is not None]
    given = [entry.verdict for entry in judged if entry.verdict]
    misplaced = [entry.fault is not None for entry in judged]
    return Probes(
        judged=len(judged),
        page_unusable=_percent([verdict.page_content_usable.value is False for verdict in given]),
        invalid=_percent(
            [
                bad or verdict.overall_valid.value is False
                for bad, verdict in zip(misplaced, given, strict=True)
            ]
        ),
        unsatisfied=_percent([verdict.requirements_all_satisfied.value is False for verdict in given]),
        unsupported=_percent([verdict.requirements_all_supported.value is False for verdict in given]),
        unfaithful=_percent([verdict.excerpts_faithful.value is False for verdict in given]),
    )


def _percent(failed: Sequence[bool]) -> float | None:
    return 100 * sum(failed) / len(failed) if failed else None


class _Told:
    """The tree in the types of the model, told by id: spellings of one identity share their branches."""

    def __init__(self) -> None:
        self._groups: dict[int, ScoreGroup] = {}
        self._readings: dict[int, Reading] = {}

    def group(self, group: Group) -> ScoreGroup:
        made = self._groups.get(id(group))
        if made is None:
            key = group.shape.key
            identities = tuple([self._identity(identity) for identity in group.identities])
            made = unchecked(
                ScoreGroup,
                {
                    "node": group.shape.node,
                    "key": key.name,
                    "required": key.required,
                    "identities": identities,
                },
            )
            self._groups[id(group)] = made
        return made

    def _identity(self, identity: Identity) -> ScoreIdentity:
        if isinstance(identity, Entity):
            entities: tuple[ScoreEntity, ...] = (self._entity(identity),)
        else:
            entities = tuple([self._entity(entity) for entity in identity.entities])
        return unchecked(ScoreIdentity, {"name": identity.name, "entities": entities})

    def _entity(self, entity: Entity) -> ScoreEntity:
        return unchecked(
            ScoreEntity,
            {
                "name": entity.name,
                "full": self._reading(entity.full),
                "retrieval": self._reading(entity.retrieval),
                "groups": tuple([self.group(group) for group in entity.groups]) if entity.groups else (),
            },
        )

    def _reading(self, value: Value) -> Reading:
        """By id as well: most values are few objects, and hashing fractions is slow."""
        made = self._readings.get(id(value))
        if made is None:
            made = self._readings[id(value)] = reading_of(value)
        return made


def reading_of(value: Value) -> Reading:
    """What an entity is worth under one reading, in floats."""
    precision = None if value.precision is None else float(value.precision)
    return Reading(
        precision=precision, recall=float(value.recall), complete=value.complete, clean=value.clean
    )
