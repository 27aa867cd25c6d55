"""Which records of one place cite the same page? See scoring.md section 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.hierarchy.entries import Entry, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_wandr.hierarchy.names import KeyNames


def pages_of(entries: Sequence[Entry], names: KeyNames) -> tuple[list[list[Entry]], int]:
    """Records joined into pages, and how many pages there seem to be by url alone."""
    parent = list(range(len(entries)))
    first: dict[tuple[str, str], int] = {}
    urls = set()
    for number, entry in enumerate(entries):
        for mark in _marks(entry, names):
            _unite(parent, first.setdefault(mark, number), number)
            if mark[0] == "url":
                urls.add(mark)
    pages: dict[int, list[Entry]] = {}
    for number, entry in enumerate(entries):
        pages.setdefault(_root(parent, number), []).append(entry)
    return list(pages.values()), len(urls)


def _marks(entry: Entry, names: KeyNames) -> Iterator[tuple[str, str]]:
    """What makes two records one page when they share it."""
    if not visible(entry.url):
        yield "url", ""
        return
    yield "url", names.page(entry.url)
    page = entry.page
    if page and page.final_url:
        yield "final url", names.page(page.final_url)
    if page and page.digest:
        yield "digest", page.digest


def _root(parent: list[int], number: int) -> int:
    while parent[number] != number:
        parent[number] = parent[parent[number]]
        number = parent[number]
    return number


def _unite(parent: list[int], left: int, right: int) -> None:
    left, right = _root(parent, left), _root(parent, right)
    parent[max(left, right)] = min(left, right)
