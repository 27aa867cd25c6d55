"""The recorded pages as a system sees them: readable, linked, searchable, repeatable."""

from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.systems.corpus import Corpus, _rarity
from tests.systems.conftest import FakeStore


def test_a_page_has_title_blocks_and_absolute_links(ctx):
    page = ctx.corpus.page("https://rail.example/board")
    assert page.title == "Board of Tamarind Rail"
    assert page.links == ("https://rail.example/next",)
    assert "Board" in page.blocks


def test_an_unreadable_or_unrecorded_page_is_none_and_is_not_listed(ctx):
    assert ctx.corpus.page("https://rail.example/empty") is None
    assert ctx.corpus.page("https://elsewhere.example/") is None
    assert [page.url for page in ctx.corpus.pages()] == [
        "https://rail.example/board",
        "https://rail.example/news",
    ]


def test_search_ranks_by_words_and_shows_the_best_passage(ctx):
    hits = ctx.corpus.search("who opened the depot of Tamarind")
    assert hits[0].url == "https://rail.example/news"
    assert hits[0].snippet == "Tamarind Rail opened a depot."
    assert ctx.corpus.search("zebra") == ()
    assert len(ctx.corpus.search("tamarind rail", limit=1)) == 1


def test_search_does_not_depend_on_the_order_of_the_store():
    bodies = {f"https://s.example/{n}": f"<p>common word{n % 3} page {n}</p>".encode() for n in range(12)}
    shuffled = dict(sorted(bodies.items(), key=lambda pair: pair[0][::-1]))
    queries = ("common", "word1 page", "word2")
    assert [Corpus(FakeStore(bodies)).search(q) for q in queries] == [
        Corpus(FakeStore(shuffled)).search(q) for q in queries
    ]


@given(st.integers(1, 10**6), st.data())
def test_rarer_words_weigh_at_least_as_much(pages, data):
    common = data.draw(st.integers(1, pages))
    rare = data.draw(st.integers(1, common))
    assert _rarity(pages, rare) >= _rarity(pages, common) >= 1
