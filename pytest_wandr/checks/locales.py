"""How does a language write dates and numbers? Which comes first, day or month; comma or point."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_wandr.checks.language import Written

_MONTH_FIRST = frozenset({"en-us", "en-ph", "en-pr"})
_DAY_FIRST_ENGLISH = frozenset(
    {
        "en-gb",
        "en-uk",
        "en-ie",
        "en-au",
        "en-nz",
        "en-in",
        "en-sg",
        "en-hk",
        "en-mt",
        "en-ng",
        "en-ke",
        "en-pk",
    }
)
_DAY_FIRST = frozenset(
    {
        "ar",
        "bg",
        "bs",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "es",
        "et",
        "fi",
        "fr",
        "gl",
        "he",
        "hi",
        "hr",
        "id",
        "is",
    }
    | {
        "it",
        "lv",
        "mk",
        "ms",
        "nl",
        "no",
        "pl",
        "pt",
        "ro",
        "ru",
        "sk",
        "sl",
        "sr",
        "sv",
        "th",
        "tr",
        "uk",
        "vi",
    }
)
_YEAR_FIRST = frozenset({"hu", "ja", "ko", "lt", "mn", "sv", "zh"})

_POINT_DECIMAL = frozenset({"en", "zh", "ja", "ko", "he", "th", "hi", "ms", "cy", "ga", "fil"})
_POINT_DECIMAL_SPANISH = frozenset(
    {"es-mx", "es-us", "es-gt", "es-hn", "es-ni", "es-pa", "es-pr", "es-sv", "es-do", "es-419"}
)
_COMMA_DECIMAL = frozenset(
    {
        "bg",
        "bs",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "et",
        "fi",
        "fr",
        "gl",
        "hr",
        "hu",
        "id",
        "is",
        "it",
        "lt",
        "lv",
    }
    | {"mk", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "tr", "uk", "vi"}
)
_COMMA_DECIMAL_SPANISH = frozenset(
    {"es-es", "es-ar", "es-bo", "es-cl", "es-co", "es-cr", "es-ec", "es-py", "es-uy", "es-ve"}
)
# Swiss pages write both, South African ones too.
_UNSETTLED = frozenset({"en-za", "de-ch", "de-li", "fr-ch", "it-ch"})
_SPACE_GROUPS = frozenset(
    {"bg", "cs", "et", "fi", "fr", "hu", "lt", "lv", "no", "pl", "ru", "sk", "sv", "uk"}
)
_RENAMED = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "ji": "yi", "cmn": "zh", "yue": "zh"}


def tag(lang: str | None) -> str:
    """A language tag, lower case with hyphens; empty when unknown."""
    return (lang or "").strip().lower().replace("_", "-")


def base(lang: str | None) -> str | None:
    """The ISO 639-1 code of a language tag, with retired and regional codes renamed; None when unknown."""
    code = tag(lang).partition("-")[0]
    return _RENAMED.get(code, code) or None


def day_first(lang: str | None) -> bool | None:
    """Does 1/3 mean 1 March? None when the language alone does not tell (English without a region)."""
    name = tag(lang)
    if name in _MONTH_FIRST:
        return False
    return True if name in _DAY_FIRST_ENGLISH or base(lang) in _DAY_FIRST else None


def year_first(lang: str | None) -> bool:
    """Can 26/03/01 mean 1 March 2026?"""
    return lang is None or base(lang) in _YEAR_FIRST


def decimal_mark(lang: str | None) -> str | None:
    """`.` or `,`; None when the language alone does not tell (Spanish without a region)."""
    name = tag(lang)
    if name in _UNSETTLED:
        return None
    if base(lang) in _POINT_DECIMAL or name in _POINT_DECIMAL_SPANISH:
        return "."
    return "," if base(lang) in _COMMA_DECIMAL or name in _COMMA_DECIMAL_SPANISH else None


def groups_with_spaces(lang: str | None) -> bool:
    """Is `12 450` one number as a matter of course?"""
    return base(lang) in _SPACE_GROUPS


@dataclass(frozen=True)
class Locale:
    """The language by which the dates and numbers of a text are read.

    It is what a page declares unless its text contradicts that. What the text is written in takes time to
    find out, so nobody does before something can be read in two ways.
    """

    declared: str | None = None
    written: Written | str | None = None

    @cached_property
    def lang(self) -> str | None:
        """A language tag; None when unknown."""
        written = written_in(self.written)
        if written is None or base(self.declared) == base(written):
            return self.declared
        return written


def written_in(written: Written | str | None) -> str | None:
    """The language of a text, looked for if need be."""
    return written if written is None or isinstance(written, str) else written.lang
