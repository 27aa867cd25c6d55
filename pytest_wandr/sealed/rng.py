"""How does the sealed web draw? Keyed integers: a draw depends on its names alone, on no other draw."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")


class Rng:
    """A stream of integers for one path of names. One decision, one path: `rng.sub("release").chance(78)`."""

    def __init__(self, *path: str | int, key: bytes = b"") -> None:
        text = "\x1f".join(map(str, path)).encode()
        self._key = hashlib.blake2b(text, key=key, digest_size=32).digest()
        self._counter = 0

    def sub(self, *path: str | int) -> Rng:
        """The stream below this one, untouched by what was drawn here."""
        return Rng(*path, key=self._key)

    def below(self, n: int) -> int:
        """An integer from 0 to n - 1."""
        block = self._counter.to_bytes(8, "big")
        self._counter += 1
        word = hashlib.blake2b(block, key=self._key, digest_size=4).digest()
        return int.from_bytes(word, "big") * n >> 32

    def between(self, low: int, high: int) -> int:
        """An integer from low to high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """True in that many of a hundred draws."""
        return self.below(100) < percent

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """All options in a drawn order (Fisher-Yates)."""
        out = list(options)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out

    def sample(self, options: Sequence[T], count: int) -> list[T]:
        """That many different options (or all), in a drawn order."""
        return self.shuffled(options)[:count]
