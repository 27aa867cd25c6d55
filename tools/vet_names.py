"""Make `pytest_wandr/sealed/names.txt`: invented names that no list at hand knows. Development only.

    python tools/vet_names.py --list words.txt [--list more.jsonl ...] > pytest_wandr/sealed/names.txt
    python tools/vet_names.py --list words.txt --check

Every word of every `--list` file is a name that may not be used; the word lists of the packages wordfreq,
Faker and mimesis are asked too when they are installed. Names come from syllables of our own; two names
of one kind never share their consonants, so near-namesakes exist only where the sealed web plans them.
What this cannot know are registers that are not at hand: a name that is somebody's is changed on request.
"""

from __future__ import annotations

import argparse
import importlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_wandr.sealed.prose import sections
from pytest_wandr.sealed.rng import Rng

if TYPE_CHECKING:
    from collections.abc import Iterator

ONSETS = [
    "b",
    "bl",
    "br",
    "c",
    "ch",
    "cl",
    "cr",
    "d",
    "dr",
    "f",
    "fl",
    "fr",
    "g",
    "gl",
    "gr",
    "h",
    "k",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "pr",
    "qu",
    "r",
    "s",
    "sk",
    "sl",
    "st",
    "t",
    "th",
    "tr",
    "v",
    "w",
    "z",
]
VOWELS = ["a", "a", "e", "e", "i", "i", "o", "o", "u", "ai", "ea", "oa", "ou"]
CODAS = [
    "b",
    "d",
    "f",
    "g",
    "l",
    "lm",
    "ln",
    "m",
    "n",
    "nd",
    "nt",
    "p",
    "r",
    "rd",
    "rl",
    "rm",
    "rn",
    "rv",
    "s",
    "st",
    "t",
    "th",
    "v",
]
UNWANTED = re.compile(
    "arse|bast|dick|fat|kill|mord|nazi|piss|puss|rape|shi|skull|slag|slut|spas|tard|tit|wan"
)
ENDINGS = {
    "company": ["and", "ard", "ell", "elm", "en", "ent", "ing", "on", "or", "ory", "ova", "ow", "une", "urn"],
    "surname": [
        "ack",
        "ane",
        "ard",
        "aw",
        "ell",
        "em",
        "en",
        "er",
        "ett",
        "ick",
        "ild",
        "in",
        "ine",
        "ock",
        "oe",
        "ow",
        "ry",
        "ust",
    ],
    "town": [
        "bury",
        "combe",
        "dale",
        "den",
        "field",
        "ford",
        "ham",
        "holt",
        "hurst",
        "leigh",
        "mere",
        "minster",
        "mouth",
        "stead",
        "stow",
        "wick",
        "worth",
    ],
    "product": ["a", "el", "eta", "ina", "ino", "o", "ola", "ou", "una", "y"],
}
BLOCKED = frozenset(
    ["bagworth", "bafmere", "bogminster", "chantix", "kipford", "milmine", "sladbury"]
)  # known to somebody
WANTED = {"company": 220, "surname": 320, "town": 90, "product": 120}
WORD = re.compile(r"[a-z]{3,}")


def main() -> None:
    """Print the name bank; with `--check`, the names of the present one that the lists know."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", type=Path, action="append", default=[], help="a file of words to avoid")
    parser.add_argument("--check", action="store_true", help="vet the names that are there")
    options = parser.parse_args()
    known = set(_known(options.list))
    print("\n".join(_vetted(known) if options.check else _bank(known)))


def _vetted(known: set[str]) -> Iterator[str]:
    for kind in WANTED:
        yield from (name for name in sections("names.txt")[kind] if _near(name.lower(), known))


def _bank(known: set[str]) -> Iterator[str]:
    yield "# Invented names, made by tools/vet_names.py. Order matters: never sort them again."
    skeletons: set[str] = set()
    for kind, wanted in WANTED.items():
        yield f"[{kind}]"
        for name in _names(kind, wanted, known, skeletons):
            yield name.capitalize()


def _names(kind: str, wanted: int, known: set[str], skeletons: set[str]) -> Iterator[str]:
    rng, found = Rng("names", kind), 0
    while found < wanted:
        name = rng.pick(ONSETS) + rng.pick(VOWELS) + rng.pick(CODAS) + rng.pick(ENDINGS[kind])
        bones = re.sub("[aeiouy]", "", name)
        if 6 <= len(name) <= 11 and bones not in skeletons and not _near(name, known) and _speakable(name):
            skeletons.add(bones)
            found += 1
            yield name


def _speakable(name: str) -> bool:
    return not re.search(r"(.)\1|[^aeiouy]{4}|[aeiou]{3}|q[^u]", name) and not UNWANTED.search(name)


def _near(name: str, known: set[str]) -> bool:
    """Known itself, or one letter away from a known word (left out, put in, changed)."""
    cuts = [name[:i] + name[i + 1 :] for i in range(len(name))]
    return name in BLOCKED or any(word in known for word in [name, *cuts, *_changed(name)])


def _changed(name: str) -> Iterator[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    for i in range(len(name) + 1):
        for letter in letters:
            yield name[:i] + letter + name[i + 1 :]
            yield name[:i] + letter + name[i:]


def _known(files: list[Path]) -> Iterator[str]:
    for file in files:
        yield from WORD.findall(file.read_text(errors="replace").lower())
    yield from _from_wordfreq()
    yield from _from_people_lists()


def _from_wordfreq() -> Iterator[str]:
    try:
        wordfreq = importlib.import_module("wordfreq")
    except ImportError:
        return
    for language in ("en", "de", "fr", "es", "it", "nl"):
        yield from wordfreq.top_n_list(language, 300_000)


def _from_people_lists() -> Iterator[str]:
    try:
        faker = importlib.import_module("faker.providers.person.en_US")
    except ImportError:
        return
    yield from (name.lower() for name in faker.Provider.last_names)


if __name__ == "__main__":
    main()
