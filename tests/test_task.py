"""Loading task packages: a good one comes out as written, a bad one says everything that is wrong with it."""

import json
import subprocess
import sys
from datetime import date

import pytest

from pytest_wandr.errors import TaskSpecError
from pytest_wandr.model import DateIn, HostIs, Matches, Mentions, Record
from pytest_wandr.task import is_task_folder, load_fixtures, load_task, peek_task
from pytest_wandr.task.loading import require_instruction

GOOD = """\
schema_version = "1"
id = "hires"
version = "1.2.0"
title = "New chiefs"
topics = ["executives"]
canary = "canary 1"

[[nodes]]
name = "hires"
keys = [
  { name = "company", kind = "company", required = 70, aliases = { "Acme" = ["ACM Industries"] } },
  { name = "year", labels = ["2024", "2025"] },
  { name = "person", kind = "person", required = 1, fields = ["first", "last"] },
  { name = "url", required = 2 },
]
answer = ["role", "hired_on", "salary"]
overall = { language = ["en", "de"] }

[[nodes.requirements]]
id = "names"
text = "The page names company and person."
check = { mentions = ["company", "last"] }
decisive = true

# no check of a date is decisive here
[[nodes.requirements]]
id = "window"
text = "Hired in spring."
check = { date = "hired_on", from = 2026-03-01, to = 2026-04-30 }

[[nodes]]
name = "hires.listing"
keys = [{ name = "company" }, { name = "url", required = 1 }]

[gate]
soft_f1_full = 0.40
hard_recall_retrieval = 1
"""


@pytest.fixture
def package(tmp_path):
    """Writes a task package; edits are pairs of texts."""

    def write(*edits, text=GOOD, **files):
        folder = tmp_path / "hires"
        folder.mkdir(exist_ok=True)
        for old, new in edits:
            assert old in text
            text = text.replace(old, new, 1)
        contents = {"task.toml": text, "instruction.md": "Find new chiefs.\n"} | {
            name.replace("_", "."): content for name, content in files.items()
        }
        for name, content in contents.items():
            if content is not None:
                (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    return write


def problems(folder):
    with pytest.raises(TaskSpecError) as caught:
        load_task(folder)
    return caught.value.problems


def test_a_good_package_is_loaded_as_written(package):
    task = load_task(package(judge_md="Be strict.\r\n"))
    assert (task.id, task.version, task.title, task.topics) == (
        "hires",
        "1.2.0",
        "New chiefs",
        ("executives",),
    )
    assert (task.instruction, task.judge_guidance, task.canary) == (
        "Find new chiefs.\n",
        "Be strict.\n",
        "canary 1",
    )
    assert task.gate == {"soft_f1_full": 0.4, "hard_recall_retrieval": 1.0}
    company, year, person, url = task.main.keys
    assert (company.kind, company.required, company.aliases) == ("company", 70, {"Acme": ("ACM Industries",)})
    assert (year.kind, year.required, year.labels) == ("text", 2, ("2024", "2025"))
    assert (person.item_fields, url.kind, url.required) == (("first", "last"), "url", 2)
    names, window = task.main.requirements
    assert (names.check, names.decisive) == (Mentions(mentions=("company", "last")), True)
    assert window.check == DateIn.model_validate(
        {"date": "hired_on", "from": date(2026, 3, 1), "to": date(2026, 4, 30)}
    )
    assert task.required_records == 70 * 2 * 2 + 70


def test_a_shared_key_written_short_is_the_main_nodes_key(package):
    task = load_task(package())
    assert task.nodes[1].keys[0] == task.main.keys[0]


def test_a_shared_key_may_be_written_in_full(package):
    full = f'{{ name = "company", {COMPANY} }}, {{ name = "url", required = 1 }}'
    assert load_task(package(('{ name = "company" }, { name = "url", required = 1 }', full))) == load_task(
        package()
    )


def test_two_shared_keys_with_labels(package):
    task = load_task(package(('[{ name = "company" }, ', '[{ name = "company" }, { name = "year" }, ')))
    assert task.nodes[1].keys[1] == task.main.keys[1]


def test_line_ends_and_a_bom_do_not_change_the_digest(package):
    plain = load_task(package()).digest
    windows = package(text=GOOD.replace("\n", "\r\n"), instruction_md=b"\xef\xbb\xbfFind new chiefs.\r\n")
    assert load_task(windows).digest == plain


@pytest.mark.parametrize(
    "check",
    [
        '{ matches = "(?i){company}\\\\s+hires" }',
        "{ matches = 'a{2,3}b{4}' }",
        '{ number = "salary", min = 1, max = 1 }',
        '{ number = "salary", unit = "EUR" }',
        '{ date = "hired_on" }',
        '{ host = ["news.example", "a-b.c.test"] }',
        '{ any = [{ mentions = ["role"] }, { not = { host = ["x.test"] } }] }',
        '{ all = [{ language = ["en"] }] }',
    ],
)
def test_every_verb_can_be_written(package, check):
    assert (
        load_task(package(('{ mentions = ["company", "last"] }', check))).main.requirements[0].check
        is not None
    )


def test_checks_keep_their_values(package):
    task = load_task(
        package(
            ('{ mentions = ["company", "last"] }', '{ any = [{ matches = "x" }, { host = ["a.test"] }] }')
        )
    )
    assert task.main.requirements[0].check.any == (Matches(matches="x"), HostIs(host=("a.test",)))


CHECK = '{ mentions = ["company", "last"] }'
COMPANY = 'kind = "company", required = 70, aliases = { "Acme" = ["ACM Industries"] }'
YEAR = 'labels = ["2024", "2025"]'
SHORT = '{ name = "company" }, { name = "url", required = 1 }'
MISTAKES = [
    # (what is written instead, line, key, words of the message, words of the hint)
    ("topics =", "topisc =", 5, "topisc", "unknown key", "`topics`"),
    ('title = "New', 'title = 3\n#"', 4, "title", "a string, not an integer", "title ="),
    ('schema_version = "1"', 'schema_version = "2"', 1, "schema_version", "unsupported", "upgrade"),
    ('schema_version = "1"', "schema_version = 1", 1, "schema_version", "a string", '"1"'),
    ('id = "hires"\n', "", 1, "", "`id` is missing", 'id = "hires"'),
    ('id = "hires"', 'id = "a/b"', 2, "id", "not safe", "letters"),
    ('["executives"]', '["executives", 3]', 5, "topics[1]", "a string", "quotes"),
    ('["executives"]', '"executives"', 5, "topics", "an array of strings", "["),
    ('name = "hires"\n', "", 8, "nodes[0]", "`name` is missing", "results_"),
    ('name = "hires"\n', 'name = "../hires"\n', 9, "nodes[0].name", "not safe", "letters"),
    ('name = "hires"\n', 'name = "hires.x"\n', 9, "nodes[0].name", "subtask", "first node is the main one"),
    ('"hires.listing"', '"listing"', 32, "nodes[1].name", "does not begin with", "hires.listing"),
    ('"hires.listing"', '"hires"', 32, "nodes[1].name", "two nodes", "of its own"),
    ('answer = ["role",', 'answers = ["role",', 16, "nodes[0].answers", "unknown key", "`answer`"),
    ('answer = ["role",', 'answer = ["Company",', 16, "nodes[0].answer[0]", "taken", "of its own"),
    ('answer = ["role",', 'answer = ["hired-on",', 16, "nodes[0].answer[1]", "taken", "of its own"),
    ('kind = "company"', 'kind = "compny"', 11, "nodes[0].keys[0].kind", "unknown value", "`company`"),
    ("required = 70", "require = 70", 11, "nodes[0].keys[0].require", "unknown key", "`required`"),
    (", required = 70", "", 11, "nodes[0].keys[0]", "`required` is missing", "required = 10"),
    ("required = 70", "required = 0", 11, "nodes[0].keys[0].required", "1 or more", "nothing"),
    ("required = 70", "required = -3", 11, "nodes[0].keys[0].required", "1 or more", "nothing"),
    ("required = 70", "required = true", 11, "nodes[0].keys[0].required", "not a boolean", "required = 1"),
    ("required = 70", "required = 70.0", 11, "nodes[0].keys[0].required", "not a float", "required = 1"),
    ("required = 70", 'required = "70"', 11, "nodes[0].keys[0].required", "not a string", "required = 1"),
    (
        'name = "company", kind',
        'name = "item", kind',
        11,
        "nodes[0].keys[0].name",
        "part of every record",
        "another",
    ),
    ('name = "company", kind', 'name = "Year", kind', 12, "nodes[0].keys[1].name", "two keys", "of its own"),
    (
        'fields = ["first", "last"]',
        'fields = ["year", "last"]',
        13,
        "nodes[0].keys[2].fields",
        "taken",
        "of its own",
    ),
    (
        'fields = ["first", "last"]',
        'fields = ["last", "Last"]',
        13,
        "nodes[0].keys[2].fields",
        "taken",
        "of its own",
    ),
    (
        'fields = ["first", "last"]',
        "fields = []",
        13,
        "nodes[0].keys[2].fields",
        "must not be empty",
        "leave",
    ),
    (YEAR, 'labels = ["2024", " 2024"]', 12, "nodes[0].keys[1].labels[1]", "same label", "normal form"),
    (
        YEAR,
        'kind = "enum", labels = ["Gold", "GOLD"]',
        12,
        "nodes[0].keys[1].labels[1]",
        "same label",
        "normal",
    ),
    (YEAR, YEAR + ", required = 3", 12, "nodes[0].keys[1].required", "there are 2 labels", "leave"),
    (YEAR, "labels = []", 12, "nodes[0].keys[1].labels", "must not be empty", "at least one"),
    (
        YEAR,
        YEAR + ', aliases = { "2023" = ["x"] }',
        12,
        "nodes[0].keys[1].aliases.2023",
        "no label",
        "labels",
    ),
    (
        YEAR,
        YEAR + ', aliases = { "2024" = ["2025"] }',
        12,
        "nodes[0].keys[1].aliases.2024[0]",
        "two identities",
        "label",
    ),
    (
        '["ACM Industries"]',
        '["x"], "B" = ["X"]',
        11,
        "nodes[0].keys[0].aliases.B[0]",
        "two identities",
        "one name",
    ),
    (
        '["ACM Industries"]',
        '["x"], "ACME" = ["y"]',
        11,
        "nodes[0].keys[0].aliases.ACME",
        "one name",
        "under one",
    ),
    (
        '["ACM Industries"] }',
        '["B"] }, distinct = [["Acme", "b"]]',
        11,
        "nodes[0].keys[0].distinct[0]",
        "both",
        "drop",
    ),
    (
        '["ACM Industries"] }',
        '["B", "C"] }, distinct = [["C", "B"]]',
        11,
        "nodes[0].keys[0].distinct[0]",
        "both",
        "drop",
    ),
    (
        COMPANY,
        'required = 70, distinct = [["a", "A"]]',
        11,
        "nodes[0].keys[0].distinct[0]",
        "one normal form",
        "apart",
    ),
    (COMPANY, 'required = 70, distinct = [["a"]]', 11, "nodes[0].keys[0].distinct[0]", "pair", "distinct ="),
    (COMPANY, 'required = 70, policy = "loose"', 11, "nodes[0].keys[0].policy", "unknown value", "strict"),
    (
        COMPANY,
        'required = 70, confirm = "yes"',
        11,
        "nodes[0].keys[0].confirm",
        "true or false",
        "without quotes",
    ),
    (
        COMPANY,
        'kind = "url", required = 70, url = { keep = [] }',
        11,
        "nodes[0].keys[0].url.keep",
        "unknown",
        "keep_params",
    ),
    ('{ name = "url", required = 2 },\n', "", 10, "nodes[0].keys", "`url` is missing", "end the keys"),
    (
        '{ name = "url", required = 2 },\n',
        '{ name = "url", required = 1 },' * 2 + "\n",
        14,
        "nodes[0].keys[4].name",
        "more than once",
        "end",
    ),
    (
        '{ name = "url", required = 2 },\n',
        '{ name = "url", required = 1 }, { name = "z", required = 1 }\n',
        14,
        "nodes[0].keys[3].name",
        "last",
        "end",
    ),
    (
        '{ name = "url", required = 2 }',
        '{ name = "url", required = 2, kind = "text" }',
        14,
        "nodes[0].keys[3].kind",
        "kind",
        "leave",
    ),
    (
        '{ name = "url", required = 2 }',
        '{ name = "url", required = 2, labels = ["a"] }',
        14,
        "nodes[0].keys[3].labels",
        "no such option",
        "required",
    ),
    (SHORT, '{ name = "url", required = 1 }', 33, "nodes[1].keys", "shares no key", "company"),
    (
        SHORT,
        '{ name = "firm", required = 1 }, { name = "url", required = 1 }',
        33,
        "nodes[1].keys",
        "shares no key",
        "company",
    ),
    (
        SHORT,
        SHORT.replace('"company"', '"company", required = 7'),
        33,
        "nodes[1].keys[0].required",
        "= 70",
        "leave",
    ),
    (
        SHORT,
        SHORT.replace('"company"', '"company", kind = "text"'),
        33,
        "nodes[1].keys[0].kind",
        "company",
        "leave",
    ),
    (
        SHORT,
        SHORT.replace('"company"', '"company", labels = ["a"]'),
        33,
        "nodes[1].keys[0].labels",
        "[]",
        "leave",
    ),
    (
        SHORT,
        SHORT.replace('"company"', '"company", policy = "lenient"'),
        33,
        "nodes[1].keys[0].policy",
        "strict",
        "leave",
    ),
    (
        SHORT,
        '{ name = "company" }, { name = "person" }, { name = "url", required = 1 }',
        33,
        "nodes[1].keys[1].name",
        "after a gap",
        "first ones",
    ),
    ('id = "names"', 'id = "window"', 27, "nodes[0].requirements[1].id", "two requirements", "of its own"),
    ('id = "names"', 'id = "a b"', 20, "nodes[0].requirements[0].id", "no id", "letters"),
    ('text = "Hired in spring."', "", 26, "nodes[0].requirements[1]", "`text` is missing", "sentence"),
    ('text = "Hired in spring."', 'text = " "', 28, "nodes[0].requirements[1].text", "empty", "sentence"),
    (f"check = {CHECK}\n", "", 22, "nodes[0].requirements[0].decisive", "no check", "judge"),
    (
        CHECK,
        '{ mention = ["company"] }',
        22,
        "nodes[0].requirements[0].check.mention",
        "unknown key",
        "`mentions`",
    ),
    (CHECK, "{ }", 22, "nodes[0].requirements[0].check", "no verb", "exactly one"),
    (
        CHECK,
        '{ matches = "a", language = ["en"] }',
        22,
        "nodes[0].requirements[0].check",
        "several verbs",
        "all",
    ),
    (
        CHECK,
        '{ matches = "a", from = 2026-01-01 }',
        22,
        "nodes[0].requirements[0].check.from",
        "unknown key",
        "matches",
    ),
    (CHECK, '{ mentions = "company" }', 22, "nodes[0].requirements[0].check.mentions", "an array", "["),
    (
        CHECK,
        "{ mentions = [] }",
        22,
        "nodes[0].requirements[0].check.mentions",
        "must not be empty",
        "at least one",
    ),
    (
        CHECK,
        '{ mentions = ["compnay"] }',
        22,
        "nodes[0].requirements[0].check.mentions[0]",
        "neither",
        "`company`",
    ),
    (
        CHECK,
        '{ mentions = ["person"] }',
        22,
        "nodes[0].requirements[0].check.mentions[0]",
        "neither",
        "there are",
    ),
    (CHECK, '{ mentions = ["url"] }', 22, "nodes[0].requirements[0].check.mentions[0]", "neither", "host"),
    (
        CHECK,
        "{ matches = '(a+)+b' }",
        22,
        "nodes[0].requirements[0].check.matches",
        "repeat without limit",
        "",
    ),
    (
        CHECK,
        "{ matches = '(a' }",
        22,
        "nodes[0].requirements[0].check.matches",
        "regular expression",
        "single quotes",
    ),
    (
        CHECK,
        "{ matches = '{rol} a{2}' }",
        22,
        "nodes[0].requirements[0].check.matches",
        "'rol' is neither",
        "`role`",
    ),
    (
        CHECK,
        '{ date = "hired_on", from = 2026-05-01, to = 2026-04-30 }',
        22,
        "nodes[0].requirements[0].check.from",
        "after to",
        "swap",
    ),
    (
        CHECK,
        '{ date = "hired_on", from = "2026-05-01" }',
        22,
        "nodes[0].requirements[0].check.from",
        "a date, not a string",
        "without quotes",
    ),
    (
        CHECK,
        '{ date = "hired_on", to = 2026-05-01T10:00:00 }',
        22,
        "nodes[0].requirements[0].check.to",
        "date with time",
        "without a time",
    ),
    (CHECK, '{ date = "hired" }', 22, "nodes[0].requirements[0].check.date", "neither", "`hired_on`"),
    (
        CHECK,
        '{ number = "salary", min = 3, max = 2.5 }',
        22,
        "nodes[0].requirements[0].check.min",
        "above max",
        "swap",
    ),
    (CHECK, '{ number = "salary", min = nan }', 22, "nodes[0].requirements[0].check.min", "finite", "leave"),
    (
        CHECK,
        '{ number = "salary", max = "3" }',
        22,
        "nodes[0].requirements[0].check.max",
        "a number",
        "without quotes",
    ),
    (CHECK, '{ number = "pay" }', 22, "nodes[0].requirements[0].check.number", "neither", "there are"),
    (
        CHECK,
        '{ host = ["https://a.test/"] }',
        22,
        "nodes[0].requirements[0].check.host[0]",
        "host name",
        "alone",
    ),
    (CHECK, '{ language = ["english"] }', 22, "nodes[0].requirements[0].check.language[0]", "639-1", '"en"'),
    (CHECK, "{ any = [] }", 22, "nodes[0].requirements[0].check.any", "must not be empty", "at least one"),
    (
        CHECK,
        '{ any = [{ all = [{ not = { matches = "[" } }] }] }',
        22,
        "nodes[0].requirements[0].check.any[0].all[0].not.matches",
        "regular",
        "single",
    ),
    (CHECK, '{ not = "x" }', 22, "nodes[0].requirements[0].check.not", "a table", "{"),
    ('["en", "de"]', "[]", 17, "nodes[0].overall.language", "must not be empty", "at least one"),
    ("soft_f1_full", "soft_f1", 36, "gate.soft_f1", "unknown reward", "soft_f1_full"),
    ("0.40", "40", 36, "gate.soft_f1_full", "from 0 to 1", "0.40"),
    ("0.40", "true", 36, "gate.soft_f1_full", "a number", "without quotes"),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda row: f"{row[3]}: {row[1][:60]}")
def test_a_mistake_is_named_with_line_key_and_hint(package, mistake):
    old, new, line, key, message, hint = mistake
    folder = package((old, new))
    found = problems(folder)
    assert [(one.line, one.key) for one in found if message in one.message and hint in one.hint] == [
        (line, key)
    ], found
    assert {one.file for one in found} == {str(folder / "task.toml")}
    assert all(one.hint for one in found)


def test_a_single_mistake_gives_a_single_problem(package):
    for old, new, *_ in MISTAKES[:9]:
        assert len(problems(package((old, new)))) == 1


def test_all_mistakes_are_reported_at_once_from_top_to_bottom(package):
    folder = package(
        ("topics =", "topisc ="), ("required = 70", "required = 0"), ("0.40", "7"), instruction_md="  \n"
    )
    (folder / "judge.md").write_bytes(b"\xe9")
    found = problems(folder)
    assert [(one.file.rsplit("/", 1)[-1], one.line) for one in found] == [
        ("instruction.md", 1),
        ("judge.md", 1),
        ("task.toml", 5),
        ("task.toml", 11),
        ("task.toml", 36),
    ]


def test_the_error_reads_as_a_list(package):
    with pytest.raises(
        TaskSpecError, match=r"1 problem in the task package\n.*task\.toml:36: gate.*\n +hint: "
    ):
        load_task(package(("0.40", "7")))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('id = "a\n', 1, "not TOML"),
        ("id = 1\nx = NO\n", 2, "not TOML"),
        ("[nodes\n", 1, "not TOML"),
        ("a = 1\na = 2\n", 2, "not TOML"),
        ("\n\nkeys = [\n", 3, "not TOML"),
        (b'id = "\xe9"\n', 1, "not UTF-8"),
        (b"# x\n# y\n\xff\n", 3, "0xff is not UTF-8"),
        ("a = " + "[" * 5000, 1, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_toml_tells_the_line(package, text, line, message):
    [problem] = problems(package(text=text))
    assert (problem.line, message in problem.message) == (line, True)


def test_missing_files_are_named(package, tmp_path):
    [none] = problems(tmp_path / "nowhere")[:1]
    assert "no such folder" in none.message
    (folder := package()).joinpath("task.toml").unlink()
    assert [one.file.rsplit("/", 1)[-1] for one in problems(folder)] == ["task.toml"]


def test_a_task_without_an_instruction_can_be_read_but_not_asked(package):
    folder = package(instruction_md=None)
    task = load_task(folder)
    with pytest.raises(TaskSpecError) as caught:
        require_instruction(folder, task)
    (problem,) = caught.value.problems
    assert (problem.file, problem.message) == (str(folder / "instruction.md"), "the file is missing")


def test_the_folder_may_be_called_otherwise(package):
    folder = package(('id = "hires"', 'id = "other"'))
    assert load_task(folder).id == peek_task(folder).id == "other"


@pytest.mark.parametrize(
    "text", ['schema_version = "1"\nid = "hires"\n', 'id = "hires"\nnodes = []\n', "nodes = 3\n"]
)
def test_a_task_needs_nodes(package, text):
    assert any("node" in one.message or one.key == "nodes" for one in problems(package(text=text)))


@pytest.mark.parametrize(
    "keys", ["", "keys = []\n", 'keys = [{ name = "url", required = 1 }]\n', "keys = [3]\n"]
)
def test_a_node_needs_keys(package, keys):
    found = problems(package(text=f'id = "hires"\n[[nodes]]\nname = "a"\n{keys}'))
    assert all(one.key.startswith("nodes[0]") for one in found)


def test_checks_may_not_be_nested_without_end(package):
    deep = "{ not = " * 30 + '{ matches = "x" }' + " }" * 30
    assert any("nested" in one.message for one in problems(package((CHECK, deep))))


def test_a_folder_may_be_named_relatively(package, monkeypatch):
    folder = package()
    monkeypatch.chdir(folder)
    assert load_task(".") == load_task(str(folder))


def test_peeking_reads_id_and_title_and_checks_nothing(package, tmp_path):
    folder = package(("required = 70", "required = 0"))
    assert tuple(peek_task(folder)) == ("hires", "New chiefs")
    assert tuple(peek_task(package(text="title = 3\nid = 4\n"))) == ("hires", "")
    assert is_task_folder(folder)
    assert not is_task_folder(tmp_path)
    with pytest.raises(TaskSpecError):
        peek_task(tmp_path)


def test_peeking_imports_nothing_heavy(package):
    code = (
        "import sys; from pytest_wandr.task import peek_task, is_task_folder; "
        f"peek_task({str(package())!r}); print({{'pydantic', 'rapidfuzz', 'lxml'}} & {{*sys.modules}})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


FIXTURE = {
    "node": "hires",
    "item": {"company": "Acme", "year": "2024", "first": "Jo", "last": "Roe"},
    "url": "https://acme.test/x",
    "excerpts": ["Jo Roe is CFO."],
    "answer": {"role": "CFO", "salary": 3},
    "full": True,
    "retrieval": True,
    "fault": "",
    "why": "All there.",
}


def fixtures(folder, *lines):
    texts = [one if isinstance(one, str) else json.dumps(one) for one in lines]
    (folder / "fixtures.jsonl").write_text("\n".join(texts) + "\n", "utf-8")
    return load_fixtures(folder, load_task(folder))


def test_fixtures_are_records_with_verdicts(package):
    bad = FIXTURE | {"full": False, "fault": "stale", "node": "hires.listing", "item": {"company": "B"}}
    bad.pop("retrieval")
    good, wrong, open_one = fixtures(package(), FIXTURE, "", bad, {"item": {"company": "C"}, "full": None})
    assert good.record == Record(
        **{key: FIXTURE[key] for key in ("node", "item", "url", "excerpts", "answer")}
    )
    assert (good.full, good.retrieval, good.fault, good.why) == (True, True, "", "All there.")
    assert (wrong.full, wrong.retrieval, wrong.fault, wrong.record.node) == (
        False,
        False,
        "stale",
        "hires.listing",
    )
    assert (open_one.full, open_one.retrieval, open_one.record.node) == (None, None, "hires")


def test_no_fixtures_file_means_no_fixtures(package):
    folder = package()
    assert load_fixtures(folder, load_task(folder)) == ()


@pytest.mark.parametrize(
    ("line", "key", "message"),
    [
        ("{", "fixtures.jsonl", "not JSON"),
        ("[1]", "fixtures.jsonl", "not a JSON object"),
        (FIXTURE | {"ful": 1}, "ful", "unknown key"),
        (FIXTURE | {"node": "hire"}, "node", "no node"),
        (FIXTURE | {"full": "yes"}, "full", "true, false or null"),
        (FIXTURE | {"retrieval": 1}, "retrieval", "true"),
        (FIXTURE | {"retrieval": False}, "retrieval", "cannot be"),
        (FIXTURE | {"excerpts": "x"}, "excerpts", "list"),
        (FIXTURE | {"excerpts": [1]}, "excerpts", "list"),
        (FIXTURE | {"answer": []}, "answer", "object"),
        (FIXTURE | {"item": "Acme"}, "item", "object"),
        (FIXTURE | {"url": ""}, "url", "missing"),
        (FIXTURE | {"item": FIXTURE["item"] | {"year": 2024}}, "item.year", "string"),
        (FIXTURE | {"item": FIXTURE["item"] | {"yaer": "2024"}}, "item.yaer", "no key"),
        (FIXTURE | {"item": {"company": "Acme"}}, "item.last", "missing"),
        (FIXTURE | {"why": 3}, "why", "string"),
        (FIXTURE | {"fault": "stale"}, "fault", "no fault"),
        ({name: value for name, value in FIXTURE.items() if name != "full"}, "full", "missing"),
    ],
)
def test_a_wrong_fixture_is_named_with_its_line(package, line, key, message):
    folder = package()
    with pytest.raises(TaskSpecError) as caught:
        fixtures(folder, FIXTURE, "", line)
    found = [one for one in caught.value.problems if one.key == key and message in one.message]
    assert [(one.file, one.line) for one in found] == [(str(folder / "fixtures.jsonl"), 3)]


def test_a_task_that_changed_is_read_anew(package):
    """What was read is kept for who asks next, by what the files hold."""
    folder = package()
    first = load_task(folder)
    assert load_task(folder) is first
    (folder / "instruction.md").write_text("Find others.")
    second = load_task(folder)
    assert second != first
    manifest = folder / "task.toml"
    manifest.write_text(manifest.read_text().replace("[gate]", "[gate]\nhard_f1_full = 0.25"))
    assert load_task(folder).gate["hard_f1_full"] == 0.25
