"""Which problem is this exception? The only place that knows the exceptions of the HTTP stack."""

from __future__ import annotations

import ssl

import httpx

from pytest_wandr.model import FetchKind, FetchProblem


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
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return FetchFailed("tls", f"the certificate is not trusted: {cause.verify_message}")
        if isinstance(cause, ssl.SSLError):
            return FetchFailed("tls", "no TLS connection could be agreed on")
        cause = cause.__cause__ or cause.__context__
    return FetchFailed("connect", "the connection was refused", again=True)
