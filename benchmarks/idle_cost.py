"""What does the plugin cost a pytest run that does not use it? CPU side by side, and sockets.

    python benchmarks/idle_cost.py [--quick] [--json]

Runs the same trivial test with the plugin loaded but unused and without it, in turn, and prints the
difference in CPU milliseconds (user and system, all of it) and what the plugin alone did with sockets.
Target: at most 20 ms, no socket.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

WATCHED = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(event) if event.startswith("socket.") else None)
import pytest
pytest.main(sys.argv[1:])
print("sockets", len(opened))
"""


def cpu_ms(command: list[str], folder: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "test_one.py").write_text("def test_one():\n    assert 1\n")
        pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        used = [*pytest, "-p", "pytest_wandr.plugin"]
        pairs = [(cpu_ms(used, folder), cpu_ms(pytest, folder)) for _ in range(5 if options.quick else 31)]
        watched = [sys.executable, "-c", WATCHED, "-q", "-p", "no:cacheprovider", "-p", "pytest_wandr.plugin"]
        done = subprocess.run(watched, cwd=folder, capture_output=True, text=True, check=True)
    sockets = int(done.stdout.rpartition("sockets ")[2])
    with_ms, without_ms = (statistics.median(column) for column in zip(*pairs, strict=True))
    added = statistics.median(a - b for a, b in pairs)
    result = {
        "with_ms": with_ms,
        "without_ms": without_ms,
        "added_ms": added,
        "sockets": sockets,
        "pairs": len(pairs),
    }
    if options.json:
        print(json.dumps(result))
        return
    print(f"{'':28}{'CPU ms (median)':>18}")
    print(f"{'pytest alone':28}{without_ms:18.1f}")
    print(f"{'pytest, plugin unused':28}{with_ms:18.1f}")
    print(f"{'added (median of pairs)':28}{added:18.1f}    target <= 20")
    print(f"{'socket events':28}{sockets:18}    target 0")


if __name__ == "__main__":
    main()
