"""Which names look alike, and what did a judge say of them?"""

from __future__ import annotations

from typing import TypeAlias

from pytest_wandr.model.base import Frozen, Truth

NamePath: TypeAlias = tuple[tuple[str, ...], ...]
"""The values of the keys above a list of siblings, each as written: whose siblings they are."""


class NamePair(Frozen):
    """Two sibling names that look alike, and why. `further` is what else both values hold, a year say."""

    a: str
    b: str
    further: tuple[str, ...] = ()
    reason: str = ""


class NameList(Frozen):
    """Siblings under one key of one node, and those pairs of them that a judge could confirm to be one.

    `under` says whose siblings they are: more than one path where several spellings of a parent share them.
    """

    node: str
    key: str
    kind: str
    under: tuple[NamePath, ...]
    names: tuple[str, ...]
    pairs: tuple[NamePair, ...]


class NameVerdict(Frozen):
    """Are two sibling names one thing? Not true, false or undecided, means that they stay apart."""

    node: str
    key: str
    under: tuple[NamePath, ...]
    a: str
    b: str
    further: tuple[str, ...] = ()
    same: Truth
    reason: str = ""
    code: str = ""
