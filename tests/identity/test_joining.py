"""What a judge's word on names that look alike may join: never more than everything else allows."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.identity import Collapsed, collapse, explain
from pytest_wandr.identity.joining import Joining
from pytest_wandr.identity.policies import keeps_apart
from pytest_wandr.model import IdentityOptions

VOCABULARY = [
    "Acme", "ACME Inc.", "Acme Holdings", "Acme Motors", "Acme Mottors", "Borealis", "Borealis Shipping",
    "Borealis Shipping Group", "Northern Lights Bank", "NLB", "Northern Light Bank", "Quillmere",
    "Quillmere Foods", "Quillmere Bakery", "Birch Fund III", "Birch Fund IV", "Birch Fund",
]  # fmt: skip


def joined(names, yes=(), no=(), unsure=(), **options):
    """Groups of names after these words, and what spoke against the confirmed pairs that stayed apart."""
    names, kept = sorted(names), IdentityOptions(**options)
    said = {
        tuple(sorted(pair)): value
        for value, pairs in ((True, yes), (False, no), (None, unsure))
        for pair in pairs
    }
    found = collapse("company", names, kept.policy, kept)
    result = Joining("company", names, found, kept).joined(said)
    against = {(names[a], names[b]): why for (a, b), why in result.against.items()}
    return [[names[at] for at in group] for group in result.groups], against


def askable(names, **options):
    names, kept = sorted(names), IdentityOptions(**options)
    found = collapse("company", names, kept.policy, kept)
    looks = Joining("company", names, found, kept).askable()
    return [(names[a], names[b]) for a, b, _ in looks]


def test_a_confirmed_pair_is_one():
    assert joined(["Acme", "Acme Holdings"], yes=[("Acme", "Acme Holdings")]) == (
        [["Acme", "Acme Holdings"]],
        {},
    )


@pytest.mark.parametrize("word", ["no", "unsure"])
def test_what_is_not_confirmed_is_distinct(word):
    pair = [("Acme", "Acme Holdings")]
    assert joined(["Acme", "Acme Holdings"], **{word: pair}) == ([["Acme"], ["Acme Holdings"]], {})
    assert joined(["Acme", "Acme Holdings"]) == ([["Acme"], ["Acme Holdings"]], {})


def test_whole_groups_are_joined():
    groups, _ = joined(["ACME Inc.", "Acme", "Acme Holdings"], yes=[("ACME Inc.", "Acme Holdings")])
    assert groups == [["ACME Inc.", "Acme", "Acme Holdings"]]


def test_two_groups_are_asked_about_once():
    assert askable(["ACME Inc.", "Acme", "Acme Holdings"]) == [("ACME Inc.", "Acme Holdings")]


def test_one_no_between_two_groups_outweighs_a_yes():
    pairs = {"yes": [("ACME Inc.", "Acme Holdings")], "no": [("Acme", "Acme Holdings")]}
    groups, _ = joined(["ACME Inc.", "Acme", "Acme Holdings"], **pairs)
    assert groups == [["ACME Inc.", "Acme"], ["Acme Holdings"]]


def test_a_distinct_pair_inside_blocks_the_merge_and_is_named():
    names = ["Quillmere", "Quillmere Bakery", "Quillmere Foods"]
    both = [("Quillmere", "Quillmere Bakery"), ("Quillmere", "Quillmere Foods")]
    groups, against = joined(names, yes=both)
    assert groups == [[name] for name in names]
    reason = explain("company", "Quillmere Bakery", "Quillmere Foods").reason
    assert set(against.values()) == {f"'Quillmere Bakery' and 'Quillmere Foods' are distinct ({reason})"}


def test_what_the_author_declares_distinct_is_neither_asked_nor_joined():
    names, apart = ["Acme", "Acme Holdings"], [("acme", "ACME Holdings")]
    assert askable(names, distinct=apart) == []
    assert joined(names, yes=[("Acme", "Acme Holdings")], distinct=apart)[0] == [["Acme"], ["Acme Holdings"]]


def test_an_alias_and_a_distinct_pair_hold_for_whole_groups():
    """`Acme Holdings` is declared to be `Borealis`, which the author keeps apart from `Acme`."""
    options = {"aliases": {"Borealis": ["Acme Holdings"]}, "distinct": [("Acme", "Borealis")]}
    names = ["Acme", "Acme Holdings", "Borealis"]
    assert askable(names, **options) == []
    groups, _ = joined(names, yes=[("Acme", "Acme Holdings")], **options)
    assert groups == [["Acme"], ["Acme Holdings", "Borealis"]]


def test_a_pair_that_looks_alike_inside_must_be_confirmed_as_well():
    names = ["Borealis", "Borealis Shipping", "Borealis Shipping Group"]
    chain = [("Borealis", "Borealis Shipping"), ("Borealis Shipping", "Borealis Shipping Group")]
    groups, against = joined(names, yes=chain)
    assert groups == [[name] for name in names]
    assert set(against.values()) == {"'Borealis' and 'Borealis Shipping Group' are not confirmed"}
    assert joined(names, yes=[*chain, ("Borealis", "Borealis Shipping Group")])[0] == [names]


def test_a_conflict_does_not_undo_what_it_does_not_touch():
    names = ["NLB", "Northern Lights Bank", "Quillmere", "Quillmere Bakery", "Quillmere Foods"]
    yes = [
        ("Quillmere", "Quillmere Bakery"),
        ("Quillmere", "Quillmere Foods"),
        ("NLB", "Northern Lights Bank"),
    ]
    groups, _ = joined(names, yes=yes)
    assert ["NLB", "Northern Lights Bank"] in groups
    assert len(groups) == 4


def test_what_does_not_take_part_in_a_conflict_is_joined_all_the_same():
    """`Quillmere` is said to be both firms, which differ: it is neither. The bakery has two names."""
    bakery, group, foods, short = (
        "Quillmere Bakery",
        "Quillmere Bakery Group",
        "Quillmere Foods",
        "Quillmere",
    )
    yes = [(bakery, group), (bakery, short), (group, short), (foods, short)]
    groups, against = joined([bakery, group, foods, short], yes=yes)
    assert groups == [[short], [bakery, group], [foods]]
    assert set(against) == {(short, bakery), (short, group), (short, foods)}


def test_a_chain_with_distinct_ends_joins_nothing_even_if_nobody_saw_what_lies_between():
    """In long lists not every pair that looks alike is found: here `Acme Group` and `Acme`, and one more."""
    names = ["Acme", "Acme Group", "Acme Motors", "Acme Motors Group"]
    assert explain("company", "Acme Motors", "Acme Group").verdict == "distinct"
    chain = [(0, 2, "subset"), (0, 3, "subset"), (1, 3, "subset")]
    found = Collapsed([[0], [1], [2], [3]], chain)
    result = Joining("company", names, found, IdentityOptions()).joined(
        {(names[a], names[b]): True for a, b, _ in chain}
    )
    assert result.groups == found.groups
    assert set(result.against) == {(a, b) for a, b, _ in chain}


@pytest.mark.parametrize("pair", [("Acme Fund III", "Acme Fund IV"), ("Acme", "Borealis")])
def test_distinct_names_are_never_joined_by_a_word(pair):
    assert askable(pair) == []
    assert joined(pair, yes=[pair])[0] == [[name] for name in sorted(pair)]


LISTS = st.lists(st.sampled_from(VOCABULARY), unique=True, min_size=2, max_size=9)


@given(LISTS, st.data(), st.sampled_from(["strict", "balanced", "lenient"]))
def test_laws_of_joining(names, data, policy):
    names, options = sorted(names), IdentityOptions(policy=policy)
    found = collapse("company", names, policy, options)
    said = {
        pair: data.draw(st.sampled_from([True, True, False, None]))
        for pair in combinations(names, 2)
        if data.draw(st.booleans())
    }
    result = Joining("company", names, found, options).joined(said)
    before = {at: number for number, group in enumerate(found.groups) for at in group}
    after = {at: number for number, group in enumerate(result.groups) for at in group}
    assert sorted(after) == list(range(len(names)))
    assert result.groups == sorted(sorted(group) for group in result.groups)
    alike = {(a, b) for a, b, _ in found.near}
    for a, b in combinations(range(len(names)), 2):
        pair = (names[a], names[b])
        if before[a] == before[b]:
            assert after[a] == after[b]  # groups are joined, never split
        elif after[a] == after[b]:
            assert not keeps_apart(explain("company", *pair, policy=policy))
            between = {
                (names[low], names[high])
                for low, high in alike
                if {before[low], before[high]} == {before[a], before[b]}
            }
            words = [said[each] for each in between if each in said]
            assert all(words)
            assert words or not between
    mixed = dict(data.draw(st.permutations(list(said.items()))))
    assert Joining("company", names, found, options).joined(mixed) == result


@given(LISTS)
def test_without_a_yes_nothing_changes(names):
    names, options = sorted(names), IdentityOptions()
    found = collapse("company", names, "strict", options)
    joining = Joining("company", names, found, options)
    assert joining.joined({}) == (found.groups, {})
    assert joining.joined(dict.fromkeys(combinations(names, 2), False)) == (found.groups, {})
