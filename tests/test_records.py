"""Reading results files: framing, chat, syntax, cut texts. One line of a table is one promise."""

import base64
import json
from pathlib import Path

import pytest

from pytest_wandr.model import KeySpec, NodeSpec
from pytest_wandr.records import read_records

CASES = [
    json.loads(text)
    for name in ("submission_cases.jsonl", "submission_cases_more.jsonl")
    for text in (Path(__file__).parent / "cases" / name).read_text("utf-8").split("\n")
    if text
]


def node_of(keys=("company",), answer=()):
    entity = tuple(KeySpec(name=key, required=1) for key in keys)
    return NodeSpec(
        name="acquisition", keys=(*entity, KeySpec(name="url", kind="url", required=1)), answer=answer
    )


NODE = node_of()


def row(company="Acme", **more):
    return {
        "item": {"company": company},
        "url": "https://acme.test/a",
        "excerpts": ["Acme grew."],
        "answer": {},
    } | more


def line(company="Acme", **more):
    return json.dumps(row(company, **more), ensure_ascii=False)


A, B, C = line("A"), line("B"), line("C")
PRETTY = json.dumps(row("P"), indent=2)
TICKS = "```"


def outcome(raw, node=NODE):
    parsed = read_records(raw, node)
    names = [next(iter(record.item.values())) for record in parsed.records]
    return names, [one.code for one in parsed.rejected], list(parsed.notes)


@pytest.mark.parametrize(
    "case",
    CASES,
    ids=lambda case: case["id"],
)
def test_shared_case(case):
    raw = base64.b64decode(case["raw_b64"]) if "raw_b64" in case else case["raw"]
    parsed = read_records(raw, node_of(case["keys"], tuple(case["answer_keys"])))
    records = [
        {"item": one.item, "url": one.url, "excerpts": list(one.excerpts), "answer": one.answer}
        for one in parsed.records
    ]
    assert records == case["expect"]["records"]
    assert [one.code for one in parsed.rejected] == case["expect"]["rejected"]
    assert list(parsed.notes) == case["expect"]["notes"]


FRAMING = {
    "crlf": (f"{A}\r\n{B}\r\n", "AB", [], ["crlf"]),
    "lf only": (f"{A}\n{B}\n", "AB", [], []),
    "blank lines": (f"\n\n{A}\n   \n{B}\n\n", "AB", [], []),
    "old line ends": (f"{A}\r{B}\r", "AB", [], []),
    "line separator in a string": (line("A\u2028A"), ["A\u2028A"], [], ["line_separator_char"]),
    "line separator between records": (f"{A}\u2028{B}", "AB", [], ["line_separator_char"]),
    "bom inside": (f"{A}\n\ufeff{B}", "AB", [], ["bom_stripped"]),
    "utf-8 bom as bytes": (b"\xef\xbb\xbf" + A.encode(), "A", [], ["bom_stripped"]),
    "utf-16 with bom": (f"{A}\n{B}".encode("utf-16"), "AB", [], ["utf16"]),
    "utf-16 little endian, no bom": (A.encode("utf-16-le"), "A", [], ["utf16"]),
    "utf-16 big endian, no bom": (A.encode("utf-16-be"), "A", [], ["utf16"]),
    "utf-32 with bom": (A.encode("utf-32"), "A", [], ["utf32"]),
    "latin-1 line": (
        f"{A}\n".encode() + line("Bö").encode("latin-1") + f"\n{C}".encode(),
        "AC",
        ["bad_encoding"],
        [],
    ),
    "latin-1 member": (
        f"[{A}, ".encode() + line("ö").encode("latin-1") + b"]",
        "A",
        ["bad_encoding"],
        ["array"],
    ),
    "concatenated": (A + B + C, "ABC", [], []),
    "concatenated with spaces": (f"{A} {B}\t{C}", "ABC", [], []),
    "pretty": (PRETTY, "P", [], ["pretty_printed"]),
    "pretty one after another": (f"{PRETTY}\n{PRETTY}", "PP", [], ["pretty_printed"]),
    "pretty, windows": (PRETTY.replace("\n", "\r\n"), "P", [], ["crlf", "pretty_printed"]),
    "array, windows": (f"[\r\n{A},\r\n{B}\r\n]", "AB", [], ["array", "crlf"]),
    "wrapper, windows": (f'{{"records": [\r\n{A}]}}', "A", [], ["crlf", "wrapper"]),
    "wrapper, windows, mended": (
        f'{{"records": [\r\n{A},]}}',
        "A",
        [],
        ["crlf", "trailing_comma", "wrapper"],
    ),
    "pretty and plain": (f"{A}\n{PRETTY}\n{B}", "APB", [], ["pretty_printed"]),
    "pretty array": (json.dumps([row("A"), row("B")], indent=2), "AB", [], ["array"]),
    "array on each line": (f"[{A}]\n[{B}]", "AB", [], ["array"]),
    "arrays in an array": (f"[[{A}], [{B}]]", "AB", [], ["array"]),
    "wrapper": (json.dumps({"records": [row("A"), row("B")]}), "AB", [], ["wrapper"]),
    "wrapper with more": (json.dumps({"ok": True, "Results": [row("A")], "total": 1}), "A", [], ["wrapper"]),
    "pretty wrapper": (json.dumps({"data": [row("A"), row("B")]}, indent=1), "AB", [], ["wrapper"]),
    "nested wrapper": (json.dumps({"output": {"rows": [row("A")]}}), "A", [], ["wrapper"]),
    "wrapper named after the node": (json.dumps({"results_acquisition": [row("A")]}), "A", [], ["wrapper"]),
    "one wrapper a line": (f'{{"items": [{A}]}}\n{{"items": [{B}]}}', "AB", [], ["wrapper"]),
    "wrapper around one": (json.dumps({"output": row("A")}), "A", [], ["wrapper"]),
    "utf-16 with half a character": (A.encode("utf-16") + b"\n", "A", [], ["prose_ignored", "utf16"]),
    "lone surrogate in utf-16": (
        line("\ud800").encode("utf-16-le", "surrogatepass"),
        ["\ud800"],
        [],
        ["utf16"],
    ),
    "empty": ("", "", ["no_records_found"], []),
    "empty bytes": (b"", "", ["no_records_found"], []),
    "blank": ("  \n\n\t", "", ["no_records_found"], []),
    "empty wrapper": ('{"records": []}', "", ["no_records_found"], []),
    "comma before": (f"{A}\n,{B}", "AB", [], ["comma_between"]),
    "comma on its own line": (f"{A}\n,\n{B}", "AB", [], ["comma_between"]),
    "scalars among lines": (f'{A}\n"x"\n42\nnull\n', "A", ["not_an_object"] * 3, []),
    "only a scalar": ("null", "", ["not_an_object"], []),
    "rows of strings": ('["A", "https://a.test"]', "", ["not_an_object"] * 2, ["array"]),
    "scalars among members": (f"[1, {A}, null, true]", "A", ["not_an_object"] * 3, ["array"]),
}
CHAT = {
    "fence without a language": (f"{TICKS}\n{A}\n{TICKS}", "A", [], ["fence_stripped"]),
    "tilde fence": (f"~~~json\n{A}\n~~~\n", "A", [], ["fence_stripped"]),
    "long fence around a short one": (f"````\n{TICKS}json\n{A}\n{TICKS}\n````", "A", [], ["fence_stripped"]),
    "indented fence": (f"  {TICKS}json\n  {A}\n  {TICKS}", "A", [], ["fence_stripped"]),
    "fence with attributes": (f"{TICKS}json {{.line-numbers}}\n{A}\n{TICKS}", "A", [], ["fence_stripped"]),
    "fence with attributes alone": (f"{TICKS}{{.json #out}}  \n{A}\n{TICKS}", "A", [], ["fence_stripped"]),
    "fence with attributes in a fence": (
        f"{TICKS}\n{TICKS}{{.json}}\n{A}\n{TICKS}",
        "A",
        [],
        ["fence_stripped"],
    ),
    "fence on one line": (f"{TICKS}json {A} {TICKS}", "A", [], ["fence_stripped"]),
    "fence with a title": (f"{TICKS}json title=out\n{A}\n{TICKS}", "A", [], ["fence_stripped"]),
    "unclosed fence": (f"{TICKS}jsonl\n{A}\n{B}\n", "AB", [], ["fence_unclosed"]),
    "closed and unclosed": (
        f"{TICKS}\n{A}\n{TICKS}\n\n{TICKS}\n{B}",
        "AB",
        [],
        ["fence_stripped", "fence_unclosed"],
    ),
    "closing mark only": (f"{A}\n{TICKS}", "A", [], ["fence_stripped"]),
    "array in a fence": (f"{TICKS}json\n[{A},\n{B}]\n{TICKS}", "AB", [], ["array", "fence_stripped"]),
    "empty array in a fence": (f"{TICKS}json\n[]\n{TICKS}", "", ["no_records_found"], ["fence_stripped"]),
    "program in a fence": (
        f"{TICKS}python\nrows = [{A}]\nprint(rows)\n{TICKS}",
        "A",
        [],
        ["array", "fence_stripped", "prose_ignored"],
    ),
    "records before a fence": (
        f"{A}\n{TICKS}\n{B}\n{TICKS}",
        "AB",
        [],
        ["fence_stripped", "records_outside_fence"],
    ),
    "fence marks inside a string": (line("A", excerpts=["```\njson\n```"]), "A", [], []),
    "prose behind a record": (f"{A} (see the board page)\n{B}", "AB", [], ["prose_ignored"]),
    "prose before a record": (f"Record: {A}", "A", [], ["prose_ignored"]),
    "braces in prose": (f"I filled {{company}} in, and {{}}.\n{A}", "A", [], ["prose_ignored"]),
    "foreign object in prose": (f'We sent {{"q": 1}} first.\n{A}', "A", [], ["prose_ignored"]),
    "footnotes": (f"{A}\n[1]\n[2] https://a.test\n", "A", [], ["prose_ignored"]),
    "heading": (f"### Results\n\n{A}", "A", [], ["prose_ignored"]),
    "reasoning over lines": (f"<think>\nplan\n{A}\n</think>\n{B}", "B", [], []),
    "reasoning in capitals": (f"<THINKING>{A}</THINKING>{B}", "B", [], []),
    "reasoning without its first tag": (f"plan {A}\n</think>\n\n{B}", "B", [], []),
    "last tag after everything": (f"{A}\n</think>\n", "A", [], []),
    "reasoning that never ends": (f"<think>plan {A}", "", ["truncated"], []),
    "reasoning tag in a string": (line("<think>x</think>"), ["<think>x</think>"], [], []),
    "numbered": (f"1. {A}\n2. {B}\n10. {C}", "ABC", [], ["list_marker"]),
    "numbered with brackets": (f"1) {A}\n(2) {B}", "AB", [], ["list_marker"]),
    "roman numbers": (f"i. {A}\nii. {B}\n(iii) {C}", "ABC", [], ["list_marker"]),
    "other bullets": (f"* {A}\n• {B}\n+ {C}", "ABC", [], ["list_marker"]),
    "indented bullets": (f"  - {A}\n  - {B}", "AB", [], ["list_marker"]),
    "pretty in a list": ("1. " + PRETTY.replace("\n", "\n   "), "P", [], ["list_marker", "pretty_printed"]),
    "refusal": ("I'm sorry, but I can't help with that.", "", ["no_records_found"], []),
    "table": ("| company | url |\n|---|---|\n| A | https://a.test |\n", "", ["no_records_found"], []),
    "tab separated": ("company\turl\nA\thttps://a.test\n", "", ["no_records_found"], []),
    "error page": (
        '<!DOCTYPE html>\n<html><style>b {margin: 0}\n{color: red}</style><script>x={"a":1};\n{"b":1}',
        "",
        ["no_records_found"],
        [],
    ),
    "part of an error page": ("<h1>502</h1>\n<style>\n{color: red}\n</style>", "", ["no_records_found"], []),
    "error object": ('{"error": {"message": "rate limited", "code": 429}}', "", ["missing_item"], []),
    "error among records": (f'{A}\n{{"error": "timeout"}}\n{B}', "AB", ["missing_item"], []),
}
SYNTAX = {
    "trailing comma in a list": (A.replace('"Acme grew."]', '"Acme grew.",]'), "A", [], ["trailing_comma"]),
    "trailing comma in an array": (f"[{A},{B},]", "AB", [], ["array", "trailing_comma"]),
    "trailing comma before space": (A[:-1] + " , \n}", "A", [], ["pretty_printed", "trailing_comma"]),
    "two trailing commas": (A[:-1] + ",,}", "", ["invalid_json"], []),
    "no json at all": ("{company Acme}", "", ["invalid_json"], []),
    "line comments": (PRETTY.replace(",\n", ", // why\n"), "P", [], ["comments_stripped", "pretty_printed"]),
    "hash comments": (PRETTY.replace(",\n", ", # why\n"), "P", [], ["comments_stripped", "pretty_printed"]),
    "comment between members": (f"[{A}, /* two */ {B}]", "AB", [], ["array", "comments_stripped"]),
    "comment marks in strings": (line("A // B /* C */ # D"), ["A // B /* C */ # D"], [], []),
    "comment with a brace": (A[:-1] + " /* } it's } */}", "A", [], ["comments_stripped"]),
    "python": (repr(row("It's A")), ["It's A"], [], ["python_literal"]),
    "python words": (repr(row("A", x=None, y=True, z=False)), "A", [], ["python_literal"]),
    "python words in json": (A[:-1] + ', "ok": True}', "A", [], ["python_literal"]),
    "python list": (repr([row("A"), row("B")]), "AB", [], ["array", "python_literal"]),
    "python address": (repr(row("A", url="https://a.test//x#y")), "A", [], ["python_literal"]),
    "python escapes": (
        r"{'item': {'company': 'A\'\x41\u00e9\n!'}, 'url': 'https://a.test', 'excerpts': ['x']}",
        ["A'Aé\n!"],
        [],
        ["python_literal"],
    ),
    "python tuple": (repr(row("A", excerpts=("x", "y"))), "A", [], ["python_literal"]),
    "both kinds of quotes": (A.replace('"A"', "'A'"), "A", [], ["python_literal"]),
    "large python escapes": (
        r"{'item': {'company': '\U0001F600\101\q'}, 'url': 'https://a.test', 'excerpts': ['x']}",
        ["😀A\\q"],
        [],
        ["python_literal"],
    ),
    "control character in python": (
        repr(row("A")).replace("Acme grew", "Acme\tgrew"),
        "A",
        [],
        ["control_char_in_string", "python_literal"],
    ),
    "words in strings": (line("None, True]}"), ["None, True]}"], [], []),
    "curly pairs": (A.replace('"', "“", 1).replace('"', "”"), "A", [], ["smart_quotes"]),
    "curly with trailing comma": (
        (A[:-1] + ",}").replace('"', "”"),
        "A",
        [],
        ["smart_quotes", "trailing_comma"],
    ),
    "curly and straight as structure": (A.replace('"item"', "“item”"), "", ["invalid_json"], []),
    "curly in strings": (line("“A”"), ["“A”"], [], []),
    "tab in a string": (A.replace("Acme grew", "Acme\tgrew"), "A", [], ["control_char_in_string"]),
    "line feed in a string": (A.replace("Acme grew", "Acme\n\ngrew"), "A", [], ["control_char_in_string"]),
    "nul in a string": (A.replace("Acme grew", "Acme\0grew"), "A", [], ["control_char_in_string"]),
    "unescaped quotes": (A.replace("Acme grew", 'Acme "grew"'), "", ["invalid_json"], []),
    "one unescaped quote": (
        f"{A}\n{B.replace('Acme grew', 'Acme grew 3')}\n".replace("grew 3", 'grew 3"') + C,
        "AC",
        ["invalid_json"],
        [],
    ),
    "unquoted names": ('{item: {company: "A"}, url: "https://a.test"}', "", ["invalid_json"], []),
    "missing comma": (A.replace('}, "url"', '} "url"'), "", ["invalid_json"], []),
    "entities for quotes": (A.replace('"', "&quot;"), "", ["invalid_json"], []),
    "numbers for quotes": (A.replace('"', "&#34;"), "", ["invalid_json"], []),
    "doubled braces": (A.replace("{", "{{").replace("}", "}}"), "", ["invalid_json"], []),
    "infinity": (line("A", answer={"n": float("inf")}), "", ["non_json_number"], []),
    "minus infinity": (line("A", x=float("-inf")), "", ["non_json_number"], []),
    "too large a number": (A.replace("{}}", '{"n": 1e999}}'), "", ["non_json_number"], []),
    "endless number": (A.replace("{}}", '{"n": ' + "9" * 5000 + "}}"), "", ["non_json_number"], []),
    "conflict inside": (
        A.replace('"company": "A"', '"company": "A", "company": "B"'),
        "",
        ["duplicate_json_key"],
        [],
    ),
    "same key, same list": (A[:-1] + ', "excerpts": ["Acme grew."]}', "A", [], []),
    "true is not one": (A[:-1] + ', "x": 1, "x": true}', "", ["duplicate_json_key"], []),
    "deep": (
        A.replace("{}}", '{"n": ' + "[" * 50_000 + "]" * 50_000 + "}}") + "\n" + B,
        "B",
        ["too_deep"],
        [],
    ),
    "a little too deep": (A.replace("{}}", '{"n": ' + "[" * 200 + "]" * 200 + "}}"), "", ["too_deep"], []),
    "deep enough": (A.replace("{}}", '{"n": ' + "[" * 60 + "]" * 60 + "}}"), "A", [], []),
    "wide is not deep": (line("A", answer={"n": [[1]] * 500}), "A", [], []),
    "deep and never closed": (A.replace("{}}", '{"n": ' + "[" * 50_000), "", ["too_deep"], []),
    "brackets only": ("[" * 1000, "", ["too_deep"], []),
}
CUT = {
    "in a key": (f'{A}\n{{"ite', "A", ["truncated"], []),
    "after a brace": (f"{A}\n{{", "A", ["truncated"], []),
    "one brace short": (f"{A}\n{B[:-1]}", "A", ["truncated"], []),
    "in an escape": (f'{A}\n{{"item": {{"company": "B\\u00', "A", ["truncated"], []),
    "in the middle": (f"{A}\n{B[:40]}\n{C}", "AC", ["truncated"], []),
    "in a multi-byte character": (f"{A}\n".encode() + line("Bö").encode()[:24], "A", ["truncated"], []),
    "in a fence": (f"{TICKS}\n{A}\n{B[:40]}", "A", ["truncated"], ["fence_unclosed"]),
    "in a closed fence": (
        f"{TICKS}\n{A}\n{B[:40]}\n{TICKS}\nDone.",
        "A",
        ["truncated"],
        ["fence_stripped", "prose_ignored"],
    ),
    "pretty": (f"{PRETTY}\n{PRETTY[:50]}", "P", ["truncated"], ["pretty_printed"]),
    "pretty array": (json.dumps([row("A"), row("B")], indent=2)[:-50], "A", ["truncated"], ["array"]),
    "pretty wrapper": (
        json.dumps({"records": [row("A"), row("B")]}, indent=2)[:-50],
        "A",
        ["truncated"],
        ["wrapper"],
    ),
    "wrapper between": (f'{{"records": [{A},', "A", ["truncated"], ["wrapper"]),
    "wrapper after its list": (f'{{"records": [{A}]', "A", ["truncated"], ["wrapper"]),
    "array after a member": (f"[{A}", "A", ["truncated"], ["array"]),
    "array in a fence": (f"{TICKS}json\n[{A},\n{TICKS}", "A", ["truncated"], ["array", "fence_stripped"]),
    "bad member": (f'[{A},\n{{"item": oops}},\n{B}]', "AB", ["invalid_json"], ["array"]),
    "bad member of a wrapper": (
        f'{{"n": 2, "records": [{A},\n{{"item": oops}},\n{B}], "x": 1}}\n{C}',
        "ABC",
        ["invalid_json"],
        ["wrapper"],
    ),
    "after a bracket": (f"{A}\n[\n", "A", ["truncated"], ["array"]),
    "after two brackets": ("[\n  {", "", ["truncated"], ["array"]),
    "in the list of a wrapper": ('{"ok": true, "records": [', "", ["truncated"], ["wrapper"]),
    "before the list of a wrapper": ('{"ok": true, "rec', "", ["truncated"], []),
    "empty place in a list": (f"[{A}, {{...}}]", "A", ["elided"], ["array"]),
    "dots in a list of lists": (f"[{A}, [...]]", "A", ["elided"], ["array"]),
    "as a comment in a list": (f"[{A} // ... 60 more\n]", "A", ["elided"], ["array"]),
    "list in a list": (f"[{A}, [1, 2]]", "A", ["not_an_object"], ["array"]),
    "remark in a list": (f"[{A}, see above, {B}]", "AB", [], ["array", "prose_ignored"]),
    "python wrapper": (
        repr({"n": 2, "records": [row("A"), row("B")]})[:-9],
        "A",
        ["truncated"],
        ["python_literal", "wrapper"],
    ),
    "python wrapper with None": (
        repr({"n": None, "rows": [row("A"), row("B")]})[:-9],
        "A",
        ["truncated"],
        ["python_literal", "wrapper"],
    ),
    "curly wrapper": (
        json.dumps({"n": "x", "records": [row("A"), row("B")]}).replace('"', "”")[:-9],
        "A",
        ["truncated"],
        ["smart_quotes", "wrapper"],
    ),
    "dots": (f"{A}\n...\n{B}", "AB", ["elided"], []),
    "spaced dots": (f"{A}\n. . .\n{B}", "AB", ["elided"], []),
    "two spaced dots": (f"{A}\n. .\n{B}", "AB", [], ["prose_ignored"]),
    "vertical dots": (f"{A}\n⋮\n{B}", "AB", ["elided"], []),
    "vertical dots in a list": (f"[{A},\n⋮\n{B}]", "AB", ["elided"], ["array"]),
    "counted": (f"{A}\n... (60 more)", "A", ["elided"], []),
    "counted with words": (f"{A}\n… and 60 more records\n", "A", ["elided"], []),
    "counted in brackets": (f"{A}\n[60 more records omitted]", "A", ["elided"], []),
    "as a comment": (f"{A}\n// ... remaining 60 records omitted for brevity\n", "A", ["elided"], []),
    "behind a record": (f"{A}, ...\n", "A", ["elided"], ["comma_between"]),
    "the rest, as a comment": (f"{A}\n// rest of the records\n", "A", ["elided"], []),
    "the rest, as a comment in a list": (f"[{A}\n/* remaining 40 records */]", "A", ["elided"], ["array"]),
    "cut off, in brackets": (f"{A}\n[truncated]\n", "A", ["elided"], []),
    "cut off, in words": (f"{A}\n(output truncated here)\n", "A", ["elided"], []),
    "as a numbered item": (f"1. {A}\n2. ...\n", "A", ["elided"], ["list_marker"]),
    "a heading about the rest": (f"{A}\n## Remaining records\n{B}", "AB", [], ["prose_ignored"]),
    "a sentence about the rest": (f"{A}\nThe remaining towns publish none.", "A", [], ["prose_ignored"]),
    "as a member": (f"[{A}, ..., {B}]", "AB", ["elided"], ["array"]),
    "as a string": (f'[{A}, "... 60 more"]', "A", ["elided"], ["array"]),
    "as an object": (f"{A}\n{{...}}", "A", ["elided"], []),
    "wish for more": (f"{A}\nLet me know if you need more!", "A", [], ["prose_ignored"]),
}


def _table(**kinds):
    return [
        pytest.param(*expected, id=f"{kind}: {name}")
        for kind, cases in kinds.items()
        for name, expected in cases.items()
    ]


@pytest.mark.parametrize(
    ("raw", "names", "codes", "notes"), _table(framing=FRAMING, chat=CHAT, syntax=SYNTAX, cut=CUT)
)
def test_text_is_read_as_the_table_says(raw, names, codes, notes):
    assert outcome(raw) == (list(names), codes, notes)


def test_a_rejected_line_tells_where_it_is_and_how_it_begins():
    bad = line("B", url=None)
    parsed = read_records(f"\ufeffHi\n{A}\r\n\n{bad}\n{C[:60]}", NODE)
    assert [(one.line, one.code) for one in parsed.rejected] == [(4, "missing_url"), (5, "truncated")]
    first, last = parsed.rejected
    assert (first.node, first.raw, first.item, first.url) == ("acquisition", bad, {"company": "B"}, None)
    assert (last.raw, last.item) == (C[:60], {})


def test_a_rejected_member_of_an_array_has_its_own_line():
    parsed = read_records(f"[\n{A},\n7,\n{B}\n]", NODE)
    assert [(one.line, one.raw) for one in parsed.rejected] == [(3, "7")]


def test_raw_text_is_short_and_holds_no_password():
    [long] = read_records('{"item": 1, "x": "' + "y" * 500 + '"}', NODE).rejected
    assert len(long.raw) == 200
    [secret] = read_records(line("A", url="https://me:secret@a.test/x"), NODE).rejected
    assert (secret.code, secret.url) == ("url_has_credentials", None)
    assert "secret" not in secret.raw
    assert "https://***@a.test/x" in secret.raw


def test_raw_text_of_bad_bytes_can_be_written_as_utf8():
    [bad] = read_records(line("Bö").encode("latin-1"), NODE).rejected
    assert "B\ufffd" in bad.raw
    bad.raw.encode("utf-8")


def test_two_bad_lines_do_not_swallow_the_good_one_between_them():
    odd = A.replace("Acme grew", 'Acme "grew')
    assert outcome(f"{odd}\n{B}\n{odd}\n{C}") == (["B", "C"], ["invalid_json"] * 2, [])


def test_order_is_the_order_of_the_text():
    text = f"1. {B}\n[{A},\n{C}]\n" + json.dumps({"records": [row("D")]})
    assert outcome(text)[0] == ["B", "A", "C", "D"]
