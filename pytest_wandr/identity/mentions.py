"""Does a text name this thing?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_wandr.identity.declared import Declared
from pytest_wandr.identity.fold import clean
from pytest_wandr.identity.forms import forms_of, initials
from pytest_wandr.identity.mention_names import best, literal_form, named, qualified
from pytest_wandr.identity.mention_people import person_named
from pytest_wandr.identity.normal import DEFAULT_OPTIONS, check_kind, flags_of, normal_form, read
from pytest_wandr.identity.page_words import spans, words_of
from pytest_wandr.identity.papers import paper_id
from pytest_wandr.identity.tables.words import UNIVERSAL_LABELS
from pytest_wandr.identity.urls import key_of_url, rules_of

if TYPE_CHECKING:
    from pytest_wandr.identity.forms import Form
    from pytest_wandr.identity.page_words import Words
    from pytest_wandr.model import IdentityOptions

_URL = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)


def mentioned(kind: str, name: str, text: str, options: IdentityOptions | None = None) -> bool | None:
    """True or False; None only when the text leaves it open: a surname alone, perhaps a longer name.

    A match is the name's normal form, whatever the spelling. It does not count when a capitalised word next
    to it makes it another name (`Northgate` in `Northgate Foods`), or when numbers or generations differ.
    """
    check_kind(kind)
    declared = Declared(kind, options or DEFAULT_OPTIONS)
    names = [*declared.names(name), *(_universal(name) if kind == "enum" else ())]
    return best(_one(known, text, declared) for known in dict.fromkeys(names))


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
    words = words_of(text)
    others = _longer_names(name, declared, words)
    forms = _forms(kind, name, options)
    if kind != "person":
        forms += literal_form(name)
    found = best(_form(kind, form, words, others) for form in forms)
    if found is False and kind == "company":
        return _acronym(forms[0], words)
    if found is False and kind == "date" and any(word[0].isdigit() for word in words.written):
        return None  # a date can be written in many ways that are no spelling of a name
    return found


def _longer_names(name: str, declared: Declared, words: Words) -> list[tuple[int, int]]:
    """Where names stand that the author calls distinct from this one."""
    key = declared.key(name)
    found: list[tuple[int, int]] = []
    for pair, keys in zip(declared.options.distinct, declared.apart, strict=True):
        for other in (pair[1 - at] for at in (0, 1) if keys[at] == key):
            for form in _forms(declared.kind, other, declared.options):
                found += spans(form.joined, form.digits, words)
    return found


def _forms(kind: str, name: str, options: IdentityOptions) -> tuple[Form, ...]:
    if kind == "paper":
        name = read(name).title or name
    return forms_of(kind if kind not in {"enum", "date"} else "text", name, flags_of(options))


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
    number = found.partition(":")[2]
    if reference.arxiv and re.search(rf"(?<![\w.]){re.escape(number)}(?:v\d+)?(?![\w])(?!\.\d)", folded):
        return True
    return None if reference.title else False


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
