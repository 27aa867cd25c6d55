"""What the tasks of a run share: entries by key, bodies out of each other's recordings, in that run alone."""

import asyncio
import os
import resource
import shutil
import signal
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pytest_wandr.cassettes import Entry, PageStore, pack
from pytest_wandr.cassettes.commons import FOLDER, Commons, begin_sharing, end_sharing
from pytest_wandr.errors import CannotWrite, CassetteError
from pytest_wandr.model import FetchProblem

ROOT = Path(__file__).resolve().parents[2]
URL = "https://harbour.com/a"
BODY = b"Odalys Wren was named chief executive."


@pytest.fixture
def out(tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    begin_sharing(out)
    return out


@pytest.fixture
def task(out, tmp_path):
    """`task(name)`: the recording of a task, and what it sees of the run."""
    opened = []

    def task(name, *, patience=60.0, environment=None):
        store = PageStore(tmp_path / "cassettes" / name, environment=environment or {})
        commons = Commons(out, store, patience=patience)
        opened.append(commons)
        return store, commons

    yield task
    for commons in opened:
        commons.close()


def recorded(store, commons, url=URL, body=BODY, **rest):
    entry = store.put(Entry.of(url, **{"status": 200, **rest}), body)
    commons.add(entry.key)
    return entry


def bucket(out, key):
    return out / FOLDER / f"{int(key[:2], 16) % 64:02x}"


def test_what_one_task_recorded_is_copied_by_another(task):
    store, commons = task("amber")
    entry = recorded(store, commons, headers={"content-type": "text/html"})
    other, seen = task("birch")
    shared = seen.find(entry.key)
    assert (shared.task, shared.entry) == ("amber", entry)
    assert seen.take([shared])
    assert other.get(URL) == store.get(URL)
    shutil.rmtree(store.folder)
    other.fold()
    assert PageStore(other.folder).check() == ()
    assert PageStore(other.folder).get(URL).body == BODY


def test_both_recordings_are_the_same_bytes_as_if_each_had_fetched(task):
    store, commons = task("amber")
    entry = recorded(store, commons)
    other, seen = task("birch")
    seen.take([seen.find(entry.key)])
    for one in (store, other):
        one.fold()
    names = [
        {path.relative_to(one.folder): path.read_bytes() for path in one.folder.rglob("*") if path.is_file()}
        for one in (store, other)
    ]
    assert names[0] == names[1]
    inodes = {one.blobs.path(entry.blob).stat().st_ino for one in (store, other)}
    assert len(inodes) == 2, "a recording that is changed in place must not change another"


def test_what_was_taken_counts_as_recorded_in_this_run(task):
    store, commons = task("amber")
    entry = recorded(store, commons)
    other, seen = task("birch")
    seen.take([seen.find(entry.key)])
    assert entry.key in other.fresh


def test_only_what_this_run_recorded_is_shared(task, out):
    store, commons = task("amber")
    key = store.put(Entry.of(URL, status=200), BODY).key
    store.fold()
    again, commons = task("amber")
    commons.add(key)
    assert commons.find(key) is None
    assert again.find(key) is not None


def test_failures_are_shared_too(task):
    store, commons = task("amber")
    entry = recorded(store, commons, status=0, body=b"", error=FetchProblem(kind="timeout", detail="late"))
    other, seen = task("birch")
    assert seen.take([seen.find(entry.key)])
    assert other.get(URL).problem == entry.error


def test_no_body_lies_in_what_is_shared(task, out):
    store, commons = task("amber")
    recorded(store, commons)
    written = b"".join(path.read_bytes() for path in (out / FOLDER).iterdir())
    assert BODY not in written
    assert URL.encode() in written


def test_a_later_line_goes_before_an_earlier_one(task):
    store, commons = task("amber")
    recorded(store, commons, body=b"first")
    entry = recorded(store, commons, body=b"second")
    assert task("birch")[1].find(entry.key).entry == entry


@pytest.mark.parametrize("lost", range(2, 40, 6))
def test_a_torn_line_is_as_good_as_none_and_harms_no_other(task, out, lost):
    store, commons = task("amber")
    torn = recorded(store, commons)
    path = bucket(out, torn.key)
    path.write_bytes(path.read_bytes()[:-lost])
    assert commons.find(torn.key) is None
    with path.open("ab") as file:
        file.write(b"\n" + torn.key.encode())
    assert commons.find(torn.key) is None
    commons.add(torn.key)
    assert commons.find(torn.key).entry == torn


@pytest.mark.parametrize(
    "line", ["{key}", "{key}\t", "{key}\tamber\t", "{key}\tamber\t{{}}", "{key}\tamber\t{other}"]
)
def test_a_line_that_says_something_else_is_none(task, out, line):
    _, commons = task("amber")
    other = Entry.of("https://harbour.com/b", status=200)
    key = Entry.of(URL).key
    text = line.format(key=key, other=other.line().strip())
    bucket(out, key).write_text(f"\n{text}\n")
    assert commons.find(key) is None


@pytest.mark.parametrize("damage", ["lost", "cut", "another"])
def test_a_body_that_is_damaged_where_it_lies_is_not_taken_and_the_run_says_so(task, damage):
    store, commons = task("amber")
    entry = recorded(store, commons)
    path = store.blobs.path(entry.blob)
    other = store.blobs.put(b"something else")
    if damage == "lost":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:9] if damage == "cut" else store.blobs.path(other).read_bytes())
    birch, seen = task("birch")
    assert not seen.take([seen.find(entry.key)])
    assert birch.find(entry.key) is None
    (note,) = seen.notes
    assert note.startswith(f"{URL} was fetched again: recorded body {path} ")


def test_what_is_shared_and_cannot_be_read_is_an_error_with_a_name(task, out):
    _, commons = task("amber")
    key = Entry.of(URL).key
    bucket(out, key).mkdir()
    with pytest.raises(CassetteError, match=f"{bucket(out, key)} cannot be read: Is a directory"):
        commons.find(key)


@contextmanager
def no_file_over(limit):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_an_error_with_a_name_and_leaves_nothing_that_counts(task, out):
    store, commons = task("amber")
    entry = store.put(Entry.of(URL, status=200), BODY)
    with no_file_over(50), pytest.raises(CannotWrite, match=f"{bucket(out, entry.key)} cannot be written"):
        commons.add(entry.key)
    assert commons.find(entry.key) is None


def test_secrets_are_looked_for_in_what_is_taken_too(task):
    store, commons = task("amber")
    entry = recorded(store, commons, body=b"sesame-open-sesame")
    other, seen = task("birch", environment={"SHIP_TOKEN": "sesame-open-sesame"})
    with pytest.raises(CassetteError, match="SHIP_TOKEN"):
        seen.take([seen.find(entry.key)])
    assert other.find(entry.key) is None


def test_what_was_refused_is_not_shared(task):
    store, commons = task("amber", environment={"SHIP_TOKEN": "sesame-open-sesame"})
    with pytest.raises(CassetteError):
        recorded(store, commons, body=b"sesame-open-sesame")
    assert commons.find(Entry.of(URL).key) is None


def test_what_is_taken_goes_on_top_of_a_sealed_recording(task, tmp_path):
    old = PageStore(tmp_path / "cassettes" / "birch", environment={})
    old.put(Entry.of(URL, status=200), b"an older page")
    old.fold()
    pack(old.folder)
    shutil.rmtree(old.folder)
    sealed = (tmp_path / "cassettes" / "birch.zip").read_bytes()
    store, commons = task("amber")
    entry = recorded(store, commons)
    other, seen = task("birch")
    assert other.get(URL).body == b"an older page"
    assert seen.take([seen.find(entry.key)])
    other.fold()
    assert PageStore(other.folder).get(URL).body == BODY
    assert (tmp_path / "cassettes" / "birch.zip").read_bytes() == sealed


def test_a_chain_is_followed_as_far_as_it_is_known(task):
    store, commons = task("amber")
    hop = recorded(store, commons, url="https://harbour.com/old", status=302, to=URL, body=b"")
    found, ending = commons.chain(hop.url)
    assert ([one.entry for one in found], ending.entry) == ([hop], None)
    page = recorded(store, commons)
    found, ending = commons.chain(hop.url)
    assert ([one.entry for one in found], ending.entry) == ([hop, page], page)
    assert ending.hops == (hop.url,)


@pytest.mark.parametrize("key", ["", "..", "../../etc", "claims", "Z" * 32, "a" * 31, "a" * 32 + "\n"])
async def test_a_key_that_is_none_is_never_shared(task, key):
    store, commons = task("amber")
    store.put(Entry(key=key, url=URL, status=200))
    commons.add(key)
    assert commons.find(key) is None
    async with commons.claim(key):
        pass


async def test_where_no_run_has_begun_nothing_is_shared(tmp_path):
    store = PageStore(tmp_path / "cassettes" / "amber", environment={})
    for out in (None, tmp_path / "out"):
        with closing(Commons(out, store, patience=60)) as commons:
            entry = recorded(store, commons)
            assert commons.find(entry.key) is None
            async with commons.claim(entry.key):
                pass
    assert sorted(path.name for path in tmp_path.rglob(FOLDER)) == []


@pytest.mark.parametrize("again", [True, False])
def test_what_comes_after_the_end_of_a_run_does_not_reach_the_next(task, out, again):
    store, commons = task("amber")
    kept = recorded(store, commons)
    end_sharing(out)
    assert not (out / FOLDER).exists()
    if again:
        begin_sharing(out)
    late = recorded(store, commons, url="https://harbour.com/late")
    assert [path.name for path in out.rglob("*")] == ([FOLDER, "claims"] if again else [])
    assert [commons.find(one.key) for one in (kept, late)] == [None, None]
    assert [task("birch")[1].find(one.key) for one in (kept, late)] == [None, None]


def test_a_run_begins_with_nothing_of_a_killed_one(task, out):
    store, commons = task("amber")
    entry = recorded(store, commons)
    begin_sharing(out)
    assert task("birch")[1].find(entry.key) is None


HOLD = """
import asyncio, sys
from pathlib import Path
from pytest_wandr.cassettes import Entry, PageStore
from pytest_wandr.cassettes.commons import Commons

async def main(out, folder, key):
    store = PageStore(folder, environment={})
    commons = Commons(Path(out), store, patience=60)
    async with commons.claim(key):
        print("claimed", flush=True)
        sys.stdin.readline()
        commons.add(store.put(Entry.of("https://harbour.com/a", status=200), b"from the other").key)
    print("free", flush=True)
    sys.stdin.read()

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture
def holder(out, tmp_path):
    """Another process that has claimed the page, and records it when it is told to go on."""
    command = [sys.executable, "-c", HOLD, out, tmp_path / "cassettes" / "amber", Entry.of(URL).key]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT, bufsize=1
    )
    assert process.stdout.readline() == "claimed\n"
    yield process
    process.kill()
    process.communicate()


async def waiting(commons, key, met):
    async with commons.claim(key):
        met.append(commons.find(key))


async def test_who_comes_second_waits_and_finds_it_and_the_loop_goes_on(task, holder):
    _, commons = task("birch")
    met = []
    waiter = asyncio.ensure_future(waiting(commons, Entry.of(URL).key, met))
    for _ in range(20):
        await asyncio.sleep(0.01)  # comes back each time, though the claim is not to be had
    assert met == []
    async with commons.claim(Entry.of("https://harbour.com/b").key):
        pass  # another page is nobody's
    holder.stdin.write("\n")
    await waiter
    assert commons.body(met[0]) == b"from the other"
    assert commons.notes == []


async def test_who_waits_for_a_killed_process_is_next(task, holder):
    _, commons = task("birch")
    met = []
    waiter = asyncio.ensure_future(waiting(commons, Entry.of(URL).key, met))
    await asyncio.sleep(0.05)
    holder.kill()
    await waiter
    assert met == [None]


async def test_a_process_that_stands_still_is_not_waited_for_forever(task, holder):
    os.kill(holder.pid, signal.SIGSTOP)
    _, commons = task("birch", patience=0.1)
    met = []
    await waiting(commons, Entry.of(URL).key, met)
    assert met == [None]
    assert commons.notes == ["another process stood still with a page that it had claimed; asked without it"]


async def test_as_long_as_anything_is_recorded_in_the_run_patience_lasts(task, holder):
    store, commons = task("birch", patience=1.0)
    met = []
    waiter = asyncio.ensure_future(waiting(commons, Entry.of(URL).key, met))
    for number in range(15):
        await asyncio.sleep(0.1)
        recorded(store, commons, url=f"https://harbour.com/{number}")
    assert met == []
    holder.stdin.write("\n")
    await waiter
    assert met[0].task == "amber"


async def test_who_gives_up_waiting_leaves_the_claim_where_it_is(task, holder):
    _, commons = task("birch")
    waiter = asyncio.ensure_future(waiting(commons, Entry.of(URL).key, []))
    await asyncio.sleep(0.05)
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert not commons._took(Entry.of(URL).key)


@pytest.mark.parametrize("name", [b"../amber", b".", b"..", b"", b"a/b", b"a\x00b", b"\xff"])
def test_a_line_that_names_no_recording_beside_this_one_is_as_good_as_none(task, out, name):
    store, commons = task("amber")
    entry = recorded(store, commons)
    assert commons.find(entry.key).task == "amber"
    line = b"\t".join([f"\n{entry.key}".encode(), name, entry.line().encode()])
    bucket(out, entry.key).write_bytes(line)
    assert commons.find(entry.key) is None
