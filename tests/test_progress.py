"""How far a run is, in numbers and words: pure, with the time given."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.progress import (
    Board,
    Moment,
    Pace,
    Step,
    Sum,
    added,
    duration,
    ended,
    line_of,
    mode_for,
    read,
    seconds_left,
    written,
)


def noted(*tasks):
    board = Board()
    for steps in tasks:
        watch = board.begin()
        for step in steps:
            watch(step)
    return board


FETCHING = Step("fetch", 3, 10, 1, 2)


@pytest.mark.parametrize(
    ("tasks", "tally"),
    [
        ([], {}),
        ([[]], {}),
        ([[Step("solve")]], {"solve": Sum(1)}),
        ([[Step("solve"), FETCHING]], {"fetch": Sum(1, 3, 10, 1, 2)}),
        ([[FETCHING, Step("fetch", 4, 10, 1, 5)]], {"fetch": Sum(1, 4, 10, 1, 5)}),
        (
            [[Step("fetch", 10, 10, 1, 2), Step("judge", 1, 9, spent=0.5)]],
            {"fetch": Sum(1, 10, 10, 1, 0), "judge": Sum(1, 1, 9, spent=0.5)},
        ),
        ([[FETCHING], [Step("solve")]], {"fetch": Sum(1, 3, 3, 1, 0), "solve": Sum(1)}),
        ([[FETCHING], [Step("fetch", 2, 4)]], {"fetch": Sum(2, 5, 7, 1, 0)}),
        ([[Step("fetch", 5, 4)]], {"fetch": Sum(1, 5, 5)}),
        ([[Step("solve")], []], {}),
    ],
    ids=[
        "nothing", "a task", "solving", "solved", "the latest step counts", "judging ends fetching",
        "a task that stopped half-way expects no more", "two tasks", "more than all", "solved in vain",
    ],
)  # fmt: skip
def test_a_board_sums_up_its_tasks(tasks, tally):
    assert noted(*tasks).tally() == tally


def test_a_task_that_ended_is_being_solved_no_more():
    board = noted([Step("solve")])
    board.end()
    assert board.tally() == {}


def test_tallies_of_processes_add_up():
    one, other = {"fetch": Sum(1, 3, 10, 1, 2)}, {"fetch": Sum(2, 5, 5, 0, 1), "judge": Sum(1, 1, 2, spent=1)}
    assert added([one, other, {}]) == {"fetch": Sum(3, 8, 15, 1, 3), "judge": Sum(1, 1, 2, spent=1)}


COUNTS = st.integers(min_value=0, max_value=10**9)
SUMS = st.builds(Sum, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS, st.floats(0, 1e9))
TALLIES = st.dictionaries(st.sampled_from(["solve", "fetch", "judge"]), SUMS)


@given(TALLIES)
def test_what_is_written_for_another_process_is_read_there(tally):
    assert read(written(tally)) == tally


@given(TALLIES, st.data())
def test_half_a_line_is_never_taken_for_a_whole_one(tally, data):
    line = written(tally).rstrip()
    cut = data.draw(st.integers(0, len(line) - 1))
    assert read(line[:cut]) is None


@given(
    st.binary() | st.recursive(st.none() | st.floats() | st.text(), st.lists).map(json.dumps).map(str.encode)
)
def test_nothing_that_lies_in_a_file_breaks_the_reading(line):
    assert read(line) is None or read(line) == {}


@pytest.mark.parametrize(
    "row",
    [
        {}, 7, [], "fetch", {"tasks": 1}, {**vars(Sum()), "done": -1}, {**vars(Sum()), "done": "x"},
        {**vars(Sum()), "done": 1e999}, {**vars(Sum()), "spent": float("nan")},
        {**vars(Sum()), "total": None},
    ],
    ids=str,
)  # fmt: skip
def test_odd_numbers_are_not_read(row):
    assert read(json.dumps({"fetch": row}).encode()) is None


@given(st.lists(TALLIES, max_size=4))
def test_what_has_ended_expects_nothing_more_and_asks_no_host(tallies):
    for each in ended(added(tallies)).values():
        assert (each.done, each.hosts) == (each.total, 0)


FETCH = Sum(2, 30, 60, 4, 12)


@pytest.mark.parametrize(
    ("tasks", "done", "seconds", "tally", "line"),
    [
        (8, 0, 0, {}, "0 of 8 tasks"),
        (8, 1, 90, {"solve": Sum(2)}, "1 of 8 tasks, 2 solving"),
        (2, 1, 30, {"fetch": FETCH}, "1 of 2 tasks, 30 of 60 pages, 12 hosts, 4 failed, about 30 s left"),
        (2, 1, 2, {"fetch": FETCH}, "1 of 2 tasks, 30 of 60 pages, 12 hosts, 4 failed"),
        (4, 1, 30, {"fetch": FETCH}, "1 of 4 tasks, 30 of 60 pages, 12 hosts, 4 failed, about 90 s left"),
        (1, 0, 9, {"fetch": Sum(1, 0, 5, 0, 1)}, "0 of 1 tasks, 0 of 5 pages, 1 host"),
        (1, 0, 9, {"fetch": Sum(1, 5, 5)}, "0 of 1 tasks, 5 of 5 pages"),
        (1, 1, 9, {"fetch": Sum(1, 5, 5)}, "1 of 1 tasks, 5 of 5 pages"),
        (
            1,
            0,
            600,
            {"judge": Sum(1, 20, 60, 1, 0, 0.416), "fetch": Sum(1, 40, 40, 3)},
            "0 of 1 tasks, 40 of 40 pages, 3 failed, 20 of 60 judged, 1 undecided, $0.42 spent, "
            "about 7 min left",
        ),
    ],
    ids=[
        "begun", "solving", "half of all", "too early to tell", "others are expected alike",
        "the first pages",
        "all pages of all tasks", "the end", "with a judge that costs",
    ],
)  # fmt: skip
def test_the_line(tasks, done, seconds, tally, line):
    assert line_of(Moment(tasks, done, seconds, tally)) == line


@pytest.mark.parametrize(
    ("moment", "left"),
    [
        (Moment(10, 0, 100, {}), None),
        (Moment(10, 1, 100, {"fetch": Sum(1, 50, 50)}), 900),
        (Moment(10, 4, 100, {"fetch": Sum(2, 50, 100)}), 100 * (400 - 50) / 50),  # two came from disk
        (Moment(1, 0, 100, {"fetch": Sum(1, 0, 50)}), None),
        (Moment(1, 0, 100, {"solve": Sum(1)}), None),
        (Moment(2, 0, 100, {"fetch": Sum(2, 30, 40), "judge": Sum(1, 10, 20)}), 100 * (80 - 40) / 40),
    ],
    ids=["nothing yet", "one of ten", "resumed", "no page yet", "solving", "two stages"],
)
def test_what_is_left_takes_as_long_as_what_was_done(moment, left):
    assert seconds_left(moment) == left


@given(TALLIES, COUNTS, COUNTS, st.floats(0, 1e6))
def test_every_moment_has_a_line_of_plain_characters(tally, tasks, done, seconds):
    line = line_of(Moment(tasks, done, seconds, tally))
    assert line.isascii()
    assert line.isprintable()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "1 s"), (0.4, "1 s"), (40.4, "40 s"), (99.4, "99 s"), (99.6, "2 min"), (150, "2 min"),
        (5900, "98 min"), (5999, "1 h 40 min"), (7800, "2 h 10 min"), (360_000, "100 h 0 min"),
    ],
)  # fmt: skip
def test_durations_are_rounded(seconds, words):
    assert duration(seconds) == words


def shown(moments, **options):
    pace = Pace(0.0, **options)
    return [now for now, done in moments if pace.due(now, Moment(9, done, now, {}))]


def test_no_plain_line_comes_before_ten_seconds():
    assert shown([(second, second) for second in range(10)]) == []


def test_plain_lines_keep_their_distance():
    assert shown([(second, second) for second in range(45)]) == [10, 20, 30, 40]


def test_a_line_that_says_nothing_new_comes_once_a_minute():
    assert shown([(second, 3) for second in range(200)]) == [10, 70, 130, 190]


def test_what_is_new_does_not_wait_for_the_minute():
    assert shown([(second, second >= 33) for second in range(60)]) == [10, 33]


@pytest.mark.parametrize(
    ("asked", "terminal", "plain", "mode"),
    [
        ("auto", True, False, "live"), ("auto", True, True, "plain"), ("auto", False, False, "plain"),
        ("live", True, True, "live"), ("live", False, False, "plain"), ("plain", True, False, "plain"),
    ],
)  # fmt: skip
def test_who_gets_a_live_line(asked, terminal, plain, mode):
    assert mode_for(asked, terminal=terminal, plain=plain) == mode
