"""What does a benchmark of full size look like on disk? Tasks, submissions and packed pages, all invented.

    <folder>/tasks/part/<id>/    every tenth task, for the growth from a tenth to the whole
    <folder>/tasks/rest/<id>/    the others
    <folder>/submissions/<id>/   what `dir:submissions` hands over
    <folder>/cassettes/<id>.zip  the pages, in the form that `wandr cassette pack` writes

The shape of the tasks and all names are those of `score_scale.py`. Every requirement is decided by a machine
check, so the judge `rules` suffices. Equal arguments give equal bytes.
"""

from __future__ import annotations

import functools
import hashlib
import json
import multiprocessing
import zipfile
import zlib
from typing import TYPE_CHECKING, NamedTuple

from score_scale import RECORDS, TASKS, mixed, records_of, sizes, task_of

from pytest_wandr.cassettes import Entry, PageStore
from pytest_wandr.model import YES, LedTo, Part, RecordVerdict, RequirementVerdict
from pytest_wandr.records import write_records
from pytest_wandr.remember import Memory
from pytest_wandr.solve import read_submission
from pytest_wandr.task import load_task

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_wandr.model import NodeSpec, Record, TaskSpec

PAGES = 100_000
"""Distinct pages of the whole; each is cited by one or two records."""
PAGE_BYTES = 60_000
_BLOCKS = 512
_DATA = ("track", "slot", "unit", "revision", "experiment")
_DATE = (1980, 1, 1, 0, 0, 0)
_SUBJECTS = ("barge", "mill", "lamp", "ferry", "quarry", "orchard", "bridge", "granary")
_VERBS = ("was repaired", "was sold", "stood empty", "was painted", "carried rope", "was flooded", "reopened")
_PLACES = ("Pell", "Quillby", "Ostermere", "Vantham", "Low Ferring", "Brask", "Ithendale")
_TAILS = (
    "because the harbour office had asked for it twice", "although nobody in the council remembered why",
    "and the keeper wrote the cost of 1,240 crowns into the ledger", "before the winter market was moved",
    "while the café on the quay sold “grain” and salt", "as an older plan of the town had shown",
)  # fmt: skip
_ABSENT = "excerpt 1 of 2: not on the page; closest: ..."


class Plan(NamedTuple):
    """One task of the suite: which, how large, and whether it belongs to the tenth."""

    number: int
    records: int
    of: int

    @property
    def name(self) -> str:
        """Its id; sizes come mixed when ids are sorted, as in a real suite."""
        return f"t{mixed(self.number + 1) % 1000:03}_{self.number:03}"

    @property
    def is_part(self) -> bool:
        """True for one in ten, spread over all sizes and shapes."""
        return self.number % 10 == 6 or self.of < 10


def plans(tasks: int) -> list[Plan]:
    """So many tasks, with as many records each as in the whole suite; fewer than ten are small ones."""
    wanted = sizes(tasks, round(RECORDS * tasks / TASKS) if tasks >= 10 else 80 * tasks)
    return [Plan(number, size, tasks) for number, size in enumerate(wanted)]


def build(folder: Path, tasks: int) -> None:
    """Write the whole suite, in two processes, unless it is there already."""
    done = folder / "suite.json"
    shape = {"tasks": tasks, "version": 3}
    if done.is_file() and json.loads(done.read_text()) == shape:
        return
    for name in ("submissions", "cassettes"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for _ in pool.imap_unordered(functools.partial(_build, folder), reversed(plans(tasks))):
            pass
    (folder / "pytest.ini").write_text("[pytest]\n")
    done.write_text(json.dumps(shape))


def _build(folder: Path, plan: Plan) -> None:
    task = task_of(plan.number + plan.number // 10, plan.records)
    pages = max(1, round(plan.records * PAGES / RECORDS))
    bare = list(records_of(task, plan.number, plan.records))
    records = [_filled(record, at, bare[at % pages], at % pages) for at, record in enumerate(bare)]
    place = folder / "tasks" / ("part" if plan.is_part else "rest") / plan.name
    place.mkdir(parents=True, exist_ok=True)
    (place / "task.toml").write_text(_manifest(plan.name, task), encoding="utf-8")
    (place / "instruction.md").write_text("Find the companies, and prove each with a page.\n")
    delivered = folder / "submissions" / plan.name
    delivered.mkdir(exist_ok=True)
    for node in task.nodes:
        own = [record for record in records if record.node == node.name]
        (delivered / node.file_name).write_text(write_records(own), encoding="utf-8")
    _pack(folder / "cassettes" / f"{plan.name}.zip", plan, records[:pages], bare)
    _store_verdicts(folder, place, plan)


def _filled(record: Record, at: int, cited: Record, page: int) -> Record:
    """The record with the page it cites, an answer and two excerpts; three in ten quote what is not there."""
    fact = fact_of(record)
    if mixed(at) % 100 < 30:
        fact = fact.replace("announced", "strongly denied")
    slug = cited.item["company"].lower().replace(" ", "-").strip(".")
    return record.model_copy(
        update={
            "url": f"https://www.{slug}.example/news/{page}/{mixed(page)}?id={page % 4}&utm_source=feed",
            "excerpts": (fact, sentence(mixed(page) % _BLOCKS)),
            "answer": {"announced_on": "3 March 2026"},
        }
    )


def fact_of(record: Record) -> str:
    """The sentence on a page that proves a record."""
    who = ", ".join(value for name, value in record.item.items() if name != "company")
    return f"On 3 March 2026 {record.item['company']} announced {who or 'its listing'} to its shareholders."


def sentence(number: int) -> str:
    """One of the sentences that all pages are made of."""
    parts = (_SUBJECTS, _VERBS, _PLACES, _TAILS)
    chosen = [table[mixed(number * 5 + nth) % len(table)] for nth, table in enumerate(parts)]
    return f"In 18{number % 100:02} the {chosen[0]} no. {number} {chosen[1]} at {chosen[2]} {chosen[3]}."


@functools.cache
def _blocks() -> tuple[bytes, ...]:
    """Paragraphs as a page's markup has them: links, classes, references."""
    made = []
    for number in range(_BLOCKS):
        first, second = sentence(number), sentence(number * 7 + 3)
        marks = "".join(f' data-{name}="{mixed(number * 9 + at):x}"' for at, name in enumerate(_DATA))
        icon = f'<svg viewBox="0 0 24 24"><path d="M{number} 4h7v2H{number % 50}zm3 9l-5 5-1"></path></svg>'
        text = (
            f'<div class="story-block story-block--wide c-{number % 30}"{marks}><div class="inner">{icon}'
            f'<p class="story-text" id="p{number}">{first} <b>{number}</b> <a class="ref link link--inline"'
            f' href="/archive/{number}/item-{mixed(number)}?utm_source=story&amp;utm_medium=inline"{marks}>'
            f"{second}</a> &amp; more.</p></div></div>\n"
        )
        made.append(text.encode())
    return tuple(made)


@functools.cache
def _head() -> bytes:
    """Styles and scripts, as long as they are on saved pages."""
    rules = "".join(f".story-block--{n}{{margin:{n}px 0;color:#{mixed(n):06x}}}\n" for n in range(250))
    state = json.dumps({f"item{n}": {"id": mixed(n), "tags": ["a", "b"]} for n in range(200)})
    return f"<style>{rules}</style><script>window.state = {state};</script>\n".encode()


def _page(number: int, first: int, facts: list[str]) -> bytes:
    """A page of about 60 KB, from 31 to 90 KB."""
    seed = mixed(number + 17)
    size = PAGE_BYTES * (50 + seed % 101) // 100
    blocks = _blocks()
    parts = [
        b'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>News</title>\n',
        _head(),
        b"</head><body>\n"
        b'<nav><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul></nav><h1>News</h1>\n',
        blocks[first],
    ]
    total, at = sum(map(len, parts)), seed
    stated = [f'<p class="fact">{fact}</p>\n'.encode() for fact in facts]
    while total < size:
        if stated and total > size // 3:
            parts += stated
            stated = []
        at = (at * 5 + 77) % 104_729
        block = blocks[at % _BLOCKS]
        parts.append(block)
        total += len(block)
    parts.append(b"<footer><p>Printed by the town press.</p></footer></body></html>\n")
    return b"".join(parts)


def _pack(path: Path, plan: Plan, cited: list[Record], bare: list[Record]) -> None:
    """The packed recording of one task, with cheap compression."""
    members: dict[str, bytes] = {}
    lines: list[tuple[str, str]] = []
    for number, record in enumerate(cited):
        first = mixed(number) % _BLOCKS  # whoever cites the page quotes this paragraph too
        body = _page(plan.number * 7919 + number, first, [fact_of(one) for one in bare[number :: len(cited)]])
        name = hashlib.sha256(body).hexdigest()
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        members[f"blobs/{name[:2]}/{name}.gz"] = packer.compress(body) + packer.flush()
        kind = {"content-type": "text/html; charset=utf-8"}
        entry = Entry.of(record.url, status=200, headers=kind, blob=name, size=len(body))
        lines.append((entry.url, entry.line()))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        index = "".join(line for _, line in sorted(lines)).encode()
        for member, data in [("index.jsonl", index), *sorted(members.items())]:
            info = zipfile.ZipInfo(member, _DATE)
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)


def _manifest(name: str, task: TaskSpec) -> str:
    nodes = "".join(_node(node) for node in task.nodes)
    return f'schema_version = "1"\nid = "{name}"\ntitle = "An invented task"\n{nodes}'


def _node(node: NodeSpec) -> str:
    keys = ", ".join(
        f'{{ name = "{key.name}", kind = "{key.kind}", required = {key.required}'
        + (f", labels = {json.dumps(key.labels)}" if key.labels else "")
        + " }"
        for key in node.keys
    )
    named = json.dumps([key.name for key in node.entity_keys])
    return f"""
[[nodes]]
name = "{node.name}"
keys = [{keys}]
answer = ["announced_on"]
[[nodes.requirements]]
id = "names"
text = "The page names everything that the record names."
check = {{ mentions = {named} }}
decisive = true
[[nodes.requirements]]
id = "window"
text = "It was announced between 1 March and 30 April 2026."
check = {{ date = "announced_on", from = 2026-03-01, to = 2026-04-30 }}
decisive = true
"""


def _store_verdicts(folder: Path, place: Path, plan: Plan) -> None:
    """What `rules` may have said of every record, stored under the keys that a replay looks up."""
    task = load_task(place)
    pages = PageStore(folder / "cassettes" / plan.name)
    records = read_submission(task, folder / "submissions" / plan.name, name="invented").records
    memory = Memory(task, pages, "rules")
    memory.remember(records, [_verdict(record, at) for at, record in enumerate(records)])


def _verdict(record: Record, at: int) -> RecordVerdict:
    """Three in ten quote what is not on the page, two in ten are not named on it, the rest is proven."""
    roll = mixed(at * 31 + len(record.url)) % 100
    quoted = (
        YES if roll >= 30 else Part(value=False, code="excerpt_absent", reason=f"{_ABSENT}{fact_of(record)}")
    )
    named = (
        YES if roll < 30 or roll >= 50 else Part(value=False, code="not_mentioned", reason=_unnamed(record))
    )
    shown = [
        RequirementVerdict(id="names", satisfied=named, supported=named),
        RequirementVerdict(id="window", satisfied=YES, supported=YES),
    ]
    return RecordVerdict(
        page_content_usable=YES,
        answer_intent_clear=YES,
        excerpts_faithful=quoted,
        overall_valid=YES,
        requirements_all_satisfied=named,
        requirements_all_supported=named,
        requirements=tuple(shown),
        judge="rules",
        page=LedTo(final_url=record.url, digest=hashlib.sha256(record.url.encode()).hexdigest()),
    )


def _unnamed(record: Record) -> str:
    name = next(reversed(record.item.values()))
    return f'names ("The page names everything that the record names."): the text does not name {name!r}'


def bodies(path: Path) -> Iterator[bytes]:
    """The compressed bodies of one packed recording."""
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if info.filename.startswith("blobs/"):
                yield archive.read(info)
