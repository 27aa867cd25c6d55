"""A judge's server for tests: on loopback, three protocols, honest by the checks of the tasks it knows."""

from __future__ import annotations

import json
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pytest_wandr.model import TaskSpec
from pytest_wandr.testing.modes import WIRES, Mind, failure, respond
from pytest_wandr.testing.server import Listener
from pytest_wandr.testing.wires import BadRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import TracebackType

    from pytest_wandr.testing.modes import Mode, Sent
    from pytest_wandr.testing.wires import Asked, Json

Protocol: TypeAlias = Literal["openai-chat", "openai-responses", "anthropic"]


@dataclass(frozen=True)
class Call:
    """One request that arrived. `document` is None when the user message is not one JSON document."""

    number: int
    protocol: Protocol
    model: str
    system: str
    users: tuple[str, ...]
    document: Mapping[str, Any] | None
    body: Mapping[str, Any]

    @property
    def about(self) -> tuple[str, ...]:
        """The records that were asked about: task, node, item and page, as one text each."""
        document = self.document or {}
        page, task = document.get("page", {}), document.get("task", {})
        return tuple(
            json.dumps([task.get("id"), each["node"], each["item"], page.get("url")], sort_keys=True)
            for each in document.get("records", ())
        )


class StandIn:
    """A judge's server on loopback, for as long as the `with` block lasts.

    `tasks` are specs, or folders of task packages, with the checks that it decides by. The `mode` may be
    changed at any time. `key`: answer 401 to all others, quoting them. `rejects`: parameters that are
    answered with 400. `replies` answers documents by a key of theirs, "pairs" say. What the other arguments
    mean depends on the mode: see docs/reference/testing.md.
    """

    def __init__(  # noqa: PLR0913 -- each belongs to one of its modes
        self,
        tasks: Iterable[TaskSpec | Path | str] = (),
        *,
        mode: Mode = "honest",
        key: str = "",
        rejects: Iterable[str] = (),
        replies: Mapping[str, Callable[[Json], Json]] | None = None,
        seed: int = 0,
        rate: float = 0.1,
        kind: str = "",
        delay: float = 0.0,
        retry_after: str | None = "0",
        times: int | None = None,
    ) -> None:
        self.mode: Mode = mode
        self.calls: list[Call] = []
        self._key = key
        self._rejects = frozenset(rejects)
        self._lock = threading.Lock()
        self._listener: Listener | None = None
        self.mind = Mind(
            tasks={spec.id: spec for spec in map(_spec, tasks)},
            seed=seed,
            rate=rate,
            kind=kind,
            delay=delay,
            retry_after=retry_after,
            times=times,
            replies=replies or {},
        )

    def __enter__(self) -> StandIn:
        self._listener = Listener(self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    def __repr__(self) -> str:
        return f"StandIn({self.mode!r}, calls={len(self.calls)})"

    @property
    def count(self) -> int:
        """How many calls have arrived."""
        return len(self.calls)

    @property
    def about(self) -> Counter[str]:
        """How often each record was asked about: see `Call.about`."""
        return Counter(text for call in list(self.calls) for text in call.about)

    @property
    def url(self) -> str:
        """The `base_url`, whatever the protocol.

        Raises:
            RuntimeError: the stand-in is not running.
        """
        if self._listener is None:
            raise RuntimeError("the stand-in only listens within its `with` block")
        return f"http://127.0.0.1:{self._listener.port}/v1"

    def config(
        self, protocol: Protocol = "openai-chat", *, table: str = "tool.wandr.judge", **more: object
    ) -> str:
        """A table for pyproject.toml that sends a judge here: without a key, at a price of 1 and 2 dollars.

        `more` adds to its values or replaces them; lists and tables are written as well.
        """
        values: dict[str, object] = {
            "protocol": protocol,
            "model": "stand-in-1",
            "base_url": self.url,
            "key_env": "",
            "price": {"input": 1, "output": 2},
            **more,
        }
        lines = [f"{name} = {_toml(value)}" for name, value in values.items()]
        return "\n".join([f"[{table}]", *lines, ""])

    def forget(self) -> None:
        """Count calls from 0 again."""
        self.calls.clear()

    def _handle(self, path: str, headers: Mapping[str, str], body: bytes) -> Sent:
        protocol = _protocol(path)
        if protocol is None:
            return failure("openai-chat", 404, "invalid_request_error", f"nothing is at {path}")
        given = _given_key(protocol, headers)
        if self._key and given != self._key:
            return failure(protocol, 401, "invalid_request_error", f"Incorrect API key provided: {given}.")
        try:
            request = _parsed(body)
            asked = WIRES[protocol].read(request)
            self._refuse(request)
        except BadRequest as error:
            return failure(protocol, 400, "invalid_request_error", str(error), error.param)
        with self._lock:
            self.calls.append(_call(len(self.calls) + 1, protocol, asked, request))
            return respond(self.mode, asked, self.mind)

    def _refuse(self, request: Json) -> None:
        for name in sorted(self._rejects & request.keys()):
            raise BadRequest(f"Unsupported parameter: '{name}' is not supported with this model.", name)


def _spec(task: TaskSpec | Path | str) -> TaskSpec:
    if isinstance(task, TaskSpec):
        return task
    from pytest_wandr.task import load_task

    return load_task(Path(task))


def _protocol(path: str) -> Protocol | None:
    for protocol, wire in WIRES.items():
        if path.endswith(wire.PATH):
            return protocol  # type: ignore[return-value]
    return None


def _given_key(protocol: Protocol, headers: Mapping[str, str]) -> str:
    if protocol == "anthropic":
        return headers.get("x-api-key", "")
    return headers.get("authorization", "").removeprefix("Bearer ")


def _parsed(body: bytes) -> Json:
    try:
        read = json.loads(body)
    except ValueError:
        raise BadRequest("We could not parse the JSON body of your request.") from None
    if not isinstance(read, dict):
        raise BadRequest("The body of a request is an object.")
    return read


def _call(number: int, protocol: Protocol, asked: Asked, body: Json) -> Call:
    return Call(number, protocol, asked.model, asked.system, asked.users, asked.document, body)


def _toml(value: object) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{name} = {_toml(each)}" for name, each in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value)
