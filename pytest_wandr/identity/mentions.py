"""Does a text name this thing?"""

from __future__ import annotations

from pytest_wandr.identity.compare import check_kind, flags_of
from pytest_wandr.identity.forms import NAME_KINDS, Form, forms_of
from pytest_wandr.identity.page_words import Words, words_of
from pytest_wandr.model import IdentityOptions


def mentioned(kind: str, name: str, text: str, options: IdentityOptions | None = None) -> bool | None:
    """True or False; None only when the text leaves it open."""
    check_kind(kind)
    options = options or IdentityOptions()
    words = words_of(text)
    names = [name]
    for canonical, variants in options.aliases.items():
        if name in (canonical, *variants):
            names += [canonical, *variants]
    return any(_named(kind if kind in NAME_KINDS else "text", n, words, options) for n in names)


def _named(kind: str, name: str, words: Words, options: IdentityOptions) -> bool:
    return any(spans(form, words) for form in forms_of(kind, name, flags_of(options)))


def spans(form: Form, words: Words) -> list[tuple[int, int]]:
    """Where the words of a text, joined, are the name: first word and one past the last."""
    found: list[tuple[int, int]] = []
    joined = form.joined
    for size in range(1, len(joined) + 1):
        for start in words.places.get(joined[:size], ()):
            if end := _match(joined, size, words, start + 1):
                found.append((start, end))
    return found


def _match(joined: str, size: int, words: Words, at: int) -> int:
    while size < len(joined):
        if at >= len(words.readings):
            return 0
        step = next((len(r) for r in words.readings[at] if joined.startswith(r, size)), 0)
        if not step:
            return 0
        size += step
        at += 1
    return at
