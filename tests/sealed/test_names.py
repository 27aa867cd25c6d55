"""Names are invented, unlike each other, and not known to the lists at hand."""

import json
import os
import re
from itertools import combinations
from pathlib import Path

import pytest

from pytest_wandr.identity import compare
from pytest_wandr.sealed.names import bank, persons, slug
from pytest_wandr.sealed.prose import sections
from pytest_wandr.sealed.rng import Rng

SHARED = Path(os.environ.get("WANDR_SHARED", Path(__file__).parents[3] / "shared"))


def test_slices_of_the_bank_never_overlap():
    assert not set(bank("company", 0, 50)) & set(bank("company", 50, 50))


def test_a_bank_that_is_too_small_says_so():
    with pytest.raises(ValueError, match="holds no 5 names of kind town"):
        bank("town", 10_000, 5)


def test_persons_have_surnames_of_their_own():
    people = persons(Rng("people"), 0, 200)
    assert len({name.split()[1] for name in people}) == 200


@pytest.mark.parametrize("kind", ["company", "surname", "town", "product"])
def test_names_of_a_kind_never_share_their_consonants(kind):
    skeletons = [re.sub("[aeiouy]", "", name.lower()) for name in sections("names.txt")[kind]]
    assert len(set(skeletons)) == len(skeletons)


def test_no_name_is_a_word_of_the_lists_at_hand():
    folder = SHARED / "identity_data"
    if not folder.is_dir():
        pytest.skip("no lists at hand: set WANDR_SHARED")
    known = {word for path in folder.iterdir() for word in re.findall(r"[a-z]{4,}", path.read_text().lower())}
    names = [name.lower() for kind in sections("names.txt").values() for name in kind]
    assert [name for name in names if name in known] == []


def entities(library):
    world = library.world
    yield "company", [event.company.name for event in world.events]
    yield "company", list(dict.fromkeys(product.maker.name for product in world.products))
    yield "person", [one.name for event in world.events for one in (event.person, event.before)]
    yield "place", [town.place.name for town in world.towns]
    yield "product", [product.item.name for product in world.products]
    yield "id", [lot for product in world.products for lot in product.lots]


def test_no_two_entities_of_a_world_are_the_same_not_even_namesakes(library):
    for kind, names in entities(library):
        assert len(set(names)) == len(names)
        for a, b in combinations(names, 2):
            assert compare(kind, a, b) != "same", (kind, a, b)


def test_near_namesakes_are_where_the_plan_puts_them(library):
    stems = [event.company.name.split()[0] for event in library.world.events]
    assert sum(stems.count(stem) == 2 for stem in set(stems)) == 5
    towns = [town.place.name.split()[-1] for town in library.world.towns]
    assert sum(towns.count(name) == 2 for name in set(towns)) == 3
    products = [product.item.name.split()[0] for product in library.world.products]
    assert sum(products.count(stem) == 2 for stem in set(products)) == 4


def test_tickers_and_lots_are_unique_and_no_name(library):
    tickers = [event.ticker for event in library.world.events]
    assert len(set(tickers)) == len(tickers)
    prints = [product.misprint for product in library.world.products if product.misprint]
    lots = {lot for product in library.world.products for lot in product.lots}
    assert len(prints) >= 3
    assert not lots & set(prints)


def test_a_slug_is_fit_for_a_path():
    assert slug("Böhm & Sons (No. 2)") == "böhm-sons-no-2"
    assert json.dumps(slug("Upper Stipstead")) == '"upper-stipstead"'
