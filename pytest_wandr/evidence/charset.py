"""In which encoding are these bytes, and what do they say?"""

from __future__ import annotations

import codecs

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from pytest_wandr.evidence.detect import detect

_WIDER = {
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "euc_kr": "cp949",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "iso8859-11": "cp874",
}
_SOUND_SHARE, _LIKELY_SHARE = 20, 3
_HIGH = bytes(range(128, 256))
_NUL_SHARE, _FEW_NULS = 20, 4


def to_utf8(body: bytes, *, media_type: str = "") -> tuple[str, bytes]:
    """The name of the charset, and the body as UTF-8.

    The order: byte order mark, NULs of wide characters, real UTF-8, header, declaration, detection, cp1252.
    """
    charset, text = _decoded(body, media_type)
    return charset, body if text is None else text.encode("utf-8", "replace")


def _decoded(body: bytes, media_type: str) -> tuple[str, str | None]:
    """The charset and the text; no text when the body is sound UTF-8 as it is."""
    mark, bom = read_bom(body)
    if mark and bom:
        return mark, body[len(bom) :].decode(mark, "replace")
    charset = _wide_charset(body)
    if charset:
        return charset, body.decode(charset, "replace")
    if body.isascii():
        return _seven_bit(body, media_type)
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return _legacy(body, media_type)
    return "utf-8", None


def _legacy(body: bytes, media_type: str) -> tuple[str, str]:
    """Bytes that are no UTF-8, or UTF-8 with a few damaged characters."""
    declared = _declared(body, media_type)
    text = body.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    sound = len(text) - len(body.translate(None, _HIGH)) - damaged
    if damaged * (_SOUND_SHARE if declared else _LIKELY_SHARE) <= sound:  # by chance hardly any is sound
        return "utf-8", text
    charset = declared or detect(body) or "cp1252"
    return charset, body.decode(charset, "replace")


def _seven_bit(body: bytes, media_type: str) -> tuple[str, str | None]:
    """ASCII bytes may still be escape sequences of a seven-bit encoding."""
    if b"\x1b$" in body or b"\x1b(" in body:
        return "iso2022_jp", body.decode("iso2022_jp", "replace")
    charset = _declared(body, media_type)
    if charset in {"utf-7", "hz"}:
        return charset, body.decode(charset, "replace")
    return "utf-8", None


def _declared(body: bytes, media_type: str) -> str | None:
    for name in (http_content_type_encoding(media_type), html_body_declared_encoding(body)):
        charset = resolve_encoding(name) if name else None
        if charset and _is_text_codec(charset) and not _contradicts(charset):
            return _WIDER.get(charset, charset)
    return None


def _is_text_codec(charset: str) -> bool:
    try:
        "".encode(charset)
    except (LookupError, ValueError):
        return False
    return True


def _contradicts(charset: str) -> bool:
    """Bytes that are no UTF-8 and have no NULs cannot be what these names say."""
    return codecs.lookup(charset).name in {"utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "ascii"}


def _wide_charset(body: bytes) -> str | None:
    """UTF-16 or UTF-32 without a byte order mark shows as NULs in a fixed place."""
    head = body[:4_000]
    if head.count(0) * _NUL_SHARE < len(head) or head.count(0) < _FEW_NULS:
        return None
    units = len(head) // 4
    zeros = [head[at : units * 4 : 4].count(0) for at in range(4)]
    if units and zeros[0] == units and zeros[1] * 10 > units * 9:
        return "utf-32-be"
    if units and zeros[3] == units and zeros[2] * 10 > units * 9:
        return "utf-32-le"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if even > 9 * odd:
        return "utf-16-be"
    return "utf-16-le" if odd > 9 * even else None
