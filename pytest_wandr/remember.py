"""Which records were judged before, and why not the others? Verdicts out of the store, and into it."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_wandr.cassettes.secrets import SecretScan
from pytest_wandr.cassettes.urls import normal_url
from pytest_wandr.fetch.trace import trace
from pytest_wandr.model import Part, RecordVerdict, digest_of
from pytest_wandr.verdicts import Basis, VerdictStore, key_maker, worth_keeping

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_wandr.cassettes import PageStore
    from pytest_wandr.judges.replay import Replay
    from pytest_wandr.model import NodeSpec, Record, Submission, TaskSpec

FILE = "verdicts.jsonl"
UNRECORDED = "its page was never recorded"
NEVER = "it was never judged"
_CAUSES = {
    "page": "its page changed",
    "requirements": "the task's requirements changed",
    "extractor": "pages are read by a newer extractor",
    "identity": "names are compared by newer rules",
    "checks": "the checks are newer",
}


@dataclass(frozen=True)
class Judged:
    """One verdict for each record, who gave them, and what a reader of the run should know."""

    verdicts: tuple[RecordVerdict, ...]
    judge: str
    notes: tuple[str, ...] = ()


class Memory:
    """The stored verdicts of one task. `judge` is whose verdicts are meant."""

    def __init__(self, task: TaskSpec, pages: PageStore, judge: str = "") -> None:
        self.store = VerdictStore(pages.folder / FILE, pages.sealed_verdicts)
        self.judge = judge
        self.retired: Counter[str] = Counter()
        self._pages = pages
        self._requirements = {node.name: requirements_digest(task, node) for node in task.nodes}
        self._traces: dict[str, str] = {}

    def recall(self, records: Sequence[Record]) -> dict[int, RecordVerdict]:
        """The known verdicts, by the position of their record.

        One kind of work after the other for all records: code and data then stay close to the processor.
        """
        makers = {
            node: key_maker(Basis(self.judge, told, "", "")) for node, told in self._requirements.items()
        }
        pages = [self._page(record.url) for record in records]
        keys = [
            makers[record.node](record.digest, page) if page else ""
            for record, page in zip(records, pages, strict=True)
        ]
        verdicts = [self.store.get(key) if key else None for key in keys]
        return {at: verdict for at, verdict in enumerate(verdicts) if verdict is not None}

    def why_not(self, record: Record) -> str:
        """Why there is no verdict of a record. Stored ones that no longer apply are counted as retired."""
        basis = self._basis(record)
        causes = self._changes(record, basis) if basis else ()
        self.retired.update(causes)
        if causes:
            return " and ".join(causes) + " since it was judged"
        known = {str(made["judge"]) for made in self.store.about(record.digest)}
        if known - {self.judge}:
            return f"it was judged by {', '.join(sorted(known))} alone"
        return NEVER if basis else UNRECORDED

    def explain(self, records: Iterable[Record]) -> None:
        """Count what is retired, when these records are judged again."""
        for record in records:
            self.why_not(record)

    def remember(self, records: Iterable[Record], verdicts: Iterable[RecordVerdict]) -> None:
        """Store what was judged now, and save the file.

        Raises:
            CassetteError: a verdict holds a secret.
        """
        for record, verdict in zip(records, verdicts, strict=True):
            basis = self._basis(record)
            if basis and worth_keeping(verdict):
                self.store.put(basis.key, verdict, basis.made())
        self.store.save(SecretScan().refuse)

    def pages_changed(self) -> None:
        """Look again at what urls lead to: something was fetched."""
        self._traces.clear()

    def notes(self) -> tuple[str, ...]:
        """How many verdicts were retired, and by what."""
        return tuple(
            f"stored verdicts no longer apply: {why} ({n})" for why, n in sorted(self.retired.items())
        )

    def _basis(self, record: Record) -> Basis | None:
        """What a verdict of this record would rest on; None when its page was never recorded."""
        page = self._page(record.url)
        if not page:
            return None
        return Basis(self.judge, self._requirements[record.node], record.digest, page)

    def _page(self, url: str) -> str:
        """A digest of what a url leads to; "" when that was never recorded."""
        page = self._traces.get(url)
        if page is None:
            page = self._traces[url] = trace(self._pages, url)
        return page

    def _changes(self, record: Record, basis: Basis) -> tuple[str, ...]:
        """What changed since the record was judged, by the stored verdict that comes closest."""
        now = basis.made()
        known = [made for made in self.store.about(record.digest) if made["judge"] == self.judge]
        changes = [
            tuple(words for name, words in _CAUSES.items() if made[name] != now[name]) for made in known
        ]
        return min(changes, key=lambda found: (len(found), found), default=())


def replayed(
    task: TaskSpec, submission: Submission, pages: PageStore, *, judge: Replay, system: str
) -> Judged:
    """Verdicts from the store alone. What is not there is undecided, and its reason says what to do.

    Raises:
        JudgeError: the store holds verdicts of several judges, and none was chosen.
    """
    memory = Memory(task, pages)
    memory.judge = judge.choose(memory.store.judges(), str(memory.store.path))
    known = memory.recall(submission.records)
    command = (
        f"pytest --wandr-system={shlex.quote(system)} --wandr-judge={shlex.quote(memory.judge or 'rules')} "
        f"--wandr-record=new -k {task.id}"
    )
    verdicts = tuple(
        known[at] if at in known else _undecided(record, memory.why_not(record), command, judge=memory.judge)
        for at, record in enumerate(submission.records)
    )
    return Judged(verdicts, f"replay:{memory.judge}", memory.notes())


def _undecided(record: Record, why: str, command: str, *, judge: str) -> RecordVerdict:
    url = normal_url(record.url)  # without secrets
    part = Part(
        value=None,
        code="no_verdict",
        reason=f"no verdict is stored for the record at {url}: {why}. To judge it: {command}",
    )
    return RecordVerdict(
        page_content_usable=part,
        answer_intent_clear=part,
        excerpts_faithful=part,
        overall_valid=part,
        requirements_all_satisfied=part,
        requirements_all_supported=part,
        judge=judge or "replay",
    )


def requirements_digest(task: TaskSpec, node: NodeSpec) -> str:
    """A digest of all that a judge is told about records of this node, not of how many are wanted."""
    told: Mapping[str, object] = node.model_dump(
        mode="json", by_alias=True, exclude={"keys": {"__all__": {"required"}}}
    )
    return digest_of([told, task.id, task.instruction, task.judge_guidance])
