"""Which things flow through the pipeline? Every type, in the order in which it flows.

Reading this package in the order `task`, `submission`, `page`, `verdict`, `score`, `report` is reading
the benchmark: a `TaskSpec` asks for records, a `Submission` delivers them, a `Page` is what a cited url
led to, a `RecordVerdict` says what the evidence is worth, a `TaskScore` rolls verdicts up the key
hierarchy, a `RunReport` is what a run amounts to. All types are frozen; mappings are never changed
after construction. This is the one package that re-exports: `from pytest_wandr.model import Record`.
"""

from pytest_wandr.model.base import (
    Frozen,
    Truth,
    canonical_json,
    digest_of,
    digest_of_text,
    quoted,
    unchecked,
)
from pytest_wandr.model.checks import (
    AllOf,
    AnyOf,
    Check,
    DateIn,
    HostIs,
    LanguageIs,
    Matches,
    Mentions,
    Not,
    NumberIn,
)
from pytest_wandr.model.names import NameList, NamePair, NamePath, NameVerdict
from pytest_wandr.model.page import UNDECIDED_FETCHES, FetchKind, FetchProblem, Page
from pytest_wandr.model.report import Agreement, RunReport, TaskReport, Unscored
from pytest_wandr.model.score import (
    Diagnostics,
    NearDuplicate,
    Outcome,
    PathCounts,
    PathOutcome,
    Probes,
    Reading,
    ScoreEntity,
    ScoreGroup,
    ScoreIdentity,
    Structure,
    TaskScore,
)
from pytest_wandr.model.submission import Parsed, Record, Rejected, Submission, Usage
from pytest_wandr.model.task import (
    IdentityOptions,
    KeyKind,
    KeySpec,
    NodeSpec,
    Policy,
    RequirementSpec,
    TaskSpec,
)
from pytest_wandr.model.verdict import (
    PARTS,
    YES,
    Fixture,
    LedTo,
    Part,
    RecordVerdict,
    RequirementVerdict,
    conjunction,
)

__all__ = [
    "PARTS",
    "UNDECIDED_FETCHES",
    "YES",
    "Agreement",
    "AllOf",
    "AnyOf",
    "Check",
    "DateIn",
    "Diagnostics",
    "FetchKind",
    "FetchProblem",
    "Fixture",
    "Frozen",
    "HostIs",
    "IdentityOptions",
    "KeyKind",
    "KeySpec",
    "LanguageIs",
    "LedTo",
    "Matches",
    "Mentions",
    "NameList",
    "NamePair",
    "NamePath",
    "NameVerdict",
    "NearDuplicate",
    "NodeSpec",
    "Not",
    "NumberIn",
    "Outcome",
    "Page",
    "Parsed",
    "Part",
    "PathCounts",
    "PathOutcome",
    "Policy",
    "Probes",
    "Reading",
    "Record",
    "RecordVerdict",
    "Rejected",
    "RequirementSpec",
    "RequirementVerdict",
    "RunReport",
    "ScoreEntity",
    "ScoreGroup",
    "ScoreIdentity",
    "Structure",
    "Submission",
    "TaskReport",
    "TaskScore",
    "TaskSpec",
    "Truth",
    "Unscored",
    "Usage",
    "canonical_json",
    "conjunction",
    "digest_of",
    "digest_of_text",
    "quoted",
    "unchecked",
]
