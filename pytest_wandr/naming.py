"""Which names did a judge confirm to be one? What is stored first, then what is asked now.

    <cassettes>/<task>/names.jsonl    a line for each list of names that was asked about, sorted by key

A replay needs no model: it finds the lines under the name of the judge that it replays.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.packed import NAMES
from pytest_wandr.cassettes.secrets import SecretScan
from pytest_wandr.errors import CassetteError, JudgeError
from pytest_wandr.identity import IDENTITY_VERSION
from pytest_wandr.judges import ConfirmsNames
from pytest_wandr.judges.replay import Replay
from pytest_wandr.locks import briefly
from pytest_wandr.markers import write_whole
from pytest_wandr.model import Frozen, NameVerdict, canonical_json, digest_of
from pytest_wandr.score import look_alikes
from pytest_wandr.verdicts import PASSING, numbered

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pytest_wandr.cassettes import PageStore
    from pytest_wandr.judges import Judge
    from pytest_wandr.model import NameList, Submission, TaskSpec

NAMES_VERSION = 1
"""Raised with every change after which a judge may say otherwise of names: its instructions, say."""
_HEAD = re.compile(rb'\{"judge":("(?:[^"\\]|\\.)*"),"key":"([0-9a-f]{64})",.*\}', re.DOTALL)
_PLACE = ("node", "key", "under")


@dataclass(frozen=True)
class Named:
    """What was said of names, and what a reader of the run should know."""

    verdicts: tuple[NameVerdict, ...] = ()
    notes: tuple[str, ...] = ()


class _Said(Frozen):
    a: str
    b: str
    further: tuple[str, ...] = ()
    same: bool | None
    reason: str = ""
    code: str = ""


class _Line(Frozen):
    judge: str
    key: str
    of: str
    said: tuple[_Said, ...]


class NameStore:
    """The stored words of one judge on the names of one task."""

    def __init__(self, pages: PageStore, judge: str) -> None:
        self.judge = judge
        self._pages = pages
        self._path = pages.folder / NAMES
        self._lines = {key: line for (of, key), line in self._read().items() if of == judge}
        self._new: dict[tuple[str, str], bytes] = {}

    @property
    def digest(self) -> str:
        """A digest of all that the judge said; "" when it was never asked about names."""
        return digest_of([self._lines[key].decode() for key in sorted(self._lines)]) if self._lines else ""

    def key_of(self, task: TaskSpec, asked: NameList) -> str:
        """The key of a list: the judge, the list, and what else it is told."""
        told = [task.id, task.title, asked.model_dump(mode="json")]
        return digest_of([NAMES_VERSION, IDENTITY_VERSION, self.judge, told])

    def knows_of(self, asked: NameList) -> bool:
        """Whether the judge was ever asked about names of this key."""
        return _of(asked) in self._known

    @cached_property
    def _known(self) -> set[str]:
        return {self._parsed(line).of for line in self._lines.values()}

    def get(self, task: TaskSpec, asked: NameList) -> list[NameVerdict] | None:
        """What was said of a list; None when it was not asked about.

        Raises:
            CassetteError: the line is damaged.
        """
        line = self._lines.get(self.key_of(task, asked))
        if line is None:
            return None
        place = {name: getattr(asked, name) for name in _PLACE}
        found = [NameVerdict(**place, **dict(said)) for said in self._parsed(line).said]
        if [(each.a, each.b) for each in found] != [(pair.a, pair.b) for pair in asked.pairs]:
            raise CassetteError(f"{self._path}: {_DAMAGED}")
        return found

    def put(self, task: TaskSpec, asked: NameList, said: Iterable[NameVerdict]) -> None:
        """Keep what was said, unless some of it may be decided the next time."""
        verdicts = list(said)
        if any(each.same is None and each.code in PASSING for each in verdicts):
            return
        key = self.key_of(task, asked)
        told = [each.model_dump(mode="json", exclude={*_PLACE}, exclude_defaults=True) for each in verdicts]
        text = canonical_json({"judge": self.judge, "key": key, "of": _of(asked), "said": told})
        self._lines[key] = self._new[self.judge, key] = text.encode("utf-8", "backslashreplace")

    def save(self) -> None:
        """Fold what is new into the file.

        Raises:
            CassetteError: a line holds a secret.
            CannotWrite: there is no room, say.
        """
        if not self._new:
            return
        scan = SecretScan()
        for line in self._new.values():
            scan.refuse(line, f"what was said of names in {self._path}")
        with briefly(self._path.parent):
            merged = self._read() | self._new
            write_whole(self._path, b"".join(merged[key] + b"\n" for key in sorted(merged)), durable=True)
        self._new = {}

    def _read(self) -> dict[tuple[str, str], bytes]:
        found = {}
        for number, line in numbered(self._pages.text_of(NAMES)):
            head = _HEAD.fullmatch(line)
            if head is None:
                raise CassetteError(f"{self._path}:{number}: {_DAMAGED}")
            try:
                judge = str(json.loads(head[1]))
            except ValueError:
                raise CassetteError(f"{self._path}:{number}: {_DAMAGED}") from None
            found[judge, head[2].decode()] = line
        return found

    def _parsed(self, line: bytes) -> _Line:
        return _parsed(line, self._path)


def told(line: bytes, path: Path) -> tuple[tuple[str, ...], str]:
    """What a stored line is sorted by, and the judge whose word it is.

    Raises:
        CassetteError: it is damaged; `path` is named.
    """
    if _HEAD.fullmatch(line) is None:
        raise CassetteError(f"{path}: {_DAMAGED}")
    stored = _parsed(line, path)
    return (stored.judge, stored.key), stored.judge


def _parsed(line: bytes, path: Path) -> _Line:
    try:
        return _Line.model_validate(json.loads(line))  # lone surrogates, which the fast reader refuses
    except (ValueError, RecursionError):
        raise CassetteError(f"{path}: {_DAMAGED}") from None


_DAMAGED = "nothing that was said of names. Restore the file, or delete it to ask again."


async def confirm_names(
    task: TaskSpec, submission: Submission, pages: PageStore, *, judge: Judge, name: str
) -> Named:
    """What the judge called `name` says of the names of a submission that look alike.

    Raises:
        JudgeError: the judge did not give a verdict on every pair.
        CassetteError: what is stored is damaged.
    """
    if not isinstance(judge, Replay | ConfirmsNames):
        return Named()
    store = NameStore(pages, name)
    found: list[NameVerdict] = []
    while lists := _wanted(judge, store, task, submission, found):  # names that are one may share children
        left = [each for each in lists if store.get(task, each) is None]
        fresh = await _asked(judge, task, left)
        for each in left:
            store.put(task, each, fresh[each])
        store.save()
        found += [verdict for each in lists for verdict in fresh.get(each) or store.get(task, each) or ()]
    return Named(tuple(found), _notes(found))


def names_digest(pages: PageStore, judge: str) -> dict[str, str]:
    """What the score of a task rests on besides verdicts: nothing when names were never asked about."""
    digest = NameStore(pages, judge.removeprefix("replay:")).digest
    return {"names": digest} if digest else {}


def _wanted(
    judge: Replay | ConfirmsNames,
    store: NameStore,
    task: TaskSpec,
    submission: Submission,
    found: Sequence[NameVerdict],
) -> list[NameList]:
    """The lists to be asked about: of keys that the judge confirms, or once did."""
    if isinstance(judge, Replay) and not store.digest:
        return []
    lists = look_alikes(task, submission.records, rejected=submission.rejected, confirmed=found)
    if isinstance(judge, Replay):
        return [each for each in lists if store.knows_of(each)]
    keys = {(node.name, key.name): key for node in task.nodes for key in node.keys}
    return [each for each in lists if judge.confirms(keys[each.node, each.key])]


async def _asked(
    judge: Replay | ConfirmsNames, task: TaskSpec, lists: Sequence[NameList]
) -> dict[NameList, list[NameVerdict]]:
    if isinstance(judge, Replay):
        return {each: _unknown(each) for each in lists}
    said = await judge.confirm(task, lists) if lists else ()
    by_pair = {(each.node, each.key, each.under, each.a, each.b, each.further): each for each in said}
    try:
        return {
            each: [
                by_pair[each.node, each.key, each.under, pair.a, pair.b, pair.further] for pair in each.pairs
            ]
            for each in lists
        }
    except KeyError as error:
        raise JudgeError(f"the judge gave no verdict on the names {error.args[0][3:5]}") from None


def _unknown(asked: NameList) -> list[NameVerdict]:
    place = {name: getattr(asked, name) for name in _PLACE}
    why = "nothing is stored of these names; a run with the judge that is replayed asks about them"
    return [
        NameVerdict(
            **place, a=pair.a, b=pair.b, further=pair.further, same=None, reason=why, code="no_verdict"
        )
        for pair in asked.pairs
    ]


def _notes(found: Iterable[NameVerdict]) -> tuple[str, ...]:
    """What could not be asked this time, so that names count as distinct that may be one."""
    causes = Counter(each.code for each in found if each.same is None and each.code in PASSING)
    return tuple(
        f"names that look alike could not be confirmed and count as distinct: {code} ({count})"
        for code, count in sorted(causes.items())
    )


def _of(asked: NameList) -> str:
    return f"{asked.node}: {asked.key}"
