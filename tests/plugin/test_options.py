"""Every option has an ini twin; the command line wins; what makes no sense is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_wandr.options import Floor, Settings, folder_name
from pytest_wandr.reports.shards import Shard


@pytest.fixture
def read(project):
    """Settings as an inner run would read them."""

    def settings(*args, ini=(), system="mine"):
        project.ini(*ini)
        config = project.pytester.parseconfig(*project.args(*args, system=system))
        return Settings.from_config(config)

    return settings


def test_defaults(read, project):
    assert read() == Settings(
        system="mine",
        judge="rules",
        record="none",
        paths="none",
        paths_max=10,
        strict=False,
        floors=(),
        out=project.path / ".wandr" / "mine",
        effort=None,
        deadline=None,
        cassettes=project.path / "cassettes",
        tasks=(project.path / "tasks",),
    )


@pytest.mark.parametrize(
    ("option", "ini", "field", "expected"),
    [
        (["--wandr-judge=llm"], ["wandr_judge = llm"], "judge", "llm"),
        (["--wandr-record=new"], ["wandr_record = new"], "record", "new"),
        (["--wandr-paths=all"], ["wandr_paths = all"], "paths", "all"),
        (["--wandr-paths-max=3"], ["wandr_paths_max = 3"], "paths_max", 3),
        (["--wandr-strict"], ["wandr_strict = true"], "strict", True),
        (
            ["--wandr-fail-under=soft_f1_full:0.4", "--wandr-fail-under", "hard_f1_full:.1"],
            ["wandr_fail_under = soft_f1_full:0.4", "    hard_f1_full : .1"],
            "floors",
            (Floor("soft_f1_full", 0.4), Floor("hard_f1_full", 0.1)),
        ),
        (["--wandr-resume"], ["wandr_resume = true"], "resume", True),
        (["--wandr-shard=2/8"], ["wandr_shard = 2/8"], "shard", Shard(2, 8)),
        (["--wandr-effort=high"], ["wandr_effort = high"], "effort", "high"),
        (["--wandr-deadline=1.5"], ["wandr_deadline = 1.5"], "deadline", 1.5),
    ],
    ids=lambda value: str(value[0]) if isinstance(value, list) else None,
)
def test_each_option_and_its_ini_twin_mean_the_same(read, option, ini, field, expected):
    assert getattr(read(*option), field) == expected
    assert getattr(read(ini=ini), field) == expected


def test_the_system_may_come_from_the_ini_file(read):
    assert read(ini=["wandr_system = theirs"], system=None).system == "theirs"
    assert read(ini=["wandr_system = theirs"]).system == "mine"


def test_the_command_line_wins(read):
    ini = ["wandr_record = all", "wandr_paths_max = 3", "wandr_deadline = 5"]
    settings = read("--wandr-record=none", "--wandr-paths-max=0", "--wandr-deadline=2", ini=ini)
    assert (settings.record, settings.paths_max, settings.deadline) == ("none", 0, 2.0)


def test_paths_are_shown_with_v_unless_told_otherwise(read):
    assert read("-v").paths == "failed"
    assert read("-v", "--wandr-paths=none").paths == "none"
    assert read("-q").paths == "none"


@pytest.mark.parametrize("name", ["out", "cassettes"])
def test_folders_are_relative_to_where_they_were_named(project, monkeypatch, name):
    below = project.path / "below"
    below.mkdir()
    project.ini(f"wandr_{name} = from_ini")
    monkeypatch.chdir(below)
    rooted = ("-c", str(project.path / "tox.ini"))

    def folder(*args):
        config = project.pytester.parseconfig(*project.args(*rooted, *args))
        return getattr(Settings.from_config(config), name)

    assert folder() == project.path / "from_ini"
    assert folder(f"--wandr-{name}=from_line") == below / "from_line"
    assert folder(f"--wandr-{name}=/abs") == Path("/abs")


@pytest.mark.parametrize(
    ("args", "ini", "message"),
    [
        ([], "wandr_record = some", "*wandr_record in tox.ini: 'some' is not one of none, new, retry, all"),
        ([], "wandr_paths = most", "*wandr_paths in tox.ini: 'most' is not one of none, failed, all"),
        ([], "wandr_fail_under = x:1", "*wandr_fail_under in tox.ini: there is no reward 'x'*"),
        (["--wandr-shard=9/8"], "", "*--wandr-shard: '9/8' is no shard, as 2/8 is: the second of eight"),
        (["--wandr-paths-max=-1"], "", "*--wandr-paths-max: '-1' is not a whole number from 0 up"),
        (["--wandr-paths-max=many"], "", "*'many' is not a whole number*"),
        (["--wandr-deadline=0"], "", "*--wandr-deadline: '0' is not a number above 0"),
        (["--wandr-deadline=soon"], "", "*'soon' is not a number above 0"),
        (["--wandr-deadline=inf"], "", "*'inf' is not a number above 0"),
    ],
)
def test_values_that_make_no_sense_are_usage_errors_that_name_their_source(project, args, ini, message):
    project.ini(ini)
    project.task("t1")
    result = project.run(*args)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([message])


def test_choices_are_checked_by_the_command_line(project):
    result = project.run("--wandr-record=some")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--wandr-record: invalid choice: 'some'*"])


def test_every_option_is_documented_in_help(project):
    text = project.run("--help", system=None).stdout.str()
    for name in (
        "system", "judge", "record", "paths", "paths-max", "strict", "fail-under", "out", "effort",
        "deadline", "cassettes",
    ):  # fmt: skip
        assert f"--wandr-{name}" in text
        assert f"wandr_{name.replace('-', '_')} (" in text
    assert "wandr_tasks (paths)" in text


@pytest.mark.parametrize("name", ["mine", "my.agent-2", "A_b"])
def test_a_plain_system_name_is_its_folder(name):
    assert folder_name(name) == name


@pytest.mark.parametrize(
    "name", ["a/b", "../../etc", "..", ".", "cmd:python agent.py --x", "a" * 300, "ünï", " ", "-rf", "\udc80"]
)
def test_any_other_name_becomes_one_safe_folder(name):
    folder = folder_name(name)
    assert folder.strip(".")
    assert not set(folder) & set("/\\: \0")
    assert not folder.startswith(("-", "."))
    assert len(folder) < 80


@given(st.text(min_size=1), st.text(min_size=1))
def test_different_systems_never_share_a_folder(one, other):
    assert (folder_name(one) == folder_name(other)) == (one == other)
