"""Reading some stretches of a text says of every name what reading all of it says, and takes less."""

import sys
import unicodedata
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.identity import mentioned, mentions, stretches
from pytest_wandr.identity.declared import declared_of
from pytest_wandr.identity.fold import NATIVE, clean, has_native
from pytest_wandr.identity.forms import Flags
from pytest_wandr.identity.mentions import _answer, _is_early, _shows
from pytest_wandr.identity.page import _MOST_FROM_ONE, Page, page_of
from pytest_wandr.identity.page_words import apart, read_words, spans, split_words
from pytest_wandr.identity.sought import sought_of
from pytest_wandr.identity.stretches import all_stretches, glimpses, is_bounded
from pytest_wandr.identity.tables.words import ABBREVIATIONS, COUNTRIES, PLACE_ABBREVIATIONS
from pytest_wandr.identity.tokens import NUMBER_WORDS
from pytest_wandr.identity.word_readings import (
    MOST_READINGS,
    PLAIN_READINGS,
    TABLE_READINGS,
    readings_of,
)
from pytest_wandr.model import IdentityOptions
from tests.identity.test_mentions import NAMED

FILLER = "the boats of the harbour were painted in may and the nets were dry "
NAMES = [
    ("company", "Kestrel Foods, Inc."),
    ("company", "Kestrel (Asia) Limited"),
    ("company", "Kestrel Business Machines (KBM)"),
    ("company", "A B Kestrel"),
    ("company", "Marks & Kestrel"),
    ("company", "星北银行"),
    ("person", "Jane Doe"),
    ("person", "Jane van der Doe"),
    ("person", "Doe"),
    ("person", "Jane Doe (b. 1901)"),
    ("person", "Robert Doe Jr."),
    ("person", "高市早苗"),
    ("product", "Kestrel 15"),
    ("place", "Mt. Kestrel"),
    ("place", "Kestrel Street"),
    ("enum", "United States"),
    ("paper", "On the flight of Kestrel"),
    ("text", "Жан Кестрель"),
]
PIECES = st.sampled_from(
    [
        *[
            "Kestrel",
            "KESTREL",
            "kestrel",
            "Foods",
            "Inc.",
            "Inc",
            "Ltd",
            "Asia",
            "KBM",
            "A",
            "B",
            "Marks",
            "&",
        ],
        *[
            "&amp;",
            "&amp;amp;amp;amp;amp;",
            "Jane",
            "Doe",
            "DOE",
            "Jané",
            "van der",
            "Mary",
            "Jr.",
            "1901",
            "15",
        ],
        *[
            "15 Pro",
            "Mt.",
            "Mount",
            "St",
            "Street",
            "US",
            "usa",
            "and",
            "of",
            "On the flight",
            "said",
            "-",
            "'s",
        ],
        *["(", ")", ",", ".", "\n", "\n\n", " ", " ", " ", "\u200b", "\u00a0", "ﬁ", "€", "Й", "й", "\ue000"],
        *[
            "星北银行",
            "高市早苗",
            "星",
            "Жан",
            "Кестрель",
            "²",
            "_",
            "㎏",
            "Ünter",
            FILLER,
            FILLER,
            FILLER * 3,
        ],
    ]
)
TEXTS = st.lists(PIECES, max_size=30).map("".join) | st.lists(PIECES, max_size=25).map(" ".join)


def in_full(kind, name, text):
    """What all words of a text say."""
    sought = sought_of(kind, name, Flags())
    return _answer(sought, read_words(clean(text)), [])


@given(TEXTS, st.sampled_from(NAMES))
def test_some_stretches_say_what_the_whole_text_says(text, asked):
    sought, page = sought_of(*asked, Flags()), Page(text)
    whole = in_full(*asked, text)
    some = all_stretches(page, sought)
    assert some is None or _answer(sought, some, []) is whole
    for words, end in glimpses(page, sought):
        assert whole is True or not _shows(sought, page, words, end)


@given(TEXTS, st.lists(st.sampled_from(NAMES), min_size=1, max_size=3))
def test_names_are_found_as_if_all_words_were_read(text, asked):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mentions, "_READ_WHOLE", 0)
        assert [mentioned(*each, text) for each in asked] == [in_full(*each, text) for each in asked]


@pytest.mark.parametrize(("asked", "text"), [((kind, name), text) for kind, name, text in NAMED])
@pytest.mark.parametrize(("before", "behind"), [(0, 20), (20, 0), (20, 20)])
def test_what_a_short_text_names_a_long_one_names(monkeypatch, asked, text, before, behind):
    (kind, name), long = asked, f"{FILLER * before}\n\n{text}\n\n{FILLER * behind}"
    found = mentioned(kind, name, long)
    monkeypatch.setattr(mentions, "_READ_WHOLE", len(long) + 1)
    assert found is mentioned(kind, name, long)


FAR = f"{FILLER * 40}\n\n"
CAPITALS = "THE BOATS OF THE HARBOUR " * 10
HIDDEN_HYPHEN = "&amp;amp;amp;amp;amp;#45;"


@pytest.mark.parametrize(
    ("kind", "name", "text", "verdict"),
    [
        ("company", "Kestrel", f"{FAR}Kestrel Inc{' Inc' * 80} (Asia) said so. {FAR}", None),
        ("company", "Kestrel", f"{FAR}Kestrel Inc{' Inc' * 80} said so. {FAR}", True),
        ("company", "Kestrel", f"{FAR}Kestrel Foods Inc. said so. {FAR}", False),
        ("company", "Kestrel", f"{FAR}Kestrel Foods Inc. said so. {FAR}Then Kestrel agreed. {FAR}", True),
        ("company", "Kestrel (Norland)", f"{FAR}Then Kestrel agreed. {FAR}It is in Norland. {FAR}", True),
        ("company", "Kestrel (Norland)", f"{FAR}Then Kestrel agreed. {FAR}", None),
        ("company", "Kestrel Business Machines", f"{FAR}KBM agreed. {FAR}", None),
        ("person", "Jane Doe", f"{FAR}Mr. Doe said so. {FAR}Doe left. {FAR}", None),
        ("person", "Jane Doe", f"{FAR}Mr. Doe said so. {FAR}Mary Doe left. {FAR}", False),
        ("person", "Jane Doe", f"{FAR}Mary Doe left. {FAR}Jane Doe stayed. {FAR}", True),
        ("person", "Jane Doe Jr.", f"{FAR}Jane Doe Sr. left. {FAR}", False),
        ("company", "Kestrel", f"{FAR}the kestrel flew. {FAR}", True),
        ("company", "Kestrel", f"{FAR}the kestrel flew. {FAR}Capitals occur.", None),
        ("company", "KESTREL", f"{FAR}{CAPITALS}KESTREL ZEPHYR, {CAPITALS}{FAR}", None),
        ("company", "KESTREL", f"{CAPITALS}KESTREL ZEPHYR, {CAPITALS}", True),
        ("company", "Kestrel", f"{FAR}Kestrel{HIDDEN_HYPHEN}Foods agreed. {FAR}", True),
        ("company", "Kestrel", f"{FAR}Kestrel{HIDDEN_HYPHEN}Foods agreed. {FAR}Caf\u00e9", False),
        (
            "person",
            "Jane Doe (b. 1901)",
            f"{FAR}In 1901 Jane Doe ({'painterly ' * 10}1850) left. {FAR}",
            False,
        ),
        (
            "person",
            "Jane Doe (b. 1901)",
            f"{FAR}In 1901 Jane Doe ({'painterly ' * 10}1901) left. {FAR}",
            True,
        ),
        ("person", "高市 早苗", f"{FAR}高市 \ue000早苗 {FAR}", True),
        ("person", "高市 早苗", f"{FAR}高市 \ue000早苗 {FAR}Жан", False),
        ("product", "Kestrel 15", f"{FAR}the Kestrel 15 Pro is here. {FAR}", False),
    ],
)
def test_neighbours_and_the_rest_of_a_long_text_count(kind, name, text, verdict):
    assert mentioned(kind, name, text) is verdict is in_full(kind, name, text)


OTHERS = [
    ("company", "Kestrel", "Kestrel Foods Inc."),
    ("company", "Kestrel", "Kestrel Zephyr,"),
    ("company", "Kestrel", "Kestrel Zephyr Cable Works Inc."),
    ("company", "Kestrel", "Kestrel & Sons"),
    ("company", "Kestrel", "Kestrel Inc (Asia)"),
    ("company", "Kestrel", "Kestrel Inc Inc Inc Inc Inc Inc Inc Inc Inc Inc Inc Inc Inc Inc Inc Inc (Asia)"),
    ("company", "Kestrel", "the Great Kestrel"),
    ("person", "Jane Doe", "Jean-Jane Doe"),
    ("person", "Jane Doe", "Jane Doe-Miller"),
    ("person", "Jane Doe", "Jane Doe, Jr."),
    ("person", "Jane Doe", "Jane Doe Kestrel"),
    ("person", "Jane Doe (b. 1901)", "(b. 1901) Jane Doe (a b c d e f g h i j k 1850)"),
    ("person", "Doe", "Mary Doe"),
    ("product", "Kestrel 15", "Kestrel 15 Pro"),
    ("place", "York", "New York"),
    ("place", "York", "York City"),
]


@pytest.mark.parametrize(("kind", "name", "text"), OTHERS)
def test_no_stretch_names_what_the_whole_text_does_not(kind, name, text):
    text = f"{FILLER * 2}{text} {FILLER * 2}"
    page, sought = Page(text), sought_of(kind, name, Flags())
    assert in_full(kind, name, text) is not True
    blanks = [at for at, char in enumerate(text) if char.isspace()]
    for start, end in combinations([0, *blanks, len(text)], 2):
        words = stretches._read_stretch(page, (start and start + 1, end))
        assert words is None or not _shows(sought, page, words, end), text[start:end]


def test_what_is_read_otherwise_where_cyrillic_letters_occur_is_read_as_a_whole():
    assert stretches._read_stretch(Page("one \ue000 two"), (0, 9)) is None


def test_names_that_the_author_keeps_apart_count_in_a_long_text():
    apart_from = IdentityOptions(distinct=(("Kestrel", "Old Kestrel"),))
    text = f"{FAR}Then Old Kestrel agreed. {FAR}"
    assert mentioned("company", "Kestrel", text) is True
    assert mentioned("company", "Kestrel", text, apart_from) is False


def test_a_name_that_is_there_is_found_in_one_stretch():
    text = f"{FAR}Kestrel Foods was sold to Jane Doe. {FAR}"
    assert mentioned("company", "Kestrel Foods", text) is True
    assert mentioned("person", "Jane Doe", text) is True
    page = page_of(text)
    assert len(page.stretches) == 1
    assert not {"words", "vocabulary", "cleaned"} & set(vars(page))


def test_all_words_are_not_read_for_a_name_that_is_not_there():
    text = f"{FAR}Kestrel Foods was sold. {FAR}"
    assert mentioned("company", "Zephyr Cable Works", text) is False
    assert mentioned("person", "Mary Kestrel", text) is False
    assert "words" not in vars(page_of(text))


def test_a_text_is_read_once_when_many_names_are_asked():
    text = f"{FAR}Kestrel Foods was sold. {FAR}"
    names = [f"Zephyr {letter} Works" for letter in "abcdefghijklmnopqrstuvwxyz" * 3]
    assert not any(mentioned("company", name, text) for name in names)
    assert page_of(text).is_read
    assert "words" in vars(page_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "Kestrel Foods Group " * 20_000,
        "Kestrel" * 100_000,
        "Kestrel " + "x" * 500_000,
        "x" * 500_000 + " Kestrel",
        "Kestrel " + "- " * 200_000,
        "a " * 200_000,
        "Kestrel\n\n" * 50_000,
    ],
)
def test_few_stretches_of_a_hostile_text_are_tried(text):
    page, sought = Page(text), sought_of("company", "Kestrel Works", Flags())
    read = [end for _, end in glimpses(page, sought)]
    assert len(read) <= 4
    assert page._spent < 20_000
    some = all_stretches(page, sought)
    assert some is None or len(some.written) < 2_000


def test_where_a_reader_of_all_stops_looking_stretches_do_not_count():
    many = "a " * 400_000
    page, sought = Page(many), sought_of("text", "a " * 20, Flags())
    assert not is_bounded(page, sought)
    bearers = f"{'Mary Doe left. ' * 2_100}Jane Doe stayed. {FAR}"
    assert in_full("person", "Jane Doe", bearers) is mentioned("person", "Jane Doe", bearers)
    form = sought_of("person", "Jane Doe", Flags()).forms[0]
    assert _is_early(form, Page(bearers), 1_000)
    assert not _is_early(form, Page(bearers), len(bearers))


@given(st.text() | TEXTS, st.sampled_from("abdeijkmosu1"))
def test_no_more_words_begin_with_a_letter_than_a_page_says(text, letter):
    page = Page(text)
    begin = [
        any(reading[0] == letter for reading in readings) for readings in read_words(clean(text)).readings
    ]
    assert sum(begin) <= page.starts(letter)
    assert len(begin) <= page.most_starts
    assert sum(begin) <= page.starts(letter, len(text))


def test_no_character_begins_more_words_than_a_page_reckons_with():
    changed = [
        chr(point)
        for point in range(128, sys.maxunicode + 1)
        if not 0xD800 <= point < 0xE000 and not unicodedata.is_normalized("NFKC", chr(point))
    ]
    assert len(changed) > 1_000
    assert max(len(split_words(apart(clean(char)))[0]) for char in changed) == _MOST_FROM_ONE


def test_words_are_read_with_their_first_letter_or_as_a_number():
    spelled = {word: "".join(names) for word, names in COUNTRIES.items()}
    for table in (ABBREVIATIONS, PLACE_ABBREVIATIONS, spelled):
        assert all(word[0] == reading[0] for word, reading in table.items())
        assert set(TABLE_READINGS) >= set(table.values())
    assert all(number[0].isdigit() for number in NUMBER_WORDS.values())


@given(st.text(max_size=12) | st.lists(PIECES, max_size=3).map("".join))
def test_a_word_has_only_so_many_readings(text):
    for word, readings in readings_of(split_words(clean(text))[0]).items():
        assert 0 < len(readings) <= MOST_READINGS
        plain = [each for each in readings if not each.startswith(TABLE_READINGS) and each[0].isalpha()]
        assert len(plain) <= PLAIN_READINGS, word


@given(st.text() | TEXTS)
def test_the_places_of_a_reading_are_where_it_stands(text):
    words = read_words(clean(text))
    for reading, places in words.places.items():
        assert places == [at for at, readings in enumerate(words.readings) if reading in readings]
    assert words.said == {reading for readings in words.readings for reading in readings}


@given(st.text() | TEXTS | st.characters(min_codepoint=0x500, max_codepoint=0x30000))
def test_native_letters_are_seen_as_if_looked_for_one_by_one(text):
    assert has_native(text) is bool(NATIVE.search(text))


@given(TEXTS, st.integers(0, 400), st.integers(0, 400))
def test_a_stretch_is_cut_where_no_word_is(text, start, size):
    cut = stretches._cut(text, start, start + size)
    if cut and cut[0] < cut[1]:
        whole, piece = clean(text), clean(text[slice(*cut)])
        assert piece in whole or stretches.has_entity(piece)
        assert spans("kestrel", (), read_words(piece)) == [] or "kestrel" in read_words(whole).places


def test_declarations_are_made_once_and_kept_by_the_options_themselves():
    options = IdentityOptions(aliases={"Kestrel": ("Kite",)})
    assert declared_of("company", options) is declared_of("company", options)
    assert declared_of("place", options) is not declared_of("company", options)
    assert declared_of("company", options).options is options
    for number in range(100):
        other = IdentityOptions(aliases={f"Name {number}": ("Kite",)})
        assert declared_of("company", other).names("Kite") == ("Kite", f"Name {number}")


@pytest.mark.parametrize(("name", "found"), [("Kestrel", True), ("Kite", True), ("Falcon", False)])
def test_an_alias_in_a_long_text_is_the_name(name, found):
    options = IdentityOptions(aliases={"Kestrel": ("Kite",)})
    assert mentioned("company", name, f"{FAR}Then Kite agreed. {FAR}", options) is found
