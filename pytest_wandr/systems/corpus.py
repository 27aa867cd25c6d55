"""Which pages may a system read offline? The ones recorded for its task: read, follow, search.

The search is BM25 in whole numbers (ties by url), so that a system that uses it is repeatable.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_wandr.cassettes import PageStore

_WORD = re.compile(r"[a-z0-9]+")
_SNIPPET = 160
_TITLE_WEIGHT = 3


class Hit(NamedTuple):
    """One search result."""

    url: str
    title: str
    snippet: str
    score: int


@dataclass(frozen=True)
class CorpusPage:
    """A recorded page as a reader sees it. Every block is a verbatim passage of the page."""

    url: str
    title: str
    text: str
    links: tuple[str, ...]

    @property
    def blocks(self) -> tuple[str, ...]:
        """The paragraphs, headings, cells and list items, in order."""
        return tuple(line for line in map(str.strip, self.text.split("\n")) if line)


class Corpus:
    """The pages that were recorded for one task."""

    def __init__(self, store: PageStore) -> None:
        self._store = store
        self.page = lru_cache(maxsize=None)(self._page)

    def urls(self) -> tuple[str, ...]:
        """All recorded urls, sorted."""
        return tuple(sorted(self._store.urls()))

    def _page(self, url: str) -> CorpusPage | None:
        """The page at a url, or None when it was not recorded or is no readable page."""
        from pytest_wandr.evidence import page_problem, read_page

        page = self._store.get(url)
        if page is None or page.problem is not None:
            return None
        text = read_page(page.body, media_type=page.media_type, url=page.final_url)
        if page_problem(text, status=page.status):
            return None
        return CorpusPage(url=page.url, title=text.title, text=text.text, links=tuple(text.links))

    def pages(self) -> Iterator[CorpusPage]:
        """All readable pages, by url."""
        for url in self.urls():
            page = self.page(url)
            if page is not None:
                yield page

    def search(self, query: str, limit: int = 10) -> tuple[Hit, ...]:
        """The pages that fit a query best. `score` only orders."""
        words = tuple(dict.fromkeys(_words(query)))
        scores: Counter[str] = Counter()
        for word in words:
            postings = self._index.get(word, {})
            weight = _rarity(len(self._lengths), len(postings))
            for url, count in postings.items():
                scores[url] += weight * _saturation(count, self._lengths[url], self._mean)
        best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
        return tuple(self._hit(url, score, words) for url, score in best)

    def _hit(self, url: str, score: int, words: tuple[str, ...]) -> Hit:
        page = self.page(url)
        assert page is not None  # only readable pages are indexed
        best = max(page.blocks, key=lambda block: len(set(_words(block)) & set(words)), default="")
        return Hit(url, page.title, best[:_SNIPPET], score)

    @cached_property
    def _counts(self) -> Mapping[str, Counter[str]]:
        return {
            page.url: Counter(_words(page.text) + _TITLE_WEIGHT * _words(page.title)) for page in self.pages()
        }

    @cached_property
    def _index(self) -> Mapping[str, Mapping[str, int]]:
        index: dict[str, dict[str, int]] = {}
        for url, counts in self._counts.items():
            for word, count in counts.items():
                index.setdefault(word, {})[url] = count
        return index

    @cached_property
    def _lengths(self) -> Mapping[str, int]:
        return {url: counts.total() for url, counts in self._counts.items()}

    @cached_property
    def _mean(self) -> int:
        return max(1, sum(self._lengths.values()) // max(1, len(self._lengths)))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _rarity(pages: int, with_word: int) -> int:
    """log2((2N+2)/(2n+1)) in steps of 1/256, by integer squaring: no float decides a rank."""
    ratio = ((2 * pages + 2) << 32) // (2 * with_word + 1)
    whole = ratio.bit_length() - 33
    mantissa, steps = ratio >> max(0, whole) if whole >= 0 else ratio << -whole, 0
    for bit in (128, 64, 32, 16, 8, 4, 2, 1):
        mantissa = (mantissa * mantissa) >> 32
        if mantissa >> 33:
            mantissa >>= 1
            steps += bit
    return max(1, whole * 256 + steps)


def _saturation(count: int, length: int, mean: int) -> int:
    norm = 1200 * (250 + 750 * length // mean) // 1000
    return count * 1000 * 255 // (count * 1000 + norm)
