"""A store, and ways to put pages into it."""

import pytest

from pytest_wandr.cassettes import Entry, PageStore


@pytest.fixture
def store(tmp_path):
    return PageStore(tmp_path / "rail", environment={})


@pytest.fixture
def put():
    """put(store, url, body): record a page with status 200, or what else is said."""

    def one(store, url, body=b"a page", **rest):
        after = rest.pop("after", "")
        via = rest.pop("via", "http")
        return store.put(Entry.of(url, via=via, after=after, **{"status": 200, **rest}), body)

    return one
