"""What did a judge say of names that look alike, and what does it change among siblings?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.identity import Collapsed
from pytest_wandr.identity.joining import Joining

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_wandr.model import KeySpec, NamePath, NameVerdict

_RANK = {False: 0, None: 1, True: 2}


class JudgedNames:
    """The verdicts on the names of one key, found by whose siblings the names are."""

    def __init__(self, verdicts: Iterable[NameVerdict] = ()) -> None:
        self._by_place: dict[tuple[NamePath, tuple[str, ...]], list[NameVerdict]] = {}
        for verdict in verdicts:
            for path in verdict.under:
                self._by_place.setdefault((path, verdict.further), []).append(verdict)

    def __bool__(self) -> bool:
        return bool(self._by_place)

    def about(
        self, further: tuple[str, ...], under: Iterable[NamePath]
    ) -> dict[tuple[str, str], NameVerdict]:
        """What was said of pairs of these siblings. Where verdicts differ, what keeps apart counts."""
        found: dict[tuple[str, str], NameVerdict] = {}
        for path in under:
            for verdict in self._by_place.get((path, further), ()):
                pair = (min(verdict.a, verdict.b), max(verdict.a, verdict.b))
                found[pair] = min(found.get(pair, verdict), verdict, key=_firmness)
        return found

    @staticmethod
    def applied(
        key: KeySpec,
        names: Sequence[str],
        found: Collapsed,
        said: Mapping[tuple[str, str], NameVerdict],
    ) -> Collapsed:
        """The groups after what was said, and every pair that looks alike with what became of it."""
        joined = Joining(key.kind, names, found, key).joined(
            {pair: verdict.same for pair, verdict in said.items()}
        )
        near = [
            (a, b, _told(reason, said.get((names[a], names[b])), joined.against.get((a, b))))
            for a, b, reason in found.near
        ]
        return Collapsed(joined.groups, near)


def _firmness(verdict: NameVerdict) -> tuple[int, str, str]:
    return _RANK[verdict.same], verdict.code, verdict.reason


def _told(reason: str, said: NameVerdict | None, against: str | None) -> str:
    """Why two names look alike, and what the judge said of it."""
    if against:
        return f"{reason}; the judge finds them the same, but {against}"
    if said is None:
        return reason
    word = {True: "the same", False: "not the same", None: "undecided, so distinct"}[said.same]
    return f"{reason}; the judge: {word}" + (f" ({said.reason})" if said.reason else "")
