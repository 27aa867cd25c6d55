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


def decode(body: bytes, *, media_type: str = "") -> tuple[str, str]:
    """The name of the charset and the text: BOM, real UTF-8, header, declaration, detection, cp1252."""
    mark, bom = read_bom(body)
    if mark and bom:
        return mark, body[len(bom) :].decode(mark, "replace")
    wide = _wide_charset(body)
    if wide:
        return wide, body.decode(wide, "replace")
    if body.isascii():
        return _seven_bit(body, media_type)
    try:
        return "utf-8", body.decode("utf-8")
    except UnicodeDecodeError:
        charset = _declared(body, media_type) or detect(body) or "cp1252"
        return charset, body.decode(charset, "replace")


def _seven_bit(body: bytes, media_type: str) -> tuple[str, str]:
    """ASCII bytes may still be escape sequences of a seven-bit encoding."""
    if b"\x1b$" in body or b"\x1b(" in body:
        return "iso2022_jp", body.decode("iso2022_jp", "replace")
    charset = _declared(body, media_type)
    if charset in {"utf-7", "hz"}:
        return charset, body.decode(charset, "replace")
    return "utf-8", body.decode("ascii")


def _declared(body: bytes, media_type: str) -> str | None:
    for name in (http_content_type_encoding(media_type), _in_body(body)):
        charset = resolve_encoding(name) if name else None
        if charset and _is_text_codec(charset) and not _contradicts(charset):
            return _WIDER.get(charset, charset)
    return None


def _in_body(body: bytes) -> str | None:
    return html_body_declared_encoding(body)


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
    head = body[:4000]
    if head.count(0) * 5 < len(head):
        return None
    size = len(head) // 4
    zero = [sum(head[at : size * 4 : 4][i] == 0 for i in range(size)) * 10 > size * 6 for at in range(4)]
    patterns = {
        (True, True, True, False): "utf-32-be",
        (False, True, True, True): "utf-32-le",
        (True, False, True, False): "utf-16-be",
        (False, True, False, True): "utf-16-le",
    }
    return patterns.get((zero[0], zero[1], zero[2], zero[3]))
