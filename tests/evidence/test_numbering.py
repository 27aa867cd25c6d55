"""Which label an item of an ordered list shows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from pytest_wandr.evidence import find_excerpt, read_page
from pytest_wandr.evidence.numbering import label, numbered

VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


@pytest.mark.parametrize(
    ("number", "kind", "shown"),
    [
        (1, "a", "a"),
        (26, "a", "z"),
        (27, "A", "AA"),
        (703, "a", "aaa"),
        (4, "i", "iv"),
        (1994, "I", "MCMXCIV"),
        (4000, "i", "4000"),
        (0, "a", "0"),
        (-2, "I", "-2"),
        (7, "", "7"),
        (7, "1", "7"),
        (7, "disc", "7"),
    ],
)
def test_a_number_is_shown_as_the_list_says(number, kind, shown):
    assert label(number, kind) == shown


@given(st.integers(1, 3_999))
def test_a_roman_numeral_adds_up(number):
    values = [VALUES[sign] for sign in label(number, "i")]
    signed = [-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True)]
    assert sum(signed) == number


@given(st.integers(1, 10**9))
def test_letters_count_on_without_a_gap(number):
    value = 0
    for letter in label(number, "a"):
        value = 26 * value + ord(letter) - ord("a") + 1
    assert value == number


@pytest.mark.parametrize(
    ("attributes", "numbers", "labels"),
    [
        ("", "1 2 3", "1 2 3"),
        ("start='4'", "4 5 6", "4 5 6"),
        ("type='a' start='3'", "3 4 5", "c d e"),
        ("reversed=''", "1 2 3", "3 2 1"),
        ("reversed='' start='9'", "9 10 11", "9 8 7"),
        ("start='x'", "1 2 3", "1 2 3"),
    ],
)
def test_items_are_counted_up_and_shown(attributes, numbers, labels):
    items = list(numbered(etree.fromstring(f"<ol {attributes}><li/><li/><p/><li/></ol>")))
    assert [number for _, number, _ in items] == numbers.split()
    assert [shown for _, _, shown in items] == labels.split()


def test_a_list_of_letters_has_a_third_view_and_another_list_has_none():
    page = read_page(b"<ol type=a><li>Tea<li>Milk</ol>", media_type="text/html")
    assert page.visible_views == ("reading", "full", "labelled")
    assert (page.text, page.full_text) == ("Tea\nMilk", "1. Tea\n2. Milk")
    assert find_excerpt(page, "a. Tea\nb. Milk").where == "labelled"
    assert find_excerpt(page, "1. Tea\n2. Milk").where == "full"
    assert not find_excerpt(page, "1. Tea\nb. Milk").faithful
    plain = read_page(b"<ol type=1><li>Tea<li>Milk</ol>", media_type="text/html")
    assert plain.visible_views == ("reading", "full")
