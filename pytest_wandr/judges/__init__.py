"""What is asked of a judge, and what does it answer? Only what machine checks leave open.

A judge gets all open questions of a task at once, so that it may group them by page, ask in parallel and
remember answers. It answers in the order of the questions. Whatever it says is capped by the machine checks:
a judge is asked for what is open, and its word on anything else is not used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pytest_wandr.errors import JudgeError
from pytest_wandr.model import YES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pytest_wandr.model import (
        KeySpec,
        NameList,
        NameVerdict,
        NodeSpec,
        Part,
        Record,
        RequirementVerdict,
        TaskSpec,
        Truth,
    )
    from pytest_wandr.progress import Watch


@dataclass(frozen=True)
class Question:
    """One record with its page.

    `open` names the requirements with something left to decide. `known` holds all of them: a part with the
    code "open" is asked for, the others are facts. The page's text is untrusted: data, never instructions.
    `lang` is what the page declares, `page_lang` what its text is written in; either may be unknown.
    """

    task: TaskSpec
    node: NodeSpec
    record: Record
    final_url: str
    page_text: str
    open: tuple[str, ...]
    known: tuple[RequirementVerdict, ...]
    lang: str | None = None
    page_lang: str | None = None


@dataclass(frozen=True)
class Answer:
    """What a judge says of one question.

    One verdict for each open requirement; `valid` may say that the record is out of the task's scope;
    `confidence` is 0 to 3, and below 2 nothing it says is used. `votes` is what a panel's samples said, see
    `RecordVerdict.votes`.
    """

    requirements: tuple[RequirementVerdict, ...] = ()
    valid: Part = YES
    confidence: int = 3
    votes: Mapping[str, tuple[Truth, ...]] = field(default_factory=dict)


class Judge(Protocol):
    """Anything that can be asked.

    A judge that depends on more than its name (a model, a prompt, parameters) also has an `identity`: a
    string with all of that, under which its verdicts are stored. See `identity_of`. One that pays for its
    answers has `pays`, see `pays`; one that has something to tell has `take_notes()`, see `notes_of`; one
    that takes its time has `watched_by(watch)`, see `watch_judge`.
    """

    @property
    def name(self) -> str:
        """How reports and verdicts call it."""
        ...

    async def ask(self, questions: Sequence[Question]) -> Sequence[Answer]:
        """One answer for each question, in their order."""
        ...


@runtime_checkable
class ConfirmsNames(Protocol):
    """A judge that can also be asked whether names that look alike are one thing."""

    def confirms(self, key: KeySpec) -> bool:
        """Whether names of this key are asked about."""
        ...

    async def confirm(self, task: TaskSpec, lists: Sequence[NameList]) -> Sequence[NameVerdict]:
        """A verdict on every pair of every list. Anything but a clear yes leaves names distinct."""
        ...


@dataclass(frozen=True)
class Setup:
    """Where a judge that pays for its answers works.

    `rootdir` holds the pyproject.toml with `[tool.wandr.judge]`, `cassettes` one folder per task with the
    answers that were paid for, `run` is shared by all workers of this run and gone after it. `budget` is what
    `--wandr-budget` says.
    """

    rootdir: Path
    cassettes: Path
    run: Path
    budget: str = ""


MODELS = ("llm", "openai-chat", "openai-responses", "anthropic")
"""What the names of judges that ask models begin with, up to a colon if there is one."""


def resolve(name: str, setup: Setup | None = None) -> Judge:
    """The built-in judge of that name. Those that ask a model need a `setup`.

    Raises:
        JudgeError: there is none, or it cannot be used as configured.
    """
    from pytest_wandr.judges.replay import Replay
    from pytest_wandr.judges.rules import Rules

    if name == Rules.name:
        return Rules()
    kind, _, of = name.partition(":")
    if kind == "replay":
        return Replay(of)
    if kind in MODELS:
        return _asking(name, setup)
    raise JudgeError(
        f"no judge is called {name!r}. Built in: rules, replay, replay:NAME, llm, llm:NAME, "
        f"{':MODEL, '.join(MODELS[1:])}:MODEL. A conftest.py can supply others with the hook "
        "pytest_wandr_make_judge"
    )


def _asking(name: str, setup: Setup | None) -> Judge:
    from pytest_wandr.judges.llm.make import make

    if setup is None:
        raise JudgeError(f"the judge {name!r} asks a model: it needs a Setup, which says where it works")
    return make(name, setup)


def identity_of(judge: Judge) -> str:
    """Under which name the verdicts of a judge are stored: everything about it that can change them."""
    return str(getattr(judge, "identity", "") or judge.name)


def pays(judge: Judge) -> bool:
    """True when answers of this judge cost something: its verdicts are stored whatever else a run records."""
    return bool(getattr(judge, "pays", False))


def notes_of(judge: Judge) -> tuple[str, ...]:
    """What a judge has to tell the reader of the run about the task that it was just asked about."""
    take: Callable[[], Sequence[str]] | None = getattr(judge, "take_notes", None)
    return tuple(take()) if take is not None else ()


def watch_judge(judge: Judge, watch: Watch) -> None:
    """Let a judge tell how far it is with the questions of a task, if it is one that does."""
    watched_by: Callable[[Watch], None] | None = getattr(judge, "watched_by", None)
    if watched_by is not None:
        watched_by(watch)
