"""With a system, task packages and nothing else are collected, in every form of the command line."""

import pytest


def ids(result):
    return [line for line in result.outlines if line.endswith("::wandr")]


@pytest.fixture
def two(project):
    project.task("t1")
    project.task("t2")
    return project


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ([], ["t1", "t2"]),
        (["tasks"], ["t1", "t2"]),
        (["."], ["t1", "t2"]),
        (["tasks/t1"], ["t1"]),
        (["tasks/t1/"], ["t1"]),
        (["tasks/t1/task.toml"], ["t1"]),
        (["tasks/t1/task.toml::wandr"], ["t1"]),
        (["tasks/t1", "tasks/t1/task.toml::wandr"], ["t1"]),
        (["tasks/t2", "tasks/t1"], ["t2", "t1"]),
        (["-k", "t2"], ["t2"]),
        (["-k", "not t2"], ["t1"]),
        (["tasks", "--deselect", "tasks/t1/task.toml::wandr"], ["t2"]),
        (["--ignore", "tasks/t2"], ["t1"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_every_form_of_the_command_line_selects_what_it_names(two, args, expected):
    result = two.run("--co", "-q", *args)
    assert ids(result) == [f"tasks/{name}/task.toml::wandr" for name in expected]
    assert result.ret == 0


def test_started_inside_a_package_its_folder_is_found(two, monkeypatch):
    monkeypatch.chdir(two.path / "tasks" / "t2")
    result = two.run("--co", "-q", "--rootdir", two.path, "-c", two.path / "tox.ini", ".")
    assert ids(result) == ["tasks/t2/task.toml::wandr"]


def test_printed_ids_can_be_pasted_back(two):
    for nodeid in ids(two.run("--co", "-q")):
        two.run(nodeid).assert_outcomes(passed=1)


def test_nothing_inside_a_package_is_collected(project):
    place = project.task("t1")
    (place / "test_stray.py").write_text("def test_stray(): raise SystemExit('collected')\n")
    (place / "conf" / "inner").mkdir(parents=True)
    (place / "conf" / "inner" / "task.toml").write_text("")
    project.run().assert_outcomes(passed=1)
    inner = project.run("tasks/t1/test_stray.py")
    assert inner.ret == pytest.ExitCode.USAGE_ERROR
    inner.stderr.fnmatch_lines(["ERROR: not found: *"])


def test_ordinary_tests_are_left_alone_even_when_testpaths_name_them(two):
    two.ini("testpaths = tests")
    tests = two.path / "tests"
    tests.mkdir()
    (tests / "test_unit.py").write_text("raise SystemExit('collected')\n")
    (tests / "test_words.txt").write_text(">>> 1\n2\n")
    two.run().assert_outcomes(passed=2)
    two.run("tasks", "tests").assert_outcomes(passed=2)
    two.run("--doctest-glob=*.txt", ".").assert_outcomes(passed=2)


def test_ordinary_tests_still_run_without_a_system(two):
    two.ini("testpaths = tests")
    (two.path / "tests").mkdir()
    (two.path / "tests" / "test_unit.py").write_text("def test_a(): pass\n")
    two.run(system=None).assert_outcomes(passed=1)


def test_a_test_file_named_on_the_command_line_is_refused(two):
    (two.path / "test_unit.py").write_text("def test_a(): pass\n")
    result = two.run("test_unit.py")
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_folders_come_from_the_ini_file(project):
    project.task("t1", folder="bench/easy")
    project.task("t2", folder="bench/hard")
    project.task("t3", folder="other")
    project.ini("wandr_tasks = bench/easy bench/hard")
    assert len(ids(project.run("--co", "-q"))) == 2


def test_the_ini_folder_is_found_from_a_folder_below(two, monkeypatch):
    (two.path / "src").mkdir()
    monkeypatch.chdir(two.path / "src")
    two.run().assert_outcomes(passed=2)


def test_folders_with_an_init_file_are_not_imported(project):
    project.task("t1")
    (project.path / "tasks" / "__init__.py").write_text("raise SystemExit('imported')\n")
    project.run().assert_outcomes(passed=1)


def test_a_missing_folder_is_a_usage_error(project):
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: no folder of task packages at *tasks; name one *wandr_tasks*"])


def test_a_folder_without_packages_is_a_usage_error(project):
    (project.path / "tasks").mkdir()
    result = project.run("tasks")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: no task packages (folders with a task.toml) under tasks; *"])


def test_deselecting_every_task_is_no_usage_error(two):
    result = two.run("-k", "nothing")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert not two.out().exists()


def test_a_broken_conftest_is_reported_as_such(two):
    two.conftest("raise ValueError('broken')", "tasks/t1")
    stopped = two.run()
    stopped.assert_outcomes(errors=1)
    stopped.stdout.fnmatch_lines(["*ValueError: broken*"])
    two.run("--continue-on-collection-errors").assert_outcomes(passed=1, errors=1)


def test_collect_only_runs_and_writes_nothing(two):
    result = two.run("--co")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*<TaskPackage t1>", "*<TaskManifest task.toml>", "*<TaskItem wandr>"])
    result.stdout.no_fnmatch_line("*scored*")
    assert not two.out().exists()


@pytest.mark.parametrize("option", ["--setup-only", "--setup-plan"])
def test_what_runs_no_task_scores_none(two, option):
    result = two.run(option)
    result.stdout.no_fnmatch_line("*scored*")
    assert not two.out().exists()


def test_two_packages_with_one_id_are_both_errors_that_name_each_other(project):
    project.task("same", folder="tasks/easy")
    project.task("same", folder="tasks/hard")
    project.task("t3")
    result = project.run()
    result.assert_outcomes(passed=1, errors=2)
    result.stdout.fnmatch_lines(["same: two task packages have the id 'same': *hard*easy*"])
    assert [task["task_id"] for task in project.scores()["unscored"]] == ["same", "same"]


def test_last_failed_runs_exactly_the_failed_task_again(project):
    project.task("t1")
    project.task("t2", more="[gate]\nsoft_f1_full = 0.5", f1=0.25)
    project.task("t3")
    project.run().assert_outcomes(passed=2, failed=1)
    for _ in range(2):
        again = project.run("--lf", "-v")
        again.assert_outcomes(failed=1)
        again.stdout.fnmatch_lines(["tasks/t2/task.toml::wandr FAILED*"])
