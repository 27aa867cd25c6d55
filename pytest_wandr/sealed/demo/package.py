"""What does a demo task package hold? Its four files, as text."""

from __future__ import annotations

import hashlib
import json
import re
from importlib.resources import files
from itertools import islice
from typing import TYPE_CHECKING

from pytest_wandr.model import Fixture, Record
from pytest_wandr.sealed.demo import patterns, rules
from pytest_wandr.sealed.demo.catalog import FOUR, THREE, TaskPlan
from pytest_wandr.sealed.demo.faults import Faulty, faults
from pytest_wandr.sealed.demo.prove import Library, NodePlan, proofs
from pytest_wandr.sealed.domains.appointments import outlets
from pytest_wandr.sealed.domains.recalls import pages as recalls
from pytest_wandr.sealed.rng import Rng

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_MARK = re.compile(r"@([A-Z_]+)@")


def texts(library: Library, task: TaskPlan, known: Iterable[Fixture]) -> dict[str, str]:
    """Each file's name and content."""
    values = _values(library, task)
    lines = (_line(fixture) for fixture in known)
    return {
        "task.toml": _filled(task, "task.toml", values),
        "instruction.md": _filled(task, "instruction.md", values),
        "fixtures.jsonl": "".join(lines),
    }


def fixtures(library: Library, task: TaskPlan) -> Iterator[Fixture]:
    """The known-good records of every node, then the known-bad ones."""
    good = {node.name: list(_good(library, node)) for node in task.nodes}
    for node in task.nodes:
        for record, why in good[node.name]:
            yield _known(library, node, Faulty(record, "", why))
    for node in task.nodes:
        for bad in faults(library, node, [record for record, _ in good[node.name]], task.hosts):
            yield _known(library, node, bad)


def _good(library: Library, node: NodePlan) -> Iterator[tuple[Record, str]]:
    """The records that the oracle hands in: the pages asked for, some of them through a redirect."""
    for claim in node.claims:
        found = list(islice(proofs(library, node, claim), node.pages))
        if len(found) < node.pages:
            raise ValueError(f"{node.name}: no {node.pages} pages prove {dict(claim.item)}")
        for record in found:
            short = _redirect(library, node, record)
            if short:
                yield (
                    record.model_copy(update={"url": short}),
                    "a page that proves the claim, through a redirect",
                )
            else:
                yield record, "a page that proves the claim"


def _redirect(library: Library, node: NodePlan, record: Record) -> str | None:
    """An address that redirects to the cited page, in some cases."""
    if not Rng("redirect", node.name, record.url).chance(50):
        return None
    leading = (spec.url for spec in library.web if spec.serving == "redirect" and spec.target == record.url)
    return next(leading, None)


def _known(library: Library, node: NodePlan, bad: Faulty) -> Fixture:
    verdict = library.verdict(node, bad.record)
    if verdict.full is None or verdict.full == bool(bad.fault):
        raise ValueError(f"{node.name}: {bad.fault or 'good'} fixture at {bad.record.url} has {verdict}")
    return Fixture(
        record=bad.record, full=verdict.full, retrieval=verdict.retrieval, fault=bad.fault, why=bad.why
    )


def _line(fixture: Fixture) -> str:
    record = fixture.record
    shown = {
        "node": record.node,
        "item": dict(record.item),
        "url": record.url,
        "excerpts": list(record.excerpts),
        "answer": dict(record.answer),
        "full": fixture.full,
        "retrieval": fixture.retrieval,
        "fault": fixture.fault,
        "why": fixture.why,
    }
    return json.dumps(shown, ensure_ascii=False) + "\n"


def _filled(task: TaskPlan, name: str, values: Mapping[str, str]) -> str:
    """A template of the package with the world's values in it."""
    text = files("pytest_wandr.sealed").joinpath("packages", task.id, name).read_text("utf-8")
    return _MARK.sub(lambda mark: values[mark[1]], text)


def _values(library: Library, task: TaskPlan) -> dict[str, str]:
    world = library.world
    companies = [claim.item["company"] for claim in task.nodes[0].claims if "company" in claim.item]
    official = rules.official(world).hosts
    trade = {recalls.SHOP.host, recalls.MAGAZINE.host}
    pairs = sorted(town.place.name for town in world.towns if " " in town.place.name)
    twins = [(f"Lower {name}", f"Upper {name}") for name in sorted({pair.split()[1] for pair in pairs})]
    return {
        "CANARY": f"wandr-canary {hashlib.sha256(task.id.encode()).hexdigest()[:16]}",
        "AUTHORITY": _list(outlets.AUTHORITY),
        "LISTING_AUTHORITY": _list(outlets.LISTING_AUTHORITY),
        "COMPANY_ALIASES": _aliases(companies[:3]),
        "REGULATOR": _list({recalls.REGULATOR.host}),
        "MAKERS": _list(rules.makers(world)),
        "OFFICIAL": _list(official),
        "TRADE": _list(trade),
        "TOWN_PAIRS": "[" + ", ".join(_list(twin) for twin in twins) + "]",
        "LABELS_FOUR": _list(FOUR, keep_order=True),
        "LABELS_THREE": _list(THREE, keep_order=True),
        "BULLETS_FOUR": "\n".join(f"- {name}" for name in FOUR),
        "BULLETS_THREE": "\n".join(f"- {name}" for name in THREE),
        **patterns.PATTERNS,
    }


def _list(values: Iterable[str], *, keep_order: bool = False) -> str:
    ordered = list(values) if keep_order else sorted(values)
    return "[" + ", ".join(f'"{value}"' for value in ordered) + "]"


def _aliases(names: Iterable[str]) -> str:
    return "{ " + ", ".join(f'"{name}" = ["{name} Inc."]' for name in names) + " }"
