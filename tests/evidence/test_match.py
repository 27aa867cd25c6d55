"""How a verdict is explained: how, where, why not, and what comes closest."""

import pytest

from pytest_wandr.evidence import find_excerpt, read_page

BODY = (
    "<html><head><title>Harbour news</title></head><body><h1>Pier reopens</h1>"
    "<p>The pier of Pell reopened on 3 May 2021 after repairs of 1.5 million crowns.</p>"
    "<p>Mayor Rosa Quintela did not attend the ceremony, said the harbour office.</p>"
    "<p>It has 5,000<sup>[3]</sup> visitors a day; cafés à la carte ouvrent bientôt près du môle.</p>"
    "<ol><li>Ticket office</li><li>Sea view hall</li></ol></body></html>"
)
PAGE = read_page(BODY.encode(), media_type="text/html", url="https://pell.example/")


@pytest.mark.parametrize(
    ("excerpt", "how", "where"),
    [
        ("The pier of Pell reopened on 3 May 2021", "contiguous", "reading"),
        ("**The pier** of Pell reopened", "contiguous", "reading"),
        ("2. Sea view hall", "contiguous", "full"),
        ("The pier of Pell ... 1.5 million crowns", "elided", "reading"),
        ("Pier reopens\nMayor Rosa Quintela did not attend", "lines", "reading"),
        ("cafes a la carte ouvrent bientot pres du mole", "accents_folded", "reading"),
        ("Harbour news", "hidden", "hidden"),
    ],
)
def test_a_faithful_excerpt_says_how_and_where(excerpt, how, where):
    match = find_excerpt(PAGE, excerpt)
    assert (match.faithful, match.how, match.where, match.reason) == (True, how, where, "")
    assert match.nearest == ""
    assert match.explain().startswith("the excerpt is on the page")
    assert where in match.explain()


@pytest.mark.parametrize(
    ("excerpt", "reason"),
    [
        ("The pier of Orrin reopened on Monday", "absent"),
        ("The pier of Pell reopened on 3 May 2022", "absent"),
        ("ier of Pell reopened", "border"),
        ("repairs of 1.5 million crowns ... The pier of Pell reopened", "out_of_order"),
        ("Mayor Rosa Quintela did ... attend the ceremony", "negation_elided"),
        ("Mayor Rosa ... office", "segment_too_short"),
        ("The pier of Pell\nafter repairs of 1.5 million", "stitched_gap"),
        (".", "no_text"), ("", "no_text"), ("x", "segment_too_short"),
    ],
)  # fmt: skip
def test_an_unfaithful_excerpt_says_why(excerpt, reason):
    match = find_excerpt(PAGE, excerpt)
    assert (match.faithful, match.how, match.where, match.reason) == (False, "", "", reason)
    assert f"({reason})" in match.explain()


def test_table_faults_have_a_reason_of_their_own():
    page = read_page(b"<table><tr><td>Pro</td><td>29 EUR</td><td>5</td></tr></table>", media_type="text/html")
    match = find_excerpt(page, "| Pro | 29 EUR | | 5 |")
    assert match.reason == "table_cells"
    assert "cells of a table" in match.explain()


def test_the_nearest_passage_shows_where_page_and_excerpt_part():
    match = find_excerpt(PAGE, "The pier of Pell reopened on 3 May 2022 after repairs.")
    assert "The pier of Pell reopened on 3 May >> 2021 after repairs" in match.nearest
    assert match.nearest in match.explain()


def test_nothing_near_is_shown_for_an_invented_excerpt():
    match = find_excerpt(PAGE, "Quantum zebras sang loudly")
    assert match.nearest == ""
    assert match.explain() == "the excerpt is not on the page (absent)"


def test_the_nearest_passage_of_japanese_text_is_found():
    page = read_page("<p>市立博物館は来春に写本を公開する予定です。</p>".encode(), media_type="text/html")
    assert ">>" in find_excerpt(page, "市立博物館は来春に絵画を公開する予定です。").nearest


def test_an_excerpt_with_markdown_is_compared_without_it_for_the_nearest_passage():
    assert "2021" in find_excerpt(PAGE, "**The pier** of Pell reopened on 3 May 2022").nearest


def test_the_same_question_gives_the_same_answer():
    answers = {find_excerpt(PAGE, "Mayor Rosa Quintela did attend").explain() for _ in range(3)}
    assert len(answers) == 1


def test_a_match_prints_its_verdict():
    assert (
        repr(find_excerpt(PAGE, "Pier reopens")) == "ExcerptMatch(faithful=True, how='contiguous', reason='')"
    )
    assert repr(PAGE) == f"PageText(html, {len(BODY.encode())} bytes, 'https://pell.example/')"


def test_a_later_good_occurrence_is_found_behind_many_bad_ones():
    page = read_page(("<p>" + "uncertified " * 300 + "</p><p>certified</p>").encode(), media_type="text/html")
    assert find_excerpt(page, "certified").faithful
