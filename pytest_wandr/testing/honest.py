"""What would a judge say that knows the truth? It decides by the machine checks of the original tasks.

A requirement without a check, or of a task that is not known here (a canary's, say), holds where the text
names every value of the record. What a check cannot tell is said with confidence 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_wandr.checks import Subject, run_check
from pytest_wandr.checks.mentions import names_in
from pytest_wandr.checks.subject import excerpts_text
from pytest_wandr.model import AllOf, AnyOf, HostIs, KeySpec, LanguageIs, Mentions, NodeSpec, Not, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_wandr.model import Check, TaskSpec, Truth
    from pytest_wandr.testing.wires import Json

_ENDS = re.compile(r"\n+|(?<=[.!?])\s+")
_UNSURE = 1
_SHORT = 12


@dataclass(frozen=True)
class Case:
    """One record of a document, with its page."""

    id: str
    record: Record
    node: NodeSpec
    passages: tuple[str, ...]
    decide: tuple[str, ...]
    lang: str | None
    page_lang: str | None

    @property
    def page(self) -> str:
        """What is sent of the page, as one text."""
        return "\n".join(self.passages)

    def on_page(self, text: str) -> Subject:
        """The record against the page, or a piece of it."""
        return Subject(self.record, self.node, text, self.record.url, self.lang, self.page_lang)

    def in_excerpts(self, excerpts: Sequence[str]) -> Subject:
        """The record against excerpts alone."""
        return self.on_page(excerpts_text(tuple(excerpts)))


def reply(document: Json, tasks: Mapping[str, TaskSpec]) -> Json:
    """The honest reply to a document.

    Raises:
        KeyError: the document lacks a field.
    """
    return {"records": [_judged(case) for case in cases(document, tasks)]}


def cases(document: Json, tasks: Mapping[str, TaskSpec]) -> list[Case]:
    """The records of a document, each with its page and the node that it belongs to.

    Raises:
        KeyError: the document lacks a field.
    """
    task, page = tasks.get(document["task"]["id"]), document["page"]
    found = []
    for each in document["records"]:
        record = Record(
            node=each["node"],
            item=each["item"],
            url=page["url"],
            excerpts=tuple(each["excerpts"]),
            answer=each["answer"],
        )
        node = next((node for node in task.nodes if node.name == record.node), None) if task else None
        found.append(
            Case(
                id=each["id"],
                record=record,
                node=node or _unknown(record),
                passages=tuple(page["passages"]),
                decide=tuple(each["decide"]),
                lang=page.get("declared_language") or None,
                page_lang=page.get("written_in") or None,
            )
        )
    return found


def _unknown(record: Record) -> NodeSpec:
    names = [*record.item, *(name for name in record.answer if names_in(record.answer[name]))]
    keys = (
        *(KeySpec(name=name, required=1) for name in names if name != "url"),
        KeySpec(name="url", required=1),
    )
    return NodeSpec(name=record.node, keys=keys)


def _check(case: Case, requirement: str) -> Check:
    specs = {spec.id: spec for spec in case.node.requirements}
    spec = specs.get(requirement)
    if spec is not None and spec.check is not None:
        return spec.check
    values = [*case.record.item, *case.record.answer]
    return Mentions(mentions=tuple(name for name in values if names_in(case.on_page("").value_of(name))))


def _judged(case: Case) -> Json:
    requirements: list[Json] = []
    sure = True
    for name in case.decide:
        check = _check(case, name)
        satisfied = run_check(check, case.on_page(case.page))
        supported = run_check(check, case.in_excerpts(case.record.excerpts))
        sure = sure and None not in (satisfied.value, supported.value)
        requirements.append(
            {
                "id": name,
                "satisfied": bool(satisfied.value),
                "satisfied_quote": page_quote(case, check) if satisfied.value else "",
                "supported": bool(supported.value),
                "supported_quote": excerpt_quote(case, check) if supported.value else "",
                "reason": satisfied.reason or supported.reason or "both show it",
            }
        )
    valid = _valid(case)
    return summed({
        "id": case.id,
        "requirements": requirements,
        "page_content_usable": True,
        "answer_intent_clear": True,
        "excerpts_faithful": all(_bare(each) in _bare(case.page) for each in case.record.excerpts),
        "overall_valid": valid is not False,
        "confidence": 3 if sure and valid is not None else _UNSURE,
        "reason": "decided by the checks of the task",
    })  # fmt: skip


def _valid(case: Case) -> Truth:
    overall = case.node.overall
    return run_check(overall, case.on_page(case.page)).value if overall else True


def summed(judged: Json) -> Json:
    """The same with what follows from its requirements."""
    requirements = judged["requirements"]
    return judged | {
        "requirements_all_satisfied": all(each["satisfied"] for each in requirements),
        "requirements_all_supported": all(each["supported"] for each in requirements),
    }


def page_quote(case: Case, check: Check) -> str:
    """The shortest piece of one passage found on which the check holds."""
    return _quote(case, check, case.passages, case.on_page)


def excerpt_quote(case: Case, check: Check) -> str:
    """The shortest piece of one excerpt found on which the check holds."""
    return _quote(case, check, case.record.excerpts, lambda text: case.in_excerpts([text]))


def _quote(case: Case, check: Check, texts: Sequence[str], subject: Callable[[str], Subject]) -> str:
    simple = telling(check)
    if isinstance(simple, HostIs):
        return case.record.url
    if simple is not None:
        for text in texts:
            if run_check(simple, subject(text)).value:
                return narrow(text, lambda piece: run_check(simple, subject(piece)).value is True)
    return first_piece(texts)


def telling(check: Check) -> Check | None:
    """The part of a check that one sentence can show; None when it is about the page as a whole."""
    match check:
        case LanguageIs() | Not():
            return None
        case AllOf():
            return next((found for part in check.all if (found := telling(part))), None)
        case AnyOf() if all(isinstance(part, HostIs) for part in check.any):
            return check.any[0]
        case Mentions():
            return Mentions(mentions=check.mentions[:1]) if check.mentions else None
        case _:
            return check


def narrow(text: str, holds: Callable[[str], bool]) -> str:
    """A piece of a text, as it stands there, that still holds: half by half, down to one sentence."""
    spans = _spans(text)
    while len(spans) > 1:
        half = len(spans) // 2
        quarter = half // 2
        options = (spans[:half], spans[half:], spans[quarter : quarter + half])
        smaller = next((part for part in options if part and holds(_cut(text, part))), None)
        if smaller is None or len(smaller) == len(spans):
            break
        spans = smaller
    return _cut(text, spans)


def first_piece(texts: Sequence[str]) -> str:
    """The first sentence or line of the first text that has one."""
    return next((_cut(text, spans[:1]) for text in texts if (spans := _spans(text))), "")


def _spans(text: str) -> list[tuple[int, int]]:
    """Lines, and the sentences of a line; a very short one stays with what follows it."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in (*_ENDS.finditer(text), None):
        end, following = match.span() if match else (len(text), len(text))
        if match and "\n" not in match[0] and end - start < _SHORT:
            continue
        if text[start:end].strip():
            found.append((start, end))
        start = following
    return found


def _cut(text: str, spans: Sequence[tuple[int, int]]) -> str:
    return text[spans[0][0] : spans[-1][1]].strip() if spans else ""


def _bare(text: str) -> str:
    return "".join(text.split())


def texts_in(value: Any) -> list[str]:
    """Every text in a document, keys included."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [*value, *(text for each in value.values() for text in texts_in(each))]
    return [text for each in value for text in texts_in(each)] if isinstance(value, list) else []
