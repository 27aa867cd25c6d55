"""Reusable hypothesis strategies: random tasks, submissions for them, verdicts. All names are invented.

`NAMES` and `PAGES` say what is the same as what, so that tests need not ask the code under test.
"""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import settings
from hypothesis import strategies as st

from pytest_wandr.model import PARTS, KeySpec, LedTo, NodeSpec, Record, RecordVerdict, Rejected, TaskSpec

COSTLY = settings(max_examples=max(settings.default.max_examples // 4, 10))
"""For laws whose every example is a whole task, or a list of verdicts: a quarter of the profile's."""
NAMES = {  # value as written: (identity, spelling)
    "Arvado": ("arvado", "arvado"),
    " ARVADO ": ("arvado", "arvado"),
    "Arvado Inc.": ("arvado", "arvado inc"),
    "arvado, INC": ("arvado", "arvado inc"),
    "Belmorix": ("belmorix", "belmorix"),
    "Belmorix Ltd": ("belmorix", "belmorix ltd"),
    "Cindrale": ("cindrale", "cindrale"),
    "CINDRALE": ("cindrale", "cindrale"),
    "Dovanquist GmbH": ("dovanquist", "dovanquist gmbh"),
}
LABELS = ("North", "South", "West")
VALUES = {"North": "North", "south": "South", "WEST": "West", "Nowhere": None, "elsewhere": None}
"""Values of a labelled key and the label that each stands for."""
PAGES = {  # url as written: the page by url alone
    "https://one.example/a": "one/a",
    "http://www.one.example/a/": "one/a",
    "https://one.example/b": "one/b",
    "https://two.example/": "two",
    "two.example": "two",
    "https://three.example/x?id=3": "three/3",
}
READINGS = ((True, True), (False, False), (False, True), (False, None), (None, True), (None, None))
"""All pairs (full, retrieval) that can be."""


class Given(NamedTuple):
    """What score_task is given."""

    task: TaskSpec
    records: list[Record]
    verdicts: list[RecordVerdict]
    rejected: list[Rejected]

    def plus(self, record: Record, verdict: RecordVerdict) -> Given:
        return self._replace(records=[*self.records, record], verdicts=[*self.verdicts, verdict])


COUNTS = st.integers(1, 3)


@st.composite
def _key(draw, name: str, *, plain: bool = False) -> KeySpec:
    kind = "plain" if plain else draw(st.sampled_from(["plain", "plain", "plain", "labels", "fields"]))
    if kind == "labels":
        labels = LABELS[: draw(COUNTS)]
        return KeySpec(name=name, kind="enum", required=len(labels), labels=labels)
    fields = (name, f"{name}_year") if kind == "fields" else ()
    return KeySpec(name=name, kind="company", required=draw(COUNTS), fields=fields)


@st.composite
def tasks(draw, *, plain: bool = False, max_nodes: int = 3) -> TaskSpec:
    """Flat, nested, with several pages, a matrix, branches that share one key or more."""
    keys = [draw(_key(f"k{depth}", plain=plain)) for depth in range(draw(COUNTS))]
    nodes = [NodeSpec(name="main", keys=(*keys, draw(_url())))]
    for number in range(draw(st.integers(0, max_nodes - 1))):
        shared = keys[: draw(st.integers(1, len(keys)))]
        own = [draw(_key(f"b{number}_{depth}", plain=plain)) for depth in range(draw(st.integers(0, 1)))]
        nodes.append(NodeSpec(name=f"main.branch{number}", keys=(*shared, *own, draw(_url()))))
    return TaskSpec(id="task", nodes=tuple(nodes))


@st.composite
def _url(draw) -> KeySpec:
    return KeySpec(name="url", kind="url", required=draw(COUNTS))


@st.composite
def verdicts(draw, *, pages: bool = True) -> RecordVerdict:
    """Any verdict, with or without what its url led to."""
    full, retrieval = draw(st.sampled_from(READINGS))
    page = None
    if pages and draw(st.booleans()):
        digest = draw(st.sampled_from([None, None, "d1", "d2"]))
        page = LedTo(final_url=draw(st.sampled_from(list(PAGES))), digest=digest)
    return RecordVerdict.of(full=full, retrieval=retrieval, page=page)


@st.composite
def records(draw, task: TaskSpec, *, holes: bool = True) -> Record:
    """A record of some node; with `holes`, key values and urls are missing now and then."""
    node = draw(st.sampled_from(task.nodes))
    url = draw(st.sampled_from([*PAGES, *["", " "] * holes]))
    return Record(node=node.name, item=draw(_items(node, holes=holes)), url=url)


@st.composite
def _items(draw, node: NodeSpec, *, holes: bool) -> dict[str, str]:
    gap = st.integers(0, 11).map(lambda number: holes and number == 0)
    item = {}
    for key in node.entity_keys:
        item[key.item_fields[0]] = draw(st.sampled_from(list(VALUES if key.labels else NAMES)))
        for field in key.item_fields[1:]:
            item[field] = draw(st.sampled_from(["2020", " 2020", "2021"]))
        if draw(gap):
            item[key.item_fields[-1]] = draw(st.sampled_from(["", " ", "\u200b\t"]))
        if draw(gap):
            del item[key.item_fields[0]]
    return item


@st.composite
def rejects(draw, task: TaskSpec) -> Rejected:
    """A line that is no record: nothing, a part, or all of its place can be read."""
    record = draw(records(task))
    names = draw(st.lists(st.sampled_from(sorted(record.item) or ["k0"]), unique=True))
    item = {name: record.item[name] for name in names if name in record.item}
    url = draw(st.sampled_from([None, record.url]))
    code = draw(st.sampled_from(["not_json", "no_url"]))
    return Rejected(node=record.node, line=draw(st.integers(1, 99)), code=code, item=item, url=url)


@st.composite
def submissions(draw, task: TaskSpec, *, max_size: int = 9, holes: bool = True, pages: bool = True) -> Given:
    """Records with verdicts and rejected lines for a task: duplicates, surplus, gaps, undecided."""
    pairs = st.tuples(records(task, holes=holes), verdicts(pages=pages))
    found = draw(st.lists(pairs, max_size=max_size))
    lines = draw(st.lists(rejects(task), max_size=2)) if holes else []
    return Given(task, [record for record, _ in found], [verdict for _, verdict in found], lines)


@st.composite
def given_all(draw, **how) -> Given:
    """A task with a submission."""
    return draw(submissions(draw(tasks()), **how))


def complete(task: TaskSpec, verdict: RecordVerdict) -> Given:
    """A submission that fills every slot once, each record with the same verdict."""
    found = [record for node in task.nodes for record in _filled(node, node.keys, {})]
    return Given(task, found, [verdict] * len(found), [])


def _filled(node: NodeSpec, keys: tuple[KeySpec, ...], item: dict[str, str]) -> list[Record]:
    key, *rest = keys
    names = key.labels or [f"{word} {key.name}" for word in _WORDS[: key.required]]
    if not rest:
        prefix = "-".join(item.values()).replace(" ", "").lower()
        host = f"https://{node.name}.example"
        return [Record(node=node.name, item=item, url=f"{host}/{prefix}/{page}") for page in names]
    every = [{**item, **dict.fromkeys(key.item_fields, name)} for name in names]
    return [record for more in every for record in _filled(node, tuple(rest), more)]


_WORDS = ("Quenby", "Rostava", "Selkirth", "Tamworle", "Ulverix", "Vandrake")


def record_verdicts(parts, entries, **rest):
    """Verdicts of such parts and such requirement verdicts; `rest` are strategies for the other fields."""
    return st.builds(
        RecordVerdict,
        **dict.fromkeys(PARTS, parts),
        requirements=st.lists(entries, max_size=2).map(tuple),
        confidence=st.integers(0, 3),
        **rest,
    )
