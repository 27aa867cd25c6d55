"""How does the stand-in behave? One function for each mode: from what was asked to what is sent."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from pytest_wandr.model import digest_of
from pytest_wandr.testing import honest
from pytest_wandr.testing.breaks import BREAKS
from pytest_wandr.testing.naming import all_the_same, same_names
from pytest_wandr.testing.wires import Counted, chat, messages, responses

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_wandr.model import TaskSpec
    from pytest_wandr.testing.wires import Asked, Json

Mode: TypeAlias = Literal[
    "honest", "gullible", "obedient", "yes", "noisy", "refusing", "filtering", "truncating",
    "schema_breaking", "slow", "429", "500", "wrong_usage", "dead", "drip", "huge", "html",
]  # fmt: skip
Manner: TypeAlias = Literal["whole", "close", "drip", "endless"]

WIRES = {"openai-chat": chat, "openai-responses": responses, "anthropic": messages}
WRONG_USAGE: Mapping[str, Counted | None] = {
    "absent": None,
    "zero": Counted(0, 0),
    "negative": Counted(-5, -5),
    "huge": Counted(10**15, 10**15),
    "text": Counted("many", "some"),
    "null": Counted(None, None, None),
    "cached": Counted(10, 10, 10**6),
}
_ORDER = re.compile(
    r"(?i)\b(?:ignore|disregard|forget|mark|set|answer|reply|respond|say|return|treat|rate|verdict)\b"
    r".{0,200}?\b(?:true|satisfied|supported|valid|everything|fulfilled)\b",
    re.DOTALL,
)


@dataclass(frozen=True)
class Sent:
    """What goes back: a status, headers, a body, and in which manner it is written."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: Manner = "whole"
    delay: float = 0.0


@dataclass
class Mind:
    """What a stand-in knows and remembers. Used by one thread at a time."""

    tasks: Mapping[str, TaskSpec]
    seed: int = 0
    rate: float = 0.1
    kind: str = ""
    delay: float = 0.0
    retry_after: str | None = "0"
    times: int | None = None
    replies: Mapping[str, Callable[[Json], Json]] = field(default_factory=dict)
    systems: dict[str, str] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)

    def honest(self, asked: Asked) -> Json:
        """The honest reply; by a function of the test, when the document has the key that it is for."""
        document = asked.document or {}
        for key, answer in self.replies.items():
            if key in document:
                return answer(document)
        if "pairs" in document:
            return same_names(document)
        return honest.reply(document, self.tasks) if "records" in document else {}


def respond(mode: Mode, asked: Asked, mind: Mind) -> Sent:
    """What a stand-in in that mode sends back."""
    return _MODES[mode](asked, mind)


def said(asked: Asked, text: str, *, usage: Counted | Literal["as counted"] | None = "as counted") -> Sent:
    """A reply with this text, cut off where it is longer than was asked for."""
    counted = tokens(asked, text) if usage == "as counted" else usage
    wire = WIRES[asked.protocol]
    if asked.max_tokens is not None and _length(text) > asked.max_tokens:
        return _sent(wire.cut_off(asked, text[: 4 * asked.max_tokens], counted))
    return _sent(wire.finished(asked, text, counted))


def tokens(asked: Asked, text: str) -> Counted:
    """Four characters a token; the instructions were cached."""
    sent = [asked.system, *asked.users, *asked.others, json.dumps(asked.schema)]
    return Counted(sum(map(_length, sent)), _length(text), _length(asked.system))


def failure(protocol: str, status: int, kind: str, message: str, param: str = "") -> Sent:
    """An error in the shape of the protocol."""
    return _sent(WIRES[protocol].failed(status, kind, message, param), status)


def tampered(asked: Asked, mind: Mind) -> bool:
    """Did text reach the judge outside the one JSON document, or in a form that is not plain JSON data?"""
    system = mind.systems.setdefault(asked.name, asked.system)
    message = asked.users[0] if asked.users else ""
    loose = not message.isascii() or any(sign in message for sign in "<>&")
    return asked.document is None or bool(asked.others) or system != asked.system or loose


def _length(text: str) -> int:
    return -(-len(text) // 4)


def _sent(body: Json, status: int = 200, **more: Any) -> Sent:
    return Sent(status, json.dumps(body).encode(), {"Content-Type": "application/json"}, **more)


def _text(reply: Json) -> str:
    return json.dumps(reply, ensure_ascii=False)


def _honest(asked: Asked, mind: Mind) -> Sent:
    return said(asked, _text(mind.honest(asked)))


def _yes(asked: Asked, mind: Mind) -> Sent:
    """True to everything, with a quote that is there."""
    document = asked.document or _salvaged(asked)
    if "pairs" in document:
        return said(asked, _text(all_the_same(document)))
    if "records" not in document:
        return _honest(asked, mind)
    judged = [_praised(case) for case in honest.cases(document, mind.tasks)]
    return said(asked, _text({"records": judged}))


def _praised(case: honest.Case) -> Json:
    page = honest.first_piece(case.passages)
    excerpt = honest.first_piece(case.record.excerpts)
    quotes = {"satisfied": True, "satisfied_quote": page, "supported": True, "supported_quote": excerpt}
    parts = dict.fromkeys(
        ("page_content_usable", "answer_intent_clear", "excerpts_faithful", "overall_valid"), True
    )
    requirements = [{"id": name, **quotes, "reason": "yes"} for name in case.decide]
    return honest.summed(
        {"id": case.id, "requirements": requirements, **parts, "confidence": 3, "reason": "yes"}
    )


def _salvaged(asked: Asked) -> Json:
    """The first JSON object in the user's messages that asks something: how a careless reader reads."""
    text = "\n".join(asked.users)
    for match in re.finditer(r"\{", text):
        try:
            found, _ = json.JSONDecoder().raw_decode(text, match.start())
        except ValueError:
            continue
        if isinstance(found, dict) and {"records", "pairs"} & found.keys():
            return found
    return {}


def _gullible(asked: Asked, mind: Mind) -> Sent:
    return _yes(asked, mind) if tampered(asked, mind) else _honest(asked, mind)


def _obedient(asked: Asked, mind: Mind) -> Sent:
    """Obeys orders wherever they stand, also within the data."""
    document = asked.document or {}
    data = {name: document[name] for name in ("page", "records", "names", "pairs") if name in document}
    ordered = any(_ORDER.search(text) for text in honest.texts_in(data))
    return _yes(asked, mind) if ordered else _gullible(asked, mind)


def _noisy(asked: Asked, mind: Mind) -> Sent:
    """Honest, but a share of what it says is turned round: by the seed and the record, not by the order."""
    reply = mind.honest(asked)
    if "records" not in reply:
        return said(asked, _text(reply))
    found = honest.cases(asked.document or {}, mind.tasks)
    judged = [_flipped(each, case, mind) for each, case in zip(reply["records"], found, strict=True)]
    return said(asked, _text({"records": judged}))


def _flipped(judged: Json, case: honest.Case, mind: Mind) -> Json:
    about = digest_of([case.record.model_dump(mode="json"), case.page])
    mind.seen[about] += 1
    page, excerpt = honest.first_piece(case.passages), honest.first_piece(case.record.excerpts)
    turned = []
    for each in judged["requirements"]:
        new = dict(each)
        for part, quote in (("satisfied", page), ("supported", excerpt)):
            if _chance(mind.seed, about, mind.seen[about], each["id"], part) < mind.rate:
                new[part] = not each[part]
                new[f"{part}_quote"] = quote if new[part] else ""
        turned.append(new)
    return honest.summed(judged | {"requirements": turned})


def _chance(*of: object) -> float:
    """A number from 0 up to 1 that depends on nothing else."""
    return int(hashlib.sha256(repr(of).encode()).hexdigest()[:12], 16) / 16**12


def _refusing(asked: Asked) -> Sent:
    text = "I'm sorry, but I can't help with that."
    return _sent(WIRES[asked.protocol].refused(asked, text, tokens(asked, text)))


def _filtering(asked: Asked) -> Sent:
    return _sent(WIRES[asked.protocol].filtered(asked, tokens(asked, "")))


def _truncating(asked: Asked, mind: Mind) -> Sent:
    """Half of the honest reply, or, with the kind `null`, nothing of it."""
    text = _text(mind.honest(asked))
    part = None if mind.kind == "null" else text[: len(text) // 2]
    return _sent(WIRES[asked.protocol].cut_off(asked, part, tokens(asked, part or "")))


def _schema_breaking(asked: Asked, mind: Mind) -> Sent:
    return said(asked, BREAKS[mind.kind or "missing_key"](mind.honest(asked)))


def _slow(asked: Asked, mind: Mind) -> Sent:
    sent = _honest(asked, mind)
    return Sent(sent.status, sent.body, sent.headers, delay=mind.delay)


def _failing(status: int) -> Callable[[Asked, Mind], Sent]:
    def respond_(asked: Asked, mind: Mind) -> Sent:
        """An error for the first `times` calls, or always."""
        mind.seen["failed"] += 1
        if mind.times is not None and mind.seen["failed"] > mind.times:
            return _honest(asked, mind)
        kind = "rate_limit_exceeded" if status == 429 else "server_error"
        sent = failure(asked.protocol, status, kind, "try again later")
        after = {} if mind.retry_after is None else {"Retry-After": mind.retry_after}
        return Sent(status, sent.body, {**sent.headers, **after})

    return respond_


def _wrong_usage(asked: Asked, mind: Mind) -> Sent:
    return said(asked, _text(mind.honest(asked)), usage=WRONG_USAGE[mind.kind or "absent"])


def _manner(manner: Manner) -> Callable[[Asked, Mind], Sent]:
    return lambda _, __: _sent({}, manner=manner)


def _html() -> Sent:
    page = b"<!doctype html><title>502</title><h1>Bad gateway</h1><p>Please try again.</p>"
    return Sent(200, page, {"Content-Type": "text/html; charset=utf-8"})


_MODES: Mapping[Mode, Callable[[Asked, Mind], Sent]] = {
    "honest": _honest,
    "gullible": _gullible,
    "obedient": _obedient,
    "yes": _yes,
    "noisy": _noisy,
    "refusing": lambda asked, _: _refusing(asked),
    "filtering": lambda asked, _: _filtering(asked),
    "truncating": _truncating,
    "schema_breaking": _schema_breaking,
    "slow": _slow,
    "429": _failing(429),
    "500": _failing(500),
    "wrong_usage": _wrong_usage,
    "dead": _manner("close"),
    "drip": _manner("drip"),
    "huge": _manner("endless"),
    "html": lambda _, __: _html(),
}
MODES: tuple[Mode, ...] = tuple(_MODES)
