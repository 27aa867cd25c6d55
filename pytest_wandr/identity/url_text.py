"""What is a url once it is cleaned, and its percent signs, dots and slashes are in order?"""

from __future__ import annotations

import re
import unicodedata

from pytest_wandr.identity.fold import unescape

_BLANK = re.compile("[\t\r\n\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u2060\u202a-\u202e\ufeff\u00ad]")
_AROUND = ' \t<>"\u201c\u201d'
_OPENING = re.compile(r"^(?:[({]|\[(?![0-9A-Fa-f:.]+\]))+")
_TRAIL = frozenset(".,;:!'<>\"\u2019\u201c\u201d")
_KEPT_TRAIL = ("/.", "/..", "#!")
_PAIRS = {")": "(", "]": "[", "}": "{"}
_ESCAPES = re.compile(r"(?P<letter>[^\W_]?)(?P<escapes>(?:%[0-9A-Fa-f]{2})+)")
_UNSAFE = re.compile(r'[ "<>\\^`{|}]')
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?|jsp|xhtml)$", re.IGNORECASE)
_AMP = re.compile(r"(?:\.amp(?:\.html?)?|/amp)$", re.IGNORECASE)
_SLASHES = re.compile("/{2,}")


def trimmed(url: str) -> str:
    """Without what surrounds an address in running text."""
    text = _BLANK.sub("", unescape(url) if "&" in url else url)
    text = _OPENING.sub("", text.strip(_AROUND))
    counts = {sign: text.count(sign) for pair in _PAIRS.items() for sign in pair}
    end = len(text)
    while end and not text.endswith(_KEPT_TRAIL, 0, end):
        last = text[end - 1]
        if last in _PAIRS and counts[last] > counts[_PAIRS[last]]:
            counts[last] -= 1
        elif last not in _TRAIL and not last.isspace():
            break
        end -= 1
    return text[:end]


def percent(text: str) -> str:
    """Escapes decoded where that is safe, upper case elsewhere; what must be escaped is; NFC."""
    if "%" in text:
        text = _ESCAPES.sub(_decode, text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return _UNSAFE.sub(lambda match: f"%{ord(match[0]):02X}", text)


def _decode(match: re.Match[str]) -> str:
    data = bytes.fromhex(match["escapes"].replace("%", ""))
    if data.isascii():
        return match["letter"] + "".join(_keep(byte) for byte in data)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return match["letter"] + match["escapes"].upper()
    done, before = match["letter"], match["letter"]
    for char in text:
        shown = _keep(ord(char)) if char.isascii() else _visible(char, before)
        before = char if shown == char else ""
        done += shown
    return done


def _keep(byte: int) -> str:
    char = chr(byte)
    return char if char in _UNRESERVED else f"%{byte:02X}"


def _visible(char: str, before: str) -> str:
    """A character that can stand in a key; others stay escaped, such as an accent on what is no letter."""
    accent = unicodedata.combining(char)
    on_letter = before and (before.isalnum() or unicodedata.combining(before))
    if char.isprintable() and not _BLANK.match(char) and (on_letter or not accent):
        return char
    return "".join(f"%{byte:02X}" for byte in char.encode())


def path_key(path: str, *, keep_slash: bool) -> str:
    """Dot segments, double slashes, index files and AMP endings gone."""
    path = percent(path)
    if "/." in path:
        path = _without_dots(path)
    path = _SLASHES.sub("/", path)
    path = _INDEX.sub("/", path)
    path = _AMP.sub("", path)
    return path if keep_slash else path.rstrip("/")


def _without_dots(path: str) -> str:
    done: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            if len(done) > 1:
                done.pop()
        elif segment != ".":
            done.append(segment)
    if segments[-1] in {".", ".."}:
        done.append("")
    return "/".join(done)
