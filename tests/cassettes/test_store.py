"""Recorded pages: kept whole, found again, folded by many writers, safe to read from strangers."""

import gzip
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import zlib
from html import escape
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.cassettes import Entry, PageStore
from pytest_wandr.cassettes.blobs import BlobStore, pack_body, unpack_body
from pytest_wandr.cassettes.chain import problem_of
from pytest_wandr.cassettes.entry import kept_headers, parse_line
from pytest_wandr.cassettes.journal import best, index_text, read_index, read_journal
from pytest_wandr.errors import CassetteError
from pytest_wandr.model import FetchProblem

A, B, C = (f"https://wire.brassleaf.example/{name}" for name in "abc")
BINARY = bytes(range(256)) * 3 + b"\r\n\n\r\xff\xfe"


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def reopened(store):
    return PageStore(store.folder, environment={})


def the_blob(store):
    (path,) = store.folder.glob("blobs/*/*")
    return path


# keeping and finding


@pytest.mark.parametrize("body", [b"text", BINARY, "Zürich\u2028\x85 東京".encode(), b"\0", b"a" * 100_000])
@pytest.mark.parametrize("folded", [False, True])
def test_a_body_is_kept_byte_for_byte(store, put, body, folded):
    put(store, A, body)
    if folded:
        store.fold()
    page = reopened(store).get(A)
    assert page.body == body
    assert page.digest == hashlib.sha256(body).hexdigest()


def test_a_page_says_how_it_was_found(store, put):
    put(store, A, b"%PDF-1.7", headers={"content-type": "application/pdf"})
    page = store.get(f"{A}#part")
    assert (page.url, page.final_url, page.status) == (f"{A}#part", A, 200)
    assert (page.media_type, page.via, page.hops, page.problem) == ("application/pdf", "cassette", (), None)


def test_what_was_never_recorded_is_none(store, put):
    assert store.get(A) is None
    put(store, B)
    assert store.get(A) is None
    assert store.urls() == (B,)


def test_a_redirect_is_followed_to_its_end(store, put):
    put(store, A, b"", status=301, to=B)
    assert store.get(A) is None
    put(store, B, b"", status=302, to=C)
    put(store, C, b"end")
    page = store.get(A)
    assert (page.url, page.final_url, page.hops, page.body) == (A, C, (A, B), b"end")


def test_a_hop_with_a_key_of_its_own_is_not_the_plain_page(store, put):
    first = Entry.of(A, status=302)
    later = Entry.of(A, status=200, after=first.key)
    put(store, A, b"", status=302, to=A, next=later.key)
    put(store, A, b"behind the wall", after=first.key)
    page = store.get(A)
    assert (page.body, page.hops) == (b"behind the wall", (A,))


def test_a_recorded_loop_and_a_recorded_chain_without_end_are_problems(store, put):
    put(store, A, b"", status=302, to=B)
    put(store, B, b"", status=302, to=A)
    assert store.get(A).problem.kind == "redirect_loop"
    for number in range(9):
        put(store, f"{C}{number}", b"", status=302, to=f"{C}{number + 1}")
    assert store.get(f"{C}0").problem.kind == "redirect_limit"


def test_a_failure_is_recorded_and_found_as_that_failure(store, put):
    problem = FetchProblem(kind="timeout", detail="no complete answer in time")
    put(store, A, b"", status=0, error=problem)
    store.fold()
    page = reopened(store).get(A)
    assert page.problem == problem
    assert page.body == b""


def test_the_same_body_lies_on_disk_once(store, put):
    put(store, A, b"same")
    put(store, B, b"same")
    assert len(list(store.folder.glob("blobs/*/*"))) == 1
    assert store.get(A).digest == store.get(B).digest


def test_a_page_through_a_browser_stands_beside_the_page_through_http(store, put):
    put(store, A, b"shell")
    entry = put(store, A, b"rendered", via="browser")
    assert store.get(A).body == b"shell"
    assert store.page(entry).body == b"rendered"
    assert store.page(entry).via == "browser"
    assert store.urls() == (A,)


def test_nearest_names_a_page_under_the_same_path(store, put):
    put(store, f"{A}?page=2")
    put(store, f"{A}?page=1")
    assert store.nearest(f"{A}?page=3#x") == f"{A}?page=1"
    assert store.nearest(B) is None


def test_reading_writes_nothing(store):
    store.get(A)
    store.fold()
    store.gc()
    assert store.check() == ()
    assert not store.folder.exists()


# writing down


def test_the_index_is_sorted_and_says_nothing_twice(store, put):
    for url in (C, A, B, A):
        put(store, url)
    assert store.fold() == 3
    lines = store.index_path.read_text().splitlines()
    assert [json.loads(line)["url"] for line in lines] == [A, B, C]
    assert set(json.loads(lines[0])) == {"version", "key", "url", "status", "blob", "size"}


def test_only_headers_that_matter_are_kept():
    headers = {
        "sEt-CoOkIe": "a=1",
        "Content-Type": "text/html",
        "Date": "x",
        "X-Api-Key": "x",
        "ETag": "e",
        "Server": "s",
    }
    assert kept_headers(headers) == {"content-type": "text/html"}


def test_a_recording_depends_on_pages_alone(tmp_path, put):
    for name, urls in (("one", (A, B, C)), ("two", (C, B, A))):
        store = PageStore(tmp_path / name, environment={}, worker=name)
        for url in urls:
            put(store, url, f"page {url}".encode())
        store.fold()
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_compressed_body_has_no_time_and_no_name(store, put):
    put(store, A, b"a page" * 50)
    data = the_blob(store).read_bytes()
    assert data[3] == 0
    assert data[4:8] == bytes(4)
    assert gzip.decompress(data) == b"a page" * 50


# many writers


def test_two_workers_on_one_url_agree_whoever_comes_first(tmp_path, put):
    failed = {"status": 0, "error": FetchProblem(kind="timeout")}
    attempts = [(b"page x", {}), (b"page y", {}), (b"", failed), (b"busy", {"status": 503})]
    results = set()
    for number, order in enumerate(([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1])):
        folder = tmp_path / str(number)
        for worker, which in enumerate(order):
            body, rest = attempts[which]
            put(PageStore(folder, environment={}, worker=f"gw{worker}"), A, body, **rest)
        store = PageStore(folder, environment={})
        store.fold()
        results.add(store.index_path.read_bytes())
        assert store.get(A).problem is None
        store.gc()
        assert store.check() == ()
    assert len(results) == 1


def test_what_is_recorded_again_replaces_what_was_folded(store, put):
    put(store, A, b"old")
    store.fold()
    put(reopened(store), A, b"", status=0, error=FetchProblem(kind="dns"))
    store.fold()
    assert reopened(store).get(A).problem.kind == "dns"


def test_a_journal_counts_before_it_is_folded(store, put):
    put(store, A)
    assert reopened(store).get(A).body == b"a page"
    assert not store.index_path.exists()


def test_folding_twice_changes_nothing(store, put):
    put(store, A)
    store.fold()
    before = contents(store.folder)
    assert store.fold() == 1
    assert contents(store.folder) == before
    assert not (store.folder / "journal").exists()


def test_folding_again_after_being_killed_half_way(store, put):
    put(store, A)
    put(store, B)
    journal = next((store.folder / "journal").iterdir())
    kept = journal.read_bytes()
    store.fold()
    index = store.index_path.read_bytes()
    journal.parent.mkdir()
    journal.write_bytes(kept)  # the index was replaced, the journal not yet removed
    again = reopened(store)
    again.fold()
    assert again.index_path.read_bytes() == index
    assert not journal.exists()


def test_a_journal_cut_at_any_byte_loses_at_most_its_last_line(tmp_path, put):
    store = PageStore(tmp_path / "rail", environment={})
    for url in (A, B, C):
        put(store, url)
    journal = next((store.folder / "journal").iterdir())
    data = journal.read_bytes()
    ends = [place for place, byte in enumerate(data) if byte == ord("\n")]
    for cut in range(len(data) + 1):
        journal.write_bytes(data[:cut])
        entries, notes = read_journal(journal)
        whole = sum(end < cut for end in ends)
        assert len(entries) in {whole, whole + (cut in ends)}
        assert len(notes) <= 1


def test_a_writer_goes_on_after_its_own_torn_line(store, put):
    put(store, A)
    put(store, B)
    store.close()
    journal = next((store.folder / "journal").iterdir())
    journal.write_bytes(journal.read_bytes()[:-20])
    store = reopened(store)
    assert any("torn" in note for note in store.notes)
    put(store, C)
    assert reopened(store).urls() == (A, C)
    store.fold()
    assert reopened(store).urls() == (A, C)
    assert store.check()[0].endswith("not recorded")


WRITER = """
import sys
from pytest_wandr.cassettes import Entry, PageStore
store = PageStore(sys.argv[1], environment={}, worker=sys.argv[2])
for number in range(int(sys.argv[3])):
    url = f"https://wire.brassleaf.example/{sys.argv[2]}/{number}"
    store.put(Entry.of(url, status=200), f"page {number}".encode())
    print(number, flush=True)
"""


def writer(folder, name, count):
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", WRITER, str(folder), name, str(count)]
    return subprocess.Popen(command, env={"PYTHONPATH": str(root)}, stdout=subprocess.PIPE)


def test_eight_processes_lose_nothing(tmp_path):
    running = [writer(tmp_path / "rail", f"gw{number}", 4) for number in range(8)]
    for one in running:
        one.communicate()
    store = PageStore(tmp_path / "rail", environment={})
    assert store.fold() == 32
    assert store.check() == ()


def test_a_killed_writer_leaves_a_usable_recording(tmp_path):
    one = writer(tmp_path / "rail", "gw0", 100_000)
    done = [int(one.stdout.readline()) for _ in range(20)]
    os.kill(one.pid, signal.SIGKILL)
    one.communicate()
    store = PageStore(tmp_path / "rail", environment={})
    assert store.fold() >= len(done)
    store.gc()
    assert [note for note in store.check() if "torn" not in note] == []
    assert store.get("https://wire.brassleaf.example/gw0/19").body == b"page 19"


entries = st.builds(
    lambda url, status, blob: Entry.of(url, status=status, blob=blob * 64, size=3),
    st.sampled_from([A, B, C]),
    st.sampled_from([200, 404, 503]),
    st.sampled_from("0af"),
)


@given(st.lists(entries, max_size=12), st.randoms(use_true_random=False))
def test_the_folded_index_does_not_depend_on_order(found, chance):
    shuffled = list(found)
    chance.shuffle(shuffled)
    assert index_text(best(found)) == index_text(best(shuffled))
    assert index_text(best([*found, *shuffled])) == index_text(best(found))


@given(st.lists(entries, max_size=6))
def test_an_index_reads_back_as_it_was(found):
    text = index_text(best(found))
    assert best(read_index(text.encode(), "x")) == best(found)


# secrets


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("MODEL_API_KEY", "sk-0123456789", True),
        ("some_token", "0123456789ab", True),
        ("A_KEY", "0123 4567/89+é=", True),
        ("CLIENT_SECRET_2", "0123456789ab", True),
        ("API_KEY", "short", False),
        ("HOME", "/home/somebody-here", False),
    ],
)
def test_a_secret_is_never_written(tmp_path, put, name, value, found):
    store = PageStore(tmp_path / "rail", environment={name: value})
    attempts = [
        lambda: put(store, A, f"it is {value}!".encode()),
        lambda: put(store, f"{A}/{quote(value)}"),
        lambda: put(store, A, headers={"x-robots-tag": value}),
        lambda: put(store, A, status=302, to=f"{B}?x={quote(value, safe='')}"),
    ]
    for attempt in attempts:
        if found:
            with pytest.raises(CassetteError, match=name) as caught:
                attempt()
            assert value not in str(caught.value)
        else:
            attempt()
    assert found == (not store.folder.exists())


@pytest.mark.parametrize("spelt", [json.dumps, escape, lambda secret: json.dumps(secret, ensure_ascii=False)])
def test_a_secret_is_known_in_other_spellings(tmp_path, put, spelt):
    secret = 'he said "open & shut" at the café'
    store = PageStore(tmp_path / "rail", environment={"GATE_KEY": secret})
    with pytest.raises(CassetteError, match="GATE_KEY"):
        put(store, A, f"<p>{spelt(secret)}".encode())
    with pytest.raises(CassetteError, match="GATE_KEY"):
        put(store, A, headers={"x-robots-tag": secret})


def test_a_secret_that_was_recorded_before_is_noticed(store, put):
    put(store, A, b"hush-hush-hush")
    put(store, B, b"nothing", headers={"x-robots-tag": "hush-hush-hush"})
    store.fold()
    problems = PageStore(store.folder, environment={"TOKEN": "hush-hush-hush"}).check()
    assert len(problems) == 2
    assert all("TOKEN" in problem and "hush" not in problem for problem in problems)


# recordings of strangers


def test_a_bomb_is_never_unpacked_beyond_its_entry(store, put):
    put(store, A, b"a page")
    bomb = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = b"".join([*(bomb.compress(bytes(1_000_000)) for _ in range(100)), bomb.flush()])
    the_blob(store).write_bytes(data)
    with pytest.raises(CassetteError, match="is not the 6 bytes"):
        store.get(A)


def test_a_bomb_that_says_how_large_it_is_is_refused_too():
    body = bytes(40_000_000)
    data, sha = pack_body(body), hashlib.sha256(body).hexdigest()
    with pytest.raises(CassetteError):
        unpack_body(data, sha, len(body))


@pytest.mark.parametrize("damage", [b"", b"no gzip", pack_body(b"another page"), pack_body(b"A page")])
def test_a_damaged_body_is_an_error_that_names_the_file(store, put, damage):
    put(store, A, b"a page")
    path = the_blob(store)
    path.write_bytes(damage)
    with pytest.raises(CassetteError, match=path.name):
        store.get(A)
    assert len(store.check()) == 1


def test_recording_again_mends_a_damaged_body(store, put):
    put(store, A, b"a page")
    before = the_blob(store).read_bytes()
    the_blob(store).write_bytes(b"damaged")
    put(store, A, b"a page")
    assert the_blob(store).read_bytes() == before


def test_a_body_over_the_limit_is_not_stored(store, put):
    with pytest.raises(CassetteError, match="over the limit"):
        put(store, A, bytes(32_000_001))
    assert not store.folder.exists()


def test_a_missing_body_says_what_to_do(store, put):
    put(store, A, b"a page")
    the_blob(store).unlink()
    with pytest.raises(CassetteError, match="record its url again"):
        store.get(A)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "A" * 64, "a" * 63, "a" * 64 + "\n", "/" * 64, "٠" * 64]
)
def test_a_blob_name_is_a_digest_or_nothing(tmp_path, name):
    with pytest.raises(CassetteError):
        BlobStore(tmp_path).path(name)
    line = {"version": 1, "key": "k", "url": A, "status": 200, "blob": name, "size": 1}
    with pytest.raises(CassetteError, match="blob"):
        parse_line(json.dumps(line))


@pytest.mark.parametrize(
    "line",
    [
        b"", b"null", b"[]", b"{}", b"<<<<<<< HEAD", b'{"version": 2, "key": "k", "url": "u"}',
        b'{"version": 1, "key": "k", "url": "u", "extra": 1}',
        b'{"version": 1, "key": "k", "url": "u", "size": -1}',
        b'{"version": 1, "key": "k", "url": "\xff"}', b"[" * 5000,
        b'{"version": 1, "key": "k", "url": "u", "error": {"kind": "because"}}',
    ],
)  # fmt: skip
def test_a_damaged_index_line_is_named(store, put, line):
    put(store, A)
    store.fold()
    store.index_path.write_bytes(store.index_path.read_bytes() + line + b"\n")
    with pytest.raises(CassetteError, match=r"index\.jsonl:2: "):
        reopened(store)


def test_lines_of_a_merge_are_one_entry(store, put):
    put(store, A, b"ours")
    store.fold()
    ours = store.index_path.read_bytes()
    put(store, A, b"theirs")
    store.fold()
    theirs = store.index_path.read_bytes()
    for both in (ours + theirs, theirs + ours):
        store.index_path.write_bytes(both)
        assert len(reopened(store).entries()) == 1


# upkeep


def test_needless_files_are_named_and_removed(store, put):
    put(store, A, b"needed")
    orphan = store.blobs.put(b"needed by nobody")
    (store.folder / "blobs" / "notes.txt").write_text("x")
    wrong_place = store.folder / "blobs" / "zz" / the_name(b"needed")
    wrong_place.parent.mkdir()
    wrong_place.write_bytes(b"x")
    problems = store.check()
    assert len(problems) == 3
    assert any(orphan in problem for problem in problems)
    assert store.gc() == 3
    assert store.check() == ()
    assert store.get(A).body == b"needed"


def test_a_line_that_answers_for_another_url_is_found(store, put):
    put(store, A, b"one")
    put(store, B, b"two")
    store.fold()
    one, other = store.entries()
    swapped = store.index_path.read_text().replace(one.key, "?").replace(other.key, one.key)
    store.index_path.write_text(swapped.replace("?", other.key))
    problems = reopened(store).check()
    assert len(problems) == 2
    assert all("is not that of" in problem and "answers for another url" in problem for problem in problems)


def test_a_hop_that_only_another_one_leads_to_is_no_stray(store):
    first = Entry.of(A, status=302, to=B)
    second = Entry.of(B, after=first.key, status=200)
    store.put(first.model_copy(update={"next": second.key}), b"")
    store.put(second, b"two")
    assert store.check() == ()
    store.put(Entry.of(C, after="0" * 32, status=200), b"three")
    assert [C in problem for problem in store.check()] == [True]


def the_name(body):
    return f"{hashlib.sha256(body).hexdigest()}.gz"


@pytest.mark.parametrize("name", ["index.jsonl", "journal/w.jsonl", "blob"])
def test_what_cannot_be_read_is_an_error_that_names_it(tmp_path, put, name):
    store = PageStore(tmp_path / "rail", environment={})
    put(store, A, b"page a")
    store.fold()
    path = next(store.blobs.folder.glob("*/*.gz")) if name == "blob" else store.folder / name
    path.unlink(missing_ok=True)
    path.mkdir(parents=True)
    with pytest.raises(CassetteError, match=rf"{re.escape(str(path))} cannot be read: Is a directory"):
        PageStore(store.folder, environment={}).get(A)


@given(
    st.lists(st.sampled_from([b"\x01", b"\x00", b"\x1b", b"\n", b"a" * 25, b"\xff"]), min_size=1, max_size=60)
)
def test_more_controls_than_any_text_has_are_no_page(parts):
    body = b"<p>" + b"".join(parts)
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\x1b" for byte in body[:2000])
    problem = problem_of(200, body)
    assert (problem.kind if problem else None) == (
        "binary" if controls > max(8, len(body[:2000]) // 20) else None
    )
