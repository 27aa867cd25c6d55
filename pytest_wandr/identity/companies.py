"""What is a company's name without its legal form?"""

from __future__ import annotations

import re

from pytest_wandr.identity.tables.legal import (
    BANK_FORMS,
    LEGAL_END,
    LEGAL_FRONT,
    LEGAL_FRONT_PHRASES,
    LEGAL_PHRASES,
    NATIVE_FRONT_OR_END,
)

_CYRILLIC_FRONT = re.compile(r"\s*(?:ао|зао|оао|пао|ооо|ип)(?=\s+[«\"“\w])")
_BY_LAST = {word: [p for p in LEGAL_PHRASES if p[-1] == word] for word in {p[-1] for p in LEGAL_PHRASES}}
_BY_FIRST = {
    word: [p for p in LEGAL_FRONT_PHRASES if p[0] == word] for word in {p[0] for p in LEGAL_FRONT_PHRASES}
}
_BANK_LAST = frozenset(form[-1] for form in BANK_FORMS)
_SHORT = {
    "incorporated": "inc", "corporation": "corp", "limited": "ltd", "company": "co", "comp": "co",
    "aktiengesellschaft": "ag", "aktiebolag": "ab", "aktieselskab": "as",
}  # fmt: skip
LEGAL_WORDS = LEGAL_END | LEGAL_FRONT | _BY_LAST.keys() | _BY_FIRST.keys() | _SHORT.keys() | _BANK_LAST
"""Words that may be a legal form, or end or begin one."""


def strip_legal_form(tokens: list[str]) -> list[str]:
    """Tokens without legal forms at the end, or of the strict list at the front; never without any token."""
    rest = tokens
    while (shorter := _without_end(rest)) is not rest:
        rest = shorter
    while (shorter := _without_front(rest)) is not rest:
        rest = shorter
    return rest


def _without_end(tokens: list[str]) -> list[str]:
    if len(tokens) < 2:
        return tokens
    last = tokens[-1]
    for phrase in _BY_LAST.get(last, ()):
        size = len(phrase)
        if size < len(tokens) and tuple(tokens[-size:]) == phrase:
            return tokens[:-size]
    if last in _BANK_LAST:
        return _without_bank_form(tokens)
    return tokens[:-1] if last in LEGAL_END else tokens


def _without_bank_form(tokens: list[str]) -> list[str]:
    for form in BANK_FORMS:
        size = len(form)
        if tuple(tokens[-size:]) == form and tokens[-size - 1 : -size] == ["bank"]:
            return tokens[:-size]
    return tokens


def _without_front(tokens: list[str]) -> list[str]:
    if len(tokens) < 2:
        return tokens
    first = tokens[0]
    for phrase in _BY_FIRST.get(first, ()):
        if len(phrase) < len(tokens) and tuple(tokens[: len(phrase)]) == phrase:
            return tokens[len(phrase) :]
    return tokens[1:] if first in LEGAL_FRONT else tokens


def strip_native_form(text: str) -> str:
    """A name in a native script without the form glued to it."""
    if found := _CYRILLIC_FRONT.match(text):
        return text[found.end() :]
    for form in NATIVE_FRONT_OR_END:
        if form in text:
            bare = text.strip().removeprefix(form).removesuffix(form)
            if bare.strip():
                return bare
    return text


def short_legal_form(tokens: list[str]) -> list[str]:
    """The last word's legal form in its short spelling, for authors who keep the form."""
    return [*tokens[:-1], _SHORT.get(tokens[-1], tokens[-1])] if tokens else tokens
