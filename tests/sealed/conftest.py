"""One sealed web, one library and one built demo for all tests of this folder."""

import pytest

from pytest_wandr.sealed import open_web
from pytest_wandr.sealed.demo.catalog import catalog
from pytest_wandr.sealed.demo.prove import Library


@pytest.fixture(scope="session")
def web():
    return open_web("demo-1")


@pytest.fixture(scope="session")
def library(web):
    return Library(web)


@pytest.fixture(scope="session")
def tasks(library):
    return {task.id: task for task in catalog(library)}
