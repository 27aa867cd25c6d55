"""Which requirements can a machine decide, and what does it decide? One function, `run_check`.

A check is asked about one `Subject`: a record and a text, which is the page or the record's excerpts alone.
The answer is true, false or undecided, and a false or undecided one says why. Dates, numbers and languages
are read by modules of their own, each usable by itself: `dates`, `numbers`, `language`.
"""

from __future__ import annotations

from pytest_wandr.checks.date_check import check_date
from pytest_wandr.checks.hosts import check_host
from pytest_wandr.checks.language import check_language
from pytest_wandr.checks.logic import all_of, any_of, negation_of
from pytest_wandr.checks.mentions import check_mentions
from pytest_wandr.checks.number_check import check_number
from pytest_wandr.checks.patterns import check_matches
from pytest_wandr.checks.subject import Subject
from pytest_wandr.model import (
    AllOf,
    AnyOf,
    Check,
    DateIn,
    HostIs,
    LanguageIs,
    Matches,
    Mentions,
    Not,
    NumberIn,
    Part,
)

__all__ = ["Subject", "run_check"]


def run_check(check: Check, subject: Subject) -> Part:
    """Does the check hold for this record and this text?"""
    match check:
        case AllOf():
            return all_of([run_check(part, subject) for part in check.all])
        case AnyOf():
            return any_of([run_check(part, subject) for part in check.any])
        case Not():
            return negation_of(run_check(check.not_, subject), what=described(check.not_))
        case _:
            return _run_simple(check, subject)


def _run_simple(
    check: Mentions | Matches | DateIn | NumberIn | HostIs | LanguageIs, subject: Subject
) -> Part:
    match check:
        case Mentions():
            return check_mentions(check, subject)
        case Matches():
            return check_matches(check, subject)
        case DateIn():
            return check_date(check, subject)
        case NumberIn():
            return check_number(check, subject)
        case HostIs():
            return check_host(check, subject)
        case LanguageIs():
            return check_language(check, subject)


def described(check: Check) -> str:
    """A check in the words of a task.toml."""
    return check.model_dump_json(by_alias=True, exclude_none=True)
