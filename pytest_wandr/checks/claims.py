"""Is a record's claim clear, and within what the task asks about? The record alone, without its page."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from pytest_wandr.checks.dates import read_date
from pytest_wandr.checks.hosts import host_of
from pytest_wandr.checks.logic import all_of, no
from pytest_wandr.identity import compare, normal_form
from pytest_wandr.model import YES, IdentityOptions, Part

if TYPE_CHECKING:
    from pydantic import JsonValue

    from pytest_wandr.model import KeySpec, NodeSpec, Record

# What systems write when they have no answer. "None" is not among them: that there is none is a claim.
_NO_CLAIM = frozenset({"n/a", "nan", "null", "tbd", "undefined", "unknown", "not available", "not found"})
_DATE_KEY = re.compile(r"\d{4}(-\d{2}(-\d{2})?|-q[1-4])?")


def intent_clear(record: Record, node: NodeSpec) -> Part:
    """Every key field and every declared answer field is there and readable."""
    fields = [field for key in node.entity_keys for field in key.item_fields]
    items = [_present("item", field, record.item.get(field)) for field in fields]
    answers = [_present("answer", field, record.answer.get(field)) for field in node.answer]
    return all_of([*items, *answers])


def _present(where: str, field: str, value: JsonValue) -> Part:
    if value is None or value in ("", [], {}):
        return no("missing_field", f"{where} field {field!r} is missing")
    if not _is_readable(value):
        return no("unreadable_field", f"{where} field {field!r} cannot be read: {value!r}")
    if where == "answer" and isinstance(value, str) and value.strip().strip(".").casefold() in _NO_CLAIM:
        return no("no_claim", f"answer field {field!r} makes no claim: {value!r}")
    return YES


def _is_readable(value: JsonValue) -> bool:
    """Numbers are, unless they are none; texts are when something in them can be seen."""
    if isinstance(value, str):
        return value[:1].isalnum() or any(map(_is_seen, value))
    if isinstance(value, list):
        return any(_is_readable(part) for part in value)
    if isinstance(value, dict):
        return any(_is_readable(part) for part in value.values())
    return value is not None and value == value  # noqa: PLR0124 -- false for NaN alone


def _is_seen(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNPS" and char != "\ufffd"


def in_scope(record: Record, node: NodeSpec) -> Part:
    """Every key value is one of the key's labels, where it has some, and readable as its kind."""
    return all_of([_in_scope(record.item.get(key.item_fields[0]) or "", key) for key in node.entity_keys])


def _in_scope(value: str, key: KeySpec) -> Part:
    if not value.strip():
        return no("missing_field", f"item field {key.item_fields[0]!r} is missing")
    if key.labels and not any(_is_label(value, label, key) for label in key.labels):
        return no("unknown_label", f"{key.name} {value!r} is not one of: {', '.join(key.labels)}")
    if not _has_format(key.kind, value):
        return no("unreadable_kind", f"{key.name} {value!r} is not readable as kind {key.kind!r}")
    return YES


def _is_label(value: str, label: str, key: KeySpec) -> bool:
    options = {name: getattr(key, name) for name in IdentityOptions.model_fields}
    return compare(key.kind, value, label, **options) == "same"


def _has_format(kind: str, value: str) -> bool:
    if kind == "date":
        return bool(read_date(value) or _DATE_KEY.fullmatch(normal_form("date", value)))
    if kind == "url":
        host = host_of(value if "//" in value else f"https://{value}")
        return host is not None and "." in host.strip(".") and " " not in host
    return kind != "id" or any(char.isalnum() for char in value)
