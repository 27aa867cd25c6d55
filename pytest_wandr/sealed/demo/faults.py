"""Which records are known to be bad, and why? One or more of each kind of failure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pytest_wandr.sealed.demo.prove import Library, NodePlan, cite
from pytest_wandr.sealed.rng import Rng

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_wandr.model import Record
    from pytest_wandr.sealed.demo.claims import Claim
    from pytest_wandr.sealed.world import PageSpec

FAULTS = {
    "altered_digit": "a digit of an excerpt was changed",
    "altered_name": "a letter of a name in an excerpt was changed",
    "negated": "a negation was put into an excerpt",
    "stitched": "the halves of two statements were joined into one excerpt",
    "foreign_excerpt": "one excerpt is from another page",
    "no_excerpt": "there is no excerpt",
    "missing_answer": "a required answer field is missing",
    "wrong_label": "the value is none of the labels that the task asks for",
    "unsupported": "the page shows a requirement, the excerpts do not",
    "unsatisfied": "the page does not satisfy this requirement (and at most one other)",
    "gone": "the page is not there: status 404",
    "soft404": "an error page that answers with status 200",
    "consent": "a consent wall instead of the page",
    "login": "a login form instead of the page",
    "script": "a page that is empty without its script",
    "hangup": "the host closes the connection",
    "stale": "the page is out of date",
    "contradictory": "the page contradicts the others",
    "namesake": "the page is about a near-namesake",
    "interim": "the post is an interim one",
    "withdrawn": "the appointment was withdrawn",
    "copy": "a copy of a page, which does not count here",
}
"""Every kind of fault that fixtures have, and what it means. A fixture says `kind` or `kind:requirement`."""

WALLS = ("gone", "soft404", "consent", "login", "script", "hangup")
MESSES = ("stale", "contradictory", "namesake", "copy", "interim", "withdrawn")
NEGATED = (" has ", " is ", " will ", " becomes ", " costs ", " pays ", " asks ", " charges ", " appoints ")


class Faulty(NamedTuple):
    """A bad record: what is wrong with it, in a word and in a sentence."""

    record: Record
    fault: str
    why: str


def faults(
    library: Library, node: NodePlan, good: Sequence[Record], hosts: frozenset[str]
) -> Iterator[Faulty]:
    """The known-bad records of a node."""
    yield from _altered(good)
    yield from _unsupported(library, node, good)
    yield from _unsatisfied(library, node)
    yield from _wrong_label(library, node)
    yield from _walls(library, good, hosts)
    yield from _messes(library, node, hosts)


def _because(kind: str, more: str = "") -> str:
    return f"{FAULTS[kind]}{f': {more}' if more else ''}"


def _altered(good: Sequence[Record]) -> Iterator[Faulty]:
    """Excerpts and answers that were tampered with, each in another record."""
    changes: dict[str, Callable[[Record], Record | None]] = {
        "altered_digit": lambda record: _edit(record, _next_digit),
        "altered_name": lambda record: _edit(record, lambda text: _misspelt(record, text)),
        "negated": lambda record: _edit(record, _negation),
        "stitched": _stitched,
        "foreign_excerpt": lambda record: _foreign(record, good),
        "no_excerpt": lambda record: record.model_copy(update={"excerpts": ()}),
        "missing_answer": _unanswered,
    }
    for number, (kind, change) in enumerate(changes.items()):
        turned = [*good[number:], *good[:number]]
        found = next((bad for record in turned if (bad := change(record))), None)
        if found:
            yield Faulty(found, kind, _because(kind))


def _edit(record: Record, change: Callable[[str], str]) -> Record | None:
    """The record with the first excerpt that the change changes."""
    for i, text in enumerate(record.excerpts):
        if (edited := change(text)) != text:
            return record.model_copy(
                update={"excerpts": (*record.excerpts[:i], edited, *record.excerpts[i + 1 :])}
            )
    return None


def _next_digit(text: str) -> str:
    return re.sub(r"\d(?=\D*$)", lambda found: str((int(found[0]) + 1) % 10), text)


def _misspelt(record: Record, text: str) -> str:
    name = next((value for value in record.item.values() if value in text), "")
    return text.replace(name, f"{name[:2]}w{name[2:]}") if name else text


def _negation(text: str) -> str:
    verb = next((verb for verb in NEGATED if verb in text), "")
    return text.replace(verb, f"{verb}not ", 1) if verb else text


def _stitched(record: Record) -> Record | None:
    if len(record.excerpts) < 2:
        return None
    first, second = record.excerpts[:2]
    words, others = first.split(), second.split()
    text = " ".join([*words[: len(words) // 2], *others[len(others) // 2 :]])
    return record.model_copy(update={"excerpts": (text, *record.excerpts)})


def _foreign(record: Record, good: Sequence[Record]) -> Record | None:
    other = next((one for one in good if one.item != record.item and one.url != record.url), None)
    return record.model_copy(update={"excerpts": (*record.excerpts, other.excerpts[0])}) if other else None


def _unanswered(record: Record) -> Record | None:
    if not record.answer:
        return None
    return record.model_copy(update={"answer": dict(list(record.answer.items())[:-1])})


def _unsupported(library: Library, node: NodePlan, good: Sequence[Record]) -> Iterator[Faulty]:
    """For each requirement a record whose excerpts leave out that one alone."""
    for rule in node.demand.rules:
        for record, claim in _claims_of(node, good):
            bad = cite(library, node, claim, record.url, without=rule.id)
            missing = [key for key, value in library.verdict(node, bad).supported.items() if value is False]
            if bad.excerpts and missing == [rule.id]:
                yield Faulty(bad, f"unsupported:{rule.id}", _because("unsupported", rule.id))
                break


def _claims_of(node: NodePlan, good: Sequence[Record]) -> Iterator[tuple[Record, Claim]]:
    for record in good:
        yield from ((record, claim) for claim in node.claims if claim.item == record.item)


def _unsatisfied(library: Library, node: NodePlan) -> Iterator[Faulty]:
    """For each requirement a record whose page fails that one alone, or with one other."""
    best: dict[str, tuple[int, Record]] = {}
    wanted = {rule.id for rule in node.demand.rules}
    order = Rng("unsatisfied", node.name).shuffled([*node.claims, *node.others])
    tries = (one for claim in order for one in _cited(library, node, claim))
    for record, failed in tries:
        for rule in failed:
            if len(failed) < best.get(rule, (3, record))[0]:
                best[rule] = (len(failed), record)
        if {rule for rule, (count, _) in best.items() if count == 1} == wanted:
            break
    for rule, (_, record) in sorted(best.items()):
        yield Faulty(record, f"unsatisfied:{rule}", _because("unsatisfied", rule))


def _cited(library: Library, node: NodePlan, claim: Claim) -> Iterator[tuple[Record, list[str]]]:
    """What a claim makes of every page that names something of it, and the requirements that fail there."""
    for spec in library.pages(set.union(*library.naming(claim))):
        if spec.serving == "page":
            record = cite(library, node, claim, spec.url)
            verdict = library.verdict(node, record)
            failed = [key for key, value in verdict.satisfied.items() if not value]
            if record.excerpts and verdict.valid:
                yield record, failed


def _wrong_label(library: Library, node: NodePlan) -> Iterator[Faulty]:
    for key, labels in node.demand.labels.items():
        claim = next(claim for claim in node.others if claim.item[key] not in labels)
        named = set.intersection(*library.naming(claim))
        for spec in library.pages(named):
            record = cite(library, node, claim, spec.url)
            if spec.serving == "page" and library.verdict(node, record).retrieval:
                yield Faulty(record, "wrong_label", _because("wrong_label", claim.item[key]))
                return


def _walls(library: Library, good: Sequence[Record], hosts: frozenset[str]) -> Iterator[Faulty]:
    """Good records that cite a page which shows nothing."""
    for number, kind in enumerate(WALLS):
        at = next((spec for spec in library.web if spec.serving == kind and spec.outlet.host in hosts), None)
        if at:
            record = good[number % len(good)].model_copy(update={"url": at.url})
            yield Faulty(record, kind, _because(kind))


def _messes(library: Library, node: NodePlan, hosts: frozenset[str]) -> Iterator[Faulty]:
    """Records that rely on a page which is stale, contradicts others, is a copy, or is about a namesake."""
    for mess in MESSES:
        specs = [spec for spec in library.web if mess in spec.mess and spec.outlet.host in hosts]
        relying = _mistaken if mess == "namesake" else _relying
        found = next((one for spec in specs for one in relying(library, node, spec)), None)
        if found:
            yield Faulty(found, mess, _because(mess))


def _relying(library: Library, node: NodePlan, spec: PageSpec) -> Iterator[Record]:
    """Claims about what the page names, which it does not prove."""
    for claim in (*node.claims, *node.others):
        if spec.serving == "page" and spec.url in library.naming(claim)[0]:
            record = cite(library, node, claim, spec.url)
            if record.excerpts and not library.verdict(node, record).retrieval:
                yield record


def _mistaken(library: Library, node: NodePlan, spec: PageSpec) -> Iterator[Record]:
    """What the page proves, but claimed of the namesake that it does not name."""
    for claim in node.claims:
        name = next(iter(claim.item.values()))
        twins = (
            one for one in (*node.others, *node.claims) if _stem(one) == name.split()[0] and one != claim
        )
        for twin in twins:
            proof = cite(library, node, twin, spec.url)
            record = proof.model_copy(update={"item": {**proof.item, next(iter(claim.item)): name}})
            if library.verdict(node, proof).retrieval and not library.verdict(node, record).retrieval:
                yield record


def _stem(claim: Claim) -> str:
    return next(iter(claim.item.values())).split()[0]
