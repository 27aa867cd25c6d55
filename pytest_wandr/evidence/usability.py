"""Why is a page no evidence: an error page, a wall, a shell, nothing at all?"""
from __future__ import annotations

from pytest_wandr.evidence.page import PageText


def page_problem(page: PageText, *, status: int = 200) -> str | None:
    """Why a page is unusable; its first words name the kind."""
    return page.problem
