"""A key that is called settled is one that reading again leaves alone."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_wandr.identity import forms
from pytest_wandr.identity.companies import LEGAL_WORDS
from pytest_wandr.identity.settled import is_settled
from pytest_wandr.identity.tables import people, words
from pytest_wandr.identity.tokens import NUMBER_WORDS, TENS

FLAGS = [forms.Flags(numbers, legal) for numbers in (True, False) for legal in (True, False)]
_TABLES = [
    *[
        LEGAL_WORDS,
        words.ABBREVIATIONS,
        words.COUNTRIES,
        words.PLACE_ABBREVIATIONS,
        words.SPELLINGS,
        words.NOISE,
    ],
    *[people.TITLES, people.TITLES_FIRST_ONLY, people.POSTNOMINALS, people.GENERATIONS, people.PARTICLES],
    *[words.PRODUCT_ABBREVIATIONS, words.STATES, words.COUNTRY_CODES],
    *[word for phrase in people.TITLE_PHRASES for word in [phrase]],
    *[people.PARTICLE_SPELLINGS, people.SURNAMES_TOO, people.TITLES_BEFORE_TWO, NUMBER_WORDS, TENS],
]
_KNOWN = sorted(
    {word for table in _TABLES for word in table} | {w for c in words.COUNTRIES.values() for w in c}
)
_TEXT = """
    kestrel northgate maren doe xi li ix liv x a b the of also known as doing business formerly previously fka
    aka dba nka nee née now trading as dr str america
    ao ооо 三井 3m s24 o'neil jean-luc & + # @ ( ) , . " e.on u.s inc. ltd. a.b
"""
_OTHER = _TEXT.split()
_names = st.lists(st.sampled_from(_KNOWN) | st.sampled_from(_OTHER), min_size=1, max_size=5).map(" ".join)


@given(st.sampled_from(sorted(forms.NAME_KINDS)), _names | st.text(max_size=12), st.sampled_from(FLAGS))
@example("company", "united states of america kestrel", FLAGS[0])
@example("place", "saint kestrel also known as maren", FLAGS[0])
@settings(max_examples=1500)
def test_a_settled_key_is_found_again(kind, name, flags):
    for key in (name, forms._one_key(kind, name, flags)):
        if is_settled(kind, key):
            assert forms._one_key(kind, key, flags) == key


@pytest.mark.parametrize(
    ("kind", "key", "settled"),
    [
        ("company", "kestrel northgate", True),
        ("company", "kestrel holdings inc", False),
        ("company", "kestrel two", False),
        ("person", "maren doe", True),
        ("person", "maren doe phd", False),
        ("person", "m doe", False),
        ("place", "kestrel maren", True),
        ("text", "kestrel (maren)", False),
        ("text", "", False),
    ],
)
def test_plain_words_are_settled_and_words_of_a_rule_are_not(kind, key, settled):
    assert is_settled(kind, key) is settled
