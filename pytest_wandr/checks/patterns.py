"""Does a text match an author's pattern? `{field}` stands for the record's own value.

The pattern comes with the task, the text from anywhere. Three rules keep the work in bounds. A repeat
without limit (or with one above ten) may hold neither another repeat nor alternatives (`(a+)+`, `(a|ab)*`):
those may take exponential time. At most two repeats of anything (`.*`, `[^<]*`) have no limit: more take
cubic time. And a match is looked for in windows of `WINDOW` characters, so one longer than half of that is
not promised to be found. The rules catch the known accidents; they prove nothing, so patterns want reviewing
like code. `problem_with` says what is wrong with a pattern when the task is loaded.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_wandr.checks.logic import no, undecided
from pytest_wandr.checks.mentions import names_in
from pytest_wandr.checks.subject import excerpts_of
from pytest_wandr.model import YES, Matches, Part

if TYPE_CHECKING:
    from pytest_wandr.checks.subject import Subject

WINDOW = 4000
_LONGEST_PATTERN = 2000
_LONGEST_VALUE = 10_000
_PLACEHOLDER = re.compile(r"(?<!\\)\{([A-Za-z_]\w*)\}")
_TOKEN = re.compile(
    r"(?P<escape>\\.)"
    r"|(?P<any>\.|\[\^(?:\\.|[^\]\\])+\])"
    r"|(?P<set>\[\]?(?:\\.|[^\]\\])*\])"
    r"|(?P<open>\((?:\?(?:[aiLmsux-]*:|P<\w+>|<?[=!]|[aiLmsux]+\)|#))?)"
    r"|(?P<close>\))"
    r"|(?P<limited>\{(?:\d?,)?(?:\d|10)\}|\?)"
    r"|(?P<endless>[*+]|\{\d*,\})"
    r"|(?P<large>\{\d*,?\d+\})"
    r"|(?P<bar>\|)"
    r"|(?P<rest>.)",
    re.DOTALL,
)
# A record may write what a page sets with other marks.
_TYPOGRAPHY = {
    char: f"[{marks}]" for marks in ("'‘’ʼ′", '"“”„«»', r"\-‐‑‒–—−") for char in marks if char != "\\"
}
_BLANKS = re.compile(r"[^\S\n\x1d]+")


def placeholders(pattern: str) -> tuple[str, ...]:
    """The fields that a pattern refers to."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(pattern)))


@lru_cache(maxsize=256)
def problem_with(pattern: str) -> str | None:
    """Why a pattern cannot be used; None when it can."""
    if len(pattern) > _LONGEST_PATTERN:
        return f"the pattern is longer than {_LONGEST_PATTERN} characters"
    try:
        re.compile(_PLACEHOLDER.sub("x", pattern))
    except (re.error, OverflowError, RecursionError) as error:
        return f"not a regular expression: {error}"
    return _too_slow(_PLACEHOLDER.sub("x", pattern))


def _too_slow(pattern: str) -> str | None:
    """Walk the pattern's tokens; each open group remembers whether it holds what may not be repeated."""
    groups, last, anything = [False], "", 0
    for match in _TOKEN.finditer(pattern):
        kind = match.lastgroup or ""
        if kind == "open" and not match[0].endswith(")"):
            groups.append(False)
        elif kind == "close":
            last = "risky group" if len(groups) > 1 and groups.pop() else "group"
            groups[-1] = groups[-1] or last == "risky group"
            continue
        elif kind in {"bar", "limited"}:
            groups[-1] = True
        elif kind in {"endless", "large"}:
            if last == "risky group":
                return "a repeat without limit holds a repeat or alternatives; give it a limit, as in {0,5}"
            anything += last == "any" and kind == "endless"
            groups[-1] = True
        last = kind if kind not in {"limited", "endless", "large"} else last
    return (
        "more than two unlimited repeats of anything; write .{0,80} instead of .*" if anything > 2 else None
    )


def check_matches(check: Matches, subject: Subject) -> Part:
    """The text matches the pattern, with the record's own values in the place of `{field}`."""
    problem = problem_with(check.matches)
    if problem:
        return undecided("bad_pattern", f"the task's pattern cannot be used: {problem}")
    values = {field: names_in(subject.value_of(field)) for field in placeholders(check.matches)}
    absent = sorted(field for field, names in values.items() if not _is_usable(names))
    if absent:
        return no(
            "no_value", f"the pattern needs one short value of {', '.join(absent)}; the record has none"
        )
    pattern = _PLACEHOLDER.sub(lambda match: _escaped(values[match[1]][0]), check.matches)
    text = _BLANKS.sub(" ", unicodedata.normalize("NFC", subject.text))
    if any(found(re.compile(pattern), excerpt) for excerpt in excerpts_of(text)):
        return YES
    shown = _PLACEHOLDER.sub(lambda match: values[match[1]][0], check.matches)
    return no("no_match", f"the text has nothing that matches '{shown}'")


def _is_usable(names: tuple[str, ...]) -> bool:
    return len(names) == 1 and len(names[0]) <= _LONGEST_VALUE


def _escaped(value: str) -> str:
    """A value as a pattern: every character for itself, any blanks for blanks, any dash for a dash."""
    words = unicodedata.normalize("NFC", value).split()
    spelled = ["".join(_TYPOGRAPHY.get(char) or re.escape(char) for char in word) for word in words]
    return "(?:" + r"\s+".join(spelled) + ")"


def found(pattern: re.Pattern[str], text: str) -> bool:
    """Does the pattern match in one of the overlapping windows? What a window's end cuts does not count."""
    for start in range(0, max(1, len(text) - WINDOW // 2), WINDOW // 2):
        end = min(start + WINDOW, len(text))
        match = pattern.search(text, start, end)
        if match and (end == len(text) or match.end() < end):
            return True
    return False
