"""On which line does a TOML value stand? Checked against texts whose lines are known by construction."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.task.positions import positions


def test_every_value_is_found_on_its_line():
    text = (
        'a = 1 # ] } "\n'
        "\"b c\".'d' = [ # [\n"
        '  1, "x # ]",   # , 9\n'
        '  { e = "}", f.g = [\n'
        "     2, 3] },\n"
        '  """\nmulti ] "" line\n""", \'\'\'lit\n\'\'\'\n'
        "]\n"
        "when = 2026-03-01 10:00:00Z\n"
        "[t . u]\n"
        "h = 'x\\'\n"
        "[[n]]\n"
        "k = [[1,\n"
        "  2]]\n"
        "[[n.m]]\n"
        "z = {}\n"
        "[[n]]\n"
        "[[n.m]]\n"
        "[n.o]\n"
        "p = true"
    )
    tomllib.loads(text)
    at = ("b c", "d")
    expected = {
        (): 1,
        ("a",): 1,
        ("b c",): 2,
        at: 2,
        (*at, 0): 3,
        (*at, 1): 3,
        (*at, 2): 4,
        (*at, 2, "e"): 4,
        (*at, 2, "f"): 4,
        (*at, 2, "f", "g"): 4,
        (*at, 2, "f", "g", 0): 5,
        (*at, 2, "f", "g", 1): 5,
        (*at, 3): 6,
        (*at, 4): 8,
        ("when",): 11,
        ("t",): 12,
        ("t", "u"): 12,
        ("t", "u", "h"): 13,
        ("n",): 14,
        ("n", 0): 14,
        ("n", 0, "k"): 15,
        ("n", 0, "k", 0): 15,
        ("n", 0, "k", 0, 0): 15,
        ("n", 0, "k", 0, 1): 16,
        ("n", 0, "m"): 17,
        ("n", 0, "m", 0): 17,
        ("n", 0, "m", 0, "z"): 18,
        ("n", 1): 19,
        ("n", 1, "m"): 20,
        ("n", 1, "m", 0): 20,
        ("n", 1, "o"): 21,
        ("n", 1, "o", "p"): 22,
    }
    assert positions(text) == expected


@pytest.mark.parametrize("text", ["", "# only a comment", "\n\n\n", "a=1", "a=1\r\nb=2\r\n"])
def test_small_texts(text):
    assert set(positions(text)) == {(), *((key,) for key in tomllib.loads(text))}


def test_an_escaped_key_has_its_meaning():
    assert positions('"caf\\u00e9 \\"x\\"" = 1') == {(): 1, ('café "x"',): 1}


SCALARS = st.sampled_from(
    [
        "1",
        "-2.5e3",
        "true",
        "2026-03-01",
        "2026-03-01 10:00:00Z",
        "10:00:00",
        "nan",
        '"a"',
        "'b'",
        '"x]#}"',
        "'[#'",
        '"""m\n]\n"""',
        "'''\n}'''",
        '"\\\\"',
        '""',
        "''",
        '""""q""""',
        "[]",
        "{}",
        "[ # ]\n ]",
    ]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: "[\n" + " ,# c\n".join(parts) + "\n]"),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda parts: "{ " + ", ".join(f"k{i} . x = {part}" for i, part in enumerate(parts)) + " }"
        ),
    ),
    max_leaves=8,
)


def paths(value, path=()):
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from paths(inner, (*path, index))


@given(st.lists(VALUES, max_size=4))
def test_every_path_of_a_document_has_a_line_in_reading_order(values):
    text = "".join(f"[[t]] # {i}\na{i} = {value}\n" for i, value in enumerate(values))
    found = positions(text)
    assert set(found) == set(paths(tomllib.loads(text)))
    for path, line in found.items():
        assert found[path[:-1]] <= line <= text.count("\n") + 1
    for index in range(len(values)):
        assert text.split("\n")[found[("t", index)] - 1] == f"[[t]] # {index}"
        assert text.split("\n")[found[("t", index, f"a{index}")] - 1].startswith(f"a{index} = ")
