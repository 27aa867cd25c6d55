"""Reading one record: url, excerpts, item and answer. One line of a table is one promise."""

import json

import pytest

from pytest_wandr.model import KeySpec, NodeSpec
from pytest_wandr.records import read_records

TEXT = "Acme grew."
REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZ"


def node_of(*keys, answer=()):
    entity = tuple(key if isinstance(key, KeySpec) else KeySpec(name=key, required=1) for key in keys)
    return NodeSpec(name="main", keys=(*entity, KeySpec(name="url", kind="url", required=1)), answer=answer)


ONE = node_of("company")
TWO = node_of("company", "hired_on")
ASKED = node_of("company", answer=("role", "seats"))
ROLE = node_of("company", answer=("role",))
FILM = node_of(KeySpec(name="film", required=1, fields=("title", "year"), also=("city",)))


def read(found, node=ONE):
    """(record or None, code or None, notes) of one line."""
    parsed = read_records(found if isinstance(found, str) else json.dumps(found), node)
    record = parsed.records[0] if parsed.records else None
    assert len(parsed.records) + len(parsed.rejected) == 1
    return record, parsed.rejected[0].code if parsed.rejected else None, list(parsed.notes)


def row(**fields):
    found = {"item": {"company": "A"}, "url": "https://a.test/x", "excerpts": [TEXT], "answer": {}} | fields
    return {name: value for name, value in found.items() if value is not ...}


GOOD_URLS = [
    ("https://a.test/x", "https://a.test/x", []),
    ("  https://a.test/x\n", "https://a.test/x", []),
    ("HTTPS://A.test/X", "HTTPS://A.test/X", []),
    ("http://a.test:8080/x?a=1&b=2#:~:text=Hi", "http://a.test:8080/x?a=1&b=2#:~:text=Hi", []),
    ("https://a.test/caf%C3%A9%20au", "https://a.test/caf%C3%A9%20au", []),
    ("https://ä.test/ö", "https://ä.test/ö", []),
    ("https://a.test/wiki/...Baby", "https://a.test/wiki/...Baby", []),
    ("https://a.test/x@y", "https://a.test/x@y", []),
    ("https://web.test/web/2020/https://a.test/", "https://web.test/web/2020/https://a.test/", []),
    ("http://localhost/x", "http://localhost/x", []),
    (["https://a.test/x"], "https://a.test/x", ["url_list_single"]),
    (["https://a.test/x", ""], "https://a.test/x", ["url_list_single"]),
    (["https://a.test/x", "https://a.test/x"], "https://a.test/x", ["url_list_single"]),
    ([{"url": "https://a.test/x"}], "https://a.test/x", ["url_list_single", "url_object"]),
    ({"href": "https://a.test/x", "title": "A"}, "https://a.test/x", ["url_object"]),
    ({"link": "a.test/x"}, "https://a.test/x", ["url_object", "url_scheme_added"]),
    ('[A "b"](https://a.test/x "Title")', "https://a.test/x", ["url_markdown"]),
    ("[](https://a.test/x)", "https://a.test/x", ["url_markdown"]),
    ("[https://a.test/x](https://a.test/x)", "https://a.test/x", ["url_markdown"]),
    ("[A [1]](<https://a.test/x>)", "https://a.test/x", ["url_markdown"]),
    ("[A](https://a.test/x_(y))", "https://a.test/x_(y)", ["url_markdown"]),
    ("<https://a.test/x?a=1&amp;b=2>", "https://a.test/x?a=1&b=2", ["url_angle", "url_html_entity"]),
    ("https://a.test/?a=1&#38;b=2&#x26;c=3", "https://a.test/?a=1&b=2&c=3", ["url_html_entity"]),
    ("https://a.test/?a=1&copy=2&lt;", "https://a.test/?a=1&copy=2&lt;", []),
    ("www.a.test", "https://www.a.test", ["url_scheme_added"]),
    ("//a.test/x", "https://a.test/x", ["url_scheme_added"]),
    ("a.test:8080?x=1", "https://a.test:8080?x=1", ["url_scheme_added"]),
    ("a.test/report.pdf", "https://a.test/report.pdf", ["url_scheme_added"]),
    ("https://a.test/x/y/compare/v1.0...feat/z", "https://a.test/x/y/compare/v1.0...feat/z", []),
    (REDIRECT, REDIRECT, ["redirect_url"]),
    (
        "https://www.google.com/url?q=https://a.test",
        "https://www.google.com/url?q=https://a.test",
        ["redirect_url"],
    ),
    ("https://t.co/abc", "https://t.co/abc", ["redirect_url"]),
]


@pytest.mark.parametrize(("written", "url", "notes"), GOOD_URLS, ids=lambda value: str(value)[:40])
def test_url_is_freed_of_its_wrapping_only(written, url, notes):
    record, code, seen = read(row(url=written))
    assert code is None
    assert (record.url, seen) == (url, notes)


BAD_URLS = [
    (..., "missing_url"),
    (None, "missing_url"),
    ("", "missing_url"),
    ("  ", "missing_url"),
    ("N/A", "missing_url"),
    ("unknown", "missing_url"),
    ("-", "missing_url"),
    ("TBD", "missing_url"),
    ("Not found", "missing_url"),
    ([], "missing_url"),
    ([None, ""], "missing_url"),
    ({}, "missing_url"),
    ({"url": None}, "missing_url"),
    ("<>", "missing_url"),
    (["https://a.test", "https://b.test"], "url_many"),
    ({"url": "https://a.test", "href": "https://b.test"}, "url_many"),
    ("https://a.test,https://b.test", "url_many"),
    ("https://a.test;https://b.test", "url_many"),
    (7, "url_not_text"),
    (True, "url_not_text"),
    ({"title": "A"}, "url_not_text"),
    ([["https://a.test"]], "url_not_text"),
    ({"url": 7}, "url_not_text"),
    ([7], "url_not_text"),
    ("ftp://a.test/x", "url_not_http"),
    ("mailto:a@b.test", "url_not_http"),
    ("/tmp/x.html", "url_not_http"),
    ("C:\\x.html", "url_not_http"),
    ("page.html", "url_not_http"),
    ("the board page", "url_not_http"),
    ("data:text/html,x", "url_not_http"),
    ("javascript:alert(1)", "url_not_http"),
    ("https://", "url_not_http"),
    ("https:///x", "url_not_http"),
    ("doi:10.1234/x", "url_not_http"),
    ("Reuters", "url_not_http"),
    ("https://me@a.test/x", "url_has_credentials"),
    ("http://me:pw@a.test", "url_has_credentials"),
    ("https://a.test\\@b.test/", None),
    ("https://a.test/x/compare/...", "url_elided"),
    ("https://a.test/x/compare/v1...", "url_elided"),
    ("https://a.test/x/compare/.../v2", "url_elided"),
    ("https://a.test/compare/v1...v2/fi...", "url_elided"),
    ("https://a.test/…/x", "url_elided"),
    ("https://a.test/long...", "url_elided"),
    ("https://a.test/...", "url_elided"),
    ("https://a.test/a...b/c", "url_elided"),
    ("https://a.test/.../", "url_elided"),
    ("a.test/x...", "url_elided"),
    ("https://a.test/a b.pdf", "url_has_space"),
    ("...", "url_elided"),
    ("https://a.test/... and more", "url_elided"),
    ("see ...", "url_not_http"),
    ("https://a.test\nhttps://b.test", "url_has_space"),
    ("https://a.test, https://b.test", "url_has_space"),
    ("a.test/x and b.test", "url_has_space"),
    ("https://a.test/\u00a0x", "url_has_space"),
    ("https://a.test/\x00x", "url_has_space"),
]


@pytest.mark.parametrize(("written", "expected"), BAD_URLS, ids=lambda value: str(value)[:40])
def test_url_that_would_have_to_be_guessed_is_refused(written, expected):
    _, code, notes = read(row(url=written))
    assert (code, notes) == (expected, [])


def test_a_rejected_line_keeps_its_key_and_readable_url():
    parsed = read_records(json.dumps(row(excerpts=[])), ONE)
    assert (parsed.rejected[0].item, parsed.rejected[0].url) == ({"company": "A"}, "https://a.test/x")


GOOD_EXCERPTS = [
    (TEXT, [TEXT], ["excerpts_string"]),
    ([" \tA\r\nB \u2028"], [" \tA\r\nB \u2028"], []),
    (["\ud800", "\x00"], ["\ud800", "\x00"], []),
    ([TEXT, TEXT], [TEXT, TEXT], []),
    (["[a,] {b,} // c"], ["[a,] {b,} // c"], []),
    ({"text": TEXT}, [TEXT], ["excerpts_object"]),
    ([{"quote": TEXT, "page": 3}, "B"], [TEXT, "B"], ["excerpts_object"]),
    ([{"text": TEXT, "quote": TEXT}], [TEXT], ["excerpts_object"]),
    ([None, TEXT, " "], [TEXT], ["excerpt_blank"]),
    ([{"text": ""}, TEXT], [TEXT], ["excerpt_blank", "excerpts_object"]),
    (["N/A", TEXT], [TEXT], ["excerpt_blank"]),
]


@pytest.mark.parametrize(("written", "excerpts", "notes"), GOOD_EXCERPTS, ids=lambda value: ascii(value)[:40])
def test_excerpts_are_kept_byte_for_byte(written, excerpts, notes):
    record, code, seen = read(row(excerpts=written))
    assert code is None
    assert (list(record.excerpts), seen) == (excerpts, notes)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (..., "excerpts_missing"),
        (None, "excerpts_missing"),
        ([], "excerpts_empty"),
        ("", "excerpts_empty"),
        (" ", "excerpts_empty"),
        (["", None], "excerpts_empty"),
        (["N/A"], "excerpts_empty"),
        ([{"text": " "}], "excerpts_empty"),
        (7, "excerpt_not_text"),
        (True, "excerpt_not_text"),
        ([TEXT, 7], "excerpt_not_text"),
        ([[TEXT]], "excerpt_not_text"),
        ([{"page": 3}], "excerpt_not_text"),
        ({}, "excerpt_not_text"),
        ([{"text": "A", "quote": "B"}], "excerpt_not_text"),
        ([False], "excerpt_not_text"),
    ],
)
def test_excerpts_that_are_no_text_are_refused(written, expected):
    _, code, notes = read(row(excerpts=written))
    assert (code, notes) == (expected, [])


GOOD_ITEMS = [
    (ONE, row(item=" A "), {"company": "A"}, ["item_string"]),
    (ONE, row(item={"company": " e\u0301\u00a0"}), {"company": "\u00e9"}, []),
    (ONE, row(item={"COMPANY": "A"}), {"company": "A"}, ["key_case"]),
    (ONE, row(item={"company": "A", "ticker": "X"}), {"company": "A"}, []),
    (ONE, row(item={"company": "A", "Company": "A"}), {"company": "A"}, []),
    (ONE, row(item={"company": 3}), {"company": "3"}, ["key_number"]),
    (ONE, row(item={"company": 2.5}), {"company": "2.5"}, ["key_number"]),
    (ONE, row(item=..., company="A", ticker="X"), {"company": "A"}, ["flat_item"]),
    (ONE, row(item=None, company="A"), {"company": "A"}, ["flat_item"]),
    (ONE, row(item=..., Company=3), {"company": "3"}, ["flat_item", "key_case", "key_number"]),
    (TWO, row(item={"company": "A", "Hired On": "May"}), {"company": "A", "hired_on": "May"}, ["key_case"]),
    (TWO, row(item={"company": "A", "hired-on": "May"}), {"company": "A", "hired_on": "May"}, ["key_case"]),
    (TWO, row(item=..., company="A", hired_on="May"), {"company": "A", "hired_on": "May"}, ["flat_item"]),
    (FILM, row(item={"title": "T", "year": 1999}), {"title": "T", "year": "1999"}, ["key_number"]),
    (
        FILM,
        row(item={"title": "T", "year": "1999", "City": "X"}),
        {"title": "T", "year": "1999", "city": "X"},
        [],
    ),
    (FILM, row(item={"title": "T", "year": "1999", "city": None}), {"title": "T", "year": "1999"}, []),
]


@pytest.mark.parametrize(("node", "found", "item", "notes"), GOOD_ITEMS)
def test_item_fields_get_their_declared_names(node, found, item, notes):
    record, code, seen = read(found, node)
    assert code is None
    assert (record.item, seen) == (item, notes)


@pytest.mark.parametrize(
    ("node", "found", "expected"),
    [
        (ONE, row(item=...), "missing_item"),
        (ONE, row(item=None), "missing_item"),
        (ONE, {}, "missing_item"),
        (ONE, row(item=..., name="A"), "missing_item"),
        (ONE, row(item=["A"]), "item_not_object"),
        (ONE, row(item=3), "item_not_object"),
        (ONE, row(item=[{"company": "A"}]), "item_not_object"),
        (TWO, row(item="A"), "item_not_object"),
        (ONE, row(item={}), "missing_key:company"),
        (TWO, row(), "missing_key:hired_on"),
        (TWO, row(item={"hired_on": "May"}), "missing_key:company"),
        (TWO, row(item=..., company="A"), "missing_key:hired_on"),
        (FILM, row(item={"title": "T"}), "missing_key:year"),
        (FILM, row(item={"film": "T"}), "missing_key:title"),
        (ONE, row(item={"company": ""}), "empty_key:company"),
        (ONE, row(item={"company": None}), "empty_key:company"),
        (ONE, row(item={"company": "n/a"}), "empty_key:company"),
        (ONE, row(item={"company": "Unknown"}), "empty_key:company"),
        (ONE, row(item=""), "empty_key:company"),
        (ONE, row(item={"company": ["A"]}), "key_not_text:company"),
        (ONE, row(item={"company": True}), "key_not_text:company"),
        (ONE, row(item={"company": {"name": "A"}}), "key_not_text:company"),
        (ONE, row(item={"company": "A", "Company": "B"}), "duplicate_json_key"),
        (ONE, row(Item={"company": "B"}), "duplicate_json_key"),
    ],
)
def test_item_that_would_have_to_be_guessed_is_refused(node, found, expected):
    _, code, notes = read(found, node)
    assert (code, notes) == (expected, [])


def test_other_keys_of_a_line_with_a_missing_key_are_kept():
    parsed = read_records(json.dumps(row(item={"hired_on": "May"})), TWO)
    assert parsed.rejected[0].item == {"hired_on": "May"}


GOOD_ANSWERS = [
    (ONE, row(answer=...), {}, []),
    (ONE, row(answer=None), {}, []),
    (ONE, row(answer=""), {}, []),
    (ONE, row(answer={"x": [1, 2.5, None, {"y": " z "}]}), {"x": [1, 2.5, None, {"y": " z "}]}, []),
    (ASKED, row(answer={"role": "CFO", "seats": 3}), {"role": "CFO", "seats": 3}, []),
    (ASKED, row(answer={"role": "none", "seats": 0}), {"role": "none", "seats": 0}, []),
    (ASKED, row(answer={"role": False, "seats": []}), {"role": False, "seats": []}, []),
    (
        ASKED,
        row(answer={"ROLE": "CFO", "Seats": 3, "x": 1}),
        {"role": "CFO", "seats": 3, "x": 1},
        ["key_case"],
    ),
    (ASKED, row(answer=..., role="CFO", seats=3), {"role": "CFO", "seats": 3}, ["flat_answer"]),
    (ASKED, row(answer={}, role="CFO", seats=3), {"role": "CFO", "seats": 3}, ["flat_answer"]),
    (ROLE, row(answer="CFO"), {"role": "CFO"}, ["answer_scalar"]),
    (ROLE, row(answer=3), {"role": 3}, ["answer_scalar"]),
    (ROLE, row(answer=False), {"role": False}, ["answer_scalar"]),
]


@pytest.mark.parametrize(("node", "found", "answer", "notes"), GOOD_ANSWERS)
def test_answer_values_are_kept_as_they_are(node, found, answer, notes):
    record, code, seen = read(found, node)
    assert code is None
    assert (json.dumps(record.answer, sort_keys=True), seen) == (json.dumps(answer, sort_keys=True), notes)


@pytest.mark.parametrize(
    ("node", "found", "expected"),
    [
        (ASKED, row(), "missing_answer:role"),
        (ASKED, row(answer=...), "missing_answer:role"),
        (ASKED, row(answer={"role": "CFO"}), "missing_answer:seats"),
        (ASKED, row(answer=..., role="CFO"), "missing_answer:seats"),
        (ASKED, row(answer={"role": None, "seats": 3}), "missing_answer:role"),
        (ASKED, row(answer={"role": " ", "seats": 3}), "missing_answer:role"),
        (ASKED, row(answer={"role": "N/A", "seats": 3}), "missing_answer:role"),
        (ROLE, row(answer=""), "missing_answer:role"),
        (ROLE, row(answer=["CFO"]), "answer_not_object"),
        (ASKED, row(answer="CFO"), "answer_not_object"),
        (ASKED, row(answer=[]), "answer_not_object"),
        (ONE, row(answer="yes"), "answer_not_object"),
        (ONE, row(answer=True), "answer_not_object"),
        (ASKED, row(answer={"role": "CFO", "Role": "CEO", "seats": 3}), "ambiguous_answer"),
    ],
)
def test_answer_that_is_missing_is_refused(node, found, expected):
    _, code, notes = read(found, node)
    assert (code, notes) == (expected, [])


@pytest.mark.parametrize(
    ("found", "node", "notes"),
    [
        (row(url=..., source_url="https://a.test/x"), ONE, ["alias_url"]),
        (row(url=..., source="https://a.test/x"), ONE, ["alias_url"]),
        (row(url=..., Link="https://a.test/x"), ONE, ["alias_url"]),
        (row(url=..., source="https://a.test/x", citation="https://a.test/x"), ONE, ["alias_url"]),
        (row(excerpts=..., quotes=[TEXT]), ONE, ["alias_excerpts"]),
        (row(excerpts=..., evidence=TEXT), ONE, ["alias_excerpts", "excerpts_string"]),
        (row(answer=..., values={"role": "CFO"}), ROLE, ["alias_answer"]),
        (row(answer=..., answers="CFO"), ROLE, ["alias_answer", "answer_scalar"]),
        (row(source="Newswire", evidence="strong", link=7), ONE, []),
        ({"Item": {"company": "A"}, "URL": "https://a.test/x", "EXCERPTS": [TEXT]}, ONE, ["key_case"]),
    ],
)
def test_a_part_may_go_by_an_alias(found, node, notes):
    record, code, seen = read(found, node)
    assert code is None
    assert (record.url, record.excerpts, seen) == ("https://a.test/x", (TEXT,), notes)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (row(url=..., source="https://a.test", link="https://b.test"), "ambiguous_url"),
        (row(URL="https://b.test"), "ambiguous_url"),
        (row(excerpts=..., quote="A", evidence="B"), "ambiguous_excerpts"),
        (row(answer=..., answers={"x": 1}, values={"x": 2}), "ambiguous_answer"),
    ],
)
def test_two_parts_that_contradict_each_other_are_refused(found, expected):
    _, code, notes = read(found)
    assert (code, notes) == (expected, [])


def test_the_first_thing_that_is_wrong_names_the_line():
    assert read(row(item={}, url=None, excerpts=None, answer=3))[1] == "missing_key:company"
    assert read(row(url=None, excerpts=None, answer=3))[1] == "missing_url"
    assert read(row(excerpts=None, answer=3))[1] == "excerpts_missing"
