"""When a request may be repeated."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.fetch.retry import delay, retry_after


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0), ("3", 3), (" 120 ", 120), ("86400", 86400), ("", None), ("nan", None), ("inf", None),
        ("-1", None),
        ("1.5", None), ("1e3", None), ("９", None), ("999999999", 999999999),
        ("Thu, 01 Jan 1970 02:02:00 +0200", 20), ("9999999999", None), ("soon", None), ("Fri, 99 Foo",
        None),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 01 Jan 1970 00:02:00", 20), ("Fri, 31 Dec 99999 00:00:00 GMT", None),
        ("Mon, 99999999999999999999 Jan 2024 00:00:00 GMT", None),
        ("Mon, 01 Jan 2024 00:00:00 +99999999999999999999", None),
        ("Mon, 01 Jan 2024 99999999999:00:00 GMT", None),
    ],
)  # fmt: skip
def test_retry_after_is_read_or_ignored(value, seconds):
    assert retry_after(value, now=100.0) == seconds


def test_a_date_without_a_zone_is_universal_time(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert retry_after("Thu, 01 Jan 1970 00:02:00", now=100.0) == 20
    finally:
        monkeypatch.undo()
        time.tzset()


@given(st.text())
def test_no_retry_after_raises(value):
    seconds = retry_after(value, now=0.0)
    assert seconds is None or seconds >= 0


def test_delays_grow_within_bounds_and_are_the_same_every_time():
    for attempt in range(1, 8):
        waits = [delay(f"https://harbour.com/{n}", attempt) for n in range(50)]
        assert waits == [delay(f"https://harbour.com/{n}", attempt) for n in range(50)]
        assert 0 <= min(waits) < max(waits) <= min(8, 0.5 * 2**attempt)
