"""Limit the open connections to the live map, and close connections that hang."""

import asyncio
from collections.abc import Callable

from aiohttp import web

MOST_CONNECTIONS = 500
"""Maximum number of open connections. Each needs an open file, and a process usually may open 1024 files."""
IDLE = 150.0
"""Seconds without a complete request after which a connection is closed. A proxy should close its connections sooner:
Caddy does so after 120 seconds."""
SENT_WITHIN = 60.0
"""Maximum seconds for a browser to receive an answer."""
RECEIVED_WITHIN = 15.0
"""Maximum seconds until the body of a request has arrived."""


class RefusedConnection(asyncio.Protocol):
    """Protocol that at once closes a connection beyond the maximum number."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """End the connection."""
        assert isinstance(transport, asyncio.Transport)
        transport.abort()


def limit_connections(server: web.Server) -> Callable[[], asyncio.BaseProtocol]:
    """Return a protocol factory for the server, which refuses connections beyond MOST_CONNECTIONS."""
    return lambda: server() if len(server.connections) < MOST_CONNECTIONS else RefusedConnection()


async def receive_body(request: web.Request) -> bytes:
    """Return the body of a request. Raises HTTPRequestTimeout if the body does not arrive in time."""
    try:
        async with asyncio.timeout(RECEIVED_WITHIN):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout(reason="The request did not arrive whole. Try again.") from None


async def send_response(request: web.Request, response: web.StreamResponse) -> None:
    """Send an answer. Close the connection of a browser that does not receive the answer in time."""
    try:
        async with asyncio.timeout(SENT_WITHIN):
            await response.prepare(request)
            await response.write_eof()
    except ConnectionError:
        pass
    except TimeoutError:
        if request.transport is not None:
            request.transport.abort()
