"""Task packages with one mistake each: on which line, under which key? And shapes that are right."""

import pytest

from pytest_wandr.errors import TaskSpecError
from pytest_wandr.task import load_task

GOOD = """\
schema_version = "1"
id = "t"
version = "1.0.0"
title = "T"
topics = ["x"]
canary = "c"

[[nodes]]
name = "t"
keys = [
  { name = "company", kind = "company", required = 7 },
  { name = "grade", kind = "enum", labels = ["Gold", "Silver"] },
  { name = "person", kind = "person", required = 2 },
  { name = "url", required = 3 },
]
answer = ["role", "on"]

[[nodes.requirements]]
id = "names"
text = "Names it."
check = { mentions = ["company", "person"] }
decisive = true

[[nodes.requirements]]
id = "when"
text = "In spring."
check = { date = "on", from = 2026-03-01, to = 2026-04-30 }

[[nodes]]
name = "t.sub"
keys = [{ name = "company", kind = "company", required = 7 }, { name = "url", required = 1 }]

[gate]
soft_f1_full = 0.4
"""

MISTAKES = [
    # (what is replaced, by what, line, key)
    ('["Gold", "Silver"]', '["Gold", "Silver", "gold "]', 12, "nodes[0].keys[1].labels[2]"),
    ('["Gold", "Silver"]', '["Café", "Cafe"]', 12, "nodes[0].keys[1].labels[1]"),
    ('["Gold", "Silver"]', '["Gold", ""]', 12, "nodes[0].keys[1].labels[1]"),
    ('["Gold", "Silver"]', '["Gold", 2]', 12, "nodes[0].keys[1].labels[1]"),
    ('["Gold", "Silver"]', '["New York", "York New"]', 12, "nodes[0].keys[1].labels[1]"),
    (
        'labels = ["Gold", "Silver"]',
        'labels = ["Gold", "Silver"], required = 1',
        12,
        "nodes[0].keys[1].required",
    ),
    (
        'labels = ["Gold", "Silver"]',
        'labels = ["Gold", "Silver"], aliases = { "Gold" = ["silver"] }',
        12,
        "nodes[0].keys[1].aliases.Gold[0]",
    ),
    (
        'labels = ["Gold", "Silver"]',
        'labels = ["Gold", "Silver"], aliases = { "Bronze" = ["b"] }',
        12,
        "nodes[0].keys[1].aliases.Bronze",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, aliases = { "Acme" = ["Zed"], "Birch" = ["ZED"] }',
        11,
        "nodes[0].keys[0].aliases.Birch[0]",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, aliases = { "Acme" = ["Zed"], "Acme Inc." = ["Yam"] }',
        11,
        "nodes[0].keys[0].aliases.Acme Inc.",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, aliases = { "Acme" = ["Zed"], "Zed Ltd" = ["Yam"] }',
        11,
        "nodes[0].keys[0].aliases.Acme[0]",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, aliases = { "Acme" = "Zed" }',
        11,
        "nodes[0].keys[0].aliases.Acme",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, aliases = { "Acme" = [3] }',
        11,
        "nodes[0].keys[0].aliases.Acme[0]",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, aliases = ["Acme"]',
        11,
        "nodes[0].keys[0].aliases",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, aliases = { "Acme" = ["Zed", "Yam"] }, distinct = [["zed", "YAM"]]',
        11,
        "nodes[0].keys[0].distinct[0]",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, distinct = [["Acme", "Birch", "Zed"]]',
        11,
        "nodes[0].keys[0].distinct[0]",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, distinct = ["Acme", "Birch"]',
        11,
        "nodes[0].keys[0].distinct[0]",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, policy = "Strict"',
        11,
        "nodes[0].keys[0].policy",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, polcy = "strict"',
        11,
        "nodes[0].keys[0].polcy",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, numbers = true',
        11,
        "nodes[0].keys[0].numbers",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, numbers = "ignored"',
        11,
        "nodes[0].keys[0].numbers",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, keep_legal_form = 1',
        11,
        "nodes[0].keys[0].keep_legal_form",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, subsidiaries = "join"',
        11,
        "nodes[0].keys[0].subsidiaries",
    ),
    (
        'kind = "company", required = 7',
        'kind = "company", required = 7, also = "city"',
        11,
        "nodes[0].keys[0].also",
    ),
    ("required = 7 }", "required = 0 }", 11, "nodes[0].keys[0].required"),
    ("required = 2 }", "required = 0 }", 13, "nodes[0].keys[2].required"),
    ("required = 3 }", "required = 0 }", 14, "nodes[0].keys[3].required"),
    ("required = 3 }", "required = -1 }", 14, "nodes[0].keys[3].required"),
    ('name = "url", required = 3', 'name = "url"', 14, "nodes[0].keys[3]"),
    ('kind = "person"', 'kind = "people"', 13, "nodes[0].keys[2].kind"),
    ('kind = "person"', 'kind = "Person"', 13, "nodes[0].keys[2].kind"),
    ('kind = "person"', "kind = 3", 13, "nodes[0].keys[2].kind"),
    ('name = "person"', 'name = "company"', 13, "nodes[0].keys[2].name"),
    ('name = "person"', 'name = "answer"', 13, "nodes[0].keys[2].name"),
    ('name = "person"', 'name = ""', 13, "nodes[0].keys[2].name"),
    ('{ name = "person", kind', "{ kind", 13, "nodes[0].keys[2]"),
    ("required = 2 }", 'required = 2, fields = ["first", "first"] }', 13, "nodes[0].keys[2].fields"),
    ("required = 2 }", 'required = 2, fields = ["company"] }', 13, "nodes[0].keys[2].fields"),
    ("required = 2 }", 'required = 2, fields = "first" }', 13, "nodes[0].keys[2].fields"),
    ('["role", "on"]', '["role", "role", "on"]', 16, "nodes[0].answer[1]"),
    ('["role", "on"]', '"role"', 16, "nodes[0].answer"),
    ('["role", "on"]', '["role", "on", 3]', 16, "nodes[0].answer[2]"),
    ('["role", "on"]', '["role", "on", "company"]', 16, "nodes[0].answer[2]"),
    ("decisive = true", 'decisive = "true"', 22, "nodes[0].requirements[0].decisive"),
    ("decisive = true", "decisve = true", 22, "nodes[0].requirements[0].decisve"),
    ('text = "Names it."', "", 18, "nodes[0].requirements[0]"),
    ('id = "names"', "", 18, "nodes[0].requirements[0]"),
    ('id = "when"', 'id = "names"', 25, "nodes[0].requirements[1].id"),
    ('date = "on"', 'date = "of"', 27, "nodes[0].requirements[1].check.date"),
    ("from = 2026-03-01", "from = 2026-05-01", 27, "nodes[0].requirements[1].check.from"),
    ("from = 2026-03-01", "form = 2026-03-01", 27, "nodes[0].requirements[1].check.form"),
    ('"t.sub"', '"t_sub"', 30, "nodes[1].name"),
    ('"t.sub"', '"t"', 30, "nodes[1].name"),
    ('"t.sub"', '"x.sub"', 30, "nodes[1].name"),
    ('"t.sub"', '"t.sub/x"', 30, "nodes[1].name"),
    (
        '[{ name = "company", kind = "company", required = 7 }, {',
        '[{ name = "city", required = 7 }, {',
        31,
        "nodes[1].keys",
    ),
    (
        '[{ name = "company", kind = "company", required = 7 }, {',
        '[{ name = "company", kind = "company", required = 8 }, {',
        31,
        "nodes[1].keys[0].required",
    ),
    (
        '[{ name = "company", kind = "company", required = 7 }, {',
        '[{ name = "company", kind = "text", required = 7 }, {',
        31,
        "nodes[1].keys[0].kind",
    ),
    (
        '[{ name = "company", kind = "company", required = 7 }, {',
        '[{ name = "company" }, { name = "person" }, {',
        31,
        "nodes[1].keys[1].name",
    ),
    ('[{ name = "company", kind = "company", required = 7 }, {', "[{", 31, "nodes[1].keys"),
    ('{ name = "url", required = 1 }]', '{ name = "page", required = 1 }]', 31, "nodes[1].keys"),
    ("soft_f1_full", "soft_f1_fulll", 34, "gate.soft_f1_fulll"),
    ("0.4", "1.4", 34, "gate.soft_f1_full"),
    ("0.4", "-0.1", 34, "gate.soft_f1_full"),
    ("0.4", '"0.4"', 34, "gate.soft_f1_full"),
    ("0.4", "nan", 34, "gate.soft_f1_full"),
    ("[gate]", "[gates]", 33, "gates"),
    ("[gate]", "[[gate]]", 33, "gate"),
    ("canary", "cannary", 6, "cannary"),
    ('title = "T"', 'title = ["T"]', 4, "title"),
    ('version = "1.0.0"', "version = 1.0", 3, "version"),
    ('id = "t"\n', 'id = ""\n', 2, "id"),
    ('topics = ["x"]', 'topics = [["x"]]', 5, "topics[0]"),
    ('name = "t"\n', "name = 3\n", 9, "nodes[0].name"),
    ('name = "t"\n', 'nam = "t"\n', 9, "nodes[0].nam"),
    ('[[nodes.requirements]]\nid = "when"', '[[nodes.requirement]]\nid = "when"', 24, "nodes[0].requirement"),
]


@pytest.fixture
def package(tmp_path):
    """Writes a task package with this text."""

    def write(text):
        folder = tmp_path / "t"
        folder.mkdir()
        (folder / "task.toml").write_bytes(text.encode())
        (folder / "instruction.md").write_text("Find them all.", "utf-8")
        return folder

    return write


def test_the_text_that_the_mistakes_are_made_in_is_right(package):
    assert load_task(package(GOOD)).required_records == 7 * 2 * 2 * 3 + 7


@pytest.mark.parametrize(("old", "new", "line", "key"), MISTAKES)
def test_a_mistake_is_found_on_its_line_under_its_key(package, old, new, line, key):
    assert old in GOOD
    with pytest.raises(TaskSpecError) as caught:
        load_task(package(GOOD.replace(old, new, 1)))
    found = {(one.line, one.key): one for one in caught.value.problems}
    assert (line, key) in found, found
    assert found[line, key].hint
    assert f"task.toml:{line}: {key}: " in str(caught.value)


COMPANY = '{ name = "company", kind = "company", required = 5 }'
PERSON = '{ name = "person", kind = "person", required = 2 }'
YEARS = '{ name = "year", labels = ["2024", "2025", "2026"] }'
PLANT = '{ name = "plant", kind = "place", required = 4 }'
URL = '{ name = "url", required = 1 }'
TWO_URLS = '{ name = "url", required = 2 }'
SHAPES = [
    # (keys of each node, required records)
    ([[COMPANY, URL]], 5),
    ([[COMPANY, TWO_URLS]], 10),
    ([[COMPANY, PERSON, URL]], 10),
    ([[COMPANY, PERSON, PLANT, TWO_URLS]], 80),
    ([[COMPANY, YEARS, URL]], 15),
    ([[COMPANY, YEARS, PERSON, URL]], 30),
    ([[YEARS, COMPANY, URL]], 15),
    ([['{ name = "grade", kind = "enum", labels = ["C", "C++", "C#", "<5", ">5"] }', YEARS, URL]], 15),
    ([[COMPANY, URL], [COMPANY, URL], [COMPANY, TWO_URLS]], 20),
    ([[COMPANY, PERSON, URL], [COMPANY, PERSON, URL], [COMPANY, URL]], 25),
    ([[COMPANY, URL], [COMPANY, PLANT, URL]], 25),
    ([[COMPANY, URL], [COMPANY, YEARS, TWO_URLS]], 35),
    ([[COMPANY, YEARS, PERSON, URL], [COMPANY, YEARS, TWO_URLS], [COMPANY, PLANT, URL]], 80),
    ([[COMPANY, URL], ['{ name = "company" }', PLANT, URL], ['{ name = "company" }', PLANT, URL]], 45),
]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(("nodes", "required"), SHAPES)
def test_every_pattern_and_their_combinations_load(package, nodes, required, line_end):
    text = 'schema_version = "1"\nid = "t"\n'
    for at, keys in enumerate(nodes):
        text += f'[[nodes]]\nname = "t{f".branch{at}" if at else ""}"\nkeys = [{", ".join(keys)}]\n'
    task = load_task(package(text.replace("\n", line_end)))
    assert task.required_records == required
    assert [len(node.keys) for node in task.nodes] == [len(keys) for keys in nodes]


def test_keys_may_be_written_as_tables(package):
    keys = ('name = "company"\nkind = "company"\nrequired = 5', 'name = "url"\nrequired = 1')
    tables = "".join(f"[[nodes.keys]]\n{key}\n" for key in keys)
    assert load_task(package(f'id = "t"\n[[nodes]]\nname = "t"\n{tables}')).required_records == 5


@pytest.mark.parametrize(
    ("kind", "labels", "second"),
    [
        ("text", ["red apple", "apple red"], 1),
        ("text", ["Bird", "Dog", "Dogs"], 2),
        ("company", ["Acme Rail", "AcmeRail"], 1),
        ("person", ["Bob Roe", "Robert Roe"], 1),
    ],
)
def test_labels_that_compare_as_one_are_refused(package, kind, labels, second):
    keys = f'[{{ name = "k", kind = "{kind}", labels = {labels} }}, {{ name = "url", required = 1 }}]'
    text = f'id = "t"\n[[nodes]]\nname = "t"\nkeys = {keys}\n'
    with pytest.raises(TaskSpecError) as caught:
        load_task(package(text))
    [problem] = caught.value.problems
    assert (problem.line, problem.key) == (4, f"nodes[0].keys[0].labels[{second}]")
    assert 'kind = "enum"' in problem.hint


@pytest.mark.parametrize(
    "labels", [["Dog", "Dogs"], ["A", "A-", "A+"], ["<5", ">5", "5"], ["C", "C++", "C#"]]
)
def test_labels_of_an_enum_may_be_close(package, labels):
    keys = f'[{{ name = "k", kind = "enum", labels = {labels} }}, {{ name = "url", required = 1 }}]'
    task = load_task(package(f'id = "t"\n[[nodes]]\nname = "t"\nkeys = {keys}\n'))
    assert task.main.keys[0].labels == tuple(labels)
    assert task.required_records == len(labels)
