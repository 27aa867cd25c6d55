"""A small honest agent: it reads the recorded pages of a task, and quotes what it found.

It knows a few ways to state a fact, and nothing about the pages beforehand. It does not ask whether a source
is allowed, whether a schedule is out of date, or whether a post is an interim one: that is what it loses.
"""

import re
from collections.abc import Iterator
from typing import Any

from pytest_wandr.model import NodeSpec, TaskSpec
from pytest_wandr.systems import SolveContext
from pytest_wandr.systems.corpus import CorpusPage

NAME = r"[A-Z][\w-]+(?: [A-Z][\w-]+)+"
FACTS = [
    re.compile(pattern.replace("NAME", NAME))
    for pattern in (
        r"(?P<company>NAME) (?:has )?(?:appoint|name|elect)(?:s|ed) (?P<company_appointee>NAME) "
        r"as (?:its new )?(?P<role>\w+ \w+ officer)",
        r"(?:Announced|Published) on (?P<announced_on>[^.]+)\.",
        r"(?P<predecessor>NAME) (?:retires|leaves the post)",
        r"(?P<company>NAME) is admitted to trading",
        r"(?:T|t)icker(?: is| \||:)? (?P<ticker>[A-Z]{4})\b",
        r"(?:Services|Schedule of fees) of (?P<town>[A-Z][\w ]+)$",
        r"(?P<service>[A-Z][a-z ]+) \| (?P<fee>\d+) orlings",
        r"(?:valid from|applies from|in force from) (?P<valid_from>[^.]+)\.",
        r"The (?P<product>[A-Z]\w+ [A-Z]\d+ \w+) with lot number (?P<lot>[A-Z]{2}-\d{5})",
        r"lot (?P<lot>[A-Z]{2}-\d{5}) of the (?P<product>[A-Z]\w+ [A-Z]\d+ \w+)",
        r"(?P<product>[A-Z]\w+ [A-Z]\d+ \w+) (?:is made by|is) (?P<maker>NAME)\.",
        r"(?:risk of|because of) (?P<hazard>[a-z ]+)\.",
        r"(?:Recalled on|Date of recall:) (?P<recalled_on>[^.]+)\.",
        r"offers owners .* (?P<remedy>a .+?)\.",
    )
]


async def solve(task: TaskSpec, ctx: SolveContext) -> dict[str, list[dict[str, Any]]]:
    """Records for every node, no more of anything than was asked for."""
    return {node.name: list(collect(node, ctx)) for node in task.nodes}


def collect(node: NodeSpec, ctx: SolveContext) -> Iterator[dict[str, Any]]:
    """Read page after page; keep a record while its place in the hierarchy is wanted."""
    places: dict[tuple[str, ...], list[str]] = {}
    for page in ctx.corpus.pages():
        for record in read(page, node):
            path: tuple[str, ...] = ()
            for key in node.keys:
                value = record["url"] if key.name == "url" else record["item"][key.item_fields[0]]
                children = places.setdefault(path, [])
                if value not in children and len(children) >= key.required:
                    break
                children.append(value)
                path += (value,)
            else:
                yield record


def read(page: CorpusPage, node: NodeSpec) -> Iterator[dict[str, Any]]:
    """One record for each mention of the last entity key, if the page states all other fields somewhere."""
    found = [(m.groupdict(), block) for block in page.blocks for fact in FACTS for m in fact.finditer(block)]
    item_fields = [field for key in node.entity_keys for field in key.item_fields]
    for stated, block in found:
        if item_fields[-1] not in stated or not allowed(stated, node):
            continue
        values, excerpts = dict(stated), [block]
        for field in [*item_fields, *node.answer]:
            for others, passage in found:
                if field not in values and field in others:
                    values[field] = others[field]
                    excerpts += [passage] if passage not in excerpts else []
        if all(field in values for field in [*item_fields, *node.answer]):
            yield {
                "item": {field: values[field] for field in item_fields},
                "url": page.url,
                "excerpts": excerpts,
                "answer": {field: values[field] for field in node.answer},
            }


def allowed(values: dict[str, str], node: NodeSpec) -> bool:
    """False for a label that the task does not ask for."""
    return all(values.get(key.name, key.labels[0]) in key.labels for key in node.keys if key.labels)
