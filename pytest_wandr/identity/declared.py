"""What has the author declared about the names of a key: aliases, and names that are distinct?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.identity.forms import NAME_KINDS, key_of
from pytest_wandr.identity.normal import flags_of, normal_form

if TYPE_CHECKING:
    from pytest_wandr.model import IdentityOptions


_KNOWN: dict[tuple[str, int], Declared] = {}
_MOST_KNOWN = 64


def declared_of(kind: str, options: IdentityOptions) -> Declared:
    """The declarations of one key, made once: nothing changes options."""
    at = (kind, id(options))
    found = _KNOWN.get(at)
    if found is None:
        if len(_KNOWN) >= _MOST_KNOWN:
            _KNOWN.clear()
        found = _KNOWN[at] = Declared(kind, options)  # which holds them: no others get their id
    return found


class Declared:
    """The declarations of one key in normal form. They beat every rule."""

    def __init__(self, kind: str, options: IdentityOptions) -> None:
        self.kind = kind
        self.options = options
        self.flags = flags_of(options)
        self._by_form = kind in NAME_KINDS and kind != "paper" and not options.distinct
        self.groups = [(head, *names) for head, names in options.aliases.items()]
        self._groups_of: dict[str, list[int]] = {}
        for at, group in enumerate(self.groups):
            for key in dict.fromkeys(self.key(name) for name in group):
                self._groups_of.setdefault(key, []).append(at)
        self.apart = [(self.key(one), self.key(two)) for one, two in options.distinct]

    def __bool__(self) -> bool:
        return bool(self.groups or self.apart)

    def key(self, value: str) -> str:
        """The value's normal form under these options."""
        if self._by_form:  # the usual case, at once
            return key_of(self.kind, value, self.flags)
        return normal_form(self.kind, value, self.options)

    def names(self, value: str) -> tuple[str, ...]:
        """The value and the names declared for it."""
        found = dict.fromkeys([value])
        for at in self._groups_of.get(self.key(value), ()):
            found |= dict.fromkeys(self.groups[at])
        return tuple(found)

    def keys(self, value: str) -> frozenset[str]:
        """The normal forms of those names."""
        return frozenset(self.key(name) for name in self.names(value))

    def is_apart(self, keys_a: frozenset[str], keys_b: frozenset[str]) -> bool:
        """Whether the `distinct` list keeps the two apart."""
        return any(
            (one in keys_a and two in keys_b) or (two in keys_a and one in keys_b) for one, two in self.apart
        )
