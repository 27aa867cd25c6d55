"""Why is a page no evidence: an error page, a wall, a shell, nothing at all?

Only pages with little text are suspected. A wall speaks to its reader ("please sign in"), content speaks
of things: sentences of the second kind clear a page, whatever words its title has.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.evidence.signals import Signals, letters, signals_of, simple, speaks_to_reader
from pytest_wandr.evidence.walls import PHRASES, SOURCE_MARKERS, TITLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_wandr.evidence.page import PageText

_LITTLE, _LONGEST_TITLE = 1_500, 120
_MUCH_ELSE, _LITTLE_ELSE, _NEXT_TO_NOTHING = 200, 95, 65
_STATUS = {401: "sign-in needed", 403: "forbidden", 404: "not found", 410: "gone", 429: "too many requests"}
_GUARDED = frozenset({403, 429, 503})
_IMPERATIVE = frozenset({"challenge", "login wall", "parked domain"})  # their phrases are no facts
_ACTIONS = re.compile(
    r"accept|agree|allow|reject|decline|refuse|manage|consent|got it|^ok$|akzeptier|ablehn|zustimm|verwalten"
    r"|aceptar|rechazar|accett|rifiut|aceitar|rejeitar|accepteer|weiger|akkoord|zaakceptuj|odrzuc|zgadzam|принять|отклонить"
    r"|согла|同意|許可|拒否|接受|拒绝|拒絕|동의|수락|거부|허용|kabul|godkann|samtyck"
)


class _Weights(NamedTuple):
    """How a page divides for one kind of wall: what gives it away, and the letters that do not."""

    titled: bool
    phrases: int
    addressed: bool
    said: int
    rest: int


def page_problem(page: PageText, *, status: int = 200) -> str | None:
    """Why a page is unusable, or None. The words before the colon name the kind and stay the same.

    Evidence comes first: a page on which an excerpt was found is usable, whatever this says (errors of the
    status apart). That is for the caller to decide, who has the excerpts.
    """
    if page.problem:
        return (
            f"empty: {page.problem}"
            if page.problem.startswith("no text") and page.kind != "pdf"
            else page.problem
        )
    signals = signals_of(page, longest=_LITTLE)
    if status >= 400:
        return _http_error(signals, status)
    if signals.size >= _LITTLE:
        return _missing_behind_menus(page, signals)
    return next((problem for rule in _RULES if (problem := rule(signals))), None)


def _missing_behind_menus(page: PageText, signals: Signals) -> str | None:
    """Error pages of large sites have menus of thousands of letters; their title still tells."""
    if not _is_titled(signals, "soft 404"):
        return None
    signals = signals_of(page)
    return _soft_404(signals) if sum(map(letters, signals.sentences)) < _LITTLE else None


def _is_titled(signals: Signals, kind: str) -> bool:
    pattern = _title_pattern(kind)
    return any(len(part) <= _LONGEST_TITLE and pattern.fullmatch(part) for part in signals.parts)


def _http_error(signals: Signals, status: int) -> str:
    challenge = _challenge(signals) if status in _GUARDED else None
    words = _STATUS.get(status, "server error" if status >= 500 else "refused")
    return challenge or f"http error: status {status} ({words})"


@cache
def _title_pattern(kind: str) -> re.Pattern[str]:
    return re.compile("|".join(map(simple, TITLES.get(kind, ("(?!)",)))))


@cache
def _phrase_pattern(kind: str) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(simple(phrase)) for phrase in PHRASES[kind]))


def _weigh(signals: Signals, kind: str) -> _Weights:
    pattern = _phrase_pattern(kind)
    found = [pattern.findall(sentence) for sentence in signals.sentences]
    hits = {phrase for phrases in found for phrase in phrases}
    said = sum(map(letters, signals.sentences))
    rest = sum(
        letters(sentence)
        for sentence, phrases in zip(signals.sentences, found, strict=True)
        if not phrases and not speaks_to_reader(sentence) and sentence not in signals.headings
        and sentence != signals.title
    )  # fmt: skip
    addressed = kind in _IMPERATIVE or any(map(speaks_to_reader, signals.sentences))
    return _Weights(_is_titled(signals, kind), len(hits), addressed, said, rest)


def _challenge(signals: Signals) -> str | None:
    weights = _weigh(signals, "challenge")
    marker = next((marker for marker in SOURCE_MARKERS if marker in signals.source), None)
    if marker and weights.rest < 600:
        return f"challenge: the page asks for proof that a person reads it ({marker})"
    if _is_wall(weights):
        return "challenge: the page asks for proof that a person reads it, or blocks the reader"
    return None


def _is_wall(weights: _Weights, *, longest: int = 700) -> bool:
    """A wall has the title of one, or its phrases towards the reader, and says little else."""
    if weights.titled and weights.rest < (_MUCH_ELSE if weights.phrases > 1 else _LITTLE_ELSE):
        return True
    wordy = weights.phrases > (0 if weights.addressed else 1)
    return wordy and weights.rest < _NEXT_TO_NOTHING and weights.said < longest


def _soft_404(signals: Signals) -> str | None:
    if _is_wall(_weigh(signals, "soft 404"), longest=500):
        return "soft 404: the page says that what was asked for is not there"
    return None


def _server_error(signals: Signals) -> str | None:
    if _is_wall(_weigh(signals, "server error"), longest=300):
        return "server error: the page says that the site does not work now"
    return None


def _login(signals: Signals) -> str | None:
    weights = _weigh(signals, "login wall")
    asks = signals.has_password and weights.rest < _LITTLE_ELSE
    if asks or _is_wall(weights, longest=600):
        return "login wall: the page asks the reader to sign in first"
    return None


def _consent(signals: Signals) -> str | None:
    pattern = _phrase_pattern("consent wall")
    count = sum(len(pattern.findall(text)) for text in (*signals.sentences, *signals.controls, signals.title))
    short = [text for text in signals.sentences if len(text) <= 30 and text not in signals.headings]
    acts = any(len(text) <= 60 and _ACTIONS.search(text) for text in (*signals.controls, *short))
    weights = _weigh(signals, "consent wall")
    if acts and count >= (2 if weights.titled else 4) and weights.rest < 120:
        return "consent wall: the page asks for consent before it shows anything"
    return None


def _shell(signals: Signals) -> str | None:
    weights = _weigh(signals, "script-only shell")
    if weights.phrases and weights.rest < 80 and weights.said < 500:
        return "script-only shell: the page shows nothing without JavaScript"
    if signals.has_script and not signals.jumps and signals.size < 60 and weights.rest < 15:
        return "script-only shell: scripts and no text"
    return None


def _redirect(signals: Signals) -> str | None:
    weights = _weigh(signals, "redirect")
    if (signals.jumps and weights.rest < 60 and weights.said < 300) or (
        weights.phrases and weights.rest < 40 and weights.said < 250
    ):
        return "redirect: the page only leads elsewhere"
    return None


def _geo(signals: Signals) -> str | None:
    if _is_wall(_weigh(signals, "geo wall"), longest=400):
        return "geo wall: the page is not shown in this country"
    return None


def _age(signals: Signals) -> str | None:
    if _is_wall(_weigh(signals, "age wall"), longest=400):
        return "age wall: the page asks for the reader's age first"
    return None


def _parked(signals: Signals) -> str | None:
    weights = _weigh(signals, "parked domain")
    if _is_wall(weights, longest=500) or (weights.phrases > 1 and weights.rest < 250):
        return "parked domain: nobody publishes here, the name is for sale"
    return None


def _placeholder(signals: Signals) -> str | None:
    weights = _weigh(signals, "placeholder")
    if weights.titled and weights.rest < 200:
        return "placeholder: the site is not there yet, or no longer"
    return None


def _empty(signals: Signals) -> str | None:
    if signals.size < 40 and sum(map(letters, signals.sentences)) < 15:
        return "empty: the page has next to no text"
    return None


_RULES: tuple[Callable[[Signals], str | None], ...] = (
    _challenge, _soft_404, _server_error, _shell, _redirect, _login, _consent, _geo, _age, _parked,
    _placeholder, _empty,
)  # fmt: skip
