"""What is kept of a page is the same whoever asks first, and a page where all matches costs no more."""

import re
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judge_fakes import AUTHORITY, ROLE, node_of, question

from pytest_wandr.checks.dates import dates_in, read_date
from pytest_wandr.checks.numbers import numbers_in
from pytest_wandr.checks.when import When
from pytest_wandr.judges.llm import landmarks, sheets
from pytest_wandr.judges.llm.notations import ELSEWISE, in_words, look_of_date, look_of_number
from pytest_wandr.judges.llm.passages import passages_of
from pytest_wandr.judges.llm.prompt import Limits, prompt_of, put
from pytest_wandr.judges.llm.sheets import MOST, SEARCHED, Sheet, bare, sheet_of
from pytest_wandr.model import DateIn, Mentions, NumberIn, RequirementSpec

LINES = [f"Paragraph {at} speaks of weather, bread and the opening of a road." for at in range(600)]
NODE = node_of(
    RequirementSpec(id="when", text="Says when.", check=DateIn(date="on")),
    RequirementSpec(id="how", text="Says how much.", check=NumberIn(number="fee")),
    RequirementSpec(id="who", text="Says who.", check=Mentions(mentions=("company",))),
    ROLE,
    AUTHORITY,
    answer=("on", "fee"),
)
HOSTILE = "".join(
    f"Birch Lane Foods: chief financial officer {at}, 9 June 2026, 1,234.50 crowns.\n" for at in range(5_000)
)


def asked(page, at=9, **more):
    return question(page=page, node=NODE, answer={"on": f"2026-06-{at:02}", "fee": 1225.5 + at}, **more)


TEXT = st.text(st.sampled_from("ab 1é漢.\n <&🙂\u200b"), max_size=900)


@given(TEXT)
def test_pieces_are_the_page_and_none_is_long(text):
    sheet = Sheet(text)
    assert "".join(sheet.pieces) == sheet.text
    assert all(0 < len(piece) <= 400 for piece in sheet.pieces)
    assert all(len(one) + len(two) > 80 for one, two in zip(sheet.pieces, sheet.pieces[1:], strict=False))
    assert sheet.whole == b"".join(map(bare, sheet.pieces))


@given(st.lists(st.sampled_from(["ab", "b", "a b\n", "ba\n" * 30, "x" * 90 + "\n"]), max_size=30), st.data())
def test_words_and_signs_are_found_where_they_stand(parts, data):
    sheet = Sheet("".join(parts))
    word = data.draw(st.sampled_from([b"ab", b"ba", b"bab", b"xa"]))
    assert sheet.with_word(word) == [at for at, words in enumerate(sheet.bare) if word in words][:MOST]
    sign = re.compile(r"b+\n?b")
    found = [at for at, text in enumerate(sheet.pieces) if sign.search(text)]
    assert set(sheet.with_sign(sign)) <= set(found)
    sign = re.compile("ba")
    assert list(sheet.with_sign(sign)) == [at for at, text in enumerate(sheet.pieces) if sign.search(text)]


def test_names_are_looked_for_in_the_first_half_million_characters():
    sheet = Sheet("\n".join([*LINES * 14, "Quillby"]))
    assert len(sheet.text) > SEARCHED
    assert sheet.with_word(b"quillby") == []
    assert list(sheet.with_sign(re.compile("Quillby"))) == []
    assert sum(map(len, sheet.pieces[: sheet.searched])) <= SEARCHED
    assert len(sheet.with_word(b"weather")) == MOST


DATES = {
    "2026-06-09": (
        "on 9 June 2026",
        "June 9th, 2026",
        "09/06/2026",
        "9.6.26",
        "2026-06-09",
        "le 9 juin 2026",
        "2026年6月9日",
        "二〇二六年六月九日",
        "٩ يونيو ٢٠٢٦",
        "9 มิถุนายน 2569",
    ),
    "2026-03-01": ("1 March 2026", "the first of March 2026", "1er mars 2026", "2026/3/1"),
    "2026-03": ("in March 2026", "3/2026", "on 4 March 2026"),
}


@pytest.mark.parametrize(("claimed", "text"), [(day, text) for day in DATES for text in DATES[day]])
def test_a_text_that_states_a_date_looks_like_it(claimed, text):
    (when,) = read_date(claimed)
    look = look_of_date(when)
    seen = look.sign.search(text) and (look.also is None or look.also.search(text))
    assert seen or ELSEWISE.search(text)


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)), st.sampled_from(["%d %B %Y", "%Y-%m-%d", "%B %d, %Y"]))
def test_every_day_looks_like_itself(day, form):
    text = f"It was {day.strftime(form)}."
    look = look_of_date(When(day.year, day.month, day.day))
    assert look.sign.search(text)
    assert look.also is None or look.also.search(text)
    assert Sheet(text).dates_at(0, "en") >= {
        reading for each in dates_in(text, "en") for reading in each.readings
    }


NUMBERS = {
    "1234.5": ("1,234.50", "1.234,5", "1 234.5", "1'234.50"),
    "3200000": ("3.2 million", "3,200,000", "320万"),
    "0.05": ("0.05", ".05"),
    "0": ("0",),
    "1000": ("1,000", "1k"),
}


@pytest.mark.parametrize(("number", "text"), [(each, text) for each in NUMBERS for text in NUMBERS[each]])
def test_a_text_that_states_a_number_looks_like_it(number, text):
    value = Decimal(number).normalize()
    assert value in {reading.value for found in numbers_in(text, "en") for reading in found.readings} or (
        text in ("1.234,5", "1k")
    )
    assert look_of_number(value).sign.search(text) or ELSEWISE.search(text)


def test_numbers_that_are_written_in_words_are_read_everywhere():
    assert [n for n in (1, 2, 12, 13, 2000, 25) if in_words(Decimal(n))] == [1, 2, 12, 2000]
    page = "\n".join([*LINES, "They ask for five crowns a day.", *LINES])
    node = node_of(RequirementSpec(id="how", text="x", check=NumberIn(number="fee")), answer=("fee",))
    sheet = Sheet(page.replace("5", "6"))
    found = landmarks.Landmarks(
        sheet, question(page=page, node=node, answer={"fee": 5}, excerpts=[], lang="en")
    )
    assert found.named() == []  # more digits than are read stand before it, and nothing else tells
    sheet = Sheet("\n".join([*LINES[:40], "They ask for five crowns a day.", *LINES[:40]]).replace("5", "6"))
    found = landmarks.Landmarks(
        sheet, question(page=page, node=node, answer={"fee": 5}, excerpts=[], lang="en")
    )
    assert ["five crowns" in sheet.pieces[at] for at in found.named()] == [True]


def test_what_is_sent_does_not_depend_on_who_asked_before():
    pages = [HOSTILE, "\n".join(LINES * 12) + HOSTILE[:2_000]]
    questions = [asked(page, at) for page in pages for at in (9, 10, 11)]

    def sent(order):
        sheet_of.cache_clear()
        limits = Limits(page_tokens=1_000, max_tokens=100)
        return {at: prompt_of([put(questions[at], limits)]).document for at in order}

    forth, back = sent(range(6)), sent(range(5, -1, -1))
    assert forth == back
    assert {at: sent([at])[at] for at in forth} == forth


def test_a_page_is_cut_and_cleaned_once_for_all_its_records(monkeypatch):
    sheet_of.cache_clear()
    made = []
    whole = sheets.cleaned
    monkeypatch.setattr(sheets, "cleaned", lambda text: made.append(text) or whole(text))
    for at in range(1, 20):
        put(asked(HOSTILE, at), Limits(page_tokens=500, max_tokens=100))
    assert len(made) == 1


def test_on_a_page_where_everything_matches_few_pieces_are_read(monkeypatch):
    calls = {"mentioned": 0, "run_check": 0, "dates_in": 0, "numbers_in": 0}

    def counted(module, name):
        whole = getattr(module, name)

        def call(*args):
            calls[name] += 1
            return whole(*args)

        monkeypatch.setattr(module, name, call)

    counted(landmarks, "mentioned")
    counted(landmarks, "run_check")
    counted(sheets, "dates_in")
    counted(sheets, "numbers_in")
    found = passages_of(Sheet(HOSTILE), asked(HOSTILE), 12_000)
    assert not found.whole
    assert calls["mentioned"] <= 50
    assert calls["run_check"] <= 200
    assert calls["dates_in"] <= 50
    assert calls["numbers_in"] <= 50


def test_a_piece_with_all_of_it_is_found_behind_many_with_some():
    some = [f"Birch Lane Foods, line {at}, has an office and pays wages every month." for at in range(2_000)]
    best = "Birch Lane Foods pays 1,234.50 crowns from 9 June 2026 to its chief financial officer."
    found = passages_of(Sheet("\n".join([*some, best])), asked("", excerpts=[]), 400)
    assert best in found.texts[-1]


def test_words_that_stand_everywhere_do_not_hide_those_that_do_not():
    page = "\n".join(
        f"The bank of the river at mile {at} lies north of the old mill and its pond." for at in range(3_000)
    )
    page += "\nThe Bank of Ashford opened."
    item = {"company": "Bank of Ashford"}
    found = passages_of(Sheet(page), question(page=page, item=item, excerpts=[], answer={}), 300)
    assert "Bank of Ashford" in found.texts[-1]


def test_many_excerpts_and_names_are_looked_for_within_limits():
    excerpts = [f"nowhere {at}" for at in range(500)] + ["office and pays"]
    page = "\n".join(["Title", *LINES, "It has an office and pays wages.", *LINES])
    assert "office and pays" not in "".join(
        passages_of(Sheet(page), question(page=page, excerpts=excerpts), 300).texts
    )
    few = passages_of(Sheet(page), question(page=page, excerpts=excerpts[-2:]), 300)
    assert "office and pays" in "".join(few.texts)
