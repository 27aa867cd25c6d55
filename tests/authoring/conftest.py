import re

import pytest

from pytest_wandr.testing import StandIn
from tests.judges.wandr_demo import ROOT, Project

TASK = "maker_recalls"


@pytest.fixture
def standin():
    with StandIn([ROOT / "tasks" / TASK]) as server:
        yield server


@pytest.fixture
def project(standin, tmp_path, monkeypatch):
    """One demo task without any checks, and the stand-in, which knows them, as its judge."""
    made = Project(tmp_path)
    made.configure(standin.config())
    manifest = made.add(TASK) / "task.toml"
    text, found = re.subn(
        r"^check = \{.*?\}\n(?=decisive)", "", manifest.read_text(), flags=re.MULTILINE | re.DOTALL
    )
    assert found == text.count("decisive = false") > 3
    manifest.write_text(text.replace("decisive = false\n", ""))
    monkeypatch.chdir(tmp_path)
    return made
