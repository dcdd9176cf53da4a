"""Limits for excess and slow connections to the live map."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

import pytest
from aiohttp import web

from web import connections
from web.connections import limit_connections, receive_body, send_response

Open = Callable[[bytes], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]
LONG = 20_000_000
"""Number of bytes beyond any socket's buffer: the browser must read some."""


@pytest.fixture
async def connect() -> AsyncIterator[Open]:
    """Open a connection to a server with the limits of the map, and send the bytes."""

    @web.middleware
    async def sent(
        request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        response = await handler(request)
        await send_response(request, response)
        return response

    async def long(_: web.Request) -> web.StreamResponse:
        return web.Response(body=bytes(LONG))

    async def body(request: web.Request) -> web.StreamResponse:
        return web.Response(body=await receive_body(request))

    app = web.Application(middlewares=[sent])
    app.add_routes([web.get("/", long), web.post("/", body)])
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    assert runner.server is not None
    listener = await asyncio.get_running_loop().create_server(limit_connections(runner.server), "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    writers: list[asyncio.StreamWriter] = []

    async def connect(words: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1000)
        writer.write(words)
        writers.append(writer)
        return reader, writer

    yield connect
    for writer in writers:
        writer.transport.abort()
    listener.close()
    await runner.cleanup()


POST = b"POST / HTTP/1.1\r\nHost: map\r\nContent-Length: 5\r\n\r\n"


async def end_of(reader: asyncio.StreamReader) -> int:
    """Read to the end of a connection. Return the number of bytes."""
    length = 0
    with suppress(ConnectionError):
        while block := await asyncio.wait_for(reader.read(1_000_000), 5):
            length += len(block)
    return length


async def test_connections_beyond_the_maximum_are_refused(connect: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 3)
    readers = [(await connect(b"GET"))[1] for _ in range(3)]
    assert await end_of((await connect(b""))[0]) == 0
    readers[0].transport.abort()
    await asyncio.sleep(0.05)
    reader, _ = await connect(POST + b"there")
    assert (await reader.readline()) == b"HTTP/1.1 200 OK\r\n"


async def test_a_request_body_that_stalls_is_dropped(connect: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "RECEIVED_WITHIN", 0.05)
    reader, _ = await connect(POST + b"the")
    assert b" 408 " in await asyncio.wait_for(reader.readline(), 5)


async def test_an_answer_that_nobody_reads_ends(connect: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SENT_WITHIN", 0.05)
    reader, _ = await connect(b"GET / HTTP/1.1\r\nHost: map\r\n\r\n")
    await asyncio.sleep(0.2)
    assert await end_of(reader) < LONG
