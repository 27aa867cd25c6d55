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
            _mark(parent, urls, "", number)
            continue
        key = names.page(entry.url)
        _mark(parent, urls, key, number)
        page = entry.page
        if page and page.final_url:
            led_to = key if page.final_url == entry.url else names.page(page.final_url)
            _mark(parent, finals, led_to, number)
        if page and page.digest:
            _mark(parent, digests, page.digest, number)
    pages: dict[int, list[Entry]] = {}
    for number, entry in enumerate(entries):
        pages.setdefault(_root(parent, number), []).append(entry)
    return list(pages.values()), len(urls)


def _root(parent: list[int], number: int) -> int:
    while parent[number] != number:
        parent[number] = parent[parent[number]]
        number = parent[number]
    return number


def _mark(parent: list[int], marks: dict[str, int], mark: str, number: int) -> None:
    """Join a record with the first one that has this mark; usually it is the first itself."""
    first = marks.setdefault(mark, number)
    if first != number:
        left, right = _root(parent, first), _root(parent, number)
        parent[max(left, right)] = min(left, right)
