"""Verdicts are kept under everything that can change them, and in one order."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.cassettes.secrets import SecretScan
from pytest_wandr.errors import CassetteError
from pytest_wandr.model import LedTo, Part, RecordVerdict, RequirementVerdict
from pytest_wandr.verdict_lines import read_line
from pytest_wandr.verdicts import PASSING, Basis, VerdictStore, verdict_key, worth_keeping

KEY = {
    "judge": "llm/m1", "requirements": "r", "record": "c", "page": "p",
    "extractor": "1", "identity": "1", "checks": "1", "sample": 0,
}  # fmt: skip
TRUE = RecordVerdict.of(full=True)
FALSE = RecordVerdict.of(full=False)
RICH = RecordVerdict(
    page_content_usable=Part(value=True),
    answer_intent_clear=Part(value=None, reason="\x1b[31mno\u2028answer \"é\"", code="unclear"),
    excerpts_faithful=Part(value=False, reason="excerpt 2 is not on the page"),
    overall_valid=Part(value=True),
    requirements_all_satisfied=Part(value=True),
    requirements_all_supported=Part(value=None),
    requirements=(RequirementVerdict(id="names", satisfied=Part(value=True), supported=Part(value=None)),),
    confidence=1,
    judge="llm/m1",
    page=LedTo(final_url="https://wire.brassleaf.example/a", digest="d"),
)  # fmt: skip


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rail" / "verdicts.jsonl"


@pytest.mark.parametrize("verdict", [TRUE, FALSE, RecordVerdict.of(full=None), RICH])
def test_a_verdict_is_kept_whole(path, verdict):
    store = VerdictStore(path)
    store.put("k", verdict)
    assert store.get("k") == verdict
    store.save()
    assert VerdictStore(path).get("k") == verdict
    assert VerdictStore(path).get("other") is None


@pytest.mark.parametrize("part", KEY)
def test_every_part_of_a_key_counts(part):
    changed = {**KEY, part: 1 if part == "sample" else "changed"}
    assert verdict_key(**changed) != verdict_key(**KEY)
    assert verdict_key(**KEY) == verdict_key(**dict(reversed(KEY.items())))


def test_parts_of_a_key_do_not_run_into_each_other():
    assert verdict_key(**{**KEY, "record": "cp", "page": ""}) != verdict_key(**KEY)


def test_nothing_is_written_before_saving_or_without_need(path):
    store = VerdictStore(path)
    store.save()
    store.put("k", TRUE)
    assert not path.exists()
    store.save()
    first = path.stat().st_mtime_ns, path.read_bytes()
    store.save()
    assert (path.stat().st_mtime_ns, path.read_bytes()) == first
    assert [entry.name for entry in path.parent.iterdir()] == [path.name]


def test_saving_keeps_what_others_saved_meanwhile(path):
    one, two = VerdictStore(path), VerdictStore(path)
    one.put("a", TRUE)
    two.put("b", FALSE)
    one.save()
    two.save()
    assert VerdictStore(path).get("a") == TRUE
    assert two.get("a") == TRUE
    assert len(two) == 2


@given(st.permutations(list("abcdef")))
def test_the_file_does_not_depend_on_the_order_of_judging(tmp_path_factory, keys):
    path = tmp_path_factory.mktemp("v") / "verdicts.jsonl"
    store = VerdictStore(path)
    for key in keys:
        store.put(key, TRUE if key < "c" else RICH)
    store.save()
    assert [json.loads(line)["key"] for line in path.read_bytes().splitlines()] == list("abcdef")


def test_text_that_is_no_unicode_is_kept(path):
    verdict = TRUE.model_copy(update={"judge": "caf\udce9 \ud800"})
    store = VerdictStore(path)
    store.put("k", verdict)
    store.save()
    assert VerdictStore(path).get("k") == verdict


BASIS = Basis(judge="llm/m1", requirements="r" * 64, record="c" * 64, page="p" * 64)


def test_a_newer_verdict_of_a_record_replaces_the_one_it_retires(path):
    store = VerdictStore(path)
    changed = replace(BASIS, page="q" * 64)
    others = [replace(BASIS, record="d" * 64), replace(BASIS, judge="rules"), replace(BASIS, sample=1)]
    for basis in (BASIS, *others):
        store.put(basis.key, TRUE, basis.made())
    store.save()
    store.put(changed.key, FALSE, changed.made())
    store.save()
    kept = VerdictStore(path)
    assert len(kept) == 4
    assert kept.get(BASIS.key) is None
    assert kept.get(changed.key) == FALSE
    assert kept.judges() == ("llm/m1", "rules")


def test_a_store_knows_what_the_verdicts_of_a_record_rest_on(path):
    store = VerdictStore(path)
    store.put(BASIS.key, TRUE, BASIS.made())
    assert store.about(BASIS.record) == [BASIS.made()]
    assert store.about("d" * 64) == []


def test_a_verdict_with_a_secret_is_not_written(path):
    store = VerdictStore(path)
    store.put("k", RICH)
    with pytest.raises(CassetteError, match="WANDR_TOKEN"):
        store.save(SecretScan({"WANDR_TOKEN": "excerpt 2 is not"}).refuse)
    assert not path.exists()


@pytest.mark.parametrize("code", sorted(PASSING))
def test_what_could_not_be_decided_this_time_is_not_worth_keeping(code):
    late = Part(value=None, code=code)
    assert not worth_keeping(TRUE.model_copy(update={"page_content_usable": late}))
    asked = RequirementVerdict(id="names", satisfied=late, supported=Part(value=True))
    assert not worth_keeping(TRUE.model_copy(update={"requirements": (asked,)}))
    assert worth_keeping(RICH)


def test_a_line_that_is_damaged_inside_is_named_when_it_is_asked_for(path):
    path.parent.mkdir()
    path.write_bytes(b'{"key":"k","verdict":{"full":true}}\n')
    store = VerdictStore(path)
    with pytest.raises(CassetteError, match="damaged"):
        store.get("k")


@pytest.mark.parametrize(
    "line", [b"{", b"{}", b'{"key": "k"}', b'{"key": "k", "verdict": {"full": true}}', b""]
)
def test_a_damaged_line_is_named(path, line):
    store = VerdictStore(path)
    store.put("k", TRUE)
    store.save()
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(CassetteError, match=r"verdicts\.jsonl:2"):
        VerdictStore(path)


DAMAGE = {
    "no utf-8": lambda line: line.replace(b'"record":"', b'"record":"\xff'),
    "garbage inside": lambda line: line.replace(b'"sample":0', b'"sample":0,,'),
    "nested without end": lambda line: b'{"key":"k","made":{' + b"[" * 50_000 + b"}",
    "nothing of its record": lambda line: line.replace(b'"record":"cccccccccccc",', b""),
    "nothing of the checks": lambda line: line.replace(b'"checks":"1",', b""),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_line_is_named_when_verdicts_are_explained_or_saved(path, damage):
    store = VerdictStore(path)
    store.put(BASIS.key, TRUE, BASIS.made())
    store.save()
    path.write_bytes(damage(path.read_bytes().rstrip()) + b"\n")
    before = path.read_bytes()
    damaged = VerdictStore(path)
    with pytest.raises(CassetteError, match=r"verdicts\.jsonl: the verdict .* is damaged"):
        damaged.about(BASIS.record)
    other = replace(BASIS, record="d" * 64)
    damaged.put(other.key, TRUE, other.made())
    with pytest.raises(CassetteError, match=r"verdicts\.jsonl: the verdict .* is damaged"):
        damaged.save()
    assert path.read_bytes() == before


def test_what_a_verdict_rests_on_is_plain(path):
    path.parent.mkdir()
    path.write_bytes(b'{"key":"k","made":{"page":[]},"verdict":{}}\n')
    with pytest.raises(CassetteError, match="damaged: made"):
        read_line(path.read_bytes().rstrip(), path)
