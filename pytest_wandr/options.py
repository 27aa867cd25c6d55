"""What did the user ask for? The options, their ini twins, and one `Settings` read from both.

The command line wins over the ini file, the ini file over the default. Paths on the command line are
relative to where pytest was started, paths in an ini file to that file, defaults to the root folder.
"""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from pytest_wandr.errors import WandrError

if TYPE_CHECKING:
    import pytest

    from pytest_wandr.reports.shards import Shard

Record: TypeAlias = Literal["none", "new", "retry", "all"]
Shown: TypeAlias = Literal["none", "failed", "all"]
Progress: TypeAlias = Literal["auto", "live", "plain", "off"]

_RECORD = ("none", "new", "retry", "all")
_SHOWN = ("none", "failed", "all")
_PROGRESS = ("auto", "live", "plain", "off")
_OPTIONS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    (
        "system",
        "who is tested: a built-in name, module:attr, path.py:attr, dir:PATH, cmd:COMMAND, or a name from "
        "the hook pytest_wandr_make_system. Without it the plugin does nothing",
        {"metavar": "NAME"},
    ),
    (
        "judge",
        "who judges: rules (default), replay (stored verdicts alone), llm (a model, as pyproject.toml says), "
        "or a name from the hook pytest_wandr_make_judge",
        {"metavar": "NAME"},
    ),
    (
        "record",
        "pages: replay recorded ones only (none, default), also fetch what is missing (new), and what failed "
        "in a passing way (retry), fetch all (all)",
        {"choices": _RECORD},
    ),
    (
        "paths",
        "which hierarchy paths to list: none (default), failed (default with -v), all",
        {"choices": _SHOWN},
    ),
    ("paths-max", "at most so many listed paths per task (default 10; 0: no limit)", {"metavar": "N"}),
    ("strict", "a required path that is not proven fails its task", {"action": "store_true"}),
    (
        "fail-under",
        "fail the run when this reward of the headline is lower, as in soft_f1_full:0.4 (repeatable)",
        {"metavar": "METRIC:VALUE", "action": "append"},
    ),
    (
        "progress",
        "how long work is shown: a line that is kept up to date (live), a line now and then (plain), nothing "
        "(off), by what the output is (auto, default)",
        {"choices": _PROGRESS},
    ),
    (
        "budget",
        "what a judge that pays for its answers may spend in this run: dollars, calls or both, as in 5.00 or "
        "100calls or 5.00,100calls (default: no limit)",
        {"metavar": "CAP"},
    ),
    ("out", "where results go (default .wandr/<system>)", {"metavar": "DIR"}),
    (
        "resume",
        "continue a run that was killed: complete tasks with equal inputs are taken from the output folder",
        {"action": "store_true"},
    ),
    (
        "shard",
        "run one part of the tasks, as in 2/8; `wandr merge` makes one run of all parts",
        {"metavar": "I/N"},
    ),
    ("effort", "passed on to the system as it is", {"metavar": "LEVEL"}),
    ("deadline", "stop a system that works longer than this on one task", {"metavar": "SECONDS"}),
    ("cassettes", "where recorded pages and verdicts are kept (default cassettes)", {"metavar": "DIR"}),
)
_INI_TYPES: dict[str, Literal["bool", "linelist"]] = {
    "strict": "bool",
    "resume": "bool",
    "fail-under": "linelist",
}


def add_options(parser: pytest.Parser) -> None:
    """Every `--wandr-x` and its ini twin `wandr_x`, and the ini `wandr_tasks`."""
    group = parser.getgroup("wandr", "wandr: score research agents on task packages")
    for name, help_, extra in _OPTIONS:
        group.addoption(f"--wandr-{name}", dest=_ini(name), help=help_, default=None, **extra)
        parser.addini(
            _ini(name), f"ini twin of --wandr-{name}", type=_INI_TYPES.get(name, "string"), default=None
        )
    tasks = "folders of task packages, used when the command line names no path (default: tasks)"
    parser.addini("wandr_tasks", tasks, type="paths", default=None)


def _ini(name: str) -> str:
    return "wandr_" + name.replace("-", "_")


def wanted_system(config: pytest.Config) -> str:
    """The system's name, or "" when the plugin is to do nothing."""
    return str(_read(config, "system").value or "")


class Floor(NamedTuple):
    """The headline's reward `metric` must not be lower than `value`."""

    metric: str
    value: float


@dataclass(frozen=True)
class Settings:
    """All choices of a run. `effort` and `deadline` are None when not given."""

    system: str
    judge: str
    record: Record
    paths: Shown
    paths_max: int
    strict: bool
    floors: tuple[Floor, ...]
    out: Path
    effort: str | None
    deadline: float | None
    cassettes: Path
    tasks: tuple[Path, ...]
    resume: bool = False
    shard: Shard | None = None
    progress: Progress = "auto"
    budget: str = ""

    @classmethod
    def from_config(cls, config: pytest.Config) -> Settings:
        """Read the command line and the ini file.

        Raises:
            WandrError: a value makes no sense; the message names the option and what would do.
        """
        system = wanted_system(config)
        shown: Shown = "failed" if config.get_verbosity() > 0 else "none"
        return cls(
            system=system,
            judge=str(_read(config, "judge").value or "rules"),
            record=_one_of(_read(config, "record"), _RECORD) or "none",
            paths=_one_of(_read(config, "paths"), _SHOWN) or shown,
            paths_max=int(_number(_read(config, "paths-max"), whole=True, default=10)),
            strict=bool(_read(config, "strict").value),
            floors=_floors(_read(config, "fail-under")),
            out=_folder(config, "out", Path(".wandr", folder_name(system))),
            effort=_read(config, "effort").value or None,
            deadline=_number(_read(config, "deadline"), default=0.0) or None,
            cassettes=_folder(config, "cassettes", Path("cassettes")),
            resume=bool(_read(config, "resume").value),
            shard=_shard(_read(config, "shard")),
            budget=_budget(_read(config, "budget")),
            progress=_one_of(_read(config, "progress"), _PROGRESS) or "auto",
            tasks=tuple(config.getini("wandr_tasks") or (config.rootpath / "tasks",)),
        )


class _Given(NamedTuple):
    """A value, and how to name its source in a message."""

    value: Any
    source: str
    base: Path


def _read(config: pytest.Config, name: str) -> _Given:
    value = config.getoption(_ini(name), None)
    if value is not None:
        return _Given(value, f"--wandr-{name}", config.invocation_params.dir)
    base = config.inipath.parent if config.inipath else config.rootpath
    where = f" in {config.inipath.name}" if config.inipath else ""
    return _Given(config.getini(_ini(name)), _ini(name) + where, base)


def _one_of(given: _Given, choices: tuple[str, ...]) -> Any:
    if given.value and given.value not in choices:
        raise WandrError(f"{given.source}: {given.value!r} is not one of {', '.join(choices)}")
    return given.value


def _number(given: _Given, *, default: float, whole: bool = False) -> float:
    if given.value in (None, ""):
        return default
    wanted = "a whole number from 0 up" if whole else "a number above 0"
    try:
        number = float(int(given.value)) if whole else float(given.value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number < 0 or (number == 0 and not whole):
        raise WandrError(f"{given.source}: {given.value!r} is not {wanted}")
    return number


def _floors(given: _Given) -> tuple[Floor, ...]:
    return tuple(floor_of(text, given.source) for text in given.value or ())


def floor_of(text: str, source: str) -> Floor:
    """Read `METRIC:VALUE`.

    Raises:
        WandrError: no such reward, or no number from 0 to 1.
    """
    from pytest_wandr.rewards import REWARDS

    metric, _, number = (part.strip() for part in text.partition(":"))
    if metric not in REWARDS:
        raise WandrError(f"{source}: there is no reward {metric!r}; there are {', '.join(REWARDS)}")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise WandrError(f"{source}: {number!r} is not a number from 0 to 1, as in {metric}:0.4")
    return Floor(metric, value)


def _budget(given: _Given) -> str:
    if not given.value:
        return ""
    from pytest_wandr.budget import parse

    try:
        parse(str(given.value))
    except WandrError as error:
        raise WandrError(f"{given.source}: {error}") from None
    return str(given.value)


def _shard(given: _Given) -> Shard | None:
    if not given.value:
        return None
    from pytest_wandr.reports.shards import parse_shard, refuse_shard

    shard = parse_shard(given.value)
    if shard is None:
        raise refuse_shard(given.value, given.source)
    return shard


def _folder(config: pytest.Config, name: str, default: Path) -> Path:
    given = _read(config, name)
    return given.base / given.value if given.value else config.rootpath / default


def folder_name(system: str) -> str:
    """A folder name for a system: its name, or a readable part of it and a digest that keeps names apart."""
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", system).strip("-.")[:60]
    if slug == system:
        return slug
    return f"{slug or 'system'}-{hashlib.sha256(system.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
