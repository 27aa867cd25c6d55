"""What does a stand-in say of two names? What the rules of identity say: grey is `unsure`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.identity import compare

if TYPE_CHECKING:
    from pytest_wandr.testing.wires import Json

_WORDS = {"same": "true", "distinct": "false", "grey": "unsure"}


def same_names(document: Json) -> Json:
    """The honest reply to a document about pairs of names.

    Raises:
        KeyError: the document lacks a field.
    """
    kind = document["kind"]
    return _reply(document, [_WORDS[compare(kind, pair["a"], pair["b"])] for pair in document["pairs"]])


def all_the_same(document: Json) -> Json:
    """The reply that makes one name of every pair.

    Raises:
        KeyError: the document lacks a field.
    """
    return _reply(document, ["true"] * len(document["pairs"]))


def _reply(document: Json, words: list[str]) -> Json:
    asked = zip(document["pairs"], words, strict=True)
    return {"pairs": [{"id": pair["id"], "reason": "by the names", "same": word} for pair, word in asked]}
