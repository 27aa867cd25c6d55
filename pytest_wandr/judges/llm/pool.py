"""How is much asked at once, but not too much? A fixed number of hands take the next piece of work."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

T = TypeVar("T")


async def by_hands(works: Sequence[Callable[[], Awaitable[T]]], hands: int) -> list[T]:
    """The results of all works, in their order. The first error ends what is running and is raised."""
    results: dict[int, T] = {}
    left = iter(enumerate(works))

    async def hand() -> None:
        for at, work in left:
            results[at] = await work()

    tasks = [asyncio.ensure_future(hand()) for _ in range(min(hands, len(works)))]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return [results[at] for at in range(len(works))]
