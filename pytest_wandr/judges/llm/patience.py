"""When is a failed call tried again? The delays, and what a server asks for."""

from __future__ import annotations

import hashlib
from datetime import UTC
from email.utils import parsedate_to_datetime

RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
UNCERTAIN = frozenset({408, 502, 504, 520, 522, 524})
"""Of these nobody knows whether a model was asked: a gateway gave up waiting, say."""


def delay(body: bytes, attempt: int) -> float:
    """Seconds before the next attempt: jitter below 1, 2, 4, 8; drawn from the request, not by chance."""
    digest = hashlib.sha256(b"%d " % attempt + body).digest()
    share = int.from_bytes(digest[:4], "big") / 2**32
    return share * min(8.0, 0.5 * 2.0**attempt)


def retry_after(value: str, now: float) -> float | None:
    """The seconds that a Retry-After header asks for; None when it says nothing that can be read.

    `now` is seconds since 1970, for a header that holds a date.
    """
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text) if len(text) <= 9 else None
    try:
        when = parsedate_to_datetime(text)
    except (TypeError, ValueError, OverflowError):
        return None
    moment = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return max(0.0, moment.timestamp() - now)
