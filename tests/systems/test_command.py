"""Programs as systems: placeholders, environment, exit status, and nothing left running."""

import asyncio
import os
import sys
import time
from pathlib import Path

import pytest

from pytest_wandr.errors import SubmissionError, SystemFailed
from pytest_wandr.model import Usage
from pytest_wandr.solve import solve
from pytest_wandr.systems.command import Command

LINE = '{"item": {"company": "A"}, "url": "https://rail.example/board", "excerpts": ["Board"], "answer": {}}'


def script(tmp_path, text):
    path = tmp_path / "agent.py"
    path.write_text(text)
    return f"{sys.executable} {path}"


async def run(line, task, ctx, tmp_path, deadline=None):
    ctx = type(ctx)(outdir=ctx.outdir, corpus=ctx.corpus, folder=ctx.folder, deadline=deadline, effort="low")
    keep = tmp_path / "out" / "submission"
    return await solve(task, Command(line, tmp_path), ctx, name="cmd", keep=keep)


async def test_a_bash_agent_writes_results_files(task, ctx, tmp_path):
    line = f"""bash -c 'echo "$0" > "$WANDR_OUTDIR/results_rail.jsonl"' '{LINE}'"""
    submission = await run(line, task, ctx, tmp_path)
    assert [record.item for record in submission.records] == [{"company": "A"}]


async def test_placeholders_environment_and_standard_input_say_the_same(task, ctx, tmp_path):
    line = script(
        tmp_path,
        "import os, sys, json\n"
        "a = sys.argv[1:]\n"
        "assert a[0] == os.environ['WANDR_INSTRUCTION'] == sys.stdin.read() == 'Find rail companies.'\n"
        "assert open(a[1]).read() == a[0]\n"
        "task = json.load(open(a[2])); assert task['id'] == a[3] == os.environ['WANDR_TASK_ID'] == 'rail'\n"
        "assert [n['file'] for n in task['nodes']] == ['results_rail.jsonl', 'results_rail.listing.jsonl']\n"
        "assert a[4] == os.environ['WANDR_EFFORT'] == 'low'\n"
        f"open(os.path.join(a[5], 'results_rail.jsonl'), 'w').write('''{LINE}''')\n",
    )
    words = "{instruction} {instruction_file} {task_json} {task_id} {effort} {outdir}"
    assert len((await run(f"{line} {words}", task, ctx, tmp_path)).records) == 1


async def test_recorded_pages_come_as_one_passage_a_line(task, ctx, tmp_path):
    line = script(tmp_path, "import os, sys; sys.stdout.write(open(os.environ['WANDR_PAGES']).read())")
    await run(line, task, ctx, tmp_path)
    lines = (tmp_path / "out" / "submission" / "answer.txt").read_text().splitlines()
    assert "https://rail.example/news\tTamarind Rail opened a depot." in lines
    assert all(line.count("\t") == 1 for line in lines)


async def test_standard_output_is_the_answer_when_there_are_no_files(task, ctx, tmp_path):
    submission = await run(f"printf 'results_rail\\n%s\\n' '{LINE}'", task, ctx, tmp_path)
    assert len(submission.records) == 1


async def test_a_bad_exit_without_results_is_a_failure_with_its_last_words(task, ctx, tmp_path):
    with pytest.raises(SystemFailed, match="exit status 3 and no results; it said: out of coffee"):
        await run("bash -c 'echo out of coffee >&2; exit 3'", task, ctx, tmp_path)


async def test_a_bad_exit_with_results_is_scored_and_noted(task, ctx, tmp_path):
    line = f"""bash -c 'echo "$0" > "$WANDR_OUTDIR/results_rail.jsonl"; exit 3' '{LINE}'"""
    submission = await run(line, task, ctx, tmp_path)
    assert len(submission.records) == 1
    assert submission.notes["system"] == ("exit status 3",)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("/no/such/program", "cannot be started"),
        ("", "names no program"),
        ("bash -c 'x", "split into words: No closing"),
    ],
)
async def test_a_command_that_cannot_start_is_named(line, message, task, ctx, tmp_path):
    with pytest.raises(SystemFailed, match=message):
        await run(line, task, ctx, tmp_path)


async def test_usage_is_read_from_its_file(task, ctx, tmp_path):
    line = """bash -c 'echo "{\\"cost_usd\\": 0.5, \\"requests\\": 7}" > "$WANDR_OUTDIR/usage.json"'"""
    assert (await run(line, task, ctx, tmp_path)).usage == Usage(cost_usd=0.5, requests=7)


async def test_a_usage_file_that_is_none_is_an_error_that_lists_the_fields(task, ctx, tmp_path):
    line = """bash -c 'echo "{\\"dollars\\": 1}" > "$WANDR_OUTDIR/usage.json"'"""
    with pytest.raises(SubmissionError, match=r"usage.json is not a usage report \(fields: cost_usd"):
        await run(line, task, ctx, tmp_path)


async def test_the_whole_process_group_ends_at_the_deadline(task, ctx, tmp_path):
    pids = tmp_path / "pids"
    line = script(
        tmp_path,
        "import os, subprocess, time\n"
        "child = subprocess.Popen(['sleep', '60'])\n"
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')\n"
        "time.sleep(60)\n",
    )
    with pytest.raises(SystemFailed, match="stopped at the deadline of 1.5 s"):
        await run(line, task, ctx, tmp_path, deadline=1.5)
    for pid in map(int, pids.read_text().split()):
        await gone(pid)


async def test_a_child_left_behind_by_an_ended_leader_is_ended_too(task, ctx, tmp_path):
    pids = tmp_path / "pids"
    line = f"bash -c 'sleep 60 >/dev/null 2>&1 & echo $! > {pids}'"
    await run(line, task, ctx, tmp_path)
    await gone(int(pids.read_text()))


async def gone(pid):
    """Wait until the process is no more (or only a zombie that init has yet to reap)."""
    for _ in range(200):
        stat = Path(f"/proc/{pid}/stat")
        if not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"process {pid} is still there {os.getpid()} {time.process_time()}")
