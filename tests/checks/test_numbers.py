"""Numbers in any notation, hand-worked: (text, language of the page, number, unit, is it stated?)."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.checks import Subject, run_check
from pytest_wandr.checks.locales import Locale
from pytest_wandr.checks.number_check import _starting
from pytest_wandr.checks.number_notation import read_notation
from pytest_wandr.checks.number_words import canonical_unit
from pytest_wandr.checks.numbers import Quantity, Reading, numbers_in, read_number
from pytest_wandr.checks.plain import plain
from pytest_wandr.model import KeySpec, NodeSpec, NumberIn, Record

NODE = NodeSpec(
    name="main", keys=(KeySpec(name="thing", required=1), KeySpec(name="url", required=1)), answer=("n",)
)


def check(text, value, lang=None, **bounds):
    record = Record(node="main", item={"thing": "x"}, url="https://a.test/", answer={"n": value})
    return run_check(NumberIn(number="n", **bounds), Subject(record, NODE, text, lang=lang))


STATED = [
    ("It costs 29 euros.", "en", 29, "EUR"),
    ("€29", None, 29, "EUR"),
    ("EUR 29", None, 29, "€"),
    ("29,00 €", "de", 29, "EUR"),
    ("29.00 EUR per month", "en", 29, "EUR"),
    ("29,- €", "de", 29, "EUR"),
    ("CHF 29.–", "de-CH", 29, "CHF"),
    ("Fr. 29.50", "de-CH", 29.5, "CHF"),
    ("$1,234.50", "en", 1234.5, "USD"),
    ("US$ 1,234.50", "en", 1234.5, "$"),
    ("1.234,50 €", None, 1234.5, "EUR"),
    ("1 234,50 €", "fr", 1234.5, "EUR"),
    ("1\u202f234,50\u00a0€", None, 1234.5, "EUR"),
    ("CHF 1’234.50", None, 1234.5, "CHF"),
    ("₹12,34,567", "en-IN", 1234567, "INR"),
    ("Rs. 5 crore", "en-IN", 50_000_000, "INR"),
    ("12k users", "en", 12000, None),
    ("3.2 million people", "en", 3_200_000, "people"),
    ("a 3.2-million-euro deal", "en", 3_200_000, "EUR"),
    ("2,5 Mio. Euro", "de", 2_500_000, "EUR"),
    ("€3.2m", "en", 3_200_000, "EUR"),
    ("$1.5bn", "en", 1_500_000_000, "USD"),
    ("1,5 Mrd. €", "de", 1_500_000_000, "EUR"),
    ("1 Billion Euro", "de", 10**12, "EUR"),
    ("1 billion euros", "en", 10**9, "EUR"),
    ("5 millones de euros", "es", 5_000_000, "EUR"),
    ("2 mil millones de dólares", "es", 2_000_000_000, "USD"),
    ("30 mil reais", "pt", 30_000, "BRL"),
    ("5 bin lira", "tr", 5_000, "TRY"),
    ("12 тыс. рублей", "ru", 12_000, "RUB"),
    ("3,5 млн руб.", "ru", 3_500_000, "RUB"),
    ("12,5 tys. zł", "pl", 12_500, "PLN"),
    ("1億2000万円です", "ja", 120_000_000, "JPY"),
    ("3万5000人", "ja", 35_000, "人"),
    ("5000元", "zh", 5000, "CNY"),
    ("¥5,000", "zh", 5000, "CNY"),
    ("¥5,000", "ja", 5000, "JPY"),
    ("1만 2천원", "ko", 12_000, "KRW"),
    ("29 kr", "sv", 29, "SEK"),
    ("29 kr.", "da", 29, "DKK"),
    ("$29 CAD", "en", 29, "CAD"),
    ("5 %", "de", 5, "percent"),
    ("5%", "en", 5, "%"),
    ("17.89%를 보유", "ko", 17.89, "%"),
    ("約85%が", "ja", 85, "%"),
    ("29 パーセントの", "ja", 29, "%"),
    ("129.75억 원(주당", "ko", 12_975_000_000, "KRW"),
    ("yüzde 29", "tr", 29, "%"),
    ("five per cent", "en", 5, "%"),
    ("5 pour cent", "fr", 5, "percent"),
    ("%5", "tr", 5, "%"),
    ("5 процентов", "ru", 5, "%"),
    ("500 mg", "en", 500, "mg"),
    ("500mg", "en", 500, "mg"),
    ("8 hours", "en", 8, "hour"),
    ("an 8-hour day", "en", 8, "hours"),
    ("50 m² of space", "en", 50, "m²"),
    ("12 m long", "en", 12, "m"),
    ("-5 °C", "en", -5, "°C"),
    ("−5 °C", "en", -5, "°C"),
    ("−$5", "en", -5, "USD"),
    ("3½ hours", "en", 3.5, "hours"),
    (".5 mg", "en", 0.5, "mg"),
    ("0,125", "en", 0.125, None),
    ("twelve arms", "en", 12, None),
    ("drei Arme", "de", 3, None),
    ("１２，４５０人", "ja", 12450, "人"),
    ("١٢٬٤٥٠", "ar", 12450, None),
    ("12 450 habitants", "fr", 12450, "habitants"),
    ("Price (EUR)\n29", "en", 29, None),
    ("from 19 to 29 euros", "en", 29, "EUR"),
    ("from 19 to 29 euros", "en", 19, "EUR"),
    ("19–29 €", "de", 19, "EUR"),
    ("$19–$29", "en", 19, "USD"),
    ("entre 19 et 29 euros", "fr", 19, "EUR"),
    ("10–15 years", "en", 10, "years"),
    ("2-3 million people", "en", 3_000_000, "people"),
    ("5% of 29 %", "en", 29, "%"),
    ("$19 $29 $39", "en", 29, "USD"),
    ("19 € 29 € 39 €", "de", 29, "EUR"),
    ("10–15 years", "en", 15, "years"),
    ("1,234 participants", "en", 1234, "participants"),
    ("1.234 Teilnehmer", "de", 1234, "Teilnehmer"),
    ("1,234 Liter", "de", 1.234, "Liter"),
    ("1,234", "es-MX", 1234, None),
    ("1.234", "es-ES", 1234, None),
]


@pytest.mark.parametrize(("text", "lang", "number", "unit"), STATED)
def test_a_number_is_found_in_any_notation(text, lang, number, unit):
    found = check(text, number, lang, unit=unit)
    assert found.value is True, found.reason


NOT_STATED = [
    ("It costs 19 euros.", "en", 29, "EUR"),
    ("29 dollars", "en", 29, "EUR"),
    ("$29", "en", 29, "EUR"),
    ("29 reviews, prices in EUR", "en", 29, "EUR"),
    ("1,234", "en", 1.234, None),
    ("1.234", "de", 1.234, None),
    ("12 m", "en", 12, "mg"),
    ("500 mg", "en", 500, "g"),
    ("the S29 phone", "en", 29, None),
    ("version 2.29.1", "en", 29, None),
    ("at 10:29", "en", 29, None),
    ("29/30", "en", 29, None),
    ("129", "en", 29, None),
    ("29.5", "en", 29, None),
    ("5 %", "en", 5, "EUR"),
    ("29\nEUR 5", "en", 5, "%"),
    ("€3.2m", "en", 3.2, "EUR"),
    ("3.2 million", "en", 3.2, None),
    ("n%3d29&x=%29 y", "en", 29, "%"),
    ("29%3d1", "en", 29, "%"),
    ("5 percentiles", "en", 5, "%"),
    ("5% 29 people", "en", 29, "%"),
    ("19–29 people", "en", 19, "%"),
    ("29 and EUR 5", "en", 29, "EUR"),
    ("29-10:30", "en", 29, "EUR"),
    ("12 mil", "en", 12_000, None),
    ("two\nthousand", "en", 2000, None),
    ("-5", "en", 5, None),
    ("to tre", "en", 3, None),
    ("", "en", 1, None),
]


@pytest.mark.parametrize(("text", "lang", "number", "unit"), NOT_STATED)
def test_what_a_text_does_not_state_is_false_and_says_what_was_looked_for(text, lang, number, unit):
    found = check(text, number, lang, unit=unit)
    assert found.value is False
    assert f"{Decimal(str(number)):f}" in found.reason


OPEN = [
    ("1,234", None, 1234, None, "number_ambiguous"),
    ("1,234", None, 1.234, None, "number_ambiguous"),
    ("1.234", "es", 1234, None, "number_ambiguous"),
    ("1.234 Franken", "de-CH", 1234, "CHF", "number_ambiguous"),
    ("$29", "en", 29, "CAD", "number_ambiguous"),
    ("29 kr", "en", 29, "SEK", "number_ambiguous"),
    ("5m", "en", 5, None, "number_ambiguous"),
    ("5 billion", "xx", 5 * 10**9, None, "number_ambiguous"),
    ("5m", "en", 5_000_000, None, "number_ambiguous"),
    ("Route 66 120 miles", "en", 120, "miles", "number_ambiguous"),
    ("5 € 29 people", "en", 29, "EUR", "number_ambiguous"),
    ("29 $5 vouchers", "en", 29, "USD", "number_ambiguous"),
    ("Price (EUR)\n29", "en", 29, "EUR", "unit_apart"),
    ("Price in € | 29 | Basic", "en", 29, "EUR", "unit_apart"),
]


@pytest.mark.parametrize(("text", "lang", "number", "unit", "code"), OPEN)
def test_what_can_be_read_in_two_ways_is_undecided(text, lang, number, unit, code):
    found = check(text, number, lang, unit=unit)
    assert found.value is None
    assert found.code == code


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        (29, [29]),
        (29.5, [29.5]),
        (-3, [-3]),
        ("29,00 €", [29]),
        ("EUR 29", [29]),
        ("about 29", [29]),
        ("3.2 million", [3_200_000]),
        ("12 450", [12450]),
        ("1,234", [1234, 1.234]),
        ("1,234.5", [1234.5]),
        ("12%", [12]),
        ("29-35", []),
        ("2 of 5", []),
        ("1e5", []),
        ("many", []),
        ("", []),
        (True, []),
        (None, []),
        ([29], []),
        (float("inf"), []),
        (float("nan"), []),
    ],
)
def test_a_value_is_one_number_or_none(value, numbers):
    assert [float(number) for number in read_number(value)] == [float(number) for number in numbers]


@pytest.mark.parametrize(
    ("numeral", "lang", "numbers"),
    [
        ("1,234,567", None, ["1234567"]),
        ("1.234.567", None, ["1234567"]),
        ("12,34,567", None, ["1234567"]),
        ("1,234.5", None, ["1234.5"]),
        ("1.234,5", None, ["1234.5"]),
        ("1,23,4", None, []),
        ("2.1.7", None, []),
        ("1.234.56", None, []),
        ("1,234.5,6", None, []),
        ("0,234", None, ["0.234"]),
        ("1234,567", None, ["1234.567"]),
        ("007", None, ["7"]),
        ("5'11", None, []),
        ("1'234'567.5", None, ["1234567.5"]),
        ("1" * 41, None, []),
    ],
)
def test_separators_are_read_together(numeral, lang, numbers):
    assert [f"{number:f}" for number in read_notation(numeral, Locale(lang))] == numbers


@pytest.mark.parametrize(
    ("bounds", "value", "expected"),
    [
        ({"min": 10, "max": 29}, 29, True),
        ({"min": 29}, 29, True),
        ({"min": 29.5}, 29, False),
        ({"max": 28.99}, 29, False),
        ({"max": 28.99}, "1,234", False),
    ],
)
def test_the_bounds_are_inclusive(bounds, value, expected):
    found = check("29 and 1,234", value, "en", **bounds)
    assert found.value is expected
    if not expected:
        assert found.code == "number_outside"


def test_reasons_say_what_to_do():
    assert check("x", None).code == "no_value"
    assert check("x", "many").code == "number_unreadable"
    assert "'many'" in check("x", "many").reason
    assert check("€29", "$29", "en", unit="EUR").code == "number_unit"
    wrong = check("€19, €39 and 29 chairs", 29, "en", unit="EUR")
    assert wrong.reason == "the text does not state 29 EUR; in that unit it states 19, 39"
    assert check("x", 29, unit="EUR").reason.endswith("it states none in that unit")


@pytest.mark.parametrize(
    ("unit", "canonical"),
    [
        ("€", "eur"),
        ("EUR", "eur"),
        ("euros", "eur"),
        ("$", "usd"),
        ("US$", "usd"),
        ("Per cent", "%"),
        ("mg", "mg"),
    ],
)
def test_currencies_and_per_cent_have_one_unit_each(unit, canonical):
    assert canonical_unit(unit) == canonical


@given(st.integers(min_value=0, max_value=10**12), st.sampled_from(["{:,}", "{}"]))
def test_english_grouping_is_read_back(number, form):
    (found,) = numbers_in(f"a {form.format(number)} x", "en")
    assert [int(reading.value) for reading in found.readings] == [number]


@given(st.integers(min_value=0, max_value=10**9), st.integers(min_value=0, max_value=99))
def test_german_grouping_is_read_back(whole, cents):
    text = f"{whole:,}".replace(",", ".") + f",{cents:02}"
    assert read_notation(text, Locale("de")) == (Decimal(f"{whole}.{cents:02}").normalize(),)


@given(st.text(max_size=200), st.sampled_from([None, "en", "de", "ja"]))
def test_any_text_gives_numbers_in_order_and_no_crash(text, lang):
    found = numbers_in(text, lang)
    length = len(plain(text))
    assert list(found) == sorted(found)
    assert all(0 <= q.start < r.end <= length for q in found for r in q.readings)


@given(
    st.lists(
        st.sampled_from(["1", "23", "456", ",", ".", " ", "'", "€", "m", "k", "-", "万", "億", "%", "\n"]),
        max_size=30,
    )
)
def test_pieces_of_numbers_never_crash_it(pieces):
    for quantity in numbers_in("".join(pieces), None):
        assert quantity.readings


@given(st.lists(st.integers(0, 30)).map(sorted), st.integers(0, 30))
def test_the_numbers_that_start_at_a_place_are_those_and_no_others(starts, at):
    found = [Quantity(start, (Reading(Decimal(number), start + 1),)) for number, start in enumerate(starts)]
    assert list(_starting(at, found)) == [quantity for quantity in found if quantity.start == at]


def test_a_long_chain_of_ranges_is_read_in_one_go():
    """Looking through the whole chain for the end of each range would take minutes."""
    assert check("7 " + "1-" * 40_000 + "2 km", 29, unit="€").code == "number_not_stated"
