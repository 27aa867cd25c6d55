"""What a fetch makes of servers that misbehave: the same outcome when fetched and when replayed."""

import asyncio
import gzip
import socket
import ssl
import struct
import subprocess
import zlib
from contextlib import suppress

import pytest

from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import Limits, open_fetcher

HTML = b"<html><body><p>Odalys Wren was named chief executive of Tarn Valley Rail.</p></body></html>"
ZEROS = bytes(400_000)
FAR = "Fri, 01 Jan 2100 00:00:00 GMT"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def page(body=HTML, *headers, status="200 OK", length=True):
    lines = [f"HTTP/1.1 {status}", *headers]
    if length:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def coded(coding, body):
    return page(body, f"Content-Encoding: {coding}")


def redirect(to, status="302 Found", *headers):
    return page(b"", f"Location: {to}", *headers, status=status)


def nested(body, times):
    for _ in range(times):
        body = gzip.compress(body)
    return body


def raw_deflate(body):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


GOOD = {
    "plain": (page(), HTML),
    "gzip": (coded("gzip", gzip.compress(HTML)), HTML),
    "gzip, upper case": (coded("GZIP", gzip.compress(HTML)), HTML),
    "x-gzip": (coded("x-gzip", gzip.compress(HTML)), HTML),
    "deflate": (coded("deflate", zlib.compress(HTML)), HTML),
    "raw deflate": (coded("deflate", raw_deflate(HTML)), HTML),
    "identity": (coded("identity", HTML), HTML),
    "gzip in gzip": (coded("gzip, gzip", nested(HTML, 2)), HTML),
    "two gzip members": (coded("gzip", gzip.compress(HTML) + gzip.compress(b"more")), HTML + b"more"),
    "garbage after gzip": (coded("gzip", gzip.compress(HTML) + b"\0\0garbage"), HTML),
    "without a length": (page(length=False), HTML),
    "chunked": (CHUNKED + b"5\r\nhello\r\n0\r\n\r\n", b"hello"),
    "a length that is too short": (b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n" + HTML, HTML[:20]),
    "2000 early hints": (b"HTTP/1.1 103 Early Hints\r\n\r\n" * 2000 + page(), HTML),
    "pdf": (page(b"%PDF-1.7\n\0\1\2\3\4\5\6\7\x0e\x0f\x10", "Content-Type: application/pdf"), None),
    "pdf called html": (page(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "Content-Type: text/html"), None),
    "html with a NUL": (page(b"<p>a\0b</p>"), b"<p>a\0b</p>"),
    "a download with a wild name": (
        page(HTML, 'Content-Disposition: attachment; filename="../../x.html"'),
        HTML,
    ),
    "utf-16 without a label": (page("﻿<p>Grüße</p>".encode("utf-16-le")), None),
    "an unknown charset": (page(HTML, "Content-Type: text/html; charset=klingon"), HTML),
    "a charset that is a codec": (page(HTML, "Content-Type: text/html; charset=zlib_codec"), HTML),
    "latin-1 called utf-8": (page(b"<p>Gr\xfc\xdfe</p>", "Content-Type: text/html; charset=utf-8"), None),
    "soft 404": (page(b"<h1>404</h1><p>page not found</p>"), None),
    "script only": (page(b"<div id=app></div><script>go()</script>"), None),
    "meta refresh": (page(b'<meta http-equiv=refresh content="0; url=/x">'), None),
    "deep html": (page(b"<i>" * 12_000), b"<i>" * 12_000),
}  # fmt: skip

BAD = {
    "gzip bomb": (coded("gzip", gzip.compress(ZEROS)), "decoded_too_large"),
    "deflate bomb": (coded("deflate", zlib.compress(ZEROS)), "decoded_too_large"),
    "nested gzip bomb": (coded("gzip, gzip", nested(ZEROS, 2)), "decoded_too_large"),
    "bomb of many members": (coded("gzip", gzip.compress(bytes(60_000)) * 3), "decoded_too_large"),
    "a thousand empty members": (coded("gzip", gzip.compress(b"") * 1000), "bad_coding"),
    "br": (coded("br", b"\x0b\x02\x80"), "unknown_coding"),
    "zstd": (coded("zstd", b"(\xb5/\xfd"), "unknown_coding"),
    "lzma-x": (coded("lzma-x", HTML), "unknown_coding"),
    "50 codings": (coded(", ".join(["gzip"] * 50), HTML), "too_many_codings"),
    "plain called gzip": (coded("gzip", HTML), "bad_coding"),
    "plain called deflate": (coded("deflate", HTML), "bad_coding"),
    "truncated gzip": (coded("gzip", gzip.compress(HTML)[:-12]), "truncated_coding"),
    "loop": (redirect("/x"), "redirect_loop"),
    "redirect without a target": (page(b"", status="302 Found"), "http_error"),
    "redirect to half a bracket": (redirect("http://[::1"), "protocol"),
    "redirect to metadata": (redirect("http://169.254.169.254/latest/"), "blocked"),
    "redirect to loopback": (redirect("http://127.0.0.1:80/"), "blocked"),
    "redirect with credentials": (redirect("http://user:pw@example.com/"), "blocked"),
    "redirect to a file": (redirect("file:///etc/passwd"), "blocked"),
    "redirect to javascript": (redirect("javascript:alert(1)"), "blocked"),
    "redirect behind a backslash": (redirect("http://example.com\\@127.0.0.1/"), "blocked"),
    "body that breaks off": (b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n" + HTML, "protocol"),
    "bad chunk": (CHUNKED + b"zz\r\nhello\r\n", "protocol"),
    "chunks that break off": (CHUNKED + b"5\r\nhello\r\n", "protocol"),
    "negative length": (b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello", "protocol"),
    "two lengths": (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nhello", "protocol"),
    "http 0.9": (HTML, "protocol"),
    "garbage": (b"\x16\x03\x01\x00garbage\r\n\r\n", "protocol"),
    "closes at once": (b"", "protocol"),
    "switching protocols": (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "protocol"),
    "line break in a header": (b"HTTP/1.1 200 OK\r\nX: a\r\n b\x00\r\n\r\n", "protocol"),
    "huge claimed length": (b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000000000\r\n\r\n", "body_too_large"),
    "absurd claim": (b"HTTP/1.1 200 OK\r\nContent-Length: 1" + b"0" * 18 + b"\r\n\r\n", "body_too_large"),
    "one huge header": (page(HTML, "X-Big: " + "a" * 200_000), "protocol"),
    "20,000 headers": (page(HTML, *(f"X-{number}: a" for number in range(20_000))), "protocol"),
    "cookie bomb": (page(HTML, *(f"Set-Cookie: c{n}={'a' * 3900}" for n in range(150))), "protocol"),
    "one line of 60 kB": (page(b"a" * 60_000), "body_too_large"),
    "429 soon": (page(b"wait", "Retry-After: 1", status="429 Too Many"), "http_retryable"),
    "429 tomorrow": (page(b"wait", "Retry-After: 86400", status="429 Too Many"), "rate_limited"),
    "429 in 2100": (page(b"", f"Retry-After: {FAR}", status="429 Too Many"), "rate_limited"),
    "429 on a day beyond integers": (
        page(b"", f"Retry-After: Mon, {'9' * 20} Jan 2024 00:00:00 GMT", status="429 Too Many"),
        "http_retryable",
    ),
    "429 nan": (page(b"wait", "Retry-After: nan", status="429 Too Many"), "http_retryable"),
    "429 never": (page(b"", f"Retry-After: {'9' * 20}", status="429 Too Many"), "http_retryable"),
    "500": (page(b"oops", status="500 Internal"), "http_retryable"),
    "503": (page(b"oops", status="503 Unavailable"), "http_retryable"),
    "400": (page(b"oops", status="400 Bad"), "http_error"),
    "401": (page(b"who", status="401 Unauthorized"), "refused"),
    "403 challenge": (page(b"Just a moment...", status="403 Forbidden"), "refused"),
    "451": (page(b"", status="451 Unavailable"), "refused"),
    "999": (page(b"", status="999 No"), "refused"),
    "404": (page(HTML, status="404 Not Found"), "gone"),
    "410": (page(b"", status="410 Gone"), "gone"),
    "304": (page(b"", status="304 Not Modified"), "http_error"),
    "204": (page(b"", status="204 No Content", length=False), "empty"),
    "empty": (page(b""), "empty"),
    "blank": (page(b" \r\n\t "), "empty"),
    "binary called html": (page(bytes(range(32)) * 40, "Content-Type: text/html"), "binary"),
    "zip without a type": (page(b"PK\x03\x04 and so on"), "binary"),
    "png": (page(b"\x89PNG\r\n\x1a\n"), "binary"),
    "gzip file without a coding": (page(gzip.compress(HTML)), "binary"),
}  # fmt: skip


async def _forever(writer, piece, pause):
    while True:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(pause)


async def silence(writer, head):
    await asyncio.sleep(60)


async def dripping_headers(writer, head):
    writer.write(b"HTTP/1.1 200 OK\r\n")
    await _forever(writer, b"X: a\r\n", 0.05)


async def dripping_body(writer, head):
    writer.write(page(HTML)[:-60])
    await _forever(writer, b"a", 0.2)


async def endless_hints(writer, head):
    await _forever(writer, b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.01)


async def endless_headers(writer, head):
    writer.write(b"HTTP/1.1 200 OK\r\n")
    await _forever(writer, b"X-Again: aaaaaaaaaaaaaaaaaaaa\r\n" * 500, 0)


async def endless_chunks(writer, head):
    writer.write(CHUNKED)
    await _forever(writer, b"400\r\n" + bytes(1024) + b"\r\n", 0)


async def endless_without_length(writer, head):
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    await _forever(writer, b"a" * 4096, 0)


async def endless_gzip(writer, head):
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(HTML))
    await _forever(writer, b"a" * 4096, 0)


async def reset(writer, head):
    writer.write(page(HTML)[:-20])
    await writer.drain()
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)


async def growing(writer, head):
    path = head.split()[1].decode()
    writer.write(redirect(f"{path}?{len(path)}"))


STREAMS = [
    (silence, "timeout"),
    (dripping_headers, "timeout"),
    (dripping_body, "timeout"),
    (endless_hints, "timeout"),
    (endless_headers, "protocol"),
    (endless_chunks, "body_too_large"),
    (endless_without_length, "body_too_large"),
    (endless_gzip, "body_too_large"),
    (reset, "protocol"),
    (growing, "redirect_limit"),
]


async def both(web, store, answers, **options):
    """The page as fetched; it must be the page as replayed."""
    async with web.serving(answers) as server, web.recording(store, server, **options) as fetcher:
        live = await fetcher.get(server.url("/x"))
    store.fold()
    async with open_fetcher(PageStore(store.folder)) as fetcher:
        assert await fetcher.get(server.url("/x")) == live
    assert store.check() == ()
    return live


@pytest.mark.parametrize("name", GOOD)
async def test_odd_but_honest_answers_are_pages(web, store, name):
    raw, body = GOOD[name]
    got = await both(web, store, {"/x": raw})
    assert got.problem is None
    assert got.status == 200
    assert body is None or got.body == body


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_answer_is_a_named_problem(web, store, name):
    raw, kind = BAD[name]
    got = await both(web, store, {"/x": raw})
    assert got.problem is not None
    assert got.problem.kind == kind
    assert got.problem.decided
    assert got.problem.detail


@pytest.mark.parametrize(("behaviour", "kind"), STREAMS)
async def test_a_stream_without_end_ends(web, store, behaviour, kind):
    got = await both(web, store, {"/x": behaviour}, limits=web.hasty)
    assert got.problem is not None
    assert got.problem.kind == kind


async def test_two_pages_that_redirect_to_each_other_are_a_loop(web, store):
    got = await both(web, store, {"/x": redirect("/y"), "/y": redirect("/x")})
    assert got.problem.kind == "redirect_loop"
    assert len(got.hops) == 2


async def test_an_error_page_keeps_its_body(web, store):
    got = await both(web, store, {"/x": page(HTML, status="404 Not Found")})
    assert got.body == HTML
    assert got.status == 404


async def test_hostile_servers_side_by_side_do_not_disturb_a_good_one(web, store):
    answers = {f"/{fn.__name__}": fn for fn, _ in STREAMS} | {"/good": page()}
    limits = Limits(wire=50_000, decoded=100_000, connect=0.5, read=1, deadline=1.5, attempts=1, per_host=20)
    async with web.serving(answers) as server, web.recording(store, server, limits=limits) as fetcher:
        bad = [fetcher.get(server.url(f"/{fn.__name__}")) for fn, _ in STREAMS]
        *kinds, good = await asyncio.gather(*bad, fetcher.get(server.url("/good")))
    assert [got.problem.kind for got in kinds] == [kind for _, kind in STREAMS]
    assert good.body == HTML


async def test_requests_that_time_out_while_connecting_do_not_use_up_the_pool(web, store):
    limits = Limits(connect=0.2, read=8, deadline=10, attempts=1, total=2)
    async with web.serving({"/good": page()}) as server, _deaf() as deaf:
        opened = web.recording(store, server, limits=limits, allow=[deaf])
        async with opened as fetcher:
            waves = [fetcher.get(f"http://{deaf}/{number}") for number in range(12)]
            stuck = await asyncio.gather(*waves)
            good = await fetcher.get(server.url("/good"))
    assert {got.problem.kind for got in stuck} <= {"timeout", "connect"}
    assert good.body == HTML


class _deaf:
    """A listener whose queue is full: connecting to it hangs."""

    async def __aenter__(self):
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(0)
        place = self._listener.getsockname()
        self._fillers = [socket.socket() for _ in range(4)]
        for filler in self._fillers:
            filler.setblocking(False)
            with suppress(BlockingIOError):
                filler.connect(place)
        return f"127.0.0.1:{place[1]}"

    async def __aexit__(self, *error):
        for one in (*self._fillers, self._listener):
            one.close()


@pytest.fixture(scope="module")
def self_signed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1"
    )
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    try:
        subprocess.run([*command.split(), *files], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no certificate without openssl: {error}")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return context


async def test_a_certificate_that_nobody_vouches_for_is_a_tls_problem(web, store, self_signed):
    served = web.serving({"/x": page()}, ssl=self_signed)
    async with served as server, web.recording(store, server) as fetcher:
        got = await fetcher.get(f"https://{server.place}/x")
        plain = await fetcher.get(f"http://{server.place}/x")
    assert got.problem.kind == "tls"
    assert plain.problem.kind == "protocol"


async def test_tls_to_a_server_that_speaks_none_runs_out_of_time(web, store):
    opened = web.serving({"/x": page()})
    async with opened as server, web.recording(store, server, limits=web.hasty) as fetcher:
        got = await fetcher.get(f"https://{server.place}/x")
    assert got.problem.kind in {"timeout", "tls"}


async def test_a_refused_connection_is_recorded_and_replayed_as_such(web, store):
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        closed = f"127.0.0.1:{listener.getsockname()[1]}"
        async with web.serving({}) as server, web.recording(store, server, allow=[closed]) as fetcher:
            live = await fetcher.get(f"http://{closed}/x")
    assert live.problem.kind == "connect"
    assert store.get(f"http://{closed}/x") == live
    assert server.asked == []
