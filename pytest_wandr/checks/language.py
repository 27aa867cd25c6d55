"""Which language is a text written in? Its script, then its commonest small words; None when it is too short.

Own profiles for some thirty languages instead of a library: offline, linear, the same everywhere. Languages
without a profile are not recognised, and then what the page declares (`<html lang>`) is believed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_wandr.checks.language_words import SCRIPTS, weights
from pytest_wandr.checks.locales import base
from pytest_wandr.checks.logic import no, undecided
from pytest_wandr.checks.plain import plain
from pytest_wandr.model import YES, LanguageIs, Part

if TYPE_CHECKING:
    from pytest_wandr.checks.subject import Subject

_SAMPLE = 40_000
_FEWEST_LETTERS = 20
_FEWEST_WORDS = 12
# A text in a known language has at least one small word in eight; the winner must beat the next by a fifth.
_LEAST_SHARE, _LEAST_LEAD = 0.12, 1.2
_WORD = re.compile(r"[^\W\d_]+")
_LETTER = re.compile(r"[^\W\d_]")
_PERSIAN = re.compile("[پچژگ]")


@lru_cache(maxsize=64)
def language_of(text: str, hint: str | None = None) -> str | None:
    """The ISO 639-1 code of the language that a text is written in; None when it cannot be told.

    `hint` is a declared language. It decides between close relatives, and alone when the text is too short.
    """
    sample = plain(text[:_SAMPLE])
    return _by_script(sample) or _by_words(sample, base(hint)) or base(hint)


def _by_script(sample: str) -> str | None:
    """The language whose own script a third of the letters are in."""
    letters = len(_LETTER.findall(sample))
    if letters < _FEWEST_LETTERS:
        return None
    for lang, letters_of in SCRIPTS:
        share = len(re.findall(f"[{letters_of}]", sample)) / letters
        # Japanese mixes its kana with Han characters, so fewer of them are enough.
        if share > (0.1 if lang == "ja" else 0.35):
            return "fa" if lang == "ar" and len(_PERSIAN.findall(sample)) > letters / 100 else lang
    return None


def _by_words(sample: str, hint: str | None) -> str | None:
    words = _WORD.findall(sample)
    if len(words) < _FEWEST_WORDS:
        return None
    scores: defaultdict[str, float] = defaultdict(float)
    known = 0
    for word in words:
        meanings = weights().get(word, ())
        known += bool(meanings)
        for lang, weight in meanings:
            scores[lang] += weight
    if known < _LEAST_SHARE * len(words):
        return None
    ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    best, top = ranked[0]
    close = [lang for lang, score in ranked if score * _LEAST_LEAD > top]
    return best if len(close) == 1 else hint if hint in close else None


def check_language(check: LanguageIs, subject: Subject) -> Part:
    """The text is written in one of these languages."""
    written = subject.page_lang or language_of(subject.text, subject.lang)
    wanted = " or ".join(check.language)
    if written is None:
        return undecided("language_unknown", f"the text is too short to tell whether it is in {wanted}")
    if written in {base(code) for code in check.language}:
        return YES
    return no("language", f"the text is in {written!r}; {wanted} is required")
