"""What stands on a page letter for letter is what a closer look finds there."""

import sys
from unicodedata import normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_wandr.evidence import excerpt as excerpts
from pytest_wandr.evidence import find_excerpt, literal, match, read_page
from pytest_wandr.evidence.fold import fold
from pytest_wandr.evidence.literal import stands
from pytest_wandr.evidence.page import PageText
from pytest_wandr.evidence.views import Views

WORDS = st.sampled_from(
    [
        *(
            "the",
            "old",
            "pier",
            "was",
            "not",
            "burnt",
            "can",
            "isn",
            "t",
            "able",
            "12",
            "1,240",
            "U.S.",
            "no.",
        ),
        *("m²", "cm", ".5", "^2", "₩5", "º", "™", "<sup>2</sup>"),
        *("well-known", "(c)", "c)", "café", "½", "5", "%", "-4", "[1]", "it's"),
    ]
)
MARKS = '\x1e\x0b\x1b\x1c\x1a\x19\x18\x1d\n\t\u00a0\u200b-“([])".,'
SEAMS = st.sampled_from([*MARKS, *[" "] * 9, "\x1b\x1c", " - "])


class _Page(PageText):
    """A page of a marked text, which nothing is hidden on."""

    def __init__(self, marked):
        super().__init__(b"", media_type="text/plain")
        vars(self)["_hidden"] = ""
        vars(self)["_views"] = Views(marked, marked)


def closely(marked, excerpt):
    return excerpts._first_reading(_Page(marked), excerpt, [])


@st.composite
def pages_and_excerpts(draw):
    excerpt = " ".join(draw(st.lists(WORDS, min_size=2, max_size=7)))
    changed = [excerpt, excerpt, excerpt.upper(), excerpt.replace(" ", draw(SEAMS), 1), draw(WORDS)]
    parts = draw(st.lists(st.sampled_from(changed), min_size=1, max_size=4))
    return "".join(part + draw(SEAMS) for part in parts), excerpt


@given(pages_and_excerpts())
@example(("we can isn the old pier t", "the old pier"))
@example(("- the well-known pier\x1b\x1cthe well-known pier\x1b", "the well-known pier"))
def test_what_stands_there_is_found_by_a_closer_look(given_):
    marked, excerpt = given_
    if stands(excerpt, marked):
        assert closely(marked, excerpt) == ("contiguous", "reading")


@pytest.mark.parametrize(
    ("marked", "excerpt", "plain"),
    [
        ("\x1ethe old pier burnt.\x1e", "the old pier burnt.", True),
        ("so the old pier, it burnt", "the old pier, it burnt", True),
        ("the well-known U.S. pier", "well-known U.S. pier", True),
        ("“the old pier burnt”", "the old pier burnt", False),
        ("the old pier burnt-out", "the old pier burnt", False),
        ("the old pier burnts", "the old pier burnt", False),
        ("\x1b\x1cthe old pier burnt\x1b", "the old pier burnt", False),
        ("it burnt when we can t", "it burnt when we can", False),
        ("the old pier of 1824 %", "the old pier of 1824", False),
        ("at - 12 old piers", "12 old piers", False),
        ("the old pier", "old pier", False),  # short
        ("the old\x1epier burnt", "the old pier burnt", False),
        ("the café is old now", "the café is old now", False),
        ("the pier (c) is old", "the pier (c) is old", False),
        ("the pier cost 1,240 then", "the pier cost 1,240 then", False),
        ("abcabcabc abc abc", "abcabcabc abc", False),  # repeats itself
    ],
)
def test_which_excerpts_stand_plainly(marked, excerpt, plain):
    assert stands(excerpt, marked) is plain


def test_a_place_that_a_search_would_not_reach_is_not_enough():
    excerpt = "the old pier burnt"
    cut = f"x{excerpt.title()}s " * match.most_tries(1)
    assert closely(cut + excerpt, excerpt) is None
    assert not stands(excerpt, cut + excerpt)
    assert stands(excerpt, cut[:400] + "\n" + excerpt)


def test_no_character_makes_more_of_a_skeleton_than_is_counted_on():
    characters = filter(str.isprintable, map(chr, range(0x80, sys.maxunicode + 1)))
    long = [char for char in characters if len(normalize("NFKD", char).casefold()) > 2]
    assert len(long) > 500
    assert max(len(fold(char.encode())) for char in long) <= literal._LONGEST_FOLDED


def test_a_page_on_which_all_stands_is_not_folded(monkeypatch):
    page = read_page(b"<p>The old pier burnt down.</p>", media_type="text/html")
    monkeypatch.setattr(PageText, "haystack", lambda *_: pytest.fail("folded"))
    assert find_excerpt(page, "The old pier burnt").explain() == (
        "the excerpt is on the page word for word (reading view)"
    )
