"""The small project that `kill_soak` kills: its tasks, agent and judge, and a slow server for its pages."""

from __future__ import annotations

import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SYSTEM, JUDGE = "mine", "asked"
TASKS = ("amber", "birch", "cedar")
COMPANIES = ("Acme Rivets", "Birch Looms", "Cedar Mills")
MANIFEST = """
schema_version = "1"
id = "{id}"
[[nodes]]
name = "main"
keys = [{{ name = "company", kind = "company", required = 4 }}, {{ name = "url", required = 1 }}]
[[nodes.requirements]]
id = "names"
text = "The page names the company."
check = {{ mentions = ["company"] }}
decisive = true
[[nodes.requirements]]
id = "friendly"
text = "The page speaks well of the company."
"""
PAGE = (
    "<!doctype html><html lang=en><title>{0}</title><h1>{0}</h1><p>{0} makes good things in Lower Fenwick, \
and it has employed forty people there since it was founded by two sisters."
)
CONFTEST = '''
import json, os, signal, sys, threading
from pathlib import Path

HERE = Path(__file__).parent
COMPANIES = {companies!r}
PORT = int(os.environ.get("SOAK_PORT") or 0)
CHANGES = {{"os.rename", "os.remove", "os.rmdir", "os.mkdir"}}


def log(kind, what):
    handle = os.open(HERE / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(handle, f"{{kind}} {{what}}\\n".encode())
    os.close(handle)


class Killer:
    """Dies before the n-th change of a file in this project, or half-way through writing it.

    Only files whose name has the word count. Or it dies some milliseconds after the n-th connection.
    """

    def __init__(self, left, how, word):
        self.left, self.how, self.word, self.busy = left, how, word, False

    def __call__(self, event, args):
        if self.busy or not self.changes(event, args):
            return
        self.left -= 1
        if self.left == 0:
            self.busy = True
            if event == "open" and self.how == "torn":
                Path(args[0]).write_bytes(b'{{"key":"torn')
            if event == "socket.connect":
                threading.Timer(int(self.how.removeprefix("fetch")) / 1000, self.die).start()
            else:
                self.die()

    def die(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def changes(self, event, args):
        if self.how.startswith("fetch"):
            return event == "socket.connect" and args[1][1] == PORT
        if event != "open" and event not in CHANGES:
            return False
        path = os.fspath(args[0]) if isinstance(args[0], (str, bytes, os.PathLike)) else ""
        if not str(path).startswith(str(HERE)) or str(path).endswith("log") or self.word not in str(path):
            return False
        return event != "open" or bool(args[2] & (os.O_WRONLY | os.O_RDWR))


def pytest_configure(config):
    who, _, rest = os.environ.get("SOAK_KILL", "").partition(":")
    if who and who == os.environ.get("PYTEST_XDIST_WORKER", "main"):
        left, how, word = (rest + "::").split(":")[:3]
        sys.addaudithook(Killer(int(left), how, word))
    if PORT:
        fetch_from_server()


def fetch_from_server():
    """Pages of the tasks come from the loopback server, as those of a sealed web do."""
    from pytest_wandr import pipeline
    from pytest_wandr.fetch import Limits, Live, SealedHosts, open_fetcher

    live = Live(limits=Limits(spacing=0), browser="off")
    hosts = SealedHosts(frozenset(f"{{task}}.example" for task in {tasks!r}), PORT)

    def opened(store, **rest):
        return open_fetcher(store, **{{**rest, "hosts": hosts, "live": live}})

    pipeline.open_fetcher = opened


def pytest_wandr_make_system(name):
    return solve if name == "mine" else None


def pytest_wandr_make_judge(name):
    return Asked() if name == "asked" else None


def solve(task, ctx):
    def record(company, url):
        text = f"{{company}} makes good things in Lower Fenwick"
        return {{"item": {{"company": company}}, "url": url, "excerpts": [text], "answer": {{}}}}

    records = [record(company, f"https://{{task.id}}.example/{{at}}") for at, company in enumerate(COMPANIES)]
    if PORT:  # the same page under another url
        records.append(record(COMPANIES[0], f"https://{{task.id}}.example/moved/0"))
    records.append(record("Dunmore Ropes", "https://never-recorded.example/"))
    log("solve", task.id)
    return records


class Asked:
    name = "asked"

    async def ask(self, questions):
        from pytest_wandr.judges import Answer
        from pytest_wandr.model import Part, RequirementVerdict

        for question in questions:
            log("judge", question.task.id)
        def approve(name):
            return RequirementVerdict(id=name, satisfied=Part(value=True), supported=Part(value=True))

        return [Answer(requirements=tuple(map(approve, question.open))) for question in questions]
'''


class SlowPages(BaseHTTPRequestHandler):
    """`https://<task>.example/<at>`, a piece at a time; `/moved/<at>` leads there."""

    protocol_version = "HTTP/1.1"
    pause = 0.02

    def do_GET(self) -> None:
        """One page in three pieces."""
        *moved, at = self.path.strip("/").split("/")
        if moved:
            self._begin(302, b"", Location=f"/{at}")
            return
        body = PAGE.format(COMPANIES[int(at)]).encode()
        self._begin(200, body[:40], **{"Content-Type": "text/html; charset=utf-8"}, size=len(body))
        for piece in (body[40:90], body[90:]):
            time.sleep(self.pause)
            self.wfile.write(piece)

    def _begin(self, status: int, piece: bytes, *, size: int = 0, **headers: str) -> None:
        time.sleep(self.pause)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        self.wfile.write(piece)

    def log_message(self, *_: object) -> None:
        """Silent."""


class Server(ThreadingHTTPServer):
    """Clients die here: that is what it is for."""

    def handle_error(self, *_: object) -> None:
        """Silent."""


def main() -> None:
    """Print the port and serve until killed."""
    server = Server(("127.0.0.1", 0), SlowPages)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
