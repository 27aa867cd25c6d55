"""Is what an agent quotes really on the page, and is the page any good?

`read_page` turns bytes into text, `find_excerpt` says whether an excerpt is on the page word for word, and
`page_problem` says why a page is no evidence at all. No model is asked, nothing is fetched.
"""

from __future__ import annotations

from pytest_wandr.evidence.excerpt import ExcerptMatch, find_excerpt
from pytest_wandr.evidence.page import PageText
from pytest_wandr.evidence.usability import page_problem

__all__ = ["ExcerptMatch", "PageText", "find_excerpt", "page_problem", "read_page"]


def read_page(body: bytes, *, media_type: str | None = None, url: str = "") -> PageText:
    """The text of a page. Never raises: what cannot be read says so in `problem`."""
    return PageText(body, media_type=media_type or "", url=url)
