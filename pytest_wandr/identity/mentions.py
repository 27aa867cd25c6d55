"""Does a text name this thing?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_wandr.identity.declared import declared_of
from pytest_wandr.identity.fold import clean
from pytest_wandr.identity.forms import forms_of, initials
from pytest_wandr.identity.mention_names import best, named, qualified
from pytest_wandr.identity.mention_people import MOST_BEARERS, person_named, surely_named
from pytest_wandr.identity.normal import DEFAULT_OPTIONS, check_kind, normal_form, read
from pytest_wandr.identity.page import page_of
from pytest_wandr.identity.page_words import spans
from pytest_wandr.identity.papers import paper_id
from pytest_wandr.identity.sought import readings_at_most, sought_of
from pytest_wandr.identity.stretches import all_stretches, glimpses, is_bounded
from pytest_wandr.identity.tables.words import UNIVERSAL_LABELS
from pytest_wandr.identity.urls import key_of_url, rules_of
from pytest_wandr.identity.witness import plainly_named

if TYPE_CHECKING:
    from pytest_wandr.identity.declared import Declared
    from pytest_wandr.identity.forms import Form
    from pytest_wandr.identity.page import Page
    from pytest_wandr.identity.page_words import Words
    from pytest_wandr.identity.sought import Sought
    from pytest_wandr.model import IdentityOptions

_URL = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_READ_WHOLE = 800
"""Characters up to which all words of a text are read as fast as some."""


def mentioned(kind: str, name: str, text: str, options: IdentityOptions | None = None) -> bool | None:
    """True or False; None only when the text leaves it open: a surname alone, perhaps a longer name.

    A match is the name's normal form, whatever the spelling. It does not count when a capitalised word next
    to it makes it another name (`Northgate` in `Northgate Foods`), or when numbers or generations differ.
    """
    check_kind(kind)
    declared = declared_of(kind, options or DEFAULT_OPTIONS)
    names = _names(name, declared)
    if not declared.apart and any(plainly_named(kind, known, text) for known in names):
        return True
    found: bool | None = False
    for known in names:
        verdict = _one(known, text, declared)
        if verdict:
            return True
        found = None if verdict is None else found
    return found


def _names(name: str, declared: Declared) -> tuple[str, ...]:
    """The name, those that the author declares for it, and those of a label that every list shares."""
    names = declared.names(name) if declared.groups else (name,)
    return tuple(dict.fromkeys([*names, *_universal(name)])) if declared.kind == "enum" else names


@lru_cache(maxsize=1024)
def _universal(name: str) -> tuple[str, ...]:
    """Other ways to write a label that every list of labels shares."""
    key = normal_form("enum", name)
    return next((labels for labels in UNIVERSAL_LABELS if normal_form("enum", labels[0]) == key), ())


def _one(name: str, text: str, declared: Declared) -> bool | None:
    kind, options = declared.kind, declared.options
    if kind == "url":
        return _url(name, text, options)
    if kind == "id":
        return _stands_alone(normal_form("id", name), _folded(text), r"\-_/.")
    if kind == "paper" and (found := _paper_id(name, text, options)) is not None:
        return found
    sought, page = sought_of(kind, name, declared.flags), page_of(text)
    if page.is_read or len(text) < _READ_WHOLE or _needs_all(sought, page, declared):
        return _answer(sought, page.words, _longer_names(name, declared, page.words))
    if any(_shows(sought, page, words, end) for words, end in glimpses(page, sought)):
        return True
    some = all_stretches(page, sought)
    return _answer(sought, page.words if some is None else some, [])


def _needs_all(sought: Sought, page: Page, declared: Declared) -> bool:
    """Whether only all words of a page can tell."""
    return sought.kind == "date" or bool(declared.apart) or not is_bounded(page, sought)


def _shows(sought: Sought, page: Page, words: Words, end: int) -> bool:
    """Whether words that end at this place name it, whatever else the page says."""
    if sought.kind == "person":
        return any(surely_named(form, words) and _is_early(form, page, end) for form in sought.forms)
    return any(_form(sought.kind, form, words, []) for form in sought.forms)


def _is_early(form: Form, page: Page, end: int) -> bool:
    """Whether a reader of the whole page looks at all bearers of the family name up to there."""
    family = "".join(form.person.family if form.person else ()) or form.joined
    return page.starts(family[0], end) * readings_at_most(family) <= MOST_BEARERS


def _answer(sought: Sought, words: Words, others: list[tuple[int, int]]) -> bool | None:
    """What the words say of the name, in any of its forms."""
    found = best(_form(sought.kind, form, words, others) for form in sought.forms)
    if found is False and sought.kind == "company":
        return _acronym(sought.forms[0], words)
    if found is False and sought.kind == "date" and any(word[0].isdigit() for word in words.written):
        return None  # a date can be written in many ways that are no spelling of a name
    return found


def _longer_names(name: str, declared: Declared, words: Words) -> list[tuple[int, int]]:
    """Where names stand that the author calls distinct from this one."""
    if not declared.apart:
        return []
    key = declared.key(name)
    found: list[tuple[int, int]] = []
    for pair, keys in zip(declared.options.distinct, declared.apart, strict=True):
        for other in (pair[1 - at] for at in (0, 1) if keys[at] == key):
            for form in _forms(declared, other):
                found += spans(form.joined, form.digits, words)
    return found


def _forms(declared: Declared, name: str) -> tuple[Form, ...]:
    kind = declared.kind
    if kind == "paper":
        name = read(name).title or name
    return forms_of(kind if kind not in {"enum", "date"} else "text", name, declared.flags)


def _form(kind: str, form: Form, words: Words, others: list[tuple[int, int]]) -> bool | None:
    if kind == "person":
        return person_named(form, words)
    if any(words.written[at].isupper() for acronym in form.acronyms for at in words.places.get(acronym, ())):
        return True
    found = named(kind, form, words, others)
    return found if found or not form.qualifiers else best((found, qualified(kind, form, words)))


def _acronym(form: Form, words: Words) -> bool | None:
    """Initials alone leave it open."""
    for acronym in initials(form.tokens):
        places = words.places.get(acronym, ()) if len(acronym) > 2 else ()
        if any(words.written[at].isupper() for at in places):
            return None
    return False


@lru_cache(maxsize=8)
def _folded(text: str) -> str:
    return clean(text).casefold()


def _stands_alone(needle: str, text: str, joints: str, *, open_left: bool = False) -> bool:
    """Whether the needle occurs with no letter or digit next to it, nor behind one of the joints."""
    left = r"(?<![^\W_])" if open_left else rf"(?<![^\W_])(?<![^\W_][{joints}])"
    return bool(re.search(rf"{left}{re.escape(needle)}(?![{joints}]?[^\W_])", text))


def _paper_id(name: str, text: str, options: IdentityOptions) -> bool | None:
    """Whether the text carries the paper's identifier; None when only the title can tell."""
    reference = read(name)
    versions = options.paper_versions == "separate"
    if not (found := paper_id(reference, versions=versions)):
        return None
    folded = _folded(text)
    if reference.doi and _stands_alone(reference.doi, folded, "\\-_/", open_left=True):
        return True
    if reference.other and _shows_number(reference.other, folded):
        return True
    number = found.partition(":")[2]
    head, slash, tail = number.partition("/")
    shown = re.escape(number) if not slash else rf"{re.escape(head)}(?:\.[a-z\-]{{2,10}})?/{re.escape(tail)}"
    if reference.arxiv and re.search(rf"(?<![\w.]){shown}(?:v\d+)?(?![\w])(?!\.\d)", folded):
        return True
    return None if reference.title else False


def _shows_number(identifier: str, folded: str) -> bool:
    """Whether a page shows an ISBN, PMID or PMC number, however it is written."""
    scheme, _, number = identifier.partition(":")
    if scheme == "isbn":
        digits = r"[-\s]?".join(number)
        short = r"[-\s]?".join(number[3:12]) + r"[-\s]?[\dx]"
        return bool(re.search(rf"(?<![\d])(?:{digits}|isbn(?:-10)?:?\s*{short})(?!\d)", folded))
    label = r"pmc(?:id:?\s*(?:pmc)?)?" if scheme == "pmc" else r"(?:pmid:?\s*|pubmed[^\s\d]{0,40}/)0*"
    return bool(re.search(rf"(?<!\w){label}{number}(?!\d)", folded))


def _url(name: str, text: str, options: IdentityOptions) -> bool:
    """Whether the text shows an address of the same page."""
    rules = rules_of(options.url)
    key = key_of_url(name, rules)
    if any(key_of_url(found, rules) == key for found in _addresses(text)):
        return True
    return bool(key) and "." in key and _stands_alone(key.casefold(), _folded(text), "\\-_/.", open_left=True)


@lru_cache(maxsize=8)
def _addresses(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_URL.findall(text)))
