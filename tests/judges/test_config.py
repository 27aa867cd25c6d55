"""How a judge is configured, and what is said of every mistake."""

import re
from decimal import Decimal
from pathlib import Path
from typing import get_args

import pytest

from pytest_wandr.errors import JudgeError
from pytest_wandr.judges.llm.config import JudgeConfig, members, read
from pytest_wandr.judges.llm.exchange import Why


def written(folder, text):
    (folder / "pyproject.toml").write_text(text)
    return folder


def test_three_lines_are_enough(tmp_path):
    config = read(written(tmp_path, '[tool.wandr.judge]\nprotocol = "anthropic"\nmodel = "m-1"\n'), "llm")
    assert (config.name, config.protocol, config.model) == ("llm", "anthropic", "m-1")
    assert (config.url, config.key_name) == ("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY")
    assert (config.votes, config.share_pages, config.confirm_names, config.canaries) == (1, 1, False, True)
    assert (config.price, config.options, config.per_minute) == (None, {"temperature": 0}, 0)


EVERYTHING = """
[tool.wandr.judge]
model = "other"

[tool.wandr.judges.strict]
protocol = "openai-responses"
model = "m-2"
base_url = "http://localhost:8000/v1/"
key_env = ""
price = { input = 0.1, output = 2, cached = 0.025 }
votes = 3
max_tokens = 900
page_tokens = 3000
concurrency = 2
per_minute = 30
timeout = 45
share_pages = 4
confirm_names = true
options = { temperature = 0.5, reasoning = { effort = "low" } }
canaries = false
"""


def test_a_named_table_says_everything(tmp_path):
    config = read(written(tmp_path, EVERYTHING), "llm:strict")
    assert (config.name, config.model, config.url) == ("llm:strict", "m-2", "http://localhost:8000/v1")
    assert config.key_name == ""
    assert config.price.input == Decimal("0.1")  # exactly: it never was a float
    assert (config.price.output, config.price.cached) == (2, Decimal("0.025"))
    assert (config.votes, config.max_tokens, config.page_tokens) == (3, 900, 3000)
    assert (config.concurrency, config.per_minute, config.timeout) == (2, 30, 45.0)
    assert (config.share_pages, config.confirm_names, config.canaries) == (4, True, False)
    assert config.options == {"temperature": 0.5, "reasoning": {"effort": "low"}}


@pytest.mark.parametrize(
    ("name", "protocol", "model", "key"),
    [
        ("openai-chat:gpt-9", "openai-chat", "gpt-9", "OPENAI_API_KEY"),
        ("openai-responses:gpt-9", "openai-responses", "gpt-9", "OPENAI_API_KEY"),
        ("anthropic:claude-9:beta", "anthropic", "claude-9:beta", "ANTHROPIC_API_KEY"),
    ],
)
def test_without_any_file_a_name_says_protocol_and_model(tmp_path, name, protocol, model, key):
    config = read(tmp_path, name)
    assert (config.name, config.protocol, config.model, config.key_name) == (name, protocol, model, key)


def test_every_mistake_is_told_at_once_with_key_and_hint(tmp_path):
    text = """
    [tool.wandr.judge]
    protocol = "openai"
    modle = "m"
    api_key = "sk-0123456789"
    key_env = "sk-0123456789"
    base_url = "ftp://host"
    price = { input = "much", output = -1, reading = 3 }
    votes = 2
    max_tokens = 0
    concurrency = 2.5
    timeout = -1
    share_pages = 9
    confirm_names = "yes"
    options = { model = "other", stream = true }
    """
    with pytest.raises(JudgeError) as caught:
        read(written(tmp_path, text), "llm")
    said = str(caught.value)
    first, *rest = said.splitlines()
    assert first == "the judge 'llm' cannot be used: 16 mistakes"
    for words in (
        "tool.wandr.judge.protocol: ",
        "hint: one of openai-chat, openai-responses, anthropic",
        "tool.wandr.judge.model: it is missing",
        "tool.wandr.judge.modle: there is no such key",
        "hint: did you mean `model`",
        "hint: a key never stands in a file; key_env names the environment variable that holds it",
        "tool.wandr.judge.key_env: ",
        "tool.wandr.judge.base_url: it is no address of a server",
        "tool.wandr.judge.price.input: ",
        "tool.wandr.judge.price.output: ",
        "tool.wandr.judge.price.reading: there is no such key",
        "tool.wandr.judge.votes: 2 votes can be a tie",
        "tool.wandr.judge.max_tokens: ",
        "tool.wandr.judge.concurrency: ",
        "tool.wandr.judge.timeout: ",
        "tool.wandr.judge.share_pages: ",
        "tool.wandr.judge.confirm_names: ",
        "tool.wandr.judge.options: model, stream cannot be set here",
    ):
        assert any(words in line for line in rest), words
    assert all(line.startswith(("pyproject.toml: tool.wandr.judge.", "    hint: ")) for line in rest)
    assert "sk-0123456789" not in said


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('base_url = "http://judge.example/v1"', "over http the key could be read on its way"),
        ('base_url = "https://user:secret@judge.example/v1"', "more than scheme, host, port and path"),
        ('base_url = "https://judge.example/v1?key=secret"', "more than scheme, host, port and path"),
        ('base_url = "https://judge.example:0/v1"', "no address of a server"),
        ('base_url = "https://judge.example:no/v1"', "no address of a server"),
        ('base_url = "https://"', "no address of a server"),
        ('base_url = "//judge.example"', "no address of a server"),
        ('base_url = "https://j\\u00fcdge.example"', "more than scheme"),
        ("votes = true", "votes"),
        ("options = { temperature = nan }", "there is no number NaN in JSON"),
        ("options = { deep = [{ a = -inf }] }", "there is no number -Infinity in JSON"),
        ("options = { tools = [] }", "tools cannot be set here"),
        ("price = 3", "tool.wandr.judge.price: input should be a valid dictionary\n"),
        ('model = "a b"', "hint: its name, as its server calls it, without spaces"),
        ('panel = ["a", "b"]', "a judge with a panel has no model of its own"),
        ('name = "me"', "named by its table"),
        ("price = { input = 1 }", "price.output"),
        ("price = { input = nan, output = 1 }", "price.input"),
        ("price = { input = 0.12345678, output = 1 }", "price.input"),
    ],
)
def test_one_mistake(tmp_path, line, words):
    model = "" if line.startswith("model") else 'model = "m"\n'
    with pytest.raises(JudgeError) as caught:
        read(written(tmp_path, f"[tool.wandr.judge]\n{model}{line}\n"), "llm")
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_on_this_machine_http_may_carry_a_key(tmp_path, host):
    text = f'[tool.wandr.judge]\nmodel = "m"\nbase_url = "http://{host}:1/v1"\n'
    assert read(written(tmp_path, text), "llm").key_name == "OPENAI_API_KEY"


def test_what_is_not_there_is_named_with_how_to_make_it(tmp_path):
    with pytest.raises(JudgeError, match=r"no table \[tool.wandr.judge\]. It takes three lines: .*model = "):
        read(tmp_path, "llm")
    with pytest.raises(JudgeError, match=r"(?s)\[tool.wandr.judges.strct\].*did you mean `strict`"):
        read(written(tmp_path, EVERYTHING), "llm:strct")


@pytest.mark.parametrize("text", ["[tool.wandr.judge\n", "\x00"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, text):
    with pytest.raises(JudgeError, match="pyproject.toml cannot be read"):
        read(written(tmp_path, text), "llm")


PANEL = """
[tool.wandr.judge]
panel = ["a", "anthropic:m-3"]
[tool.wandr.judges.a]
model = "m-1"
[tool.wandr.judges.nested]
panel = ["a", "llm:b"]
[tool.wandr.judges.b]
panel = ["a"]
[tool.wandr.judges.twice]
panel = ["a", "a"]
"""


def test_a_panel_is_its_members(tmp_path):
    config = read(written(tmp_path, PANEL), "llm")
    assert [(each.name, each.model) for each in members(tmp_path, config)] == [
        ("llm:a", "m-1"),
        ("anthropic:m-3", "m-3"),
    ]
    alone = read(tmp_path, "llm:a")
    assert members(tmp_path, alone) == (alone,)


def test_what_a_panel_would_not_use_is_refused_and_not_ignored(tmp_path):
    text = """
    [tool.wandr.judge]
    panel = ["a"]
    protocol = "anthropic"
    key_env = ""
    base_url = "https://judge.example/v1"
    price = { input = 1, output = 1 }
    concurrency = 2
    per_minute = 9
    timeout = 3
    options = { seed = 7 }
    votes = 3
    page_tokens = 900
    """
    with pytest.raises(JudgeError) as caught:
        read(written(tmp_path, text), "llm")
    first, *rest = str(caught.value).splitlines()
    assert first == "the judge 'llm' cannot be used: 8 mistakes"
    assert sum("a judge with a panel has none of its own" in line for line in rest) == 8
    assert "votes" not in str(caught.value)


def test_a_panel_of_panels_or_of_the_same_twice_is_refused(tmp_path):
    written(tmp_path, PANEL)
    with pytest.raises(JudgeError, match="llm:b, a panel itself"):
        members(tmp_path, read(tmp_path, "llm:nested"))
    with pytest.raises(JudgeError, match="names a judge twice"):
        read(tmp_path, "llm:twice")


@pytest.mark.parametrize(
    ("model", "moves"),
    [
        ("m-latest", True),
        ("m:latest", True),
        ("vendor/latest", True),
        ("latest", True),
        ("m-2026-01-01", False),
        ("latest-m", False),
        ("greatest", False),
    ],
)
def test_a_name_that_may_mean_another_model_tomorrow(tmp_path, model, moves):
    assert read(tmp_path, f"openai-chat:{model}").moves is moves


def test_every_key_is_documented_with_its_default():
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "judge.md").read_text()
    rows = {name: told.strip() for name, told in re.findall(r"^\| `(\w+)` \|([^|]*)\|", page, re.MULTILINE)}
    fields = {name: field for name, field in JudgeConfig.model_fields.items() if name != "name"}
    assert fields.keys() <= rows.keys()
    for name, field in fields.items():
        if isinstance(field.default, int) and not isinstance(field.default, bool) and field.default:
            assert rows[name] == str(field.default), name
        if isinstance(field.default, bool):
            assert rows[name] == str(field.default).lower(), name


def test_every_code_is_documented():
    page = (Path(__file__).resolve().parents[2] / "docs" / "reference" / "judge.md").read_text()
    assert set(get_args(Why)) == set(re.findall(r"^\| `(\w+)` \| [^|]* \| asks", page, re.MULTILINE))
