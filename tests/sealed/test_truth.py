"""Truth by hand: a tiny web whose every verdict can be worked out on paper."""

from datetime import date
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.model import Record
from pytest_wandr.sealed.truth import Demand, Known, Rule, deserved, squashed
from pytest_wandr.sealed.web import SealedWeb
from pytest_wandr.sealed.world import Block, Document, Entity, Outlet, PageSpec, Statement, paragraph, say

ACME, DOE = Entity("c1", "company", "Acme Tools"), Entity("p1", "person", "Jane Doe")
BIRCH = Entity("c2", "company", "Birch Tools")
HERE = Outlet("news.example", "News", "press", Statement("News"))
THERE = Outlet("blog.example", "Blog", "blog", Statement("Blog"))


def story(company=ACME, *, day="2026-03-05", extra=()):
    head = say("{c} names {p} as CEO", ("appointed", "p1", "CEO"), c=company, p=DOE, region="title")
    dateline = say("Published on {d}.", ("dated", day), d=day, region="dateline")
    return Document(head, (Block("p", (dateline,)), paragraph("Rain is expected.", *extra)))


def spec(path, draw, outlet=HERE, **more):
    return PageSpec(f"https://{outlet.host}{path}", outlet, "story", draw, Statement("More"), **more)


@pytest.fixture(scope="module")
def tiny():
    withdrawn = say("The appointment was withdrawn.", ("withdrawn",))
    return SealedWeb("tiny", 0, [
        spec("/good", story),
        spec("/late", partial(story, day="2026-05-05")),
        spec("/other", partial(story, BIRCH)),
        spec("/withdrawn", partial(story, extra=(withdrawn,))),
        spec("/german", story, lang="de"),
        spec("/copy", story, THERE),
        spec("/wall", story, serving="consent"),
        spec("/short", story, serving="redirect", target="https://news.example/good"),
    ])  # fmt: skip


KNOWN = Known(
    {"acme tools": "c1", "jane doe": "p1", "birch tools": "c2"},
    {"2026-03-05": date(2026, 3, 5), "2026-05-05": date(2026, 5, 5)},
)
DEMAND = Demand(
    (
        Rule("names", (("names", "{company}"), ("names", "{person}"))),
        Rule("role", (("appointed", "{person}", "{role}"),), among={"role": frozenset({"CEO", "CFO"})}),
        Rule("window", (("dated", "{day}"),), days={"day": (date(2026, 3, 1), date(2026, 4, 30))}),
        Rule("source", hosts=frozenset({"news.example"})),
        Rule("language", langs=frozenset({"en"})),
        Rule("standing", barred=(("withdrawn",),)),
    ),
    ("role", "day"),
    {"role_group": frozenset({"top"})},
)
HEAD, DATELINE = "Acme Tools names Jane Doe as CEO", "Published on 2026-03-05."


def verdict(tiny, path="/good", *, excerpts=(HEAD, DATELINE), item=None, answer=None, host="news.example"):
    record = Record(
        node="n",
        item={"company": "Acme Tools", "person": "Jane Doe", "role_group": "top", **(item or {})},
        url=f"https://{host}{path}",
        excerpts=excerpts,
        answer=answer if answer is not None else {"role": "CEO", "day": "2026-03-05"},
    )
    return deserved(tiny, KNOWN, DEMAND, record)


def failing(found):
    return {key for key, value in found.satisfied.items() if not value}


def test_a_good_record_is_good(tiny):
    found = verdict(tiny)
    assert (found.full, found.retrieval) == (True, True)


@pytest.mark.parametrize(
    ("path", "fails"),
    [
        ("/other", {"names"}),
        ("/withdrawn", {"standing"}),
        ("/german", {"language"}),
        ("/short", set()),
    ],
)
def test_each_page_fails_what_it_does_not_show(tiny, path, fails):
    assert failing(verdict(tiny, path)) == fails


def test_a_page_of_another_day_fails_the_window_whatever_the_record_says(tiny):
    assert failing(verdict(tiny, "/late")) == {"window"}
    late = {"role": "CEO", "day": "2026-05-05"}
    assert failing(verdict(tiny, "/late", answer=late)) == {"window"}


def test_a_copy_on_another_host_fails_the_source_alone(tiny):
    assert failing(verdict(tiny, "/copy", host="blog.example")) == {"source"}


def test_a_value_that_the_rule_does_not_allow_fails_even_when_stated(tiny):
    assert failing(verdict(tiny, answer={"role": "clerk", "day": "2026-03-05"})) == {"role"}
    assert failing(verdict(tiny, answer={"role": "CEO", "day": "some day"})) == {"window"}


def test_a_wall_shows_nothing(tiny):
    found = verdict(tiny, "/wall")
    assert not found.usable
    assert (found.full, found.retrieval) == (False, False)


def test_an_unknown_page_is_not_usable(tiny):
    assert verdict(tiny, "/nothing").full is False


@pytest.mark.parametrize("answer", [{"role": "CEO"}, {"role": "CEO", "day": " "}])
def test_a_missing_answer_is_not_clear(tiny, answer):
    found = verdict(tiny, answer=answer)
    assert not found.clear
    assert found.full is False


def test_a_foreign_label_is_not_valid_but_retrieval_stands(tiny):
    found = verdict(tiny, item={"role_group": "bottom"})
    assert (found.valid, found.retrieval, found.full) == (False, True, False)


@pytest.mark.parametrize(
    ("excerpts", "faithful"),
    [
        ((HEAD, DATELINE), True),
        ((f"{HEAD} {DATELINE}",), True),
        (("acme TOOLS names jane doe",), True),
        ((HEAD, "Published on 2026-03-06."), False),
        ((HEAD.replace("Jane", "Joan"),), False),
        ((f"{DATELINE} {HEAD}",), False),
        (("...",), False),
        ((), False),
    ],
)
def test_an_excerpt_is_faithful_when_its_words_run_like_that_on_the_page(tiny, excerpts, faithful):
    assert verdict(tiny, excerpts=excerpts).faithful is faithful


def test_excerpts_support_what_they_quote_in_full(tiny):
    assert verdict(tiny, excerpts=(HEAD,)).supported["window"] is False
    assert verdict(tiny, excerpts=(DATELINE,)).supported["names"] is False
    assert verdict(tiny, excerpts=(DATELINE,)).supported["window"] is True


def test_what_a_cut_statement_still_states_is_left_open(tiny):
    cut = verdict(tiny, excerpts=("names Jane Doe as CEO", DATELINE))
    assert cut.faithful
    assert cut.supported["names"] is None
    assert cut.supported["window"] is True
    assert cut.full is None


def test_what_an_altered_excerpt_states_is_left_open_but_the_record_is_false(tiny):
    altered = verdict(tiny, excerpts=("Acme Tools names Jane Dow as CEO", DATELINE))
    assert altered.supported["role"] is None
    assert altered.full is False


PIECES = (HEAD, DATELINE, "Rain is expected.", "The appointment was withdrawn.", "News", "More")


@given(st.lists(st.sampled_from(PIECES), max_size=6), st.sampled_from(PIECES))
def test_another_whole_statement_never_takes_support_away(tiny, excerpts, more):
    found, richer = verdict(tiny, excerpts=excerpts), verdict(tiny, excerpts=[*excerpts, more])
    for rule in ("names", "role", "window", "source", "language"):
        if richer.faithful:
            assert not (found.supported[rule] is True and richer.supported[rule] is not True)


@given(
    st.sampled_from(["/good", "/late", "/other", "/withdrawn", "/german", "/wall", "/short", "/nothing"]),
    st.lists(st.sampled_from(PIECES), max_size=4),
    st.sampled_from(["Acme Tools", "Birch Tools", "Nobody", ""]),
    st.sampled_from(["CEO", "clerk", ""]),
)
def test_full_includes_retrieval_and_everything_else(tiny, path, excerpts, company, role):
    answer = {"role": role, "day": "2026-03-05"}
    found = verdict(tiny, path, excerpts=excerpts, item={"company": company}, answer=answer)
    if found.full:
        assert found.retrieval
        assert found.usable
        assert found.clear
        assert found.faithful
        assert found.valid
        assert all(found.satisfied.values())
        assert all(found.supported.values())
    if not found.retrieval:
        assert found.full is False


def test_an_excerpt_that_was_altered_at_both_ends_is_left_open_too(tiny):
    altered = verdict(tiny, excerpts=("Some Tools names Jane Doe as chief", DATELINE))
    assert not altered.faithful
    assert altered.supported["names"] is None


def test_a_host_is_below_another_by_whole_labels(tiny):
    rule = Rule("source", hosts=frozenset({"example"}))
    assert verdict_of(tiny, rule)["source"]
    assert not verdict_of(tiny, rule._replace(hosts=frozenset({"ws.example"})))["source"]


def verdict_of(tiny, rule):
    record = Record(node="n", item={}, url="https://news.example/good")
    return deserved(tiny, KNOWN, Demand((rule,)), record).satisfied


def test_squashing_keeps_letters_and_digits_alone():
    assert squashed("Straße 5 – “Ok”, No. 7!") == "strasse5okno7"
