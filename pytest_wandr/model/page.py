"""What did a cited url lead to? A page, or a problem."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pytest_wandr.model.base import Frozen

FetchKind: TypeAlias = Literal[
    # caused by what was cited: decided, so the page is unusable
    "blocked", "dns", "connect", "tls", "timeout", "protocol", "redirect_loop", "redirect_limit",
    "refused", "gone", "http_error", "http_retryable", "rate_limited", "body_too_large",
    "decoded_too_large", "too_many_codings", "unknown_coding", "bad_coding", "truncated_coding",
    "empty", "binary",
    # caused by the harness: undecided
    "not_recorded", "internal",
]  # fmt: skip
UNDECIDED_FETCHES = frozenset({"not_recorded", "internal"})


class FetchProblem(Frozen):
    """Why a url gave no page."""

    kind: FetchKind
    detail: str = ""

    @property
    def decided(self) -> bool:
        """False when the harness, not the submission, is the cause."""
        return self.kind not in UNDECIDED_FETCHES


class Page(Frozen):
    """What a cited url led to: decoded body bytes, or a problem. `digest` is the sha256 of the body.

    `note` says why a browser was of no help, where one was asked for.
    """

    url: str
    final_url: str
    status: int = 0
    media_type: str = ""
    body: bytes = b""
    digest: str = ""
    via: Literal["cassette", "http", "browser"] = "cassette"
    hops: tuple[str, ...] = ()
    problem: FetchProblem | None = None
    note: str = ""
