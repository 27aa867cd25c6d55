"""empty, oracle and oracle-noisy: known systems with known results."""

import json

import pytest

from pytest_wandr.errors import WandrError
from pytest_wandr.model import KeySpec, NodeSpec, TaskSpec
from pytest_wandr.solve import solve
from pytest_wandr.systems import resolve
from pytest_wandr.systems.builtin import NoisyOracle, make
from pytest_wandr.systems.directory import Directory

GOOD = 40


@pytest.fixture
def task():
    keys = (
        KeySpec(name="company", kind="company", required=GOOD),
        KeySpec(name="url", kind="url", required=1),
    )
    return TaskSpec(id="rail", instruction="Find.", nodes=(NodeSpec(name="rail", keys=keys),))


@pytest.fixture
def ctx(ctx):
    ctx.folder.mkdir()
    lines = [fixture(n, full=True) for n in range(GOOD)] + [fixture(n, full=False) for n in range(GOOD, 50)]
    (ctx.folder / "fixtures.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return ctx


def fixture(n, *, full):
    return {
        "node": "rail",
        "item": {"company": f"Company {n}"},
        "url": f"https://rail.example/{n}",
        "excerpts": [f"Company {n} opened depot 1{n}."],
        "answer": {},
        "full": full,
        "retrieval": full,
        "fault": "" if full else "stale",
        "why": "invented",
    }


async def deliver(name, task, ctx, tmp_path):
    system = resolve(name, rootdir=tmp_path)
    return await solve(task, system, ctx, name=name, keep=tmp_path / "keep")


async def test_empty_delivers_nothing(task, ctx, tmp_path):
    assert (await deliver("empty", task, ctx, tmp_path)).records == ()


async def test_oracle_delivers_exactly_the_good_fixtures(task, ctx, tmp_path):
    submission = await deliver("oracle", task, ctx, tmp_path)
    assert [r.item["company"] for r in submission.records] == [f"Company {n}" for n in range(GOOD)]
    assert submission.rejected == ()


async def test_oracle_noisy_without_any_noise_is_the_oracle(task, ctx, tmp_path):
    quiet = await deliver("oracle-noisy:drop=0,digit=0,swap=0,silent=0,junk=0,bad=0", task, ctx, tmp_path)
    assert quiet.records == (await deliver("oracle", task, ctx, tmp_path)).records


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        ("drop", lambda s: len(s.records) == 0),
        ("digit", lambda s: all(r.excerpts[0][-3:-1] != r.item["company"][-1:] for r in s.records)),
        ("silent", lambda s: len(s.rejected) == GOOD),
        ("junk", lambda s: len(s.records) == GOOD and len(s.rejected) == GOOD),
        ("swap", lambda s: all(r.item["company"] + " " not in r.excerpts[0] for r in s.records)),
        ("bad", lambda s: len(s.records) == GOOD + 10),
    ],
)
async def test_each_fault_at_a_hundred_per_cent_hits_everything(kind, check, task, ctx, tmp_path):
    noise = dict.fromkeys(["drop", "digit", "swap", "silent", "junk", "bad"], 0) | {kind: 100}
    options = ",".join(f"{name}={share}" for name, share in noise.items())
    assert check(await deliver(f"oracle-noisy:{options}", task, ctx, tmp_path))


async def test_the_seed_alone_picks_the_victims(task, ctx, tmp_path):
    first = await deliver("oracle-noisy:seed=5", task, ctx, tmp_path)
    assert await deliver("oracle-noisy:seed=5", task, ctx, tmp_path) == first
    assert (await deliver("oracle-noisy:seed=6", task, ctx, tmp_path)).records != first.records


async def test_a_share_is_met_about(task, ctx, tmp_path):
    dropped = [
        GOOD
        - len((await deliver(f"oracle-noisy:seed={s},drop=25,bad=0,silent=0", task, ctx, tmp_path)).records)
        for s in range(10)
    ]
    assert 60 <= sum(dropped) <= 140  # 100 expected of 400


@pytest.mark.parametrize("options", ["drop", "drop=x", "drop=101", "drops=1", "drop=-1"])
def test_noise_that_is_not_understood_is_refused_with_the_known_names(options):
    with pytest.raises(WandrError, match="use seed, drop, digit, swap, silent, junk, bad as name=number"):
        make("oracle-noisy", options)


def test_default_noise_has_every_fault():
    noise = make("oracle-noisy", "")
    assert isinstance(noise, NoisyOracle)
    assert all(vars(noise.noise).values())


class TestDirectory:
    async def test_finished_results_are_read(self, task, ctx, tmp_path):
        (tmp_path / "done" / "rail").mkdir(parents=True)
        line = {"item": {"company": "A"}, "url": "https://rail.example/", "excerpts": ["x"], "answer": {}}
        (tmp_path / "done" / "rail" / "results_rail.jsonl").write_text(json.dumps(line))
        assert len((await deliver("dir:done", task, ctx, tmp_path)).records) == 1

    async def test_an_earlier_runs_output_folder_works_even_when_it_is_this_runs(self, task, ctx, tmp_path):
        first = await solve(
            task, make("oracle", ""), ctx, name="x", keep=tmp_path / "out" / "rail" / "submission"
        )
        again = await solve(
            task, Directory(tmp_path / "out"), ctx, name="x", keep=tmp_path / "out" / "rail" / "submission"
        )
        assert again.records == first.records

    async def test_a_task_without_a_folder_delivers_nothing(self, task, ctx, tmp_path):
        (tmp_path / "done").mkdir()
        assert (await deliver("dir:done", task, ctx, tmp_path)).records == ()

    async def test_a_missing_folder_is_an_error(self, task, ctx, tmp_path):
        with pytest.raises(
            WandrError, match="is not a folder; it should hold <task id>/results_<node>.jsonl"
        ):
            await deliver("dir:nowhere", task, ctx, tmp_path)
