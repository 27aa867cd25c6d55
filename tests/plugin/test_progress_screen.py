"""Lines between pytest's own, on a terminal of which both ends are ours."""

import fcntl
import os
import pty
import struct
import termios
import threading
import tty

import pytest
from _pytest._io import TerminalWriter

from pytest_wandr.progress import Board, Moment, Step, Sum
from pytest_wandr.reports.progress import Crew, Display, Screen, Teller, Ticker

ERASED = b"\x1b[J"
MARK = b"\x00read so far\x00"


@pytest.fixture
def ends():
    """A terminal of 80 columns: what is shown is read from the first end."""
    shown, number = pty.openpty()
    tty.setraw(number)
    resize(number, 80)
    yield shown, number
    for end in (shown, number):
        os.close(end)


def resize(number, columns):
    fcntl.ioctl(number, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def read(ends):
    """Everything that has been shown up to now."""
    shown, number = ends
    os.write(number, MARK)
    output = b""
    while not output.endswith(MARK):
        output += os.read(shown, 65536)
    return output.removesuffix(MARK)


@pytest.fixture
def writer(ends):
    _, number = ends
    with open(number, "w", closefd=False) as file:
        yield TerminalWriter(file)


@pytest.fixture
def live(ends, writer):
    return Screen(ends[1], "live", writer)


def test_the_live_line_is_painted_once_and_wiped_once(ends, live):
    live.show("3 of 8 tasks")
    live.show("3 of 8 tasks")
    assert read(ends).count(b"wandr: 3 of 8 tasks") == 1
    live.wipe()
    live.wipe()
    assert read(ends) == ERASED


@pytest.mark.parametrize("colour", [True, False])
def test_colours_are_the_terminals_own_choice(ends, live, writer, colour):
    writer.hasmarkup = colour
    live.show("3 of 8 tasks")
    assert (b"\x1b[36m" in read(ends)) == colour


@pytest.mark.parametrize(
    ("columns", "seen"), [(80, "x" * 72), (30, "x" * 22), (20, "x" * 12), (19, ""), (5, "")]
)
def test_a_live_line_never_wraps(ends, live, columns, seen):
    resize(ends[1], columns)
    live.show("x" * 200)
    output = read(ends)
    assert (f"wandr: {seen}\x1b[".encode() in output) if seen else (output == b"")


def test_whoever_writes_finds_the_line_wiped_and_waits_for_nothing(ends, live, writer):
    release = live.guarded()
    live.show("3 of 8 tasks")
    read(ends)
    writer.write("dots")
    assert read(ends) == ERASED + b"dots"
    writer.line("a line")
    assert read(ends) == b"a line\n"
    live.show("4 of 8 tasks")
    read(ends)
    writer.write_raw("raw")
    assert read(ends) == ERASED + b"raw"
    release()
    assert vars(writer).keys() & {"write", "write_raw"} == set()


def test_what_was_written_before_comes_before(ends, live, writer):
    writer.write("early ")
    live.guarded()
    live.show("3 of 8 tasks")
    assert read(ends).startswith(b"early \x1bD")


def test_a_writer_that_somebody_else_has_wrapped_meanwhile_is_left_alone(live, writer):
    release = live.guarded()
    theirs = vars(writer)["write"] = lambda message, **rest: None
    release()
    assert vars(writer)["write"] is theirs


def test_nothing_is_shown_while_somebody_debugs(ends, live):
    live.show("3 of 8 tasks")
    live.pause()
    read(ends)
    live.show("4 of 8 tasks")
    assert read(ends) == b""
    live.resume()
    live.show("4 of 8 tasks")
    assert b"4 of 8" in read(ends)


def test_a_plain_line_begins_a_line_of_its_own(ends, writer):
    plain = Screen(ends[1], "plain", writer)
    plain.guarded()
    plain.show("0 of 8 tasks")
    writer.write("tasks/amber .")
    plain.show("1 of 8 tasks")
    assert read(ends) == b"wandr: 0 of 8 tasks\ntasks/amber .\nwandr: 1 of 8 tasks\n"


def test_a_display_shows_what_it_sees_when_it_is_time(ends, writer):
    now = [100.0]
    display = Display(
        Screen(ends[1], "plain", writer),
        lambda seconds: Moment(8, int(seconds), seconds, {}),
        lambda: now[0],
        every=10,
    )
    for second in range(0, 25, 5):
        now[0] = 100.0 + second
        display.tick()
    assert read(ends) == b"wandr: 10 of 8 tasks\nwandr: 20 of 8 tasks\n"


def test_a_ticker_ticks_until_it_is_stopped():
    ticked = threading.Semaphore(0)
    ticker = Ticker(ticked.release, every=0.001)
    ticker.start()
    for _ in range(3):
        assert ticked.acquire(timeout=60)
    ticker.stop()
    while ticked.acquire(blocking=False):
        pass
    assert not ticked.acquire(timeout=0.05)


def test_a_ticker_whose_screen_is_gone_ends_by_itself():
    calls = []

    def gone():
        calls.append(1)
        raise OSError("no such device")

    ticker = Ticker(gone, every=0.001)
    ticker.start()
    ticker._thread.join(60)
    assert not ticker._thread.is_alive()
    assert calls == [1]
    ticker.stop()


def test_a_ticker_that_never_began_can_be_stopped():
    Ticker(lambda: None, every=60).stop()


@pytest.fixture
def told(tmp_path):
    crew = Crew(tmp_path / "out" / ".progress")
    boards = {name: Board() for name in ("gw0", "gw1")}
    return crew, boards, {name: Teller(crew.folder, name, board) for name, board in boards.items()}


def test_workers_tell_when_somebody_listens(told):
    crew, boards, tellers = told
    boards["gw0"].begin()(Step("fetch", 1, 5, hosts=2))
    tellers["gw0"].tell()
    assert not crew.folder.exists()
    crew.open()
    assert crew.tally() == {}
    for teller in tellers.values():
        teller.tell()
    assert crew.tally() == {"fetch": Sum(1, 1, 5, 0, 2)}
    boards["gw1"].begin()(Step("fetch", 2, 3, 1, 1))
    tellers["gw1"].tell()
    assert crew.tally() == {"fetch": Sum(2, 3, 8, 1, 3)}


def test_what_a_lost_worker_did_is_kept_and_no_more_is_expected_of_it(told):
    crew, boards, tellers = told
    crew.open()
    boards["gw0"].begin()(Step("fetch", 3, 5, 1, 2))
    tellers["gw0"].tell()
    crew.leave("gw0")
    assert crew.tally() == {"fetch": Sum(1, 3, 3, 1, 0)}


@pytest.mark.parametrize("torn", [b"", b'{"fetch": {"tasks": 1', b"\xff\xfe", b"[]"], ids=repr)
def test_a_torn_file_leaves_what_was_known(told, torn):
    crew, boards, tellers = told
    crew.open()
    boards["gw0"].begin()(Step("fetch", 3, 5))
    tellers["gw0"].tell()
    assert crew.tally() == {"fetch": Sum(1, 3, 5)}
    (crew.folder / "gw0.json").write_bytes(torn)
    assert crew.tally() == ({} if torn == b"[]" else {"fetch": Sum(1, 3, 5)})


def test_what_is_told_again_is_not_written_again_unless_it_is_gone(told):
    crew, _, tellers = told
    crew.open()
    tellers["gw0"].tell()
    path = crew.folder / "gw0.json"
    first = path.stat().st_ino, path.stat().st_mtime_ns
    tellers["gw0"].tell()
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == first
    crew.clear()
    crew.open()
    tellers["gw0"].tell()
    assert path.exists()
    assert [each.name for each in crew.folder.iterdir()] == ["gw0.json"]
