"""What is done by hand for speed gives what the long way gives, and refuses what the long way refuses."""

import gc
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr import items
from pytest_wandr.cassettes import urls
from pytest_wandr.errors import CassetteError
from pytest_wandr.hierarchy.paths import PathRow
from pytest_wandr.model import (
    YES,
    KeySpec,
    LedTo,
    NodeSpec,
    Part,
    PathOutcome,
    Record,
    RecordVerdict,
    RequirementVerdict,
    canonical_json,
    digest_of,
)
from pytest_wandr.records.names import fold, named
from pytest_wandr.records.plain import PlainReader
from pytest_wandr.records.shape import read_shape
from pytest_wandr.records.urls import Url, _checked, _unwrapped, plain_url
from pytest_wandr.reports.lines import score_text, verdicts_text
from pytest_wandr.score import roll_up, score_task
from pytest_wandr.verdict_lines import read_line
from pytest_wandr.verdicts import _HEAD, Basis, VerdictStore, key_maker
from tests.strategies import COSTLY, given_all, record_verdicts

TEXTS = st.text(max_size=12) | st.sampled_from(
    ['"', "\\", "a\u2028b", "\x7f", "é", "\ud800", '"page":{"digest":"', "</a>", "\n"]
)
NAMES = TEXTS.filter(lambda text: "\ud800" not in text)  # a dump spoils lone surrogates in names of members
PARTS = st.just(YES) | st.builds(
    Part, value=st.sampled_from([True, False, None]), reason=TEXTS, code=st.sampled_from(["", "absent"])
)
PAGES = st.none() | st.builds(
    LedTo, final_url=st.just("https://a.example/b") | TEXTS, digest=st.none() | st.just("0af1" * 16) | TEXTS
)
VERDICTS = record_verdicts(
    PARTS,
    st.builds(RequirementVerdict, id=TEXTS, satisfied=PARTS, supported=PARTS),
    judge=st.sampled_from(["rules", 'a "model"', ""]),
    page=PAGES,
    votes=st.dictionaries(NAMES, st.lists(st.sampled_from([True, False, None])).map(tuple), max_size=2),
)
WHERE = Path("verdicts.jsonl")
KEY = "0123456789abcdef" * 4


def stored(tmp: Path, verdict: RecordVerdict) -> bytes:
    """The line that a store writes for a verdict."""
    store = VerdictStore(tmp / "none" / "verdicts.jsonl")
    store.put(KEY, verdict, Basis("rules", "r" * 64, "c" * 64, "p" * 64).made())
    return store._lines[KEY]


def read(tmp: Path, line: bytes) -> RecordVerdict:
    """The verdict of a line, as a store that was opened on it reads it."""
    store = VerdictStore(tmp / "none" / "verdicts.jsonl", lambda: line)
    return store.get(next(iter(store._lines)))


@COSTLY
@given(VERDICTS)
def test_a_stored_verdict_reads_the_same_the_short_way(tmp_path_factory, verdict):
    tmp = tmp_path_factory.getbasetemp()
    line = stored(tmp, verdict)
    found = read(tmp, line)
    assert found == read_line(line, WHERE).verdict == verdict
    assert found.model_dump() == verdict.model_dump()
    assert list(vars(found)) == list(RecordVerdict.model_fields)


@COSTLY
@given(VERDICTS, VERDICTS, PAGES)
def test_verdicts_that_share_a_text_do_not_share_their_page(tmp_path_factory, first, second, page):
    store = VerdictStore(tmp_path_factory.getbasetemp() / "none" / "verdicts.jsonl")
    given_ = {f"{at:064x}": verdict for at, verdict in enumerate(
        [first, second, first.model_copy(update={"page": page})]
    )}  # fmt: skip
    for key, verdict in given_.items():
        store.put(key, verdict, Basis("rules", "r", "c", "p").made())
    assert {key: store.get(key) for key in given_} == given_


PLAIN_VERDICT = RecordVerdict.of(full=False, page=LedTo(final_url="https://a.example/b", digest="0af1" * 16))


def test_of_a_page_that_is_told_twice_the_last_counts_whatever_was_read_before(tmp_path):
    line = stored(tmp_path, PLAIN_VERDICT)
    reader = VerdictStore(tmp_path / "none" / "verdicts.jsonl")._reader
    usable = b'},"page_content_usable":{"value":true},'
    for digest, url in ((b"0af1" * 16, b"https://a.example/b"), (b"e" * 64, b"https://c.example/")):
        told = b'"page":{"digest":"%s","final_url":"%s"%s' % (digest, url, usable)
        twice = line.replace(b'"page":{', told + b'"page":{', 1)
        assert reader.verdict(twice) == read_line(twice, WHERE).verdict == PLAIN_VERDICT


def test_a_row_has_the_fields_of_its_type():
    assert PathRow._fields == tuple(PathOutcome.model_fields)
    defaults = {
        name: field.default for name, field in PathOutcome.model_fields.items() if not field.is_required()
    }
    assert PathRow._field_defaults == defaults


@given(st.data())
def test_a_damaged_line_is_refused_the_short_way_too(tmp_path_factory, data):
    tmp = tmp_path_factory.getbasetemp()
    line = stored(tmp, PLAIN_VERDICT)
    at = data.draw(st.integers(0, len(line) - 1))
    put = data.draw(st.sampled_from([b"", b"{", b"}", b'"', b",", b"\x00", b"\xff", b"1", b" ", b"null"]))
    damaged = line[:at] + put + line[at + data.draw(st.integers(0, 2)) :]
    if b"\n" in damaged:
        return
    try:
        expected = read_line(damaged, WHERE).verdict
    except CassetteError:
        expected = None
    try:
        found = read(tmp, damaged)
    except CassetteError:
        found = None
    if found is None:  # a store also refuses a line that does not begin and end as lines of a store do
        assert expected is None or _HEAD.match(damaged) is None or not damaged.endswith(b"}")
    else:
        assert found == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"value":true', b'"value":truth'),
        (b'"value":true', b'"value":3'),
        (b'"sample":0', b'"sample":01'),
        (b'"page_content_usable"', b'"page_content"'),
        (b'"checks":"1"', b'"checks":"1","checks"'),
        (b"}}}", b"}}"),
        (b"}}}", b"}}}}"),
        (b'"judge":"rules"', b'"judge":rules'),
    ],
)
def test_a_verdict_that_is_broken_names_its_file(tmp_path, old, new):
    line = stored(tmp_path, PLAIN_VERDICT)
    assert old in line
    with pytest.raises(
        CassetteError, match=r"verdicts\.jsonl.*Restore the file, or delete it to judge again"
    ):
        read(tmp_path, line.replace(old, new, 1))


@given(TEXTS, TEXTS, st.integers(0, 3), st.sampled_from(["1", "2", "é"]))
def test_keys_made_in_bulk_are_the_keys(judge, requirements, sample, version):
    make = key_maker(Basis(judge, requirements, "", "", sample, version, version, version))
    for record, page in (("a" * 64, "b" * 64), ("c", "d"), ("", "")):
        assert (
            make(record, page)
            == Basis(judge, requirements, record, page, sample, version, version, version).key
        )


ANSWERS = st.dictionaries(
    NAMES, st.none() | st.booleans() | st.integers() | TEXTS | st.lists(TEXTS), max_size=3
)
RECORDS = st.builds(
    Record,
    node=TEXTS,
    item=st.dictionaries(NAMES, TEXTS, max_size=3),
    url=TEXTS,
    excerpts=st.lists(TEXTS, max_size=3).map(tuple),
    answer=ANSWERS,
)


@given(RECORDS)
def test_the_digest_of_a_record_is_that_of_its_dump(record):
    assert record.digest == digest_of(record.model_dump(mode="json"))


@COSTLY
@given(RECORDS, VERDICTS)
def test_a_verdict_line_is_what_json_writes(record, verdict):
    told = {
        "record": record.digest,
        "node": record.node,
        "item": dict(record.item),
        "url": record.url,
        "full": verdict.full,
        "retrieval": verdict.retrieval,
        "parts": {name: part.model_dump(exclude_defaults=True) for name, part in verdict.parts()},
        "requirements": [entry.model_dump(exclude_defaults=True) for entry in verdict.requirements],
        "confidence": verdict.confidence,
        "judge": verdict.judge,
        "page": verdict.page.model_dump() if verdict.page else None,
    } | ({"votes": dict(verdict.votes)} if verdict.votes else {})
    assert "".join(verdicts_text([record], [verdict])) == json.dumps(told, ensure_ascii=False) + "\n"


@COSTLY
@given(given_all())
def test_a_score_is_written_as_canonical_json(given_):
    asked = (given_.task, given_.records, given_.verdicts)
    told = score_task(*asked, rejected=given_.rejected).model_dump(mode="json")
    assert score_text(roll_up(*asked, rejected=given_.rejected)) == canonical_json(told) + "\n"


@COSTLY
@given(st.lists(st.tuples(RECORDS, VERDICTS), max_size=4), PAGES)
def test_verdicts_are_written_line_by_line_whatever_they_share(pairs, page):
    pairs += [(record, verdict.model_copy(update={"page": page})) for record, verdict in pairs]
    records, verdicts = [record for record, _ in pairs], [verdict for _, verdict in pairs]
    assert "".join(verdicts_text(records, verdicts)) == "".join(
        [
            piece
            for record, verdict in zip(records, verdicts, strict=True)
            for piece in verdicts_text([record], [verdict])
        ]
    )


NODES = [
    NodeSpec(
        name="main",
        keys=(KeySpec(name="company", required=2, also=also), KeySpec(name="url", kind="url", required=1)),
        answer=answer,
    )
    for also in ((), ("city",))
    for answer in ((), ("role",), ("role", "Role"))
]
FOUND = st.fixed_dictionaries(
    {
        "item": st.dictionaries(st.sampled_from(["company", "Company", "city"]), TEXTS | st.just(3))
        | st.just({"company": " Arva\u0301do "})
        | TEXTS,
        "url": st.sampled_from(["https://a.example/b", "a.example/b", "https://t.co/x", "n/a"]) | TEXTS,
        "excerpts": st.lists(TEXTS | st.just("n/a")) | TEXTS | st.none(),
        "answer": st.dictionaries(
            st.sampled_from(["role", "Role", "x"]), TEXTS | st.none() | st.just({"a": 1})
        )
        | TEXTS,
    },
    optional={"Excerpts": st.lists(TEXTS), "note": TEXTS},
)


@given(FOUND, st.sampled_from(NODES))
def test_a_plain_record_reads_as_any_other(found, node):
    shape = PlainReader(node).read(found)
    assert shape is None or shape == read_shape(found, node)


def test_a_plain_record_is_plain():
    found = {
        "item": {"company": "Arvado"},
        "url": "https://a.example/b",
        "excerpts": ["x"],
        "answer": {"role": 1},
    }
    assert PlainReader(NODES[1]).read(found) is not None


URLS = st.from_regex(r"https?://[A-Za-z0-9.:/?#&=+%_~@,;|…<>\[\]() -]{0,30}", fullmatch=True)


@given(URLS | st.sampled_from(["https://a.example/..", "https://bit.ly/x", "http://t.co/a"]))
def test_a_plain_url_needs_no_reading(url):
    assert plain_url(url) in ("", url)
    if plain_url(url):
        assert _checked(_unwrapped(url)) == Url(url)


@given(st.from_regex(r"https?://[a-z0-9.-]{1,12}\.[a-z]{2,4}/[A-Za-z0-9._~/%-]{0,9}(\?[a-z0-9=&.~+-]{0,9})?"))
def test_a_clean_url_is_left_as_it_is(url):
    if urls._CLEAN.fullmatch(url):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(urls, "_CLEAN", urls.re.compile("(?!)"))
            assert urls.clean_url(url) == url


@given(
    st.from_regex(
        r"https?://[a-z0-9]{1,3}\.test/[a-z]{0,2}(\?([a-zA-Z_-]{0,3}(key|toKen|secret|passwd|password|sig|signature|date)=[a-z0-9]{0,3}&?){0,2})?",
        fullmatch=True,
    )
    | URLS
)
def test_a_clean_url_without_secrets_is_normal(url):
    short = urls.normal_url(url)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(urls, "_CLEAN", urls.re.compile("(?!)"))
        assert urls.normal_url(url) == short


@given(
    st.dictionaries(st.sampled_from(["url", "URL", " url", "Source Url", "source-url"]) | TEXTS, st.none())
)
def test_the_keys_of_a_name_are_found_exact_one_first(found):
    for name in ("url", "source_url"):
        others = [key for key in found if key != name and fold(key) == fold(name)]
        assert named(found, name) == ([name] if name in found else []) + others


def test_garbage_is_collected_as_before_once_a_task_is_done():
    before = gc.get_threshold()
    with items._seldom_collected():
        assert gc.get_threshold()[0] >= 100_000
    assert gc.get_threshold() == before
    gc.set_threshold(0)
    try:
        with items._seldom_collected():
            assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*before)
