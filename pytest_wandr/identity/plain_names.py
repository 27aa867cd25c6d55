"""Which names are words that no rule has anything to do with? Their tokens are those words.

Most names are such, but for a company's legal form: the rules for brackets, numbers, titles and other scripts
need not be asked about them. That takes a tenth of the time.
"""

from __future__ import annotations

import re

from pytest_wandr.identity.companies import strip_legal_form
from pytest_wandr.identity.settled import are_settled

_WORDS = re.compile(r"[A-Za-z]{2,}(?:[ -][A-Za-z]{2,})*")
_COMPANY = re.compile(r"[A-Za-z]{2,}(?:(?:,? |-)[A-Za-z]{2,})*(?:,? ((?:[A-Za-z]\.){1,3}[A-Za-z]))?\.?")


def plain_tokens(kind: str, name: str) -> tuple[str, ...] | None:
    """The tokens of such a name, without a company's legal form; None for every other name.

    Reading the key that they make finds the same tokens again.
    """
    if kind == "company":
        return _company(name)
    if not _WORDS.fullmatch(name):
        return None
    tokens = name.lower().replace("-", " ").split()
    return tuple(tokens) if are_settled(kind, tokens) else None


def _company(name: str) -> tuple[str, ...] | None:
    """The same for `Kestrel Foods, Inc.` or `Kestrel S.A.`."""
    found = _COMPANY.fullmatch(name)
    if not found:
        return None
    text = name.lower()
    if found[1]:
        text = text[: found.start(1)] + text[found.start(1) :].replace(".", "")
    tokens = strip_legal_form(text.rstrip(".").replace("-", " ").replace(",", "").split())
    return tuple(tokens) if are_settled("company", tokens) else None
