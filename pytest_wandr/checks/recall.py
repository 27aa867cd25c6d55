"""How long is what was read of a text remembered? A few pages, which several records cite, and many lines."""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

SHORT = 4_000
"""Characters of what is no whole page."""
_PAGES, _SHORT_ONES = 8, 128
_More = ParamSpec("_More")
_Read = TypeVar("_Read")
_Reads: TypeAlias = "Callable[Concatenate[str, _More], _Read]"


def recalled(read: _Reads[_More, _Read]) -> _Reads[_More, _Read]:
    """Remember what was read of the last texts; short ones do not push out the pages that they are from."""
    pages, short = (
        cast("_Reads[_More, _Read]", lru_cache(maxsize=size)(read)) for size in (_PAGES, _SHORT_ONES)
    )

    @wraps(read)
    def recall(text: str, /, *more: _More.args, **named: _More.kwargs) -> _Read:
        return (short if len(text) <= SHORT else pages)(text, *more, **named)

    return recall
