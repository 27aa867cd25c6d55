"""Draws are integers, keyed by names, and one decision never moves another."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.sealed.rng import Rng


def test_a_stream_is_frozen_for_ever():
    rng = Rng("golden", 7)
    assert [rng.below(1000) for _ in range(8)] == [904, 498, 921, 374, 662, 120, 215, 995]


def test_a_sub_stream_does_not_depend_on_what_was_drawn_before():
    fresh, used = Rng("a"), Rng("a")
    for _ in range(50):
        used.below(10)
    assert [fresh.sub("b").below(10**6)] == [used.sub("b").below(10**6)]


def test_a_sub_stream_depends_on_the_whole_path():
    assert Rng("a").sub("x").below(2**31) != Rng("b").sub("x").below(2**31)


def test_names_are_parted_so_that_two_paths_never_run_together():
    assert Rng("ab", "c").below(2**31) != Rng("a", "bc").below(2**31)


@given(st.integers(1, 10**6), st.integers(0, 10**9))
def test_a_draw_is_below_its_bound(bound, seed):
    assert 0 <= Rng(seed).below(bound) < bound


@given(st.lists(st.integers(), max_size=40), st.integers(0, 10**6))
def test_a_shuffle_loses_and_invents_nothing(items, seed):
    assert Counter(Rng(seed).shuffled(items)) == Counter(items)


@given(st.integers(0, 12), st.integers(0, 12))
def test_a_sample_holds_different_places(size, count):
    drawn = Rng(size, count).sample(range(size), count)
    assert len(set(drawn)) == len(drawn) == min(size, count)


def test_draws_are_even_enough():
    rng = Rng("even")
    seen = Counter(rng.below(10) for _ in range(10_000))
    assert all(850 < seen[digit] < 1150 for digit in range(10))


@pytest.mark.parametrize(("percent", "least", "most"), [(0, 0, 0), (100, 1000, 1000), (25, 200, 300)])
def test_a_chance_is_what_it_says(percent, least, most):
    rng = Rng("chance", percent)
    assert least <= sum(rng.chance(percent) for _ in range(1000)) <= most


def test_between_reaches_both_ends():
    rng = Rng("between")
    assert {rng.between(3, 5) for _ in range(100)} == {3, 4, 5}
