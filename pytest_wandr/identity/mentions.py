"""Does a text name this thing?"""

from __future__ import annotations

import re
from functools import lru_cache

from pytest_wandr.identity.compare import alias_groups, check_kind, flags_of, normal_form, read
from pytest_wandr.identity.fold import clean
from pytest_wandr.identity.forms import Form, forms_of, initials
from pytest_wandr.identity.mention_names import best, named, qualified
from pytest_wandr.identity.mention_people import person_named
from pytest_wandr.identity.page_words import Words, words_of
from pytest_wandr.identity.papers import paper_id
from pytest_wandr.identity.tables.words import UNIVERSAL_LABELS
from pytest_wandr.identity.urls import key_of_url, rules_of
from pytest_wandr.model import IdentityOptions

_URL = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_DEFAULT = IdentityOptions()


def mentioned(kind: str, name: str, text: str, options: IdentityOptions | None = None) -> bool | None:
    """True or False; None only when the text leaves it open (a surname alone, a longer name that may be the same).

    A match is the name's normal form, whatever the spelling. It does not count when a neighbouring capitalised word
    makes it another name (`Northgate` in `Northgate Foods`), or when numbers or generations differ.
    """
    check_kind(kind)
    options = options or _DEFAULT
    return best(_one(kind, known, text, options) for known in _names(kind, name, options))


def _names(kind: str, name: str, options: IdentityOptions) -> list[str]:
    """The name and its declared aliases, as the author writes them."""
    names = [name]
    if options.aliases:
        key = normal_form(kind, name, options)
        groups = zip(options.aliases.items(), alias_groups(kind, options), strict=True)
        for (canonical, variants), (head, keys) in groups:
            if key == head or key in keys:
                names += [canonical, *variants]
    if kind == "enum":
        names += [
            label
            for labels in UNIVERSAL_LABELS
            if normal_form(kind, name) == normal_form(kind, labels[0])
            for label in labels
        ]
    return list(dict.fromkeys(names))


def _one(kind: str, name: str, text: str, options: IdentityOptions) -> bool | None:
    if kind == "url":
        return _url(name, text, options)
    if kind == "id":
        return _id(name, text)
    if kind == "paper" and (found := _paper_id(name, text, options)) is not None:
        return found
    words = words_of(text)
    found = best(_form(kind, form, words) for form in _forms(kind, name, options))
    if found is False and kind == "company":
        return _acronym(forms_of(kind, name, flags_of(options))[0], words)
    return found


def _forms(kind: str, name: str, options: IdentityOptions) -> tuple[Form, ...]:
    if kind == "paper":
        name = read(name).title or name
    return forms_of(kind if kind not in {"enum", "date"} else "text", name, flags_of(options))


def _form(kind: str, form: Form, words: Words) -> bool | None:
    if kind == "person":
        return person_named(form, words)
    if any(words.written[at].isupper() for acronym in form.acronyms for at in words.places.get(acronym, ())):
        return True
    found = named(kind, form, words)
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


def _id(name: str, text: str) -> bool:
    return _stands_alone(normal_form("id", name), _folded(text), "\\-_/.")


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
