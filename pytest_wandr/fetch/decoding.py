"""What did the server send, decoded? Own decoding, because a cap must hold while it runs, not afterwards."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from pytest_wandr.fetch.failure import FetchFailed

if TYPE_CHECKING:
    from pytest_wandr.fetch.options import Limits

_WINDOW = {"gzip": 31, "x-gzip": 31, "deflate": 15}
_RAW_DEFLATE = -15
_MOST_MEMBERS = 256
"""Members of one body. Each costs a copy of all that follows it, so many tiny ones would take minutes."""
_QUICK = 64_000


def decode(body: bytes, content_encoding: str, limits: Limits) -> bytes:
    """Undo all content codings.

    Raises:
        FetchFailed: an unknown, broken or truncated coding, too many of them, or too much content.
    """
    codings = [name.strip().lower() for name in content_encoding.split(",")]
    codings = [name for name in codings if name not in {"", "identity"}]
    if len(codings) > limits.codings:
        raise FetchFailed("too_many_codings", f"{len(codings)} content codings, over {limits.codings}")
    for name in codings:
        if name not in _WINDOW:
            raise FetchFailed("unknown_coding", f"content coding {name[:40]!r} was not offered")
    for name in reversed(codings):
        body = _inflate(body, name, limits.decoded)
    if len(body) > limits.decoded:
        raise _too_large(limits.decoded)
    return body


def is_quick(body: bytes, content_encoding: str) -> bool:
    """True when decoding takes some milliseconds at worst, and so needs no thread of its own."""
    return not content_encoding or ("," not in content_encoding and len(body) <= _QUICK)


def _inflate(body: bytes, name: str, cap: int) -> bytes:
    try:
        return _members(body, _WINDOW[name], cap)
    except zlib.error:
        pass
    if name == "deflate":
        try:
            return _members(body, _RAW_DEFLATE, cap)
        except zlib.error:
            pass
    raise FetchFailed("bad_coding", f"the body is not {name}, although its header says so")


def _members(body: bytes, window: int, cap: int) -> bytes:
    """All members of a body. What follows a complete member and is none itself is ignored."""
    parts: list[bytes] = []
    total = 0
    while body:
        if len(parts) == _MOST_MEMBERS:
            raise FetchFailed("bad_coding", f"the body has over {_MOST_MEMBERS} compressed members")
        unpacker = zlib.decompressobj(window)
        try:
            part = unpacker.decompress(body, cap - total + 1)
        except zlib.error:
            if parts:
                break
            raise
        total += len(part)
        if total > cap:
            raise _too_large(cap)
        if not unpacker.eof:
            if parts:
                break
            raise FetchFailed("truncated_coding", "the compressed body breaks off")
        parts.append(part)
        body = unpacker.unused_data
    return b"".join(parts)


def _too_large(cap: int) -> FetchFailed:
    return FetchFailed("decoded_too_large", f"over {cap} bytes after decoding")
