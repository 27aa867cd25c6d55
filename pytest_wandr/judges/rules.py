"""What can be judged without asking anyone? All that machine checks decide; the rest stays undecided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_wandr.judges import Answer, Question
from pytest_wandr.model import Part, RequirementVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_wandr.model import NodeSpec, RequirementSpec, TaskSpec


class Rules:
    """The judge that asks nobody: offline, free, the same everywhere."""

    name = "rules"

    async def ask(self, questions: Sequence[Question]) -> Sequence[Answer]:
        """Every open requirement is undecided, and the reason names it."""
        return [_needs_judge(question) for question in questions]


def _needs_judge(question: Question) -> Answer:
    specs = {spec.id: spec for spec in question.node.requirements}
    verdicts = []
    for name in question.open:
        reason = f"requirement {name!r} needs a judge, as in --wandr-judge=llm: {specs[name].text}"
        part = Part(value=None, reason=reason, code="needs_judge")
        verdicts.append(RequirementVerdict(id=name, satisfied=part, supported=part))
    return Answer(requirements=tuple(verdicts))


def undecidable(task: TaskSpec) -> tuple[str, ...]:
    """The requirements, as `node: id`, that no machine check decides alone. None: `rules` suffices."""
    return tuple(
        f"{node.name}: {spec.id}" for node in task.nodes for spec in node.requirements if _open(spec)
    )


def undecidable_nodes(task: TaskSpec) -> tuple[NodeSpec, ...]:
    """The nodes with such a requirement."""
    return tuple(node for node in task.nodes if any(map(_open, node.requirements)))


def _open(spec: RequirementSpec) -> bool:
    return spec.check is None or not spec.decisive
