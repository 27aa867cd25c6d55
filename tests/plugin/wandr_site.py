"""A site on loopback for whole runs: it counts what is asked for, and one of its pages waits."""

import threading
from collections import Counter
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Site:
    """`asked` counts requests by path; `/held` comes when `come` is set. Heirs say what it answers."""

    def __init__(self):
        self.come = threading.Event()
        self.asked = Counter()
        self.lock = threading.Lock()
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                with site.lock:
                    site.asked[self.path] += 1
                    site.hear(self)
                if self.path == "/held":
                    site.come.wait(60)
                with suppress(ConnectionError):
                    site.answer(self)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.place = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def hear(self, request):
        """A request came in; one at a time."""

    def answer(self, request):
        raise NotImplementedError

    def send(self, request, status, body, **headers):
        """A page of html."""
        request.send_response(status)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("Content-Type", "text/html; charset=utf-8")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    def close(self):
        self.come.set()
        self.server.shutdown()
        self.server.server_close()
