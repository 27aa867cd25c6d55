"""How does a Python function or object become a system?"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from pytest_wandr.errors import SystemFailed, WandrError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_wandr.model import TaskSpec
    from pytest_wandr.systems import Delivered, SolveContext, System


def load(name: str, rootdir: Path) -> System:
    """The system at `module:attr` or `path.py:attr` (a path is relative to the root folder).

    Raises:
        WandrError: the module cannot be imported, or has no such attribute.
    """
    where, _, attr = name.rpartition(":")
    module = _from_file(rootdir / where) if where.endswith(".py") else _from_module(where)
    found = module
    for part in attr.split("."):
        if not hasattr(found, part):
            raise WandrError(f"system {name!r}: {where} has no attribute {part!r}")
        found = getattr(found, part)
    return as_system(found, name)


def as_system(thing: Any, name: str) -> System:
    """Accept an object with `solve`, a class of such objects, or a function.

    Raises:
        WandrError: it is none of these.
    """
    if inspect.isclass(thing):
        thing = _instance(thing, name)
    if hasattr(thing, "solve"):
        return _Callable(thing.solve, name)
    if callable(thing):
        return _Callable(thing, name)
    raise WandrError(
        f"system {name!r} is {type(thing).__name__}, but a function or an object with solve() is needed"
    )


def _instance(system: type, name: str) -> Any:
    try:
        return system()
    except Exception as error:  # foreign code may raise anything; the cause is chained and shown
        raise WandrError(
            f"system {name!r}: {system.__name__}() raised {type(error).__name__}: {error}. A class is called "
            "without arguments; name a function, or an object that is ready"
        ) from error


@dataclass(frozen=True)
class _Callable:
    function: Callable[..., Any]
    name: str

    async def solve(self, task: TaskSpec, ctx: SolveContext) -> Delivered:
        arguments = (task, ctx)[: _arity(self.function)]
        try:
            return cast("Delivered", await self._call(arguments))
        except SystemExit as error:  # a command line inside an agent must not end the run
            raise SystemFailed(
                f"system {self.name!r} called sys.exit({error.code!r}) on {task.id}; "
                "let it return its records instead"
            ) from error
        except asyncio.CancelledError as error:
            current = asyncio.current_task()
            if current is None or current.cancelling():  # the deadline, or the end of the run
                raise
            raise SystemFailed(f"system {self.name!r} cancelled itself on {task.id}") from error

    async def _call(self, arguments: tuple[Any, ...]) -> Any:
        if inspect.iscoroutinefunction(self.function):
            return await self.function(*arguments)
        if inspect.isasyncgenfunction(self.function):
            return [record async for record in self.function(*arguments)]
        result = await _in_thread(self.function, arguments)
        return await result if inspect.isawaitable(result) else result  # a wrapper of an async function


def _arity(function: Callable[..., Any]) -> int:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        return 2
    return min(2, sum(p.kind in kinds for p in parameters))


async def _in_thread(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run a sync function in a daemon thread of its own.

    asyncio.to_thread would make the loop wait for an overdue call at its end; a daemon thread is left behind.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def settle(setter: Callable[[Any], None], value: Any) -> None:
        if not done.done():
            setter(value)

    def work() -> None:
        try:
            value = function(*arguments)
            if inspect.isgenerator(value):
                value = list(value)
        except StopIteration as error:  # no future takes one, and nobody would ever be woken
            lost = RuntimeError("it raised StopIteration: next() found nothing")
            lost.__cause__ = error
            _call_soon(loop, settle, done.set_exception, lost)
        except BaseException as error:  # noqa: BLE001 -- carried to the awaiting side, whatever it is
            _call_soon(loop, settle, done.set_exception, error)
        else:
            _call_soon(loop, settle, done.set_result, value)

    threading.Thread(target=work, daemon=True, name="wandr-system").start()
    return await done


def _call_soon(loop: asyncio.AbstractEventLoop, *call: Any) -> None:
    """Hand a result over, unless the run ended (at its deadline) before the thread did."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(*call)


def _from_module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise WandrError(
            f"system module {name!r} cannot be imported: {error}. If it is in a src/ folder, set pytest's "
            f"`pythonpath`, or name the file: path/to/{name.rpartition('.')[2]}.py:attr"
        ) from error


def _from_file(path: Path) -> Any:
    if not path.is_file():
        raise WandrError(f"system file {path} does not exist")
    name = f"wandr_system_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise WandrError(f"system file {path} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
