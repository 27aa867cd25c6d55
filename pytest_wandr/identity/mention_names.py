"""Does a text name this company, product, place or paper, and not a longer name that contains it?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_wandr.identity.fold import clean
from pytest_wandr.identity.forms import Form
from pytest_wandr.identity.mention_context import after, before, bracket_behind
from pytest_wandr.identity.page_words import Words, spans, words_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_JOINTS = frozenset("-‐‑–'’ʼ.&/·®™+@#")
_SPACED_ABBREVIATION = 4
_ARABIC_PREFIX = "(?:^| )(?:ال|و|ب|ل|لل|ك|ف|وال|بال|ה|ו|ב|ל|מ|ש|כ)?"


def named(kind: str, form: Form, words: Words, others: Sequence[tuple[int, int]] = ()) -> bool | None:
    """True with one clean mention; None when every candidate is open; False otherwise.

    `others` are places of longer names that the author calls distinct: what they cover does not count.
    """
    found: list[bool | None] = [True] if form.native and in_native(form.native, words.native) else []
    places = spans(form.joined, form.digits, words)
    if form.native:  # other words may stand next to the native ones
        places += spans(form.native.partition(":")[2], form.digits, words)
    for start, end in places:
        if not holds_together(kind, form, words, start, end) or _is_covered(start, end, others):
            continue
        verdict = _case(form, words, start, end)
        if verdict is not False:
            behind = words.is_possessive(end - 1, form.joined) or after(kind, words, end)
            verdict = worst((verdict, before(kind, words, start), behind))
        if verdict:
            return True
        found.append(verdict)
    return best(found)


def _is_covered(start: int, end: int, others: Sequence[tuple[int, int]]) -> bool:
    return any(low <= start and end <= high and high - low > end - start for low, high in others)


def qualified(kind: str, form: Form, words: Words) -> bool | None:
    """A name with a bracket: its main part counts when the page says the bracket's words too."""
    main = form.tokens[: -len(form.qualifiers)]
    joined = "".join(main)
    digits = tuple(re.findall(r"\d+", " ".join(main)))
    wanted = set(form.qualifiers)
    found: list[bool | None] = []
    for start, end in spans(joined, digits, words):
        if not holds_together(kind, form, words, start, end):
            continue
        inside = bracket_behind(words, end)
        if inside:
            found.append(wanted <= inside)
        else:
            verdict = worst((before(kind, words, start), after(kind, words, end)))
            found.append(verdict and (True if wanted <= words.said else None))
    return best(found)


def literal_form(name: str) -> tuple[Form, ...]:
    """The name word by word, brackets and all, as a page may write it; nothing for a name without words."""
    tokens = tuple(readings[0] for readings in words_in(name)[1])
    if not tokens:
        return ()
    text = " ".join(tokens)
    digits = tuple(re.findall(r"\d+", text))
    return (Form(tokens, text, "".join(tokens), digits, frozenset(), frozenset(tokens), raw=name),)


def best(found: Iterable[bool | None]) -> bool | None:
    """True before None before False; False for nothing."""
    verdict: bool | None = False
    for each in found:
        if each:
            return True
        if each is None:
            verdict = None
    return verdict


def worst(found: Iterable[bool | None]) -> bool | None:
    """False before None before True."""
    verdicts = set(found)
    if False in verdicts:
        return False
    return None if None in verdicts else True


def holds_together(kind: str, form: Form, words: Words, start: int, end: int) -> bool:
    """Whether no full stop, comma or cell border cuts the match in two."""
    if end - start == 1:
        return True
    allowed = _allowed(form.raw)
    for at in range(start, end - 1):
        gap = words.gaps[at]
        if words.is_possessive(at, form.joined):
            return False
        if gap.isspace() or not gap:
            continue
        if "." in gap and gap.strip() != gap and _may_end_sentence(words.written[at]):
            return False
        if kind not in {"paper", "text"} and not set(gap.replace(" ", "").replace("\n", "")) <= allowed:
            return False
    return True


def _may_end_sentence(word: str) -> bool:
    """Whether a full stop and a blank behind a word end more than a short word, or initials like `A.B.C`."""
    return len(word) > _SPACED_ABBREVIATION and not ("." in word and word.replace(".", "").isalpha())


@lru_cache(maxsize=1024)
def _allowed(raw: str) -> frozenset[str]:
    """The signs that may stand inside the name."""
    return _JOINTS | {char for char in clean(raw) if not char.isalnum()}


def _case(form: Form, words: Words, start: int, end: int) -> bool | None:
    """One plain word in small letters is often no name: `the target price`, `tell us`."""
    raw = form.raw.strip()
    if end - start > 1 or not words.cased or any(char.isupper() for char in words.written[start]):
        return True
    if not form.joined.isalpha() or not raw[:1].isupper() or min(len(form.tokens), len(raw.split())) > 1:
        return True
    return False if raw.isupper() and len(words.written[start]) <= 3 else None


def in_native(native: str, text: str) -> bool:
    """Substring in scripts that write no borders; with borders in those that do."""
    script, _, name = native.partition(":")
    if not name or not text:
        return False
    if script in {"arabic", "hebrew"}:
        return bool(re.search(f"{_ARABIC_PREFIX}{re.escape(name)}(?: |$)", text.replace("  ", " ")))
    if script == "hangul":
        return f" {name}" in f" {text}"
    return name in text.replace(" ", "")
