"""Does a stretch of text hold words that turn a statement into its opposite?"""

from __future__ import annotations

import itertools

from pytest_wandr.evidence.accents import without_accents
from pytest_wandr.evidence.fold import fold

_WORDS = """
no not never none nor neither cannot without nothing nobody nowhere
nicht kein keine keinen keiner keinem keines nie niemals ohne nichts niemand
ne pas jamais sans aucun aucune rien non mai senza nessuno nessuna nulla
nunca jamás sin ningún ninguna ninguno não nem sem nada nadie
niet geen nooit zonder inte aldrig ikke ingen uten utan nie nigdy bez nikt
не нет ни без никогда nem nincs soha değil yok asla ei eivät koskaan ne nikdy není
"""
_CONTRACTED = frozenset(
    b"can won don doesn didn isn aren wasn weren haven hasn hadn couldn shouldn wouldn mustn needn "
    b"ain".split()
)
_FOLDED = fold(" ".join(_WORDS.split()).encode())
_NEGATIONS = frozenset(_FOLDED.split() + without_accents(_FOLDED).split())


def negations(words: list[bytes]) -> int:
    """How many negating words there are; "can't" is the word "t" after "can"."""
    count = sum(word in _NEGATIONS for word in words)
    pairs = itertools.pairwise(words)
    return count + sum(after == b"t" and before in _CONTRACTED for before, after in pairs)


def is_contracted(word: bytes) -> bool:
    """True for a word that a following "t" turns around: "can" of "can't"."""
    return word in _CONTRACTED
