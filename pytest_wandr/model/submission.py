"""What did a system deliver? Records, and the lines that are none."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from pydantic import JsonValue

from pytest_wandr.model.base import Frozen, canonical_mapping, digest_of_text, quoted


class Record(Frozen):
    """One claim with its evidence. Excerpts and answer are exactly as the system wrote them."""

    node: str
    item: Mapping[str, str]
    url: str
    excerpts: tuple[str, ...] = ()
    answer: Mapping[str, JsonValue] = {}

    @cached_property
    def digest(self) -> str:
        """sha256 of the record's content: of the canonical JSON of what `model_dump` gives."""
        excerpts = ",".join(map(quoted, self.excerpts))
        return digest_of_text(
            f'{{"answer":{canonical_mapping(self.answer)},"excerpts":[{excerpts}],'
            f'"item":{canonical_mapping(self.item)},"node":{quoted(self.node)},"url":{quoted(self.url)}}}'
        )


class Rejected(Frozen):
    """A line that is no record. It stays in the submission and counts as a failing one.

    `item` and `url` hold what could be read: the line is placed under that known prefix, or, when
    nothing could be read, at the root. `raw` is the start of the line (at most 200 characters).
    """

    node: str
    line: int
    code: str
    raw: str = ""
    item: Mapping[str, str] = {}
    url: str | None = None

    def __str__(self) -> str:
        return self.code


class Parsed(Frozen):
    """What one results file held. `notes` names the liberties that reading it took, sorted."""

    records: tuple[Record, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    notes: tuple[str, ...] = ()


class Usage(Frozen):
    """What work cost. Unknown is None, never 0."""

    cost_usd: float | None = None
    seconds: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    requests: int | None = None


class Submission(Frozen):
    """All that a system delivered for one task."""

    task_id: str
    system: str
    records: tuple[Record, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    notes: Mapping[str, tuple[str, ...]] = {}
    usage: Usage | None = None
