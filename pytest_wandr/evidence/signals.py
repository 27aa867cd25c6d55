"""What about a page tells content from a wall: how much it says, to whom, and what it asks for?"""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from pytest_wandr.evidence import walk
from pytest_wandr.evidence.marks import readable

if TYPE_CHECKING:
    from pytest_wandr.evidence.page import PageText

_CONTROLS = ("a", "button", "select", "option", "nav", "label")
_SHORT_SOURCE = 400_000
_MOST_ELEMENTS = 500
_LONGEST_READ = 20_000  # the beginning of a page tells
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n|(?<=[。！？])")
_PART = re.compile(r"\s+[|·•»:–—-]\s+|\s*[|·•»]\s*|:\s+")
_NUMBERED = re.compile(r"(?:http |error |erreur |fehler |status )*[45]\d\d\b[\s:–-]*")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_JUMP = re.compile(
    r"(?:window|document|top|self)\.location(?:\.href)?\s*=|location\.(?:replace|assign|href)\s*[(=]"
)
_DELAY = re.compile(r"\s*(\d{1,6})")
_ASCII = bytes(range(128))
_NO_PLAIN = bytes(byte for byte in range(256) if byte >= 128 or not chr(byte).isalnum())
_MARKS = re.compile("[\u0300-\u036f]+")

_WORDS = r"""
you your yours please we our us sorry oops click return home homepage browser javascript loading website url
sie ihr ihre ihrem ihren dich dir dein\w* bitte wir uns unser\w* leider klicken startseite geladen
vous votre vos veuillez nous notre desole desoles cliquez accueil chargement
usted favor buscas nuestr[ao]s? sentimos haga clic cargando navegador nostr[aoie] spiacenti clicca caricamento
voce noss[ao]s? desculpe clique carregando uw jouw? alstublieft onze helaas klik
twoj\w* prosze nasz\w* przepraszamy kliknij przegladark\w*
вы вас вам ваш\w* пожалуйста наш\w* нажмите извините браузер\w* загрузка lutfen
sitemiz\w* vanligen tyvarr vas prosim omlouvame kerem sajnaljuk oldalunk venligst beklager desvarre
pahoittelemme sivustomme dumneavoastra scuze παρακαλω συγγνωμη будь vui silakan maaf
"""
_ANYWHERE = """
ください 下さい お客様 あなた 当サイト 您 请 請 抱歉 我们 我們 하세요 주세요 하십시오 십시오 죄송 고객님 يرجى
"""


@dataclass(frozen=True, slots=True)
class Signals:
    """What a page shows at a glance. Texts are casefolded and without accents."""

    size: int
    title: str = ""
    headings: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    has_password: bool = False
    has_script: bool = False
    jumps: bool = False
    source: str = field(default="", repr=False)

    @property
    def parts(self) -> set[str]:
        """The title and headings, whole, cut at bars, dashes and colons, and without an error number."""
        wholes = [text for text in (self.title, *self.headings) if text]
        parts = {part.strip(" .!?。！…") for whole in wholes for part in (whole, *_PART.split(whole))}
        return parts | {part for part in (_NUMBERED.sub("", part) for part in parts) if part}


_PLAIN = str.maketrans("’ʼıłŁ", "''ilL")  # letters that no normal form takes apart


def letters(text: str) -> int:
    """How many letters and digits a text has; an ideograph or syllable says as much as two or three."""
    encoded = text.encode("utf-8", "surrogatepass")
    plain = len(encoded.translate(None, delete=_NO_PLAIN))
    if text.isascii():
        return plain
    others = encoded.translate(None, delete=_ASCII).decode("utf-8", "surrogatepass")
    return plain + sum(map(str.isalnum, others)) + len(_WIDE.findall(others)) * 3 // 2


def simple(text: str) -> str:
    """The text casefolded, without accents, with plain quotes and single spaces."""
    text = unicodedata.normalize("NFKD", text.translate(_PLAIN)).casefold()
    return unicodedata.normalize("NFC", " ".join(_MARKS.sub("", text).split(" ")))


_READER = re.compile(rf"\b(?:{'|'.join(simple(_WORDS).split())})\b|{'|'.join(simple(_ANYWHERE).split())}")


def speaks_to_reader(sentence: str) -> bool:
    """True for a sentence that asks or tells the reader something, as walls do."""
    return _READER.search(sentence) is not None


def signals_of(page: PageText, *, longest: float = math.inf) -> Signals:
    """The signals of a page; only size and title when it has so many letters."""
    text = page.text
    text = text[:_LONGEST_READ]
    size = letters(text)
    if size >= longest:
        return Signals(size, title=simple(page.title))
    root = page.tree()
    if root is None:
        lines = tuple(simple(line) for line in text.split("\n") if line.strip())
        heads = lines[:2] if size < 200 else ()
        return Signals(size, headings=heads, sentences=_sentences(text))
    return _from_tree(page, root, size)


def _from_tree(page: PageText, root: etree._Element, size: int) -> Signals:
    headings = _texts(root, "h1", "h2")
    controls = _texts(root, "a", "button", "label")
    inputs = [(el.get("type") or "").lower() for el in root.iter("input")]
    buttons = tuple(simple(el.get("value") or "") for el in root.iter("input"))
    scripts = list(root.iter("script"))
    jumps = _refreshes(root) or any(_JUMP.search((el.text or "")[:_SHORT_SOURCE]) for el in scripts)
    has_script = any((el.get("src") or el.text) and "json" not in (el.get("type") or "") for el in scripts)
    etree.strip_elements(root, *_CONTROLS, with_tail=False)
    own = readable(walk.views(root)[0][:_LONGEST_READ])
    sentences = _sentences(own)
    return Signals(
        size=size,
        title=simple(page.title),
        headings=headings or sentences[:1],
        sentences=sentences,
        controls=tuple(text for text in controls + buttons if text),
        has_password="password" in inputs,
        has_script=has_script,
        jumps=jumps,
        source=page.source[:_SHORT_SOURCE].lower(),
    )


def _texts(root: etree._Element, *tags: str) -> tuple[str, ...]:
    """The texts of the first elements of some kinds."""
    elements = islice(root.iter(*tags), _MOST_ELEMENTS)
    return tuple(simple(" ".join("".join(map(str, el.itertext())).split())[:200]) for el in elements)


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(simple(part.strip()) for part in _SENTENCE.split(text) if part and part.strip())


def _refreshes(root: etree._Element) -> bool:
    """True when the page sends the reader elsewhere within ten seconds."""
    for meta in root.iter("meta"):
        if (meta.get("http-equiv") or "").strip().lower() == "refresh":
            content = (meta.get("content") or "").lower()
            delay = _DELAY.match(content)
            if "url" in content and (delay is None or int(delay[1]) <= 10):
                return True
    return False
