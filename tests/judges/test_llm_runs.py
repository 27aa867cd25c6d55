"""Whole runs with a judge that pays: what is stored whatever is recorded, and what later runs need of it."""

import json

import pytest
from judge_fakes import FakeModel, judge_of
from wandr_demo import Project, parts_of, run

from pytest_wandr import judges
from pytest_wandr.cassettes import PageStore
from pytest_wandr.errors import JudgeError
from pytest_wandr.judges import Setup, identity_of, notes_of, pays, resolve
from pytest_wandr.judges.llm.exchange import Unsaid
from pytest_wandr.judges.llm.llm import Llm
from pytest_wandr.judges.rules import Rules
from pytest_wandr.reports.json import write_task
from pytest_wandr.reports.resume import taken
from pytest_wandr.reports.terminal import undecided_text

NAME = "recall_three_sources"


@pytest.fixture
def project(tmp_path):
    project = Project(tmp_path)
    project.add(NAME)
    (project.cassettes / NAME / "verdicts.jsonl").unlink()  # those of `rules`
    return project


def judged(project, model, *, canaries=False, record="none", **ways):
    judge = judge_of(project.cassettes, model, canaries=canaries, **ways)
    return evaluated(project, judge)


def evaluated(project, judge):
    found = run(project.root / "tasks" / NAME, judge, project.cassettes, project.out, system="oracle")
    write_task(project.out, found)
    return found


def stored(project, name):
    path = project.cassettes / NAME / name
    return path.read_bytes() if path.exists() else b""


def test_a_plain_run_stores_answers_and_verdicts_but_no_page(project):
    pages = PageStore(project.cassettes / NAME).digest()
    model = FakeModel(yes=True)
    first = judged(project, model)
    assert model.calls > 0
    assert first.judge.startswith("llm:fake-1#")
    assert {verdict.judge for verdict in first.verdicts} == {"llm"}
    assert stored(project, "answers.jsonl").count(b"\n") == model.calls
    assert stored(project, "verdicts.jsonl").count(b"\n") == len(first.verdicts)
    assert PageStore(project.cassettes / NAME).digest() == pages


def test_the_second_run_asks_nothing_and_changes_no_byte(project):
    first = judged(project, FakeModel(yes=True))
    before = stored(project, "answers.jsonl"), stored(project, "verdicts.jsonl")
    nobody = FakeModel()
    second = judged(project, nobody)
    assert nobody.calls == 0
    assert second.verdicts == first.verdicts
    assert second.score.told() == first.score.told()
    assert (stored(project, "answers.jsonl"), stored(project, "verdicts.jsonl")) == before


def test_verdicts_can_be_made_again_from_the_answers_alone(project):
    first = judged(project, FakeModel(yes=True))
    before = stored(project, "verdicts.jsonl")
    (project.cassettes / NAME / "verdicts.jsonl").unlink()
    nobody = FakeModel()
    assert judged(project, nobody).verdicts == first.verdicts
    assert nobody.calls == 0
    assert stored(project, "verdicts.jsonl") == before


def test_a_replay_needs_the_verdicts_alone(project):
    first = judged(project, FakeModel(yes=True))
    (project.cassettes / NAME / "answers.jsonl").unlink()
    again = evaluated(project, resolve("replay"))
    assert again.verdicts == first.verdicts
    assert again.judge == f"replay:{first.judge}"


def test_another_page_or_model_leaves_older_verdicts_in_peace(project):
    first = judged(project, FakeModel(yes=True))
    other = judged(project, FakeModel(yes=False, model="fake-2"))
    assert other.judge != first.judge
    nobody = FakeModel()
    assert judged(project, nobody).verdicts == first.verdicts
    assert nobody.calls == 0
    assert stored(project, "verdicts.jsonl").count(b"\n") == 2 * len(first.verdicts)


@pytest.mark.parametrize("code", ["refused", "bad_schema", "no_budget"])
def test_what_has_no_answer_is_undecided_and_tried_again_by_the_next_run(project, code):
    first = judged(project, FakeModel(script=lambda document: Unsaid(code, "for a reason")))
    assert first.score.incomplete
    assert code in first.score.diagnostics.undecided
    assert not stored(project, "answers.jsonl")
    model = FakeModel(yes=True)
    second = judged(project, model)
    assert model.calls > 0
    assert not second.score.incomplete


def test_undecided_is_never_a_lower_score(project):
    """With a budget for three calls, what is proven is proven, and the rest is open, not false."""
    whole = judged(project, FakeModel(yes=True))
    for name in ("answers.jsonl", "verdicts.jsonl"):
        (project.cassettes / NAME / name).unlink()
    model = FakeModel(
        yes=True, script=lambda document: None if model.calls <= 3 else Unsaid("no_budget", "spent")
    )
    part = judged(project, model, at_once=1)
    assert part.score.incomplete
    values = [
        (found.value, full.value)
        for some, all_ in zip(part.verdicts, whole.verdicts, strict=True)
        for found, full in zip(parts_of(some).values(), parts_of(all_).values(), strict=True)
    ]
    assert all(found is full or found is None for found, full in values)
    assert any(found is True for found, _ in values)


def test_a_resumed_run_asks_what_had_no_answer(project):
    judged(project, FakeModel(script=lambda document: Unsaid("no_budget", "spent")))
    result, why = taken_from_disk(project)
    assert result is None
    assert why == "not taken from disk: the judge gave no answer (no_budget), so it is asked"
    judged(project, FakeModel(yes=True))
    result, _ = taken_from_disk(project)
    assert result is not None


def taken_from_disk(project):
    marker = json.loads((project.out / NAME / "complete.json").read_bytes())
    return taken(project.out, NAME, marker["inputs"])


def test_an_untrusted_judge_is_told_in_the_notes(project):
    found = judged(project, FakeModel(yes=True), canaries=True)
    assert any("is not to be trusted" in note for note in found.notes)
    assert found.score.diagnostics.undecided == {"judge_untrusted": len(found.verdicts)}


def test_answers_are_no_part_of_a_sealed_recording_and_trouble_no_upkeep(project):
    from pytest_wandr.cassettes import pack, unpack

    first = judged(project, FakeModel(yes=True))
    folder = project.cassettes / NAME
    kept = stored(project, "answers.jsonl")
    pack(folder)
    unpack(folder)
    assert stored(project, "answers.jsonl") == kept
    assert judged(project, FakeModel()).verdicts == first.verdicts


# Names.


def setup_of(tmp_path, text="", **more):
    (tmp_path / "pyproject.toml").write_text(text)
    return Setup(tmp_path, tmp_path / "cassettes", tmp_path / "out" / ".judge-run", **more)


TABLE = """
[tool.wandr.judge]
protocol = "openai-chat"
model = "local"
base_url = "http://127.0.0.1:9/v1"
key_env = ""
"""


def test_a_configured_judge_is_found_by_its_name(tmp_path):
    judge = resolve("llm", setup_of(tmp_path, TABLE + "votes = 3\nshare_pages = 4\ncanaries = false"))
    assert isinstance(judge, Llm)
    assert judge.name == "llm"
    assert (judge.ways.votes, judge.ways.share, judge.ways.canaries) == (3, 4, False)
    assert identity_of(judge).startswith("llm:local#")
    assert pays(judge)
    assert notes_of(judge) == ()
    assert not (tmp_path / "out").exists()


def test_a_panel_has_a_member_for_each_of_its_judges(tmp_path):
    table = TABLE.split("\n", 2)[2]
    text = '[tool.wandr.judge]\npanel = ["a", "b", "c"]\n' + "".join(
        f"[tool.wandr.judges.{name}]\n{table}" for name in "abc"
    )
    judge = resolve("llm", setup_of(tmp_path, text))
    assert [member.name for member in judge.members] == ["llm:a", "llm:b", "llm:c"]
    assert identity_of(judge).startswith("llm:local+local+local#")


def test_what_cannot_be_used_is_an_error(tmp_path, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    setup = setup_of(tmp_path)
    with pytest.raises(JudgeError, match=r"no table \[tool\.wandr\.judge\]"):
        resolve("llm", setup)
    with pytest.raises(JudgeError, match="ANTHROPIC_API_KEY"):
        resolve("anthropic:some-model", setup)
    with pytest.raises(JudgeError, match="needs a Setup"):
        resolve("llm")
    with pytest.raises(JudgeError, match=r"llm, llm:NAME, openai-chat:MODEL"):
        resolve("nobody", setup)


def test_other_judges_pay_nothing_and_have_nothing_to_tell():
    assert not pays(Rules())
    assert notes_of(Rules()) == ()
    assert judges.MODELS[0] == "llm"


@pytest.mark.parametrize(
    ("causes", "told"),
    [
        (
            {"needs_judge": 2},
            "2 undecided: needs_judge 2; ask a model with --wandr-judge=llm (docs/how-to/judge.md)",
        ),
        ({"no_budget": 1}, "1 undecided: no_budget 1; what is known already costs nothing in the next run"),
        ({"low_confidence": 1}, "1 undecided: low_confidence 1"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_to_do_about_it_is_said(causes, told):
    assert undecided_text(causes) == told
