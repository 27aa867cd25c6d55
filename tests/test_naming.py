"""Names from a submission to its score: asked over a socket, stored, replayed without a model."""

import json

import pytest

from pytest_wandr.cassettes import PageStore
from pytest_wandr.cassettes.sealing import pack
from pytest_wandr.errors import CassetteError, JudgeError
from pytest_wandr.judges.replay import Replay
from pytest_wandr.judges.rules import Rules
from pytest_wandr.model import KeySpec, NodeSpec, Record, Submission, TaskSpec
from pytest_wandr.naming import NameStore, confirm_names
from pytest_wandr.testing import StandIn
from tests.judges.wandr_demo import ROOT, Project, spec

TASK = "listed_issuers"
NAME = "Zirnard Energy"


def agent(task):
    """Everything that is known to be right, and one company under a second name."""
    lines = (ROOT / "tasks" / TASK / "fixtures.jsonl").read_text(encoding="utf-8").splitlines()
    known = [each for each in map(json.loads, lines) if each["full"] and each["node"] == TASK]
    twice = next(each for each in known if each["item"]["company"] == NAME)
    rows = [*known, {**twice, "item": {"company": f"{NAME} Group"}}]
    return [{name: each[name] for name in ("item", "url", "excerpts", "answer")} for each in rows]


def words(word):
    def reply(document):
        return {
            "pairs": [{"id": each["id"], "reason": "so it is", "same": word} for each in document["pairs"]]
        }

    return {"pairs": reply}


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path)
    made.add(TASK)
    return made


def evaluate(project, standin, judge=None, **config):
    project.configure(standin.config(**{"confirm_names": True} | config))
    return project.evaluate(TASK, judge or project.judge(), system=agent)


def told(evaluation):
    """All that the result files are made of."""
    return (
        evaluation.score.told().model_dump_json(),
        [verdict.model_dump_json() for verdict in evaluation.verdicts],
        evaluation.report.model_dump_json(),
    )


def near(evaluation):
    diagnostics = evaluation.score.diagnostics
    return (
        [(each.a, each.b, each.reason) for each in diagnostics.near_duplicates],
        [(each.a, each.b, each.reason) for each in diagnostics.confirmed],
    )


def names_of(evaluation):
    return [
        [entity.name for entity in identity.entities]
        for identity in evaluation.score.told().tree.identities
        if identity.name == NAME
    ]


def test_names_are_asked_about_once_stored_and_replayed_to_the_same_bytes(project):
    with StandIn([spec(TASK)], replies=words("true")) as standin:
        first = evaluate(project, standin, votes=3)
        assert near(first) == ([], [(NAME, f"{NAME} Group", "group; the judge: the same (so it is)")])
        assert names_of(first) == [[NAME, f"{NAME} Group"]]
        asked = [call for call in standin.calls if "pairs" in (call.document or {})]
        assert len(asked) == 3
        standin.forget()
        assert told(evaluate(project, standin, votes=3)) == told(first)
        assert standin.count == 0
    judge = Replay(first.judge)
    again = project.evaluate(TASK, judge, system=agent)
    assert told(again) == told(first)
    assert {each.samples for each in again.report.agreement} == {3}
    assert again.inputs["names"] == first.inputs["names"]


def test_a_no_leaves_two_members_and_says_so_also_in_a_replay(project):
    with StandIn([spec(TASK)], replies=words("false")) as standin:
        first = evaluate(project, standin)
    assert near(first) == ([(NAME, f"{NAME} Group", "group; the judge: not the same (so it is)")], [])
    assert told(project.evaluate(TASK, Replay(first.judge), system=agent)) == told(first)


def test_without_the_option_nobody_is_asked_and_nothing_is_stored(project):
    with StandIn([spec(TASK)], replies=words("true")) as standin:
        found = evaluate(project, standin, confirm_names=False)
        assert not [call for call in standin.calls if "pairs" in (call.document or {})]
    assert near(found) == ([(NAME, f"{NAME} Group", "group")], [])
    assert "names" not in found.inputs
    assert not (project.cassettes / TASK / "names.jsonl").exists()
    assert told(project.evaluate(TASK, Replay(found.judge), system=agent)) == told(found)


def test_the_author_of_a_task_may_want_one_key_confirmed(project):
    project.change(f"tasks/{TASK}/task.toml", 'policy = "balanced"', 'policy = "balanced", confirm = true')
    with StandIn([spec(TASK)], replies=words("true")) as standin:
        assert names_of(evaluate(project, standin, confirm_names=False)) == [[NAME, f"{NAME} Group"]]


def test_a_budget_that_is_spent_leaves_names_apart_and_is_tried_again(project):
    with StandIn([spec(TASK)], replies=words("true")) as standin:
        whole = evaluate(project, standin)
        names = project.cassettes / TASK / "names.jsonl"
        names.unlink()
        answers = project.cassettes / TASK / "answers.jsonl"
        kept = [line for line in answers.read_bytes().splitlines() if b"p1" not in line]
        answers.write_bytes(b"".join(line + b"\n" for line in kept))
        project.configure(standin.config(confirm_names=True))
        poor = project.evaluate(TASK, project.judge(budget="0calls"), system=agent)
        assert "undecided, so distinct" in near(poor)[0][0][2]
        assert (
            "names that look alike could not be confirmed and count as distinct: no_budget (1)" in poor.notes
        )
        assert not names.exists()
        assert told(evaluate(project, standin)) == told(whole)


@pytest.mark.parametrize("mode", ["yes", "refusing", "truncating", "schema_breaking", "gullible"])
def test_a_faulty_judge_ends_the_run_and_joins_nothing_that_is_distinct(mode, project):
    with StandIn([spec(TASK)], mode=mode) as standin:
        found = evaluate(project, standin, canaries=False)
    pairs = [*near(found)[0], *near(found)[1]]
    assert [pair[:2] for pair in pairs] == [(NAME, f"{NAME} Group")]


def test_rules_know_nothing_of_what_a_model_said(project):
    with StandIn([spec(TASK)], replies=words("true")) as standin:
        evaluate(project, standin)
    found = project.evaluate(TASK, Rules(), system=agent)
    assert near(found) == ([(NAME, f"{NAME} Group", "group")], [])
    assert "names" not in found.inputs


def test_a_replay_of_names_that_were_never_asked_about_says_so(project):
    with StandIn([spec(TASK)], replies=words("true")) as standin:
        first = evaluate(project, standin)

    def other(task):
        rows = agent(task)
        return [*rows, {**rows[-1], "item": {"company": f"{NAME} Holdings"}}]

    found = project.evaluate(TASK, Replay(first.judge), system=other)
    assert near(found)[1] == []
    assert all("nothing is stored of these names" in reason for *_, reason in near(found)[0])
    assert any("no_verdict" in note for note in found.notes)


def test_what_was_said_of_names_is_sealed_with_the_recording(project):
    with StandIn([spec(TASK)], replies=words("true")) as standin:
        first = evaluate(project, standin)
    folder = project.cassettes / TASK
    pack(folder)
    for file in ("names.jsonl", "verdicts.jsonl"):
        (folder / file).unlink()
    assert told(project.evaluate(TASK, Replay(first.judge), system=agent)) == told(first)


# -- the store ------------------------------------------------------------------------------------------

FIRMS = TaskSpec(
    id="firms",
    nodes=(
        NodeSpec(
            name="main",
            keys=(KeySpec(name="company", kind="company", required=2), KeySpec(name="url", required=1)),
        ),
    ),
)
RECORDS = tuple(
    Record(node="main", item={"company": name}, url=f"https://p{at}.example/")
    for at, name in enumerate(("Arvado", "Arvado Group"))
)


class Confirming:
    """A judge that is asked about names alone."""

    name = "mine"

    def __init__(self, verdicts=None):
        self.asked = []
        self.verdicts = verdicts

    def confirms(self, key):
        return key.name == "company"

    async def confirm(self, task, lists):
        from pytest_wandr.model import NameVerdict

        self.asked += lists
        if self.verdicts is not None:
            return self.verdicts
        return [
            NameVerdict(node=each.node, key=each.key, under=each.under, a=pair.a, b=pair.b, same=True)
            for each in lists
            for pair in each.pairs
        ]

    async def ask(self, questions):
        return []


async def _named(folder, judge, name="mine"):
    submission = Submission(task_id="firms", system="s", records=RECORDS)
    return await confirm_names(FIRMS, submission, PageStore(folder), judge=judge, name=name)


async def test_a_judge_of_ones_own_may_confirm_names(tmp_path):
    judge = Confirming()
    first = await _named(tmp_path, judge)
    assert [verdict.same for verdict in first.verdicts] == [True]
    assert await _named(tmp_path, judge) == first
    assert len(judge.asked) == 1
    await _named(tmp_path, judge, name="mine, but newer")
    assert len(judge.asked) == 2


async def test_a_judge_that_leaves_a_pair_out_is_an_error(tmp_path):
    with pytest.raises(JudgeError, match="no verdict on the names .*Arvado"):
        await _named(tmp_path, Confirming(verdicts=[]))


async def test_the_words_of_several_judges_lie_in_one_file_sorted(tmp_path):
    for name in ("b", "a", "c"):
        await _named(tmp_path, Confirming(), name=name)
    lines = [json.loads(line) for line in (tmp_path / "names.jsonl").read_text().splitlines()]
    assert [line["judge"] for line in lines] == ["a", "b", "c"]
    assert NameStore(PageStore(tmp_path), "a").digest != NameStore(PageStore(tmp_path), "b").digest
    assert NameStore(PageStore(tmp_path), "nobody").digest == ""


HEX = b"0" * 64


@pytest.mark.parametrize(
    "damage",
    [b"nonsense\n", b'{"judge":"mine","key":"00","of":"","said":[]}\n',
     b'{"judge":"m\\q","key":"%s",}\n' % HEX, b'{"judge":"m\xff","key":"%s",}\n' % HEX,
     b'{"judge":"m\x01","key":"%s",}\n' % HEX],
    ids=["nonsense", "key", "escape", "utf-8", "control"],
)  # fmt: skip
async def test_a_damaged_file_is_an_error_that_names_it(damage, tmp_path):
    (tmp_path / "names.jsonl").write_bytes(damage)
    with pytest.raises(CassetteError, match=r"names\.jsonl:1: nothing that was said of names"):
        await _named(tmp_path, Confirming())


async def test_a_line_without_its_pairs_is_damaged(tmp_path):
    await _named(tmp_path, Confirming())
    path = tmp_path / "names.jsonl"
    line = json.loads(path.read_text()) | {"said": []}
    path.write_text(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n")
    with pytest.raises(CassetteError, match="nothing that was said of names"):
        await _named(tmp_path, Confirming())
