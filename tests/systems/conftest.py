"""A tiny task, and a context with a few invented recorded pages."""

from dataclasses import dataclass

import pytest

from pytest_wandr.model import KeySpec, NodeSpec, Page, TaskSpec
from pytest_wandr.systems import SolveContext
from pytest_wandr.systems.corpus import Corpus

BODY = (
    b"<title>Board of Tamarind Rail</title><h1>Board</h1><p>Ada Quill\tjoined in May 2026.</p>"
    b"<a href='/next'>n</a>"
)


@dataclass
class FakeStore:
    """Stands in for PageStore: urls and pages."""

    bodies: dict

    def urls(self):
        return list(self.bodies)

    def get(self, url):
        if url not in self.bodies:
            return None
        return Page(url=url, final_url=url, status=200, media_type="text/html", body=self.bodies[url])


@pytest.fixture
def task():
    keys = (KeySpec(name="company", kind="company", required=2), KeySpec(name="url", kind="url", required=1))
    return TaskSpec(
        id="rail",
        instruction="Find rail companies.",
        nodes=(NodeSpec(name="rail", keys=keys), NodeSpec(name="rail.listing", keys=keys)),
    )


@pytest.fixture
def ctx(tmp_path):
    corpus = Corpus(
        FakeStore(
            {
                "https://rail.example/board": BODY,
                "https://rail.example/news": b"<title>News</title><p>Tamarind Rail opened a depot.</p>",
                "https://rail.example/empty": b"",
            }
        )
    )
    return SolveContext(outdir=tmp_path / "out" / "submission.new", corpus=corpus, folder=tmp_path / "rail")
