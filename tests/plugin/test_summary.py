"""What the terminal shows at the end, and what untrusted text cannot do to it."""

import re

import pytest
from wandr_fakes import a_path

NASTY = "\x1b[31mred\x07 \u202egnp \r\n==== 9 passed ===="
PATHS = [
    a_path("acme"),
    a_path("birch", "unproven", part="overall_valid", reason="not a company"),
    a_path("cedar", "undecided", part="page_content_usable", reason="nothing recorded"),
    a_path("(missing)", "missing", slots=3),
    a_path("dune", "unproven", part="excerpts_faithful", reason="no", required=False),
]


def summary(result):
    lines = result.outlines
    start = next(i for i, line in enumerate(lines) if line.startswith("=") and " wandr: " in line)
    return lines[start:]


def test_the_table_and_the_headline(project):
    project.task("acme-hires", paths=PATHS, f1=0.25, undecided={"not_recorded": 1})
    project.task("b", paths=[a_path("acme")], f1=0.75)
    project.task("c", error="nothing recorded for https://c.example/")
    assert summary(project.run("--tb=no", "-rN"))[:8] == [
        " wandr: mine ".center(100, "="),
        "task        soft F1  hard F1  wanted  found  proven  undecided",
        "acme-hires    0.250    0.250       6      3       1          1",
        "b             0.750    0.750       1      1       1          0",
        "c           unscored: nothing recorded for https://c.example/",
        "soft F1 0.500, hard F1 0.500, 2 of 3 scored, incomplete",
        "INCOMPLETE 1 undecided: not_recorded 1; record the pages with --wandr-record=new",
        "FAILED 1 of 3 tasks could not be scored",
    ]


def test_no_score_is_said_to_be_none(project):
    project.task("a", error="nothing")
    project.run().stdout.fnmatch_lines(["no score, 0 of 1 scored"])


def test_quiet_runs_keep_the_headline(project):
    project.task("t1")
    result = project.run("-q")
    result.stdout.fnmatch_lines(["soft F1 1.000, hard F1 1.000, 1 of 1 scored"])
    result.stdout.no_fnmatch_line("task *soft F1*")
    result.stdout.no_fnmatch_line("t1 *")


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ([], None),
        (["--wandr-paths=none"], None),
        (["-v"], ["unproven", "undecided", "missing", "unproven"]),
        (["--wandr-paths=failed"], ["unproven", "undecided", "missing", "unproven"]),
        (["--wandr-paths=all"], ["proven", "unproven", "undecided", "missing", "unproven"]),
        (["--wandr-paths=all", "--wandr-paths-max=1"], ["proven", "..."]),
        (["--wandr-paths=failed", "--wandr-paths-max=1"], ["unproven", "..."]),
        (["--wandr-paths=failed", "--wandr-paths-max=0"], ["unproven", "undecided", "missing", "unproven"]),
        (["-v", "--wandr-paths=none"], None),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_paths_are_listed_as_asked_under_their_counts(project, args, expected):
    project.task("t1", paths=PATHS)
    lines = summary(project.run(*args))
    if expected is None:
        assert not [line for line in lines if line.startswith("  ")]
        return
    start = lines.index("t1: 6 wanted, 3 found, 1 proven, 1 undecided")
    listed = [line.split()[0] for line in lines[start + 1 :] if re.match("  [a-z.]", line)]
    assert listed == expected


def test_what_is_left_out_is_counted_by_slots(project):
    project.task("t1", paths=PATHS)
    result = project.run("--wandr-paths=failed", "--wandr-paths-max=2")
    result.stdout.fnmatch_lines(["  ... and 4 more (--wandr-paths-max=0 lists all)"])


def test_path_lines_say_which_part_failed_and_why(project):
    project.task("t1", paths=PATHS)
    project.run("--wandr-paths=failed").stdout.fnmatch_lines(
        [
            "  unproven   birch > https://birch.example/",
            "             overall_valid: not a company",
            "  undecided  cedar > https://cedar.example/",
            "             page_content_usable: nothing recorded",
            "  missing    (missing) > https://(missing).example/ x 3",
            "  unproven   dune > https://dune.example/ (surplus)",
            "             excerpts_faithful: no",
        ]
    )


@pytest.mark.parametrize("args", [["--wandr-paths=all"], ["--wandr-strict"], ["-rA"], ["--tb=no"]])
def test_untrusted_text_cannot_act_on_the_terminal(project, args):
    paths = [a_path(NASTY, "unproven", part="overall_valid", reason=NASTY)]
    project.task("t1", paths=paths, undecided={"not_recorded": 1})
    project.task("t2", error=NASTY)
    text = project.run("--color=no", *args).stdout.str()
    assert not set(text) & set("\x1b\x07\r\u202e")
    assert not [line for line in text.split("\n") if line.startswith("==== 9 passed")]


def test_lone_surrogates_and_emoji_survive(project):
    project.task("t1", paths=[a_path("caf\udce9 🏢 株式会社", "unproven", reason="\ud800")])
    result = project.run("--wandr-paths=all")
    assert result.ret == 0
    assert "\\udce9" in result.stdout.str()


@pytest.mark.parametrize("width", [1, 10, 40, 60, 80, 200])
def test_any_width_of_terminal_will_do(project, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    name = "a-very-long-task-id-" * 5 + "the-end"
    project.task(name, paths=PATHS)
    project.task("t2", error="a long reason " * 20)
    result = project.run("--wandr-paths=all", "--tb=no", "-rN")
    assert result.ret == 1
    if width >= 40:
        lines = summary(result)
        tables = [line for line in lines if "unscored:" in line or "0.000" in line]
        assert all(len(line) <= width for line in tables)
        assert project.scores()["tasks"][0]["task_id"] == name


def test_unproven_tasks_below_their_gate_are_red_and_incomplete_ones_yellow(project):
    project.task("t1", more="[gate]\nsoft_f1_full = 0.5", f1=0.25)
    project.task("t2", paths=[a_path("a", "undecided")], undecided={"low_confidence": 1})
    text = project.run("--color=yes").stdout.str()
    assert "\x1b[31mt1 " in text
    assert "\x1b[33mt2 " in text
    assert "low_confidence 1\x1b" in text


def test_the_header_names_who_is_tested(project):
    project.task("t1")
    project.ini("testpaths = tests")
    (project.path / "tests").mkdir()
    result = project.run()
    result.stdout.fnmatch_lines(["wandr: mine, judge rules, record none"])
    result.stdout.no_fnmatch_line("testpaths: *")
