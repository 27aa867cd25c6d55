"""Which forms does a spelling have: the one that is its key, and those it may be recognised by?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pytest_wandr.identity.brackets import (
    Parts,
    listed_to_brackets,
    loosely_named,
    quoted_to_brackets,
    take_apart,
)
from pytest_wandr.identity.companies import short_legal_form, strip_legal_form, strip_native_form
from pytest_wandr.identity.cyrillic import in_ukrainian, is_cyrillic
from pytest_wandr.identity.fold import clean, fold, is_native, latin, raw_form, romanised, script_of
from pytest_wandr.identity.papers import plain_title
from pytest_wandr.identity.people import Person, person_tokens, read_person
from pytest_wandr.identity.plain_names import plain_tokens
from pytest_wandr.identity.settled import is_settled
from pytest_wandr.identity.signs import spell_greek, spell_lengths, spell_number_signs, without_pictures
from pytest_wandr.identity.standard import standard_places, standard_words
from pytest_wandr.identity.tables.legal import LEGAL_END, NATIVE_IN_BRACKETS
from pytest_wandr.identity.tables.people import IN_BRACKETS
from pytest_wandr.identity.tables.words import ABBREVIATIONS, COUNTRIES, COUNTRY_CODES, NOISE
from pytest_wandr.identity.tokens import join_dotted_words, join_letters, number_of, tokenize, with_numbers

NAME_KINDS = frozenset(("company", "person", "product", "place", "paper", "text"))
_DIGRAPHS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "đ": "dj"})
_DIGRAPH = re.compile("[äöüåøæđ]")
_MODEL = re.compile(r"\b([ix])[\s-]+(?=\d)", re.IGNORECASE)
_BRACKETS = re.compile(r"[()\[\]]")
_DIGIT_RUN = re.compile(r"\d+")
_NO_WORDS: frozenset[str] = frozenset()


class Flags(NamedTuple):
    """The options that change a form."""

    keep_numbers: bool = True
    keep_legal_form: bool = False


DEFAULT = Flags()


class Form(NamedTuple):
    """One way to read a name."""

    tokens: tuple[str, ...]
    key: str
    joined: str
    digits: tuple[str, ...]
    numbers: frozenset[str]
    bag: frozenset[str]
    content: tuple[str, ...] = ()
    tickers: frozenset[str] = frozenset()
    acronyms: frozenset[str] = frozenset()
    native: str = ""
    person: Person | None = None
    raw: str = ""
    qualifiers: tuple[str, ...] = ()
    spelled: str = ""
    is_cyrillic: bool = False


@lru_cache(maxsize=2048)  # a large cache costs more than it saves: the garbage collector walks it
def key_of(kind: str, value: str, flags: Flags = DEFAULT) -> str:
    """The key of a name: reading it again changes nothing."""
    if not flags.keep_legal_form and (tokens := _plain_tokens(kind, value)):
        return " ".join(tokens)
    key = _one_key(kind, value, flags)
    if is_settled(kind, key):
        return key
    seen = [key]
    while (again := _one_key(kind, key, flags)) != key:
        if again in seen:
            return min(seen[seen.index(again) :])
        seen.append(again)
        key = again
    return key


def _one_key(kind: str, value: str, flags: Flags) -> str:
    read = _read(kind, clean(value), flags)
    return " ".join([*read.main, *read.rest]) or raw_form(value)


class _Reading(NamedTuple):
    """A clean text taken apart, with the tokens of its name and of its qualifiers; native letters kept."""

    parts: Parts
    main: list[str]
    rest: list[str]
    acronyms: frozenset[str]


@lru_cache(maxsize=256)
def _read(kind: str, text: str, flags: Flags) -> _Reading:
    """Remembered briefly: the key of a name and its forms are asked for one after the other."""
    parts = _parts(kind, text)
    return _Reading(parts, *_all_tokens(kind, parts, flags, native=True))


def _parts(kind: str, text: str) -> Parts:
    if kind == "person":
        text = quoted_to_brackets(text)
    elif kind == "company":
        text = listed_to_brackets(text)
    elif kind == "paper":
        text = plain_title(text)
    elif kind == "place":
        text = standard_places(text)
    return take_apart(text, anywhere=kind in {"company", "person", "place"}, nicknames=kind == "person")


def _all_tokens(
    kind: str, parts: Parts, flags: Flags, *, native: bool
) -> tuple[list[str], list[str], frozenset[str]]:
    """Tokens of the name, of its qualifiers, and the acronyms that a bracket declares."""
    main = _tokens(kind, parts.main, flags, native=native)
    acronyms: set[str] = set()
    rest: list[str] = []
    for qualifier in parts.qualifiers:
        extra = _tokens("text", _in_full(kind, qualifier), flags, native=native)
        if len(extra) == 1 and extra[0] in _initials(main):
            acronyms.add(extra[0])
        elif _says_nothing(kind, qualifier.strip(), extra):
            continue
        elif kind == "company" and all(token in LEGAL_END for token in extra):
            main += extra if flags.keep_legal_form else []
        elif len(main) == 1 and main[0] in _initials(
            spelled := _tokens(kind, qualifier, flags, native=native)
        ):
            acronyms.add(main[0])
            main = spelled
        else:
            rest += extra
    if kind in {"company", "place"}:
        return _countries(main), _countries(rest), frozenset(acronyms)
    return main, rest, frozenset(acronyms)


def _in_full(kind: str, qualifier: str) -> str:
    """The country that a bracket behind a company is short for."""
    return COUNTRY_CODES.get(qualifier.strip().lower(), qualifier) if kind == "company" else qualifier


def _says_nothing(kind: str, text: str, words: list[str]) -> bool:
    """A bracket with a degree of a person, or with a legal form of a company that is always left out."""
    if kind == "person":
        return bool(words) and IN_BRACKETS.issuperset(words)
    return kind == "company" and (text in NATIVE_IN_BRACKETS or words == ["proprietary"])


def _countries(tokens: list[str]) -> list[str]:
    if not COUNTRIES.keys().isdisjoint(tokens):
        tokens = [word for token in tokens for word in COUNTRIES.get(token, (token,))]
    if "america" in tokens and " ".join(tokens).endswith("united states of america"):
        return tokens[:-2]
    return tokens


def _initials(tokens: list[str]) -> set[str]:
    """The acronyms that a name of several words may have, with and without its small words."""
    if len(tokens) < 2:
        return set()
    return {"".join(t[0] for t in tokens), "".join(t[0] for t in tokens if t not in NOISE)}


def initials(tokens: tuple[str, ...]) -> set[str]:
    """As above, for comparing; two letters at least."""
    return {found for found in _initials(list(tokens)) if len(found) > 1}


def _tokens(kind: str, text: str, flags: Flags, *, native: bool = True) -> list[str]:
    """The tokens of one stretch of clean text."""
    if kind == "person":
        folded = fold(without_pictures(text))
        return person_tokens(romanised(folded) if native else latin(folded))
    tokens = with_numbers(_words(kind, text, flags, native=native))
    tokens = standard_words(kind, tokens)
    if not flags.keep_numbers:
        return [t for t in tokens if not t[0].isdigit()] or tokens
    return tokens


def _words(kind: str, text: str, flags: Flags, *, native: bool = True) -> list[str]:
    """The words as they are written, without what is no part of the name."""
    folded = _spelled_signs(kind, fold(text))
    if kind == "company":
        folded = join_dotted_words(strip_native_form(folded) if not folded.isascii() else folded)
    folded = romanised(folded) if native else latin(folded)
    tokens = _without_article(tokenize(_without_last_article(folded)))
    if kind == "company":
        tokens = _without_article(_company(tokens, flags))
    return tokens


def _spelled_signs(kind: str, folded: str) -> str:
    """Signs that tell names apart, in words."""
    if kind == "product":
        folded = spell_lengths(folded)
    folded = spell_number_signs(folded)
    if kind in {"paper", "text"}:
        return spell_greek(folded)
    return spell_greek(without_pictures(folded)) if kind == "product" else without_pictures(folded)


def _without_last_article(folded: str) -> str:
    """`Tide, The` without it."""
    if folded.endswith(" the") and (head := folded[:-4].rstrip()).endswith(","):
        return head[:-1]
    return folded


def _without_article(tokens: list[str]) -> list[str]:
    while len(tokens) > 1 and tokens[0] == "the":
        tokens = tokens[1:]
    return tokens


def _company(tokens: list[str], flags: Flags) -> list[str]:
    tokens = join_letters(tokens)
    return short_legal_form(tokens) if flags.keep_legal_form else strip_legal_form(tokens)


@lru_cache(maxsize=2048)
def forms_of(kind: str, value: str, flags: Flags = DEFAULT) -> tuple[Form, ...]:
    """All forms of a name; the first is the one of its key."""
    if not flags.keep_legal_form and (tokens := _plain_tokens(kind, value)):
        return (_plain_form(kind, value, tokens),)
    text = clean(value)
    read = _read(kind, text, flags)
    first = _settled(kind, value, _form(kind, value, read, flags), flags)
    forms = [first]
    if kind == "person":
        forms += _written_twice(read.parts, first, flags)
    elif kind == "company":
        forms += _with_code(text, read.parts, first, flags)
    for other in _texts(kind, text, read.parts):
        form = _form(kind, other, _read(kind, other, flags), flags)
        if form.key not in {known.key for known in forms}:
            tickers = form.tickers | _tag(read.parts, other)
            forms.append(form._replace(tickers=tickers, is_cyrillic=first.is_cyrillic))
    return tuple(forms)


def _texts(kind: str, text: str, parts: Parts) -> list[str]:
    """What else a clean name may be read as."""
    texts = [*_other_texts(kind, parts), *_loose_texts(kind, text)]
    if not text.isascii() and _DIGRAPH.search(text.lower()):
        texts.append(text.lower().translate(_DIGRAPHS))
    if kind != "person" and (glued := _MODEL.sub(r"\1", text)) != text:  # X-100 is no tenth anything
        texts.append(glued)
    if (ukrainian := in_ukrainian(text)) != text:
        texts.append(ukrainian)
    return texts


def _loose_texts(kind: str, text: str) -> list[str]:
    found = loosely_named(kind, text)
    if kind == "person" and found:
        return [found[0], _married(*found)]
    return list(found)


@lru_cache(maxsize=256)
def _plain_tokens(kind: str, value: str) -> tuple[str, ...] | None:
    """Remembered briefly, as above."""
    return plain_tokens(kind, value)


def _plain_form(kind: str, value: str, tokens: tuple[str, ...]) -> Form:
    """The one form of a name whose tokens are these words of ASCII letters."""
    content = tuple([token for token in tokens if token not in NOISE]) if kind == "company" else ()
    person = read_person(list(tokens), []) if kind == "person" else None
    key, joined, bag, none = " ".join(tokens), "".join(tokens), frozenset(tokens), _NO_WORDS
    return Form(tokens, key, joined, (), none, bag, content, none, none, "", person, value)


def _settled(kind: str, value: str, form: Form, flags: Flags) -> Form:
    """The form whose tokens are those of the key, where reading a name again goes on stripping it."""
    key = key_of(kind, value, flags)
    if form.native or kind == "person" or form.key == key:
        return form
    again = _form(kind, key, _read(kind, key, flags), flags)
    return again._replace(
        tickers=form.tickers,
        acronyms=form.acronyms,
        raw=value,
        spelled=form.spelled,
        is_cyrillic=form.is_cyrillic,
    )


def _spelled(kind: str, text: str, joined: str, flags: Flags) -> str:
    """The letters of a name whose words are numbers, as they are written; empty when they are `joined`."""
    spelled = "".join(standard_words(kind, _words(kind, text, flags, native=False)))
    return "" if spelled == joined else spelled


def _tag(parts: Parts, text: str) -> frozenset[str]:
    return frozenset([parts.caps]) if parts.caps and text == parts.main else frozenset()


def _other_texts(kind: str, parts: Parts) -> list[str]:
    """Former names; the name without a bracket that looks like a bare ticker; nicknames."""
    texts = list(parts.others)
    if kind == "person":
        texts = [_married(parts.main, other) for other in texts]
        words = parts.main.split()
        texts += [" ".join([nickname, *words[1:]]) for nickname in parts.nicknames if len(words) > 1]
    elif kind == "company" and parts.caps:
        texts.append(parts.main)
    return texts


def _written_twice(parts: Parts, whole: Form, flags: Flags) -> list[Form]:
    """The two names of `Kim Min-jun (김민준)`; the native letters stay with the Latin ones."""
    main, other = parts.main, parts.qualifiers[0] if len(parts.qualifiers) == 1 else ""
    if is_native(main) == is_native(other) or not is_native(whole.raw):
        return []
    if not (is_native(main, whole=True) or is_native(other, whole=True)):
        return []
    found = [_form("person", text, _read("person", text, flags), flags) for text in (main, other)]
    native = next((form.native for form in found if form.native), "")
    return [form._replace(native=native, raw=whole.raw) for form in found]


def _with_code(text: str, parts: Parts, whole: Form, flags: Flags) -> list[Form]:
    """`Harlow (HK) Ltd` as pages write it, where the code has no other meaning."""
    code = parts.qualifiers[0].strip().lower() if len(parts.qualifiers) == 1 else ""
    if code not in COUNTRY_CODES or code in ABBREVIATIONS or code in LEGAL_END | NOISE:
        return []
    bare = _BRACKETS.sub(" ", text)
    return [_form("company", bare, _read("company", bare, flags), flags)._replace(raw=whole.raw)]


def _married(name: str, former: str) -> str:
    """`Jane Smith, née Doe` was Jane Doe."""
    words = name.replace(",", " ").split()
    return " ".join([*words[:-1], former]) if len(former.split()) == 1 and len(words) > 1 else former


def _form(kind: str, value: str, read: _Reading, flags: Flags) -> Form:
    parts, main, rest, acronyms = read
    native = ""
    if script := script_of("".join([*main, *rest])):
        native = f"{script}:{''.join([*main, *rest])}"
        main, rest, acronyms = _all_tokens(kind, parts, flags, native=False)
    tokens = (*main, *rest) or (raw_form(value) or " ",)
    key = " ".join(tokens)
    joined = "".join(tokens)
    wordy = joined.isalpha()  # most names hold no digit
    return Form(
        tokens=tokens,
        key=key,
        joined=joined,
        digits=() if wordy else tuple(_DIGIT_RUN.findall(key)),
        numbers=_NO_WORDS if wordy else frozenset(t for t in tokens if t and t[0].isdigit() and number_of(t)),
        bag=frozenset(tokens),
        content=tuple([token for token in tokens if token not in NOISE]) if kind == "company" else (),
        tickers=parts.tickers,
        acronyms=acronyms,
        native=native,
        person=read_person(main or list(tokens), rest) if kind == "person" else None,
        raw=value,
        qualifiers=tuple(rest),
        spelled="" if wordy or rest or kind == "person" else _spelled(kind, parts.main, joined, flags),
        is_cyrillic=is_cyrillic(value),
    )
