"""Which model judges, where, and within which limits? Read from pyproject.toml; keys never are.

`llm` is the table [tool.wandr.judge], `llm:NAME` is [tool.wandr.judges.NAME]; `openai-chat:MODEL`,
`openai-responses:MODEL` and `anthropic:MODEL` need no table.
"""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_args
from urllib.parse import urlsplit

from pydantic import Field, JsonValue, StringConstraints, ValidationError, field_validator
from pydantic_core import PydanticCustomError

from pytest_wandr.errors import JudgeError, Problem
from pytest_wandr.model import Frozen
from pytest_wandr.task.findings import near, shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pydantic import ValidationInfo
    from pydantic_core import ErrorDetails

Protocol: TypeAlias = Literal["openai-chat", "openai-responses", "anthropic"]

FILE = "pyproject.toml"
PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
OPENAI = "https://api.openai.com/v1"
_URLS: Mapping[Protocol, str] = {
    "openai-chat": OPENAI,
    "openai-responses": OPENAI,
    "anthropic": "https://api.anthropic.com/v1",
}
_KEYS: Mapping[Protocol, str] = {
    "openai-chat": "OPENAI_API_KEY",
    "openai-responses": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
}
_HINTS: Mapping[str, str] = {
    "model": "its name, as its server calls it, without spaces",
    "protocol": f"one of {', '.join(PROTOCOLS)}",
    "key_env": 'the name of an environment variable, as in key_env = "OPENAI_API_KEY"; "" sends no key',
    "price": "dollars for a million tokens: price = { input = 2.50, output = 10.00 }",
    "input": "dollars for a million tokens, as in input = 2.50",
    "output": "dollars for a million tokens, as in output = 10.00",
    "timeout": "seconds for one call, as in timeout = 120",
}
_OURS = frozenset(
    {"model", "messages", "input", "instructions", "system", "response_format", "stream", "n", "store"}
    | {"max_tokens", "max_completion_tokens", "max_output_tokens", "tools", "tool_choice"}
)
_SECRETS = ("key", "api_key", "apikey", "token", "secret", "authorization")
_LOOPBACK = re.compile(r"localhost|127\.[0-9.]+|::1")

Word: TypeAlias = Annotated[str, StringConstraints(max_length=200, pattern=r"^[^\x00-\x20\x7f]+$")]
Whole: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=10**7)]
Dollars: TypeAlias = Annotated[Decimal, Field(ge=0, lt=10**6, max_digits=12, decimal_places=6)]


class Price(Frozen):
    """Dollars for a million tokens. `cached` input costs as much as other input unless it is given."""

    input: Dollars
    output: Dollars
    cached: Dollars | None = None

    @property
    def highest(self) -> Decimal:
        """What an input token can cost at most."""
        return max(self.input, self.cached or Decimal(0))


class JudgeConfig(Frozen):
    """One judge, as configured. A judge with a `panel` asks those judges, and has no model of its own.

    `timeout` is in seconds for one call, `page_tokens` how much of a page is sent, `share_pages` how many
    records of one page share a call, `per_minute` 0 is no limit. `options` are sent as they are.
    """

    name: str
    panel: tuple[Word, ...] = ()
    protocol: Protocol = "openai-chat"
    model: Annotated[Word | None, Field(validate_default=True)] = None
    key_env: Annotated[str, StringConstraints(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] | None = None
    base_url: str = ""
    price: Price | None = None
    votes: Whole = 1
    max_tokens: Whole = 4000
    page_tokens: Annotated[Whole, Field(ge=200)] = 12_000
    concurrency: Annotated[Whole, Field(le=256)] = 8
    per_minute: Annotated[int, Field(strict=True, ge=0, le=10**6)] = 0
    timeout: Annotated[float, Field(gt=0, le=3600)] = 120.0
    share_pages: Annotated[Whole, Field(le=8)] = 1
    confirm_names: Annotated[bool, Field(strict=True)] = False
    options: Annotated[dict[str, JsonValue], Field(default_factory=lambda: {"temperature": 0})]
    canaries: Annotated[bool, Field(strict=True)] = True

    @property
    def url(self) -> str:
        """Where the server is, without a slash at the end."""
        return (self.base_url or _URLS[self.protocol]).rstrip("/")

    @property
    def key_name(self) -> str:
        """The environment variable with the key; "" when none is sent."""
        return _KEYS[self.protocol] if self.key_env is None else self.key_env

    @property
    def identity(self) -> Mapping[str, JsonValue]:
        """All that can change what the model says, but the prompt; see `exchange.Model`."""
        parts = urlsplit(self.url)
        return {
            "protocol": self.protocol,
            "host": f"{parts.netloc}{parts.path}",
            "model": self.model,
            "options": self.options,
        }

    @property
    def moves(self) -> bool:
        """True when the model's name is an alias that may mean another model tomorrow."""
        return re.search(r"(^|[-:/@])latest$", self.model or "") is not None

    @field_validator("model")
    @classmethod
    def _model_or_panel(cls, model: str | None, info: ValidationInfo) -> str | None:
        if model is None and not info.data.get("panel"):
            raise _wrong("it is missing", 'name the model as its server does, as in model = "..."')
        if model is not None and info.data.get("panel"):
            raise _wrong("a judge with a panel has no model of its own", "leave it out, or make it a member")
        return model

    @field_validator(
        "protocol", "key_env", "base_url", "price", "concurrency", "per_minute", "timeout", "options"
    )
    @classmethod
    def _of_a_model(cls, value: Any, info: ValidationInfo) -> Any:
        if info.data.get("panel"):
            raise _wrong("a judge with a panel has none of its own", "set it in the tables of its judges")
        return value

    @field_validator("panel")
    @classmethod
    def _all_different(cls, panel: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(panel)) < len(panel):
            raise _wrong("it names a judge twice", "votes = 3 asks one judge three times")
        return panel

    @field_validator("votes")
    @classmethod
    def _odd(cls, votes: int) -> int:
        if votes % 2 == 0:
            raise _wrong(f"{votes} votes can be a tie", "take an odd number, as in votes = 3")
        return votes

    @field_validator("base_url")
    @classmethod
    def _safe_url(cls, url: str, info: ValidationInfo) -> str:
        if url:
            _check_url(url, keyed=info.data.get("key_env") != "")
        return url

    @field_validator("options", mode="before")
    @classmethod
    def _not_ours(cls, options: Any) -> Any:
        ours = sorted(_OURS.intersection(options)) if isinstance(options, dict) else []
        if ours:
            raise _wrong(f"{', '.join(ours)} cannot be set here", "leave it out: the judge sets it itself")
        return _plain(options)


def _check_url(url: str, *, keyed: bool) -> None:
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.port is None or parts.port > 0 else None
    except ValueError:
        parts, host = urlsplit(""), None
    if not host or parts.scheme not in ("http", "https"):
        raise _wrong("it is no address of a server", 'as in base_url = "http://localhost:8000/v1"')
    if parts.username is not None or parts.query or parts.fragment or not url.isascii():
        raise _wrong("it holds more than scheme, host, port and path", "keys come from the environment")
    if keyed and parts.scheme == "http" and not _LOOPBACK.fullmatch(host):
        raise _wrong("over http the key could be read on its way", 'use https, or key_env = "" for no key')


def _wrong(what: str, hint: str) -> PydanticCustomError:
    return PydanticCustomError("wandr", "{what}", {"what": what, "hint": hint})


def _plain(value: Any) -> Any:
    """The decimals of TOML as JSON has them, which knows no nan and no inf."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, Decimal) and not value.is_finite():
        raise _wrong(f"there is no number {value} in JSON", "leave it out")
    return float(value) if isinstance(value, Decimal) else value


def read(rootdir: Path, name: str) -> JudgeConfig:
    """The judge of that name: `llm`, `llm:NAME` or `PROTOCOL:MODEL`.

    Raises:
        JudgeError: with every mistake at once, each with file, key and a hint.
    """
    kind, _, rest = name.partition(":")
    if kind in PROTOCOLS:
        return _checked(name, {"protocol": kind, "model": rest}, file="--wandr-judge", path=())
    tables = _tables(rootdir / FILE)
    path: tuple[str, ...] = ("tool", "wandr", "judges", rest) if rest else ("tool", "wandr", "judge")
    table: Any = tables
    for key in path:
        table = table.get(key) if isinstance(table, dict) else None
    if not isinstance(table, dict):
        raise JudgeError(_absent(name, rest, tables))
    return _checked(name, table, file=FILE, path=path)


def members(rootdir: Path, config: JudgeConfig) -> tuple[JudgeConfig, ...]:
    """The judges that are asked: those of the panel in their order, or the one.

    Raises:
        JudgeError: one of them cannot be used.
    """
    if not config.panel:
        return (config,)
    found = tuple(read(rootdir, each if ":" in each else f"llm:{each}") for each in config.panel)
    nested = [each.name for each in found if each.panel]
    if nested:
        raise JudgeError(
            f"{FILE}: the panel of {config.name!r} names {', '.join(nested)}, a panel itself; name judges"
        )
    return found


def _tables(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise JudgeError(f"{path.name} cannot be read: {error}") from None


def _absent(name: str, rest: str, tables: dict[str, Any]) -> str:
    table = f"tool.wandr.judges.{rest}" if rest else "tool.wandr.judge"
    named = tables.get("tool", {}).get("wandr", {}).get("judges", {})
    known = near(rest, sorted(named)) if rest and isinstance(named, dict) else ""
    return (
        f"the judge {name!r} is not configured: {FILE} has no table [{table}]. It takes three lines: "
        f'[{table}], protocol = "openai-chat" (or one of {", ".join(PROTOCOLS[1:])}), model = "..."'
        + (f"\n    hint: {known}" if known else "")
    )


def _checked(name: str, table: Mapping[str, Any], *, file: str, path: tuple[str, ...]) -> JudgeConfig:
    try:
        if "name" in table:
            raise JudgeError(f"{file}: {shown((*path, 'name'))}: a judge is named by its table; leave it out")
        return JudgeConfig.model_validate({**table, "name": name})
    except ValidationError as error:
        problems = [_problem(file, path, each) for each in error.errors(include_input=False)]
    what = f"{len(problems)} mistake{'s' if len(problems) > 1 else ''}"
    raise JudgeError("\n".join([f"the judge {name!r} cannot be used: {what}", *map(str, problems)]))


def _problem(file: str, path: tuple[str, ...], error: ErrorDetails) -> Problem:
    at = tuple(part for part in error["loc"] if not str(part).startswith(("constrained-", "function-")))
    hint = str(error.get("ctx", {}).get("hint", ""))
    key = str(at[-1]) if at else ""
    if error["type"] == "extra_forbidden":
        return Problem(file, 0, shown((*path, *at)), "there is no such key", _hint_for(key, at))
    return Problem(file, 0, shown((*path, *at)), _said(error["msg"]), hint or _HINTS.get(key, ""))


def _hint_for(key: str, at: tuple[int | str, ...]) -> str:
    if key.casefold().replace("-", "_") in _SECRETS:
        return "a key never stands in a file; key_env names the environment variable that holds it"
    fields = Price.model_fields if at[0] == "price" else JudgeConfig.model_fields
    return near(key, [name for name in fields if name != "name"])


def _said(message: str) -> str:
    """Without a capital letter or the name of a class; pydantic's words do the rest."""
    return message[:1].lower() + message[1:].partition(" or instance of ")[0]
