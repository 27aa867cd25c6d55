"""Content codings are undone under a cap."""

import gzip
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.fetch import Limits
from pytest_wandr.fetch.decoding import decode, is_quick
from pytest_wandr.fetch.failure import FetchFailed


@given(
    st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "gzip, gzip", "br", "identity", "", " , ,"])
)
def test_no_body_breaks_the_decoder_or_its_cap(body, coding):
    with suppress(FetchFailed):
        assert len(decode(body, coding, Limits(decoded=100))) <= 100


PACK = {"gzip": gzip.compress, "deflate": zlib.compress}


@given(st.binary(max_size=200), st.lists(st.sampled_from(sorted(PACK)), max_size=2))
def test_what_was_packed_is_unpacked(body, codings):
    packed = body
    for name in codings:
        packed = PACK[name](packed)
    assert decode(packed, ", ".join(codings), Limits()) == body


@pytest.mark.parametrize("size", [99, 100, 101])
@pytest.mark.parametrize("coding", ["", "gzip", "deflate"])
def test_the_cap_is_exact(size, coding):
    body = b"a" * size
    packed = PACK[coding](body) if coding else body
    if size <= 100:
        assert decode(packed, coding, Limits(decoded=100)) == body
    else:
        with pytest.raises(FetchFailed, match="over 100 bytes") as caught:
            decode(packed, coding, Limits(decoded=100))
        assert caught.value.problem.kind == "decoded_too_large"


def test_members_count_together():
    packed = gzip.compress(b"a" * 60) * 2
    assert decode(packed, "gzip", Limits(decoded=120)) == b"a" * 120
    with pytest.raises(FetchFailed):
        decode(packed, "gzip", Limits(decoded=119))


def test_a_second_member_that_breaks_off_is_ignored():
    packed = gzip.compress(b"whole") + gzip.compress(b"half" * 50)[:-9]
    assert decode(packed, "gzip", Limits()) == b"whole"


def test_an_empty_body_needs_no_coding():
    assert decode(b"", "gzip, deflate", Limits()) == b""


EMPTY = gzip.compress(b"", mtime=0)


def test_members_without_end_are_not_unpacked_one_by_one():
    assert decode(EMPTY * 255 + gzip.compress(b"last"), "gzip", Limits()) == b"last"
    with pytest.raises(FetchFailed, match="over 256 compressed members") as caught:
        decode(EMPTY * 256 + gzip.compress(b"last"), "gzip", Limits())
    assert caught.value.problem.kind == "bad_coding"


def test_members_that_only_a_second_coding_shows_are_counted_too():
    packed = gzip.compress(EMPTY * 400_000)
    with pytest.raises(FetchFailed, match="members"):
        decode(packed, "gzip, gzip", Limits())


@pytest.mark.parametrize(
    ("size", "coding", "quick"),
    [(9_000_000, "", True), (64_000, "gzip", True), (64_001, "gzip", False), (10, "gzip, gzip", False)],
)
def test_only_what_may_take_long_is_decoded_in_a_thread(size, coding, quick):
    assert is_quick(bytes(size), coding) is quick
