"""Written dates, hand-worked: (text, language of the page, what it states)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.checks.date_words import MONTHS, month_names
from pytest_wandr.checks.dates import dates_in, read_date, years_in
from pytest_wandr.checks.plain import plain
from pytest_wandr.checks.when import When

MARCH_1 = "2026-03-01"

FIRST_OF_MARCH = [
    "1° marzo 2026", "den 1:a mars 2026", "1-го марта 2026", "1e maart 2026", "26年3月1日",
    "民國115年3月1日", "1/Mar/2026", "๑ มีนาคม ๒๕๖๙", "Sun, 01 Mar 2026 10:00:00 GMT", "2026-3-1",
    "1 آذار 2026", "2026. március 1-jén", "1.March.2026", "the first of March 2026",
    "the first day of March, 2026", "le premier mars 2026", "primero de marzo de 2026",
    "am ersten März 2026", "from the 1st to the 3rd of March 2026", "2026-03-01",
    "2026-03-01T23:30:00+09:00", "2026/03/01", "2026.3.1", "2026. 3. 1.", "20260301", "1.3.2026",
    "01.03.2026", "1. 3. 2026", "March 1, 2026", "March 1st, 2026", "1 March 2026", "1st of March 2026",
    "the 1st day of March, 2026", "Sunday, March the 1st, 2026", "Mar. 1, 2026", "1 Mar 2026",
    "01-Mar-2026", "01-Mar-26", "1 Mar '26", "2026 March 1", "2026-Mar-01", "MARCH 1, 2026",
    "March 1,2026", "01MAR2026", "Sun Mar 1 10:00:00 UTC 2026", "1. März 2026",
    "Sonntag, den 1. März 2026", "1.\u00a0Mär. 2026", "1er mars 2026", "le 1ᵉʳ mars 2026",
    "1 de marzo de 2026", "1º de marzo del 2026", "1 marzo 2026", "1º marzo 2026", "1 de março de 2026",
    "1.º de março de 2026", "1 maart 2026", "1 mrt. 2026", "den 1 mars 2026", "1. marts 2026",
    "1. mars 2026", "1. maaliskuuta 2026", "1. března 2026", "1. marca 2026", "1 marca 2026 r.",
    "1. ožujka 2026.", "2026. március 1.", "1 martie 2026", "1 Mart 2026", "1. märts 2026",
    "2026. gada 1. martā", "2026 m. kovo 1 d.", "1 Maret 2026", "ngày 1 tháng 3 năm 2026",
    "1 марта 2026 г.", "1 березня 2026 року", "1 март 2026", "1 Μαρτίου 2026", "1 במרץ 2026",
    "1 مارس 2026", "١ مارس ٢٠٢٦", "1 मार्च 2026", "1 มีนาคม 2569", "1 มีนาคม พ.ศ. 2569", "2026年3月1日",
    "２０２６年３月１日", "二〇二六年三月一日", "令和8年3月1日", "2026년 3월 1일", "2026 年 3 月 1 號",
    "1 de març de 2026", "1\u202fmars\u202f2026", "1–3 March 2026", "March 1-3, 2026",
    "1 March – 4 April 2026",
]  # fmt: skip


@pytest.mark.parametrize("text", FIRST_OF_MARCH)
def test_the_same_day_is_read_in_any_written_form(text):
    stated = [
        str(each.readings[0]) for each in dates_in(f"Announced {text} in Ashford.") if len(each.readings) == 1
    ]
    assert MARCH_1 in stated


@pytest.mark.parametrize("lang", sorted(MONTHS))
def test_every_language_names_all_twelve_months(lang):
    columns = MONTHS[lang].split()
    assert len(columns) == 12
    for month, forms in enumerate(columns, start=1):
        for form in forms.split("/"):
            found = dates_in(f"17 {form} 2026", lang)
            assert [each.readings for each in found] == [(When(2026, month, 17),)], form


def test_no_month_name_holds_what_a_page_never_shows():
    assert all(name == plain(name) and name.isalpha() for name in month_names())


@pytest.mark.parametrize(
    ("text", "lang", "stated"),
    [
        ("01/03/2026", "en-US", ["2026-01-03"]),
        ("01/03/2026", "en-GB", [MARCH_1]),
        ("01/03/2026", "en", [MARCH_1, "2026-01-03"]),
        ("01/03/2026", None, [MARCH_1, "2026-01-03"]),
        ("01/03/2026", "en-CA", [MARCH_1, "2026-01-03"]),
        ("01/03/2026", "fr", [MARCH_1]),
        ("01/03/2026", "pt_BR", [MARCH_1]),
        ("01-03-2026", "nl", [MARCH_1]),
        ("01-03-2026", "en", [MARCH_1, "2026-01-03"]),
        ("01.03.2026", "en", [MARCH_1, "2026-01-03"]),
        ("01.03.2026", "ja", [MARCH_1]),
        ("25/12/2026", "en", ["2026-12-25"]),
        ("12/25/2026", "en", ["2026-12-25"]),
        ("12/25/2026", "fr", ["2026-12-25"]),
        ("25/12/2026", "en-US", ["2026-12-25"]),
        ("03/03/2026", "en", ["2026-03-03"]),
        ("1.3.26", "de", [MARCH_1]),
        ("26/03/01", "ja", ["2001-03-26", MARCH_1]),
        ("1/3/26", "en-GB", [MARCH_1]),
        ("1/3/69", "en-GB", ["2069-03-01"]),
        ("1/3/70", "en-GB", ["1970-03-01"]),
    ],
)
def test_day_and_month_are_told_apart_by_the_language_or_not_at_all(text, lang, stated):
    (found,) = dates_in(text, lang)
    assert [str(reading) for reading in found.readings] == stated


@pytest.mark.parametrize(
    ("text", "lang", "stated"),
    [
        ("1 listopada 2026", "pl", ["2026-11-01"]),
        ("1. listopada 2026", "hr", ["2026-10-01"]),
        ("1 listopada 2026", None, ["2026-10-01", "2026-11-01"]),
        ("3 out 2026", "pt", ["2026-10-03"]),
        ("3 mei 2026", "nl", ["2026-05-03"]),
        ("3 May 2026", "de", ["2026-05-03"]),
    ],
)
def test_a_name_that_two_languages_use_differently_is_settled_by_the_page(text, lang, stated):
    (found,) = dates_in(text, lang)
    assert [str(reading) for reading in found.readings] == stated


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("3 out of 2026 samples", "en"),
        ("release 1.2.3.2026", None),
        ("10.0.0.12", None),
        ("31 February 2026", "en"),
        ("29/02/2025", "en-GB"),
        ("2026-13-01", None),
        ("the march of the penguins", "en"),
        ("you may apply", "en"),
        ("1,500 March hares", "en"),
        ("phone 555-0301-2026", "en"),
        ("", None),
    ],
)
def test_what_is_no_date_is_not_read_as_one(text, lang):
    assert dates_in(text, lang) == ()


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("March 2026", ["2026-03"]),
        ("28 آب/أغسطس 2026", ["2026-08-28"]),
        ("February/March 2026", ["2026-03"]),
        ("in March of 2026", ["2026-03"]),
        ("03/2026", ["2026-03"]),
        ("2026-03", ["2026-03"]),
        ("2026年3月", ["2026-03"]),
        ("2026. március", ["2026-03"]),
        ("1 March", ["????-03-01"]),
        ("March 1st", ["????-03-01"]),
        ("3月1日", ["????-03-01"]),
        ("version 2.1 March 2026", ["2026-03"]),
        ("2\nMarch 2026", ["2026-03"]),
        ("March 1\n2026", ["????-03-01"]),
        ("March 1 \x1d 2026", ["????-03-01"]),
        ("28 February – 2 March 2026", ["2026-02-28", "2026-03-02"]),
        ("March 28 to April 2, 2026", ["2026-03-28", "2026-04-02"]),
        ("1. und 2. März 2026", ["2026-03-01", "2026-03-02"]),
        ("01.03.2026–30.04.2026", ["2026-03-01", "2026-04-30"]),
        ("2026-03-01/2026-03-05", ["2026-03-01", "2026-03-05"]),
        ("29 February 2024", ["2024-02-29"]),
        ("published 1 March 2026, updated 2 April 2026", ["2026-03-01", "2026-04-02"]),
    ],
)
def test_a_date_is_as_precise_as_it_was_written(text, stated):
    assert [str(each.readings[0]) for each in dates_in(text, "de" if "und" in text else None)] == stated


@pytest.mark.parametrize(
    ("value", "readings"),
    [
        ("2026-03-01", [MARCH_1]),
        (" 2026-03-01T00:00:00Z ", [MARCH_1]),
        ("March 1, 2026", [MARCH_1]),
        ("2026-03", ["2026-03"]),
        ("2026", ["2026"]),
        ("01/03/2026", [MARCH_1, "2026-01-03"]),
        ("2026-03-01 (1 March 2026)", [MARCH_1]),
        ("1 March", []),
        ("soon", []),
        ("", []),
        ("0000", []),
        ("1 March 2026 and 2 March 2026", []),
        ("2026-02-30", []),
    ],
)
def test_a_value_is_one_date_or_none(value, readings):
    assert [str(reading) for reading in read_date(value)] == readings


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("二〇二六年十二月三十一日", "2026-12-31"),
        ("二〇二六年十月十日", "2026-10-10"),
        ("二〇二六年二月二十日", "2026-02-20"),
        ("令和元年五月一日", "2019-05-01"),
    ],
)
def test_han_numbers_are_read(text, stated):
    assert [str(each.readings[0]) for each in dates_in(text)] == [stated]


def test_years_are_numbers_of_four_digits_that_stand_alone():
    assert years_in("© 2026, 1,2025 parts, 20261 and ２０２４") == {2026, 2024}


@given(st.dates(min_value=When(1970, 1, 1).first, max_value=When(2068, 12, 31).first))
def test_iso_dates_are_always_read_back(day):
    assert read_date(day.isoformat()) == (When(day.year, day.month, day.day),)


@given(
    st.dates(min_value=When(1900, 1, 1).first, max_value=When(2300, 12, 31).first),
    st.sampled_from(sorted(MONTHS)),
)
def test_a_written_day_is_read_back_in_its_language(day, lang):
    name = MONTHS[lang].split()[day.month - 1].split("/")[0]
    (found,) = dates_in(f"xx {day.day}. {name} {day.year} xx", lang)
    assert found.readings == (When(day.year, day.month, day.day),)


@given(st.text(max_size=200))
def test_any_text_gives_possible_dates_in_order_and_no_crash(text):
    found = dates_in(text, None)
    assert list(found) == sorted(found, key=lambda each: (each.start, each.end))
    assert all(reading.possible for each in found for reading in each.readings)


@given(
    st.lists(
        st.sampled_from(
            ["1", "3", "March", "2026", "-", "/", ".", ",", " ", "\n", "2026-03-01", "de", "年", "月"]
        ),
        max_size=30,
    )
)
def test_pieces_of_dates_never_crash_it(pieces):
    text = "".join(pieces)
    assert dates_in(text, "en") == dates_in(text, "en")


def test_a_more_precise_date_states_a_less_precise_one_and_never_the_reverse():
    assert When(2026, 3, 1).states(When(2026, 3))
    assert When(2026, 3).states(When(2026))
    assert not When(2026, 3).states(When(2026, 3, 1))
    assert not When(None, 3, 1).states(When(2026, 3, 1))
