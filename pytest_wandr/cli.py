"""What can be done outside a test run? The console script `wandr`.

wandr check [PATH ...]          are these task packages sound? every problem, with file and line
wandr cassette ls PATH ...      what was recorded, one line a url, and who judged how much
wandr cassette check PATH ...   are recordings and verdicts whole, and free of secrets?
wandr cassette fold PATH ...    merge what interrupted recordings left behind
wandr cassette gc PATH ...      remove bodies that nothing refers to, verdicts that can never apply again
wandr cassette pack PATH ...    one sealed file beside each recording, with its verdicts
wandr cassette unpack PATH ...  the folder of a sealed file
wandr merge OUT SHARD ...       one run of the output folders of all shards (--wandr-shard)
wandr estimate [PATH ...]       what would a model judge cost on these tasks?
wandr audit PATH ...            is a judge good enough for these tasks?
wandr sealed serve              serve the sealed web on loopback
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_wandr import __version__
from pytest_wandr.errors import WandrError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


_CASSETTE = {
    "ls": "what was recorded, and who judged how much",
    "check": "is it whole, free of secrets, and do its verdicts apply?",
    "fold": "merge what interrupted recordings left behind",
    "gc": "remove bodies that nothing refers to, and verdicts that can never apply again",
    "pack": "make one sealed file of it: pages and verdicts",
    "unpack": "make a folder of the sealed file again",
}
_TASKS = "where the task packages are: by what they ask for now, verdicts apply or do not (default: tasks)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Exit status 0: fine; 1: problems were found; 2: the command makes no sense."""
    options = _parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = options.run
    try:
        return run(options)
    except WandrError as error:
        print(error, file=sys.stderr)  # noqa: T201 -- a command's output
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="wandr", description="Everything around pytest-wandr's test runs.")
    parser.add_argument("--version", action="version", version=f"pytest-wandr {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check = commands.add_parser("check", help="are these task packages sound?")
    check.add_argument("paths", nargs="*", type=Path, default=[Path("tasks")], metavar="PATH")
    check.set_defaults(run=_check)
    cassette = commands.add_parser("cassette", help="look after recorded pages and verdicts")
    actions = cassette.add_subparsers(required=True, metavar="ACTION")
    for name, help_ in _CASSETTE.items():
        one = actions.add_parser(name, help=help_)
        one.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="the recording of one task")
        one.set_defaults(run=_cassette, action=name)
        if name in {"check", "gc"}:
            one.add_argument("--tasks", type=Path, default=Path("tasks"), metavar="FOLDER", help=_TASKS)
        if name == "gc":
            one.add_argument("--dry-run", action="store_true", help="only say what would be removed")
    merge = commands.add_parser("merge", help="make one run of the shards of a run")
    merge.add_argument("out", type=Path, metavar="OUT", help="a new folder")
    merge.add_argument(
        "shards", nargs="+", type=Path, metavar="SHARD", help="output folders with a shard.json"
    )
    merge.add_argument(
        "--fail-under", action="append", default=[], metavar="METRIC:VALUE", help="as in a test run"
    )
    merge.set_defaults(run=_merge)
    _add_authoring(commands)
    sealed = commands.add_parser("sealed", help="the sealed web").add_subparsers(
        required=True, metavar="ACTION"
    )
    serve = sealed.add_parser("serve", help="serve it on a free loopback port until interrupted")
    serve.set_defaults(run=_serve)
    return parser


def _add_authoring(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    estimate = commands.add_parser("estimate", help="what would a model judge cost?")
    estimate.add_argument("paths", nargs="*", type=Path, default=[Path("tasks")], metavar="PATH")
    estimate.add_argument(
        "--results",
        type=Path,
        metavar="DIR",
        help="delivered results: the output folder of a run, or a folder of results files per task",
    )
    estimate.set_defaults(run=_estimate)
    audit = commands.add_parser("audit", help="is a judge good enough for these tasks?")
    audit.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    audit.add_argument("--mutations", type=_whole, default=20, metavar="N", help="of each kind (default 20)")
    audit.add_argument("--repeats", type=_whole, default=3, metavar="N", help="per record (default 3)")
    audit.add_argument(
        "--threshold", type=_share, default=0.9, metavar="SHARE", help="fail below this (default 0.9)"
    )
    audit.add_argument("--budget", default="", metavar="BUDGET", help="as --wandr-budget of a test run")
    audit.set_defaults(run=_audit)
    for command in (estimate, audit):
        command.add_argument("--judge", default="llm", metavar="NAME", help="as --wandr-judge (default llm)")
        command.add_argument(
            "--cassettes", type=Path, default=Path("cassettes"), metavar="DIR", help="default: cassettes"
        )


def _whole(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1 up")
    return number


def _share(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 to 1")
    return number


def _estimate(options: argparse.Namespace) -> int:
    """Count; nobody is asked."""
    import asyncio

    from pytest_wandr.authoring.estimate import delivered_to, estimate, plan_of
    from pytest_wandr.reports.authoring import estimate_lines

    plan = plan_of(Path.cwd(), options.judge, options.cassettes)
    folders = list(_packages(options.paths))
    counted = [
        asyncio.run(estimate(folder, plan, options.results and delivered_to(folder, options.results)))
        for folder in folders
    ]
    for line in estimate_lines(counted, priced=plan.priced):
        _say(line)
    return 0


def _audit(options: argparse.Namespace) -> int:
    """Judge what is known; exit status 1 below the threshold."""
    import asyncio

    from pytest_wandr.authoring.run import audit_all
    from pytest_wandr.reports.authoring import audit_lines, spent_line

    audits, spent = asyncio.run(
        audit_all(
            list(_packages(options.paths)),
            options.judge,
            cassettes=options.cassettes,
            budget=options.budget,
            mutations=options.mutations,
            repeats=options.repeats,
        )
    )
    for audited in audits:
        for line in audit_lines(audited, threshold=options.threshold):
            _say(line)
    if spent is not None:
        _say(spent_line(spent))
    return 1 if any(audited.below(options.threshold) for audited in audits) else 0


def _check(options: argparse.Namespace) -> int:
    """Load every package; print all problems of all of them."""
    from pytest_wandr.judges.rules import undecidable
    from pytest_wandr.task import load_fixtures, load_task
    from pytest_wandr.task.loading import require_instruction

    failed = 0
    folders = list(_packages(options.paths))
    for folder in folders:
        try:
            task = load_task(folder)
            require_instruction(folder, task)
            fixtures = load_fixtures(folder, task)
        except WandrError as error:
            failed += 1
            _say(str(error))
        else:
            asked = f"{task.required_records} records in {len(task.nodes)} nodes"
            _say(f"{folder}: {asked}, {len(fixtures)} fixtures")
            if needs_judge := undecidable(task):
                _say(
                    f"{folder}: no check decides {', '.join(needs_judge)}; the judge `rules` leaves it open, "
                    "--wandr-judge=llm asks a model (docs/how-to/judge.md)"
                )
    _say(f"{len(folders) - failed} of {len(folders)} task packages are sound")
    return 1 if failed or not folders else 0


def _merge(options: argparse.Namespace) -> int:
    """Merge; then the floors decide the exit status, as at the end of a run."""
    from pytest_wandr.options import floor_of
    from pytest_wandr.reports.gate import check_floors
    from pytest_wandr.reports.merge import merge
    from pytest_wandr.reports.terminal import headline_line, verdict_lines

    floors = [floor_of(text, "--fail-under") for text in options.fail_under]
    report = merge(options.out, options.shards)
    gates = check_floors(report.headline, floors)
    for line in (headline_line(report), *verdict_lines(report, gates)):
        _say(line.text)
    return 0 if not report.unscored and all(gate.passed for gate in gates) else 1


def _packages(paths: Sequence[Path]) -> Iterator[Path]:
    from pytest_wandr.task import is_task_folder

    for path in paths:
        found = [path] if is_task_folder(path) else sorted(filter(is_task_folder, path.glob("*")))
        if not found:
            raise WandrError(f"{path} is no task package (a folder with a task.toml) and holds none")
        yield from found


def _cassette(options: argparse.Namespace) -> int:
    from pytest_wandr.upkeep import run

    return run(options)


def _serve(_: argparse.Namespace) -> int:
    import asyncio

    from pytest_wandr.sealed import open_web
    from pytest_wandr.sealed.serve import serving

    async def forever() -> None:
        web = open_web()
        async with serving(web) as port:
            _say(f"{len(web.hosts)} invented hosts on 127.0.0.1:{port}; choose one with the Host header")
            for host in sorted(web.hosts):
                _say(f"  curl -H 'Host: {host}' http://127.0.0.1:{port}/")
            await asyncio.Event().wait()

    try:
        asyncio.run(forever())
    except KeyboardInterrupt:
        return 0
    return 0


def _say(text: str) -> None:
    print(text)  # noqa: T201 -- a command's output
