"""A small task whose truth is plain, and the documents that ask about it."""

import pytest

from pytest_wandr.model import NodeSpec, TaskSpec

TASK = TaskSpec.model_validate({
    "id": "harbours",
    "nodes": [
        {
            "name": "harbours",
            "keys": [{"name": "town", "kind": "place", "required": 2}, {"name": "url", "required": 1}],
            "answer": ["opened", "fee"],
            "requirements": [
                {"id": "names", "text": "It names it.", "check": {"mentions": ["town"]}, "decisive": True},
                {"id": "opened", "text": "It says when.", "check": {"date": "opened"}, "decisive": True},
                {
                    "id": "source",
                    "text": "It is the harbour's own page.",
                    "check": {"host": ["harbours.example"]},
                    "decisive": True,
                },
                {
                    "id": "open",
                    "text": "It was not closed.",
                    "check": {"not": {"matches": "(?i)closed for good"}},
                    "decisive": True,
                },
            ],
        }
    ],
})  # fmt: skip
PAGE = "Harbours of the coast\nQuaymouth harbour has a long pier. It was opened on 4 May 1998.\nBring a coat."
IDS = ["names", "opened", "source", "open"]


def make_document(page=PAGE, *, town="Quaymouth", excerpts=None, decide=IDS, **page_more):
    excerpts = ["It was opened on 4 May 1998."] if excerpts is None else excerpts
    record = {
        "id": "r1",
        "node": "harbours",
        "item": {"town": town},
        "answer": {"opened": "1998-05-04"},
        "excerpts": excerpts,
        "decide": list(decide),
    }
    return {
        "task": {"id": "harbours", "instruction": "Find harbours.", "guidance": ""},
        "requirements": [{"id": name, "text": "..."} for name in decide],
        "page": {
            "url": "https://harbours.example/quaymouth",
            "declared_language": "en",
            "written_in": "en",
            "passages": [page],
            "left_out": "",
            **page_more,
        },
        "records": [record],
    }


@pytest.fixture
def task():
    assert isinstance(TASK.nodes[0], NodeSpec)
    return TASK
