"""What do the words around a number mean? Scales, currencies, per cent, small numbers in words."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.checks.locales import base
from pytest_wandr.checks.plain import plain

if TYPE_CHECKING:
    from pytest_wandr.checks.locales import Locale

_SCALES = {
    10**3: (
        "k thousand tausend tsd mille mila mil milhares tusen tusind tuhat tuhatta duizend tys tisíc "
        "tis bin ribu rb тысяч тысячи тысяча тыс тисяч тис χιλιάδες ezer"
    ),
    10**6: (
        "m mm mn mln mio million millions millionen millón millones milhão milhões milione milioni "
        "miljoen miljoenen miljon miljoner millioner millionner milj miljoona miljoonaa milion miliony "
        "milionů milionów milyon millió juta миллион миллиона миллионов млн мільйон мільйони мільйонів "
        "εκατομμύρια εκατ"
    ),
    10**9: (
        "bn b mrd md mld mlrd mia miljard miljarden miljarder milliard milliards milliarde milliarden "
        "milliarder miliardo miliardi miliarda miliardy miliardów miljardi miljardia milyar milliárd "
        "miliar миллиард миллиарда миллиардов млрд мільярд мільярдів δισεκατομμύρια δισ"
    ),
    10**12: "tn trn trillion trilhão trilhões trilyon triliun трлн триллион триллионов biljoen biljoenen",
    10**5: "lakh lakhs lac",
    10**7: "crore crores",
}
# A thousand millions in English, Brazil, Turkish and Russian; a million millions in the rest of Europe.
_BILLIONS = frozenset(plain("billion billions billón billones billionen bilhão bilhões bilion").split())
_SHORT_SCALE = frozenset({"en", "pt", "tr", "ru", None})
_LONG_SCALE = frozenset({"de", "fr", "es", "it", "pl", "cs", "da", "no", "sv", "fi", "hu"})
# Read as scales only where the language has them: a bin, a mil and a tis are other things elsewhere.
_ONLY_IN = {
    "bin": {"tr"},
    "mil": {"es", "pt", "ca"},
    "tis": {"cs", "sk", "uk"},
    "md": {"fr", "ro"},
    "rb": {"id"},
}
UNIT_LIKE_SCALES = frozenset({"m", "mm", "b"})
"""Scales that are units too: 5m is five metres or five million."""

EAST_ASIAN_SCALES = {
    "千": 10**3, "천": 10**3, "万": 10**4, "萬": 10**4, "만": 10**4,
    "億": 10**8, "亿": 10**8, "억": 10**8, "兆": 10**12, "조": 10**12,
}  # fmt: skip

# Code: its signs and words. Several currencies may share a sign.
_CURRENCIES = {
    "eur": "€ euro euros euroa eura евро євро ευρώ",
    "usd": "$ us$ u$s dollar dollars dólar dólares dollari dolarů dolarów доллар доллара долларов",
    "gbp": "£ pound pounds sterling",
    "jpy": "¥ yen 円",
    "cny": "¥ rmb yuan 元 人民币",
    "chf": "sfr fr franken",
    "sek": "kr kronor",
    "nok": "kr kroner",
    "dkk": "kr kroner",
    "isk": "kr",
    "pln": "zł złoty złotych",
    "czk": "kč korun",
    "huf": "ft forint",
    "ron": "lei leu",
    "bgn": "лв лева",
    "rub": "₽ руб рублей рубля рубль",
    "uah": "₴ грн гривень",
    "try": "₺ tl lira",
    "inr": "₹ rs rupees",
    "krw": "₩ won 원",
    "brl": "r$ reais",
    "cad": "$ c$ ca$ cdn$",
    "aud": "$ a$ au$",
    "nzd": "$ nz$",
    "sgd": "$ s$",
    "hkd": "$ hk$",
    "mxn": "$ mx$ pesos",
    "zar": "r rand",
    "ils": "₪ shekels",
    "thb": "฿ baht",
    "vnd": "₫ đồng",
    "ngn": "₦ naira",
}
_BARE_SIGNS = {"$": "usd", "¥": "jpy"}
_AT_HOME = {"sv": "sek", "no": "nok", "da": "dkk", "is": "isk", "zh": "cny"}
_HOMES = frozenset(_AT_HOME.values())
_PERCENT = (
    "% pct percent prozent procent procenta procentów prosent prosenttia porcentaje персент процент процента"
    " процентов відсотків yüzde persen パーセント 퍼센트 per_cent pour_cent por_ciento por_cento per_cento"
)
_SMALL = {
    "en": "two three four five six seven eight nine ten eleven twelve",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "fr": "deux trois quatre cinq six sept huit neuf dix onze douze",
    "es": "dos tres cuatro cinco seis siete ocho nueve diez once doce",
    "it": "due tre quattro cinque sei sette otto nove dieci undici dodici",
    "pt": "dois três quatro cinco seis sete oito nove dez onze doze",
    "nl": "twee drie vier vijf zes zeven acht negen tien elf twaalf",
    "sv": "två tre fyra fem sex sju åtta nio tio elva tolv",
    "da": "to tre fire fem seks syv otte ni ti elleve tolv",
    "no": "to tre fire fem seks sju åtte ni ti elleve tolv",
}


@cache
def _scale_words() -> dict[str, int]:
    return {plain(word): factor for factor, words in _SCALES.items() for word in words.split()}


def scales_called(word: str, locale: Locale) -> tuple[int, ...]:
    """What a word behind a number multiplies it by, on a page of that language; empty when it is no scale."""
    if word in _BILLIONS:
        return _billion(base(locale.lang))
    factor = _scale_words().get(word)
    if factor is None or (word in _ONLY_IN and base(locale.lang) not in {None, *_ONLY_IN[word]}):
        return ()
    return (factor,)


def _billion(code: str | None) -> tuple[int, ...]:
    if code in _LONG_SCALE:
        return (10**12,)
    return (10**9,) if code in _SHORT_SCALE else (10**9, 10**12)


@cache
def _currency_words() -> dict[str, tuple[str, ...]]:
    words: dict[str, list[str]] = {}
    for code, spellings in _CURRENCIES.items():
        for spelling in (code, *spellings.split()):
            words.setdefault(plain(spelling), []).append(code)
    return {word: tuple(codes) for word, codes in words.items()}


class Money(NamedTuple):
    """The currencies that a sign or word may mean; `likely` is the one if nothing says otherwise."""

    likely: str | None
    codes: tuple[str, ...]


def money_called(word: str, locale: Locale | None = None) -> Money | None:
    """What a currency sign, code or word may mean on a page of that language; None when it is none."""
    codes = _currency_words().get(word)
    if codes is None:
        return None
    if len(codes) == 1:
        return Money(codes[0], codes)
    home = None
    if locale is not None and not _HOMES.isdisjoint(codes):
        home = _AT_HOME.get(base(locale.lang) or "")
    return Money(home if home in codes else _BARE_SIGNS.get(word), codes)


def spellings_of(unit: str) -> tuple[str, ...]:
    """How a text may write a canonical unit (see `canonical_unit`), longest first."""
    if unit == "%":
        return percent_words()
    words = [word for word, codes in _currency_words().items() if unit in codes]
    return tuple(sorted(words or [unit], key=lambda word: (-len(word), word)))


@cache
def percent_words() -> tuple[str, ...]:
    """Every way to write per cent, longest first."""
    words = {plain(word).replace("_", " ") for word in _PERCENT.split()}
    return tuple(sorted(words, key=lambda word: (-len(word), word)))


def is_currency(unit: str) -> bool:
    """Is a canonical unit a currency?"""
    return unit in _CURRENCIES


def canonical_unit(unit: str) -> str:
    """`%` for per cent, a code for any sign or name of a currency, else the unit itself, folded."""
    word = plain(unit)
    if word in percent_words():
        return "%"
    money = money_called(word.removesuffix("."))
    return (money.likely or word) if money else word


@cache
def small_numbers(code: str) -> dict[str, int]:
    """Two to twelve in words; one is left out, since in most languages it is an article too."""
    row = plain(_SMALL.get(code, "")).split()
    return {word: number for number, word in enumerate(row, start=2)}
