"""The eight demo tasks: as the generator makes them, judged by `rules` alone, and 1.0 for the oracle."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import fetch, open_fetcher
from pytest_wandr.judge import judge
from pytest_wandr.judges.rules import Rules
from pytest_wandr.model import (
    AllOf,
    AnyOf,
    DateIn,
    HostIs,
    LanguageIs,
    Matches,
    Mentions,
    Not,
    NumberIn,
    Submission,
)
from pytest_wandr.rewards import REWARDS
from pytest_wandr.score import score_task
from pytest_wandr.sealed.demo.faults import FAULTS
from pytest_wandr.sealed.tasks import demo_ids
from pytest_wandr.task import load_fixtures, load_task

ROOT = Path(__file__).parents[2]
IDS = (
    "ceo_cfo_appointments", "executive_changes", "listed_issuers", "maker_recalls", "recall_three_sources",
    "recalled_lots", "town_fees_double_proof", "town_service_fees",
)  # fmt: skip
RECORDS = {
    "ceo_cfo_appointments": 60, "executive_changes": 48, "listed_issuers": 20, "maker_recalls": 20,
    "recall_three_sources": 30, "recalled_lots": 30, "town_fees_double_proof": 48, "town_service_fees": 64,
}  # fmt: skip
ALWAYS = ("altered_name", "foreign_excerpt", "no_excerpt", "gone", "soft404", "consent", "login", "script")
SPOILS = {
    "page_content_usable": ("gone", "soft404", "consent", "login", "script", "hangup"),
    "answer_intent_clear": ("missing_answer",),
    "excerpts_faithful": (
        "altered_digit", "altered_name", "negated", "stitched", "foreign_excerpt", "no_excerpt",
    ),
    "overall_valid": ("wrong_label",),
    "requirements_all_supported": ("unsupported",),
    "requirements_all_satisfied": (
        "unsatisfied", "stale", "contradictory", "namesake", "copy", "interim", "withdrawn",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def loaded():
    """(task, fixtures) by id, as anybody would load them."""
    found = {}
    for name in IDS:
        task = load_task(ROOT / "tasks" / name)
        found[name] = (task, load_fixtures(ROOT / "tasks" / name, task))
    return found


@pytest.fixture(params=IDS)
def demo(request, loaded):
    return loaded[request.param]


@cache
def judged(name):
    """(task, fixtures, verdicts of `rules` on them), from the recording alone."""
    task = load_task(ROOT / "tasks" / name)
    fixtures = load_fixtures(ROOT / "tasks" / name, task)
    return task, fixtures, asyncio.run(_verdicts(task, fixtures))


async def _verdicts(task, fixtures):
    submission = Submission(task_id=task.id, system="oracle", records=tuple(one.record for one in fixtures))
    async with open_fetcher(PageStore(ROOT / "cassettes" / task.id, environment={})) as fetcher:
        pages = await fetch(submission, fetcher)
    return await judge(task, submission, pages, Rules())


def scored(name, *, good):
    """The score of the good records, or of the bad ones."""
    task, fixtures, verdicts = judged(name)
    kept = [(one, verdict) for one, verdict in zip(fixtures, verdicts, strict=True) if one.full is good]
    return score_task(task, [one.record for one, _ in kept], [verdict for _, verdict in kept])


def test_the_generator_makes_these_tasks_and_no_others(web):
    assert tuple(demo_ids(web)) == IDS
    assert {path.name for path in (ROOT / "tasks").iterdir()} >= set(IDS)


def contents(root):
    """Every file by its path: bodies decoded, since compressed bytes differ between builds of zlib."""
    found = {}
    for name in IDS:
        for path in sorted((root / "tasks" / name).iterdir()):
            found[name, path.name] = path.read_bytes()
        store = PageStore(root / "cassettes" / name, environment={})
        found[name, "index"] = store.index_path.read_bytes()
        for entry in store.entries():
            if entry.blob:
                found[name, entry.blob] = store.blobs.get(entry.blob, entry.size)
        blobs = (root / "cassettes" / name / "blobs").rglob("*.gz")
        found[name, "names"] = sorted(path.name for path in blobs)
    return found


def test_building_again_gives_the_same_files(tmp_path):
    subprocess.run(
        [sys.executable, str(ROOT / "tools" / "build_demo.py"), "--into", str(tmp_path)],
        env={**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "PYTHONPATH": str(ROOT)},
        check=True, capture_output=True,
    )  # fmt: skip
    built, kept = contents(tmp_path), contents(ROOT)
    assert built.keys() == kept.keys()
    assert [key for key in kept if built[key] != kept[key]] == []


def test_recordings_are_small_and_whole():
    files = [path for path in (ROOT / "cassettes").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) <= 4_000_000
    for name in IDS:
        assert PageStore(ROOT / "cassettes" / name, environment={}).check() == ()


def test_recordings_hold_invented_urls_only(web):
    for name in IDS:
        for url in PageStore(ROOT / "cassettes" / name, environment={}).urls():
            assert url in web.specs


def test_sizes_are_as_announced(demo):
    task, _ = demo
    assert task.required_records == RECORDS[task.id]
    assert 10 <= task.required_records <= 150


def test_every_requirement_is_decided_by_machine(demo):
    task, _ = demo
    for node in task.nodes:
        assert node.requirements
        assert all(one.decisive and one.check and one.text for one in node.requirements)


def test_between_them_the_tasks_show_every_pattern(loaded):
    shapes = {name: _shape(task) for name, (task, _) in loaded.items()}
    assert shapes["listed_issuers"] == {"flat"}
    assert shapes["recalled_lots"] == {"nested"}
    assert shapes["recall_three_sources"] == {"several pages"}
    assert shapes["town_service_fees"] == {"matrix"}
    assert shapes["ceo_cfo_appointments"] >= {"branches"}
    assert shapes["maker_recalls"] == {"deep"}
    assert shapes["town_fees_double_proof"] == {"matrix", "several pages"}
    assert shapes["executive_changes"] >= {"nested", "several pages", "branches"}


def _shape(task):
    middle = [key for key in task.main.entity_keys[1:] if not key.labels]
    shape = {"branches"} if len(task.nodes) > 1 else set()
    shape |= {"matrix"} if any(key.labels for key in task.main.keys) else set()
    shape |= {"several pages"} if task.main.keys[-1].required > 1 else set()
    shape |= {"nested"} if len(middle) == 1 else {"deep"} if len(middle) > 1 else set()
    return shape or {"flat"}


def test_between_them_the_tasks_use_every_check_and_most_options(loaded):
    checks = {type(check) for task, _ in loaded.values() for node in task.nodes
              for one in node.requirements for check in _all_checks(one.check)}  # fmt: skip
    assert checks == {AllOf, AnyOf, DateIn, HostIs, LanguageIs, Matches, Mentions, Not, NumberIn}
    keys = [key for task, _ in loaded.values() for node in task.nodes for key in node.keys]
    assert {key.kind for key in keys} >= {"company", "person", "product", "place", "enum", "id"}
    for option in ("aliases", "distinct", "also", "fields", "labels"):
        assert any(getattr(key, option) for key in keys), option
    assert {key.policy for key in keys} >= {"strict", "balanced"}
    assert any(task.gate for task, _ in loaded.values())


def _all_checks(check):
    yield check
    for inner in (*getattr(check, "all", ()), *getattr(check, "any", ())):
        yield from _all_checks(inner)
    if isinstance(check, Not):
        yield from _all_checks(check.not_)


def test_instructions_say_what_to_write_and_leak_no_host(demo):
    task, _ = demo
    hosts = {host for node in task.nodes for one in node.requirements for check in _all_checks(one.check)
             if isinstance(check, HostIs) for host in check.host}  # fmt: skip
    assert not [host for host in hosts if host in task.instruction]
    assert ".example" not in task.instruction
    for node in task.nodes:
        assert f"`{node.file_name}`" in task.instruction
        fields = [name for key in node.entity_keys for name in key.item_fields]
        for field in (*fields, *node.answer):
            assert re.search(rf"\b{field}\b", task.instruction), field
        for key in node.keys:
            assert not key.labels or all(f"- {label}\n" in task.instruction for label in key.labels)
    assert str(task.main.keys[0].required) in task.instruction


def test_examples_in_the_instructions_are_records(demo):
    task, _ = demo
    examples = [json.loads(text) for text in re.findall(r"```json\n(.*?)\n```", task.instruction, re.DOTALL)]
    assert len(examples) == len(task.nodes)
    for example, node in zip(examples, task.nodes, strict=True):
        assert set(example["item"]) == {name for key in node.entity_keys for name in key.item_fields}
        assert set(example.get("answer", {})) == set(node.answer)


def test_canaries_differ(loaded):
    canaries = {task.canary for task, _ in loaded.values()}
    assert len(canaries) == len(IDS)
    assert all(canary.startswith("wandr-canary ") for canary in canaries)


@pytest.mark.parametrize("name", IDS)
def test_the_judge_agrees_with_every_fixture(name):
    _, fixtures, verdicts = judged(name)
    wrong = [
        (one.fault, one.record.url, verdict.first(False))
        for one, verdict in zip(fixtures, verdicts, strict=True)
        if (verdict.full, verdict.retrieval) != (one.full, one.retrieval)
    ]
    assert wrong == []


@pytest.mark.parametrize("name", IDS)
def test_the_judge_finds_the_fault_where_it_is(name):
    part_of = {fault: part for part, kinds in SPOILS.items() for fault in kinds}
    _, fixtures, verdicts = judged(name)
    for one, verdict in zip(fixtures, verdicts, strict=True):
        kind, _, requirement = one.fault.partition(":")
        if kind:
            assert getattr(verdict, part_of[kind]).value is False, (one.fault, one.record)
        if requirement:
            found = next(found for found in verdict.requirements if found.id == requirement)
            reading = found.supported if kind == "unsupported" else found.satisfied
            assert reading.value is False
            assert reading.reason


@pytest.mark.parametrize("name", IDS)
def test_the_oracle_scores_one_on_all_twelve_rewards(name):
    score = scored(name, good=True)
    assert score.rewards == dict.fromkeys(REWARDS, 1.0)
    assert not score.incomplete
    assert score.diagnostics.near_duplicates == ()


@pytest.mark.parametrize("name", IDS)
def test_the_bad_records_alone_score_zero_in_full(name):
    rewards = scored(name, good=False).rewards
    assert {reward: value for reward, value in rewards.items() if reward.endswith("_full") and value} == {}


def test_every_kind_of_fault_is_known_and_explained(loaded):
    kinds = Counter(
        one.fault.partition(":")[0] for _, fixtures in loaded.values() for one in fixtures if one.fault
    )
    assert set(kinds) == set(FAULTS) == {kind for kinds in SPOILS.values() for kind in kinds}
    page = (ROOT / "docs" / "sealed-web.md").read_text("utf-8")
    assert not [kind for kind in FAULTS if f"`{kind}" not in page]


def test_every_node_has_faults_of_all_common_kinds(demo):
    task, fixtures = demo
    for node in task.nodes:
        kinds = {one.fault for one in fixtures if one.record.node == node.name}
        assert kinds >= set(ALWAYS)
        assert all(one.why for one in fixtures)


UNFAILABLE = {
    # A page that does not name the entity cannot show the facts that are tied to it.
    ("ceo_cfo_appointments.company_listing", "names"), ("executive_changes.company_listing", "names"),
    ("listed_issuers", "names"),
}  # fmt: skip


def test_every_requirement_has_a_record_that_fails_it(demo):
    task, fixtures = demo
    for node in task.nodes:
        failed = {one.fault.partition(":")[2] for one in fixtures if one.record.node == node.name}
        wanted = {one.id for one in node.requirements}
        assert {(node.name, requirement) for requirement in wanted - failed} <= UNFAILABLE


def test_good_records_cite_no_pdf(demo, web):
    """Reading a PDF takes an extra, and the demo needs none."""
    _, fixtures = demo
    assert not [one for one in fixtures if web.final(one.record.url).serving == "pdf"]


def test_some_good_records_come_through_a_redirect(loaded, web):
    through = [one for _, fixtures in loaded.values() for one in fixtures
               if one.full and web.specs[one.record.url].serving == "redirect"]  # fmt: skip
    assert len(through) >= 3


def test_agents_find_list_pages_and_stray_pages_in_every_recording(demo, web):
    task, fixtures = demo
    recorded = set(PageStore(ROOT / "cassettes" / task.id, environment={}).urls())
    assert sum(web.specs[url].kind == "hub" for url in recorded) >= 5
    assert len(recorded - {one.record.url for one in fixtures}) >= 20
