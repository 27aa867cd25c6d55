"""Turns: at most so many calls at once and per minute, over all processes."""

import asyncio
import json
import signal
import subprocess
import sys

import pytest

from pytest_wandr.errors import CannotWrite
from pytest_wandr.judges.llm.turns import Turns
from tests.judges.loopback import Time


def turns_in(folder, time=None, endpoint="http://a", **limits):
    more = {} if time is None else {"clock": time.clock, "sleep": time.sleep}
    return Turns(folder, endpoint, **{"concurrency": 2, **limits}, **more)


async def take(turns, time, starts):
    async with turns.turn():
        starts.append(time.now)


async def test_so_many_at_once_and_no_more(tmp_path):
    running, most = 0, 0

    async def work(turns):
        nonlocal running, most
        async with turns.turn():
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.01)
            running -= 1

    sharing = [turns_in(tmp_path, concurrency=3) for _ in range(2)]
    await asyncio.gather(*(work(sharing[number % 2]) for number in range(12)))
    assert most == 3


async def test_other_endpoints_have_other_turns(tmp_path):
    async with (
        turns_in(tmp_path, concurrency=1).turn(),
        turns_in(tmp_path, endpoint="http://b", concurrency=1).turn(),
    ):
        pass


@pytest.mark.parametrize("per_minute", [1, 3, 10])
async def test_so_many_start_in_any_minute(tmp_path, per_minute):
    time, starts = Time(), []
    sharing = [turns_in(tmp_path, time, per_minute=per_minute) for _ in range(2)]
    for number in range(3 * per_minute + 1):
        await take(sharing[number % 2], time, starts)
        time.now += 0.5
    for number, start in enumerate(starts[per_minute:], per_minute):
        assert start - starts[number - per_minute] >= 60
    assert starts[:per_minute] == [1000.0 + 0.5 * number for number in range(per_minute)]
    assert starts[-1] <= 1000 + 3 * 60 + 0.5 * per_minute  # nor does anybody wait longer than that


async def test_without_a_rate_nobody_waits(tmp_path):
    time, starts = Time(), []
    for _ in range(20):
        await take(turns_in(tmp_path, time), time, starts)
    assert time.slept == []


async def test_a_pause_holds_everybody(tmp_path):
    time, starts = Time(), []
    turns_in(tmp_path, time).pause(20)
    turns_in(tmp_path, time).pause(5)  # a shorter one takes nothing back
    await take(turns_in(tmp_path, time), time, starts)
    assert starts == [1020.0]


async def test_a_pause_is_a_minute_at_most(tmp_path):
    time, starts = Time(), []
    turns_in(tmp_path, time).pause(86_400)
    await take(turns_in(tmp_path, time), time, starts)
    assert starts == [1060.0]


async def test_what_was_left_before_the_machine_was_restarted_holds_nobody(tmp_path):
    time, starts = Time(), []
    before = turns_in(tmp_path, time, per_minute=1)
    time.now = 5_000_000.0
    await take(before, time, [])
    before.pause(60)
    time.now = 3.0
    await take(turns_in(tmp_path, time, per_minute=1), time, starts)
    assert starts == [3.0]


def test_a_new_event_loop_has_turns_too(tmp_path):
    turns, time, starts = turns_in(tmp_path, concurrency=1), Time(), []

    async def crowd():
        await asyncio.gather(*(take(turns, time, starts) for _ in range(4)))

    asyncio.run(crowd())
    asyncio.run(crowd())
    assert len(starts) == 8


async def test_a_turn_ends_with_what_it_was_for(tmp_path):
    turns = turns_in(tmp_path, concurrency=1)
    with pytest.raises(ZeroDivisionError):
        async with turns.turn():
            _ = 1 / 0
    waiting = asyncio.ensure_future(take(turns, Time(), []))
    async with turns.turn():
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    async with turns.turn():
        pass


async def test_a_folder_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "run").write_text("in the way")
    with pytest.raises(CannotWrite):
        await take(turns_in(tmp_path / "run"), Time(), [])


HOLDER = """
import asyncio, json, os, sys, time
from pathlib import Path
from pytest_wandr.judges.llm.turns import Turns
folder, concurrency, count, hold = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
turns = Turns(folder, "http://a", concurrency=concurrency)
log = os.open(folder / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
def say(what):
    os.write(log, (json.dumps([time.monotonic(), what]) + "\\n").encode())
async def one():
    async with turns.turn():
        say(1)
        if hold > 5: print("held", flush=True)
        await asyncio.sleep(hold)
        say(-1)
async def main():
    await asyncio.gather(*(one() for _ in range(count)))
asyncio.run(main())
"""


def holder(folder, concurrency, count, hold):
    command = [sys.executable, "-c", HOLDER, *map(str, (folder, concurrency, count, hold))]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_three_processes_share_the_turns(tmp_path):
    working = [holder(tmp_path, 4, 10, 0.01) for _ in range(3)]
    assert [each.wait() for each in working] == [0, 0, 0]
    for each in working:
        each.stdout.close()
    running, most = 0, 0
    events = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    for _, step in sorted(events, key=lambda event: (event[0], event[1])):
        running += step
        most = max(most, running)
    assert (len(events), running) == (60, 0)
    assert 1 <= most <= 4


async def test_a_killed_holder_frees_its_turn(tmp_path):
    killed = holder(tmp_path, 1, 1, 600)
    assert killed.stdout.readline() == "held\n"
    waiting = asyncio.ensure_future(take(turns_in(tmp_path, concurrency=1), Time(), []))
    await asyncio.sleep(0.2)
    assert not waiting.done()
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    killed.stdout.close()
    await asyncio.wait_for(waiting, 20)


RATED = """
import asyncio, sys
from pathlib import Path
from pytest_wandr.judges.llm.turns import Turns
class Enough(Exception): pass
async def stop(seconds):
    raise Enough
async def main():
    turns = Turns(Path(sys.argv[1]), "http://a", concurrency=8, per_minute=20, sleep=stop)
    made = 0
    try:
        while True:
            async with turns.turn():
                made += 1
    except Enough:
        print(made)
asyncio.run(main())
"""


def test_three_processes_share_the_rate(tmp_path):
    command = [sys.executable, "-c", RATED, str(tmp_path)]
    working = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert sum(int(each.communicate()[0]) for each in working) == 20
