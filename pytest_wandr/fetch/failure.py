"""Which problem is this exception? The only place that knows the exceptions of the HTTP stack."""

from __future__ import annotations

import errno
import ssl
from typing import TYPE_CHECKING

import httpx

from pytest_wandr.model import FetchKind, FetchProblem

if TYPE_CHECKING:
    from collections.abc import Iterator

_OUR_TROUBLE = frozenset({
    errno.ENETUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL, errno.EMFILE, errno.ENFILE, errno.EACCES,
    errno.EPERM,
})  # fmt: skip
"""No network, no IPv6, no more files: causes on this side, which say nothing about what was cited."""


class FetchFailed(Exception):
    """A fetch ended without an answer. `again`: another attempt may succeed."""

    def __init__(self, kind: FetchKind, detail: str, *, again: bool = False) -> None:
        super().__init__(detail)
        self.problem = FetchProblem(kind=kind, detail=detail)
        self.again = again


def failure_of(error: Exception) -> FetchFailed:
    """The failure behind an exception of httpx. Its detail depends on the cause, never on the machine."""
    if isinstance(error, FetchFailed):
        return error
    if isinstance(error, httpx.PoolTimeout):
        return FetchFailed("internal", "no free connection; the connection pool is exhausted")
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        return FetchFailed("timeout", "no complete answer in time", again=True)
    if isinstance(error, httpx.ConnectError):
        return _connecting(error)
    return FetchFailed("protocol", "the answer broke off or is no HTTP", again=True)


def _connecting(error: httpx.ConnectError) -> FetchFailed:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return FetchFailed("tls", f"the certificate is not trusted: {cause.verify_message}")
        if isinstance(cause, ssl.SSLError):
            return FetchFailed("tls", "no TLS connection could be agreed on")
        if isinstance(cause, OSError) and cause.errno in _OUR_TROUBLE:
            name = errno.errorcode[cause.errno]
            return FetchFailed("internal", f"this machine could not connect ({name})", again=True)
    return FetchFailed("connect", "the connection was refused", again=True)


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__
