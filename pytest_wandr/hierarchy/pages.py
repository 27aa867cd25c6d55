"""Which records of one place cite the same page? See scoring.md section 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.hierarchy.entries import Entry, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.hierarchy.names import KeyNames


def pages_of(entries: Sequence[Entry], names: KeyNames) -> tuple[list[list[Entry]], int]:
    """Records joined into pages, and how many pages there seem to be by url alone."""
    parent = list(range(len(entries)))
    urls: dict[str, int] = {}
    finals: dict[str, int] = {}
    digests: dict[str, int] = {}
    for number, entry in enumerate(entries):
        if not visible(entry.url):
            _join(parent, urls.setdefault("", number), number)
            continue
        _join(parent, urls.setdefault(names.page(entry.url), number), number)
        page = entry.page
        if page and page.final_url:
            _join(parent, finals.setdefault(names.page(page.final_url), number), number)
        if page and page.digest:
            _join(parent, digests.setdefault(page.digest, number), number)
    pages: dict[int, list[Entry]] = {}
    for number, entry in enumerate(entries):
        pages.setdefault(_root(parent, number), []).append(entry)
    return list(pages.values()), len(urls)


def _root(parent: list[int], number: int) -> int:
    while parent[number] != number:
        parent[number] = parent[parent[number]]
        number = parent[number]
    return number


def _join(parent: list[int], left: int, right: int) -> None:
    if left == right:  # nobody before has this mark: the usual case
        return
    left, right = _root(parent, left), _root(parent, right)
    parent[max(left, right)] = min(left, right)
