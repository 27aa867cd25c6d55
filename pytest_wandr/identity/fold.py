"""What is left of a spelling when case, marks, width, entities and invisible characters are gone?"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_INVISIBLE = re.compile(
    "[\u200b-\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\u00ad\u034f\u061c\u180e\ufe00-\ufe0f]"
)
_SIGNS = re.compile("[™®©℠]")
_FRACTION = re.compile("(?<=[0-9])(?=[\u00bc-\u00be\u2150-\u215e])")
_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
_POINTS = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u0640]")
_DIGIT = re.compile(r"\d")
_CYRILLIC = re.compile("[\u0400-\u04ff]+")
_NATIVE_RANGES = (
    "\u0590-\u05ff"  # Hebrew
    "\u0600-\u06ff\u0750-\u077f"  # Arabic
    "\u0e00-\u0e7f"  # Thai
    "\u1100-\u11ff\u3130-\u318f\uac00-\ud7ff"  # Hangul
    "\u3040-\u30ff\u31f0-\u31ff"  # kana
    "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
)
NATIVE = re.compile(f"[{_NATIVE_RANGES}]")
"""A letter of a script whose Latin spelling loses what tells two names apart."""
_NATIVE_BYTES = bytes([*range(0xD6, 0xE2), *range(0xE3, 0xF5)])
"""What such a letter begins with in UTF-8; the signs of Latin texts begin otherwise."""
NATIVE_RUN = re.compile(f"([{_NATIVE_RANGES}]+)")

_SCRIPTS = (
    ("hebrew", "\u0590", "\u05ff"),
    ("arabic", "\u0600", "\u077f"),
    ("thai", "\u0e00", "\u0e7f"),
    ("hangul", "\u1100", "\u11ff"),
    ("hangul", "\u3130", "\u318f"),
    ("hangul", "\uac00", "\ud7ff"),
)


def unescape(text: str) -> str:
    """HTML entities with their semicolon, whatever their case; twice escaped ones too."""
    for _ in range(4):
        if "&" not in text or not _ENTITY.search(text):
            break
        text = _ENTITY.sub(_entity, text)
    return text


def has_entity(text: str) -> bool:
    """Whether something looks like an entity; in a clean text it is none, or was hidden in others."""
    return "&" in text and _ENTITY.search(text) is not None


def _entity(match: re.Match[str]) -> str:
    found = html.unescape(match[0].lower())
    return found if found != match[0].lower() else match[0]


def clean(value: str) -> str:
    """Unescaped, NFKC, without invisible characters; case is kept. Changes no ASCII text without entities."""
    text = unescape(value) if "&" in value else value
    if text.isascii():
        return text
    text = _FRACTION.sub(" ", _SIGNS.sub("", _INVISIBLE.sub("", text)))  # 9¾ is not 93/4
    text = unicodedata.normalize("NFKC", text)
    return unescape(_INVISIBLE.sub("", text))


def has_native(text: str) -> bool:
    """Whether a text has such a letter; most texts are asked in a tenth of the time of a search."""
    if text.isascii():
        return False
    encoded = text.encode("utf-8", "surrogatepass")
    if len(encoded.translate(None, _NATIVE_BYTES)) == len(encoded):
        return False
    return NATIVE.search(text) is not None


def is_native(text: str, *, whole: bool = False) -> bool:
    """Whether a text has such a letter; with `whole`, no other letter."""
    letters = [char for char in text if char.isalpha()]
    native = [char for char in letters if NATIVE.match(char)] if has_native(text) else []
    return bool(native) and (not whole or len(native) == len(letters))


def fold(text: str) -> str:
    """Case and marks of a clean text gone; letters outside Latin, Greek and Cyrillic stay what they are."""
    if text.isascii():
        return text.lower()
    text = _DIGIT.sub(_ascii_digit, unicodedata.normalize("NFKC", text.casefold()))
    if _CYRILLIC.search(text):  # й is a letter of its own there, ё is written е
        text = text.replace("ё", "е").replace("й", "\ue000")
        return _strip_marks(text).replace("\ue000", "й")
    return _strip_marks(text)


def _ascii_digit(match: re.Match[str]) -> str:
    return str(unicodedata.decimal(match[0]))


def _strip_marks(text: str) -> str:
    bare = _MARKS.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", _POINTS.sub("", bare))


def latin(folded: str) -> str:
    """ASCII letters for everything, for comparing across scripts."""
    if folded.isascii():
        return folded
    from anyascii import anyascii

    return str(anyascii(folded)).lower()


def romanised(folded: str) -> str:
    """ASCII for all but the native scripts, which keep their letters."""
    if folded.isascii():
        return folded
    if not NATIVE.search(folded):
        return latin(folded)
    return "".join(part if at % 2 else latin(part) for at, part in enumerate(NATIVE_RUN.split(folded)))


@lru_cache(maxsize=4096)
def script_of(folded: str) -> str:
    """The one native script of a text; empty without or with several (Han with kana counts as one)."""
    found = {_script(char) for char in NATIVE.findall(folded)}
    return found.pop() if len(found) == 1 else ""


def _script(char: str) -> str:
    for name, first, last in _SCRIPTS:
        if first <= char <= last:
            return name
    return "han"


def raw_form(value: str) -> str:
    """The form of a name made of symbols only: itself, folded; never empty for a value that is not blank."""
    text = unicodedata.normalize("NFKC", clean(value).casefold())
    return " ".join(text.split()) or ("\u200b" if value.strip() else "")
