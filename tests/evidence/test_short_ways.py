"""What is done in bulk, or left out, for speed gives what the plain way gives."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.checks import cited as cited_
from pytest_wandr.evidence import accents, find_excerpt, nearest, pieces, read_page
from pytest_wandr.evidence import skeleton as skeletons
from pytest_wandr.evidence.fold import fold
from pytest_wandr.evidence.marks import CELL, readable, single_blanks
from pytest_wandr.evidence.match import Haystack, Needle
from pytest_wandr.evidence.rows import claim_rows
from pytest_wandr.evidence.signals import _WIDE, letters
from pytest_wandr.evidence.skeleton import NUMBERS, Skeleton
from pytest_wandr.model import Page

MARKED = st.lists(
    st.sampled_from(
        [
            *"ab1|.-",
            "  ",
            *" \n\t\r",
            *"\x0b\x18\x19\x1a\x1b\x1c\x1d\x1e",
            *"\xa0\u2003\u202f\u205f\u3000\u200bé“",
        ]
    ),
    max_size=14,
).map("".join)
NUMBERED = st.lists(
    st.sampled_from([*"a12.,:/' -(\x19\x1b\x1c\x1e", "  ", "3.5", "1,200", "[1]"]), max_size=12
).map("".join)
ACCENTED = st.lists(
    st.sampled_from(
        [
            *["a", "z", "1", " ", "\u0301", "\u036f", "\u0327", "\u0340", "\u0300\u0301", "й", "ﬁ"],
            *["ש", "\u05b8", "\u05be", "\u05c1", "م", "\u064e", "\u0651", "\u0654", "\u0670", "٤"],
        ]
    ),
    max_size=10,
)
WORDS = st.sampled_from(
    [
        *[
            "pier",
            "is",
            "not",
            "able",
            "can",
            "t",
            "can't",
            "the",
            "3",
            "5%",
            "-4",
            "café",
            "12.5",
            "notable",
        ],
        *["½", "m²", "10⁹", "^9", ".5", "₩5", "-₩5", "≠ 3", "º", "H₂", "pier¹"],
    ]
)
TEXT = st.lists(st.tuples(WORDS, st.sampled_from([" ", " ", "", ", ", ". ", "-"])), min_size=1, max_size=9)
MARKS = ["", " ", "\x1e", "\x1b\x1c", "\x1c", "\x1b", "\x19", "\x18", "\x1d", "\x0b"]


def readable_by_search(marked):
    text = re.sub("[\x19\x18]", "", marked)
    text = re.sub("[ \t\r\n\f\u00a0\u2000-\u200a\u202f\u205f\u3000]+", " ", text)
    text = re.sub(
        " *([\x0b\x1b\x1d\x1e])[ \x0b\x1b\x1c\x1d\x1e\x1a]*",
        lambda run: "\n" + " | " * run[0].count(CELL),
        text,
    )
    return re.sub(" *\x1c *", " | ", text).replace("\x1a", "").replace("\n | ", "\n").strip(" |\n")


@given(MARKED)
def test_text_is_made_readable_as_by_a_search_of_every_blank(marked):
    assert readable(marked) == readable_by_search(marked)


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ("\x1b\x1cA\x1c B \x1c\x1a\x1cC\x1b\x1b\x1c\x1cD\x1b", "A | B |  | C\n | D"),
        ("\x1eone\x1e \x1e\ntwo \x1e", "one\ntwo"),
        ("a |\x1a b\x1e|\x1a c", "a | b\n| c"),
        ("a\x0b\xa0b\u2003 c", "a\nb c"),
        ("x\x19\x18y", "xy"),
        ("a \x1e b\x1b\x1cc", "a\nb\nc"),
    ],
)
def test_readable_text_of_marks_in_a_row(marked, text):
    assert readable(marked) == text == readable_by_search(marked)


@given(st.text() | MARKED)
def test_single_blanks_are_what_split_and_join_give(text):
    normal = unicodedata.normalize("NFKC", text)
    assert single_blanks(normal) == " ".join(normal.split()).encode()


def numbered_by_search(text):
    """What parts two digits, found by a look at each digit."""
    parting = re.escape(bytes(b for b in range(256) if skeletons._TABLE[b] == 0x20 or b in skeletons._MARKS))
    pattern = re.compile(rb"\d([.,:/'](?=\d)|[" + parting + rb"]++)(?=\d)")
    return pattern.sub(
        lambda found: found[0][:1] + (skeletons._INNER_CODES.get(found[1]) or NUMBERS + found[1]), text
    )


@given(NUMBERED)
def test_numbers_are_parted_as_by_a_search_of_every_digit(text):
    assert skeletons._numbered(text.encode()) == numbered_by_search(text.encode())


CUTS = st.lists(
    st.sampled_from(
        [*"am1H.+-^ ", "\x19", "\x19\x1b", "\x1c", "½", "⅔", "²", "⁻³", "₂", "ё", "word", "[1]", "3.5"]
    ),
    max_size=9,
).map("".join)


def cuts_one_by_one(skeleton):
    """Places of fractions and exponents, with a look at what stands before and behind each mark."""
    spaced, places = skeleton.spaced, set()
    for at, byte in enumerate(spaced):
        before, behind = spaced[:at], spaced[at + 1 :]
        if byte != 0x19 or not re.match(rb"[\x01+]?\d", behind):
            continue
        word = re.search(rb"[a-z\x80-\xff]*\Z", before)[0]
        short = 0 < len(word) < 7 and re.fullmatch(rb".*[a-z]{4}", word, re.DOTALL) is None
        fraction = re.match(rb"\d{1,2}S\d{1,2}\x19", behind) and re.search(rb"\d\x1f \Z", before)
        if short or fraction or re.search(rb"\d\x1f?\Z", before):
            places.add(len(before.translate(None, delete=skeletons._DROPPED)))
    return places


@given(CUTS)
def test_fractions_and_exponents_are_found_as_by_a_look_at_each_mark(marked):
    skeleton = Skeleton(marked)
    assert skeleton.cuts == cuts_one_by_one(skeleton)


@given(st.lists(st.sampled_from([*"a1. ,(=<-$\x1c\x1e\x19", "₩", "..", ".5", "≥"]), max_size=9).map("".join))
def test_a_leading_point_is_one_wherever_no_word_number_or_dot_is_before_it(marked):
    text = skeletons._with_signs(fold(skeletons.single_spaced(marked.encode()).strip()))
    signs = "".join(map(chr, [*range(1, 9), *range(14, 21), *range(26, 31)])) + "$ ([|:;,~<>=+₩"
    expected = re.sub(rf"(?:(?<=[{re.escape(signs)}])|\A)\.(?=\d)", "D", text.decode())
    assert skeletons._POINT.sub(b"D", text).decode() == expected


def test_greek_letters_beside_the_accents_are_none():
    assert (
        accents.without_accents("a\u0370 e\u036f\u0371 1\u0301".encode()).decode()
        == "a\u0370 e\u0371 1\u0301"
    )


@given(ACCENTED)
def test_accents_are_dropped_as_by_a_look_behind_every_byte(parts):
    text = "".join(parts).encode()
    bare = re.sub("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670]", "", text.decode())
    assert accents.without_accents(text) == re.sub(
        rb"(?<=[a-z])(?:\xcc[\x80-\xbf]|\xcd[\x80-\xaf])+", b"", bare.encode()
    )


@st.composite
def pages_and_needles(draw):
    """A marked text, and what may be a stretch of it, as an excerpt writes it."""
    words = [word + end for word, end in draw(TEXT)]
    marked = "".join(word + draw(st.sampled_from(MARKS)) for word in words)
    start = draw(st.integers(0, len(words) - 1))
    piece = "".join(words[start : draw(st.integers(start + 1, len(words)))])
    piece = draw(
        st.sampled_from([piece, piece[:-1], piece[1:], piece.replace(" ", ""), f"|{piece}|", piece + "|x"])
    )
    return marked * draw(st.integers(1, 2)), claim_rows(piece)


def found(marked, piece, *, lax_end=False):
    needle = Needle(piece, lax_end=lax_end)
    return Haystack(Skeleton(marked)).find(needle) if needle.bytes else None


@given(pages_and_needles(), st.booleans())
def test_a_plain_hit_is_what_an_examined_one_is(given_, lax_end):
    plain = found(*given_, lax_end=lax_end)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Skeleton, "shows", lambda *_: False)
        assert plain == found(*given_, lax_end=lax_end)


@pytest.mark.parametrize(
    ("marked", "piece", "plain"),
    [
        ("the old pier burnt", "old pier", True),
        ("\x1ethe old pier\x1eburnt", "old pier", True),
        ("old pier", "old pier", True),
        ("the old piers", "old pier", False),
        ("the bold pier", "old pier", False),
        ("the old, pier", "oldpier", False),
        ("boldpier, old pier", "old pier", False),  # the first place counts
        ("\x1b\x1cold\x1cpier\x1b", "\x1b\x1cold\x1cpier\x1b", False),
        ("\x1b\x1cpier\x1b", "\x1b\x1cpier\x1b", False),
    ],
)
def test_what_is_plain(marked, piece, plain):
    page, needle = Skeleton(marked), Skeleton(piece)
    assert page.shows(needle, page.squashed.find(needle.squashed)) is plain


@pytest.mark.parametrize(
    ("text", "excerpt"),
    [
        ("it can 't float", "it can"),
        ("at -4 degrees", "4 degrees"),
        ("at ≥ 4 degrees", "4 degrees"),
        ("it is 5 % more", "it is 5"),
        ("in 12 3 boats", "in 12"),
        ("in 12½ boats", "in 12"),
        ("in 12 ½ boats", "in 12"),
        ("of 64 m² in all", "of 64 m"),
        ("of 64 m^2 in all", "of 64 m"),
        ("all 10⁹ boats", "9 boats"),
        ("up .5 points", "5 points"),
        ("up -₩5 now", "₩5 now"),
    ],
)
def test_what_touches_a_hit_is_looked_at(text, excerpt):
    page = read_page(f"<p>{text}</p>".encode(), media_type="text/html")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Skeleton, "shows", lambda *_: False)
        examined = find_excerpt(page, excerpt).explain()
    assert find_excerpt(page, excerpt).explain() == examined


LETTERS = st.lists(
    st.sampled_from([*"abABx1-_é", "É", ", ", " ", " " * 40, " " * 41, "\u212a", "k", "ſ", "s", "İ"]),
    max_size=12,
).map("".join)


@given(LETTERS, st.lists(st.sampled_from(["a", "b", "AB", "x1", "É", "k", "s", "_"]), min_size=1, max_size=3))
def test_words_end_where_a_pattern_of_them_ends(text, words):
    found = re.search(r"\W{1,40}?".join(map(re.escape, words)), text, re.IGNORECASE)
    assert nearest._end_of(text, words) == (found.end() if found else 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest, "_MOST_PLACES", 1)
        assert nearest._end_of(text, words) == (found.end() if found else 0)


@pytest.mark.parametrize(
    ("text", "words", "end"),
    [
        ("A, b c", ["a", "B"], 4),
        ("aa b a  b", ["a", "b"], 4),
        ("a" + "-" * 40 + "b", ["a", "b"], 42),
        ("a" + "-" * 41 + "b", ["a", "b"], 0),
        ("\u212a", ["k"], 1),
        ("\u0130\u0131x", ["i"], 1),
        ("Éé ab", ["ab"], 5),
        ("a c " * 300 + "a b", ["a", "b"], 1203),  # in too many places to look at each
        ("a c " * 300, ["a", "b"], 0),
    ],
)
def test_where_words_end(text, words, end):
    assert nearest._end_of(text, words) == end


EXCERPTS = st.lists(
    st.sampled_from(
        ["ab", "c-", "\n", "\r\n", " ", "  ", "\u3000", "\v", "…", "...", ". . .", "..", "[...]", "⋯"]
    ),
    max_size=9,
).map("".join)


@pytest.mark.parametrize(
    ("text", "trimmed", "elided"),
    [
        ("a . . . b . . .", ("a . . . b", False), ["a", "b"]),
        ("… ab c⋯", ("ab c", True), ["ab c"]),
        ("ab..", ("ab..", False), ["ab.."]),
    ],
)
def test_ellipses_of_all_kinds(text, trimmed, elided):
    assert pieces.trim(text) == trimmed
    assert pieces.elided(text) == elided


@given(EXCERPTS)
def test_an_excerpt_without_what_is_looked_for_stays_as_it_is(text):
    blanks = pieces._HORIZONTAL.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = re.sub(r"\n{2,}", "\n", re.sub(r" ?\n ?", "\n", blanks))
    assert pieces.collapse(text) == pieces._HYPHEN.sub("-\x18", lines)
    assert pieces.elided(text) == [piece for piece in pieces._INNER.split(text) if piece.strip()]
    with pytest.MonkeyPatch.context() as patch:
        short = pieces.trim(text)
        patch.setattr(pieces, "_has_dots", lambda _: True)
        assert short == pieces.trim(text)


@given(st.text() | st.text("aZ09_ é٣日ー한½\u0301\ud800"))
def test_letters_are_counted_as_one_by_one(text):
    assert letters(text) == sum(map(str.isalnum, text)) + len(_WIDE.findall(text)) * 3 // 2


def test_records_that_quote_the_same_have_it_looked_for_once(monkeypatch):
    looked = []
    monkeypatch.setattr(
        cited_, "find_excerpt", lambda page, excerpt: looked.append(excerpt) or find_excerpt(page, excerpt)
    )
    body = b"<p>The old pier burnt down.</p>"
    page = Page(
        url="https://a.example/",
        final_url="https://a.example/",
        status=200,
        body=body,
        media_type="text/html",
    )
    cited = cited_.read_cited(page)
    first = cited_.judge_excerpts(cited, ("The old pier", "a new pier"))
    assert first == cited_.judge_excerpts(cited, ("The old pier", "a new pier"))
    assert cited_.judge_excerpts(cited, ("a new pier",))[1].code == "excerpt_absent"
    assert looked == ["The old pier", "a new pier"]
