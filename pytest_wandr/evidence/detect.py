"""Which legacy encoding do undeclared bytes look like?

A small judge over a fixed list: a candidate must decode, and the text it gives must look like a language
that is written in that encoding (common letters of its script, few symbols, few capitals inside words).
"""

from __future__ import annotations

import re
from itertools import pairwise

_CANDIDATES = (
    "euc_jp", "cp932", "big5", "euc_kr", "gb18030", "cp1251", "koi8_r", "iso8859_5", "mac_cyrillic", "cp866",
    "cp1253", "cp1255", "cp1256", "cp874", "cp1250", "cp1254", "cp1252",
)  # fmt: skip
_COMMON = {
    "ja": "のにはをたがでてとしれさあいうえおかきくけこすせそちつなぬねひふへほまみむめもやゆよらりるろわん"
    "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤヨラリルレロワンー",
    "zh": "的一是不了在人有我他這这個个們们中來来上大為为和國国地到以說说時时要就出會会可也你對对生能而子那得"
    "於于著着下自之年過过發发後后作里用道行所然家種种事成方多經经麼么去法學学如都同現现當当沒没動动面起看定天分"
    "還还進进好小部其些主樣样理心她本前開开但因只從从想實实",
    "ko": "이다는의에을가고하지한로서은도사를기인대라있어시나자리해스정일수아제보그과만",
    "ru": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґ",
    "el": "αοιετσνηυρπκμλςωγδθχφβξζψάέήίόύώ",
    "he": "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
    "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءأإآؤئ",
    "th": "กขคงจชซญฎฏฐณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮะาิีึืุูเแโใไ่้็์",
    "latin": "éèêëàâäáãåæçíìîïñóòôöõøúùûüýÿßœąćęłńśźżčďěňřšťůžőűğışăâîșțţ€“”‘’–—…«»°§",
}
_LATIN = {"cp1250", "cp1254", "cp1252"}
_ALL_COMMON = frozenset("".join(_COMMON.values()))
_RARE_CYRILLIC = frozenset("ъёэщфъ")
_SAMPLE = 40_000
_HIGH = re.compile(rb"[\x80-\xff][\x00-\xff]{0,3}")


def detect(body: bytes) -> str | None:
    """The most likely candidate, or None when nothing looks like text."""
    sample = _sample(body)
    scores = [(_score(sample, charset), -order, charset) for order, charset in enumerate(_CANDIDATES)]
    best, _, charset = max(scores)
    return charset if best > 0.5 else None


def _sample(body: bytes) -> bytes:
    """The part of the body that holds the first bytes above ASCII; whole lines, so no character is cut."""
    first = _HIGH.search(body)
    if first is None:
        return b""
    start = body.rfind(b"\n", 0, first.start()) + 1
    return body[max(start, first.start() - 200) : first.start() + _SAMPLE]


def _score(sample: bytes, charset: str) -> float:
    text = sample.decode(charset, "replace")
    if text[:-2].count("\ufffd") > len(text) / 200:
        return 0.0
    high = [char for char in text if char >= "\x80"]
    if not high:
        return 0.0
    common = sum(char.lower() in _ALL_COMMON for char in high)
    score = common / len(high)
    if charset in _LATIN:
        return score * 0.9 - 0.3 * _dense(text)
    return score - 2 * _odd_case(text) / len(high) - 0.5 * _rare(high)


def _dense(text: str) -> float:
    """Western words have few letters above ASCII; runs of them mean another script."""
    pairs = sum(a >= "\x80" and b >= "\x80" and a.isalpha() and b.isalpha() for a, b in pairwise(text))
    high = sum(char >= "\x80" for char in text)
    return min(1.0, 3 * pairs / high)


def _odd_case(text: str) -> int:
    """Capitals right after small letters: the sign of a wrong Cyrillic table."""
    return sum(a.islower() and b.isupper() for a, b in pairwise(text))


def _rare(high: list[str]) -> float:
    return sum(char in _RARE_CYRILLIC for char in high) / len(high)
