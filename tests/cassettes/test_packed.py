"""A recording as one file: the same bytes every time, read in place."""

import shutil
import zipfile

import pytest

from pytest_wandr.cassettes import PageStore, pack
from pytest_wandr.errors import CassetteError

A, B = "https://wire.brassleaf.example/a", "https://wire.brassleaf.example/b"


@pytest.fixture
def packed(store, put):
    """A packed store whose folder is gone."""
    put(store, A, b"page a")
    put(store, B, b"", status=301, to=A)
    store.fold()
    path = pack(store.folder)
    shutil.rmtree(store.folder)
    return path


def test_a_packed_recording_is_read_in_place(packed, store):
    opened = PageStore(store.folder, environment={})
    assert opened.urls() == (A, B)
    assert opened.get(B).body == b"page a"
    assert opened.check() == ()
    assert not store.folder.exists()


def test_the_same_folder_packs_to_the_same_bytes(store, put):
    put(store, A)
    put(store, B, b"page b")
    store.fold()
    first = pack(store.folder).read_bytes()
    for path in store.folder.rglob("*"):
        path.touch()
    assert pack(store.folder).read_bytes() == first
    with zipfile.ZipFile(store.folder.with_name("rail.zip")) as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
        assert archive.namelist() == sorted(
            archive.namelist(), key=lambda name: (name != "index.jsonl", name)
        )


def test_new_pages_lie_beside_the_packed_ones(packed, store, put):
    opened = PageStore(store.folder, environment={})
    put(opened, A, b"page a, changed")
    put(opened, f"{A}2", b"new")
    assert opened.fold() == 3
    again = PageStore(store.folder, environment={})
    assert again.get(A).body == b"page a, changed"
    assert again.get(f"{A}2").body == b"new"
    assert again.get(B).body == b"page a, changed"


def test_what_is_not_folded_is_not_packed(store, put):
    put(store, A)
    with pytest.raises(CassetteError, match="fold"):
        pack(store.folder)


def test_a_compressed_member_is_refused(packed, store):
    with zipfile.ZipFile(packed) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    with pytest.raises(CassetteError, match="compressed"):
        PageStore(store.folder, environment={})


def test_a_damaged_file_is_named(packed, store):
    data = packed.read_bytes()
    packed.write_bytes(data.replace(b"\x1f\x8b\x08", b"\x1f\x8b\x09"))
    with pytest.raises(CassetteError, match="damaged"):
        PageStore(store.folder, environment={}).get(A)
    packed.write_bytes(b"no zip")
    with pytest.raises(CassetteError, match=r"rail\.zip"):
        PageStore(store.folder, environment={})


def test_a_body_that_is_neither_packed_nor_beside_is_missing(packed, store):
    with zipfile.ZipFile(packed) as archive:
        index = archive.read("index.jsonl")
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("index.jsonl", index)
    with pytest.raises(CassetteError, match="missing"):
        PageStore(store.folder, environment={}).get(A)
