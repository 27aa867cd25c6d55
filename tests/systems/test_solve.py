"""What a system delivers is saved as it is, then read from one channel per node."""

import datetime as dt
import json
import shutil

import pytest

from pytest_wandr.errors import SystemFailed, WandrError
from pytest_wandr.model import Record, Usage
from pytest_wandr.solve import read_submission, solve
from pytest_wandr.systems import Answer
from pytest_wandr.systems.function import as_system

ROW = {
    "item": {"company": "Tamarind Rail"},
    "url": "https://rail.example/board",
    "excerpts": ["x y z"],
    "answer": {},
}
LINE = json.dumps(ROW) + "\n"


async def run(function, task, ctx, tmp_path):
    keep = tmp_path / "out" / "submission"
    return await solve(task, as_system(function, "mine"), ctx, name="mine", keep=keep), keep


@pytest.mark.parametrize(
    "delivered",
    [
        LINE,
        {"rail": [ROW], "rail.listing": []},
        {"rail": LINE},
        [ROW],
        [Record(node="rail", **ROW)],
        Answer(files={"results_rail.jsonl": LINE.encode()}),
        Answer(records={"rail": [ROW]}),
    ],
    ids=[
        "text",
        "lists by node",
        "text by node",
        "main node's rows",
        "Record objects",
        "files",
        "Answer records",
    ],
)
async def test_every_way_to_return_the_same_record_gives_the_same_record(delivered, task, ctx, tmp_path):
    if isinstance(delivered, str):
        delivered = "results_rail.jsonl\n" + delivered
    submission, _ = await run(lambda task: delivered, task, ctx, tmp_path)
    assert submission.records == (Record(node="rail", **ROW),)
    assert submission.rejected == ()


async def test_files_written_into_outdir_count_when_none_is_returned(task, ctx, tmp_path):
    async def write(task, ctx):
        (ctx.outdir / "results_rail.listing.jsonl").write_text(LINE)

    submission, keep = await run(write, task, ctx, tmp_path)
    assert [record.node for record in submission.records] == ["rail.listing"]
    assert (keep / "results_rail.listing.jsonl").read_text() == LINE


async def test_what_was_delivered_is_saved_byte_for_byte(task, ctx, tmp_path):
    raw = b"\xff\xfe not json \x00 at all"
    submission, keep = await run(lambda: Answer(files={"results_rail.jsonl": raw}), task, ctx, tmp_path)
    assert (keep / "results_rail.jsonl").read_bytes() == raw
    assert submission.records == ()
    assert submission.rejected


async def test_a_delivery_replaces_the_earlier_one_and_leaves_nothing_beside_it(task, ctx, tmp_path):
    await run(lambda: {"rail": [ROW]}, task, ctx, tmp_path)
    submission, keep = await run(lambda: {"rail.listing": [ROW]}, task, ctx, tmp_path)
    assert [record.node for record in submission.records] == ["rail.listing"]
    assert [path.name for path in keep.iterdir()] == ["results_rail.listing.jsonl"]
    assert [path.name for path in keep.parent.iterdir()] == ["submission"]


async def test_a_failing_system_leaves_the_earlier_delivery_in_place(task, ctx, tmp_path):
    await run(lambda: {"rail": [ROW]}, task, ctx, tmp_path)
    with pytest.raises(SystemFailed):
        await run(lambda: 1 / 0, task, ctx, tmp_path)
    assert (tmp_path / "out" / "submission" / "results_rail.jsonl").exists()


async def test_an_exception_of_the_system_is_named_and_chained(task, ctx, tmp_path):
    def broken(task):
        raise KeyError("no such page")

    with pytest.raises(SystemFailed, match="'mine' raised KeyError on rail: 'no such page'") as caught:
        await run(broken, task, ctx, tmp_path)
    assert isinstance(caught.value.__cause__, KeyError)


async def test_a_removed_output_folder_is_named(task, ctx, tmp_path):
    def tidy(task, ctx):
        shutil.rmtree(ctx.outdir)

    with pytest.raises(
        SystemFailed, match="'mine' removed its output folder .*submission.new while it solved rail"
    ):
        await run(tidy, task, ctx, tmp_path)


@pytest.mark.parametrize("delivered", [42, b"{}", {ROW["url"]}, {"rail": None}, {"rail": b"{}"}])
async def test_what_cannot_be_records_is_refused_with_what_can(delivered, task, ctx, tmp_path):
    with pytest.raises(SystemFailed, match=r"the system returned \w+ for rail; return a list of records"):
        await run(lambda: delivered, task, ctx, tmp_path)


async def test_a_value_that_json_has_not_is_named_with_its_file(task, ctx, tmp_path):
    row = {"item": {"company": dt.date(2026, 3, 1)}, "url": "https://rail.example/"}
    with pytest.raises(
        SystemFailed, match=r"results_rail.jsonl cannot be written as JSON: Object of type date"
    ):
        await run(lambda: {"rail": [row]}, task, ctx, tmp_path)


async def test_a_lone_surrogate_reads_the_same_from_a_list_as_from_a_file(task, ctx, tmp_path):
    row = ROW | {"excerpts": ["cut \ud83d off"]}
    returned, _ = await run(lambda: {"rail": [row]}, task, ctx, tmp_path)
    written, _ = await run(lambda: {"rail": json.dumps(row)}, task, ctx, tmp_path)
    assert returned.records == written.records
    assert returned.records[0].excerpts == ("cut \ud83d off",)


async def test_a_time_out_of_the_systems_own_is_not_taken_for_the_deadline(task, ctx, tmp_path):
    def slow(task):
        raise TimeoutError("my own")

    with pytest.raises(SystemFailed, match="raised TimeoutError on rail: my own"):
        await run(slow, task, ctx, tmp_path)


async def test_an_unknown_node_is_an_error_that_lists_the_nodes(task, ctx, tmp_path):
    with pytest.raises(WandrError, match="'cars', but the nodes of rail are rail, rail.listing"):
        await run(lambda: {"cars": [ROW]}, task, ctx, tmp_path)


async def test_nothing_delivered_is_an_empty_submission(task, ctx, tmp_path):
    submission, keep = await run(lambda: None, task, ctx, tmp_path)
    assert (submission.records, submission.rejected, submission.notes) == ((), (), {})
    assert keep.is_dir()


async def test_state_and_usage_are_kept(task, ctx, tmp_path):
    answer = Answer(records={"rail": [ROW]}, usage=Usage(cost_usd=0.25), state="exit status 3")
    submission, _ = await run(lambda: answer, task, ctx, tmp_path)
    assert submission.notes["system"] == ("exit status 3",)
    assert submission.usage == Usage(cost_usd=0.25)


class TestChannels:
    """One channel per node, the best one; nothing is merged, nothing is lost."""

    def read(self, task, tmp_path, **files):
        for name, text in files.items():
            (tmp_path / name.replace("__", ".")).write_text(text)
        return read_submission(task, tmp_path, name="mine")

    def test_a_file_wins_over_the_answer(self, task, tmp_path):
        other = LINE.replace("Tamarind", "Brindle")
        files = {"results_rail__jsonl": LINE, "answer__txt": "results_rail\n" + other}
        assert [r.item["company"] for r in self.read(task, tmp_path, **files).records] == ["Tamarind Rail"]

    def test_the_only_other_file_is_taken_for_the_only_missing_node(self, task, tmp_path):
        submission = self.read(task, tmp_path, results_rail__jsonl=LINE, listing__json=LINE)
        assert [r.node for r in submission.records] == ["rail", "rail.listing"]

    def test_two_other_files_are_not_guessed_at(self, task, tmp_path):
        submission = self.read(task, tmp_path, results_rail__jsonl=LINE, a__json=LINE, b__json=LINE)
        assert [r.node for r in submission.records] == ["rail"]

    def test_files_that_are_not_read_are_named(self, task, tmp_path):
        submission = self.read(task, tmp_path, a__jsonl=LINE, b__jsonl=LINE)
        assert submission.notes["system"] == ("files that belong to no node were not read: a.jsonl, b.jsonl",)

    def test_a_folder_named_like_a_results_file_is_none(self, task, tmp_path):
        (tmp_path / "trace.json").mkdir()
        submission = self.read(task, tmp_path, results_rail__jsonl=LINE)
        assert [r.node for r in submission.records] == ["rail"]

    def test_an_answer_is_split_at_the_names_of_its_nodes(self, task, tmp_path):
        text = f"Done!\n## results_rail.jsonl\n{LINE}\n**rail.listing**:\n```jsonl\n{LINE}```\nBye."
        submission = self.read(task, tmp_path, answer__txt=text)
        assert [r.node for r in submission.records] == ["rail", "rail.listing"]
        assert submission.rejected == ()

    def test_a_fence_that_names_its_node_opens_that_nodes_section(self, task, tmp_path):
        text = f"```results_rail.listing.jsonl\n{LINE}```\n```results_rail.jsonl\n{LINE}```\n"
        submission = self.read(task, tmp_path, answer__txt=text)
        assert [r.node for r in submission.records] == ["rail", "rail.listing"]

    def test_records_that_belong_to_no_named_node_are_rejected_not_dropped(self, task, tmp_path):
        submission = self.read(task, tmp_path, answer__txt=LINE)
        assert [(line.node, line.code) for line in submission.rejected] == [("rail", "node_not_named")]

    def test_each_record_that_belongs_to_no_named_node_counts_by_itself(self, task, tmp_path):
        stray = LINE + LINE.replace("Tamarind", "Brindle") + '{"item": {"company": "cut in the mid'
        submission = self.read(task, tmp_path, answer__txt=stray)
        assert [line.code for line in submission.rejected] == ["node_not_named"] * 3
        assert "Brindle" in submission.rejected[1].raw

    def test_an_excerpt_that_mentions_a_node_opens_no_section(self, task, tmp_path):
        row = LINE.replace("x y z", "see rail.listing for more")
        submission = self.read(task, tmp_path, answer__txt="results_rail\n" + row)
        assert [r.node for r in submission.records] == ["rail"]
