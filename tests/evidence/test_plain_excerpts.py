"""Plain words are looked for without a look at what might be special about them; the outcome is the same."""

import re
from bisect import bisect_right

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_wandr.evidence import excerpt as excerpts
from pytest_wandr.evidence import nearest
from pytest_wandr.evidence import skeleton as skeletons
from pytest_wandr.evidence.marks import clean
from pytest_wandr.evidence.skeleton import Skeleton
from pytest_wandr.evidence.unmark import unmark

WORDS = [
    "the",
    "pier",
    "U.S.",
    "Ltd.",
    "3.5",
    "1,200",
    "12",
    "3",
    "can't",
    "(old",
    "2026)",
    "“so”",
    "well-known",
]
ODD = [
    "...",
    "…",
    "- ",
    "+",
    "|",
    "\t",
    "\n",
    "*",
    "_",
    "[1]",
    "(c)",
    "&amp;",
    "%",
    "<b>",
    "\u00a0",
    "ـ",
    "é",
    ">=",
]
ENDS = st.sampled_from([" "] * 12 + [", ", ". ", "; ", ": ", '." ', "", ",", "  ", "..", ". . ", "-"])
PARTS = st.tuples(st.sampled_from(WORDS * 3 + ODD), ENDS).map("".join)
EXCERPTS = st.lists(PARTS, max_size=9).map("".join).map(lambda text: text.removesuffix(" "))


def readings(excerpt):
    return [(each.text, each.lax_end, each.needle.bytes) for each in excerpts._candidates(excerpt)]


@given(EXCERPTS | st.text())
@example("In 2026, the pier (U.S.) was well-known.")
@example("ـ")
@example("1. the pier")
def test_a_plain_excerpt_has_the_readings_of_any_other(excerpt):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(excerpts, "PLAIN", re.compile("(?!)"))
        expected = readings(excerpt)
    assert readings(excerpt) == expected


@pytest.mark.parametrize(
    ("excerpt", "plain"),
    [
        ("On 3 March 2026 Quill Ltd. sold the pier, as planned.", True),
        ("“So it is,” she said: 12% of 3.5 km/h (well-known).", False),  # a comma before a quote parts values
        ("She said “so it is”, well-known (2026).", True),
        ("It cost 1,200", False),
        ("the pier ... burnt", False),
        ("the pier. . . burnt", False),
        ("the  pier", False),
        ("- the pier", False),
        ("the *old* pier", False),
        ("the pier,", False),
        (" the pier", False),
        ("", False),
    ],
)
def test_which_excerpts_are_plain(excerpt, plain):
    assert bool(excerpts.PLAIN.fullmatch(excerpt)) is plain


@given(EXCERPTS)
def test_a_short_text_of_plain_words_has_the_skeleton_of_any_other(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(skeletons, "_SHORT", -1)
        expected = Skeleton(text).spaced
    assert Skeleton(text).spaced == expected


@given(EXCERPTS, st.integers(0, 60))
@example("the 3 12 pier", 4)
@example("U.S. 3.5", 3)
def test_plain_words_part_from_a_page_where_a_search_says(text, shared):
    excerpt = unmark(clean(text))
    size = len(Skeleton(excerpt))
    found = nearest._parting(excerpt, size, min(shared, size))
    sizes = [len(Skeleton(excerpt[: at + 1])) for at in range(len(excerpt))]
    assert found == bisect_right(sizes, min(shared, size))


@given(st.text("ab", min_size=1, max_size=20), st.lists(st.text("abc", max_size=12), max_size=12))
@example("abababbb", ["abababa", "ababab", "abababb"])
def test_the_longest_shared_beginning_is_found(needle, page):
    needle, squashed = needle.encode(), "".join(page).encode()
    longest = max(size for size in range(len(needle) + 1) if needle[:size] in squashed)
    shared = nearest._shared(needle, squashed)
    assert shared == longest if longest >= nearest._LEAST else shared < nearest._LEAST
