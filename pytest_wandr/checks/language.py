"""Which language is a text written in? Its script, then its commonest small words; None when it is too short.

Own profiles for some thirty languages instead of a library: offline, linear, the same everywhere. Languages
without a profile are not recognised, and then what the page declares (`<html lang>`) is believed.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_wandr.checks.language_words import SCRIPTS, small_words
from pytest_wandr.checks.locales import base
from pytest_wandr.checks.logic import no, undecided
from pytest_wandr.checks.plain import plain
from pytest_wandr.model import YES, LanguageIs, Part

if TYPE_CHECKING:
    from pytest_wandr.checks.subject import Subject

_SAMPLE = 40_000
_FEWEST_LETTERS = 20
_FEWEST_WORDS = 12
# Every ninth word of a text, menus included, is one of its language's small words. Of the words that tell two
# languages apart, the winner must have half as many again.
_LEAST_SHARE, _LEAST_LEAD = 0.11, 1.5
_ADDRESS = re.compile(r"\bhttps?://\S{1,500}|\bwww\.\S{1,500}")
_WORD = re.compile(r"[^\W\d_]+")
_PROFILED_LETTERS = re.compile("[a-zß-ɏЀ-ӿḀ-ỿ]+")
_OTHER_LETTERS = re.compile(f"[{''.join(letters for _, letters in SCRIPTS)}]+")
_SCRIPTS = tuple((lang, re.compile(f"[{letters}]+")) for lang, letters in SCRIPTS)
_PERSIAN = re.compile("[پچژگ]")


@dataclass(frozen=True)
class Written:
    """A text whose language is found out when somebody asks for it, once."""

    text: str
    declared: str | None = None

    @cached_property
    def lang(self) -> str | None:
        """See `language_of`."""
        return language_of(self.text, self.declared)


def language_of(text: str, hint: str | None = None) -> str | None:
    """The ISO 639-1 code of the language that a text is written in; None when it cannot be told.

    `hint` is a declared language. It decides between close relatives, and alone when the text is too short.
    """
    sample = plain(text[:_SAMPLE])
    words = _WORD.findall(sample)
    letters = "".join(words)
    if len(letters) < _FEWEST_LETTERS:
        return base(hint)
    if found := _by_script(sample, len(letters)):
        return found
    if not _is_profiled(sample, letters):
        return base(hint)
    if "http" in sample or "www." in sample:
        words = _WORD.findall(_ADDRESS.sub(" ", sample))
    return _by_words(words, base(hint)) or base(hint)


def _foreign(text: str) -> int:
    """How many characters are not ASCII."""
    return len(text) - len(text.encode("ascii", "ignore"))


def _by_script(sample: str, letters: int) -> str | None:
    """The language whose own script a third of the letters are in."""
    if _foreign(sample) <= 0.1 * letters or _length(_OTHER_LETTERS, sample) <= 0.1 * letters:
        return None
    for lang, script in _SCRIPTS:
        share = _length(script, sample) / letters
        # Japanese mixes its kana with Han characters, so fewer of them are enough.
        if share > (0.1 if lang == "ja" else 0.35):
            return "fa" if lang == "ar" and len(_PERSIAN.findall(sample)) > letters / 100 else lang
    return None


def _length(runs: re.Pattern[str], text: str) -> int:
    return sum(map(len, runs.findall(text)))


def _is_profiled(sample: str, letters: str) -> bool:
    """Are most letters Latin or Cyrillic?"""
    least = len(letters) * 0.7
    return len(letters) - _foreign(letters) >= least or _length(_PROFILED_LETTERS, sample) >= least


def _by_words(words: list[str], hint: str | None) -> str | None:
    """The language whose small words the text is full of, among those written in Latin and Cyrillic."""
    owners_of = small_words()
    counts = Counter(filter(owners_of.__contains__, words))
    if len(words) < _FEWEST_WORDS or not counts:
        return None
    small = [(count, owners_of[word]) for word, count in counts.items()]
    scores: defaultdict[str, float] = defaultdict(float)
    for count, owners in small:
        for lang in owners:
            # What many languages have says little about each.
            scores[lang] += count / len(owners)
    best, *rivals = sorted(scores, key=lambda lang: (-scores[lang], lang))[:4]
    if sum(count for count, owners in small if best in owners) < _LEAST_SHARE * len(words):
        return None
    close = [best, *(rival for rival in rivals if not _leads(small, best, rival))]
    return best if len(close) == 1 else hint if hint in close else None


def _leads(small: list[tuple[int, tuple[str, ...]]], best: str, rival: str) -> bool:
    """Does a text have clearly more of what only the one language has than of what only the other has?"""
    mine = sum(count for count, owners in small if best in owners and rival not in owners)
    theirs = sum(count for count, owners in small if rival in owners and best not in owners)
    return mine > theirs + 1 and mine > _LEAST_LEAD * theirs


def check_language(check: LanguageIs, subject: Subject) -> Part:
    """The text is written in one of these languages."""
    written = subject.page_lang or language_of(subject.text, subject.lang)
    wanted = " or ".join(check.language)
    if written is None:
        return undecided("language_unknown", f"the text is too short to tell whether it is in {wanted}")
    if written in {base(code) for code in check.language}:
        return YES
    return no("language", f"the text is in {written!r}; {wanted} is required")
