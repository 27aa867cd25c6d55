"""What a text is written in is found out where something can be read in two ways, and nowhere else."""

import pytest

from pytest_wandr.checks import Subject, run_check
from pytest_wandr.checks.dates import dates_by
from pytest_wandr.checks.language import Written
from pytest_wandr.checks.locales import Locale
from pytest_wandr.checks.numbers import numbers_by
from pytest_wandr.model import KeySpec, LanguageIs, NodeSpec, NumberIn, Record


class Asked(Exception):
    """Somebody wanted to know the language."""


class Untold(Written):
    """A text whose language nobody should need."""

    @property
    def lang(self):
        raise Asked


CLEAR = ["2026-03-01", "1 March 2026", "25/12/2026", "12/25/2026", "03/03/2026", "20260301", "03/03/03"]
CLEAR += [
    "2026年3月1日",
    "1 mars 2026",
    "march",
    "set",
    "3 March",
    "03/2026",
    "1/2/3",
    "1/13/2026",
    "0/1/2026",
]
UNCLEAR = ["03/01/2026", "3.1.2026", "01/02/03", "3 out 2026", "3 listopad 2026", "13/03/12", "13.3.26"]


@pytest.mark.parametrize("text", CLEAR)
def test_a_date_that_reads_the_same_everywhere_needs_no_language(text):
    read = dates_by(text, Locale("en", Untold(text)))
    assert {dates_by(text, Locale(lang)) for lang in (None, "en", "en-US", "de", "hu")} >= {read}


@pytest.mark.parametrize("text", UNCLEAR)
def test_a_date_that_may_be_another_needs_the_language(text):
    with pytest.raises(Asked):
        dates_by(text, Locale("en", Untold(text)))


@pytest.mark.parametrize("text", ["29", "1,234.5", "1.5", "29 million", "0.123", "€ 29", "1'234"])
def test_a_number_that_reads_the_same_everywhere_needs_no_language(text):
    subject = subject_of(text, n=text, written=Untold(text))
    assert run_check(NumberIn(number="n"), subject).value is True


@pytest.mark.parametrize("text", ["1,234", "1.234", "12 450", "2 billion", "3 bin", "two"])
def test_a_number_that_may_be_another_needs_the_language(text):
    with pytest.raises(Asked):
        numbers_by(text, Locale("en", Untold(text)))


@pytest.mark.parametrize(
    ("text", "unit", "asked"),
    [
        ("29 kr", "SEK", True),
        ("29 ¥", "¥", True),
        ("%29", "%", True),
        ("29 %", "%", False),
        ("29 $", "$", False),
        ("29 €", "EUR", False),
    ],
)
def test_a_unit_needs_the_language_where_languages_share_its_sign(text, unit, asked):
    subject = subject_of(text, n=29, written=Untold(text))
    if not asked:
        assert run_check(NumberIn(number="n", unit=unit), subject).value is True
        return
    with pytest.raises(Asked):
        run_check(NumberIn(number="n", unit=unit), subject)


def test_a_text_is_read_for_its_language_once(monkeypatch):
    read = []
    monkeypatch.setattr("pytest_wandr.checks.language.language_of", lambda *asked: read.append(asked))
    written = Written("Brot", "de")
    subject = subject_of("Brot", lang="de", written=written)
    assert (written.lang, subject.page_lang, subject.locale.lang) == (None, None, "de")
    assert read == [("Brot", "de")]


@pytest.mark.parametrize(
    ("declared", "written", "lang"),
    [
        ("en-GB", "en", "en-GB"),
        ("en-GB", None, "en-GB"),
        ("en-US", "de", "de"),
        (None, "de", "de"),
        (None, None, None),
        ("nb", "no", "nb"),
        ("en", Written("der die das und ist nicht " * 5), "de"),
    ],
)
def test_what_is_declared_counts_unless_the_text_contradicts_it(declared, written, lang):
    assert Locale(declared, written).lang == lang


def test_a_language_that_is_asked_for_is_that_of_the_page():
    check = LanguageIs(language=("de",))
    assert run_check(check, subject_of("x", written=Written("der die das und ist nicht " * 5))).value is True
    assert run_check(check, subject_of("x", written=Written("the cat is on the mat and " * 5))).value is False
    assert run_check(check, subject_of("x", written=Written("x"))).value is None


def subject_of(text, *, lang=None, written=None, **answer):
    node = NodeSpec(name="main", keys=(KeySpec(name="url", required=1),))
    record = Record(node="main", item={}, url="https://wire.example/", answer=answer)
    return Subject(record, node, text, lang=lang, written=written)
