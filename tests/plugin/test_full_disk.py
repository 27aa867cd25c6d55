"""A full disk: an error that names the file, nothing half-written, and a run that can be continued."""

import json
import resource
import shutil
import subprocess
import sys

import pytest

from benchmarks import kill_soak


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return kill_soak.undisturbed(tmp_path_factory.mktemp("disk") / "undisturbed")


@pytest.fixture
def project(tmp_path):
    return kill_soak.build(tmp_path / "project")


def run(project, *args, limit=None, wrap=()):
    """One run; no file may grow beyond `limit` bytes, as if the disk were full then."""

    def limited():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    command = [sys.executable, "-m", "pytest", *kill_soak._plugin(), "-n0", "--wandr-system=mine"]
    done = subprocess.run(
        [*wrap, *command, "--wandr-judge=asked", "--wandr-record=new", *args],
        cwd=project.folder, env=unmeasured(kill_soak._environment({})), preexec_fn=limited,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def unmeasured(environment):
    """Coverage would fail to write its data within the limit, and say so."""
    return {name: value for name, value in environment.items() if not name.startswith("COVERAGE_")}


def assert_whole(folder):
    """Every file is all of what it should be: nothing torn, nothing left over."""
    for path in folder.rglob("*"):
        assert not path.name.endswith(".tmp"), path
        if path.suffix == ".json":
            json.loads(path.read_bytes())
        elif path.suffix == ".jsonl" and "submission" not in path.parent.name:
            *lines, rest = path.read_bytes().split(b"\n")
            assert rest == b""
            for line in lines:
                json.loads(line)


def sizes(expected, ending):
    return sorted(len(body) for name, body in expected.items() if name.endswith(ending))


NAMES = ["results_main.jsonl", "solved.json", "amber/verdicts.jsonl", "reward.json", "complete.json"]


@pytest.mark.parametrize("ending", [*NAMES, "scores.json", "summary.md"])
def test_whatever_file_does_not_fit_is_named_and_the_run_can_be_continued(project, expected, ending):
    limit = sizes(expected, ending)[0] - 1
    status, said = run(project, limit=limit)
    assert status == pytest.ExitCode.TESTS_FAILED
    assert "cannot be written: File too large" in said
    assert "Make room, then go on with --wandr-resume" in said
    assert "INTERNALERROR" not in said
    assert "Traceback" not in said
    assert_whole(project.out)
    assert_whole(project.folder / "cassettes")
    status, said = run(project, "--wandr-resume")
    assert status == 0, said
    project.compare(expected)
    assert project.differences == []


def test_when_only_the_sum_does_not_fit_the_tasks_are_kept(project, expected):
    limit = sizes(expected, "scores.json")[0] - 1
    others = [len(body) for name, body in expected.items() if not name.endswith("scores.json")]
    assert max(others) <= limit, "this test needs a project whose largest file is scores.json"
    status, said = run(project, limit=limit)
    assert status == pytest.ExitCode.TESTS_FAILED
    assert "ERROR: " in said
    assert "scores.json cannot be written" in said
    assert not (project.out / "scores.json").exists()
    assert all((project.out / task / "complete.json").exists() for task in kill_soak.TASKS)


def test_where_not_even_the_run_can_begin_it_does_not(project):
    status, said = run(project, limit=3)
    assert status == pytest.ExitCode.USAGE_ERROR
    assert "cannot be written: File too large" in said
    assert "Traceback" not in said


UNSHARE = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]


def test_on_a_file_system_that_is_full(project, expected):
    """A real one, of 64 KB, where the system lets us mount it."""
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare here")
    project.out.mkdir(parents=True)
    mount = f"mount -t tmpfs -o size=64k tmpfs {project.out}"
    if subprocess.run([*UNSHARE, mount], capture_output=True, check=False).returncode:
        pytest.skip("no file system may be mounted here")
    fill = f"head -c 40000 /dev/zero > {project.out}/ballast"
    keep = f"rm {project.out}/ballast; cp -r {project.out} {project.folder}/kept"
    wrap = [*UNSHARE, f'{mount} && {fill} && "$@"; status=$?; {keep}; exit $status', "sh"]
    status, said = run(project, wrap=wrap)
    assert status in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.USAGE_ERROR)
    assert "cannot be written: No space left on device" in said
    assert "Traceback" not in said
    assert "INTERNALERROR" not in said
    assert_whole(project.folder / "kept")
    assert run(project, "--wandr-resume")[0] == 0
