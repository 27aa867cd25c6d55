"""One check after another: true, false with a reason, or undecided; and the laws of combining them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from pytest_wandr.checks import Subject, run_check
from pytest_wandr.checks.hosts import comparable_host, host_of, is_at
from pytest_wandr.checks.logic import all_of, any_of, negation_of, no, undecided
from pytest_wandr.checks.patterns import WINDOW, problem_with
from pytest_wandr.checks.subject import excerpts_text
from pytest_wandr.model import YES, Check, KeySpec, NodeSpec, Part, Record

NODE = NodeSpec(
    name="main",
    keys=(
        KeySpec(name="company", kind="company", required=1),
        KeySpec(name="paper", kind="paper", required=1, fields=("title", "year")),
        KeySpec(name="url", required=1),
    ),
    answer=("role", "on", "n", "others"),
)
ITEM = {"company": "Birch Lane Foods", "title": "On the baking of dark bread", "year": "2026"}
ANSWER = {
    "role": "chief financial officer",
    "on": "2026-03-01",
    "n": 29,
    "others": ["Mira Solberg", "Ivo Tamm"],
}


def subject_of(text, *, answer=ANSWER, item=ITEM, **more):
    record = Record(node="main", item=item, url="https://wire.example/", answer=answer)
    return Subject(record, NODE, text, **more)


def run(check, text, **more):
    return run_check(TypeAdapter(Check).validate_python(check), subject_of(text, **more))


# -- mentions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "text", "expected"),
    [
        (["company"], "Birch Lane Foods plc said", True),
        (["company"], "BIRCH LANE FOODS, INC.", True),
        (["company"], "Birch Lane Bank said", False),
        (["company", "role"], "Birch Lane Foods hires a Chief Financial Officer", True),
        (["company", "role"], "Birch Lane Foods hires a baker", False),
        (["title"], "We read On the Baking of Dark Bread.", True),
        (["paper"], "We read On the Baking of Dark Bread.", True),
        (["year"], "in 2026", True),
        (["n"], "29 loaves", True),
        (["others"], "Mira Solberg and Ivo Tamm", True),
        (["others"], "Mira Solberg", False),
        (["nothing"], "anything", False),
        ([], "", True),
    ],
)
def test_mentions_wants_every_value_named(fields, text, expected):
    found = run({"mentions": fields}, text)
    assert found.value is expected
    assert bool(found.reason) is not expected


def test_a_mention_that_identity_leaves_open_is_undecided(monkeypatch):
    monkeypatch.setattr("pytest_wandr.checks.mentions.mentioned", lambda *_: None)
    found = run({"mentions": ["company"]}, "Birch something")
    assert (found.value, found.code) == (None, "mention_unclear")
    assert "Birch Lane Foods" in found.reason


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ((True, None), True),
        ((None, True), True),
        ((False, None), None),
        ((None, False), None),
        ((False, False), False),
    ],
)
def test_one_piece_that_names_a_value_is_enough_wherever_it_stands(monkeypatch, said, verdict):
    pieces = dict(zip(("in Birch", "at Birch Lane Foods"), said, strict=True))
    monkeypatch.setattr("pytest_wandr.checks.mentions.mentioned", lambda kind, name, text, _: pieces[text])
    for order in (list(pieces), list(pieces)[::-1]):
        assert run({"mentions": ["company"]}, "\x1d".join(order)).value is verdict


def test_mentions_says_which_value_is_not_named():
    found = run({"mentions": ["company", "role"]}, "Birch Lane Foods hires a baker")
    assert found.reason == "the text does not name role 'chief financial officer'"
    assert run({"mentions": ["nothing"]}, "x").code == "no_value"


def test_names_are_not_put_together_from_pieces():
    assert run({"mentions": ["company"]}, "Birch Lane Foods").value is True
    for excerpts in (
        ("They met in Birch Lane", "Foods are sold there"),
        ("in Birch Lane ... Foods are sold",),
    ):
        assert run({"mentions": ["company"]}, excerpts_text(excerpts)).value is False
        assert run({"matches": r"Lane\s+Foods"}, excerpts_text(excerpts)).value is False


def test_a_key_that_is_a_date_is_named_in_any_written_form():
    keys = (KeySpec(name="day", kind="date", required=1), KeySpec(name="url", required=1))
    node = NodeSpec(name="main", keys=keys)
    record = Record(node="main", item={"day": "2026-03-01"}, url="https://a.test/")
    check = TypeAdapter(Check).validate_python({"mentions": ["day"]})
    assert run_check(check, Subject(record, node, "am 1. März 2026")).value is True
    assert run_check(check, Subject(record, node, "am 2. März 2026")).value is False
    assert run_check(check, Subject(record, node, "01/03/2026", lang="en")).value is None


# -- matches ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("{company} appoints", "Birch Lane Foods appoints", True),
        ("{company} appoints", "Birch  Lane\u00a0Foods appoints", True),
        ("{company} appoints", "birch lane foods appoints", False),
        ("(?i){company} appoints", "birch lane foods APPOINTS", True),
        (r"\b{n}\b", "29 loaves", True),
        (r"\b{n}\b", "129 loaves", False),
        (r"\d{2,3} loaves", "129 loaves", True),
        (r"^Total: {n}$", "Total: 29", True),
        (r"(?m)^Total: {n}$", "x\nTotal: 29\ny", True),
        ("a.c", "a\nc", False),
        ("caf\u00e9", "cafe\u0301", True),
        (r"\{company\}", "{company}", True),
    ],
)
def test_a_pattern_holds_the_records_own_values(pattern, text, expected):
    assert run({"matches": pattern}, text).value is expected


def test_values_in_a_pattern_are_escaped():
    item = ITEM | {"company": "Birch (Lane) .* [a"}
    assert run({"matches": "{company}!"}, "Birch (Lane) .* [a!", item=item).value is True
    assert run({"matches": "{company}!"}, "Birch Lane zzz a!", item=item).value is False


@pytest.mark.parametrize(
    ("value", "text"), [("O'Hara-Lund", "O’Hara–Lund"), ("O’Hara‑Lund", "O'Hara-Lund"), ('"x"', "“x”")]
)
def test_quotes_and_dashes_of_a_value_match_those_of_the_page(value, text):
    assert run({"matches": "^{company}$"}, text, item=ITEM | {"company": value}).value is True
    assert run({"matches": "^{company}$"}, text + "x", item=ITEM | {"company": value}).value is False


def test_a_pattern_without_its_value_is_false_and_says_so():
    found = run({"matches": "{role} and {absent}"}, "x")
    assert (found.value, found.code) == (False, "no_value")
    assert "absent" in found.reason
    assert run({"matches": "{others}"}, "Mira Solberg").code == "no_value"


def test_a_failed_pattern_shows_what_was_looked_for():
    assert "'(?i)Birch Lane Foods'" in run({"matches": "(?i){company}"}, "x").reason


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+", r"(a*)*b", r"(?:a|ab)*c", r"(x+x+)+y", r"([a-z]+)*\d", r"(?:(?:ab)+c?)*", r"(a{1,})+",
        r"(a+){20}", r"(a?){30}a{30}",
        r"(a+){1,99}", r".*a.*b.*c", r"[^<]*[^>]+.*", "(", "[a", "a**", "(?P<n>a)(?P<n>b)", "a" * 3000,
    ],
)  # fmt: skip
def test_patterns_that_can_run_away_are_refused_not_run(pattern):
    assert problem_with(pattern)
    found = run({"matches": pattern}, "a" * 50_000)
    assert (found.value, found.code) == (None, "bad_pattern")


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?i)\bappoint(?:s|ed|ment)\b", r"a+b*c?", r"(?:\w+ ){0,5}CEO", r"{company}.*{role}",
        r"[A-Z][a-z]+ [A-Z][a-z]+", r"(?P<year>\d{4})-\d{2}", r"(?<!no )longer", r"\(a+\)+", r"[(+*]+",
        r"a.{0,80}b.{0,80}c.{0,80}d", r"x{3}", r"[^]a]+",
    ],
)  # fmt: skip
def test_ordinary_patterns_are_accepted(pattern):
    assert problem_with(pattern) is None


@pytest.mark.parametrize("gap", [0, 10, WINDOW // 2 - 10, WINDOW, 3 * WINDOW + 7])
def test_a_match_is_found_wherever_it_stands(gap):
    assert run({"matches": "needle"}, "x" * gap + " needle " + "y" * gap).value is True


def test_a_windows_end_is_not_the_texts_end():
    text = "a" * (WINDOW - 3) + "end" + "s" * WINDOW
    assert run({"matches": r"end$"}, text).value is False
    assert run({"matches": r"end\b"}, text).value is False


# -- host ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "host", "expected"),
    [
        ("https://wire.example/a", "wire.example", True),
        ("https://WIRE.Example:8443/a", "wire.example", True),
        ("https://news.wire.example./a", "wire.example", True),
        ("https://wire.example/a", "Wire.EXAMPLE.", True),
        ("https://wire.example/a", "example", True),
        ("https://notexample/a", "example", False),
        ("https://notwire.example/a", "wire.example", False),
        ("https://wire.example.evil.test/", "wire.example", False),
        ("https://wire.example@evil.test/", "wire.example", False),
        ("https://evil.test/?wire.example", "wire.example", False),
        ("https://bücher.example/", "xn--bcher-kva.example", True),
        ("https://xn--bcher-kva.example/", "BÜCHER.example", True),
        ("https://www.straße.example/", "straße.example", True),
        ("http://[::1/", "wire.example", False),
        ("not a url", "wire.example", False),
        ("", "wire.example", False),
    ],
)
def test_a_host_is_the_allowed_one_or_below_it(url, host, expected):
    found = run({"host": ["other.test", host]}, "", final_url=url)
    assert found.value is expected
    assert expected or host in found.reason


def test_without_a_page_the_host_is_unknown():
    assert run({"host": ["wire.example"]}, "text", final_url=None).value is None


@given(st.text(max_size=40))
def test_any_address_has_a_host_or_none(text):
    host = host_of(f"https://{text}/")
    assert host is None or is_at(host, host)
    assert comparable_host(comparable_host(text)) == comparable_host(text)


# -- dates --------------------------------------------------------------------------------------------

WINDOW_2026 = {"date": "on", "from": date(2026, 3, 1), "to": date(2026, 4, 30)}


@pytest.mark.parametrize(
    ("value", "text", "lang", "expected", "code"),
    [
        ("2026-03-01", "on 1 March 2026", None, True, ""),
        ("2026-04-30", "on 30 April 2026", None, True, ""),
        ("March 1, 2026", "am 1. März 2026", "de", True, ""),
        ("2026-02-28", "on 28 February 2026", None, False, "date_outside"),
        ("2026-05-01", "on 1 May 2026", None, False, "date_outside"),
        ("2026-03-01", "on 2 March 2026", None, False, "date_not_stated"),
        ("2026-03-01", "nothing here", None, False, "date_not_stated"),
        ("2026-03-01", "on 01/03/2026", "en-GB", True, ""),
        ("2026-03-01", "on 01/03/2026", "en-US", False, "date_not_stated"),
        ("2026-03-01", "on 01/03/2026", "en", None, "date_ambiguous"),
        ("2026-03-01", "on 01/03/2026, that is 1 March 2026", "en", True, ""),
        ("2026-03-25", "on 25/03/2026", "en", True, ""),
        ("01/03/2026", "on 1 March 2026", "en", True, ""),
        ("01/03/2026", "on 3 January 2026", "en", False, "date_not_stated"),
        ("01/03/2026", "on 01/03/2026", "en", None, "date_ambiguous"),
        ("2026-03-01", "ASHFORD, March 1 -- news. (c) 2026", "en", None, "date_without_year"),
        ("2026-03-01", "ASHFORD, March 1 -- news", "en", False, "date_not_stated"),
        ("2026-03-01", "in March 2026", "en", False, "date_not_stated"),
        ("2026-03", "on 7 March 2026", "en", True, ""),
        ("2026-03", "in March 2026", "en", True, ""),
        ("2026-04", "in March 2026", "en", False, "date_not_stated"),
        ("2026", "in 2026", "en", False, "date_outside"),
        ("soon", "soon", "en", False, "date_unreadable"),
        ("1 March", "on 1 March 2026", "en", False, "date_unreadable"),
        ("", "on 1 March 2026", "en", False, "no_value"),
        (None, "on 1 March 2026", "en", False, "no_value"),
        (["2026-03-01"], "on 1 March 2026", "en", False, "date_unreadable"),
        (True, "on 1 March 2026", "en", False, "date_unreadable"),
    ],
)
def test_a_date_lies_in_the_window_and_is_stated(value, text, lang, expected, code):
    found = run(WINDOW_2026, text, answer={"on": value}, lang=lang)
    assert (found.value, found.code) == (expected, code)
    assert bool(found.reason) is (expected is not True)


def test_a_year_is_a_date_too():
    check = {"date": "year", "from": date(2020, 1, 1), "to": date(2026, 12, 31)}
    assert run(check, "published 2026").value is True
    assert run(check, "published 2025").value is False
    assert run(check, "dated 1 March 2026").value is True


@pytest.mark.parametrize("check", [WINDOW_2026, {"number": "n"}])
def test_what_may_stand_beyond_the_part_that_is_read_is_undecided(check, monkeypatch):
    monkeypatch.setattr("pytest_wandr.checks.subject.LONGEST", 1000)
    book = "x " * 500
    assert run(check, "29 on 1 March 2026 " + book).value is True
    found = run(check, book + " 29 on 1 March 2026")
    assert (found.value, found.code) == (None, "text_too_long")
    assert run(check, book[:-2]).value is False


def test_a_wrong_date_is_told_with_the_dates_that_are_there():
    found = run(WINDOW_2026, "2 March 2026, 3 March 2026, 4 March 2026, 5 March 2026")
    assert found.reason == (
        "the text does not state the date 2026-03-01; it states 2026-03-02, 2026-03-03, 2026-03-04, ..."
    )
    assert "is (or may be) before 2026-03-01" in run(WINDOW_2026, "x", answer={"on": "2026-02-01"}).reason


@pytest.mark.parametrize(
    ("lang", "page_lang", "expected"),
    [
        ("en-GB", "en", True),
        ("en-GB", None, True),
        ("en-US", "de", True),
        ("en", "en", None),
        (None, None, None),
    ],
)
def test_the_language_of_the_text_corrects_a_wrong_declaration(lang, page_lang, expected):
    assert run(WINDOW_2026, "am 01/03/2026", lang=lang, written=page_lang).value is expected


# -- excerpts -----------------------------------------------------------------------------------------


def test_a_wrapped_excerpt_reads_on_and_an_empty_line_does_not():
    wrapped = excerpts_text(("announced on March\n1, 2026",))
    assert run(WINDOW_2026, wrapped).value is True
    assert run(WINDOW_2026, excerpts_text(("announced on March\n\n1, 2026",))).value is False


def test_a_date_is_not_put_together_from_two_excerpts():
    assert (
        run(WINDOW_2026, excerpts_text(("the second of March 1", "2026 was a good year"))).value is not True
    )


# -- logic --------------------------------------------------------------------------------------------

PARTS = st.sampled_from(
    [YES, no("code", "a reason"), no("other", "another"), undecided("open", "cannot tell")]
)
LISTS = st.lists(PARTS, max_size=5)


def kleene_not(part):
    return negation_of(part, what="x")


@given(LISTS)
def test_all_is_the_least_and_any_the_greatest(parts):
    order = {False: 0, None: 1, True: 2}
    values = [part.value for part in parts]
    assert all_of(parts).value == min([True, *values], key=order.get)
    assert any_of(parts).value == max([False, *values], key=order.get)


@given(LISTS)
def test_de_morgan_holds(parts):
    assert kleene_not(all_of(parts)).value == any_of([kleene_not(part) for part in parts]).value
    assert kleene_not(any_of(parts)).value == all_of([kleene_not(part) for part in parts]).value


@given(PARTS)
def test_a_double_negation_changes_no_value(part):
    assert kleene_not(kleene_not(part)).value == part.value


@given(LISTS, st.randoms(use_true_random=False))
def test_the_order_of_alternatives_never_matters_for_the_value(parts, shuffler):
    mixed = list(parts)
    shuffler.shuffle(mixed)
    assert all_of(mixed).value == all_of(parts).value
    assert any_of(mixed).value == any_of(parts).value


@given(LISTS)
def test_whatever_is_not_true_says_why(parts):
    for found in (all_of(parts), any_of(parts)):
        assert bool(found.reason) is (found.value is not True)


def test_reasons_are_those_of_the_parts_that_decide():
    parts = [YES, no("a", "first"), undecided("b", "open"), no("c", "second"), no("d", "first")]
    assert all_of(parts) == Part(value=False, reason="first; second", code="a")
    assert any_of(parts[1:]) == Part(value=None, reason="open", code="b")
    assert any_of([parts[1], parts[3]]) == Part(value=False, reason="first; second", code="a")


def test_combined_checks_are_run_on_the_same_text():
    names, host = {"mentions": ["company"]}, {"host": ["wire.example"]}
    text, url = "Birch Lane Foods", "https://wire.example/"
    assert run({"all": [names, host]}, text, final_url=url).value is True
    assert run({"any": [{"mentions": ["role"]}, host]}, text, final_url=url).value is True
    assert run({"not": {"mentions": ["role"]}}, text).value is True
    assert run({"all": [names, {"not": host}]}, text, final_url=url).value is False
    assert run({"not": host}, text, final_url=None).value is None
    excluded = run({"not": names}, text)
    assert excluded.code == "excluded"
    assert '{"mentions":["company"]}' in excluded.reason


LEAVES = st.sampled_from(
    [{"mentions": ["company"]}, {"mentions": ["role"]}, {"host": ["wire.example"]}, {"language": ["en"]},
     {"date": "on", "from": date(2026, 3, 1)}, {"number": "n", "min": 1}, {"matches": "(a+)+"}]
)  # fmt: skip
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda parts: {"all": parts}, st.lists(inner, max_size=3)),
        st.builds(lambda parts: {"any": parts}, st.lists(inner, max_size=3)),
        st.builds(lambda part: {"not": part}, inner),
    ),
    max_leaves=6,
)
TEXTS = st.lists(
    st.sampled_from(["Birch Lane Foods", "29", "1 March 2026", "01/03/2026", "March 1", "\n"]), max_size=5
)


@given(TREES, TEXTS)
def test_any_check_on_any_text_has_an_answer_with_a_reason_unless_true(check, pieces):
    found = run(check, " ".join(pieces))
    assert found == run(check, " ".join(pieces))
    assert bool(found.reason) is bool(found.code) is (found.value is not True)
