#!/usr/bin/env python3
"""Run the README's commands as printed, each in a fresh clone: what a newcomer would see.

tools/readme_commands.py                 print the commands
tools/readme_commands.py --run CLONE     run each in a copy of that clone, in the order of the page
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    """The lines after a prompt in all console blocks."""
    return [line[2:] for block in _BLOCK.findall(text) for line in block.split("\n") if line.startswith("$ ")]


def main(arguments: list[str]) -> int:
    lines = commands(README.read_text(encoding="utf-8"))
    if arguments[:1] != ["--run"]:
        print("\n".join(lines))
        return 0
    for line in lines:
        with tempfile.TemporaryDirectory() as scratch:
            clone = Path(scratch, "pytest-wandr")
            shutil.copytree(arguments[1], clone)
            print(f"$ {line}", flush=True)
            started = time.monotonic()
            done = subprocess.run(["bash", "-c", line], cwd=clone, check=False)
            print(f"exit status {done.returncode} after {time.monotonic() - started:.0f} s", flush=True)
            if done.returncode not in {0, 1} or (done.returncode and "--wandr-system" not in line):
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
