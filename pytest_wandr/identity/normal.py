"""What is the normal form of a value, for every kind?"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pytest_wandr.identity.fold import clean, raw_form
from pytest_wandr.identity.forms import Flags, key_of
from pytest_wandr.identity.papers import Reference, paper_id, read_reference
from pytest_wandr.identity.url_sites import rules_of
from pytest_wandr.identity.urls import key_of_url
from pytest_wandr.identity.values import date_key, id_key, label_key, label_table
from pytest_wandr.model import IdentityOptions

if TYPE_CHECKING:
    from pytest_wandr.identity.url_sites import UrlRules

KINDS = ("company", "person", "product", "place", "paper", "url", "enum", "text", "date", "id")
DEFAULT_OPTIONS = IdentityOptions()


def check_kind(kind: str) -> None:
    """ValueError for a kind that does not exist."""
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}; there are: {', '.join(KINDS)}")


def flags_of(options: IdentityOptions) -> Flags:
    """The options that change a form."""
    return Flags(options.numbers == "identity", options.keep_legal_form)


def normal_form(kind: str, value: str, options: IdentityOptions | None = None) -> str:
    """The spelling's normal form: values with an equal one are one supplied entity.

    Aliases are second names, not spellings, so they do not change it; only for `enum`, where an alias is
    another way to write the label, does the form become the label's. Two names that the author calls distinct
    though they are spelled alike keep their raw forms.
    """
    options = options or DEFAULT_OPTIONS
    key = _plain_form(kind, value, options)
    for pair in options.distinct:
        one, two = (_plain_form(kind, name, options) for name in pair)
        if key == one == two and (raw := raw_form(value)) in {raw_form(name) for name in pair}:
            return raw
    return key


def _plain_form(kind: str, value: str, options: IdentityOptions) -> str:
    if kind == "enum":
        key = label_key(value)
        return label_table(options.aliases).get(key, key) if options.aliases else key
    if kind == "url":
        return _url_form(value, rules_of(options.url))
    if kind == "date":
        return date_key(value)
    if kind == "id":
        return id_key(value)
    check_kind(kind)
    if kind == "paper":
        return _paper_form(value, options)
    return key_of(kind, value, flags_of(options))


def _paper_form(value: str, options: IdentityOptions) -> str:
    """The identifier, also one that only shows in the key."""
    versions = options.paper_versions == "separate"
    if found := paper_id(read(value), versions=versions):
        return found
    key = key_of("paper", value, flags_of(options))
    return paper_id(read(key), versions=versions) or key


def _url_form(value: str, rules: UrlRules) -> str:
    return key_of_url(value, rules) or raw_form(value)


@lru_cache(maxsize=16384)
def read(value: str) -> Reference:
    """A paper's identifiers and title, cached."""
    return read_reference(clean(value))
