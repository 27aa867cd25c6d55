"""Is an excerpt on a page, word for word?

There is no similarity score. An excerpt is faithful when its skeleton is found in a view of the page, whole
or as an honest chain of pieces, with no word or number cut, no negation lost and no table value moved.
"""

from __future__ import annotations

import itertools
import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.evidence.accents import accented, without_accents
from pytest_wandr.evidence.marks import BARRIER
from pytest_wandr.evidence.negation import is_contracted, negations
from pytest_wandr.evidence.rows import Row, Rows, crosses_rows, keeps_rows
from pytest_wandr.evidence.skeleton import BEGINS_NUMBER, KINDS, Skeleton, contains

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MAX_TRIES, _MAX_COMPARED = 1_000, 500_000
_MAX_RESTARTS, _MAX_STEPS = 64, 6_000
_SIGNS = b"\x01\x0f\x10\x11\x12"  # minus, plus-minus, at least, at most, not equal
_RATES = b"%\x02\x03"
_NO_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\u1100-\u11ff\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
_MARK = re.compile("[\u0300-\u036f\u3099\u309a\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]")
_FIRST = re.compile(rb"[\x00-\x7f]|[\xc0-\xff][\x80-\xbf]*")


class Needle:
    """A piece of an excerpt, ready to be looked for; what only a hit asks for is worked out then."""

    def __init__(self, marked: str, *, lax_end: bool = False) -> None:
        self.marked = marked
        self.skeleton = Skeleton(marked)
        self.bytes = self.skeleton.squashed
        self.lax_end = lax_end

    @cached_property
    def one_line(self) -> bool:
        """True when the piece is written in one line."""
        return "\n" not in self.marked.strip()

    @cached_property
    def text(self) -> str:
        """The skeleton as text."""
        return self.bytes.decode()

    @cached_property
    def free_start(self) -> bool:
        """True when the first character belongs to a script without spaces."""
        return _NO_SPACES.match(self.text) is not None

    @cached_property
    def free_end(self) -> bool:
        """True when the last character belongs to a script without spaces."""
        return _NO_SPACES.match(self.text, len(self.text) - 1) is not None

    @cached_property
    def is_long(self) -> bool:
        """True when the piece is long enough to stand beside a gap."""
        return len(self.text) >= (4 if _NO_SPACES.search(self.text) else 8)

    @cached_property
    def claims(self) -> list[Row]:
        """The table rows that the piece is written as."""
        return Rows(self.skeleton).rows

    @cached_property
    def words(self) -> list[bytes]:
        """The words of the piece."""
        return self.skeleton.words(0, len(self.bytes))

    @cached_property
    def negations(self) -> set[int]:
        """How many negations there are: two numbers when a hyphen at a line end may part words or not."""
        return _negation_counts(self.skeleton, 0, len(self.bytes))

    @cached_property
    def may_negate(self) -> bool:
        """True when a following "t" would turn the last word around."""
        return bool(self.words) and is_contracted(self.words[-1])


def _negation_counts(skeleton: Skeleton, start: int, end: int) -> set[int]:
    """How many negations there are, with line-end hyphens taken as parting words and as joining one."""
    parted = negations(skeleton.words(start, end))
    return {parted, negations(skeleton.words(start, end, jointed=True))} if skeleton.joints else {parted}


def most_tries(size: int) -> int:
    """How many places of a needle of so many bytes are looked at."""
    return min(_MAX_TRIES, 1 + _MAX_COMPARED // size)


class Hit(NamedTuple):
    """Where a needle was found: offsets into the skeleton of a view."""

    start: int
    end: int


class Haystack:
    """A view of a page, and what was examined of it so far."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.bytes = skeleton.squashed

    @cached_property
    def rows(self) -> Rows:
        """The table rows of the view."""
        return Rows(self.skeleton)

    def find(self, needle: Needle, start: int = 0) -> tuple[Hit | None, str]:
        """The first sound occurrence from an offset on, or why there is none."""
        reason = "absent"
        at = self.bytes.find(needle.bytes, start)
        if (
            at >= 0 and start == 0 and self._plainly_sound(needle, at)
        ):  # a look at the whole text, so only once
            return Hit(at, at + len(needle.bytes)), ""
        for _ in range(most_tries(len(needle.bytes))):
            if at < 0:
                return None, reason
            hit = Hit(at, at + len(needle.bytes))
            fault = self._fault(needle, hit)
            if fault is None:
                return Hit(at, self.skeleton.past_separator(hit.end)), ""
            reason = fault
            at = self.bytes.find(needle.bytes, at + 1)
        return None, reason

    def _plainly_sound(self, needle: Needle, at: int) -> bool:
        """True when the text around an occurrence shows at a glance that `_fault` would find none."""
        end = at + len(needle.bytes)
        before, after = self.bytes[max(0, at - 1) : at], self.bytes[end : end + 1]
        if (before and before in _SIGNS) or (after and after in _RATES):
            return False
        return self.skeleton.shows(needle.skeleton, at) and not (after == b"t" and needle.may_negate)

    def _fault(self, needle: Needle, hit: Hit) -> str | None:
        """Why an occurrence is not the excerpt after all."""
        if not (self._start_is_sound(needle, hit.start) and self._end_is_sound(needle, hit.end)):
            return "border"
        if not self._same_negations(needle, hit):
            return "border"
        if needle.claims and not keeps_rows(needle.claims, self.rows, hit.start):
            return "table_cells"
        if (
            needle.one_line
            and b"\x1c" in self.skeleton.spaced
            and crosses_rows(self.rows, hit.start, self.skeleton.past_separator(hit.end))
        ):
            return "table_cells"
        return None

    def _same_negations(self, needle: Needle, hit: Hit) -> bool:
        """Word borders are free inside a hit, but "notable" is not "not able"."""
        if hit.end - hit.start == len(needle.bytes):
            return not needle.negations.isdisjoint(_negation_counts(self.skeleton, *hit))
        bare = [without_accents(word) for word in self.skeleton.words(*hit)]
        return negations(bare) == negations([without_accents(word) for word in needle.words])

    def _start_is_sound(self, needle: Needle, at: int) -> bool:
        if at and self.bytes[at - 1] in _SIGNS and BEGINS_NUMBER.match(needle.bytes):
            return False
        if at in self.skeleton.cuts:
            return False
        return self.skeleton.at_border(at) or (needle.free_start and self._no_mark_at(at))

    def _end_is_sound(self, needle: Needle, at: int) -> bool:
        following = self.bytes[at : at + 1]
        if following and following in _RATES and needle.bytes[-1:].isdigit():
            return False
        if self.skeleton.past_separator(at) in self.skeleton.cuts:
            return False
        if self.skeleton.at_border(at):
            return not (
                needle.may_negate and self.bytes.startswith(b"t", at) and self.skeleton.at_border(at + 1)
            )
        lax = needle.lax_end and KINDS[needle.bytes[-1]] == 0
        return (needle.free_end or lax) and self._no_mark_at(at)

    def _no_mark_at(self, at: int) -> bool:
        char = _FIRST.match(self.bytes, at)
        return char is None or _MARK.match(char[0].decode()) is None

    def find_accented(self, needle: Needle) -> Hit | None:
        """The first sound occurrence with more accents than the excerpt has."""
        for start, end in accented(needle.bytes, self.bytes, self._without_accents):
            if self._fault(needle, Hit(start, end)) is None:
                return Hit(start, end)
        return None

    @cached_property
    def _without_accents(self) -> bytes:
        return without_accents(self.bytes)

    def chain(self, needles: Sequence[Needle], gap: Gap) -> tuple[Hit | None, str]:
        """All needles in order with allowed gaps between them, or why not."""
        if not all(needle.is_long for needle in needles) and gap.all_long:
            return None, "segment_too_short"
        reason, start = "absent", 0
        for _ in range(max(1, min(_MAX_RESTARTS, _MAX_STEPS // len(needles)))):
            first, fault = self.find(needles[0], start)
            if first is None:
                return None, reason if reason != "absent" else fault
            end, fault = self._follow(needles, first, gap)
            if end is not None:
                return Hit(first.start, end), ""
            reason, start = fault, first.start + 1
        return None, reason

    def _follow(self, needles: Sequence[Needle], first: Hit, gap: Gap) -> tuple[int | None, str]:
        last = first
        for before, needle in itertools.pairwise(needles):
            hit, fault = self.find(needle, last.end)
            if hit is None:
                return None, "out_of_order" if fault == "absent" else fault
            fault = gap.fault(self, (before, needle), last, hit)
            if fault:
                return None, fault
            last = hit
        return last.end, ""


class Gap(NamedTuple):
    """What may lie between two pieces of an excerpt."""

    longest: int
    whole_blocks: bool
    all_long: bool

    def fault(self, page: Haystack, pair: tuple[Needle, Needle], before: Hit, after: Hit) -> str:
        """Why the text between two pieces may not be left out; "" when it may."""
        start, end = before.end, after.start
        if start == end:
            return ""
        if end - start > self.longest or BARRIER.encode() in page.bytes[start:end]:
            return "stitched_gap"
        if not all(needle.is_long for needle in pair):
            return "segment_too_short"
        if self.whole_blocks and not _is_whole(page, start, end):
            return "stitched_gap"
        if end - start <= _NEAR and negations(page.skeleton.words(before.start, end)) > max(
            pair[0].negations
        ):
            return "negation_elided"
        return "table_cells" if _stitches_rows(page, start, end) else ""


_NEAR = 60
ELLIPSIS = Gap(longest=2_000, whole_blocks=False, all_long=True)
LINES = Gap(longest=400, whole_blocks=True, all_long=False)


def _is_whole(page: Haystack, start: int, end: int) -> bool:
    """True when the gap is made of whole blocks, and of whole rows in a table."""
    blocks = page.skeleton.blocks
    if not (contains(blocks, start) and contains(blocks, end)):
        return False
    before, after = page.rows.at(start, ending=True), page.rows.at(end)
    if before is not None and before == after:
        return not (before.has_border(start) and before.has_border(end))
    return (before is None or not before.ends_inside(start)) and (
        after is None or not after.starts_inside(end)
    )


def _stitches_rows(page: Haystack, start: int, end: int) -> bool:
    """True when a gap leads from within one table row into the middle of another."""
    before, after = page.rows.at(start, ending=True), page.rows.at(end)
    if before is None or after is None or before == after:
        return False
    return before.ends_inside(start) and after.starts_inside(end)


def needles(pieces: Sequence[str], *, lax_end: bool) -> Iterator[Needle]:
    """The pieces of an excerpt, the last of which may end inside a word."""
    for number, piece in enumerate(pieces, start=1):
        yield Needle(piece, lax_end=lax_end and number == len(pieces))
