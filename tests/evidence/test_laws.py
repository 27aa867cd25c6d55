"""Laws of excerpt matching, on generated pages."""

import html
import unicodedata

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_wandr.evidence import find_excerpt, limits, read_page

WORD = st.sampled_from(
    [
        "harbour",
        "pier",
        "Lund",
        "Pell",
        "café",
        "rope",
        "crowns",
        "1060",
        "3.5",
        "12",
        "mayor",
        "said",
        "built",
        "över",
        "straße",
        "2021",
        "town",
        "hall",
        "weeks",
        "Über",
        "öfter",
        "naïve",
        "river",
        "cost",
        "40%",
        "$25",
        "old-fashioned",
        "(re)opened",
        "O'Brien",
    ]
)
BLOCK = st.lists(WORD, min_size=4, max_size=30).map(" ".join)
PAGE = st.lists(BLOCK, min_size=1, max_size=4)


def page_of(blocks):
    return read_page(
        "".join(f"<p>{html.escape(block)}</p>" for block in blocks).encode(), media_type="text/html"
    )


@st.composite
def runs(draw):
    """A page, and a run of at least four whole words of one of its blocks."""
    blocks = draw(PAGE)
    words = draw(st.sampled_from(blocks)).split(" ")
    start = draw(st.integers(0, len(words) - 4))
    end = draw(st.integers(start + 4, len(words)))
    return page_of(blocks), words[start:end]


@given(runs())
def test_every_run_of_whole_words_is_faithful(run):
    page, words = run
    match = find_excerpt(page, " ".join(words))
    assert match.faithful, match.explain()


REWRITES = {
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "curly": lambda text: text.replace("'", "’").replace('"', "“"),
    "dashes": lambda text: text.replace("-", "\u2011"),
    "soft hyphens": lambda text: text.replace("arb", "ar\u00adb").replace("iv", "i\u00adv"),
    "one word a line": lambda text: text.replace(" ", "\n"),
    "bold": lambda text: f"**{text}**",
    "quoted": lambda text: f"> {text}",
    "upper case": lambda text: text.upper(),
    "no-break spaces": lambda text: text.replace(" ", "\u00a0"),
    "tagged": lambda text: f"<em>{text}</em>",
    "heading": lambda text: f"### {text}",
}


@given(runs(), st.sampled_from(sorted(REWRITES)))
def test_the_verdict_survives_another_rendering(run, name):
    page, words = run
    match = find_excerpt(page, REWRITES[name](" ".join(words)))
    assert match.faithful, match.explain()


@given(runs(), st.data())
def test_a_changed_digit_is_unfaithful(run, data):
    page, words = run
    text = " ".join(words)
    places = [at for at, char in enumerate(text) if char.isdigit()]
    assume(places)
    at = data.draw(st.sampled_from(places))
    digit = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != text[at]]))
    changed = text[:at] + digit + text[at + 1 :]
    assert not find_excerpt(page, changed).faithful


@given(runs(), st.data())
def test_an_inserted_word_is_unfaithful(run, data):
    page, words = run
    at = data.draw(st.integers(1, len(words) - 1))
    assert not find_excerpt(page, " ".join([*words[:at], "zeppelin", *words[at:]])).faithful


@given(runs(), st.data())
def test_an_inserted_negation_is_unfaithful(run, data):
    page, words = run
    at = data.draw(st.integers(1, len(words) - 1))
    negation = data.draw(st.sampled_from(["not", "never", "nicht", "pas", "не", "no"]))
    assert not find_excerpt(page, " ".join([*words[:at], negation, *words[at:]])).faithful


@given(runs(), st.integers(0, 1))
def test_a_cut_word_is_unfaithful(run, end):
    page, words = run
    assume(words[-end].isalpha() and len(words[-end]) > 3)
    text = " ".join(words)
    cut = text[:-2] if end else text[2:]
    assume(cut.casefold() not in page.text.casefold().split())
    word = (words[-1][:-2] if end else words[0][2:]).casefold()
    assume(word not in {piece.casefold() for piece in page.text.split()})
    assert not find_excerpt(page, cut).faithful


@given(
    st.lists(
        st.lists(st.sampled_from(["", "Pell", "Orrin", "29", "5.5", "7 kg", "yes"]), min_size=3, max_size=3),
        min_size=1,
        max_size=4,
    )
)
def test_every_rendering_of_a_table_is_faithful(rows):
    assume(all(any(row) for row in rows))
    cells = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    page = read_page(f"<table>{cells}</table>".encode(), media_type="text/html")
    for line in rows:
        assert find_excerpt(page, "| " + " | ".join(line) + " |").faithful
    for joint in (" | ", "\t", " "):
        text = "\n".join(joint.join(row) for row in rows)
        assert find_excerpt(page, text).faithful, find_excerpt(page, text).explain()


@given(st.permutations(["Alpha", "Beta", "", "Gamma", "17"]), st.permutations([0, 1, 2, 3, 4]))
def test_a_row_with_its_cells_in_another_order_is_unfaithful(row, order):
    moved = [row[at] for at in order]
    page = read_page(
        ("<table><tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr></table>").encode(),
        media_type="text/html",
    )
    for line in ("| " + " | ".join(moved) + " |", "\t".join(moved)):
        assert find_excerpt(page, line).faithful is (moved == list(row)), line


@given(st.text(max_size=400), st.text(max_size=400))
@settings(max_examples=2000)
def test_matching_never_raises(body, excerpt):
    match = find_excerpt(read_page(body.encode("utf-8", "replace"), media_type="text/html"), excerpt)
    assert match.explain()
    assert match.faithful is bool(match.how)


@given(st.text(alphabet="[]()*_`~#>|\\!&;<. \n-…\t,ab1", max_size=2_000))
def test_no_mixture_of_marks_raises(excerpt):
    page = page_of(["a b 1 ab ba"])
    assert isinstance(find_excerpt(page, excerpt[: limits.MAX_EXCERPT_CHARS]).explain(), str)
