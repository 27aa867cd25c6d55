"""A name of plain words has the form that all rules together give it."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_wandr.identity import collapse, forms
from pytest_wandr.identity.companies import strip_legal_form
from pytest_wandr.identity.forms import Flags, forms_of, key_of
from pytest_wandr.identity.plain_names import plain_tokens
from pytest_wandr.identity.settled import is_settled
from pytest_wandr.identity.tables.legal import LEGAL_END, LEGAL_FRONT_PHRASES, LEGAL_PHRASES
from pytest_wandr.identity.tokens import TENS, number_of
from tests.identity.test_settled import _KNOWN

KINDS = sorted(forms.NAME_KINDS)
FLAGS = [Flags(numbers, legal) for numbers in (True, False) for legal in (True, False)]
_OWN = [
    "Kestrel",
    "NORTHGATE",
    "maren",
    "Doe",
    "Foods",
    "X",
    "b",
    "S.A.",
    "a.b",
    "U.S",
    "L.L.C.",
    "Jean-Luc",
    "é",
]
_WORD = st.sampled_from(_OWN) | st.sampled_from(_KNOWN).flatmap(
    lambda word: st.sampled_from([word, word.title(), word.upper()])
)
_PHRASE = st.sampled_from([" ".join(phrase) for phrase in (*LEGAL_PHRASES, *LEGAL_FRONT_PHRASES)])
_NAMES = st.lists(
    st.tuples(_WORD | _PHRASE, st.sampled_from([*"    ", "-", ", ", ",", ". ", "  "])), min_size=1, max_size=5
)
_ENDS = st.sampled_from(["", "", ".", ",", " Inc.", ", Ltd.", " S.A.", " LLC", " (KF)"])


@pytest.fixture(autouse=True)
def _forgotten():
    for cached in (forms.forms_of, forms.key_of, forms._plain_tokens, forms._read):
        cached.cache_clear()


def in_full(kind, name, flags):
    """The forms and the key that all rules give."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(forms, "_plain_tokens", lambda *_: None)
        patch.setattr(forms, "key_of", key_of.__wrapped__)
        return forms_of.__wrapped__(kind, name, flags), key_of.__wrapped__(kind, name, flags)


@given(st.sampled_from(KINDS), _NAMES, _ENDS, st.sampled_from(FLAGS))
@example("company", [("the", " "), ("Kestrel", "")], " Inc.", FLAGS[0])
@example("company", [("Co", " "), ("Kestrel", " "), ("Co", "")], ", Ltd.", FLAGS[0])
@example("person", [("Maren", "-"), ("Doe", " "), ("Kestrel", "")], "", FLAGS[0])
@settings(max_examples=1500)
def test_the_short_way_is_the_long_way(kind, pieces, end, flags):
    name = "".join(word + gap for word, gap in pieces).rstrip(" -,.") + end
    assert (forms_of(kind, name, flags), key_of(kind, name, flags)) == in_full(kind, name, flags)


@given(st.sampled_from(KINDS), st.text(alphabet="aAbB -,.&'iI1é", max_size=12))
@settings(max_examples=1000)
def test_so_it_is_for_any_letters_and_signs(kind, name):
    assert (forms_of(kind, name), key_of(kind, name)) == in_full(kind, name, forms.DEFAULT)


@pytest.mark.parametrize(
    ("kind", "name", "tokens"),
    [
        ("company", "Kestrel Foods", ("kestrel", "foods")),
        ("company", "Kestrel Foods, Inc.", ("kestrel", "foods")),
        ("company", "Kestrel S.A.", ("kestrel",)),
        ("company", "PT Kestrel-Maren Pty Ltd", ("kestrel", "maren")),
        ("person", "Maren Doe", ("maren", "doe")),
        ("person", "Jean-Luc Doe", ("jean", "luc", "doe")),
        ("place", "Kestrel Bay", ("kestrel", "bay")),
        ("company", "The Kestrel", None),
        ("company", "Inc.", None),
        ("company", "Kestrel (KF)", None),
        ("company", "Kestrel Two", None),
        ("company", "Kestrel B Foods", None),
        ("person", "Doe, Maren", None),
        ("person", "Maren Doe Jr", None),
        ("person", "Maren X Doe", None),
        ("text", "Kestrel 2", None),
        ("text", "Kestrél", None),
        ("text", "", None),
    ],
)
def test_which_names_are_plain(kind, name, tokens):
    assert plain_tokens(kind, name) == tokens
    assert tokens is None or tuple(forms_of(kind, name)[0].tokens) == tokens


def test_a_plain_name_is_not_taken_apart(monkeypatch):
    monkeypatch.setattr(forms, "take_apart", None)
    assert forms_of("company", "Kestrel Foods, Inc.")[0].key == key_of("company", "Kestrel Foods Ltd")
    assert forms_of("person", "Maren Doe")[0].person.family == ("doe",)


def test_who_keeps_legal_forms_keeps_them():
    assert key_of("company", "Kestrel Foods, Inc.", Flags(keep_legal_form=True)) == "kestrel foods inc"


@pytest.mark.parametrize("phrase", LEGAL_PHRASES)
def test_every_legal_phrase_goes_as_a_whole(phrase):
    assert strip_legal_form(["kestrel", *phrase]) == ["kestrel"]


@pytest.mark.parametrize("phrase", LEGAL_FRONT_PHRASES)
def test_every_legal_phrase_in_front_goes_as_a_whole(phrase):
    assert strip_legal_form([*phrase, "kestrel"]) == ["kestrel"]


@given(st.text(alphabet="ivxl", min_size=2, max_size=9) | st.sampled_from(_KNOWN))
def test_no_word_that_is_read_as_a_number_is_settled(word):
    assert not is_settled("text", word) or (number_of(word) is None and word not in TENS)
    assert word not in LEGAL_END or not is_settled("company", word)


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (["Kestrel Foods", "Maren Optics"], [[0], [1]]),
        (["Kestrel  Foods", "Foods Kestrels"], [[0], [1]]),
        (["Kestrel Foods", "Kestrel, Inc. Foods", "kestrel foods inc."], [[0, 2], [1]]),
    ],
)
def test_lists_of_plain_names_are_grouped_as_ever(names, groups):
    assert collapse("company", names).groups == groups
