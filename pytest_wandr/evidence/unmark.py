"""What did an excerpt say before someone wrote it as markdown or left markup in it?

Every pattern is linear: repeats are bounded or exclude what ends them.
"""

from __future__ import annotations

import html
import re

_IMAGE = re.compile(r"!\[([^\[\]]{0,500})\]\((?:[^()\n]|\([^()\n]{0,300}\)){0,2000}\)")
_TARGET = r"\((?:\\.|[^()\\\n]|\((?:\\.|[^()\\\n]){0,300}\)){0,2000}\)"
_LINK = re.compile(r"\[((?:\\.|[^\[\]\\]|\[[^\[\]]{0,100}\]){1,2000})\]" + _TARGET)
_CHOPPED = re.compile(r"\]\([^()\s]{0,2000}\)?(?=\s|$)|\]\((?:https?:|/|#)[^()\s]{0,2000}\)?")
_NAMED = re.compile(r"\[([^\[\]\n]{1,500})\]\[[^\[\]\n]{0,100}\]")
_AUTOLINK = re.compile(r"<(https?://[^\s<>]{1,2000}|[^\s<>@]{1,100}@[^\s<>@]{1,200})>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>|<!--[^<>]{0,2000}-->")
_CELL = re.compile(r"<t[dh]\b")
_BLOCK = re.compile(
    r"</?(?:p|div|br|li|ul|ol|h[1-6]|table|tbody|thead|section|article|blockquote|dt|dd|hr)\b"
)
_LINE_START = re.compile(
    r"^[ \t]{0,12}(?:>[ \t]?|[-*+•◦▪·][ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)", re.MULTILINE
)
_UNDERLINE = re.compile(r"^[ \t]{0,3}(?:={2,}|-{2,})[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]{0,3}(?:```|~~~)[\w+-]{0,30}[ \t]*$", re.MULTILINE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{}~])")
_EMPHASIS = re.compile(r"\*{1,3}|_{1,3}|~~|`{1,3}")
_PASSES = 3


def unmark(text: str, *, images: bool = True) -> str:
    """The text without markdown and tags; with the alternative texts of images unless told otherwise."""
    text = _IMAGE.sub(r" \1 " if images else " ", text) if "![" in text else text
    if "[" in text:
        text = _without_links(text)
    text = _CHOPPED.sub("", text) if "](" in text else text
    text = _FENCE.sub("", text)
    for _ in range(_PASSES):
        text = _LINE_START.sub("", text)
    text = _UNDERLINE.sub("", text)
    text = _TAG.sub(_without_tag, _AUTOLINK.sub(r"\1", text)) if "<" in text else text
    text = _ESCAPE.sub(_escaped, _without_emphasis(text))
    return html.unescape(text) if "&" in text else text


def _without_tag(match: re.Match[str]) -> str:
    """Cells keep their borders, blocks part words, other tags vanish."""
    tag = match[0].lower()
    if _CELL.match(tag):
        return "|"
    return "|\n" if tag.startswith("</tr") else " " if _BLOCK.match(tag) else ""


def _without_links(text: str) -> str:
    for _ in range(_PASSES):
        shorter = _LINK.sub(r"\1", text)
        if shorter == text:
            break
        text = shorter
    return _NAMED.sub(r"\1", text)


def _escaped(match: re.Match[str]) -> str:
    """An escaped bar stays escaped: it is text, while a bare one parts cells."""
    return match[0] if match[1] == "|" else match[1]


def _without_emphasis(text: str) -> str:
    """Drop marks that open before a character and close after one, innermost first, in one pass."""
    opened: dict[str, tuple[int, int]] = {}
    dropped: list[tuple[int, int]] = []
    for match in _EMPHASIS.finditer(text):
        start, end = match.span()
        if start and text[start - 1] == "\\":
            continue
        opener = opened.get(match[0])
        if opener and start > opener[1] and not text[start - 1].isspace():
            dropped += [opener, (start, end)]
            del opened[match[0]]
        elif end < len(text) and not text[end].isspace():
            opened[match[0]] = (start, end)
    for start, end in sorted(dropped, reverse=True):
        text = text[:start] + text[end:]
    return text
