"""What kind of document are these bytes: by what they are first, then by what the server says?"""

from __future__ import annotations

import re

_MAGIC = {
    b"\x89PNG": "a PNG image",
    b"GIF8": "a GIF image",
    b"\xff\xd8\xff": "a JPEG image",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "gzip data",
    b"\x7fELF": "a program",
    b"OggS": "Ogg media",
    b"ID3": "an MP3 file",
    b"RIFF": "RIFF media",
    b"wOFF": "a font",
    b"wOF2": "a font",
    b"\xd0\xcf\x11\xe0": "an Office document",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"\x28\xb5\x2f\xfd": "zstd data",
    b"\x00asm": "a program",
    b"BZh": "bzip2 data",
    b"\x00\x00\x01\x00": "an icon",
    b"II*\x00": "a TIFF image",
    b"MM\x00*": "a TIFF image",
}
_BINARY_TYPES = (
    "image/",
    "audio/",
    "video/",
    "font/",
    "application/zip",
    "application/gzip",
    "application/vnd.",
)
_KINDS = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/csv": "csv",
    "text/tab-separated-values": "csv",
    "text/json": "json",
    "application/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
    "text/markdown": "text",
    "text/x-markdown": "text",
    "application/x-ndjson": "text",
    "application/jsonl": "text",
    "application/javascript": "text",
    "text/javascript": "text",
    "application/yaml": "text",
}
_TAG = re.compile(
    rb"<(?:!doctype html|html|head|body|title|meta|div|p|table|ul|ol|h[1-6]|span|script|a|b|br)\b",
    re.IGNORECASE,
)
_XML = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*<\?xml\b")
_HEAD = 2_000
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")  # byte order marks: text
_CONTROLS = b"\x01\x02\x03\x05\x06\x07\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a"


def kind_of(body: bytes, media_type: str) -> str:
    """One of html, xml, json, csv, text, pdf, binary."""
    head = body[:_HEAD]
    name = media_type.partition(";")[0].strip().lower()
    if b"%PDF-" in head[:1024] and not name.startswith("text/html"):
        return "pdf"
    if name.startswith("text/html") and head.startswith(b"%PDF-"):
        return "pdf"
    if _is_binary(body, name):
        return "binary"
    return _named(head, name) or _sniffed(body)


def _named(head: bytes, name: str) -> str | None:
    if name in _KINDS:
        kind = _KINDS[name]
        return "html" if kind == "xml" and b"<html" in head.lower() else kind
    if name.endswith("+json"):
        return "json"
    if name.endswith("+xml"):
        return "xml"
    return "text" if name.startswith("text/") and name != "text/plain" else _plain(head, name)


def _plain(head: bytes, name: str) -> str | None:
    """Servers call pages plain text now and then; a page says so in its first bytes."""
    if name != "text/plain":
        return None
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:15].lower()
    return "html" if start.startswith((b"<!doctype html", b"<html")) else "text"


def _sniffed(body: bytes) -> str:
    head = body[:_HEAD].replace(b"\x00", b"")
    if _XML.match(head) and b"<html" not in head.lower():
        return "xml"
    if _TAG.search(head):
        return "html"
    start = head.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")[:1]
    if start in {b"{", b"["}:
        return "json"
    return "html" if start == b"<" else "text"


def _is_binary(body: bytes, name: str) -> bool:
    head = body[:_HEAD]
    if name.startswith(_BINARY_TYPES) and not name.endswith(("+xml", "+json")):
        return True
    controls = len(head) - len(head.translate(None, delete=_CONTROLS))
    odd = controls > 0 or b"\x00" in head
    if not odd or head.startswith(_MARKS) or _TAG.search(head.replace(b"\x00", b"")):
        return False
    return head.startswith(tuple(_MAGIC)) or controls * 10 > len(head)


def binary_name(body: bytes, media_type: str) -> str:
    """What a binary is, in words."""
    known = next((name for magic, name in _MAGIC.items() if body.startswith(magic)), "")
    return known or media_type.partition(";")[0].strip() or "no text format"


def is_tabbed(text: str, media_type: str) -> bool:
    """True when values are parted by tabs."""
    first = text.partition("\n")[0]
    return "tab-separated" in media_type or first.count("\t") > first.count(",")
