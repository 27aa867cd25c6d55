"""Stored verdicts are replayed byte for byte, without pages; what is missing is named, with the reason."""

import asyncio
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_wandr import judges, remember, systems, verdicts
from pytest_wandr.cassettes import Entry, PageStore
from pytest_wandr.errors import JudgeError
from pytest_wandr.fetch import ReplayFetcher
from pytest_wandr.fetch.browser.standing import rendered_key
from pytest_wandr.fetch.policy import refuse_spelling
from pytest_wandr.fetch.trace import trace
from pytest_wandr.judges import Answer, identity_of
from pytest_wandr.judges.replay import Replay
from pytest_wandr.model import Part, RequirementVerdict, digest_of
from pytest_wandr.pipeline import RunSettings, evaluate

ROOT = Path(__file__).resolve().parent.parent
TASK = "executive_changes"
SYSTEM = "oracle-noisy:seed=3"


class Kind:
    """A judge that says yes to everything, and counts what it is asked."""

    name = "kind"

    def __init__(self, code=""):
        self.asked = 0
        self.code = code

    async def ask(self, questions):
        self.asked += len(questions)
        part = Part(value=None, code=self.code) if self.code else Part(value=True)
        return [
            Answer(
                requirements=tuple(RequirementVerdict(id=i, satisfied=part, supported=part) for i in q.open)
            )
            for q in questions
        ]


class Bench:
    """One demo task with its recording in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.task = folder / "tasks" / TASK
        self.cassette = folder / "cassettes" / TASK
        shutil.copytree(ROOT / "tasks" / TASK, self.task)
        ignored = shutil.ignore_patterns("verdicts.jsonl")
        shutil.copytree(ROOT / "cassettes" / TASK, self.cassette, ignore=ignored)
        self.store = self.cassette / "verdicts.jsonl"

    def run(self, judge="replay", record="none", system=SYSTEM):
        settings = RunSettings(
            system_name=system, out=self.folder / "out", cassettes=self.folder / "cassettes", record=record
        )
        asked = judges.resolve(judge) if isinstance(judge, str) else judge
        tested = systems.resolve(system, rootdir=self.folder)
        return asyncio.run(evaluate(self.task, system=tested, judge=asked, settings=settings))

    def edit(self, name, old, new):
        text = (self.task / name).read_text()
        assert old in text
        (self.task / name).write_text(text.replace(old, new))

    def change_page(self, url):
        store = PageStore(self.cassette, environment={})
        old = store.ending(url).entry
        body = store.page(old).body + b"<p>One more line."
        store.put(old.model_copy(update={"blob": "", "size": 0}), body)
        store.fold()


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


@pytest.fixture
def judged(bench):
    """With verdicts of `rules` stored."""
    bench.first = bench.run("rules", "new")
    return bench


def reasons(evaluation):
    return [
        verdict.page_content_usable.reason
        for verdict in evaluation.verdicts
        if verdict.page_content_usable.code == "no_verdict"
    ]


def test_a_replay_gives_the_verdicts_of_the_first_judging_without_any_page(judged):
    shutil.rmtree(judged.cassette / "blobs")
    again = judged.run()
    assert again.verdicts == judged.first.verdicts
    assert again.score.told() == judged.first.score.told()
    assert again.report == judged.first.report
    assert again.notes == ()


def test_a_packed_recording_replays_the_same(judged):
    from pytest_wandr.cassettes import pack

    pack(judged.cassette)
    shutil.rmtree(judged.cassette)
    again = judged.run()
    assert (again.verdicts, again.notes) == (judged.first.verdicts, ())
    assert not judged.cassette.exists()
    assert judged.run("rules").verdicts == judged.first.verdicts


def test_judging_on_top_of_a_sealed_recording_lies_beside_it_and_counts_from_then_on(judged):
    from pytest_wandr.cassettes import pack

    pack(judged.cassette)
    sealed = judged.cassette.with_name(f"{TASK}.zip").read_bytes()
    lines = judged.store.read_bytes()
    shutil.rmtree(judged.cassette)
    judged.run("rules", "new", system="oracle-noisy:seed=4")
    assert judged.cassette.with_name(f"{TASK}.zip").read_bytes() == sealed
    assert set(judged.store.read_bytes().splitlines()) > set(lines.splitlines())
    assert not (judged.cassette / "index.jsonl").exists()
    assert judged.run().verdicts == judged.first.verdicts


def test_judging_fresh_and_replaying_agree(judged):
    """Fails when code that decides changed: then raise the version in verdicts.py that it belongs to."""
    assert judged.run("rules").verdicts == judged.run().verdicts


REPLAY = """
import asyncio, sys
from pathlib import Path
from pytest_wandr import judges, systems
from pytest_wandr.pipeline import RunSettings, evaluate
from pytest_wandr.reports.json import write_task
root = Path(sys.argv[1])
settings = RunSettings(system_name="{system}", out=root / "out", cassettes=root / "cassettes")
evaluation = asyncio.run(evaluate(root / "tasks" / "{task}", system=systems.resolve("{system}", rootdir=root),
                                  judge=judges.resolve("replay"), settings=settings))
write_task(settings.out, evaluation)
print(len(evaluation.verdicts), evaluation.score.incomplete)
print([name for name in ("lxml", "parsel", "httpx", "vcr") if name in sys.modules])
"""


def test_a_replay_loads_no_parser_and_no_client(judged):
    program = REPLAY.format(system=SYSTEM, task=TASK)
    done = subprocess.run(
        [sys.executable, "-c", program, judged.folder], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines() == [f"{len(judged.first.verdicts)} False", "[]"]


def test_a_plain_run_stores_nothing(bench):
    bench.run("rules")
    bench.run()
    bench.run(Kind())
    assert not bench.store.exists()


def test_the_store_does_not_depend_on_how_often_it_is_written(judged):
    before = judged.store.read_bytes()
    judged.run("rules", "new")
    assert judged.store.read_bytes() == before


def test_without_stored_verdicts_all_is_undecided_and_says_how_to_judge(bench):
    evaluation = bench.run(system="oracle")
    texts = reasons(evaluation)
    assert len(texts) == len(evaluation.verdicts) > 20
    assert evaluation.score.incomplete
    for record, text in zip(evaluation.submission.records, texts, strict=True):
        assert record.url in text
        assert "never judged" in text
        assert (
            "pytest --wandr-system=oracle --wandr-judge=rules --wandr-record=new -k executive_changes" in text
        )


def test_a_changed_page_retires_the_verdicts_that_rest_on_it_and_no_others(judged):
    url = judged.first.submission.records[0].url
    judged.change_page(url)
    citing = [record.url == url for record in judged.first.submission.records]
    again = judged.run()
    texts = reasons(again)
    assert len(texts) == sum(citing)
    assert all("its page changed since it was judged" in text for text in texts)
    assert again.notes == (f"stored verdicts no longer apply: its page changed ({sum(citing)})",)
    kept = [verdict for verdict, hit in zip(again.verdicts, citing, strict=True) if not hit]
    assert kept == [v for v, hit in zip(judged.first.verdicts, citing, strict=True) if not hit]


def test_what_was_retired_is_judged_again_by_a_recording_run_alone(judged):
    url = judged.first.submission.records[0].url
    lines = len(judged.store.read_bytes().splitlines())
    judged.change_page(url)
    again = judged.run("rules", "new")
    assert again.notes[0].startswith("stored verdicts no longer apply: its page changed")
    assert reasons(judged.run()) == []
    assert len(judged.store.read_bytes().splitlines()) == lines  # the retired ones are gone


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("task.toml", 'text = "', 'text = "Really: '), ("instruction.md", "\n", "\nMore.\n")],
    ids=["requirement", "instruction"],
)
def test_a_changed_requirement_retires_all_verdicts(judged, name, old, new):
    judged.edit(name, old, new)
    again = judged.run()
    assert {text.partition("example")[2].partition(": ")[2].partition(" since")[0] for text in reasons(again)}
    assert all("the task's requirements changed" in text for text in reasons(again))
    assert len(reasons(again)) == len(again.verdicts)


def test_a_gate_or_another_count_retires_nothing(judged):
    text = (judged.task / "task.toml").read_text()
    gated = text.partition("[gate]")[0] + "[gate]\nsoft_f1_full = 0.01\n"
    (judged.task / "task.toml").write_text(gated)
    assert reasons(judged.run()) == []


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("extractor", "pages are read by a newer extractor"),
        ("identity", "names are compared by newer rules"),
        ("checks", "the checks are newer"),
    ],
)
def test_newer_code_retires_what_it_may_decide_otherwise(judged, monkeypatch, version, words):
    def basis(*args, **rest):
        return verdicts.Basis(*args, **{version: "next", **rest})

    monkeypatch.setattr(remember, "Basis", basis)
    texts = reasons(judged.run())
    assert len(texts) == len(judged.first.verdicts)
    assert all(f"{words} since it was judged" in text for text in texts)


def test_a_page_that_was_never_recorded_is_told_apart(judged):
    gone = judged.first.submission.records[0].url
    lines = (judged.cassette / "index.jsonl").read_text().splitlines(keepends=True)
    key = PageStore(judged.cassette).ending(gone).ask.key
    (judged.cassette / "index.jsonl").write_text("".join(line for line in lines if key not in line))
    assert all("its page was never recorded" in text for text in reasons(judged.run()))
    assert reasons(judged.run())


def test_verdicts_of_several_judges_are_not_mixed(judged):
    kind = Kind()
    judged.run(kind, "new")
    with pytest.raises(JudgeError, match=r"several judges: kind, rules.*replay:kind"):
        judged.run()
    assert judged.run("replay:rules").verdicts == judged.first.verdicts
    assert {verdict.judge for verdict in judged.run("replay:kind").verdicts} == {"kind"}
    missing = reasons(judged.run("replay:other"))
    assert all("it was judged by kind, rules alone" in text for text in missing)
    assert len(missing) == len(judged.first.verdicts)


def test_nothing_is_judged_twice(bench):
    bench.edit("task.toml", "decisive = true", "decisive = false")
    first, second, third = Kind(), Kind(), Kind()
    bench.run(first, "new")
    assert first.asked > 10
    assert bench.run(second, "new").verdicts == bench.run(third).verdicts
    assert second.asked == third.asked == 0


def test_what_a_judge_could_not_say_is_asked_again(bench):
    bench.edit("task.toml", "decisive = true", "decisive = false")
    down, up = Kind("judge_down"), Kind()
    bench.run(down, "new")
    bench.run(up, "new")
    assert up.asked == down.asked > 10


def test_replay_answers_no_question():
    with pytest.raises(JudgeError, match="answers no questions"):
        asyncio.run(Replay().ask([]))
    assert judges.resolve("replay:llm/m1") == Replay("llm/m1")
    assert (Replay().name, Replay("a").name) == ("replay", "replay:a")


def test_the_identity_of_a_judge_is_more_than_its_name_when_it_says_so():
    kind = Kind()
    assert identity_of(kind) == "kind"
    kind.identity = "kind/model-2/prompt-7"
    assert identity_of(kind) == "kind/model-2/prompt-7"


ENTRY = {"status": 200, "headers": {"content-type": "text/html"}}
URL = "https://wire.example/a"


@pytest.mark.parametrize(
    "change",
    [
        {"status": 404},
        {"headers": {"content-type": "text/plain"}},
        {"body": b"other"},
        {"to": "https://wire.example/b"},
        {"error": {"kind": "timeout"}},
        {"headers": {"content-type": "text/html", "content-language": "de"}, "same": True},
        {"recorded": "2026-12-01", "same": True},
    ],
    ids="-".join,
)
def test_a_trace_changes_with_everything_that_can_change_a_verdict(tmp_path, change):
    def traced(folder, *, body=b"body", **rest):
        store = PageStore(tmp_path / folder, environment={})
        store.put(Entry.of(URL, **{**ENTRY, **rest}), body)
        store.put(Entry.of("https://wire.example/b", **ENTRY), b"body")
        return trace(store, URL)

    same = change.pop("same", False)
    assert (traced("one") == traced("two", **change)) is same


def test_a_trace_needs_no_body_and_is_empty_for_what_was_never_recorded(tmp_path):
    store = PageStore(tmp_path / "s", environment={})
    store.put(Entry.of(URL, **ENTRY), b"body")
    shutil.rmtree(tmp_path / "s" / "blobs")
    assert len(trace(store, URL)) == 64
    assert trace(store, "https://wire.example/other") == ""
    assert len(trace(store, "file:///etc/passwd")) == 64  # refused, whatever is recorded
    assert trace(store, "file:///etc/passwd") != trace(store, "file:///etc/hosts")


def test_stored_lines_are_canonical_and_hold_no_url(judged):
    for line in judged.store.read_text().splitlines():
        data = json.loads(line)
        assert line == json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert "://" not in json.dumps(data["made"])


def test_bases_differ_in_their_keys():
    basis = verdicts.Basis("rules", "r", "c", "p")
    changed = [replace(basis, **{name: "x"}) for name in vars(basis) if name != "sample"]
    assert len({basis.key, replace(basis, sample=1).key, *(other.key for other in changed)}) == 9


def cited_urls():
    lines = (ROOT / "tests" / "cases" / "bad_urls.jsonl").read_text().splitlines()
    return sorted({url for line in lines if isinstance(url := json.loads(line).get("url"), str)})


def test_a_trace_refuses_what_the_replay_refuses(tmp_path):
    """Also of urls that somebody recorded: the page that is judged and the trace go together."""
    store = PageStore(tmp_path / "s", environment={})
    for url in cited_urls():
        store.put(Entry.of(url, **ENTRY), b"<p>A page.")
    fetcher = ReplayFetcher(store)
    pages = {url: asyncio.run(fetcher.get(url)) for url in cited_urls()}
    refused = {url for url, page in pages.items() if page.problem and page.problem.kind == "blocked"}
    assert len(refused) > 3
    traces = {url: trace(store, url) for url in pages}
    for url in refused:
        assert traces[url] == digest_of(["blocked", url, pages[url].problem.detail])
    for url in pages.keys() - refused:
        assert traces[url] != digest_of(["blocked", url, refuse_spelling(url)])


def test_a_trace_knows_what_a_browser_made_of_a_page(tmp_path):
    store = PageStore(tmp_path / "s", environment={})
    entry = store.put(Entry.of(URL, rule=1, **ENTRY), b"<script>show()</script>")
    before = trace(store, URL)
    key = rendered_key(entry, URL)
    seen = {"key": key, "url": URL, "via": "browser", "via_of": entry.key, "status": 200}
    store.put(Entry(**seen), b"<p>Shown.")
    shown = trace(store, URL)
    store.put(Entry(**seen), b"<p>Shown otherwise.")
    assert len({before, shown, trace(store, URL)}) == 3
