"""A recording as one file: pages and verdicts, the same bytes every time, read in place, never trusted."""

import shutil
import struct
import tracemalloc
import zipfile

import pytest

from pytest_wandr.cassettes import PageStore, pack, unpack
from pytest_wandr.cassettes.packed import blob_member
from pytest_wandr.errors import CannotWrite, CassetteError
from pytest_wandr.judges.llm.answers import Answers
from pytest_wandr.judges.llm.exchange import Said
from pytest_wandr.model import RecordVerdict
from pytest_wandr.verdicts import VerdictStore

A, B = "https://wire.brassleaf.example/a", "https://wire.brassleaf.example/b"


def verdicts(folder, **kept):
    """Store verdicts beside the pages."""
    store = VerdictStore(folder / "verdicts.jsonl", PageStore(folder, environment={}).sealed_verdicts)
    for key, full in kept.items():
        store.put(key, RecordVerdict.of(full=full))
    store.save()
    return (folder / "verdicts.jsonl").read_bytes()


@pytest.fixture
def folded(store, put):
    put(store, A, b"page a")
    put(store, B, b"", status=301, to=A)
    store.fold()
    return store


@pytest.fixture
def packed(folded):
    """A packed store whose folder is gone."""
    verdicts(folded.folder, k1=True, k2=False)
    path = pack(folded.folder)
    shutil.rmtree(folded.folder)
    return path


def reopened(store):
    return PageStore(store.folder, environment={})


def test_a_packed_recording_is_read_in_place(packed, store):
    opened = reopened(store)
    assert opened.urls() == (A, B)
    assert opened.get(B).body == b"page a"
    assert opened.check() == ()
    known = VerdictStore(store.folder / "verdicts.jsonl", opened.sealed_verdicts)
    assert known.get("k1") == RecordVerdict.of(full=True)
    assert len(known) == 2
    assert not store.folder.exists()


def test_the_same_folder_packs_to_the_same_bytes(store, put):
    put(store, A)
    put(store, B, b"page b")
    store.fold()
    verdicts(store.folder, k=True)
    first = pack(store.folder).read_bytes()
    for path in store.folder.rglob("*"):
        path.touch()
    assert pack(store.folder).read_bytes() == first
    with zipfile.ZipFile(store.folder.with_name("rail.zip")) as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
        names = archive.namelist()
        assert names == ["index.jsonl", *sorted(names[1:-1]), "verdicts.jsonl"]
        assert len(names) == 4
    shutil.rmtree(store.folder)
    assert pack(store.folder).read_bytes() == first  # of itself


def test_new_pages_lie_beside_the_packed_ones(packed, store, put):
    opened = reopened(store)
    put(opened, A, b"page a, changed")
    put(opened, f"{A}2", b"new")
    assert opened.fold() == 3
    again = reopened(store)
    assert again.get(A).body == b"page a, changed"
    assert again.get(f"{A}2").body == b"new"
    assert again.get(B).body == b"page a, changed"


def test_packing_again_seals_both_layers_and_nothing_that_is_not_needed(packed, store, put):
    put(reopened(store), f"{A}2", b"new")
    reopened(store).fold()
    pack(store.folder)
    shutil.rmtree(store.folder)
    again = reopened(store)
    assert (again.get(A).body, again.get(f"{A}2").body) == (b"page a", b"new")
    assert len(again.sealed_verdicts().splitlines()) == 2
    put(again, A, b"page a, changed")
    again.fold()
    pack(store.folder)
    with zipfile.ZipFile(packed) as archive:
        assert len(archive.namelist()) == 4


def test_new_verdicts_begin_with_the_sealed_ones_and_then_stand_for_all(packed, store):
    verdicts(store.folder, k3=True)
    known = VerdictStore(store.folder / "verdicts.jsonl", reopened(store).sealed_verdicts)
    assert [known.get(key).full for key in ("k1", "k2", "k3")] == [True, False, True]
    pack(store.folder)
    shutil.rmtree(store.folder)
    assert len(reopened(store).sealed_verdicts().splitlines()) == 3


def test_unpacking_gives_the_folder_back(folded):
    verdicts(folded.folder, k=True)
    before = {path: path.read_bytes() for path in folded.folder.rglob("*") if path.is_file()}
    pack(folded.folder)
    shutil.rmtree(folded.folder)
    assert unpack(folded.folder) == len(before) == 3
    assert {path: path.read_bytes() for path in folded.folder.rglob("*") if path.is_file()} == before


def test_answers_that_were_paid_for_are_sealed_too_and_read_in_place(folded):
    answers = Answers(folded.folder)
    answers.put("a" * 64, Said(text="yes", model="m"))
    with pytest.raises(CassetteError, match="not folded"):
        pack(folded.folder)
    answers.close()
    pack(folded.folder)
    shutil.rmtree(folded.folder)
    again = Answers(folded.folder)
    assert again.get("a" * 64).text == "yes"
    again.put("b" * 64, Said(text="no", model="m"))
    again.close()
    pack(folded.folder)
    shutil.rmtree(folded.folder)
    assert len(Answers(folded.folder)) == 2


def test_there_must_be_something_to_unpack(store):
    with pytest.raises(CassetteError, match=r"no .*rail\.zip to unpack"):
        unpack(store.folder)


def test_what_is_not_folded_is_not_packed(store, put):
    put(store, A)
    with pytest.raises(CassetteError, match="fold"):
        pack(store.folder)


def test_what_is_damaged_is_not_sealed_and_an_earlier_file_stays(folded):
    before = pack(folded.folder).read_bytes()
    blob = next(folded.blobs.folder.rglob("*.gz"))
    blob.write_bytes(b"damaged")
    with pytest.raises(CassetteError, match="damaged"):
        pack(folded.folder)
    assert folded.folder.with_name("rail.zip").read_bytes() == before
    assert [path.name for path in folded.folder.parent.iterdir() if path.is_file()] == ["rail.zip"]


def test_where_nothing_can_be_written_the_file_is_named(folded, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    with pytest.raises(CannotWrite, match=r"rail\.zip cannot be written: No space left"):
        pack(folded.folder)
    assert [path.name for path in folded.folder.parent.iterdir()] == ["rail"]


def members(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rewrite(path, found, method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in found:
            archive.writestr(name, data)


def compressed(path):
    rewrite(path, members(path).items(), zipfile.ZIP_DEFLATED)


def bomb(path):
    rewrite(path, [("index.jsonl", b"\n" * 30_000_000)], zipfile.ZIP_DEFLATED)


def traversal(path):
    rewrite(path, [*members(path).items(), ("blobs/../../../evil", b"x")])


def absolute(path):
    rewrite(path, [*members(path).items(), ("/etc/evil", b"x")])


def misplaced(path):
    rewrite(path, [*members(path).items(), (f"blobs/00/{'f' * 64}.gz", b"x")])


@pytest.mark.filterwarnings("ignore:Duplicate name")
def duplicated(path):
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("index.jsonl", b"")


def without_index(path):
    rewrite(path, [item for item in members(path).items() if item[0] != "index.jsonl"])


def truncated(path):
    path.write_bytes(path.read_bytes()[:-30])


def beheaded(path):
    path.write_bytes(path.read_bytes()[30:])


def trailing(path):
    path.write_bytes(path.read_bytes() + b"more")


def encrypted(path):
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(data)


def overlapping(path):
    """Many members that are one and the same piece of the file."""
    data = path.read_bytes()
    start = data.index(b"PK\x01\x02")
    end = data.rindex(b"PK\x05\x06")
    entry = next(part for part in data[start:end].split(b"PK\x01\x02") if b"blobs/" in part)
    name = entry[42 : 42 + int.from_bytes(entry[24:26], "little")].decode()
    entries = b"PK\x01\x02" + data[start:end].split(b"PK\x01\x02")[1]
    big = bytearray(b"PK\x01\x02" + entry)
    big[20:28] = struct.pack("<II", len(data) - 100, len(data) - 100)
    for number in range(40):
        sha = f"{number:064x}"
        entries += bytes(big).replace(name.encode(), blob_member(sha).encode())
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 41, 41, len(entries), start, 0)
    path.write_bytes(data[:start] + entries + tail)


def endless(path):
    """A list of members that is as long as the file."""
    data = path.read_bytes()
    with path.open("r+b") as file:
        file.truncate(20_000_000)  # sparse
        file.seek(0, 2)
        file.write(data[-22:-10] + struct.pack("<II", 20_000_000, 0) + data[-2:])


def bad_name(path):
    data = path.read_bytes()
    path.write_bytes(data.replace(b"index.jsonl", b"index.\xff\xfe\xffnl"))


HOSTILE = [
    (compressed, "compressed"),
    (bomb, "compressed"),
    (traversal, "no part of a recording"),
    (absolute, "no part of a recording"),
    (misplaced, "no part of a recording"),
    (duplicated, "twice"),
    (without_index, "no index"),
    (truncated, "does not end like one"),
    (beheaded, "not where it says"),
    (trailing, "does not end like one"),
    (encrypted, "encrypted"),
    (overlapping, "longer than the file"),
    (endless, "list of members"),
    (bad_name, "no part of a recording|damaged"),
]


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(("harm", "words"), HOSTILE, ids=[harm.__name__ for harm, _ in HOSTILE])
def test_a_hostile_file_is_refused_in_little_memory(packed, store, harm, words):
    harm(packed)
    tracemalloc.start()
    try:
        with pytest.raises(CassetteError, match=words) as refused:
            reopened(store).get(A)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert "rail.zip" in str(refused.value)
    assert peak < 4_000_000
    assert not store.folder.exists()


def test_any_flipped_byte_is_an_error_or_changes_nothing(packed, store):
    """Never another page, never another exception."""
    sound = packed.read_bytes()
    errors = 0
    for at in range(0, len(sound), 7):
        packed.write_bytes(sound[:at] + bytes([sound[at] ^ 0x55]) + sound[at + 1 :])
        try:
            opened = reopened(store)
            found = opened.get(A).body, opened.sealed_verdicts()
        except CassetteError as error:
            errors += str(store.folder) in str(error)
        else:
            packed.write_bytes(sound)
            assert found == (b"page a", reopened(store).sealed_verdicts())
    assert errors > len(sound) // 7 // 2


def test_any_truncation_is_an_error(packed, store):
    sound = packed.read_bytes()
    for length in range(0, len(sound), 11):
        packed.write_bytes(sound[:length])
        with pytest.raises(CassetteError, match=r"rail\.zip"):
            reopened(store)


def test_a_body_that_expands_too_far_is_refused(packed, store):
    found = members(packed)
    name = next(name for name in found if name.startswith("blobs/"))
    other = PageStore(store.folder.with_name("other"), environment={})
    large = other.blobs.put(b"\0" * 20_000_000)
    found[name] = other.blobs.path(large).read_bytes()
    rewrite(packed, found.items())
    tracemalloc.start()
    try:
        with pytest.raises(CassetteError, match="is not the 6 bytes"):
            reopened(store).get(A)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000


def test_a_body_that_is_neither_packed_nor_beside_is_missing(packed, store):
    rewrite(packed, [("index.jsonl", members(packed)["index.jsonl"])])
    with pytest.raises(CassetteError, match="missing"):
        reopened(store).get(A)
