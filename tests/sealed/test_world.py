"""What is said is what is stated: facts come with the text, and only for what the text holds."""

from datetime import date

import pytest

from pytest_wandr.sealed.dates import later, written
from pytest_wandr.sealed.world import Block, Document, Entity, Statement, paragraph, row, say

ACME = Entity("company-1", "company", "Acme Tools")


def test_an_entity_that_fills_a_hole_is_named():
    said = say("{c} has moved.", c=ACME)
    assert said.text == "Acme Tools has moved."
    assert said.facts == {("names", "company-1")}


def test_an_entity_without_a_hole_is_not_named():
    assert say("Somebody has moved.", c=ACME).facts == frozenset()


def test_another_name_is_the_same_entity():
    said = say("{c} has moved.", c=ACME.called("Acme Tools Inc."))
    assert said.text == "Acme Tools Inc. has moved."
    assert said.facts == {("names", "company-1")}


def test_a_plain_value_names_nobody():
    assert say("{t} has moved.", t="ACTO").facts == frozenset()


def test_further_facts_are_added():
    assert ("dated", "2026-03-01") in say("On {d}.", ("dated", "2026-03-01"), d="2026-03-01").facts


def test_a_sentence_begins_with_a_capital_letter():
    assert say("{t} rises", t="tide").text == "Tide rises"


def test_a_row_joins_its_cells_and_their_facts():
    said = row("Company", ACME, facts=[("listed", "company-1")])
    assert (said.text, said.region) == ("Company | Acme Tools", "table")
    assert said.facts == {("names", "company-1"), ("listed", "company-1")}


def test_a_paragraph_takes_plain_text():
    assert paragraph("Rain.", Statement("Wind.")).parts == (Statement("Rain."), Statement("Wind."))


def test_a_document_lists_all_that_it_says():
    head, body, meta = Statement("Head"), Statement("Body"), Statement("Meta")
    assert list(Document(head, (Block("p", (body,)),), meta).statements()) == [head, body, meta]


@pytest.mark.parametrize(
    ("style", "text"),
    [("dmy", "1 March 2026"), ("mdy", "March 1, 2026"), ("de", "1. März 2026"), ("iso", "2026-03-01")],
)
def test_days_are_written_without_a_locale(style, text):
    assert written(date(2026, 3, 1), style) == text


def test_days_are_counted_over_the_end_of_a_month():
    assert later(date(2026, 2, 27), 3) == date(2026, 3, 2)
