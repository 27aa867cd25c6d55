"""What was paid for is never asked again; one changed word asks again exactly what depends on it."""

import json
import shutil

import pytest

from pytest_wandr.cassettes import PageStore
from pytest_wandr.judges.llm import instructions
from pytest_wandr.testing import StandIn
from tests.judges.wandr_demo import Project, spec

NAME = "executive_changes"
LISTING = "executive_changes.company_listing"
CANARY = "wandr_canaries"


class Bench:
    """A project that was judged once, and what is asked when it is judged again."""

    def __init__(self, folder, standin, first=None):
        self.standin = standin
        self.project = Project(folder)
        self.task = folder / "tasks" / NAME
        self.first = first or self.project.evaluate(NAME)

    def about(self):
        """(node, item, url) of the records that were asked about, as many times as they were."""
        found = [json.loads(text) for text in self.standin.about.elements()]
        return sorted((node, json.dumps(item), url) for task, node, item, url in found if task != CANARY)

    def again(self):
        self.standin.forget()
        found = self.project.evaluate(NAME)
        return found, self.about()

    def change_page(self, url):
        store = PageStore(self.project.cassettes / NAME, environment={})
        old = store.ending(url).entry
        body = store.page(old).body.replace(b"</body>", b"<p>Archived.</p></body>")
        assert b"Archived" in body
        store.put(old.model_copy(update={"blob": "", "size": 0}), body)
        store.fold()


@pytest.fixture(scope="module")
def standin():
    with StandIn([spec(NAME)]) as running:
        yield running


@pytest.fixture(scope="module")
def judged(standin, tmp_path_factory):
    folder = tmp_path_factory.mktemp("judged")
    project = Project(folder)
    project.add(NAME)
    project.configure(standin.config())
    once = Bench(folder, standin)
    once.all = once.about()
    once.system = {call.system for call in standin.calls}
    return once


@pytest.fixture
def bench(judged, standin, tmp_path):
    shutil.copytree(judged.project.root, tmp_path / "p")
    copy = Bench(tmp_path / "p", standin, judged.first)
    copy.all = judged.all
    return copy


def test_the_second_run_asks_nothing_and_says_the_same(bench):
    found, asked = bench.again()
    assert (asked, bench.standin.count) == ([], 0)
    assert found.verdicts == bench.first.verdicts
    assert found.report == bench.first.report


def test_without_the_verdicts_the_answers_are_enough(bench):
    verdicts = bench.project.cassettes / NAME / "verdicts.jsonl"
    before = verdicts.read_bytes()
    verdicts.unlink()
    found, _ = bench.again()
    assert bench.standin.count == 0
    assert found.verdicts == bench.first.verdicts
    assert set(verdicts.read_bytes().splitlines()) < set(before.splitlines())  # those of rules are gone


def test_a_word_of_the_prompt_asks_everything_again(bench, judged, monkeypatch):
    assert judged.system == {instructions.SYSTEM}
    changed = instructions.SYSTEM.replace("You check evidence.", "You judge evidence.")
    assert changed != instructions.SYSTEM
    for module in ("instructions", "prompt", "llm"):
        monkeypatch.setattr(f"pytest_wandr.judges.llm.{module}.SYSTEM", changed)
    assert bench.again()[1] == bench.all
    assert {call.system for call in bench.standin.calls} == {changed}


def test_another_model_is_asked_everything(bench):
    bench.project.configure(bench.standin.config(model="stand-in-2"))
    assert bench.again()[1] == bench.all
    assert {call.model for call in bench.standin.calls} == {"stand-in-2"}


def test_another_parameter_asks_everything_again(bench):
    bench.project.configure(bench.standin.config(options={"temperature": 0.5}))
    assert bench.again()[1] == bench.all


def test_a_word_of_the_instruction_asks_everything_again(bench):
    text = (bench.task / "instruction.md").read_text(encoding="utf-8")
    (bench.task / "instruction.md").write_text(text + "\nBe thorough.\n", encoding="utf-8")
    assert bench.again()[1] == bench.all


def test_a_word_of_a_page_asks_again_about_the_records_that_cite_it(bench):
    urls = [url for _, _, url in bench.all]
    url = max(sorted(set(urls)), key=urls.count)
    bench.change_page(url)
    _, asked = bench.again()
    assert asked == [each for each in bench.all if each[2] == url]
    assert 0 < len(asked) < len(bench.all) / 2
    assert bench.again()[1] == []


def test_a_word_of_a_requirement_asks_again_about_the_records_of_its_node(bench):
    listed = next(each.text for each in spec(NAME).node(LISTING).requirements if each.id == "listed")
    bench.project.change(bench.task / "task.toml", listed, listed.replace("says", "states"))
    _, asked = bench.again()
    assert asked == [each for each in bench.all if each[0] == LISTING]
    assert 0 < len(asked) < len(bench.all)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("topics = [", 'topics = ["another", '),
        ("required = 1 }", "required = 2 }"),
        ('version = "1.0.0"', 'version = "1.0.1"'),
        ("decisive = false", ""),
    ],
    ids=["topics", "counts", "version", "a default left out"],
)
def test_what_no_judge_is_told_asks_nothing_again(old, new, bench):
    bench.project.change(bench.task / "task.toml", old, new)
    assert bench.again()[1] == []


def test_with_more_votes_only_the_new_samples_are_asked(bench):
    bench.project.configure(bench.standin.config(votes=3))
    _, asked = bench.again()
    assert asked == sorted(bench.all * 2)


def test_records_that_share_calls_use_the_answers_of_those_that_did_not(bench):
    bench.project.configure(bench.standin.config(share_pages=8))
    assert bench.again()[1] == []


def test_a_failure_is_asked_again_and_nothing_else(bench, tmp_path):
    bench.standin.mode = "500"
    bench.change_page(bench.all[0][2])
    bench.project.configure(bench.standin.config(timeout=5))
    try:
        failed = Project.evaluate(bench.project, NAME)
    finally:
        bench.standin.mode = "honest"
    assert failed.score.incomplete
    found, asked = bench.again()
    assert asked == [each for each in bench.all if each[2] == bench.all[0][2]]
    assert found.score.rewards == bench.first.score.rewards
