"""How does the stand-in listen? One thread for each connection on loopback, HTTP/1.1, kept alive."""

from __future__ import annotations

import contextlib
import socket
import threading
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_wandr.testing.modes import Sent

LARGEST = 50_000_000
_CHUNK = b'{"choices": [' + b" " * 65_000
_DRIP_EVERY = 0.05


class Listener(ThreadingTCPServer):
    """Answers every POST by `handle(path, headers, body)` until it is closed."""

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, handle: Callable[[str, Mapping[str, str], bytes], Sent]) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.handle = handle
        self.stopping = threading.Event()
        self._open: set[socket.socket] = set()
        self._workers: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        """A thread of its own for a connection, remembered until it ends."""
        worker = threading.Thread(
            target=self.process_request_thread, args=(request, client_address), daemon=True
        )
        with self._lock:
            self._open.add(request)
            self._workers.append(worker)
        worker.start()

    def shutdown_request(self, request: Any) -> None:
        """The connection ends."""
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that leaves is no error; everything else is told as usual."""
        import sys

        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def close(self) -> None:
        """Let go of everything: no socket and no thread is left."""
        self.stopping.set()
        self.shutdown()
        self.server_close()
        with self._lock:
            open_now, workers = list(self._open), list(self._workers)
        for connection in open_now:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for worker in [self._thread, *workers]:
            worker.join(timeout=5)


class _Exchange(BaseHTTPRequestHandler):
    """The requests of one connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Listener

    def do_POST(self) -> None:
        """Read one request, and send what the stand-in says."""
        length = int(self.headers.get("Content-Length", "0"))
        if length > LARGEST:
            self.close_connection = True
            return
        body = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        sent = self.server.handle(self.path.partition("?")[0], headers, body)
        if sent.delay and self.server.stopping.wait(sent.delay):
            self.close_connection = True
            return
        _WRITE[sent.manner](self, sent)

    def do_GET(self) -> None:
        """Nothing is to be had by GET."""
        self.wfile.write(b"HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\n\r\n")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 -- the name it has there
        """Nothing is logged."""

    def whole(self, sent: Sent) -> None:
        """Head and body in one write."""
        self.wfile.write(_head(sent, {"Content-Length": str(len(sent.body))}) + sent.body)

    def close(self, _: Sent) -> None:
        """No answer, and the connection ends."""
        self.close_connection = True

    def drip(self, sent: Sent) -> None:
        """A byte now and then, without end."""
        self.wfile.write(_head(sent, {"Content-Length": str(LARGEST)}))
        self.close_connection = True
        while not self.server.stopping.wait(_DRIP_EVERY):
            self.wfile.write(b" ")

    def endless(self, sent: Sent) -> None:
        """As many bytes as the client takes."""
        self.wfile.write(_head(sent, {"Connection": "close"}))
        self.close_connection = True
        while not self.server.stopping.is_set():
            self.wfile.write(_CHUNK)


_WRITE = {
    "whole": _Exchange.whole,
    "close": _Exchange.close,
    "drip": _Exchange.drip,
    "endless": _Exchange.endless,
}


def _head(sent: Sent, more: Mapping[str, str]) -> bytes:
    lines = [
        f"HTTP/1.1 {sent.status} Stand-in",
        *(f"{name}: {value}" for name, value in {**sent.headers, **more}.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
