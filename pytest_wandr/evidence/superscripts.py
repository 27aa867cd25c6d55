"""Which superscripts are marks of references, and where do formulas raise or lower their numbers?"""

from __future__ import annotations

import re

from lxml import etree

_REFERENCE = re.compile(r"[\s()\[\]0-9,*†‡abc\-–]{1,12}")
_LETTER_OR_ROMAN = re.compile(r"\(?(?:[a-z]|[ivx]{1,4})\)?")
_TRADE_MARK = re.compile(r"TM|SM")
_EXPONENT = re.compile(r"\(?[-−+]?\d{1,3}\)?")
_UNIT = re.compile(
    r"(?:(?:^|[^\d.,])10|(?:^|[\s\d(/·⋅×])(?:m|cm|dm|km|mm|nm|µm|μm|ft|in|yd|mi|s|sec|h|hr|kg|g|L|l))\s?$"
)
_WORD_OR_STOP = re.compile(
    r"(?:[^\W\d_]{3}[a-zß-ÿ]|[.,;:!?)\"'”’])$"
)  # nothing that has an exponent or an ending
_RAISED = ("msup", "msub", "msubsup")


def is_reference(sup: etree._Element) -> bool:
    """True for a superscript that leads to a note, or that only says that a name is a trade mark."""
    text = "".join(map(str, sup.itertext())).strip()
    if _REFERENCE.fullmatch(text) is not None:
        return len(sup) > 0 or _EXPONENT.fullmatch(text) is None or _UNIT.search(_before(sup)) is None
    if _LETTER_OR_ROMAN.fullmatch(text):
        return sup.find(".//a") is not None or _WORD_OR_STOP.search(_before(sup)) is not None
    return _TRADE_MARK.fullmatch(text) is not None


def _before(element: etree._Element) -> str:
    """The few characters in front of an element."""
    previous = element.getprevious()
    if previous is not None:
        return (previous.tail or "".join(map(str, previous.itertext())))[-12:]
    parent = element.getparent()
    return (parent.text or "")[-12:] if parent is not None else ""


def mark_formulas(root: etree._Element) -> None:
    """Raised and lowered parts of MathML stand apart as those of text do; fractions get their stroke."""
    for formula in list(root.iter(*_RAISED, "mfrac")):
        parts = list(formula)
        formula.text = None
        for part in parts:
            part.tail = None
        if formula.tag == "mfrac" and parts:
            parts[0].tail = "/"
            continue
        for part in parts[1:]:
            part.addprevious(etree.Element("sup"))
        if parts:
            parts[-1].addnext(etree.Element("sup"))
