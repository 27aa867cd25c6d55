"""Being installed costs nothing: without --wandr-system the plugin does nothing at all."""

import subprocess
import sys

import pytest

HEAVY = ("pydantic", "httpx", "parsel", "lxml", "vcr", "rapidfuzz", "anyascii", "asyncio")
OURS = ("errors", "hookspecs", "options", "plugin")


def test_importing_the_plugin_loads_nothing_heavy():
    code = (
        "import sys, pytest; before = set(sys.modules); import pytest_wandr.plugin; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "pytest_wandr" in loaded
    assert not loaded & set(HEAVY)


def test_a_run_without_a_system_loads_nothing_heavy_and_leaves_tasks_closed(project):
    project.task("t1")
    project.conftest(
        "import sys\n"
        "opened = []\n"
        "def watch(event, args):\n"
        "    if event == 'open' and '/tasks/' in str(args[0]):\n"
        "        opened.append(args[0])\n"
        "sys.addaudithook(watch)\n"
        "def pytest_unconfigure():\n"
        "    print('opened', opened)\n"
        f"    print('heavy', {set(HEAVY)!r} & set(sys.modules))\n"
        "    print('ours', *sorted(name for name in sys.modules if name.startswith('pytest_wandr')))\n"
    )
    project.pytester.makepyfile("def test_a(): pass")
    result = project.run_apart("-s", "-p", "no:anyio", system=None)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines_random(
        [
            "opened []",
            "heavy set()",
            "ours pytest_wandr " + " ".join(f"pytest_wandr.{name}" for name in OURS),
        ]
    )


def test_an_ordinary_suite_runs_the_same_with_and_without_the_plugin(project):
    project.pytester.makepyfile("def test_a(): pass\ndef test_b(): assert 0")
    project.conftest("")
    project.task("t1")
    with_plugin = project.run(system=None)
    without = project.pytester.runpytest_inprocess("-p", "no:asyncio")
    assert with_plugin.parseoutcomes() == without.parseoutcomes() == {"passed": 1, "failed": 1}
    assert not project.out().exists()


def test_an_empty_system_on_the_command_line_switches_the_ini_file_off(project):
    project.ini("wandr_system = mine")
    project.task("t1")
    project.pytester.makepyfile("def test_a(): pass")
    project.run("--wandr-system=", system=None).assert_outcomes(passed=1)
    assert not project.out().exists()


def test_the_marker_is_registered_only_in_a_run_with_a_system(project):
    project.task("t1")
    project.run("--strict-markers", "-m", "wandr").assert_outcomes(passed=1)
    project.run("--markers").stdout.fnmatch_lines(["@pytest.mark.wandr:*"])
    project.run("--markers", system=None).stdout.no_fnmatch_line("@pytest.mark.wandr:*")


@pytest.mark.parametrize("option", ["--help", "--fixtures", "--markers"])
def test_asking_for_help_needs_no_tasks(project, option):
    assert project.run(option, system=None).ret == 0
