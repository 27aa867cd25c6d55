"""Filler is varied, states nothing, and is put together the same way every time."""

import re
from collections import Counter
from itertools import islice

import pytest

from pytest_wandr.sealed.prose import capital, filler, sections, sentence, sentences
from pytest_wandr.sealed.rng import Rng

THEMES = ("business", "town", "goods")
MONTHS = "January|February|March|April|June|July|August|September|October|November|December"


@pytest.fixture(scope="module")
def drawn():
    return {theme: [sentence(Rng("filler", theme, i), theme) for i in range(1500)] for theme in THEMES}


@pytest.mark.parametrize("theme", THEMES)
def test_filler_holds_no_digit_no_month_and_no_open_hole(drawn, theme):
    for text in drawn[theme]:
        assert not re.search(rf"\d|[{{}}]|\b(?:{MONTHS})\b", text), text


@pytest.mark.parametrize("theme", THEMES)
def test_filler_uses_no_word_that_the_checks_look_for(drawn, theme):
    looked_for = r"\b(appoint|CEO|CFO|officer|recall|orlings|withdrawn|published|admitted|refund|lot)"
    assert not [text for text in drawn[theme] if re.search(looked_for, text)]


@pytest.mark.parametrize("theme", THEMES)
def test_filler_begins_with_a_capital_and_ends_with_a_full_stop(drawn, theme):
    assert all(re.fullmatch(r"[A-Z].*\.", text) for text in drawn[theme])


@pytest.mark.parametrize("theme", THEMES)
def test_articles_agree_with_the_next_word(drawn, theme):
    assert not [
        text
        for text in drawn[theme]
        if re.search(r"\b[Aa] (?:[aeio]|honest)|\b[Aa]n (?!honest)[^aeiou]", text)
    ]


def test_filler_rarely_repeats_itself(drawn):
    texts = [text for theme in THEMES for text in drawn[theme]]
    assert sum(count for count in Counter(texts).values() if count > 1) / len(texts) <= 0.02
    words = [word for text in texts for word in re.findall(r"\w+", text.lower())]
    grams = list(zip(*(islice(words, i, None) for i in range(5)), strict=False))
    assert len(set(grams)) / len(grams) >= 0.55


def test_a_paragraph_does_not_say_the_same_twice():
    for i in range(200):
        said = sentences(Rng("paragraph", i), "town", 12)
        assert len(set(said)) == 12


def test_the_same_path_gives_the_same_sentence():
    assert sentence(Rng("x", 1), "goods") == sentence(Rng("x", 1), "goods")


@pytest.mark.parametrize("name", ["lexicon/words.txt", "lexicon/filler.txt", "names.txt"])
def test_word_lists_hold_no_word_twice_in_a_section(name):
    for section, words in sections(name).items():
        assert len(set(words)) == len(words), section


def test_filler_comes_in_paragraphs_of_two_to_four_sentences():
    for i in range(50):
        blocks = filler(Rng("blocks", i), "goods", low=8, high=16)
        counts = [block.parts[0].text.count(".") for block in blocks]
        assert 8 <= sum(counts) <= 16
        assert set(counts[:-1]) <= {2, 3, 4}
        assert not any(part.facts for block in blocks for part in block.parts)


def test_capital_leaves_the_rest_alone():
    assert (capital("aBC"), capital("")) == ("ABC", "")
