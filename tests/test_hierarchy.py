"""The tree of groups: shapes, home nodes, who joins whom, which records are one page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.hierarchy.names import KeyNames, shown
from pytest_wandr.hierarchy.place import place
from pytest_wandr.hierarchy.shape import shape_of, shared_depths
from pytest_wandr.hierarchy.tree import clusters, supplied
from pytest_wandr.model import KeySpec, LedTo, NodeSpec, Record, RecordVerdict, TaskSpec
from tests.strategies import COSTLY, NAMES, given_all, tasks

TRUE = RecordVerdict.of(full=True)


def node(name: str, *keys: tuple[str, int]) -> NodeSpec:
    return NodeSpec(
        name=name, keys=tuple(KeySpec(name=key, kind="company", required=count) for key, count in keys)
    )


def task(*nodes: NodeSpec) -> TaskSpec:
    return TaskSpec(id="task", nodes=nodes)


def tree(spec: TaskSpec, *rows: tuple[str, dict, str]):
    records = [Record(node=name, item=item, url=url) for name, item, url in rows]
    given = supplied(spec, records, [TRUE] * len(records))
    return place(given.root, given.all)


# -- shapes -------------------------------------------------------------------------------------------------

BRANCHED = task(
    node("main", ("company", 5), ("person", 2), ("url", 3)),
    node("main.listing", ("company", 5), ("url", 1)),
    node("main.bio", ("company", 5), ("person", 2), ("url", 1)),
    node("main.plants", ("company", 5), ("plant", 4), ("url", 2)),
)


def outline(shape):
    return (shape.node, shape.key.name, [outline(child) for child in shape.children])


def test_all_nodes_form_one_tree_of_groups():
    assert outline(shape_of(BRANCHED)) == (
        "main",
        "company",
        [
            ("main", "person", [("main", "url", []), ("main.bio", "url", [])]),
            ("main.listing", "url", []),
            ("main.plants", "plant", [("main.plants", "url", [])]),
        ],
    )


def test_a_full_group_holds_the_required_records_of_each_node():
    root = shape_of(BRANCHED)
    assert root.slots == {0: 30, 1: 5, 2: 10, 3: 40}
    assert sum(root.slots.values()) == BRANCHED.required_records
    assert root.children[0].slots == {0: 6, 2: 2}


def test_a_node_may_go_deeper_than_the_main_node():
    spec = task(
        node("main", ("company", 2), ("url", 1)), node("main.b", ("company", 2), ("x", 3), ("url", 1))
    )
    assert outline(shape_of(spec))[2] == [("main", "url", []), ("main.b", "x", [("main.b", "url", [])])]
    assert shared_depths(spec) == (1, 1)


def test_a_key_of_the_same_name_with_another_count_is_not_shared():
    spec = task(
        node("main", ("company", 2), ("person", 2), ("url", 1)),
        node("main.b", ("company", 2), ("person", 1), ("url", 1)),
    )
    assert shared_depths(spec) == (2, 1)


def test_a_node_that_shares_nothing_is_refused():
    spec = task(node("main", ("company", 2), ("url", 1)), node("other", ("place", 2), ("url", 1)))
    with pytest.raises(
        ValueError, match="node 'other' shares no leading key .* start its keys with 'company'"
    ):
        shape_of(spec)


@COSTLY
@given(tasks())
def test_the_root_holds_all_required_records(spec):
    assert sum(shape_of(spec).slots.values()) == spec.required_records


# -- spellings and identities -------------------------------------------------------------------------------


def test_siblings_are_sorted_into_identities_and_spellings():
    names = KeyNames(KeySpec(name="company", kind="company", required=1))
    found = names.siblings([(name,) for name in NAMES])
    identities = [{NAMES[raw[0]] for raws in spellings for raw in raws} for spellings in found.identities]
    assert all(len({identity for identity, _ in known}) == 1 for known in identities)
    assert len(identities) == len({identity for identity, _ in NAMES.values()})
    for spellings in found.identities:
        assert all(len({NAMES[raw[0]] for raw in raws}) == 1 for raws in spellings)


@given(st.permutations(sorted(NAMES)))
def test_the_order_of_siblings_does_not_matter(names):
    known = KeyNames(KeySpec(name="company", kind="company", required=1))
    assert known.siblings([(name,) for name in names]) == known.siblings([(name,) for name in sorted(names)])


def test_a_near_pair_of_one_identity_is_not_told():
    key = KeySpec(name="person", kind="person", required=1, aliases={"Ann Doe": ("Annie Doe-Roe",)})
    found = KeyNames(key).siblings([("Ann Doe",), ("Annie Doe-Roe",)])
    assert len(found.identities) == 1
    assert found.near == ()


def test_a_value_is_shown_with_what_belongs_to_it():
    assert shown(("Hollow Coast",)) == "Hollow Coast"
    assert shown(("Hollow Coast", "2020", "")) == "Hollow Coast (2020)"


# -- who joins whom -----------------------------------------------------------------------------------------

TWO = task(node("main", ("company", 2), ("url", 1)), node("main.listing", ("company", 2), ("url", 2)))


def pages(entity):
    return [[page.name for page in group.identities] for group in entity.groups]


def test_records_of_other_nodes_join_every_spelling_of_the_home_node():
    root = tree(
        TWO,
        ("main", {"company": "Arvado"}, "https://a.example/1"),
        ("main", {"company": "Arvado Inc."}, "https://a.example/2"),
        ("main.listing", {"company": "ARVADO"}, "https://l.example/1"),
        ("main.listing", {"company": "arvado, INC"}, "https://l.example/2"),
    )
    (identity,) = root.identities
    listed = ["https://l.example/1", "https://l.example/2"]
    assert [entity.name for entity in identity.entities] == ["Arvado", "Arvado Inc."]
    assert [pages(entity) for entity in identity.entities] == [
        [["https://a.example/1"], listed],
        [["https://a.example/2"], listed],
    ]
    assert (root.supplied, root.distinct) == (2, 1)


def test_spellings_share_the_branches_of_other_nodes():
    # Otherwise n spellings and n records of a subtask would make n * n pages.
    rows = [
        ("main", {"company": f"Arvado {form}"}, f"https://a.example/{form}") for form in ("Inc", "Ltd", "AG")
    ]
    root = tree(TWO, *rows, ("main.listing", {"company": "Arvado"}, "https://l.example/1"))
    (identity,) = root.identities
    assert len(identity.entities) == 3
    assert len({id(entity.groups[1]) for entity in identity.entities}) == 1


def test_a_key_that_only_one_node_has_is_at_home_there():
    root = tree(BRANCHED, ("main.plants", {"company": "Arvado", "plant": "Cindrale"}, "https://p.example/1"))
    (company,) = root.identities[0].entities
    assert [group.supplied for group in company.groups] == [0, 0, 1]
    (plant,) = company.groups[2].identities
    assert plant.name == "Cindrale"


# -- pages ---------------------------------------------------------------------------------------------------


def test_only_urls_of_one_place_are_compared():
    root = tree(
        TWO,
        ("main", {"company": "Arvado"}, "https://a.example/1"),
        ("main", {"company": "Arvado"}, "http://www.a.example/1/"),
        ("main", {"company": "Belmorix"}, "https://a.example/1"),
        ("main.listing", {"company": "Arvado"}, "https://a.example/1"),
    )
    assert [pages(identity.entities[0]) for identity in root.identities] == [
        [["http://www.a.example/1/"], ["https://a.example/1"]],
        [["https://a.example/1"], []],
    ]


def test_what_a_url_led_to_is_not_compared_with_what_another_url_is():
    # The first page's own address is where the second one ended, but the first one ended elsewhere.
    spec = task(node("main", ("company", 1), ("url", 2)))
    records = [
        Record(node="main", item={"company": "Arvado"}, url=f"https://{name}.example/") for name in ("a", "b")
    ]
    led = [LedTo(final_url="https://c.example/"), LedTo(final_url="https://a.example/")]
    verdicts = [TRUE.model_copy(update={"page": page}) for page in led]
    given = supplied(spec, records, verdicts)
    (company,) = place(given.root, given.all).identities
    assert len(company.entities[0].groups[0].identities) == 2


def test_url_options_of_the_author_are_used():
    key = KeySpec(name="url", kind="url", required=2, url={"keep_params": ["utm_source"]})
    company = KeySpec(name="company", required=1)
    spec = task(NodeSpec(name="main", keys=(company, key)))
    rows = [("main", {"company": "Arvado"}, f"https://a.example/?utm_source={n}") for n in (1, 2)]
    (member,) = tree(spec, *rows).identities
    assert len(member.entities[0].groups[0].identities) == 2


# -- clusters -----------------------------------------------------------------------------------------------


@COSTLY
@given(given_all())
def test_clusters_hold_every_entry_once_and_never_part_a_member(it):
    given_ = supplied(it.task, it.records, it.verdicts, it.rejected)
    found = clusters(given_)
    assert sorted(id(entry) for cluster in found for entry in cluster) == sorted(map(id, given_.all))
    whole = place(given_.root, given_.all)
    parts = [identity for cluster in found for identity in place(given_.root, cluster).identities]
    assert sorted(map(repr, parts)) == sorted(map(repr, whole.identities))


def test_names_that_look_alike_are_one_cluster():
    spec = task(node("main", ("company", 3), ("url", 1)))
    names = ("Halvorsen Rail", "Halvorson Rail", "Quist Paper")
    records = [Record(node="main", item={"company": name}, url="https://a.example/") for name in names]
    found = clusters(supplied(spec, records, [TRUE] * 3))
    assert sorted(len(cluster) for cluster in found) == [1, 2]


def test_many_records_at_one_place_need_no_deep_stack():
    spec = task(node("main", ("company", 1), ("url", 1)))
    urls = [f"https://a.example/{n}" for n in range(3000)]
    records = [Record(node="main", item={"company": "Arvado"}, url=url) for url in urls]
    verdicts = [
        TRUE.model_copy(
            update={"page": LedTo(final_url=f"https://b.example/{n // 2}", digest=f"{(n + 1) // 2}")}
        )
        for n in range(3000)
    ]
    given_ = supplied(spec, records, verdicts)
    (company,) = place(given_.root, given_.all).identities
    assert len(company.entities[0].groups[0].identities) == 1
