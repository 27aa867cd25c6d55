"""Normal forms, step by step: folding, tokens, brackets, legal forms, parts of a person's name."""

import pytest

from pytest_wandr.identity import normal_form
from pytest_wandr.identity.brackets import take_apart
from pytest_wandr.identity.companies import strip_legal_form
from pytest_wandr.identity.fold import clean, fold, latin, raw_form, romanised, script_of
from pytest_wandr.identity.forms import forms_of
from pytest_wandr.identity.papers import read_reference
from pytest_wandr.identity.people import person_tokens, read_person
from pytest_wandr.identity.tokens import join_letters, number_of, roman_number, tokenize, with_numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Straße", "strasse"),
        ("Łódź", "łodz"),
        ("İstanbul", "istanbul"),
        ("ﬁne", "fine"),
        ("Ⅳ", "iv"),
        ("１２", "12"),
        ("٣", "3"),
        ("Чайковский", "чайковский"),
        ("Ёлка", "елка"),
        ("ガギ", "ガギ"),
        ("Ελλάδα", "ελλαδα"),
        ("A&amp;B", "a&b"),
        ("A&amp;amp;B", "a&b"),
        ("A&#38;B", "a&b"),
        ("CAF&EACUTE;", "cafe"),
        ("AT&T", "at&t"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("Brand™", "brand"),
    ],
)
def test_folding_takes_case_marks_width_and_entities(text, expected):
    assert fold(clean(text)) == expected


def test_native_scripts_keep_their_letters_and_have_a_latin_side():
    assert romanised("москва 東京") == "moskva 東京"
    assert latin("東京") == "dongjing"
    assert script_of("東京") == "han"
    assert script_of("トウキョウ東京") == "han"
    assert script_of("서울") == "hangul"
    assert script_of("東京서울") == script_of("abc") == ""


@pytest.mark.parametrize(
    ("value", "form"), [("!?", "!?"), ("  ★ ", "★"), ("\u200b\u200b", "\u200b"), ("", "")]
)
def test_a_name_of_symbols_is_its_own_form(value, form):
    assert raw_form(value) == form
    assert normal_form("text", value) == form


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("o'neil & sons", ["oneil", "and", "sons"]),
        ("c++ and c#", ["cplusplus", "and", "csharp"]),
        ("s24+", ["s24", "plus"]),
        ("#1 fan", ["1", "fan"]),
        ("u.s. open", ["us", "open"]),
        ("u.s.a.", ["usa"]),
        ("gpt-4o", ["gpt", "4o"]),
        ("pythia 3.10", ["pythia", "3.10"]),
        ("v3.224.4", ["v3.224.4"]),
        ("1,000,000 steps", ["1000000", "steps"]),
        ("1,2,3", ["1", "2", "3"]),
        ("100% wool", ["100", "percent", "wool"]),
        ("me@home", ["me", "at", "home"]),
        ("snake_case", ["snake", "case"]),
        ("ก่อน", ["ก่อน"]),
    ],
)
def test_tokens(text, tokens):
    assert tokenize(text) == tokens


@pytest.mark.parametrize(
    ("token", "number"),
    [
        ("007", "7"),
        ("0", "0"),
        ("3.10", "3.10"),
        ("54th", "54"),
        ("second", "2"),
        ("twelve", "12"),
        ("iv", "4"),
        ("xlix", "49"),
        ("l", None),
        ("v", None),
        ("i", "1"),
        ("x", "10"),
        ("s24", None),
        ("mix", None),
        ("fund", None),
    ],
)
def test_numbers(token, number):
    assert number_of(token) == number


def test_a_roman_numeral_is_no_number_in_front():
    assert with_numbers(["ii", "fund", "ii"]) == ["ii", "fund", "2"]
    assert with_numbers(["forty", "four", "forty", "twenty", "twelve"]) == ["44", "40", "20", "12"]


@pytest.mark.parametrize("number", range(1, 51))
def test_roman_numerals_up_to_fifty(number):
    tens = ["", "x", "xx", "xxx", "xl", "l"][number // 10]
    ones = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"][number % 10]
    assert roman_number(tens + ones) == str(number)


def test_single_letters_in_a_row_are_one_word():
    assert join_letters(["a", "b", "c", "works", "l", "p"]) == ["abc", "works", "lp"]
    assert join_letters(["3", "m"]) == ["3", "m"]


@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("kestrel gmbh and co kg", "kestrel"),
        ("kestrel co ltd", "kestrel"),
        ("kestrel sab de cv", "kestrel"),
        ("kestrel sdn bhd", "kestrel"),
        ("kestrel limited liability company", "kestrel"),
        ("kestrel and company", "kestrel"),
        ("pt kestrel tbk", "kestrel"),
        ("public joint stock company kestrel", "kestrel"),
        ("limited brands inc", "limited brands"),
        ("kestrel group holdings", "kestrel group holdings"),
        ("company", "company"),
        ("sa sa", "sa"),
    ],
)
def test_legal_forms_go_from_the_end_or_the_strict_front(name, rest):
    assert strip_legal_form(name.split()) == rest.split()


@pytest.mark.parametrize(
    ("name", "main", "qualifiers", "tickers", "others"),
    [
        ("Kestrel (NYSE: KST)", "Kestrel", (), {"kst"}, ()),
        ("Kestrel (NYSE: KST; LSE: KS.L)", "Kestrel", (), {"kst", "ks.l"}, ()),
        ("Kestrel (Asia) Ltd", "Kestrel   Ltd", ("Asia",), set(), ()),
        ("Kestrel (f/k/a Facegate)", "Kestrel", (), set(), ("Facegate",)),
        ("Kestrel, formerly Facegate", "Kestrel, ", (), set(), ("Facegate",)),
        ("Kestrel [live]", "Kestrel", ("live",), set(), ()),
        ("(Kestrel)", "(Kestrel)", (), set(), ()),
        ("Formerly Known", "Formerly Known", (), set(), ()),
        ("Kestrel (open", "Kestrel (open", (), set(), ()),
    ],
)
def test_brackets(name, main, qualifiers, tickers, others):
    parts = take_apart(name, anywhere=True)
    assert parts.main.strip() == main.strip()
    assert (parts.qualifiers, set(parts.tickers), parts.others) == (qualifiers, tickers, others)


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("smith, john a.", "john a smith"),
        ("smith, jr., john", "john smith jr"),
        ("john smith, jr., phd", "john smith jr"),
        ("dr. jane q. public, ph.d.", "jane q public"),
        ("john smith, m.d.", "john smith"),
        ("smith, j.d.", "j d smith"),
        ("ma, jack", "jack ma"),
        ("jack ma", "jack ma"),
        ("dr. no", "no"),
        ("prince", "prince"),
        ("lord byron", "lord byron"),
        ("lord david kestrel", "david kestrel"),
        ("sir ian kestrel cbe", "ian kestrel"),
        ("john smith sr", "john smith sr"),
        ("john smith ii", "john smith jr"),
        ("john smith the 3rd", "john smith the iii"),
        ("isa ibn tarif", "isa bin tarif"),
        ("ben kestrel", "ben kestrel"),
        ("malcolm x", "malcolm x"),
        (",", ""),
    ],
)
def test_a_persons_name_in_speaking_order(name, tokens):
    assert person_tokens(name) == tokens.split()


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("ludwig van der berg", ("ludwig", (), ("van", "der", "berg"), None, None, ())),
        ("john a smith jr", ("john", ("a",), ("smith",), 2, None, ())),
        ("elizabeth ii", ("", (), ("elizabeth",), 2, None, ())),
        ("john smith v", ("john", (), ("smith",), None, 5, ())),
        ("charles ii of spain", ("charles", ("of",), ("spain",), 2, None, ())),
        ("prince", ("", (), ("prince",), None, None, ())),
    ],
)
def test_the_parts_of_a_persons_name(name, parts):
    assert read_person(name.split(), []) == parts


@pytest.mark.parametrize(
    ("text", "doi", "arxiv", "year", "title"),
    [
        ("Kestrels (2019). doi:10.1000/ABC.", "10.1000/abc", "", "2019", "Kestrels ."),
        ("https://doi.org/10.1000/a(1)2", "10.1000/a(1)2", "", "", ""),
        ("(10.1000/a)", "10.1000/a", "", "", ""),
        ("Kestrels, arXiv:2101.00001v3", "", "2101.00001", "", "Kestrels,"),
        ("2101.00001", "", "2101.00001", "", ""),
        ("hep-th/9901001", "", "hep-th/9901001", "", ""),
        ("10.48550/arXiv.2101.00001", "", "2101.00001", "", ""),
        ("Kestrels, 2019", "", "", "2019", "Kestrels"),
        ("Kestrels 2019", "", "", "", "Kestrels 2019"),
        ("In 3.14 ways", "", "", "", "In 3.14 ways"),
    ],
)
def test_references(text, doi, arxiv, year, title):
    found = read_reference(text)
    assert (found.doi, found.arxiv, found.year) == (doi, arxiv, year)
    assert found.title.strip(" .,()") == title.strip(" .,")


def test_a_name_has_a_form_for_each_way_to_read_it():
    keys = [form.key for form in forms_of("company", "Müller GmbH (formerly Kestrel AG)")]
    assert keys[:2] == ["muller", "kestrel"]
    assert "mueller" in keys
    assert [form.key for form in forms_of("company", "Kestrel Works")] == ["kestrel works"]


def test_equal_forms_are_equal_verdicts():
    spellings = ["Kestrel (Pty) Ltd", "KESTREL PTY. LTD.", "kestrel", "The Kestrel Company"]
    assert {normal_form("company", name) for name in spellings} == {"kestrel"}
    assert {form.key for name in spellings for form in forms_of("company", name)[:1]} == {"kestrel"}
