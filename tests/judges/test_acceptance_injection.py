"""Text that a system or a page smuggles in never turns a verdict into true."""

import asyncio
import html
import json
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from pytest_wandr.judge import judge
from pytest_wandr.model import NameList, NamePair, Page, Record, Submission, TaskSpec
from pytest_wandr.testing import StandIn
from tests.judges.wandr_demo import Project, parts_of

CASES = Path(__file__).parents[1] / "cases" / "injection_payloads.jsonl"
PAYLOADS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def make_task(**requirement):
    """The judge is given the requirement in words alone, the stand-in the check that decides it."""
    told = {"id": "confirmed", "text": "The page says that the harbour was confirmed open by its master."}
    return TaskSpec.model_validate({
        "id": "harbours",
        "instruction": "Find harbours that their master confirmed to be open.",
        "nodes": [
            {
                "name": "harbours",
                "keys": [{"name": "town", "kind": "text", "required": 5}, {"name": "url", "required": 1}],
                "answer": ["state"],
                "requirements": [told | requirement],
            }
        ],
    })  # fmt: skip


ASKED = make_task()
TRUTH = make_task(check={"matches": "the harbour master confirmed"}, decisive=True)
BODY = "<p>Quaymouth harbour has two piers and a light.</p><p>Boats are let on Sundays in summer.</p>"
PLACES = {
    "page": lambda text: {"extra": text},
    "page, escaped": lambda text: {"extra": f"<p>{html.escape(text)}</p>"},
    "title": lambda text: {"title": text},
    "hidden": lambda text: {
        "extra": f'<div style="display:none">{text}</div><p hidden>{html.escape(text)}</p><!-- {text} -->'
    },
    "attribute": lambda text: {
        "extra": f'<img alt="{html.escape(text)}" title="{text}"><p lang="{text}">x</p>'
    },
    "excerpt": lambda text: {"excerpts": (text,), "extra": f"<p>{html.escape(text)}</p>"},
    "excerpt, not on the page": lambda text: {"excerpts": ("Boats are let on Sundays in summer.", text)},
    "answer": lambda text: {"answer": {"state": text}},
    "answer, nested": lambda text: {"answer": {"state": "open", text: [text, {text: text}]}},
    "item name": lambda text: {"town": text},
    "url": lambda text: {"url": "https://harbours.example/?q=" + "".join(c for c in text if c > " ")[:200]},
}


def made(number, *, extra="", title="Quaymouth", town="Quaymouth", excerpts=None, answer=None, url=None):
    """A record and its page, with text in one place."""
    url = url or f"https://harbours.example/{number}"
    body = f"<!doctype html><html lang=en><title>{title}</title><body>{BODY}{extra}</body></html>"
    record = Record.model_construct(
        node="harbours",
        item={"town": town},
        url=url,
        excerpts=excerpts or ("Boats are let on Sundays in summer.",),
        answer=answer or {"state": "open"},
    )
    page = Page(
        url=url,
        final_url=url,
        status=200,
        media_type="text/html; charset=utf-8",
        body=body.encode("utf-8", "surrogatepass"),
    )
    return record, page


def verdicts(folder, cases, mode, **config):
    """The verdicts of records with these payloads, and the stand-in that was asked."""
    records, pages = zip(*(made(at, **what) for at, (_, _, what) in enumerate(cases)), strict=True)
    project = Project(folder)
    submission = Submission.model_construct(task_id="harbours", system="s", records=records)
    with StandIn([TRUTH], mode=mode) as standin:
        project.configure(standin.config(**config))
        asked = judge(ASKED, submission, {page.url: page for page in pages}, project.judge())
        return asyncio.run(asked), standin


def raised(found):
    """Which verdicts say true where the truth is false."""
    wrong = []
    for at, verdict in enumerate(found):
        parts = parts_of(verdict)
        names = [name for name in parts if "requirements" in name or name.startswith("confirmed")]
        wrong += [(at, name) for name in names if parts[name].value is True]
    return wrong


def everywhere():
    return [
        (payload["id"], place, PLACES[place](payload["text"])) for payload in PAYLOADS for place in PLACES
    ]


def test_there_are_60_payloads_of_many_kinds():
    assert len(PAYLOADS) == len({payload["id"] for payload in PAYLOADS}) == 60
    kinds = Counter(payload["id"].rpartition("-")[0] for payload in PAYLOADS)
    assert len(kinds) >= 15


def some():
    return everywhere()[::7]


@pytest.mark.parametrize(
    ("protocol", "cases"),
    [("openai-chat", everywhere()), ("openai-responses", some()), ("anthropic", some())],
    ids=["openai-chat", "openai-responses", "anthropic"],
)
def test_no_payload_in_any_place_reaches_a_gullible_judge(protocol, cases, tmp_path):
    found, standin = verdicts(tmp_path, cases, "gullible", protocol=protocol)
    assert [cases[at][:2] for at, _ in raised(found)] == []
    assert all(call.document is not None for call in standin.calls)
    answered = sum(verdict.requirements[0].satisfied.code == "judged" for verdict in found)
    assert answered >= 0.97 * len(cases)


def test_payloads_do_reach_it_when_the_document_is_not_escaped(monkeypatch, tmp_path):
    """So the zero above is not for want of a judge that obeys."""
    raw = partial(json.dumps, ensure_ascii=False)
    monkeypatch.setattr("pytest_wandr.judges.llm.prompt.escaped", raw)
    found, _ = verdicts(tmp_path, some(), "gullible")
    assert len(raised(found)) > len(some()) / 4


def test_the_same_records_are_true_to_a_judge_that_says_yes_and_is_not_tested(tmp_path):
    """So the zero above is not for want of a question."""
    found, _ = verdicts(tmp_path, some(), "yes", canaries=False)
    assert len({at for at, _ in raised(found)}) >= 0.9 * len(some())


@pytest.mark.parametrize("mode", ["yes", "obedient"])
def test_canaries_find_a_judge_that_obeys_its_data(mode, tmp_path):
    found, standin = verdicts(tmp_path, some(), mode)
    assert raised(found) == []
    assert {verdict.requirements[0].satisfied.code for verdict in found} <= {"judge_untrusted", "not_asked"}
    assert standin.count == 1


def test_no_name_makes_two_names_one(tmp_path):
    """Names that look alike are put to the judge, too."""
    pairs = tuple(NamePair(a=f"Arvado {each['text']}", b="Arvado") for each in PAYLOADS)
    listed = tuple(sorted({name for pair in pairs for name in (pair.a, pair.b)}))
    names = NameList(node="harbours", key="town", kind="text", under=((),), names=listed, pairs=pairs)
    project = Project(tmp_path)
    with StandIn([TRUTH], mode="gullible", replies={"pairs": apart}) as standin:
        project.configure(standin.config(confirm_names=True))
        found = asyncio.run(project.judge().confirm(ASKED, [names]))
    assert [verdict.a for verdict in found if verdict.same is not False] == []
    assert len(found) == len(PAYLOADS)


def apart(document):
    entries = [{"id": pair["id"], "reason": "they differ", "same": "false"} for pair in document["pairs"]]
    return {"pairs": entries}
