"""Are two names the same person? Generations and numbers first, then family, given and middle names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_wandr.identity.tables.people import is_nickname
from pytest_wandr.identity.typos import is_prefix, is_typo
from pytest_wandr.identity.verdict import Comparison, distinct, grey, same

if TYPE_CHECKING:
    from pytest_wandr.identity.forms import Form
    from pytest_wandr.identity.people import Person

_PATRONYMIC = re.compile("(?:ovich|evich|ovych|yovych|ovna|evna|ivna|yevna)$")
_MAYBE_REGNAL = re.compile("[ivx]")


def compare_persons(left: Form, right: Form) -> Comparison:
    """The verdict for two forms; symmetric."""
    a, b = left.person, right.person
    if a is None or b is None:
        raise TypeError("compare_persons needs forms of persons")
    if veto := _numbers(a, b):
        return veto
    found = _names(left, right, a, b)
    if found.verdict == "distinct":
        return found
    if (a.generation is None) != (b.generation is None):
        return grey("generation")
    if (a.maybe is None) != (b.maybe is None) and a.core == b.core:
        return grey("number")
    if found.verdict == "same":
        return _qualified(a, b, found)
    return found


def _numbers(a: Person, b: Person) -> Comparison | None:
    """Generations, regnal numbers and years in brackets that contradict each other."""
    mine, other = a.generation or a.maybe, b.generation or b.maybe
    if mine and other and mine != other and (a.generation or b.generation or a.given == b.given):
        return distinct("generation")
    years_a = {t for t in a.qualifiers if t.isdigit()}
    years_b = {t for t in b.qualifiers if t.isdigit()}
    if years_a and years_b and not (years_a <= years_b or years_b <= years_a):
        return distinct("numbers")
    return None


def _qualified(a: Person, b: Person, found: Comparison) -> Comparison:
    """Bracketed words on both sides must agree; on one side they leave a doubt."""
    mine, other = set(a.qualifiers), set(b.qualifiers)
    if mine == other:
        return found
    if mine and other and mine.isdisjoint(other):
        return distinct("qualifier")
    return grey("qualifier")


def _names(left: Form, right: Form, a: Person, b: Person) -> Comparison:
    core_a, core_b = a.core, b.core
    if core_a == core_b:
        return same("exact")
    if "".join(core_a) == "".join(core_b):
        return same("joined")
    if sorted(core_a) == sorted(core_b):
        return grey("reordered")
    if min(len(core_a), len(core_b)) == 1:
        return _mononym(core_a, core_b)
    if (a.maybe is None) != (b.maybe is None) and left.tokens[:-1] == right.tokens[:-1]:
        return grey("initial")
    return _part_by_part(a, b)


def _part_by_part(a: Person, b: Person) -> Comparison:
    """Family names first, then given names, then middle names; the weakest part is the verdict."""
    family = _family(a, b)
    if family.verdict == "distinct" or family.reason == "subset":
        return family
    given = _given(a, b)
    if given.verdict == "distinct":
        return given
    middle = _middle(a, b, given.reason)
    return min((family, given, middle), key=lambda part: part.rank)


def _mononym(core_a: tuple[str, ...], core_b: tuple[str, ...]) -> Comparison:
    if len(core_a) == len(core_b) == 1:
        return grey("typo") if is_typo(core_a[0], core_b[0]) else distinct("nothing shared")
    short, long = sorted((core_a, core_b), key=len)
    return grey("mononym") if short[0] in long else distinct("nothing shared")


def _family(a: Person, b: Person) -> Comparison:
    mine, other = "".join(a.family), "".join(b.family)
    if mine == other:
        return same("family")
    if is_typo(mine, other):
        return grey("typo")
    if a.family[-1] == b.family[-1] and (len(a.family) == 1 or len(b.family) == 1):
        return grey("particle")
    set_a, set_b = set(a.core), set(b.core)
    if (set_a <= set_b or set_b <= set_a) and len(set_a & set_b) >= 2:
        return grey("subset")
    return distinct("family name")


def _given(a: Person, b: Person) -> Comparison:
    mine, other = a.given, b.given
    if mine == other or is_nickname(mine, other):
        return same("given" if mine == other else "nickname")
    if (mine[0] == other[0] and 1 in {len(mine), len(other)}) or is_prefix(mine, other):
        return grey("initial")
    if is_typo(mine, other):
        return grey("typo")
    return grey("middle as given") if mine in b.middle or other in a.middle else distinct("given name")


def _middle(a: Person, b: Person, given: str) -> Comparison:
    """A missing initial is no difference, a missing name leaves a doubt, a different one is a veto."""
    mine, other = list(a.middle), list(b.middle)
    if given == "middle as given":
        return same("middle")
    if len(mine) > len(other):
        mine, other = other, mine
    worst = same("middle")
    for name in mine:
        match = next((found for found in other if _agree(name, found)), None)
        if match is None:
            return distinct("middle name")
        other.remove(match)
        if match != name:
            worst = grey("initial" if 1 in {len(match), len(name)} else "typo")
    return min((worst, _missing(other, both=bool(mine))), key=lambda part: part.rank)


def _missing(names: list[str], *, both: bool) -> Comparison:
    """Middle names of one side alone; where both give some, a missing initial counts (W. and H. W.)."""
    if any(_MAYBE_REGNAL.fullmatch(name) for name in names):
        return grey("number")
    if any(len(name) > 1 and not _PATRONYMIC.search(name) for name in names):
        return grey("middle")
    return grey("middle initials") if both and names else same("middle")


def _agree(a: str, b: str) -> bool:
    if a == b or is_nickname(a, b) or is_typo(a, b):
        return True
    return a[0] == b[0] and 1 in {len(a), len(b)}
