"""A place that shows a name plainly says yes only where reading all words of the text says yes."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_wandr.identity import mentioned, mentions, witness
from pytest_wandr.identity.fold import clean
from pytest_wandr.identity.forms import Flags
from pytest_wandr.identity.mentions import _answer
from pytest_wandr.identity.page_words import read_words
from pytest_wandr.identity.sought import sought_of
from pytest_wandr.identity.witness import plainly_named
from pytest_wandr.model import IdentityOptions

KINDS = sorted(witness._KINDS)
NAMES = """
    Kestrel|Kestrel Foods|Kestrel Foods, Inc.|Kestrel Foods S.A.|Doe & Sons|Kestrel-Doe Labs|KESTREL|KBM
    |kestrel foods|Jane Doe|Doe Jane|JANE DOE|Jane Jane|King Doe|Doe Jr|Jane Of|Li Xi|De Doe|Two Boats|Fund
    |Tech Nology|Us Doe|Royal Kestrel|Kestrel Pro|Labs|The Kestrel|Robert Doe|Co Kestrel Co
"""
_NAMES = st.sampled_from([name.strip() for name in NAMES.split("|")])
_WORDS = """
    Royal North New Saint the The a A I II iii 2nd 2026 5 3M 1,240 Mr Mr. Dr. Jr. jr PhD King Jane Mary Doe
    van de and & of Inc Inc. inc Ltd S.A. Holdings Foods Energy pro Pro Ti fund Fund Street UK (UK) (Asia)
    said announced CEO U.S. e.g. It's Doe's 's - – / … é É Жан 漢字 ʔ ʔ. ፩ ½ A\u030a &amp; &#x294; &#32;
    &#10; ™ \u200b @ # + ( ) [ ] " “ : ; , . ! ? two Two First xi Tech Labs
"""
_SEPARATORS = st.sampled_from([*"      ", "\n", "\n\n", "", "  ", ", ", ". ", "-", "\t", "\u00a0", ": "])
_CHUNK = st.lists(st.tuples(st.sampled_from(_WORDS.split()), _SEPARATORS).map("".join), max_size=4).map(
    "".join
)
_FAR = st.sampled_from(
    ["", "the boats were dry in may ", "THE BOATS OF MAY ", "The Boats. ", "ёй ", "Doe doe "]
)


def in_full(kind, name, text):
    """What all words of a text say."""
    return _answer(sought_of(kind, name, Flags()), read_words(clean(text)), [])


@st.composite
def _texts(draw, name):
    pieces = [draw(_FAR), draw(_CHUNK)]
    for _ in range(draw(st.integers(1, 2))):
        pieces += [
            draw(_SEPARATORS),
            name.rstrip(draw(st.sampled_from(["", "."]))),
            draw(_SEPARATORS),
            draw(_CHUNK),
        ]
    return "".join(pieces)


@given(st.data(), st.sampled_from(KINDS), _NAMES)
@settings(max_examples=1500)
def test_what_is_plainly_named_is_named(data, kind, name):
    text = data.draw(_texts(name))
    assert not plainly_named(kind, name, text) or in_full(kind, name, text) is True


@given(
    st.sampled_from(KINDS),
    st.text(alphabet="aAbB -,.&'I1é", min_size=1, max_size=9),
    st.text(alphabet="aA \n,.'-é1", max_size=4),
    st.text(alphabet="aAI \n,.'-é1", max_size=4),
)
@example("company", "Aa Aa Aa", "aa Aa ", " aa")
@example("text", "AA", "", "-A")
@settings(max_examples=1000)
def test_any_letters_and_signs_agree(kind, name, before, behind):
    text = f"{before}{name}{behind}"
    assert not plainly_named(kind, name, text) or in_full(kind, name, text) is True


@pytest.mark.parametrize(
    ("kind", "name", "text"),
    [
        ("company", "Kestrel Foods", "Kestrel Foods"),
        ("company", "Kestrel Foods Inc.", "On 3 March 2026 Kestrel Foods Inc. announced it."),
        ("company", "Kestrel Foods, Inc.", "It is Kestrel Foods, Inc, said Doe."),
        ("company", "Kestrel S.A.", "the boats of Kestrel S.A. were dry"),
        ("company", "Doe & Sons", "The Doe & Sons boats"),
        ("company", "Kestrel-Doe", "It left.\nKestrel-Doe\nstayed"),
        ("company", "Kestrel", "Royal boats. Kestrel, Doe said"),
        ("person", "Jane Doe", "when Jane Doe left"),
        ("person", "Jane Doe", "The boats left. Jane Doe, who stayed, agreed"),
        ("person", "Jane Doe", "said the keeper:\nJane Doe\nKeeper"),
        ("place", "Kestrel Bay", "in Kestrel Bay."),
        ("product", "Kestrel Lamp", "the Kestrel Lamp is here"),
        ("text", "Kestrel Lamp", "Royal Kestrel Lamp Works"),
        ("enum", "CEO", "Doe is CEO of it"),
    ],
)
def test_a_plain_place_is_enough(monkeypatch, kind, name, text):
    monkeypatch.setattr(mentions, "page_of", None)  # nothing of the text is read
    assert mentioned(kind, name, text) is True
    monkeypatch.undo()
    assert in_full(kind, name, text) is True


@pytest.mark.parametrize(
    ("kind", "name", "text", "verdict"),
    [
        ("company", "Kestrel", "the Royal Kestrel agreed", False),
        ("company", "Kestrel", "the Royal ʔ Kestrel agreed", False),
        ("company", "Kestrel", "when Kestrel Foods agreed", False),
        ("company", "Kestrel", "when Kestrel, Inc (UK) agreed", None),
        ("company", "Kestrel", "when Kestrel & Doe agreed", None),
        ("company", "Kestrel", "when Kestrel (UK) agreed", None),
        ("company", "Kestrel Fund", "when Kestrel Fund 2 agreed", False),
        ("person", "Jane Doe", "when Robert Jane Doe left", True),
        ("person", "Jane Doe", "Robert\nJane Doe left", True),
        ("person", "Jane Doe", "when Jane Doe, Jr left", False),
        ("person", "Jane Doe", "when Jane Doe iii left", False),
        ("person", "Jane Doe", "when Jane Doe, 3rd in line, left", False),
        ("person", "Jane Doe", "when Jane Doe-Miller left", False),
        ("place", "Kestrel", "in New Kestrel", False),
        ("place", "Kestrel", "in Kestrel Street", False),
        ("product", "Kestrel", "the Kestrel pro is here", False),
        ("product", "Kestrel", "the Kestrel 2 is here", None),
        ("enum", "Kestrel", "the Kestrel II is here", False),
        ("company", "Tech Nology", "the Tech Nology Foods said", None),
        ("company", "kestrel foods", "royal kestrel foods", True),
    ],
)
def test_other_places_are_read(kind, name, text, verdict):
    assert not plainly_named(kind, name, text)
    assert mentioned(kind, name, text) is verdict is in_full(kind, name, text)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("person", "Lord Doe"),
        ("person", "Jane Van"),
        ("person", "JANE DOE"),
        ("person", "Jane Jr"),
        ("url", "Doe"),
    ],
)
def test_names_that_are_no_plain_words_are_left_to_others(kind, name):
    assert not plainly_named(kind, name, f"when {name} said")


def test_a_later_place_counts_and_not_without_end():
    assert plainly_named("company", "Kestrel", "Kestrel Foods left, Kestrel stayed")
    assert not plainly_named("company", "Kestrel", "Kestrel Foods " * 9 + "left, Kestrel stayed")


@pytest.mark.parametrize("crowd", ["doe ", "d o e ", "Doe, "])
def test_a_place_that_no_reader_gets_to_does_not_count(crowd):
    text = f"{crowd * 3000}, then Jane Doe left"
    assert not plainly_named("person", "Jane Doe", text)
    assert plainly_named("person", "Jane Doe", f"when Jane Doe left. {crowd * 3000}")
    assert mentioned("person", "Jane Doe", text) is in_full("person", "Jane Doe", text)


def test_a_text_with_too_many_beginnings_is_left_to_others():
    assert not plainly_named("company", "Kestrel Foods", "Kestrel Foods said so. " + "kestrel " * 100_000)
    assert plainly_named("company", "Kestrel Foods", "Kestrel Foods said so. " + "kestrel " * 1_000)


def test_what_the_author_calls_distinct_is_looked_at():
    options = IdentityOptions(distinct=(("Kestrel Foods", "Kestrel"),))
    text = "when Kestrel Foods, a company, left"
    assert plainly_named("text", "Kestrel", "when Kestrel Foods left")
    assert mentioned("text", "Kestrel", text, options) is False
    assert mentioned("text", "Kestrel", text) is True
