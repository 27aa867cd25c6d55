"""Which pages are worth a second try in a browser? Asked when recording, and again in every replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_wandr.model import Page

RULE = 1
"""Raised whenever the answers below change: recordings say under which rule they were made."""
_WORTH = frozenset({"script-only shell", "redirect", "challenge", "consent wall", "empty"})
_MENDABLE = frozenset({"refused", "http_retryable", "empty"})
_REFUSED = frozenset({403, 406, 999})
"""Answers of servers that like browsers better; 401 and 451 are meant as they stand."""


def worth_a_browser(page: Page) -> str | None:
    """Why a browser may make more of this page, or None. The words before the colon name the kind."""
    if page.problem is not None and page.problem.kind not in _MENDABLE:
        return None
    if not page.body.strip():
        return "empty: the page is blank" if page.status == 200 else _refusal(page.status)
    from pytest_wandr.evidence import page_problem, read_page  # loads the parser, which a replay may lack

    text = read_page(page.body, media_type=page.media_type or None, url=page.final_url)
    if text.kind != "html":
        return None
    problem = page_problem(text, status=page.status)
    if problem is not None and problem.partition(":")[0] in _WORTH:
        return problem
    return _refusal(page.status)


def _refusal(status: int) -> str | None:
    return f"refused: HTTP status {status}" if status in _REFUSED else None
