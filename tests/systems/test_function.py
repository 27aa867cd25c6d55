"""Functions, objects and classes, sync and async, become systems."""

import asyncio
import threading

import pytest

from pytest_wandr.errors import SystemFailed, WandrError
from pytest_wandr.solve import solve
from pytest_wandr.systems import known_names, resolve
from pytest_wandr.systems.function import as_system


class Agent:
    def solve(self, task):
        return f"object {task.id}"


class AsyncAgent:
    async def solve(self, task, ctx):
        return f"async object {task.id} {ctx.effort}"


async def coroutine(task, ctx):
    return "coroutine"


async def stream(task):
    for name in ("a", "b"):
        yield {"item": {"company": name}}


def generator(task):
    yield {"item": {"company": "c"}}


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (Agent, "object rail"),
        (Agent(), "object rail"),
        (AsyncAgent(), "async object rail None"),
        (coroutine, "coroutine"),
        (lambda task: "sync", "sync"),
        (lambda task, ctx: "sync with ctx", "sync with ctx"),
        (lambda *args: f"{len(args)} arguments", "2 arguments"),
        (stream, [{"item": {"company": "a"}}, {"item": {"company": "b"}}]),
        (generator, [{"item": {"company": "c"}}]),
    ],
)
async def test_accepted_shapes(thing, expected, task, ctx):
    assert await as_system(thing, "mine").solve(task, ctx) == expected


def test_other_things_are_refused():
    with pytest.raises(WandrError, match="'mine' is int, but a function or an object with solve"):
        as_system(3, "mine")


def wrapped(task, ctx):
    return coroutine(task, ctx)


class Arguments:
    def __init__(self, needed):
        pass


async def test_a_sync_wrapper_of_an_async_function_is_awaited(task, ctx):
    assert await as_system(wrapped, "mine").solve(task, ctx) == "coroutine"


def test_a_class_that_needs_arguments_is_refused_with_what_would_do():
    with pytest.raises(WandrError, match=r"Arguments\(\) raised TypeError.*called without arguments"):
        as_system(Arguments, "mine")


def leave(task):
    raise SystemExit(2)


async def leave_async(task):
    raise SystemExit(2)


def cancel(task):
    raise asyncio.CancelledError


async def cancel_async(task):
    raise asyncio.CancelledError


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (leave, r"'mine' called sys.exit\(2\) on rail"),
        (leave_async, r"'mine' called sys.exit\(2\) on rail"),
        (cancel, "'mine' cancelled itself on rail"),
        (cancel_async, "'mine' cancelled itself on rail"),
        (lambda task: next(iter(())), r"'mine' raised RuntimeError on rail: it raised StopIteration"),
    ],
)
async def test_what_would_end_or_hang_the_run_fails_the_task_alone(function, message, task, ctx, tmp_path):
    with pytest.raises(SystemFailed, match=message):
        await solve(task, as_system(function, "mine"), ctx, name="mine", keep=tmp_path / "keep")


async def test_a_sync_function_that_overruns_is_left_behind_at_the_deadline(task, ctx, tmp_path):
    release = threading.Event()
    limited = type(ctx)(outdir=ctx.outdir, corpus=ctx.corpus, folder=ctx.folder, deadline=0.05)
    with pytest.raises(SystemFailed, match=r"stopped at the deadline of 0.05 s on rail"):
        await solve(
            task, as_system(lambda task: release.wait(30), "m"), limited, name="m", keep=tmp_path / "keep"
        )
    release.set()


async def test_results_on_disk_at_the_deadline_are_scored_and_the_stop_is_noted(task, ctx, tmp_path):
    async def slow(task, ctx):
        (ctx.outdir / "results_rail.jsonl").write_text('{"item": {"company": "A"}}\n')
        await asyncio.sleep(30)

    limited = type(ctx)(outdir=ctx.outdir, corpus=ctx.corpus, folder=ctx.folder, deadline=0.2)
    submission = await solve(task, as_system(slow, "slow"), limited, name="slow", keep=tmp_path / "keep")
    assert len(submission.rejected) == 1
    assert submission.notes["system"] == ("stopped at the deadline of 0.2 s",)


class TestNames:
    def test_a_file_of_the_root_folder(self, tmp_path):
        (tmp_path / "agent.py").write_text(
            "class Deep:\n    class In:\n        def solve(self, task): return 'x'\n"
        )
        assert resolve("agent.py:Deep.In", rootdir=tmp_path).name == "agent.py:Deep.In"

    def test_a_module(self, tmp_path):
        assert resolve("json:dumps", rootdir=tmp_path).name == "json:dumps"

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("nobody", "no system is called 'nobody'. Known: empty, oracle, oracle-noisy"),
            ("no_such_module_here:solve", "cannot be imported: .*pythonpath"),
            ("json:nothing", "json has no attribute 'nothing'"),
            ("missing.py:solve", "missing.py does not exist"),
            ("empty:x=1", "'empty' takes no options"),
            ("oracle-nosy:seed=7", "no system is called 'oracle-nosy:seed=7'. Known: empty"),
            ("http://agent.example/", "no system is called 'http://agent.example/'. Known: empty"),
        ],
    )
    def test_a_name_that_leads_nowhere_says_what_would(self, name, message, tmp_path):
        with pytest.raises(WandrError, match=message):
            resolve(name, rootdir=tmp_path)

    def test_known_names_resolve(self, tmp_path):
        for name in known_names():
            assert hasattr(resolve(name, rootdir=tmp_path), "solve")
