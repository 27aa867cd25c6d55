"""One likely line is read instead of the text: the answer is the same, and no text makes it a long way."""

import re
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.checks import Subject, date_check, likely, run_check
from pytest_wandr.checks.date_check import stated_date
from pytest_wandr.checks.dates import dates_by
from pytest_wandr.checks.likely import likely_lines
from pytest_wandr.checks.number_check import stated_number
from pytest_wandr.checks.plain import plain
from pytest_wandr.checks.recall import SHORT, recalled
from pytest_wandr.checks.when import When
from pytest_wandr.model import DateIn, KeySpec, NodeSpec, NumberIn, Record

NODE = NodeSpec(name="main", keys=(KeySpec(name="url", required=1),))
WORDS = [
    "3 March",
    "March 3,",
    "3",
    "4",
    "03",
    "2026",
    "2025",
    "26",
    "03/04/2026",
    "2026-03-03",
    "third",
    "first",
]
WORDS += [
    "`26",
    "mar",
    "out",
    "3-4",
    "é",
    "and",
    "to",
    "1.234",
    "1,234",
    "29",
    "€",
    "$",
    "kr",
    "million",
    "m",
]
WORDS += [
    "3月",
    "2026年",
    "3日",
    "3 mars",
    "%",
    "km",
    "12 450",
    "1.2",
    "5",
    "two",
    ".",
    "-",
    "/",
    ",",
    "\n",
    "\x1e",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=14).flatmap(
    lambda words: st.sampled_from(["", " ", " ", "  ", "\n"]).map(lambda blank: blank.join(words))
)
LANGS = st.sampled_from([None, "en", "en-US", "de", "sv", "hu", "pt", "tr"])


def subject_of(text, *, lang=None, written=None, **answer):
    record = Record(node="main", item={}, url="https://wire.example/", answer=answer)
    return Subject(record, NODE, text, lang=lang, written=written)


def in_full(monkeypatch, check, subject):
    """What the check says when no line is likely."""
    for module in ("date_check", "number_check"):
        monkeypatch.setattr(f"pytest_wandr.checks.{module}.likely_lines", lambda *_, **__: iter(()))
    return run_check(check, subject)


@given(TEXTS, LANGS, LANGS, st.sampled_from(["2026-03-03", "2026-03-04", "2026-03", "2026", "3/4/2026"]))
def test_a_date_is_stated_whether_or_not_likely_lines_are_read_first(text, lang, written, on):
    subject = subject_of(text, lang=lang, written=written, on=on)
    check = DateIn.model_validate({"date": "on", "from": date(2000, 1, 1)})
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert run_check(check, subject) == in_full(monkeypatch, check, subject)


@given(
    TEXTS,
    LANGS,
    LANGS,
    st.sampled_from([3, 29, 1234, 1.2, "1,234", 1_200_000, 12450, -5, 0.5, "€ 29"]),
    st.sampled_from([None, "€", "$", "%", "kr", "km"]),
)
def test_a_number_is_stated_whether_or_not_likely_lines_are_read_first(text, lang, written, n, unit):
    subject = subject_of(text, lang=lang, written=written, n=n)
    check = NumberIn(number="n", unit=unit)
    with pytest.MonkeyPatch.context() as monkeypatch:
        assert run_check(check, subject) == in_full(monkeypatch, check, subject)


@given(st.text() | TEXTS)
def test_each_line_of_a_text_reads_by_itself_as_it_does_there(text):
    lines = [line if text.isascii() else line.replace("`", "'") for line in re.split("[\n\x1d\x1e]", text)]
    assert plain(text) == "\n".join(filter(None, map(plain, lines)))


@pytest.mark.parametrize(
    ("text", "also", "lines"),
    [
        ("", "", []),
        ("in 2026", "", ["in 2026"]),
        ("in 2026", "3", []),
        ("a\n3 March 2026\nb", "3", ["3 March 2026"]),
        ("2026\n1 of 2026, 2026\n2026", "", ["2026", "1 of 2026, 2026"]),
        ("`26 in 2026", "", ["`26 in 2026"]),
        ("`26 in 2026\né", "", ["'26 in 2026"]),
        ("x" * (SHORT + 1) + "2026\n2026", "", ["2026"]),
        ("2026" + "x" * SHORT, "", []),
        ("2026" + "x" * (SHORT - 4), "", ["2026" + "x" * (SHORT - 4)]),
    ],
)
def test_the_lines_with_a_sign_are_given_once_each(text, also, lines):
    assert list(likely_lines(text, ("2026",), also=also)) == lines


def test_signs_are_looked_for_in_their_order():
    assert list(likely_lines("1.5\n1,5\n1.5 or 1,5", ("1,5", "1.5"))) == ["1,5", "1.5 or 1,5", "1.5"]


def test_only_so_many_lines_are_looked_at_and_read():
    many = "\n".join(f"{number} of 2026" for number in range(1000))
    assert len(list(likely_lines(many, ("2026",)))) == likely._GIVEN
    assert list(likely_lines(many, ("2026",), also="999")) == []
    late = "\n".join(["in 2026"] * likely._LOOKED_AT) + "\n3 March 2026"
    assert list(likely_lines(late, ("2026",), also="3")) == []
    assert stated_date(When(2026, 3, 3), subject_of(late)).value is True


def test_a_certain_line_is_enough(monkeypatch):
    read = []
    monkeypatch.setattr(date_check, "dates_by", lambda *asked: read.append(asked[0]) or dates_by(*asked))
    text = "It rained.\nOn the 3rd of March 2026 it rained.\n01/02/2026"
    assert stated_date(When(2026, 3, 3), subject_of(text)).value is True
    assert read == ["On the 3rd of March 2026 it rained."]
    assert stated_date(When(2026, 3, 3), subject_of("It rained.\nOn 3 March 2026 it snowed.")).value is True
    assert read == ["On the 3rd of March 2026 it rained."]  # seen at a glance


@pytest.mark.parametrize(
    "number", [10**30, Decimal("1e300"), Decimal(10) ** 4400, -(10**20), Decimal("1e-9")]
)
def test_no_number_is_too_large_to_be_looked_for(number):
    found = stated_number(Decimal(number), NumberIn(number="n"), subject_of("29"))
    assert found.code == "number_not_stated"


def test_what_was_read_of_a_page_outlasts_that_of_many_lines():
    read = []
    length = recalled(lambda text: read.append(text) or len(text))
    page = "x" * (SHORT + 1)
    for text in (page, *map(str, range(200)), page, "199", "150"):
        assert length(text) == len(text)
    assert read == [page, *map(str, range(200))]
