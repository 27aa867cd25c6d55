"""How does a name become the judge llm? Configuration, one ledger for the run, an endpoint for each model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.budget import open_ledger
from pytest_wandr.judges.llm import config
from pytest_wandr.judges.llm.endpoint import Endpoint
from pytest_wandr.judges.llm.llm import Llm, Member, Ways
from pytest_wandr.judges.llm.prompt import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.judges import Setup
    from pytest_wandr.judges.llm.config import JudgeConfig


def make(name: str, setup: Setup) -> Llm:
    """The judge `llm`, `llm:NAME` or `PROTOCOL:MODEL`. Nothing is dialled or written yet.

    Raises:
        JudgeError: its configuration has mistakes, a key is missing, or a budget in dollars has no price.
    """
    whole = config.read(setup.rootdir, name)
    ledger = open_ledger(setup.run, setup.budget)
    asked = config.members(setup.rootdir, whole)
    members = [Member(member.name, Endpoint(member, setup, ledger)) for member in asked]
    return Llm(whole.name, members, setup.cassettes, ways_of(whole, asked))


def ways_of(whole: JudgeConfig, asked: Sequence[JudgeConfig]) -> Ways:
    """How the members of a configured judge are asked."""
    return Ways(
        limits=Limits(page_tokens=whole.page_tokens, max_tokens=whole.max_tokens),
        votes=whole.votes,
        share=whole.share_pages,
        at_once=2 * max(member.concurrency for member in asked),
        canaries=whole.canaries,
        confirm_names=whole.confirm_names,
    )
