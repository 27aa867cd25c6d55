"""The listener serves what the web answers, and recording takes the path of any live page."""

import asyncio

import httpx
import pytest

from pytest_wandr.cassettes import PageStore
from pytest_wandr.fetch import SealedHosts, open_fetcher
from pytest_wandr.sealed.serve import serving
from pytest_wandr.sealed.tasks import RECORDED, record


async def get(port, url, **headers):
    """A plain GET over loopback, host in the Host header."""
    address = httpx.URL(url)
    async with httpx.AsyncClient(trust_env=False) as client:
        return await client.get(
            f"http://127.0.0.1:{port}{address.raw_path.decode()}", headers={"host": address.host, **headers}
        )


def one_of_each(web):
    """The first url of every way to serve a page."""
    return {spec.serving: spec.url for spec in reversed(list(web))}


async def test_what_is_served_is_what_the_web_answers(web):
    async with serving(web) as port:
        for serving_kind, url in one_of_each(web).items():
            if serving_kind != "hangup":
                response, answer = await get(port, url), web.answer(url)
                assert (response.status_code, response.content) == (answer.status, answer.body)
                assert response.headers["content-type"] == answer.headers["content-type"]


async def test_a_host_that_hangs_up_hangs_up(web):
    async with serving(web) as port:
        with pytest.raises(httpx.RemoteProtocolError):
            await get(port, one_of_each(web)["hangup"])


async def test_an_unknown_host_or_path_is_404(web):
    async with serving(web) as port:
        assert (await get(port, "https://nobody.example/")).status_code == 404
        assert (await get(port, f"https://{next(iter(web)).outlet.host}/nothing")).status_code == 404


async def test_a_port_in_the_host_header_does_not_matter(web):
    url = one_of_each(web)["page"]
    async with serving(web) as port:
        response = await get(port, url, host=f"{httpx.URL(url).host}:{port}")
    assert response.content == web.answer(url).body


async def test_a_head_request_has_no_body(web):
    url = httpx.URL(one_of_each(web)["page"])
    request = f"HEAD {url.path} HTTP/1.1\r\nHost: {url.host}\r\nConnection: close\r\n\r\n"
    async with serving(web) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request.encode())
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
    assert body == b""
    assert b"content-length: %d" % len(web.answer(str(url)).body) in head


@pytest.mark.parametrize("nonsense", [b"\r\n\r\n", b"hello", b"GET\r\n\r\n", b"\x00" * 40_000, b""])
async def test_nonsense_does_not_stop_the_listener(web, nonsense):
    async with serving(web) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(nonsense)
        await writer.drain()
        writer.close()
        url = one_of_each(web)["page"]
        assert (await get(port, url)).content == web.answer(url).body


async def test_one_connection_serves_many_hosts(web):
    urls = [next(spec.url for spec in web if spec.outlet.host == host and spec.serving == "page")
            for host in sorted(web.hosts)[:12] if any(
                spec.outlet.host == host and spec.serving == "page" for spec in web)]  # fmt: skip
    async with serving(web) as port, httpx.AsyncClient(trust_env=False) as client:
        for url in map(httpx.URL, urls):
            address = f"http://127.0.0.1:{port}{url.raw_path.decode()}"
            response = await client.get(address, headers={"host": url.host})
            assert response.content == web.answer(str(url)).body


async def test_the_port_is_free_again_afterwards(web):
    async with serving(web) as port:
        pass
    with pytest.raises(OSError, match="onnect"):
        await asyncio.open_connection("127.0.0.1", port)


async def test_a_recording_keeps_the_invented_urls_and_replays_without_the_server(web, tmp_path):
    urls = one_of_each(web)
    await record(web, urls.values(), tmp_path / "store")
    store = PageStore(tmp_path / "store", environment={})
    assert store.check() == ()
    async with open_fetcher(store) as fetcher:
        for kind, url in urls.items():
            page, end = await fetcher.get(url), web.final(url)
            assert page.url == url
            assert page.final_url == end.url
            assert page.body == (b"" if kind == "hangup" else web.answer(end.url).body)
    assert store.get(urls["hangup"]).problem.kind == "protocol"
    assert store.get(urls["gone"]).problem.kind == "gone"
    assert {entry.recorded for entry in store.entries()} == {RECORDED}


async def test_each_hop_of_a_chain_is_recorded(web, tmp_path):
    chain = next(
        spec for spec in web if spec.serving == "redirect" and web.specs[spec.target].serving == "redirect"
    )
    await record(web, [chain.url], tmp_path / "store")
    assert set(PageStore(tmp_path / "store").urls()) == {chain.url, chain.target, web.final(chain.url).url}


async def test_a_recording_is_the_same_bytes_each_time(web, tmp_path):
    urls = sorted(web.specs)[::40]
    await record(web, urls, tmp_path / "one")
    await record(web, reversed(urls), tmp_path / "two")
    one, two = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.*")}
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) > 20


async def test_without_the_door_no_invented_host_is_fetched(web, tmp_path):
    url = one_of_each(web)["page"]
    async with serving(web), open_fetcher(PageStore(tmp_path / "store"), record="new") as fetcher:
        assert (await fetcher.get(url)).problem.kind == "blocked"


def test_the_door_opens_for_invented_hosts_only(web):
    assert SealedHosts(web.hosts, 1).hosts == web.hosts
