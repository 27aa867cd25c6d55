"""The shape of the code: light to import, small modules, a docstring that says what each is for."""

import ast
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

import pytest_wandr

PACKAGE = Path(pytest_wandr.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
HEAVY = ("pydantic", "parsel", "lxml", "httpx", "vcr", "rapidfuzz", "anyascii", "idna", "asyncio")


def parsed(path):
    return ast.parse(path.read_text())


def functions(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def name_of(path):
    return str(path.relative_to(PACKAGE))


def test_the_plugin_imports_nothing_heavy():
    program = (
        "import sys, pytest; before = set(sys.modules); import pytest_wandr.plugin; "
        f"print([name for name in {HEAVY!r} if name in set(sys.modules) - before])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_module_is_over_400_lines_and_most_are_small():
    lengths = {name_of(path): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > 400} == {}
    assert statistics.median(lengths.values()) <= 130


def test_functions_are_small():
    lengths = [node.end_lineno - node.lineno + 1 for path in MODULES for node in functions(parsed(path))]
    assert statistics.median(lengths) <= 8
    assert statistics.quantiles(lengths, n=10)[-1] <= 30


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_says_what_it_is_for(path):
    assert len(ast.get_docstring(parsed(path)) or "") > 20


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_public_name_has_a_docstring(path):
    named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    public = [node for node in parsed(path).body if isinstance(node, named) and not node.name.startswith("_")]
    assert [node.name for node in public if not ast.get_docstring(node)] == []


def test_the_project_speaks_of_itself_alone():
    """No machine's paths and no package index in anything that is committed."""
    root = PACKAGE.parent
    listed = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    words = ("/wor" + "k/", "/ro" + "ot/", "pypi" + ".org", "files.pythonh" + "osted")
    texts = [
        root / name
        for name in listed.stdout.split("\n")
        if name.endswith((".py", ".md", ".toml", ".txt", "run"))
    ]
    found = [
        (str(path), word) for path in texts if path.exists() for word in words if word in path.read_text()
    ]
    assert found == []
