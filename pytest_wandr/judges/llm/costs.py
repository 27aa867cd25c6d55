"""What can a call cost at worst, what has it cost, and is the reported usage believable?"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_wandr.judges.llm.config import Price
    from pytest_wandr.judges.llm.exchange import Usage

_MILLION = 10**6
_AROUND = 2000
"""Tokens that a server may put around what it was sent: marks of roles, a text about the reply's form."""


def most_input(size: int) -> int:
    """How many tokens a body of so many bytes can be: no tokenizer makes more tokens than there are bytes."""
    return size + _AROUND


def worst_case(price: Price | None, *, size: int, max_tokens: int) -> Decimal:
    """Dollars, when every byte is a token and the reply is as long as it may be. 0 without a price."""
    if price is None:
        return Decimal(0)
    dearest = max(price.input, price.cached or Decimal(0))
    return (most_input(size) * dearest + max_tokens * price.output) / _MILLION


def cost_of(price: Price | None, usage: Usage) -> Decimal:
    """Dollars for what was used. 0 without a price."""
    if price is None:
        return Decimal(0)
    cached = price.input if price.cached is None else price.cached
    fresh = usage.input - usage.cached
    return (fresh * price.input + usage.cached * cached + usage.output * price.output) / _MILLION


def believable(usage: Usage, *, size: int, max_tokens: int) -> bool:
    """False for numbers that cannot be: no input, or more than was sent or allowed."""
    return (
        0 < usage.input <= most_input(size)
        and 0 <= usage.cached <= usage.input
        and 0 <= usage.output <= max_tokens
    )
