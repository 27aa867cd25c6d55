"""Nothing holds by chance: worlds from other seeds keep the same promises."""

from collections import Counter
from itertools import islice

import pytest

from pytest_wandr.sealed.demo.catalog import catalog
from pytest_wandr.sealed.demo.prove import Library, proofs
from pytest_wandr.sealed.plan import plan
from pytest_wandr.sealed.web import SealedWeb

SEEDS = ("other-1", "other-2", "other-3", "other-4")


@pytest.fixture(scope="module", params=SEEDS)
def other(request):
    return Library(SealedWeb(request.param, 0, plan(request.param).pages))


def test_every_seed_gives_another_world(web):
    digests = {SealedWeb(seed, 0, plan(seed).pages).digest for seed in SEEDS[:2]}
    assert len(digests | {web.digest}) == 3


def test_every_claim_of_the_oracle_can_be_proven(other):
    for task in catalog(other):
        for node in task.nodes:
            for claim in node.claims:
                assert len(list(islice(proofs(other, node, claim), node.pages))) == node.pages, claim.item


def test_every_kind_of_mess_is_there(other, web):
    kinds = Counter(mess for spec in other.web for mess in spec.mess)
    assert kinds.keys() == {mess for spec in web for mess in spec.mess}
    assert min(kinds.values()) >= 3


def test_the_classes_of_events_are_a_quota(other):
    classes = Counter(event.klass for event in other.world.events)
    assert classes == Counter(event.klass for event in plan("demo-1").events)


def test_a_district_does_not_touch_another(other):
    """A page moves no other: districts planned by themselves give the same pages."""
    by_itself = SealedWeb("part", 0, [spec for spec in other.web if spec.district.endswith("/recalls")])
    for url in list(by_itself.specs)[::11]:
        assert by_itself.answer(url) == other.web.answer(url)
