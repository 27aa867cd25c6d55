"""A short list is paired without blocks: the pairs are the same."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_wandr.identity import KINDS, blocking
from pytest_wandr.identity.apart import nothing_alike
from pytest_wandr.identity.declared import Declared
from pytest_wandr.identity.forms import NAME_KINDS, forms_of
from pytest_wandr.identity.name_rules import compare_names, is_hopeless
from pytest_wandr.model import IdentityOptions

_PLAIN = "north kestrel kestrels quill verne wick zeal maren doe joint kest relon energy ltd two"
_TEXT = """
    Northgate Kestrel KNF Foods Capital II 3 Inc. GmbH Ltd (Asia) (NYSE:KST) (KNF) Müller Mueller Jane
    John A. Doe Smith Jr. von Jean-Luc North S24 C++ and UK Москва 高石 formerly née group usa x
    Quill Verne Wick Zeal
"""
_names = st.lists(st.sampled_from(_TEXT.split()), min_size=1, max_size=4).map(" ".join)
_plain = st.lists(
    st.sampled_from(_PLAIN.split()),
    min_size=1,
    max_size=4,
).map(" ".join)
_options = st.sampled_from(
    [
        IdentityOptions(),
        IdentityOptions(),
        IdentityOptions(keep_legal_form=True, numbers="ignore"),
        IdentityOptions(aliases={"Kestrel": ("Quill", "Verne Foods")}),
        IdentityOptions(distinct=(("Kestrel", "KESTREL"), ("Wick", "Zeal"))),
    ]
)


def _pairs(names, declared):
    return blocking.candidate_pairs(names, blocking.forms_of_all(names, declared), declared)


@given(st.sampled_from(KINDS), st.lists(_names, max_size=6, unique=True), _options)
@example("company", ["KNF", "Quill (KNF)"], IdentityOptions())
@example("company", ["Kestrel (NYSE: KST)", "Quill (NYSE: KST)"], IdentityOptions())
@settings(max_examples=600)
def test_a_short_list_has_the_pairs_that_blocks_would_find(kind, names, options):
    declared, names = Declared(kind, options), sorted(names)
    found, few = _pairs(names, declared), blocking._FEW
    blocking._FEW = 0
    try:
        assert found == _pairs(names, declared)
    finally:
        blocking._FEW = few


@given(st.sampled_from(sorted(NAME_KINDS)), st.lists(_plain | _names, max_size=5))
@example("company", ["North Energy", "N E"])
@example("person", ["Jane Doe", "Doe Verne"])
@example("text", ["kest relon", "kestre long"])
@settings(max_examples=1500)
def test_where_nothing_is_alike_blocks_find_no_pair(kind, names):
    declared = Declared(kind, IdentityOptions())
    if nothing_alike(kind, names):
        assert _pairs(sorted(names), declared) == []


@pytest.mark.parametrize(
    ("kind", "names", "sure"),
    [
        ("person", ["Maren Doe", "Quill Verne", "Kestrel Wick"], True),
        ("person", ["Maren Doe", "Quill Doe"], False),
        ("person", ["Maren Doe", "Dr Quill Verne"], False),
        ("company", ["Kestrel Foods", "Quill Optics"], True),
        ("company", ["Kestrel Foods", "Quill Food"], False),
        ("company", ["Kestrel Foods", "KF"], False),
        ("company", ["Kestrel Foods Inc", "Quill Optics"], False),
        ("enum", ["Kestrel Foods", "Quill Optics"], False),
    ],
)
def test_only_plain_names_that_share_no_word_are_surely_not_alike(kind, names, sure):
    assert nothing_alike(kind, names) is sure


_CLOSE = """
    Acme Acmes Labs Lab Flies Fly Flys Data Base Database Harborne Harborns Harbor Haroborne xs x ab abc
    North South Group Intl International II 3 the of
"""
_close = st.lists(st.sampled_from(_CLOSE.split()), min_size=1, max_size=4, unique=True).map(" ".join)


@given(st.sampled_from(["company", "product", "place", "text"]), _close, _close)
@settings(max_examples=600)
def test_a_quick_look_rules_out_only_what_the_rules_rule_out(kind, a, b):
    (x, *_), (y, *_) = forms_of(kind, a), forms_of(kind, b)
    if is_hopeless(x, y) and x.joined != y.joined:
        assert compare_names(kind, x, y).verdict == "distinct"
        assert is_hopeless(y, x)
