"""Who is tested? What a system under test is, and how a name finds one.

A system is anything with `async def solve(task, ctx)`, or a plain function of `task` or `(task, ctx)`,
sync or async. It may return

    None                        it wrote results_<node>.jsonl into `ctx.outdir`
    str                         a final answer that holds the records as text
    {node: records}             records as a list of mappings, or as the text of a results file
    [record, ...]               the records of the main node, or `Record` objects of any node
    Answer                      several of these at once, with usage

Nothing is parsed here: what was delivered is saved first, then read by the solve stage.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from pytest_wandr.errors import WandrError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_wandr.model import TaskSpec, Usage
    from pytest_wandr.systems.corpus import Corpus

Delivered: TypeAlias = (
    "Answer | str | Mapping[str, str | Sequence[Mapping[str, Any]]] | Sequence[Mapping[str, Any]] | None"
)


@dataclass(frozen=True)
class SolveContext:
    """What a system is given beside the task.

    `outdir` is an empty folder for results files. `corpus` holds the pages recorded for this task
    (search, read, follow links: offline). `deadline` is in seconds from the start of `solve`; it is
    enforced from outside. `folder` is the task package; reading its fixtures is what `oracle` is for.
    """

    outdir: Path
    corpus: Corpus
    folder: Path
    deadline: float | None = None
    effort: str | None = None


@dataclass(frozen=True)
class Answer:
    """Raw artefacts of a system. `state` says how it ended when that was not by finishing."""

    texts: tuple[str, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    records: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    usage: Usage | None = None
    state: str = "done"


class System(Protocol):
    """Anything that can be asked to solve a task."""

    async def solve(self, task: TaskSpec, ctx: SolveContext) -> Delivered:
        """Collect the records that the task asks for."""
        ...


def known_names() -> tuple[str, ...]:
    """The built-in systems."""
    return ("empty", "oracle", "oracle-noisy")


def resolve(name: str, *, rootdir: Path) -> System:
    """Find the system of that name: a built-in, `dir:PATH`, `cmd:...`, `module:attr` or `path.py:attr`.

    Raises:
        WandrError: there is none; the message lists what would be understood.
    """
    from pytest_wandr.systems import builtin, command, directory, function

    scheme, _, rest = name.partition(":")
    if scheme == "dir":
        return directory.Directory(rootdir / rest)
    if scheme == "cmd":
        return command.Command(rest, rootdir)
    if scheme in known_names():
        return builtin.make(scheme, rest)
    attribute = name.rpartition(":")[2]
    if rest and all(part.isidentifier() for part in attribute.split(".")):
        return function.load(name, rootdir)
    raise WandrError(
        f"no system is called {name!r}. Known: {', '.join(known_names())}, module:attr, path.py:attr, "
        "dir:PATH, cmd:COMMAND, and the names that a conftest.py registers with pytest_wandr_make_system"
    )
