"""Does the judge agree with the truth? Requirement by requirement, on claims and pages of the whole web.

`WANDR_FULL_AUDIT=1` compares every pair (some minutes); otherwise a fixed sample of each node.
"""

import hashlib
import os
from functools import cache
from pathlib import Path

import pytest

from pytest_wandr.checks import run_check
from pytest_wandr.checks.cited import read_cited
from pytest_wandr.checks.subject import Subject, excerpts_text
from pytest_wandr.model import Page
from pytest_wandr.sealed import open_web
from pytest_wandr.sealed.demo.prove import cite, proofs
from pytest_wandr.sealed.rng import Rng
from pytest_wandr.sealed.web import SHOWN
from pytest_wandr.task import load_task

ROOT = Path(__file__).parents[2]
IDS = (
    "ceo_cfo_appointments", "executive_changes", "listed_issuers", "maker_recalls", "recall_three_sources",
    "recalled_lots", "town_fees_double_proof", "town_service_fees",
)  # fmt: skip
PAIRS = None if os.environ.get("WANDR_FULL_AUDIT") else 120


@cache
def cited(url):
    answer = open_web().answer(url)
    return read_cited(Page(
        url=url, final_url=url, status=answer.status, media_type=answer.headers["content-type"],
        body=answer.body, digest=hashlib.sha256(answer.body).hexdigest(),
    ))  # fmt: skip


def pairs(library, node):
    """Every claim with every page that names something of it; twins and other things on the page included."""
    for claim in (*node.claims, *node.others):
        for spec in library.pages(set.union(*library.naming(claim))):
            if spec.serving in SHOWN:
                yield claim, spec


@pytest.mark.parametrize("name", IDS)
def test_checks_and_truth_agree_on_every_requirement(library, tasks, name):
    task = load_task(ROOT / "tasks" / name)
    differ, compared = [], 0
    for plan in tasks[name].nodes:
        node = task.node(plan.name)
        for claim, spec in Rng("audit", plan.name).shuffled(list(pairs(library, plan)))[:PAIRS]:
            record, page = cite(library, plan, claim, spec.url), cited(spec.url)
            truth = library.verdict(plan, record)
            texts = {"satisfied": page.text, "supported": excerpts_text(record.excerpts)}
            for reading, text in texts.items() if record.excerpts else []:
                subject = Subject(record, node, text, page.final_url, page.lang, page.written_in)
                for one in node.requirements:
                    found, known = run_check(one.check, subject).value, getattr(truth, reading)[one.id]
                    compared += known is not None
                    if known is not None and found is not known:
                        differ.append((spec.url, one.id, reading, found, known, dict(record.item)))
    assert differ == []
    assert compared > 100


@pytest.mark.parametrize("name", IDS)
def test_rules_of_the_truth_have_the_names_of_the_requirements(tasks, name):
    task = load_task(ROOT / "tasks" / name)
    for plan in tasks[name].nodes:
        assert [rule.id for rule in plan.demand.rules] == [
            one.id for one in task.node(plan.name).requirements
        ]
        assert plan.demand.answer == task.node(plan.name).answer


@pytest.mark.parametrize("name", IDS)
def test_every_required_path_has_two_valid_pages(library, tasks, name):
    for plan in tasks[name].nodes:
        for claim in list(plan.claims)[::5]:
            pages = {record.url for record in proofs(library, plan, claim)}
            named = set.intersection(*library.naming(claim))
            pdfs = [spec.url for spec in library.pages(named) if spec.serving == "pdf"]
            pages |= {url for url in pdfs if library.verdict(plan, cite(library, plan, claim, url)).full}
            assert len(pages) >= max(2, plan.pages), dict(claim.item)
