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
from pytest_wandr.model import Page, Record
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
FULL = os.environ.get("WANDR_FULL_AUDIT")
PAIRS, MIXED = (None, 2000) if FULL else (120, 60)


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


def mixed_up(library, plan, hosts, number):
    """A record that puts together what does not belong together: keyed draws from claims and pages."""
    rng, claims = Rng("mixed up", plan.name, number), [*plan.claims, *plan.others]
    base = rng.sub("base").pick(claims)
    near = [spec for spec in library.pages(set.union(*library.naming(base))) if spec.serving in SHOWN]
    here = [spec for spec in library.web if spec.outlet.host in hosts and spec.serving in SHOWN]
    url = rng.sub("page").pick(near if near and rng.sub("near").chance(85) else here).url
    words = {word for fact in library.web.facts(url) for word in fact[1:]}
    answer = {}
    for field in base.answer:
        other = rng.sub("other", field).pick(claims) if rng.sub("swap", field).chance(50) else base
        stated = [word for word in other.answer[field] if word in words]
        answer[field] = rng.sub("word", field).pick(stated or other.answer[field])
    item = {
        key: rng.sub("item", key).pick(claims).item[key] if rng.sub("mix", key).chance(30) else value
        for key, value in base.item.items()
    }
    said = rng.sub("said").sample(library.web.statements(url), rng.sub("count").between(1, 5))
    return Record(node=plan.name, item=item, url=url, excerpts=[one.text for one in said], answer=answer)


def differences(library, plan, node, records):
    """Where checks and truth differ; what the truth leaves open is left out. And how much was compared."""
    differ, compared = [], 0
    for record in records:
        page, truth = cited(record.url), library.verdict(plan, record)
        texts = {"satisfied": page.text, "supported": excerpts_text(record.excerpts)}
        for reading, text in texts.items() if record.excerpts else []:
            subject = Subject(record, node, text, page.final_url, page.lang, page.written)
            for one in node.requirements:
                found, known = run_check(one.check, subject), getattr(truth, reading)[one.id]
                compared += known is not None
                if known is not None and found.value is not known:
                    differ.append((record, one.id, reading, found, known))
    return differ, compared


@pytest.mark.parametrize("name", IDS)
def test_checks_and_truth_agree_on_every_requirement(library, tasks, name):
    task = load_task(ROOT / "tasks" / name)
    for plan in tasks[name].nodes:
        chosen = Rng("audit", plan.name).shuffled(list(pairs(library, plan)))[:PAIRS]
        records = (cite(library, plan, claim, spec.url) for claim, spec in chosen)
        differ, compared = differences(library, plan, task.node(plan.name), records)
        assert differ == []
        assert compared > 50


@pytest.mark.parametrize("name", IDS)
def test_checks_and_truth_agree_on_records_that_mix_things_up(library, tasks, name):
    task = load_task(ROOT / "tasks" / name)
    for plan in tasks[name].nodes:
        records = (mixed_up(library, plan, tasks[name].hosts, number) for number in range(MIXED))
        differ, compared = differences(library, plan, task.node(plan.name), records)
        assert differ == []
        assert compared > MIXED


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
