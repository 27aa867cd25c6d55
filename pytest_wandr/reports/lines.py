"""How are a task's large files written? As `json` would, but from the types themselves and in one go.

A run writes some ten parts for each record, and the tree holds two readings for each entity: turning them
into dictionaries first costs more than everything else about them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pytest_wandr.model import YES, canonical_json

if TYPE_CHECKING:
    from pytest_wandr.model import (
        Part,
        PathOutcome,
        Reading,
        Record,
        RecordVerdict,
        ScoreEntity,
        ScoreGroup,
        ScoreIdentity,
        TaskScore,
        Truth,
    )

_json = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
_WORD: dict[Truth, str] = {True: "true", False: "false", None: "null"}
_YES = '{"value": true}'


def verdict_line(record: Record, verdict: RecordVerdict) -> str:
    """A verdict beside what it is about. Reasons of true parts are empty, so only the values stay."""
    parts = ", ".join([f'"{name}": {_part(part)}' for name, part in verdict.parts()])
    requirements = ", ".join(
        [
            f'{{"id": {_json(entry.id)}, "satisfied": {_part(entry.satisfied)},'
            f' "supported": {_part(entry.supported)}}}'
            for entry in verdict.requirements
        ]
    )
    page = verdict.page
    led_to = f'{{"final_url": {_json(page.final_url)}, "digest": {_json(page.digest)}}}' if page else "null"
    votes = f', "votes": {_json(dict(verdict.votes))}' if verdict.votes else ""
    return (
        f'{{"record": "{record.digest}", "node": {_json(record.node)}, "item": {_json(dict(record.item))}, '
        f'"url": {_json(record.url)}, "full": {_WORD[verdict.full]}, '
        f'"retrieval": {_WORD[verdict.retrieval]}, "parts": {{{parts}}}, "requirements": [{requirements}], '
        f'"confidence": {verdict.confidence}, "judge": {_json(verdict.judge)}, "page": {led_to}{votes}}}\n'
    )


def _part(part: Part) -> str:
    if part is YES:
        return _YES
    reason = f', "reason": {_json(part.reason)}' if part.reason else ""
    code = f', "code": {_json(part.code)}' if part.code else ""
    return f'{{"value": {_WORD[part.value]}{reason}{code}}}'


def score_text(score: TaskScore) -> str:
    """The canonical JSON of a score, with a newline."""
    rest = score.model_dump(mode="json", include={"diagnostics", "rewards", "task_id"})
    paths = ",".join(map(_path, score.paths))
    return (
        f'{{"diagnostics":{canonical_json(rest["diagnostics"])},"paths":[{paths}],'
        f'"rewards":{canonical_json(rest["rewards"])},"task_id":{_json(rest["task_id"])},'
        f'"tree":{_Tree().group(score.tree)}}}\n'
    )


def _path(path: PathOutcome) -> str:
    names = ",".join(map(_json, path.path))
    return (
        f'{{"node":{_json(path.node)},"outcome":"{path.outcome}","part":{_json(path.part)},"path":[{names}],'
        f'"reason":{_json(path.reason)},"required":{_WORD[path.required]},"slots":{path.slots}}}'
    )


class _Tree:
    """Readings are few objects, shared by many entities: each is written once and remembered by its id."""

    def __init__(self) -> None:
        self._readings: dict[int, str] = {}

    def group(self, group: ScoreGroup) -> str:
        identities = ",".join(map(self._identity, group.identities))
        return (
            f'{{"identities":[{identities}],"key":{_json(group.key)},"node":{_json(group.node)},'
            f'"required":{group.required}}}'
        )

    def _identity(self, identity: ScoreIdentity) -> str:
        entities = ",".join(map(self._entity, identity.entities))
        return f'{{"entities":[{entities}],"name":{_json(identity.name)}}}'

    def _entity(self, entity: ScoreEntity) -> str:
        groups = ",".join(map(self.group, entity.groups))
        return (
            f'{{"full":{self._reading(entity.full)},"groups":[{groups}],"name":{_json(entity.name)},'
            f'"retrieval":{self._reading(entity.retrieval)}}}'
        )

    def _reading(self, reading: Reading) -> str:
        told = self._readings.get(id(reading))
        if told is None:
            told = self._readings[id(reading)] = canonical_json(reading.model_dump(mode="json"))
        return told
