"""What do the replies of all protocols have in common? Status first, JSON next, the protocol's word last.

Nothing is repaired: what cannot be read as it is, is not read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

from pytest_wandr.judges.llm.exchange import Said, Unsaid, Usage

if TYPE_CHECKING:
    from pydantic import JsonValue

    from pytest_wandr.judges.llm.config import JudgeConfig
    from pytest_wandr.judges.llm.exchange import Prompt, Why

Headers: TypeAlias = Mapping[str, str]
"""By their names in small letters."""
Body: TypeAlias = dict[str, Any]


class Call(NamedTuple):
    """What is posted: below the base url, without the key."""

    path: str
    headers: Headers
    body: Body


class Wire(NamedTuple):
    """One protocol.

    `key_header` is the name of the header with the key, and what stands before the key. `limits` are the
    names under which the cap on a reply's tokens may be known.
    """

    request: Callable[[Prompt, JudgeConfig], Call]
    read: Callable[[int, Headers, bytes], Said | Unsaid]
    key_header: tuple[str, str]
    limits: tuple[str, ...]


def read_reply(
    status: int, headers: Headers, body: bytes, of: Callable[[Body], Said | Unsaid]
) -> Said | Unsaid:
    """Status, kind, JSON, and an error in spite of a good status; the rest is the protocol's."""
    if status != 200:
        return failed(status, headers, body)
    kind = headers.get("content-type", "")
    if kind and "json" not in kind.casefold():
        return unreadable(f"a reply of the kind {clip(kind, 60)!r} where JSON is due")
    reply = parsed(body)
    if reply is None:
        return unreadable(f"a reply that is no JSON object: {clip(body.decode('utf-8', 'replace'), 80)!r}")
    if reply.get("error"):
        return Unsaid("judge_failed", f"the server says: {message_of(reply)}", model_of(reply))
    return of(reply)


def failed(status: int, headers: Headers, body: bytes) -> Unsaid:
    """What another status than 200 means."""
    if 300 <= status < 400:
        to = clip(headers.get("location", "nowhere"), 120)
        return Unsaid(
            "judge_failed",
            f"HTTP {status} redirects to {to}, which is not followed; set base_url to the right one",
        )
    said = message_of(parsed(body) or {})
    code: Why = "judge_down" if status == 429 or status >= 500 else "judge_failed"
    return Unsaid(code, f"HTTP {status}" + (f": {said}" if said else ""))


def parsed(body: bytes) -> Body | None:
    """A JSON object; None for anything else, such as NaN or a body in another encoding."""
    try:
        reply = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return None
    return reply if isinstance(reply, dict) else None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def message_of(reply: Body) -> str:
    """What an error says, for a person: short and in one line."""
    error = reply.get("error", reply.get("message"))
    if isinstance(error, dict):
        error = error.get("message") or error.get("type") or error.get("code")
    if isinstance(error, str | int):
        return clip(str(error), 300)
    return clip(json.dumps(error), 300) if error else ""


def clip(text: str, most: int) -> str:
    """One line of printable characters, cut."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text[: 4 * most]).split())
    return line if len(line) <= most else line[: most - 3] + "..."


def at(value: JsonValue, *path: str | int) -> Any:
    """What is at a place of a JSON value; None when there is no such place."""
    found: Any = value
    for step in path:
        if isinstance(step, str):
            found = found.get(step) if isinstance(found, dict) else None
        else:
            found = found[step] if isinstance(found, list) and len(found) > step else None
    return found


def table(options: Mapping[str, JsonValue], name: str) -> Body:
    """An option that is a table of its own, and takes more beside what is set in it."""
    found = options.get(name)
    return dict(found) if isinstance(found, dict) else {}


def model_of(reply: Body) -> str:
    """Which model gave the reply, when it says so."""
    model = reply.get("model")
    return clip(model, 200) if isinstance(model, str) else ""


def count(value: object) -> int | None:
    """A number of tokens; None for what is none."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    return None


def usage(total: object, output: object, cached: object = 0) -> Usage | None:
    """The usage, when all of its numbers are numbers; `cached` may be absent."""
    numbers = count(total), count(output), count(0 if cached is None else cached)
    if numbers[0] is None or numbers[1] is None or numbers[2] is None:
        return None
    return Usage(numbers[0], numbers[1], numbers[2])


def unreadable(what: str, model: str = "", used: Usage | None = None) -> Unsaid:
    """A reply that is none."""
    return Unsaid("unreadable", clip(what, 300), model, used)


def cut_off(model: str, used: Usage | None) -> Unsaid:
    """A reply that hit its limit."""
    return Unsaid("cut_off", "the reply was cut off at its limit; raise max_tokens of the judge", model, used)


def refused(why: str, model: str, used: Usage | None) -> Unsaid:
    """No reply, on purpose."""
    return Unsaid("refused", f"the model did not answer: {clip(why, 200)}", model, used)


def said(text: object, model: str, used: Usage | None) -> Said | Unsaid:
    """The text of a reply that ended by itself."""
    if not isinstance(text, str) or not text.strip():
        return unreadable("a reply without text", model, used)
    return Said(text, model, used)
