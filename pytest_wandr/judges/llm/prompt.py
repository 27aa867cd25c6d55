"""How is a question put to a model? One JSON document, built as data and dumped once.

Nothing of a page or a record is ever pasted into other text. The document is ASCII, without a character that
markup begins or ends with, so whatever it holds stays inside its own string. See `instructions` for what the
model is told about it, `passages` for what is sent of a long page, `schema` for the reply.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_wandr.judges.llm.cleaning import cleaned, cleaned_fields, escaped, estimated_tokens, hints_about
from pytest_wandr.judges.llm.exchange import Prompt
from pytest_wandr.judges.llm.instructions import SYSTEM
from pytest_wandr.judges.llm.passages import Passages, passages_of
from pytest_wandr.judges.llm.schema import SCHEMA, SCHEMA_NAME
from pytest_wandr.judges.llm.sheets import sheet_of
from pytest_wandr.model import AllOf, AnyOf, HostIs, Not

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pydantic import JsonValue

    from pytest_wandr.judges import Question
    from pytest_wandr.judges.llm.sheets import Sheet
    from pytest_wandr.model import Check


_LONGEST_TAG = 40
"""Characters of a language tag: a page may declare anything, and this is not counted as text of it."""


@dataclass(frozen=True)
class Limits:
    """`page_tokens`: how much of a page is sent at most, by the estimate of `cleaning.estimated_tokens`.

    `max_tokens`: how long the reply about one record may be.
    """

    page_tokens: int
    max_tokens: int


@dataclass(frozen=True)
class Put:
    """One question as a model sees it: what its reply is read against.

    `url` is the page's address, `decide` the ids of the open requirements, `located` those of them that an
    address can show: they have a check of the host, or none. Texts are cleaned.
    """

    url: str
    passages: Passages
    excerpts: tuple[str, ...]
    decide: tuple[str, ...]
    located: frozenset[str]
    record: dict[str, JsonValue]
    requirements: dict[str, str]
    shared: dict[str, JsonValue]
    max_tokens: int

    @property
    def tokens(self) -> int:
        """About how many tokens the record itself takes, its excerpts included."""
        return estimated_tokens(self.record)


def put(question: Question, limits: Limits) -> Put:
    """A question as it is sent. It depends on nothing but the question and the limits."""
    sheet = sheet_of(question.page_text)
    passages = passages_of(sheet, question, limits.page_tokens)
    excerpts = tuple(cleaned(excerpt) for excerpt in question.record.excerpts)
    specs = {spec.id: spec for spec in question.node.requirements}
    return Put(
        url=cleaned(question.final_url),
        passages=passages,
        excerpts=excerpts,
        decide=question.open,
        located=frozenset(name for name in question.open if _is_located(specs[name].check)),
        record=_record(question, excerpts),
        requirements={name: cleaned(specs[name].text) for name in question.open},
        shared={"task": _task(question), "page": _page(question, passages, sheet)},
        max_tokens=limits.max_tokens,
    )


def _is_located(check: Check | None) -> bool:
    match check:
        case AllOf():
            return any(map(_is_located, check.all))
        case AnyOf():
            return any(map(_is_located, check.any))
        case Not():
            return _is_located(check.not_)
        case _:
            return check is None or isinstance(check, HostIs)


def _task(question: Question) -> JsonValue:
    task = question.task
    return {
        "id": task.id,
        "instruction": cleaned(task.instruction),
        "guidance": cleaned(task.judge_guidance),
    }


def _page(question: Question, passages: Passages, sheet: Sheet) -> JsonValue:
    return {
        "url": cleaned(question.final_url),
        "declared_language": cleaned(question.lang or "")[:_LONGEST_TAG],
        "written_in": cleaned(question.page_lang or ""),
        "passages": [*passages.texts],
        "left_out": passages.left_out,
        "hints": sheet.hints,
    }


def _record(question: Question, excerpts: tuple[str, ...]) -> dict[str, JsonValue]:
    record = question.record
    texts = [*record.item.values(), *record.excerpts, *_texts(dict(record.answer))]
    return {
        "node": record.node,
        "item": cleaned_fields(record.item),
        "answer": cleaned_fields(record.answer),
        "excerpts": [*excerpts],
        "hints": hints_about(texts),
        "decide": [*question.open],
    }


def prompt_of(asked: Sequence[Put]) -> Prompt:
    """One call about records of one node that share a page; their ids are `r1`, `r2`, ... in this order."""
    first = asked[0]
    wanted = {name: text for each in asked for name, text in each.requirements.items()}
    document: dict[str, JsonValue] = {
        "task": first.shared["task"],
        "requirements": [{"id": name, "text": text} for name, text in wanted.items()],
        "page": first.shared["page"],
        "records": [{"id": f"r{at}", **each.record} for at, each in enumerate(asked, start=1)],
    }
    return Prompt(
        name=SCHEMA_NAME,
        system=SYSTEM,
        document=escaped(document),
        schema=SCHEMA,
        max_tokens=first.max_tokens * len(asked),
    )


def with_more_room(prompt: Prompt) -> Prompt:
    """The same prompt for a reply of twice the length."""
    return replace(prompt, max_tokens=2 * prompt.max_tokens)


def _texts(value: JsonValue) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
