"""Small scenarios for docs/scoring.md: soft and hard precision and recall, worked out by hand."""

from fractions import Fraction as Fr

import pytest

from pytest_wandr.model import KeySpec, NodeSpec, Record, RecordVerdict, Rejected, TaskSpec
from pytest_wandr.score import score_task

T, F, U = True, False, None
H = Fr(1, 2)
KINDS = {"company": "company", "person": "person", "url": "url"}


def key(name, required, **options):
    return KeySpec(**{"name": name, "required": required, "kind": KINDS.get(name, "text"), **options})


def task(**nodes):
    """`task(m=[("company", 2), ("url", 1)])`; other nodes than `m` are its subtasks."""
    return TaskSpec(
        id="t",
        nodes=tuple(
            NodeSpec(
                name="m" if name == "m" else f"m.{name}",
                keys=tuple(one if isinstance(one, KeySpec) else key(*one) for one in keys),
            )
            for name, keys in nodes.items()
        ),
    )


def row(node, url, full, *, page=None, retrieval="as full", **item):
    url = url if ":" in url else f"https://{url}.example/"
    record = Record(node="m" if node == "m" else f"m.{node}", item=item, url=url)
    return record, RecordVerdict.of(full=full, retrieval=retrieval, page=page)


def reject(url=None, **item):
    return Rejected(node="m", line=1, code="invalid_json", item=item, url=url)


def flat(members, pages=1):
    return task(m=[("company", members), ("url", pages)])


def nested(members, people, pages=1):
    return task(m=[("company", members), ("person", people), ("url", pages)])


def branched(members):
    return task(m=[("company", members), ("url", 1)], l=[("company", members), ("url", 1)])


def with_labels(name, labels, *before):
    return task(m=[*before, key(name, len(labels), kind="enum", labels=labels), ("url", 1)])


YEARS = with_labels("year", ("2024", "2025"), ("company", 1))
REGIONS = with_labels("region", ("North", "South"))
FILMS = task(m=[key("film", 2, fields=("title", "year")), ("url", 1)])

SCENARIOS = {
    # name: (task, rows, rejected, (soft P, soft R, hard P, hard R) of full, the same of retrieval or None)
    "perfect": (
        flat(2),
        [row("m", "a", T, company="Acme"), row("m", "b", T, company="Birch")],
        [],
        (1, 1, 1, 1),
        None,
    ),
    "nothing delivered": (flat(2), [], [], (0, 0, 0, 0), None),
    "one false": (
        flat(3),
        [row("m", "a", T, company="Acme"), row("m", "b", F, company="Birch")],
        [],
        (H, Fr(1, 3), H, Fr(1, 3)),
        None,
    ),
    "one undecided": (
        flat(2),
        [row("m", "a", T, company="Acme"), row("m", "b", U, company="Birch")],
        [],
        (1, H, 1, H),
        None,
    ),
    "nothing decided": (flat(1), [row("m", "a", U, company="Acme")], [], (0, 0, 0, 0), None),
    "surplus with junk": (
        flat(1),
        [
            row("m", "a", T, company="Acme"),
            row("m", "b", T, company="Birch"),
            row("m", "c", F, company="Cedar"),
        ],
        [],
        (Fr(2, 3), 1, Fr(2, 3), 1),
        None,
    ),
    "a second spelling that is wrong": (
        flat(2),
        [row("m", "a", T, company="Acme"), row("m", "b", F, company="ACME Inc.")],
        [],
        (0, 0, 0, 0),
        None,
    ),
    "a second spelling that is right": (
        flat(2),
        [row("m", "a", T, company="Acme"), row("m", "b", T, company="ACME Inc.")],
        [],
        (1, H, 1, H),
        None,
    ),
    "a second spelling that is undecided": (
        flat(1),
        [row("m", "a", T, company="Acme"), row("m", "b", U, company="ACME Inc.")],
        [],
        (1, 0, 0, 0),
        None,
    ),
    "case alone is no second spelling": (
        flat(1),
        [row("m", "a", T, company="Acme"), row("m", "b", F, company="ACME")],
        [],
        (H, 1, 0, 1),
        None,
    ),
    "one page of two": (flat(1, 2), [row("m", "a", T, company="Acme")], [], (1, H, 0, 0), None),
    "one page under two addresses": (
        flat(1, 2),
        [
            row("m", "https://a.example/x", T, company="Acme"),
            row("m", "http://www.a.example/x/?utm_source=q", T, company="Acme"),
        ],
        [],
        (1, H, 0, 0),
        None,
    ),
    "one page behind two addresses": (
        flat(1, 2),
        [
            row("m", "a", T, page=("https://z.example/", None), company="Acme"),
            row("m", "b", T, page=("https://z.example/", None), company="Acme"),
        ],
        [],
        (1, H, 0, 0),
        None,
    ),
    "one text on two pages, one of them judged false": (
        flat(1, 2),
        [
            row("m", "a", T, page=("https://a.example/", "d1"), company="Acme"),
            row("m", "b", F, page=("https://b.example/", "d1"), company="Acme"),
        ],
        [],
        (0, 0, 0, 0),
        None,
    ),
    "three addresses in a chain": (
        flat(1, 3),
        [
            row("m", "a", T, page=("https://q.example/", "d1"), company="Acme"),
            row("m", "b", T, page=("https://r.example/", "d1"), company="Acme"),
            row("m", "c", T, page=("https://r.example/", "d3"), company="Acme"),
        ],
        [],
        (1, Fr(1, 3), 0, 0),
        None,
    ),
    "an undecided second reading of a page": (
        flat(1),
        [
            row("m", "https://a.example/x", T, company="Acme"),
            row("m", "https://a.example/x#top", U, company="Acme"),
        ],
        [],
        (0, 0, 0, 0),
        None,
    ),
    "the page is right, the excerpts are not": (
        flat(1),
        [row("m", "a", F, retrieval=T, company="Acme")],
        [],
        (0, 0, 0, 0),
        (1, 1, 1, 1),
    ),
    "false in full, undecided in retrieval": (
        flat(2),
        [row("m", "a", F, retrieval=U, company="Acme"), row("m", "b", T, company="Birch")],
        [],
        (H, H, H, H),
        (1, H, 1, H),
    ),
    "people of two companies": (
        nested(2, 2),
        [
            row("m", "a", T, company="Acme", person="Ann Poe"),
            row("m", "b", F, company="Acme", person="Bob Roe"),
            row("m", "c", T, company="Birch", person="Cy Doe"),
        ],
        [],
        (Fr(3, 4), H, 0, 0),
        None,
    ),
    "a person is missing": (
        nested(1, 1),
        [row("m", "a", T, company="Acme", person="Ann Poe"), row("m", "b", T, company="Acme")],
        [],
        (H, 1, 0, 1),
        None,
    ),
    "two missing people are one": (
        nested(1, 1),
        [
            row("m", "a", T, company="Acme", person="Ann Poe"),
            row("m", "b", T, company="Acme"),
            row("m", "c", T, company="Acme", person=" "),
        ],
        [],
        (H, 1, 0, 1),
        None,
    ),
    "a member is missing": (
        flat(2),
        [row("m", "a", T, company="Acme"), row("m", "b", T)],
        [],
        (H,) * 4,
        None,
    ),
    "two unreadable lines": (
        flat(1),
        [row("m", "a", T, company="Acme")],
        [reject(), reject()],
        (Fr(1, 3), 1, Fr(1, 3), 1),
        None,
    ),
    "an unreadable line of a known member": (
        nested(1, 1),
        [row("m", "a", T, company="Acme", person="Ann Poe")],
        [reject(company="Acme")],
        (H, 1, 0, 1),
        None,
    ),
    "an unreadable line with a known page": (
        flat(1),
        [row("m", "a", T, company="Acme")],
        [reject("https://a.example/", company="Acme")],
        (0, 0, 0, 0),
        None,
    ),
    "a label that does not exist": (
        YEARS,
        [row("m", "a", T, company="Acme", year="2024"), row("m", "b", T, company="Acme", year="2026")],
        [],
        (H, H, 0, 0),
        None,
    ),
    "a label too many": (
        YEARS,
        [row("m", year, T, company="Acme", year=year) for year in ("2024", "2025", "1999")],
        [],
        (Fr(2, 3), 1, 0, 1),
        None,
    ),
    "labels as members": (
        REGIONS,
        [row("m", "a", T, region="north"), row("m", "b", T, region="Nowhere")],
        [],
        (H, H, H, H),
        None,
    ),
    "a member that only the subtask knows": (
        branched(2),
        [
            row("m", "a", T, company="Acme"),
            row("l", "l1", T, company="Acme"),
            row("l", "l2", T, company="Birch"),
        ],
        [],
        (1, Fr(3, 4), H, H),
        None,
    ),
    "groups weigh the same": (
        task(m=[("company", 1), ("person", 3), ("url", 1)], l=[("company", 1), ("url", 1)]),
        [
            *(row("m", name[0], T, company="Acme", person=name) for name in ("Ann Poe", "Bob Roe", "Cy Doe")),
            row("l", "l1", F, company="Acme"),
        ],
        [],
        (H, H, 0, 0),
        None,
    ),
    "two keys are shared": (
        task(
            m=[("company", 1), ("person", 2), ("url", 1)],
            s=[("company", 1), ("person", 2), ("url", 1)],
        ),
        [
            row("m", "a", T, company="Acme", person="Ann Poe"),
            row("m", "b", T, company="Acme", person="Bob Roe"),
            row("s", "c", T, company="Acme", person="Ann Poe"),
        ],
        [],
        (1, Fr(3, 4), 0, 0),
        None,
    ),
    "a subtask with keys of its own": (
        task(m=[("company", 2), ("url", 1)], p=[("company", 2), ("person", 2), ("url", 1)]),
        [
            row("m", "a", T, company="Acme"),
            row("p", "b", T, company="Acme", person="Ann Poe"),
            row("p", "c", F, company="Acme", person="Bob Roe"),
        ],
        [],
        (Fr(3, 4), Fr(3, 8), 0, 0),
        None,
    ),
    "three branches, one undecided, one half": (
        task(m=[("company", 1), ("url", 1)], l=[("company", 1), ("url", 1)], k=[("company", 1), ("url", 2)]),
        [
            row("m", "a", T, company="Acme"),
            row("k", "b", T, company="Acme"),
            row("l", "c", U, company="Acme"),
        ],
        [],
        (1, H, 0, 0),
        None,
    ),
    "ten candidates for one slot": (
        flat(1),
        [row("m", f"a{at}", at == 3, company="Acme") for at in range(10)],
        [],
        (Fr(1, 10), 1, 0, 1),
        None,
    ),
    "an undecided page too many leaves a member clean": (
        flat(2),
        [row("m", "a", T, company="Acme"), row("m", "b", U, company="Acme")],
        [],
        (1, H, 1, H),
        None,
    ),
    "two spellings in the subtask join the one of the main node": (
        branched(1),
        [
            row("m", "a", T, company="Acme"),
            row("l", "b", T, company="Acme"),
            row("l", "c", F, company="ACME Inc."),
        ],
        [],
        (Fr(3, 4), 1, 0, 1),
        None,
    ),
    "two spellings in the main node are both joined": (
        branched(1),
        [
            row("m", "a", T, company="Acme"),
            row("m", "b", T, company="ACME Inc."),
            row("l", "c", T, company="Acme"),
        ],
        [],
        (1, 1, 1, 1),
        None,
    ),
    "one name under two parents is two people": (
        nested(2, 1),
        [row("m", "a", T, company=name, person="Ann Poe") for name in ("Acme", "Birch")],
        [],
        (1, 1, 1, 1),
        None,
    ),
    "a title is a second spelling": (
        nested(1, 2),
        [
            row("m", "a", T, company="Acme", person="Jane Roe"),
            row("m", "b", T, company="Acme", person="Dr. Jane Roe"),
        ],
        [],
        (1, H, 0, 0),
        None,
    ),
    "further fields tell members apart": (
        FILMS,
        [row("m", "a", T, title="Dust", year="1999"), row("m", "b", T, title="Dust", year="2005")],
        [],
        (1, 1, 1, 1),
        None,
    ),
    "a further field is missing": (
        FILMS,
        [row("m", "a", T, title="Dust", year="1999"), row("m", "b", T, title="Rain")],
        [],
        (H, H, H, H),
        None,
    ),
    "an alias takes the worst": (
        task(m=[key("company", 2, aliases={"Acme": ("Zenith Works",)}), ("url", 1)]),
        [row("m", "a", T, company="Acme"), row("m", "b", F, company="Zenith Works")],
        [],
        (0, 0, 0, 0),
        None,
    ),
    "four levels": (
        task(m=[("company", 1), ("person", 1), ("topic", 2), ("url", 1)]),
        [
            row("m", "a", T, company="Acme", person="Ann Poe", topic="x ray"),
            row("m", "b", F, company="Acme", person="Ann Poe", topic="sonar"),
            row("m", "c", T, company="Acme", person="Bob Roe", topic="sonar"),
        ],
        [],
        (Fr(3, 4), H, 0, 0),
        None,
    ),
}


def rewards_of(readings):
    """The twelve rewards from precision and recall, soft and hard, of both readings."""
    found = {}
    for reading, (soft_p, soft_r, hard_p, hard_r) in readings.items():
        for kind, p, r in (("soft", soft_p, soft_r), ("hard", hard_p, hard_r)):
            found[f"{kind}_precision_{reading}"] = float(p)
            found[f"{kind}_recall_{reading}"] = float(r)
            found[f"{kind}_f1_{reading}"] = float(Fr(2 * p * r) / (p + r)) if p + r else 0.0
    return found


@pytest.mark.parametrize("turned", [False, True], ids=["as given", "turned round"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_twelve_rewards_are_those_worked_out_by_hand(name, turned):
    spec, rows, rejected, full, retrieval = SCENARIOS[name]
    given = rows[::-1] if turned else rows
    found = score_task(
        spec, [record for record, _ in given], [verdict for _, verdict in given], rejected=rejected
    )
    assert found.rewards == rewards_of({"full": full, "retrieval": retrieval or full})
