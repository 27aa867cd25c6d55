"""A stand-in for the pipeline: each task folder says in fake.json what becomes of it.

Loaded by the conftest.py of the projects that the tests make, in every process of the inner run.
"""

import json
import os

from pytest_wandr import pipeline
from pytest_wandr.errors import CannotReplay
from pytest_wandr.hierarchy.paths import PathRow
from pytest_wandr.hierarchy.place import Group
from pytest_wandr.hierarchy.shape import shape_of
from pytest_wandr.model import (
    Diagnostics,
    KeySpec,
    NodeSpec,
    PathCounts,
    Probes,
    Structure,
    Submission,
    TaskSpec,
)
from pytest_wandr.rewards import REWARDS
from pytest_wandr.score import Scored
from pytest_wandr.task import load_task


def a_path(name, outcome="proven", **rest):
    """A path of the fake hierarchy."""
    return PathRow(node="main", path=(name, f"https://{name}.example/"), outcome=outcome, **rest)


def a_score(task_id, *, f1=1.0, paths=(), undecided=None, rewards=None):
    """A score with these paths; counts follow from them."""
    required = [path for path in paths if path.required]
    slots = {kind: sum(path.slots for path in required if path.outcome == kind) for kind in OUTCOMES}
    counts = PathCounts(
        wanted=sum(slots.values()),
        found=sum(slots.values()) - slots["missing"],
        surplus=len(paths) - len(required),
        **slots,
    )
    none = dict.fromkeys(("page_unusable", "invalid", "unsatisfied", "unsupported", "unfaithful"))
    return Scored(
        task_id=task_id,
        rewards=dict.fromkeys(REWARDS, f1) | (rewards or {}),
        root=Group(shape_of(SPEC)),
        paths=tuple(paths),
        diagnostics=Diagnostics(
            counts=counts,
            structure=Structure(discovery=1.0, enrichment=None, evidence=1.0, duplicate_loss={}, surplus=1.0),
            probes=Probes(judged=0, **none),
            undecided=undecided or {},
        ),
    )


KEYS = (KeySpec(name="company", required=1), KeySpec(name="url", kind="url", required=1))
SPEC = TaskSpec(id="fake", nodes=(NodeSpec(name="main", keys=KEYS),))
OUTCOMES = ("proven", "unproven", "undecided", "missing")


async def evaluate(folder, *, system, judge, settings):
    """What `pipeline.evaluate` would return, as fake.json wants it."""
    task = load_task(folder)
    fake = json.loads((folder / "fake.json").read_text())
    if fake.get("die"):
        os._exit(13)
    if "error" in fake:
        raise CannotReplay(fake["error"])
    if "bug" in fake:
        raise ZeroDivisionError(fake["bug"])
    paths = [PathRow(**path | {"path": tuple(path["path"])}) for path in fake["paths"]]
    score = a_score(task.id, f1=fake["f1"], paths=paths, undecided=fake.get("undecided"))
    submission = Submission(task_id=task.id, system=settings.system_name)
    return pipeline.Evaluation(task, submission, (), score, pipeline.report_of(task, submission, score))


def install(config):
    """Put the fake in the place of the pipeline until this session ends."""
    real = pipeline.evaluate
    pipeline.evaluate = evaluate
    config.add_cleanup(lambda: setattr(pipeline, "evaluate", real))
