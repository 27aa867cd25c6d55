"""When may a failed request be repeated? The delays, and what a server asks for."""

from __future__ import annotations

import hashlib
from datetime import UTC
from email.utils import parsedate_to_datetime


def delay(url: str, attempt: int) -> float:
    """Seconds before the next attempt: jitter below 1, 2, 4, 8; drawn from the url, not by chance."""
    digest = hashlib.sha256(f"{attempt} {url}".encode("utf-8", "surrogatepass")).digest()
    share = int.from_bytes(digest[:4], "big") / 2**32
    return share * min(8.0, 0.5 * 2.0**attempt)


def retry_after(value: str, now: float) -> float | None:
    """The seconds that a Retry-After header asks for; None when it says nothing that can be read."""
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text) if len(text) <= 9 else None
    try:
        when = parsedate_to_datetime(text)
    except (TypeError, ValueError, OverflowError):  # a day or a year beyond any machine's integers
        return None
    moment = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return max(0.0, moment.timestamp() - now)
