"""What is sent of a long page: what can decide, then its beginning, within the budget, in page order."""

from hypothesis import given
from hypothesis import strategies as st
from judge_fakes import AUTHORITY, EXCERPT, PAGE, ROLE, node_of, question

from pytest_wandr.judges.llm.cleaning import cleaned, estimated_tokens
from pytest_wandr.judges.llm.passages import passages_of
from pytest_wandr.judges.llm.sheets import sheet_of
from pytest_wandr.model import DateIn, HostIs, KeySpec, NumberIn, RequirementSpec

FILLER = [f"Paragraph {at} speaks of weather, bread and the opening of a road." for at in range(600)]
TITLE = "The title of the page"


def long_page(*wanted, at=300):
    return "\n".join([TITLE, *FILLER[:at], *wanted, *FILLER[at:]])


def sent(page, budget=400, **more):
    return passages_of(sheet_of(page), question(page=page, **more), budget)


def test_a_page_within_the_budget_is_sent_whole():
    found = sent(PAGE)
    assert found.texts == (PAGE,)
    assert found.left_out == ""
    assert found.whole
    assert sent("").texts == ()


def test_the_passage_of_an_excerpt_is_sent_with_what_stands_around_it():
    found = sent(long_page(EXCERPT))
    (around,) = [text for text in found.texts if EXCERPT in text]
    assert FILLER[299] in around
    assert FILLER[300] in around
    assert not found.whole


def test_what_was_left_out_is_said():
    page = long_page(EXCERPT)
    found = sent(page)
    missing = len(page) - sum(map(len, found.texts))
    assert found.left_out == f"{missing} of {len(page)} characters of the page's text are not shown"


def test_passages_come_in_page_order_and_begin_with_the_title():
    found = sent(long_page(EXCERPT))
    assert found.texts[0].startswith(TITLE)
    assert FILLER[0] in found.texts[0]
    assert EXCERPT in found.texts[1]


def test_every_excerpt_is_found_also_in_pieces_and_in_other_typography():
    first = "Mira Solberg starts in spring at the head office."
    second = "The “chair” thanked her — warmly — on 3 March."
    page = "\n".join([TITLE, *FILLER[:100], first, *FILLER[100:400], second, *FILLER[400:]])
    for excerpts in (
        [first, second],
        [f"{first} ... {second}"],
        [f"{first}\n{second}"],
        [f"**{first}**", 'the "chair" thanked her - warmly'],
    ):
        joined = "\n".join(sent(page, excerpts=excerpts).texts)
        assert first in joined, excerpts
        assert second in joined, excerpts


def test_an_excerpt_over_several_lines_is_sent_whole():
    lines = [f"Row {at} | {at * 7} | open" for at in range(20)]
    found = sent(long_page(*lines), excerpts=["\n".join(lines)], budget=600)
    assert "\n".join(lines) in "".join(found.texts)


def test_pieces_that_name_the_item_are_sent_before_the_beginning():
    naming = "In May, Birch Lane Foods plc opened a third bakery."
    found = sent(long_page(naming), excerpts=[])
    assert any(naming in text for text in found.texts)


def test_other_spellings_of_the_item_are_found():
    aliases = {"Birch Lane Foods": ("Birkegade Brod",)}
    key = KeySpec(name="company", kind="company", required=1, aliases=aliases)
    node = node_of(AUTHORITY, keys=(key, KeySpec(name="url", required=1)))
    naming = "BIRKEGADE BROD sells rye."
    assert any(naming in text for text in sent(long_page(naming), excerpts=[], node=node).texts)


def test_values_on_which_a_check_holds_are_found_in_any_notation():
    node = node_of(
        RequirementSpec(id="when", text="Says when.", check=DateIn(date="on")),
        RequirementSpec(id="how", text="Says how much.", check=NumberIn(number="fee")),
        RequirementSpec(id="where", text="Here.", check=HostIs(host=("wire.example",))),
        answer=("on", "fee"),
    )
    when, how = "It was the 9th of June 2026.", "They ask for 1,234.50 crowns."
    page = "\n".join([TITLE, *FILLER[:200], when, *FILLER[200:400], how, *FILLER[400:]])
    found = sent(page, node=node, excerpts=[], answer={"on": "2026-06-09", "fee": 1234.5})
    assert any(when in text for text in found.texts)
    assert any(how in text for text in found.texts)


def test_answers_without_a_check_are_found_as_they_are_written():
    saying = "She is Head of Ovens now."
    found = sent(long_page(saying), excerpts=[], answer={"role": "Head of Ovens"})
    assert any(saying in text for text in found.texts)


def test_pieces_with_most_of_it_come_first():
    node = node_of(ROLE)
    weak = [f"Birch Lane Foods was mentioned for the {at}th time." for at in range(200)]
    strong = "Birch Lane Foods has a new chief financial officer."
    page = "\n".join([TITLE, *weak, *FILLER, strong])
    assert any(strong in text for text in sent(page, node=node, excerpts=[]).texts)


def test_a_line_without_end_is_cut_at_sentences():
    page = " ".join([*FILLER[:200], EXCERPT, *FILLER[200:]])
    found = sent(page)
    assert any(EXCERPT in text for text in found.texts)
    assert all(text.strip()[-1] in ".!" for text in found.texts)


TEXT = st.text(st.sampled_from("ab é漢.\n <&🙂"), max_size=60)


@given(st.lists(TEXT, max_size=60), st.integers(5, 300), st.integers(0, 59))
def test_passages_are_pieces_of_the_page_in_order_within_the_budget(texts, budget, which):
    page = cleaned("".join(texts))
    excerpt = texts[which] if which < len(texts) else "nowhere"
    found = sent(page, budget=budget, excerpts=[excerpt])
    at = 0
    for text in found.texts:
        assert text
        at = page.index(text, at) + len(text)
    assert sum(map(estimated_tokens, found.texts)) <= budget
    assert found.whole == ("".join(found.texts) == page)
    assert found == sent(page, budget=budget, excerpts=[excerpt])
