"""Which records share a call? Those that cite one page, when that is wanted; else each has a call of its own.

Every answer is kept under the key of the call that asks about its record alone, so it counts for both ways of
asking. Who shares with whom follows from the records, not from their order or from what is known already. A
shared call that fails is asked again in halves, down to calls of one: no record is undecided for its company.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pytest_wandr.judges.llm.asker import checked
from pytest_wandr.judges.llm.exchange import Said, Unsaid, Usage
from pytest_wandr.judges.llm.prompt import prompt_of
from pytest_wandr.judges.llm.reading import entries_of
from pytest_wandr.judges.llm.schema import Reply
from pytest_wandr.model import digest_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pytest_wandr.judges import Question
    from pytest_wandr.judges.llm.asker import Asker
    from pytest_wandr.judges.llm.prompt import Put
    from pytest_wandr.judges.llm.schema import SaidOfRecord

Outcome: TypeAlias = "SaidOfRecord | Unsaid"
_NOBODY = frozenset({"no_budget", "judge_down"})
"""Why asking again in halves would give nothing either."""


def companies(questions: Sequence[Question], most: int) -> list[list[int]]:
    """Which questions are asked together, by position: of one node, about one page, at most so many.

    Records that differ in nothing that is sent are asked about once, and count as one. Those of a page follow
    each other also when each has its own call: what is known of the page is at hand then.
    """
    if most == 1:
        texts: dict[str, list[int]] = {}
        for at, asked in enumerate(questions):
            texts.setdefault(asked.page_text, []).append(at)
        return [[at] for citing in texts.values() for at in citing]
    pages: dict[object, dict[str, list[int]]] = {}
    for at, asked in enumerate(questions):
        page = (asked.node.name, asked.final_url, asked.lang, asked.page_lang, asked.page_text)
        pages.setdefault(page, {}).setdefault(_content(asked), []).append(at)
    return [
        [at for content in chosen for at in twins[content]]
        for twins in pages.values()
        for chosen in _chunks(sorted(twins), most)
    ]


def _chunks(contents: Sequence[str], most: int) -> list[Sequence[str]]:
    return [contents[first : first + most] for first in range(0, len(contents), most)]


def _content(asked: Question) -> str:
    """All that a record says, but the address that it cites: a model sees where that led."""
    return digest_of([asked.record.model_dump(mode="json", exclude={"url"}), asked.open])


async def ask_company(asker: Asker, company: Sequence[Put], sample: int = 0) -> list[Outcome]:
    """What a model says of each; those whose pages were cut to their own evidence are asked about alone."""
    keys = [asker.key_of(prompt_of([each]), sample) for each in company]
    pairs = zip(keys, company, strict=True)
    shared = {key: each for key, each in pairs if each.passages.whole and asker.known(key) is None}
    found = await _together(asker, shared, sample) if len(shared) > 1 else {}
    return [
        found[key] if key in found else await ask_alone(asker, each, sample)
        for key, each in zip(keys, company, strict=True)
    ]


async def ask_alone(asker: Asker, asked: Put, sample: int = 0) -> Outcome:
    """What a model says of one record."""

    def check(text: str) -> object:
        return entries_of(text, [asked])

    said = await asker.ask(prompt_of([asked]), sample, check=check)
    if isinstance(said, Said):
        said = checked(said, check)  # also what was stored long ago
    return said if isinstance(said, Unsaid) else entries_of(said.text, [asked])[0]


async def _together(asker: Asker, company: Mapping[str, Put], sample: int) -> dict[str, Outcome]:
    """One call about several records; halves when it fails."""
    if len(company) == 1:
        ((key, alone),) = company.items()
        return {key: await ask_alone(asker, alone, sample)}
    puts = list(company.values())
    said = await asker.say(prompt_of(puts))
    if isinstance(said, Said):
        said = checked(said, lambda text: entries_of(text, puts))
    if isinstance(said, Said):
        return _kept(asker, list(company), said, entries_of(said.text, puts))
    if said.code in _NOBODY:
        return dict.fromkeys(company, said)
    half = len(puts) // 2
    members = list(company.items())
    first = await _together(asker, dict(members[:half]), sample)
    return first | await _together(asker, dict(members[half:]), sample)


def _kept(
    asker: Asker, keys: Sequence[str], said: Said, entries: Sequence[SaidOfRecord]
) -> dict[str, Outcome]:
    """Each entry as the reply that a call of its own would have given; the first bears what the call used."""
    found: dict[str, Outcome] = {}
    usage = said.usage
    for key, entry in zip(keys, entries, strict=True):
        alone = entry.model_copy(update={"id": "r1"})
        asker.keep(key, Said(Reply(records=(alone,)).model_dump_json(), said.model, usage))
        found[key] = alone
        usage = usage and Usage(0, 0, 0)
    return found
