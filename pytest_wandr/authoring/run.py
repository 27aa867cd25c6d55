"""Audit and estimate from a command line: several tasks, one judge, one ledger."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_wandr.authoring.audit import Audit, audit
from pytest_wandr.budget import open_ledger
from pytest_wandr.judges import Setup, resolve
from pytest_wandr.judges.llm.llm import Llm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.judges.llm.exchange import Spent


async def audit_all(  # noqa: PLR0913 -- what a command line says
    folders: Sequence[Path], judge: str, *, cassettes: Path, budget: str, mutations: int, repeats: int
) -> tuple[list[Audit], Spent | None]:
    """The audits in the order of the folders, and what they have cost; None for a judge that asks nobody.

    Raises:
        WandrError: a package or the judge cannot be used.
    """
    with tempfile.TemporaryDirectory(prefix="wandr-audit-") as run:
        setup = Setup(rootdir=Path.cwd(), cassettes=cassettes, run=Path(run), budget=budget)
        asked = resolve(judge, setup)
        audits = [
            await audit(folder, asked, cassettes=cassettes, mutations=mutations, repeats=repeats)
            for folder in folders
        ]
        spent = open_ledger(setup.run, budget).totals() if isinstance(asked, Llm) else None
    return audits, spent
