"""Where does filler come from? A small grammar over word lists of our own; it states no fact."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, TypeAlias

from pytest_wandr.sealed.world import paragraph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_wandr.sealed.rng import Rng
    from pytest_wandr.sealed.world import Block

Theme: TypeAlias = Literal["business", "town", "goods"]

_HOLE = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeio]|honest)")


@cache
def sections(name: str) -> Mapping[str, tuple[str, ...]]:
    """A text file of the package as {section: lines}; `#` starts a comment line."""
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in files("pytest_wandr.sealed").joinpath(name).read_text("utf-8").splitlines():
        if line.startswith("["):
            current = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            current.append(line)
    return {key: tuple(lines) for key, lines in found.items()}


def sentence(rng: Rng, theme: Theme) -> str:
    """One filler sentence."""
    return _expand(rng.pick(sections("lexicon/filler.txt")["any"]), rng, theme)


def sentences(rng: Rng, theme: Theme, count: int) -> list[str]:
    """That many different filler sentences; one that was just said is drawn again, at most four times."""
    said: list[str] = []
    for i in range(count):
        tries = (sentence(rng.sub(i, attempt), theme) for attempt in range(5))
        said.append(next((text for text in tries if text not in said), sentence(rng.sub(i), theme)))
    return said


def filler(rng: Rng, theme: Theme, *, low: int, high: int) -> list[Block]:
    """Paragraphs that state nothing: that many sentences, two to four in each."""
    said = sentences(rng.sub("filler"), theme, rng.sub("length").between(low, high))
    size = rng.sub("size").between(2, 4)
    return [paragraph(" ".join(said[i : i + size])) for i in range(0, len(said), size)]


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def _expand(template: str, rng: Rng, theme: Theme) -> str:
    used: set[str] = set()

    def fill(hole: re.Match[str]) -> str:
        name = hole[1]
        key = name.lower().replace("x_", f"{theme}_")
        options = [word for word in sections("lexicon/words.txt")[key] if word not in used]
        word = rng.pick(options)
        used.add(word)
        return capital(word) if name[0].isupper() else word

    return _ARTICLE.sub(r"\1n ", capital(_HOLE.sub(fill, template)))
