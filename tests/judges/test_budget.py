"""Money: one ledger for all processes, never too low a sum, never over the cap."""

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.budget import Cap, Ledger, Spent, Usage, money, parse
from pytest_wandr.errors import BudgetExceeded, CannotWrite, JudgeError
from pytest_wandr.judges.llm.config import Price
from pytest_wandr.judges.llm.costs import believable, cost_of, worst_case


@pytest.mark.parametrize(
    ("text", "cap", "shown"),
    [
        ("", Cap(), ""),
        ("5", Cap(Decimal(5)), "$5.00"),
        ("5.00", Cap(Decimal("5.00")), "$5.00"),
        ("$0.25", Cap(Decimal("0.25")), "$0.25"),
        ("0", Cap(Decimal(0)), "$0.00"),
        ("100calls", Cap(calls=100), "100 calls"),
        ("1 call", Cap(calls=1), "1 call"),
        ("5.00, 100calls", Cap(Decimal("5.00"), 100), "$5.00 and 100 calls"),
        ("100calls,5", Cap(Decimal(5), 100), "$5.00 and 100 calls"),
    ],
)
def test_a_budget_is_dollars_or_calls_or_both(text, cap, shown):
    assert parse(text) == cap
    assert str(cap) == shown


@pytest.mark.parametrize(
    "text",
    ["five", "-1", "5,5", "1calls,2calls", "nan", "1e3", "5.1234567", "5 dollars", "٥", "inf", "1,000"],
)
def test_what_is_no_budget_is_refused_with_examples(text):
    with pytest.raises(JudgeError, match="5.00 or 100calls or 5.00,100calls"):
        parse(text)


def ledger_in(folder, budget=""):
    return Ledger(folder / "run" / "ledger.jsonl", parse(budget))


def test_a_call_is_reserved_at_its_worst_and_settled_at_what_it_cost(tmp_path):
    ledger = ledger_in(tmp_path, "1.00")
    ticket = ledger.reserve(Decimal("0.60"))
    assert ledger.totals() == Spent(calls=1, dollars="0.60", unknown=1)
    with pytest.raises(BudgetExceeded, match=r"\$1.00 .* \$0.6000 are spent or reserved, .* cost \$0.5000"):
        ledger.reserve(Decimal("0.50"))
    ledger.settle(ticket, Decimal("0.1"), Usage(40, 2, 30))
    assert ledger.totals() == Spent(calls=1, input=40, output=2, dollars="0.1")
    ledger.reserve(Decimal("0.9"))
    with pytest.raises(BudgetExceeded):
        ledger.reserve(Decimal("0.000001"))


def test_a_cost_that_nobody_knows_counts_at_its_worst(tmp_path):
    ledger = ledger_in(tmp_path)
    ledger.settle(ledger.reserve(Decimal("0.3")), None, None)
    assert ledger.totals() == Spent(calls=1, dollars="0.3", unknown=1)


def test_a_call_that_was_never_sent_costs_nothing(tmp_path):
    ledger = ledger_in(tmp_path, "1calls")
    ledger.cancel(ledger.reserve(Decimal("0.3")))
    assert ledger.totals() == Spent()
    ledger.reserve(Decimal("0.3"))


def test_a_call_is_settled_once(tmp_path):
    ledger = ledger_in(tmp_path)
    ticket = ledger.reserve(Decimal(1))
    ledger.settle(ticket, Decimal("0.1"), Usage(1, 1))
    ledger.settle(ticket, None, None)
    ledger.cancel(ticket)
    assert ledger.totals() == Spent(calls=1, input=1, output=1, dollars="0.1")


def test_calls_are_counted_exactly(tmp_path):
    ledger = ledger_in(tmp_path, "3calls")
    for _ in range(3):
        ledger.settle(ledger.reserve(Decimal(0)), Decimal(0), Usage(0, 0))
    with pytest.raises(BudgetExceeded, match="the budget of 3 calls is used up: 3 calls were made"):
        ledger.reserve(Decimal(0))


def test_nothing_is_written_before_the_first_call(tmp_path):
    assert ledger_in(tmp_path).totals() == Spent()
    assert list(tmp_path.iterdir()) == []


def test_two_ledgers_on_one_file_see_each_other(tmp_path):
    first, second = ledger_in(tmp_path, "3calls"), ledger_in(tmp_path, "3calls")
    tickets = [ledger.reserve(Decimal(1)) for ledger in (first, second, first)]
    assert [ticket.number for ticket in tickets] == [1, 2, 3]
    with pytest.raises(BudgetExceeded):
        second.reserve(Decimal(1))
    second.note("careful")
    first.note("careful")
    first.note("again")
    assert first.totals() == second.totals() == Spent(3, dollars="3", unknown=3, notes=("again", "careful"))


@pytest.mark.parametrize("cut", range(1, 40))
def test_a_torn_last_line_is_a_call_that_was_never_made(tmp_path, cut):
    ledger = ledger_in(tmp_path, "2calls")
    ledger.settle(ledger.reserve(Decimal(1)), Decimal("0.5"), Usage(7, 3))
    ledger.reserve(Decimal(1))
    path = tmp_path / "run" / "ledger.jsonl"
    whole = path.read_bytes()
    last = whole.splitlines(keepends=True)[-1]
    path.write_bytes(whole[: len(whole) - min(cut, len(last))])
    survivor = ledger_in(tmp_path, "2calls")
    made = 2 if cut == 1 else 1  # only the line's end is missing: it may have been made
    assert survivor.totals().calls == made
    if made == 1:
        assert survivor.reserve(Decimal(1)).number == 2
    with pytest.raises(BudgetExceeded):
        survivor.reserve(Decimal(1))
    assert ledger_in(tmp_path).totals() == survivor.totals()


def test_a_torn_settlement_leaves_the_call_at_its_worst(tmp_path):
    ledger = ledger_in(tmp_path)
    ledger.settle(ledger.reserve(Decimal(2)), Decimal("0.5"), Usage(7, 3))
    path = tmp_path / "run" / "ledger.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    assert ledger_in(tmp_path).totals() == Spent(calls=1, dollars="2", unknown=1)


@pytest.mark.parametrize(
    "line",
    ["{}", "[1]", "7", '{"settle": "x"}', '{"cancel": null}', '{"reserve": 1, "pid": 3}',
     '{"reserve": 1, "worst": "a lot", "pid": 3}', '{"reserve": "x", "worst": "1", "pid": 3}'],
)  # fmt: skip
def test_a_line_that_somebody_spoilt_is_named_before_anything_more_is_spent(tmp_path, line):
    ledger = ledger_in(tmp_path)
    ledger.settle(ledger.reserve(Decimal(2)), Decimal("0.5"), Usage(7, 3))
    path = tmp_path / "run" / "ledger.jsonl"
    path.write_bytes(path.read_bytes() + line.encode() + b"\n")
    with pytest.raises(JudgeError, match=r"ledger\.jsonl: .* is no line of a ledger.*without --wandr-resume"):
        ledger_in(tmp_path).reserve(Decimal(1))
    assert path.read_bytes().endswith(line.encode() + b"\n")


def test_a_new_run_begins_at_nothing(tmp_path):
    ledger = ledger_in(tmp_path, "1calls")
    ledger.reserve(Decimal(1))
    (tmp_path / "run" / "ledger.jsonl").unlink()
    assert ledger.reserve(Decimal(1)).number == 1


def test_a_ledger_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "run").write_text("in the way")
    with pytest.raises(CannotWrite, match="ledger.jsonl cannot be written"):
        ledger_in(tmp_path).reserve(Decimal(1))


def test_what_may_come_back_is_worth_a_wait_and_what_is_lost_is_not(tmp_path):
    ledger = ledger_in(tmp_path, "1.00,9calls")
    ledger.reserve(Decimal("0.9"))
    with pytest.raises(BudgetExceeded):
        ledger.reserve(Decimal("0.2"))
    assert ledger.may_fit(Decimal("0.2"))
    assert not ledger.may_fit(Decimal("1.01"))
    path = tmp_path / "run" / "ledger.jsonl"
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    path.write_text(path.read_text().replace(str(os.getpid()), str(gone.pid)))
    survivor = ledger_in(tmp_path, "1.00,9calls")
    assert not survivor.may_fit(Decimal("0.2"))
    survivor.reserve(Decimal("0.1"))


RACER = """
import sys
from decimal import Decimal
from pathlib import Path
from pytest_wandr.budget import Ledger, Usage, parse
from pytest_wandr.errors import BudgetExceeded
ledger = Ledger(Path(sys.argv[1]), parse(sys.argv[2]))
print("ready", flush=True)
sys.stdin.readline()
made = 0
while True:
    try:
        ticket = ledger.reserve(Decimal("0.01"))
    except BudgetExceeded:
        break
    made += 1
    print(made, flush=True)
    if made == int(sys.argv[3]):
        sys.stdin.readline()  # killed here, between reserve and settle
    ledger.settle(ticket, Decimal("0.001"), Usage(10, 1))
"""


def racing(folder, budget, *killed_at):
    """Two processes that spend what there is; how many calls each made, as seen from outside."""
    path = folder / "run" / "ledger.jsonl"
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(path), budget, str(at)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for at in killed_at
    ]  # fmt: skip
    for racer in racers:
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        racer.stdin.write("go\n")
        racer.stdin.flush()
    made = []
    for racer, at in zip(racers, killed_at, strict=True):
        seen = 0
        for line in racer.stdout:
            seen = int(line)
            if seen == at:
                racer.send_signal(signal.SIGKILL)
        racer.stdin.close()
        racer.wait()
        racer.stdout.close()
        made.append(seen)
    return made


def test_two_processes_make_exactly_the_calls_that_are_allowed(tmp_path):
    made = racing(tmp_path, "100calls", -1, -1)
    assert sum(made) == 100
    assert ledger_in(tmp_path).totals() == Spent(calls=100, input=1000, output=100, dollars="0.100")


def test_a_process_killed_between_reserve_and_settle_has_spent_its_call(tmp_path):
    made = racing(tmp_path, "100calls", 7, -1)
    assert made[0] == 7
    assert sum(made) == 100
    totals = ledger_in(tmp_path).totals()
    assert (totals.calls, totals.unknown) == (100, 1)
    assert totals.dollars == "0.109"  # 99 settled, and one at its worst


def test_threads_of_one_process_share_a_ledger(tmp_path):
    ledger, made = ledger_in(tmp_path, "60calls"), []

    def spend():
        for _ in range(30):
            with suppress(BudgetExceeded):
                made.append(ledger.reserve(Decimal("0.1")).number)

    threads = [threading.Thread(target=spend) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == [*range(1, 61)]


tokens = st.integers(0, 10**6)
dollars = st.decimals(0, 1000, places=4)


@given(
    st.lists(st.tuples(dollars, st.none() | dollars, st.booleans()), max_size=12),
    st.decimals(0, 2000, places=2),
)
def test_the_reserved_and_the_spent_never_exceed_the_cap(tmp_path_factory, steps, cap):
    ledger = Ledger(tmp_path_factory.mktemp("ledger") / "l", Cap(cap))
    for worst, cost, sent in steps:
        try:
            ticket = ledger.reserve(worst)
        except BudgetExceeded:
            continue
        assert Decimal(ledger.totals().dollars) <= cap
        if not sent:
            ledger.cancel(ticket)
        else:
            ledger.settle(ticket, None if cost is None else min(cost, worst), None)
        assert Decimal(ledger.totals().dollars) <= cap


PRICE = Price(input=Decimal("2.5"), output=Decimal(10), cached=Decimal("0.25"))


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        (Usage(1_000_000, 0), "2.5"),
        (Usage(0, 1_000_000), "10"),
        (Usage(1_000_000, 0, 1_000_000), "0.25"),
        (Usage(1000, 100, 400), "0.0026"),  # 600 x 2.5 + 400 x 0.25 + 100 x 10 = 2600 millionths
        (Usage(0, 0), "0"),
    ],
)
def test_a_call_costs_its_fresh_its_cached_and_its_output_tokens(usage, cost):
    assert cost_of(PRICE, usage) == Decimal(cost)


def test_without_another_price_cached_tokens_cost_as_much_as_others():
    assert cost_of(Price(input=Decimal(2), output=Decimal(0)), Usage(1000, 0, 900)) == Decimal("0.002")


def test_without_a_price_nothing_is_counted():
    assert worst_case(None, size=10**6, max_tokens=10**6) == cost_of(None, Usage(5, 5)) == 0


@given(size=st.integers(2, 10**6), most=st.integers(1, 10**5), parts=st.tuples(tokens, tokens, tokens))
def test_nothing_that_is_believed_costs_more_than_the_worst_case(size, most, parts):
    usage = Usage(*parts)
    if believable(usage, size=size, max_tokens=most):
        assert cost_of(PRICE, usage) <= worst_case(PRICE, size=size, max_tokens=most)


@pytest.mark.parametrize(
    ("usage", "believed"),
    [
        (Usage(100, 10), True),
        (Usage(2100, 50, 2100), True),
        (Usage(2101, 10), False),
        (Usage(100, 51), False),
        (Usage(0, 10), False),
        (Usage(100, 10, 101), False),
        (Usage(100, 0), True),
    ],
)
def test_usage_that_cannot_be_is_not_believed(usage, believed):
    assert believable(usage, size=100, max_tokens=50) is believed


@pytest.mark.parametrize(
    ("dollars", "text"), [("0", "0.00"), ("3.414", "3.41"), ("0.0004", "0.000400"), ("12", "12.00")]
)
def test_money_shows_cents_and_below_a_cent_more(dollars, text):
    assert money(Decimal(dollars)) == text


def test_nothing_in_the_ledger_is_a_float(tmp_path):
    ledger = ledger_in(tmp_path)
    ledger.settle(ledger.reserve(Decimal("0.3")), Decimal("0.1"), Usage(4, 2))
    lines = (tmp_path / "run" / "ledger.jsonl").read_text().splitlines()
    for line in lines:
        json.loads(line, parse_float=lambda text: pytest.fail(f"a float: {text}"))
    assert len(lines) == 2
