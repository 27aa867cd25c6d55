"""Projects with task packages in them, run by pytest inside pytest."""

import importlib
import os
import pkgutil
import sys
from pathlib import Path

import pytest

from pytest_wandr import reports

sys.path.insert(0, str(Path(__file__).parent))  # so that tests and inner runs share one wandr_fakes


@pytest.fixture(scope="session", autouse=True)
def _all_modules_are_loaded_once():
    """Inner runs drop the modules they import; a class that exists twice breaks isinstance."""
    for name in ("plugin", "hookspecs", "items", "pipeline", "systems.function", "judges"):
        importlib.import_module(f"pytest_wandr.{name}")
    for module in pkgutil.iter_modules(reports.__path__, "pytest_wandr.reports."):
        importlib.import_module(module.name)


@pytest.fixture
def project(pytester, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    for name in list(os.environ):
        if name.startswith("PYTEST_XDIST"):
            monkeypatch.delenv(name)
    from wandr_project import Project

    return Project(pytester.path, pytester)
