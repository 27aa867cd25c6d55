"""Which legacy encoding do undeclared bytes look like?

A small judge over a fixed list: a candidate must decode, and the letters it gives must be those that are
frequent in the languages written in it.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

_JA = (
    "のにはをたがでてとしれさあいうえおかきくけこすせそちつなぬねひふへほまみむめもやゆよらりるろわんっゃゅょだじぐげござずどばびぶべぼぱ"
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンーッャュョダドバブプグジ、。"
)
_ZH = (
    "的一是不了在人有我他這这個个們们中來来大上為为和國国地到以說说時时要就出會会可也你對对生能而子那得於于著着下自之年過过發发後后作里用道行"
    "所然家種种事成方多經经麼么去法學学如都同現现當当沒没動动面起看定天分還还進进好小部其些主樣样理心她本前開开但因只從从想實实，。、"
)
_KO = (
    "이다는의에을가고하지한로서은도사를기인대라있어시나자리해스정일수아제보그과만들부장전주구상원동니까요면안"
)
_RU = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґ"
_EL = "αοιετσνηυρπκμλςωγδθχφβξζψάέήίόύώ"
_HE = "אבגדהוזחטיךכלםמןנסעףפץצקרשת"
_AR = "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءأإآؤئ،"
_TH = "กขคงจชซญดตถทธนบปผพฟภมยรลวศษสหอะาิีึืุูเแโใไ่้็์ั"
_WEST = "éèêëàâäáãåæçíìîïñóòôöøúùüÿßœ€“”‘’–—…«»°§©®·¿¡ºª"
_EAST = "áéíóöőúüűąćęłńśźżčďěňřšťůžýăâîșțşţôäëđ“”„‘’–—…«»°§"
_TURKISH = "çğıöşüİâîû“”‘’–—…«»°"


class _Candidate(NamedTuple):
    """An encoding, the letters that are frequent in it, and how much each of them proves."""

    charset: str
    common: frozenset[str]
    weight: float


_CANDIDATES = (
    *(_Candidate(name, frozenset(_JA), 1.9) for name in ("euc_jp", "cp932")),
    _Candidate("big5hkscs", frozenset(_ZH), 3.2),
    _Candidate("cp949", frozenset(_KO), 1.9),
    _Candidate("gb18030", frozenset(_ZH), 3.0),
    *(
        _Candidate(name, frozenset(_RU), 1.0)
        for name in ("cp1251", "koi8_r", "iso8859_5", "mac_cyrillic", "cp866")
    ),
    _Candidate("cp1253", frozenset(_EL), 1.0),
    _Candidate("cp1255", frozenset(_HE), 1.0),
    _Candidate("cp1256", frozenset(_AR), 1.0),
    _Candidate("cp874", frozenset(_TH), 1.0),
    _Candidate("cp1252", frozenset(_WEST), 1.0),
    _Candidate("cp1254", frozenset(_TURKISH), 0.99),
    _Candidate("cp1250", frozenset(_EAST), 0.98),
)
_LATIN = frozenset({"cp1250", "cp1254", "cp1252"})
_RARE_CYRILLIC = frozenset("ъэщфё")
_SAMPLE, _LEAD, _ENOUGH = 40_000, 200, 0.5
_SHOUTING = 0.2  # a text in capitals alone is a sign of a wrong table
_HIGH = re.compile(rb"[\x80-\xff]")


def detect(body: bytes) -> str | None:
    """The most likely encoding, or None when nothing looks like text."""
    sample = _sample(body)
    scores = [(_score(sample, candidate), -order) for order, candidate in enumerate(_CANDIDATES)]
    best, order = max(scores)
    return _CANDIDATES[-order].charset if best > _ENOUGH else None


def _sample(body: bytes) -> bytes:
    """The part of the body that holds the first bytes above ASCII, from a place where no character is cut."""
    first = _HIGH.search(body)
    if first is None:
        return b""
    return body[max(0, first.start() - _LEAD) : first.start() + _SAMPLE]


def _score(sample: bytes, candidate: _Candidate) -> float:
    text = sample.decode(candidate.charset, "replace")[:-2]
    high = [char for char in text if char >= "\x80"]
    if not high or text.count("\ufffd") * 50 > len(high):
        return 0.0
    share = sum(char.lower() in candidate.common for char in high) / len(high)
    score = min(1.0, share * candidate.weight)
    if candidate.charset in _LATIN:
        return score - 0.4 * _dense(text, len(high))
    if sum(map(str.isupper, high)) * 2 > len(high):
        score -= _SHOUTING
    return score - (2 * _odd_case(text) + 0.5 * _rare(high) + 0.7 * _mixed(text)) / len(high)


def _dense(text: str, high: int) -> float:
    """Western words have few letters above ASCII in a row; runs of them mean another script."""
    pairs = sum(a >= "\x80" and b >= "\x80" and a.isalpha() and b.isalpha() for a, b in pairwise(text))
    return min(1.0, 3 * pairs / high)


def _odd_case(text: str) -> int:
    """Capitals right after small letters: the sign of a wrong Cyrillic table."""
    return sum(a.islower() and b.isupper() and b >= "\x80" for a, b in pairwise(text))


def _rare(high: list[str]) -> int:
    return sum(char in _RARE_CYRILLIC for char in high)


def _mixed(text: str) -> int:
    """Letters of two scripts side by side: accented letters of a Latin text, read in a wrong table."""
    return sum(a.isalpha() and b.isalpha() and (a < "\x80") != (b < "\x80") for a, b in pairwise(text))
