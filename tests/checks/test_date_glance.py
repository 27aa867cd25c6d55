"""A date that is seen at a glance is one that reading the whole line finds."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_wandr.checks.date_glance import plainly_states
from pytest_wandr.checks.dates import dates_by
from pytest_wandr.checks.locales import Locale
from pytest_wandr.checks.when import When

DAY = When(2026, 3, 3)
PARTS = st.sampled_from(
    [
        *("3 March 2026", "March 3, 2026", "03 mars 2026", "3", "13", "2026", "26", "March", "first", "to"),
        *(
            " ",
            " ",
            " ",
            ", ",
            ". ",
            ".",
            ":",
            "/",
            "-",
            "\u200b",
            "\u00a0",
            "\x1e",
            "²",
            "½",
            "٣",
            "月",
            "é",
        ),
    ]
)
LANGS = st.sampled_from([None, "en", "en-US", "de", "th", "ja"])


@pytest.mark.parametrize(
    "line",
    [
        "On 3 March 2026 it opened",
        "3 march 2026",
        "03 Mars 2026, a Tuesday",
        "It opened (as planned) on March 3, 2026.",
        "from 1 to 3 March 2026; later",
    ],
)
def test_a_date_in_so_many_words_is_seen(line):
    assert plainly_states(line, DAY)


@pytest.mark.parametrize(
    ("line", "when"),
    [
        ("On 13 March 2026 it opened", DAY),
        ("On 3 March 2025 it opened", DAY),
        ("On 3 May 2026 it opened", DAY),
        ("version 5.3 March 2026", DAY),
        ("3 March 2026:12", DAY),
        ("3 March 20261", DAY),
        ("3 March 2026\u200b1", DAY),
        ("3 Marchers 2026", DAY),
        ("3 Set 2026", When(2026, 9, 3)),
        ("3 March 2569", When(2569, 3, 3)),
        ("3 March 2026", When(2026, 3)),
        ("3 March 2026", When(2026)),
    ],
)
def test_what_needs_a_closer_look_is_not_seen(line, when):
    assert not plainly_states(line, when)


@given(st.lists(PARTS, max_size=10).map("".join), LANGS)
@example("12 a 3 March 2026", "pt")
@example("first 3 March 2026", "en")
@example("28 February - 3 March 2026", "en")
def test_what_is_seen_is_found_by_reading_the_line(line, lang):
    if plainly_states(line, DAY):
        found = dates_by(line, Locale(lang))
        assert any(all(reading.states(DAY) for reading in each.readings) for each in found)
