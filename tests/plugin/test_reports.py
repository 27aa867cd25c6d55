"""The pure parts of the reports: text, payload, ledger, gates, Markdown."""

from importlib.metadata import PackageNotFoundError

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wandr_fakes import a_path, a_score

from pytest_wandr.hierarchy.paths import PathRow
from pytest_wandr.model import PathOutcome, RunReport, TaskReport, Unscored
from pytest_wandr.reports import environment as environments
from pytest_wandr.reports import ledger as ledgers
from pytest_wandr.reports.gate import Gate, check_floors
from pytest_wandr.reports.ledger import Ledger
from pytest_wandr.reports.markdown import summary
from pytest_wandr.reports.payload import pack, unpack
from pytest_wandr.reports.terminal import path_lines
from pytest_wandr.reports.text import clip, clip_middle, one_line, padded, visible, visible_lines, width_of

any_text = st.text(st.characters(codec=None))


def a_report(task_id="t1", *, f1=0.5, title="", **rest):
    score = a_score(task_id, f1=f1, **rest)
    return TaskReport(
        task_id=task_id,
        title=title,
        digest="d",
        rewards=score.rewards,
        diagnostics=score.diagnostics,
        incomplete=score.incomplete,
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("caf\u00e9 株式会社 🏢", "caf\u00e9 株式会社 🏢"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\tc\r", "a\\nb\\tc\\r"),
        ("\u202eevil", "\\u202eevil"),
        ("\u2028", "\\u2028"),
        ("a\u00a0b", "a b"),
        ("\ud800", "\\ud800"),
        ("\x9b31m", "\\x9b31m"),
    ],
)
def test_control_characters_are_spelled_out(text, shown):
    assert visible(text) == shown


@given(any_text)
def test_nothing_that_is_shown_can_act_on_a_terminal(text):
    assert visible(text).isprintable()
    assert one_line(text).isprintable()
    assert all(line.isprintable() for line in visible_lines(text).split("\n"))
    assert visible_lines(text).count("\n") == text.count("\n")
    visible(text).encode()


@given(any_text.map(visible), st.integers(0, 40))
def test_clipping_keeps_within_the_width(text, width):
    assert width_of(clip(text, width)) <= max(width, 0)
    assert width_of(clip_middle(text, max(width, 4))) <= max(width, 4)
    if width_of(text) <= width:
        assert clip(text, width) == text
        assert width_of(padded(text, width)) == width


def test_clipping_in_the_middle_keeps_both_ends():
    assert clip_middle("acme-appointments-2026", 12) == "acme-..-2026"
    assert clip("acme-appointments", 10) == "acme-ap..."


paths_strategy = st.lists(
    st.builds(
        PathRow,
        node=any_text,
        path=st.lists(any_text, max_size=3).map(tuple),
        outcome=st.sampled_from(["proven", "unproven", "undecided", "missing"]),
        part=st.sampled_from(["", "overall_valid"]),
        reason=any_text,
        slots=st.integers(1, 9),
        required=st.booleans(),
    ),
    max_size=5,
)


@given(paths_strategy, any_text, st.floats(0, 1))
def test_a_payload_survives_the_wire_exactly(paths, title, f1):
    report = a_report(f1=f1, title=title)
    text = pack(report, paths)
    assert type(text) is str
    assert text.isascii()
    assert "\n" not in text
    read = unpack(text)
    assert read.report == report
    assert read.paths() == tuple(PathOutcome(**path._asdict()) for path in paths)


def test_a_payload_of_another_version_is_refused():
    with pytest.raises(ValueError, match="schema 99"):
        unpack(pack(a_report(), ()).replace('"schema":2', '"schema":99'))


def test_a_missing_optional_package_is_named_as_missing(monkeypatch):
    """Without it some pages cannot be read, so two runs that differ in it may differ in scores."""

    def version(name):
        if name == "pypdfium2":
            raise PackageNotFoundError(name)
        return "1.0"

    monkeypatch.setattr(environments, "version", version)
    found = environments.environment()
    assert (found["pypdfium2"], found["lxml"]) == ("not installed", "1.0")


def run(ledger):
    return ledger.run_report(system="mine", judge="rules", task_id=lambda nodeid: nodeid.partition("/")[2])


def test_order_of_arrival_does_not_matter():
    def arrive(names):
        ledger = Ledger()
        ledger.select(["tasks/a", "tasks/b", "tasks/c", "tasks/d"])
        for name in names:
            if name == "c":
                ledger.fail("tasks/c", "broken")
            else:
                ledger.commit(f"tasks/{name}", pack(a_report(name), ()))
        return run(ledger)

    assert arrive("abc") == arrive("cba") == arrive("bca")
    assert arrive("abc").unscored == (
        Unscored(task_id="c", reason="broken"),
        Unscored(task_id="d", reason=ledgers.NOT_RUN),
    )


def test_the_last_report_of_a_task_wins():
    ledger = Ledger()
    ledger.select(["tasks/a"])
    ledger.fail("tasks/a", "first try")
    ledger.commit("tasks/a", pack(a_report("a", f1=0.25), ()))
    ledger.commit("tasks/a", pack(a_report("a", f1=0.75), ()))
    assert run(ledger).headline["soft_f1_full"] == 0.75
    ledger.fail("tasks/a", "last try")
    assert run(ledger).unscored == (Unscored(task_id="a", reason="last try"),)
    assert run(ledger).headline is None


def test_a_crash_after_a_task_was_scored_takes_nothing_back():
    ledger = Ledger()
    ledger.select(["tasks/a", "tasks/b"])
    ledger.commit("tasks/a", pack(a_report("a"), ()))
    ledger.crash("tasks/a")
    ledger.crash("tasks/b")
    assert run(ledger).scored == 1
    assert run(ledger).unscored == (Unscored(task_id="b", reason=ledgers.CRASHED),)


def test_an_unscored_task_is_never_averaged_in():
    ledger = Ledger()
    ledger.select(["tasks/a", "tasks/b"])
    ledger.commit("tasks/a", pack(a_report("a", f1=0.5), ()))
    ledger.fail("tasks/b", "broken")
    report = run(ledger)
    assert report.headline["soft_f1_full"] == 0.5
    assert (report.scored, report.selected) == (1, 2)


def test_one_incomplete_task_makes_the_run_incomplete():
    ledger = Ledger()
    ledger.select(["tasks/a", "tasks/b"])
    ledger.commit("tasks/a", pack(a_report("a"), ()))
    assert not run(ledger).incomplete
    ledger.commit("tasks/b", pack(a_report("b", undecided={"not_recorded": 1}), ()))
    assert run(ledger).incomplete


@pytest.mark.parametrize(
    ("value", "floor", "passed", "text"),
    [
        (0.5, 0.4, True, "m: 0.5000 meets 0.4 by 0.1000"),
        (0.4, 0.4, True, "m: 0.4000 meets 0.4 by 0.0000"),
        (0.3, 0.4, False, "m: 0.3000 is below 0.4 by 0.1000"),
        (0.4 - 1e-12, 0.4, False, "m: 0.4000 is below 0.4 by 1.0e-12"),
        (None, 0.0, False, "m: no task was scored, the gate asks for 0"),
    ],
)
def test_gates(value, floor, passed, text):
    gate = Gate(metric="m", floor=floor, value=value)
    assert (gate.passed, str(gate)) == (passed, text)


def test_floors_keep_their_order():
    gates = check_floors({"a": 0.5, "b": 0.5}, [("b", 0.6), ("a", 0.4)])
    assert [(gate.metric, gate.passed) for gate in gates] == [("b", False), ("a", True)]


def a_run(*tasks, unscored=(), headline=None):
    return RunReport(
        system="mine",
        judge="rules",
        headline=headline,
        scored=len(tasks),
        selected=len(tasks) + len(unscored),
        incomplete=any(task.incomplete for task in tasks),
        tasks=tasks,
        unscored=unscored,
    )


def test_the_markdown_page():
    task = a_report("t_1", f1=0.5, paths=[a_path("acme")], undecided={"not_recorded": 2})
    page = summary(a_run(task, unscored=(Unscored(task_id="t2", reason="broken"),), headline=task.rewards))
    assert page.startswith("# mine: 1 of 2 scored\n\n**Incomplete:**")
    assert "| soft full | 0.5000 | 0.5000 | 0.5000 |" in page
    assert "| t\\_1 | 0.5000 | 0.5000 | 1 | 1 | 1 | 0 | undecided: not\\_recorded 2 |" in page
    assert "| t2 | broken |" in page


@given(any_text)
def test_no_reason_breaks_out_of_its_cell(reason):
    page = summary(a_run(unscored=(Unscored(task_id="t", reason=reason),)))
    row = page.rstrip("\n").split("\n")[-1]
    assert row.startswith("| t | ")
    assert row.count("|") - row.count("\\|") == 3
    assert "<" not in row


@pytest.mark.parametrize(
    "text",
    ["<script>", "[x](javascript:1)", "![](https://t.example/p.png)", "https://t.example", "a|b", "`x`"],
)
def test_markdown_in_untrusted_text_stays_text(text):
    row = summary(a_run(unscored=(Unscored(task_id="t", reason=text),))).rstrip("\n").split("\n")[-1]
    assert text not in row


def test_the_path_of_a_subtask_begins_with_its_name():
    path = PathOutcome(node="root.listing", path=("Acme", "https://a.example/"), outcome="proven")
    (line,) = path_lines([path], shown="all", limit=0)
    assert line.text == "  proven     [listing] > Acme > https://a.example/"


def test_path_lines_need_no_width():
    lines = list(path_lines([a_path("x" * 300, "unproven")], shown="failed", limit=10))
    assert "x" * 300 in lines[0].text
    assert lines[0].markup == ("red",)
