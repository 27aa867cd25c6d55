"""Make `tasks/` and `cassettes/` again from the sealed web, byte-equal each time.

    python tools/build_demo.py [--into FOLDER]

What is there of the eight demo tasks is removed first; verdicts beside a recording stay.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from pytest_wandr.sealed import open_web
from pytest_wandr.sealed.tasks import demo_ids, write_demo


def main() -> None:
    """Write everything below a folder, by default the repository."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", type=Path, default=Path(__file__).parents[1])
    root = parser.parse_args().into
    web = open_web("demo-1")
    for task_id in demo_ids(web):
        shutil.rmtree(root / "tasks" / task_id, ignore_errors=True)
        shutil.rmtree(root / "cassettes" / task_id / "blobs", ignore_errors=True)
        (root / "cassettes" / task_id / "index.jsonl").unlink(missing_ok=True)
    for task_id in write_demo(web, root / "tasks", root / "cassettes"):
        print(task_id)


if __name__ == "__main__":
    main()
