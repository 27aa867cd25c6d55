"""Which identifiers does a reference to a paper carry, and are two references one paper?"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

from pytest_wandr.identity.verdict import Comparison, distinct, grey, same

_DOI = re.compile(r"\b(10\.\d{4,9}(?:/|%2f)[^\s\"<>]+)", re.IGNORECASE | re.ASCII)
_DOI_ALONE = re.compile(
    r"(?:(?:https?://)?(?:www\.)?(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}(?:/|%2f)[^\s\"<>]+)", re.IGNORECASE
)
_ARXIV_NUMBER = r"(\d{4}\.\d{4,5}|[a-z\-]{2,12}(?:\.[a-z][a-z\-]{1,9})?/\d{7})(v\d{1,3})?"
_ARXIV = re.compile(
    rf"\barxiv(?:\.org/(?:abs|pdf|html|format|ps)/|[:\s]\s*){_ARXIV_NUMBER}(?:\.pdf)?", re.IGNORECASE
)
_ARXIV_URL = re.compile(
    rf"(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html|format|ps)/{_ARXIV_NUMBER}(?:\.pdf)?/?(?:[?#].*)?",
    re.IGNORECASE,
)
_ARXIV_ALONE = re.compile(rf"(?:arxiv:\s*)?{_ARXIV_NUMBER}", re.IGNORECASE)
_ARXIV_DOI = re.compile(rf"10\.48550/arxiv\.{_ARXIV_NUMBER}", re.IGNORECASE)
_YEAR = re.compile(r"[(\[]\s*((?:19|20)\d\d)\s*[)\]]|,\s*((?:19|20)\d\d)\s*$")
_LABELS = re.compile(
    r"[(\[]\s*(?:doi|arxiv|pmid)?\s*:?\s*[)\]]|\bdoi\s*:?\s*$|https?://(?:dx\.)?doi\.org/?\s*$", re.IGNORECASE
)

_OTHERS = (
    ("isbn", re.compile(r"\bisbn(?:-1[03])?\W{0,3}((?:\d[-\s]?){9}(?:\d[-\s]?){0,3}[\dx])\b", re.IGNORECASE)),
    (  # apart from the letters, four digits are a year or a model
        "pmc",
        re.compile(
            r"\b(?:pmcid\W{0,3}(?:pmc)?|pmc|pmc\W{1,3}(?:pmc|(?=0*[1-9]\d{5})))0*(\d{4,9})\b", re.IGNORECASE
        ),
    ),
    (
        "pmid",
        re.compile(r"(?:\bpmid\W{0,3}|\bpubmed(?:\.ncbi\.nlm\.nih\.gov)?/)0*(\d{3,9})\b", re.IGNORECASE),
    ),
)
_TAG = re.compile(
    r"</?(?:i|b|em|strong|sub|sup|sc|scp|tt|u|span|jats:\w{1,20})(?:\s[^<>]{0,200})?/?>", re.IGNORECASE
)
_PREPRINT = re.compile(r"[(\[]\s*preprint\s*[)\]]", re.IGNORECASE)


class Reference(NamedTuple):
    """A paper's identifiers, year and title, as far as one string shows them."""

    doi: str
    arxiv: str
    version: str
    year: str
    title: str
    other: str = ""
    """Another identifier with its scheme: `isbn:`, `pmid:` or `pmc:`."""


def read_reference(text: str) -> Reference:
    """Take identifiers and a year in brackets out of a clean text; the rest is the title."""
    doi = arxiv = version = year = ""
    if found := _ARXIV_DOI.search(text) or _ARXIV.search(text) or _ARXIV_ALONE.fullmatch(text.strip()):
        arxiv, version = _arxiv(found[1]), (found[2] or "").lower()
        text = text[: found.start()] + " " + text[found.end() :]
    if found := _DOI.search(text):
        doi = _doi(found[1], in_url=text[: found.start()].lower().endswith("doi.org/"))
        text = text[: found.start()] + " " + text[found.end() :]
    if found := _YEAR.search(text):
        year = found[1] or found[2]
        text = text[: found.start()] + " " + text[found.end() :]
    other, text = _other(text)
    if doi or arxiv or other:
        text = _LABELS.sub(" ", text)
        text = re.sub(
            r"(?:https?://)?(?:dx\.)?doi\.org/|\b(?:doi|arxiv)\s*:|https?://\S*",
            " ",
            text,
            flags=re.IGNORECASE,
        )
    return Reference(doi, arxiv, version, year, " ".join(text.split()), other)


def plain_title(text: str) -> str:
    """A title without tags, and without a bracket that calls it a preprint."""
    if "<" in text:
        text = _TAG.sub("", text)
    return _PREPRINT.sub(" ", text) if "reprint" in text.lower() else text


def _arxiv(number: str) -> str:
    """Without the subject class of old numbers: `math.AG/0301001` is `math/0301001`."""
    return re.sub(r"\.[a-z\-]+/", "/", number.lower())


def _other(text: str) -> tuple[str, str]:
    """The first identifier of another scheme, and the text without it."""
    for scheme, pattern in _OTHERS:
        if found := pattern.search(text):
            number = re.sub(r"[-\s]", "", found[1].lower())
            if scheme == "isbn":
                if len(number) not in {10, 13}:
                    continue
                number = _isbn(number)
            start = text.rfind(" ", 0, found.start()) + 1
            inside = "://" in text[start : found.start()]
            return f"{scheme}:{number}", text[: start if inside else found.start()] + " " + text[
                found.end() :
            ]
    return "", text


def _isbn(number: str) -> str:
    """All thirteen digits."""
    if len(number) == 13 or not number[:9].isdigit():
        return number
    digits = f"978{number[:9]}"
    check = -sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(digits)) % 10
    return f"{digits}{check}"


def _doi(text: str, *, in_url: bool = False) -> str:
    if in_url:
        text = re.split(r"[?#]", text, maxsplit=1)[0]
    text = unquote(text).lower().rstrip(".,;:'\"")
    while (
        text
        and text[-1] in ")]}"
        and text.count(text[-1]) > text.count({")": "(", "]": "[", "}": "{"}[text[-1]])
    ):
        text = text[:-1].rstrip(".,;:")
    return "".join(text.split())


def paper_id(reference: Reference, *, versions: bool = False) -> str:
    """`doi:...`, `arxiv:...` or another scheme; empty without an identifier."""
    if reference.arxiv:
        return f"arxiv:{reference.arxiv}{reference.version if versions else ''}"
    return f"doi:{reference.doi}" if reference.doi else reference.other


def paper_id_of_url(url: str) -> str:
    """The identifier, when a url is nothing but a resolver's address of a paper."""
    if "10." not in url and "rxiv" not in url.lower():
        return ""
    if found := _ARXIV_URL.fullmatch(url) or re.fullmatch(rf"arxiv:\s*{_ARXIV_NUMBER}", url, re.IGNORECASE):
        return f"arxiv:{_arxiv(found[1])}"
    if found := _DOI_ALONE.fullmatch(url):
        name = re.split(r"[?#]", found[1], maxsplit=1)[0] if "doi.org/" in url.lower() else found[1]
        if inner := _ARXIV_DOI.fullmatch(unquote(name)):
            return f"arxiv:{inner[1].lower()}"
        return f"doi:{_doi(name)}"
    return ""


def compare_ids(a: Reference, b: Reference, *, versions: bool) -> Comparison | None:
    """What the identifiers and years alone decide."""
    if (a.doi and b.doi and a.doi != b.doi) or (a.arxiv and b.arxiv and a.arxiv != b.arxiv):
        return distinct("identifier")
    if a.other and b.other and a.other.partition(":")[0] == b.other.partition(":")[0]:
        return same("identifier") if a.other == b.other else distinct("identifier")
    if (a.arxiv and b.arxiv) or (a.doi and b.doi):
        return distinct("version") if versions and a.version != b.version else same("identifier")
    if not a.title or not b.title:
        return grey("identifier on one side") if paper_id(a) or paper_id(b) else None
    return distinct("year") if a.year and b.year and a.year != b.year else None
