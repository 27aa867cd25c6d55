"""Looking for dates, numbers, languages and words in less time finds the same."""

import re
import unicodedata
from collections import Counter, defaultdict

from hypothesis import example, given
from hypothesis import strategies as st

from pytest_wandr.checks import date_digits, date_words, dates, language, numbers, plain, subject
from pytest_wandr.checks.date_digits import dates_in_digits
from pytest_wandr.checks.language_words import _COMMON, SCRIPTS, small_words
from pytest_wandr.checks.locales import Locale, base, day_first, year_first
from pytest_wandr.checks.starts import matches_at
from pytest_wandr.checks.when import When, mention
from pytest_wandr.evidence.unmark import unmark
from pytest_wandr.identity import page_words

PIECES = st.sampled_from(
    [
        "2026",
        "03",
        "1",
        "20260301",
        "-",
        ".",
        "/",
        ",",
        " ",
        "年",
        "月",
        "日",
        "thang ",
        "nam ",
        "令和",
        "a",
        "12345678",
    ]
)
LETTERS = st.sampled_from(
    [*"aZé½²٣ß_'’.,&+0 9\n\u00a0\u2003\u0301\u200b‐ıﬁ中안ก\u0e31", "U.S.", "1,240", "v2.5", "  ", "İ"]
)


def _all_dates(text, lang):
    """The same by looking for every form everywhere."""
    forms = [*date_digits._MARKED, (date_digits._COMPACT, date_digits._compact)]
    forms += [form[:2] for form in date_digits._WORDED]
    found = [read(match, Locale(lang)) for pattern, read in forms for match in pattern.finditer(text)]
    return [each for each in found if each]


@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from([None, "en", "de", "ja", "vi"]))
def test_dates_are_found_as_if_looked_for_everywhere(text, lang):
    assert list(dates_in_digits(text, Locale(lang))) == _all_dates(text, lang)


LANGS = st.sampled_from([None, "en", "en-US", "en-GB", "de", "sv", "hu", "pt", "hr", "ja", "xx"])
PART = st.integers(0, 99).map(str) | st.integers(0, 99).map("{:02}".format)


def _by_language(a, mark, b, c, lang):
    """What a date may be when the language is always asked."""
    year = date_digits._year(c)
    day, month = When(year, int(b), int(a)), When(year, int(a), int(b))
    first = True if mark == "." and base(lang) != "en" else day_first(lang)
    if first is None:
        readings = [day, month]
    else:
        preferred, other = (day, month) if first else (month, day)
        readings = [preferred if preferred.possible else other]
    if len(a) == len(c) == 2 and year_first(lang):
        readings.append(When(date_digits._year(a), int(b), int(c)))
    found = mention(0, 0, *readings)
    return [found.readings] if found else []


@given(PART, st.sampled_from("-./"), PART, st.integers(0, 99).map("{:02}".format) | st.just("2026"), LANGS)
@example("12", ".", "11", "10", "en")
@example("03", "/", "03", "04", None)
def test_a_date_is_what_it_is_when_the_language_is_always_asked(a, mark, b, c, lang):
    found = list(dates_in_digits(f"{a}{mark}{b}{mark}{c}", Locale(lang)))
    assert [each.readings for each in found] == _by_language(a, mark, b, c, lang)


@given(st.sampled_from([*date_words.month_names(), "word"]), LANGS.map(base))
@example("mar", "en")
@example("listopad", "hr")
@example("out", "pt")
@example("out", "en")
@example("out", None)
def test_a_month_is_what_it_is_when_the_language_is_always_asked(word, lang):
    meanings = date_words.month_names().get(word, ())
    own = {month for code, month in meanings if code == lang}
    weak = lang is not None and word in date_words._WEAK
    months = own or (set() if weak else {month for _, month in meanings})
    assert date_words.months_called(word, Locale(lang)) == tuple(sorted(months))


FIRST_WORDS = st.sampled_from([*dates._FIRSTS, "erste", "_", "x", "3", " ", "-", "\n", "ß", "²", "of march"])


@given(st.lists(FIRST_WORDS, max_size=10).map("".join))
@example("_first 3 first")
@example("xfirst 3 first")
def test_the_first_is_found_as_a_word_alone(text):
    slowly = re.sub(rf"\b(?:{'|'.join(dates._FIRSTS)})\b", lambda word: "1".rjust(len(word[0])), text)
    lines = [line for line in slowly.split("\n") if re.search("[0-9]", line)]
    assert dates._lines_with_numbers(text) == "\n".join(lines)


NUMERALS = st.lists(st.sampled_from([*"0123456789.,'/:-e x\n", "123", "1.5", ".5"]), max_size=20).map("".join)


@given(NUMERALS)
def test_numerals_are_found_as_if_looked_for_everywhere(text):
    found = matches_at(numbers._NUMERAL, text, numbers._starts(text))
    assert [match.span() for match in found] == [match.span() for match in numbers._NUMERAL.finditer(text)]


MARKDOWN = st.sampled_from([*"*-_~`>#[]()<&\\!=+·•. \t\n", "a", "![", "--", "&amp;", "…"])


@given(st.text() | st.lists(MARKDOWN).map("".join))
@example("+ a")
@example("a\n==\nb")
@example("a\n--\nb")
@example("a...b⋯c")
@example("](")
@example("a](b) c")
def test_an_excerpt_is_what_it_is_when_markdown_is_always_looked_for(text):
    assert subject._unmarked(text) == unmark(text)
    versions = (subject._unwrapped(version) for version in (text, unmark(text)))
    gap = subject.GAP
    always = dict.fromkeys(subject._ELLIPSIS.sub(rf"{gap}\g<0>{gap}", version) for version in versions)
    assert subject.excerpts_text((text,)) == subject.BARRIER.join(always)


def _language_of(text, hint):
    """The same by counting every word and every letter."""
    sample = plain.plain(text[: language._SAMPLE])
    letters = len(re.findall(r"[^\W\d_]", sample))
    if letters < language._FEWEST_LETTERS:
        return base(hint)
    return _by_script(sample, letters) or _by_words(sample, letters, base(hint)) or base(hint)


def _by_script(sample, letters):
    count = {lang: len(re.findall(f"[{letters_of}]", sample)) for lang, letters_of in SCRIPTS}
    if sum(count.values()) <= 0.1 * letters:
        return None
    for lang, found in count.items():
        if found / letters > (0.1 if lang == "ja" else 0.35):
            return "fa" if lang == "ar" and len(re.findall("[پچژگ]", sample)) > letters / 100 else lang
    return None


def _by_words(sample, letters, hint):
    if len(re.findall("[a-zß-ɏЀ-ӿḀ-ỿ]", sample)) < letters * 0.7:
        return None
    words, scores = Counter(re.findall(r"[^\W\d_]+", language._ADDRESS.sub(" ", sample))), defaultdict(float)
    owners = {word: small_words().get(word, ()) for word in words}
    for word, count in words.items():
        for lang in owners[word]:
            scores[lang] += count / len(owners[word])
    if words.total() < language._FEWEST_WORDS or not scores:
        return None

    def counted(lang, without=""):
        return sum(n for word, n in words.items() if lang in owners[word] and without not in owners[word])

    best, *rivals = sorted(scores, key=lambda lang: (-scores[lang], lang))[:4]
    if counted(best) < language._LEAST_SHARE * words.total():
        return None
    pairs = [(counted(best, rival), counted(rival, best), rival) for rival in rivals]
    close = [best, *(rival for mine, theirs, rival in pairs if mine <= max(theirs + 1, 1.5 * theirs))]
    return best if len(close) == 1 else hint if hint in close else None


SMALL_WORDS = st.sampled_from(sorted(_COMMON)).flatmap(
    lambda lang: st.lists(st.sampled_from(_COMMON[lang].split()), max_size=25)
)
STRANGE = ["www.the.example/of/and", "https://de.example/der", "東京の人は", "مرحبا چ", "ελλάδα", "÷÷÷", "x9"]
STRANGE += ["שלום", "12", "bread", "Brot", "١٢"]


@given(
    st.lists(SMALL_WORDS | st.lists(st.sampled_from(STRANGE), max_size=8), max_size=4),
    st.sampled_from([None, "en", "da", "no-NO", "fa", "xx"]),
)
def test_a_language_is_what_it_is_when_every_word_is_counted(words, hint):
    text = " ".join(word for some in words for word in some)
    assert language.language_of(text, hint) == _language_of(text, hint)


def _plain(text):
    """The same letter by letter, without looking first."""
    every = {c: None for c in range(0x300, 0x11000) if unicodedata.category(chr(c)).startswith("M")}
    signs = str.maketrans(plain._SIGNS)
    if not text.isascii():
        text = plain._FRACTION.sub(lambda m: plain._HALVES[m[0]], plain._FOOTNOTE.sub(" ", text))
        text = unicodedata.normalize("NFKC", text.translate(signs)).translate(signs)
        text = plain._FOREIGN_DIGIT.sub(lambda m: str(unicodedata.digit(m[0])), text)
        text = unicodedata.normalize("NFKD", text.casefold()).translate(every)
        text = unicodedata.normalize("NFC", text).translate(signs)
    else:
        text = text.lower()
    text = re.sub(r"[^\S\n\x1d\x1e]+", " ", text)
    return re.sub(r" ?[\n\x1d\x1e][ \n\x1d\x1e]*", "\n", text).strip()


@given(st.text() | st.lists(LETTERS | st.sampled_from(["\x1d", "\x1e", "\t", "2²"])).map("".join))
def test_a_plain_text_is_the_same_letter_by_letter(text):
    assert plain.plain(text) == _plain(text)


_WORD = re.compile(
    r"((?:[^\W\d_]\.)+[^\W\d_](?![^\W_])"
    r"|\d{1,3}(?:,\d{3})+(?!\d)"
    r"|[^\W_]*\d(?:\.\d+)+[^\W_]*"
    r"|[^\W_]+(?:['’ʼ][^\W_]+)*"
    r"|[&+#@%])"
    r"((?:[^\w&+#@%]|_)*)"
)


@given(st.text() | st.lists(LETTERS).map("".join))
def test_words_are_what_they_are_without_the_way_for_most_words(text):
    pieces = page_words._WORD.split(text)
    assert list(zip(pieces[1::2], pieces[2::2], strict=True)) == _WORD.findall(text)
