"""Looking for dates and words in less time finds the same."""

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.checks import date_digits, plain
from pytest_wandr.checks.date_digits import dates_in_digits
from pytest_wandr.evidence import marks
from pytest_wandr.identity import page_words

PIECES = st.sampled_from(
    [
        "2026",
        "03",
        "1",
        "20260301",
        "-",
        ".",
        "/",
        ",",
        " ",
        "年",
        "月",
        "日",
        "thang ",
        "nam ",
        "令和",
        "a",
        "12345678",
    ]
)
LETTERS = st.sampled_from(
    [*"aZé½²٣ß_'’.,&+0 9\n\u00a0\u2003\u0301\u200b‐ıﬁ中안ก\u0e31", "U.S.", "1,240", "v2.5", "  ", "İ"]
)


def _all_dates(text, lang):
    """The same by looking for every form everywhere."""
    forms = [*date_digits._MARKED, (date_digits._COMPACT, date_digits._compact)]
    forms += [form[:2] for form in date_digits._WORDED]
    found = [read(match, lang) for pattern, read in forms for match in pattern.finditer(text)]
    return [each for each in found if each]


@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from([None, "en", "de", "ja", "vi"]))
def test_dates_are_found_as_if_looked_for_everywhere(text, lang):
    assert list(dates_in_digits(text, lang)) == _all_dates(text, lang)


def _plain(text):
    """The same letter by letter, without looking first."""
    every = {c: None for c in range(0x300, 0x11000) if unicodedata.category(chr(c)).startswith("M")}
    if not text.isascii():
        text = plain._FRACTION.sub(lambda m: plain._HALVES[m[0]], plain._FOOTNOTE.sub(" ", text))
        text = unicodedata.normalize("NFKC", text.translate(plain._SIGNS)).translate(plain._SIGNS)
        text = plain._FOREIGN_DIGIT.sub(lambda m: str(unicodedata.digit(m[0])), text)
        text = unicodedata.normalize("NFKD", text.casefold()).translate(every)
        text = unicodedata.normalize("NFC", text).translate(plain._SIGNS)
    else:
        text = text.lower()
    text = re.sub(r"[^\S\n\x1d\x1e]+", " ", text)
    return re.sub(r" ?[\n\x1d\x1e][ \n\x1d\x1e]*", "\n", text).strip()


@given(st.text() | st.lists(LETTERS | st.sampled_from(["\x1d", "\x1e", "\t", "2²"])).map("".join))
def test_a_plain_text_is_the_same_letter_by_letter(text):
    assert plain.plain(text) == _plain(text)


_WORD = re.compile(
    r"((?:[^\W\d_]\.)+[^\W\d_](?![^\W_])"
    r"|\d{1,3}(?:,\d{3})+(?!\d)"
    r"|[^\W_]*\d(?:\.\d+)+[^\W_]*"
    r"|[^\W_]+(?:['’ʼ][^\W_]+)*"
    r"|[&+#@%])"
    r"((?:[^\w&+#@%]|_)*)"
)


@given(st.text() | st.lists(LETTERS).map("".join))
def test_words_are_what_they_are_without_the_way_for_most_words(text):
    pieces = page_words._WORD.split(text)
    assert list(zip(pieces[1::2], pieces[2::2], strict=True)) == _WORD.findall(text)


@given(st.lists(LETTERS | st.sampled_from([marks.BLOCK, marks.CELL, marks.SPAN, marks.NEWLINE])).map("".join))
def test_blanks_are_joined_whether_or_not_somebody_looked(text):
    always = marks._CELLS.sub(" | ", marks._EDGES.sub(marks._newline, marks._SOFT.sub(" ", text)))
    assert marks.readable(text) == always.replace(marks.SPAN, "").replace("\n | ", "\n").strip(" |\n")
