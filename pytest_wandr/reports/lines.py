"""How are a task's large files written? As `json` would, but from the types themselves and in one go.

A run writes some ten parts for each record, and the tree holds two readings for each entity: turning them
into dictionaries first costs more than everything else about them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pytest_wandr.model import canonical_json, quoted
from pytest_wandr.score import reading_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_wandr.hierarchy.paths import PathRow
    from pytest_wandr.hierarchy.place import Entity, Group, Identity
    from pytest_wandr.hierarchy.rollup import Value
    from pytest_wandr.model import Part, Record, RecordVerdict, RequirementVerdict, Truth
    from pytest_wandr.score import Scored

_json = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
_WORD: dict[Truth, str] = {True: "true", False: "false", None: "null"}
_PIECE = 256
"""As many lines are in memory at once."""


def verdicts_text(records: Sequence[Record], verdicts: Sequence[RecordVerdict]) -> Iterator[str]:
    """A line for each record, in their order: its verdict beside what it is about. In pieces of many lines.

    Many verdicts share their parts, and what they say besides the page is told once. Whoever makes a verdict
    keeps the order of its fields, and all are alive here: equal ids in that order are equal values.
    Reasons of true parts are empty, so only the values stay.
    """
    teller = _Teller()
    for start in range(0, len(records), _PIECE):
        some = zip(records[start : start + _PIECE], verdicts[start : start + _PIECE], strict=True)
        yield "".join([_line(record, verdict, teller.told(verdict)) for record, verdict in some])


def _line(record: Record, verdict: RecordVerdict, told: str) -> str:
    item = ", ".join([f"{quoted(name)}: {quoted(value)}" for name, value in record.item.items()])
    page = verdict.page
    led_to = f'{{"final_url": {quoted(page.final_url)}, "digest": {_text(page.digest)}}}' if page else "null"
    votes = f', "votes": {_json(dict(verdict.votes))}' if verdict.votes else ""
    return (
        f'{{"record": "{record.digest}", "node": {quoted(record.node)}, "item": {{{item}}}, '
        f'"url": {quoted(record.url)}, {told}, "page": {led_to}{votes}}}\n'
    )


class _Teller:
    """Tells what verdicts say, their pages and votes apart. All of them are alive as long as it is."""

    def __init__(self) -> None:
        self._verdicts: dict[tuple[int, ...], str] = {}
        self._requirements: dict[int, str] = {}
        self._parts: dict[int, str] = {}

    def told(self, verdict: RecordVerdict) -> str:
        said = tuple([id(value) for name, value in vars(verdict).items() if name != "page"])
        told = self._verdicts.get(said)
        if told is None:
            told = self._verdicts[said] = self._tell(verdict)
        return told

    def _tell(self, verdict: RecordVerdict) -> str:
        parts = ", ".join([f'"{name}": {self._part(part)}' for name, part in verdict.parts()])
        requirements = ", ".join(map(self._requirement, verdict.requirements))
        return (
            f'"full": {_WORD[verdict.full]}, "retrieval": {_WORD[verdict.retrieval]}, "parts": {{{parts}}}, '
            f'"requirements": [{requirements}], "confidence": {verdict.confidence}, '
            f'"judge": {quoted(verdict.judge)}'
        )

    def _requirement(self, entry: RequirementVerdict) -> str:
        told = self._requirements.get(id(entry))
        if told is None:
            told = self._requirements[id(entry)] = (
                f'{{"id": {quoted(entry.id)}, "satisfied": {self._part(entry.satisfied)},'
                f' "supported": {self._part(entry.supported)}}}'
            )
        return told

    def _part(self, part: Part) -> str:
        told = self._parts.get(id(part))
        if told is None:
            told = self._parts[id(part)] = _part(part)
        return told


def _text(value: str | None) -> str:
    return "null" if value is None else quoted(value)


def _part(part: Part) -> str:
    reason = f', "reason": {quoted(part.reason)}' if part.reason else ""
    code = f', "code": {quoted(part.code)}' if part.code else ""
    return f'{{"value": {_WORD[part.value]}{reason}{code}}}'


def score_text(score: Scored) -> str:
    """The canonical JSON of a score, with a newline."""
    diagnostics = score.diagnostics.model_dump(mode="json")
    paths = ",".join(map(_path, score.paths))
    return (
        f'{{"diagnostics":{canonical_json(diagnostics)},"paths":[{paths}],'
        f'"rewards":{canonical_json(dict(score.rewards))},"task_id":{quoted(score.task_id)},'
        f'"tree":{_Tree().group(score.root)}}}\n'
    )


def _path(path: PathRow) -> str:
    names = ",".join(map(quoted, path.path))
    return (
        f'{{"node":{quoted(path.node)},"outcome":"{path.outcome}","part":{quoted(path.part)},"path":[{names}],'
        f'"reason":{quoted(path.reason)},"required":{_WORD[path.required]},"slots":{path.slots}}}'
    )


class _Tree:
    """Values are few objects, shared by many entities: each is written once and remembered by its id."""

    def __init__(self) -> None:
        self._readings: dict[int, str] = {}

    def group(self, group: Group) -> str:
        identities = ",".join(map(self._identity, group.identities))
        key = group.shape.key
        return (
            f'{{"identities":[{identities}],"key":{quoted(key.name)},"node":{quoted(group.shape.node)},'
            f'"required":{key.required}}}'
        )

    def _identity(self, identity: Identity) -> str:
        entities = ",".join(map(self._entity, identity.entities))
        return f'{{"entities":[{entities}],"name":{quoted(identity.name)}}}'

    def _entity(self, entity: Entity) -> str:
        groups = ",".join(map(self.group, entity.groups))
        return (
            f'{{"full":{self._reading(entity.full)},"groups":[{groups}],"name":{quoted(entity.name)},'
            f'"retrieval":{self._reading(entity.retrieval)}}}'
        )

    def _reading(self, value: Value) -> str:
        told = self._readings.get(id(value))
        if told is None:
            told = self._readings[id(value)] = canonical_json(reading_of(value).model_dump(mode="json"))
        return told
