"""A judge that knows the truth gives the verdicts of the checks, over each protocol, alone or in company."""

import pytest

from pytest_wandr.testing import StandIn
from tests.judges.wandr_demo import NAMES, PROTOCOLS, Project, parts_of, spec, truth


@pytest.fixture(scope="module")
def standin():
    with StandIn(map(spec, NAMES)) as running:
        yield running


@pytest.mark.parametrize(
    ("name", "protocol"), [(name, PROTOCOLS[at % 3]) for at, name in enumerate(NAMES)], ids=NAMES
)
def test_the_verdicts_are_those_of_the_checks(name, protocol, standin, tmp_path):
    project = Project(tmp_path)
    project.add(name)
    project.configure(standin.config(protocol))
    standin.forget()
    expected, found = truth(name, tmp_path), project.evaluate(name)
    assert found.submission.records == expected.submission.records
    assert found.score.rewards == expected.score.rewards
    asked = 0
    for right, given in zip(expected.verdicts, found.verdicts, strict=True):
        assert (given.full, given.retrieval) == (right.full, right.retrieval)
        told = parts_of(given)
        asked += any(part.code == "judged" for part in told.values())
        for part, wanted in parts_of(right).items():
            # What could change nothing was not asked; everything else is as the checks decide.
            assert told[part].value is wanted.value or told[part].code == "not_asked", (part, told[part])
    assert asked > len(found.verdicts) / 2
    assert standin.count == asked + 2  # with two canaries


@pytest.mark.parametrize(("mode", "rate"), [("honest", 0.0), ("noisy", 0.2)])
def test_records_that_share_a_call_get_the_verdicts_that_they_get_alone(mode, rate, tmp_path):
    found, calls = {}, {}
    for share in (1, 8):
        project = Project(tmp_path / str(share))
        project.add("listed_issuers")
        with StandIn([spec("listed_issuers")], mode=mode, rate=rate) as standin:
            project.configure(standin.config(share_pages=share, canaries=False))
            judged = project.evaluate("listed_issuers")
        found[share] = [
            {part: value.value for part, value in parts_of(verdict).items()} for verdict in judged.verdicts
        ]
        calls[share] = standin.count
    assert found[1] == found[8]
    assert calls[8] < 0.8 * calls[1]
