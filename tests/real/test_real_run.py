"""The main job on pages that nobody here wrote: served on loopback, recorded, judged, and replayed.

A task over all saved HTML pages with gold text is built at test time. Its submission quotes each page
faithfully and unfaithfully; the expected verdicts follow from how it was made.
"""

import asyncio
import re
from collections import Counter

import pytest

from pytest_wandr.cassettes import PageStore
from pytest_wandr.evidence import find_excerpt, read_page
from pytest_wandr.fetch import Live, fetch, open_fetcher
from pytest_wandr.judge import judge
from pytest_wandr.judges import resolve
from pytest_wandr.model import Record, Submission, TaskSpec
from pytest_wandr.score import score_task
from tests.real.test_real_pages import CHANGES, SHARED, entries, pytestmark, sentences  # noqa: F401

WORDS = re.compile(r"\b[A-Za-z]{2,}(?: [A-Za-z]{2,}){3}\b")


def quoted(entry):
    """The page's sentences that hold four plain words in a row."""
    return [sentence for sentence in sentences(entry) if WORDS.search(sentence)]


@pytest.fixture(scope="module")
def pages():
    found = [entry for entry in entries() if quoted(entry)]
    assert len(found) >= 60
    return found


def task(count):
    keys = [{"name": "page", "kind": "id", "required": count}, {"name": "url", "kind": "url", "required": 1}]
    said = {
        "id": "said",
        "text": "The page says these words.",
        "check": {"matches": "{said}"},
        "decisive": True,
    }
    node = {"name": "real_pages", "keys": keys, "answer": ["said"], "requirements": [said]}
    return TaskSpec.model_validate({"id": "real_pages", "instruction": "Quote.", "nodes": [node]})


def claims(pages, address):
    """(kind, record): a faithful quotation of each page, and every unfaithful one that can be made of it."""
    for number, entry in enumerate(pages):
        good = quoted(entry)[0]
        made = {"faithful": good} | {kind: change(good) for kind, change in CHANGES.items()}
        made["other page"] = quoted(pages[number - 1])[0]
        for kind, excerpt in made.items():
            if excerpt is None:
                continue
            said = WORDS.search(good).group()
            yield (
                kind,
                Record(
                    node="real_pages",
                    item={"page": f"{entry['file']} {kind}"},
                    url=f"{address}/{entry['file']}",
                    excerpts=(excerpt,),
                    answer={"said": said},
                ),
            )


async def serve(reader, writer):
    head = await reader.readuntil(b"\r\n\r\n")
    body = (SHARED / "pages" / head.split()[1].decode().lstrip("/")).read_bytes()
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n")
    writer.write(b"content-length: %d\r\n\r\n" % len(body) + body)
    await writer.drain()
    writer.close()


async def verdicts_of(spec, submission, store, live=None):
    async with open_fetcher(store, record="new" if live else "none", live=live) as fetcher:
        found = await fetch(submission, fetcher)
    return found, await judge(spec, submission, found, resolve("rules"))


async def test_recorded_real_pages_give_the_verdicts_that_the_submission_was_made_for(
    pages, tmp_path, capsys
):
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    kinds, records = zip(*claims(pages, f"http://127.0.0.1:{port}"), strict=True)
    spec = task(len(pages))
    submission = Submission(task_id=spec.id, system="made", records=records)
    store = PageStore(tmp_path / spec.id)
    live = Live(browser="off", allow=frozenset({f"127.0.0.1:{port}"}))
    found, verdicts = await verdicts_of(spec, submission, store, live)
    server.close()
    store.fold()
    again = (await verdicts_of(spec, submission, PageStore(tmp_path / spec.id)))[1]
    assert again == verdicts, "a replay without the server must give the same verdicts"

    table = Counter((kind, verdict.full) for kind, verdict in zip(kinds, verdicts, strict=True))
    present = Counter(
        kind
        for kind, record, verdict in zip(kinds, records, verdicts, strict=True)
        if kind != "faithful" and verdict.full and really_there(found[record.url], record.excerpts[0])
    )
    with capsys.disabled():
        print(f"\n{len(pages)} real pages, {len(records)} records, recorded and replayed")
        print(f"{'':14}{'true':>6}{'false':>6}{'undecided':>11}{'stands there after all':>24}")
        for kind in dict.fromkeys(kinds):
            row = [table[kind, value] for value in (True, False, None)]
            print(f"{kind:14}{row[0]:6}{row[1]:6}{row[2]:11}{present[kind]:24}")
    assert not any(verdict.full is None for verdict in verdicts)
    assert table["faithful", True] >= 0.97 * (table["faithful", True] + table["faithful", False])
    for kind in ("digit", "name", "negation", "other page"):
        assert table[kind, True] == present[kind]
    score = score_task(spec, submission.records, verdicts)
    assert 0 < score.rewards["soft_precision_full"] < score.rewards["soft_precision_retrieval"]


def really_there(page, excerpt):
    """The changed sentence is on the page in its own right: its letters and digits, without our matcher."""
    text = read_page(page.body, media_type=page.media_type)
    letters = re.compile(r"[\W_]+")
    whole = letters.sub("", (text.full_text + text.hidden_text).casefold())
    return letters.sub("", excerpt.casefold()) in whole and find_excerpt(text, excerpt).faithful
