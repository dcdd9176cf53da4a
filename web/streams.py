"""Send the stream of news that every open page receives."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress

from aiohttp import web

from .news import CLOSED, LEFT, REPLACED, PageNews, PageWatcher
from .sessions import PageSeat

HEARTBEAT = 15.0
"""Seconds without news after which a stream sends a heartbeat."""
TYPE: Mapping[str, str] = {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}


async def send_news(
    request: web.Request, response: web.StreamResponse, news: PageNews, seat: PageSeat
) -> web.StreamResponse:
    """Send news to a page until the page is closed or replaced, the user leaves, or the server stops."""
    response.headers.update(TYPE)
    try:
        await response.prepare(request)
    except ConnectionError:  # the page was closed meanwhile
        return response
    watcher = news.add_watcher(seat)
    with suppress(ConnectionError, asyncio.CancelledError):
        try:
            while await _send_next_news(response, watcher):
                pass
        finally:
            news.remove_watcher(watcher)
    return response


async def _send_next_news(response: web.StreamResponse, watcher: PageWatcher) -> bool:
    """Send the next news, or a heartbeat if none come in time. Return whether more news may follow."""
    try:
        news = await asyncio.wait_for(watcher.news.get(), HEARTBEAT)
    except TimeoutError:
        await response.write(b"event: here\ndata:\n\n")
        return True
    if news != CLOSED:
        await response.write(f"data: {news}\n\n".encode())
    return news not in (LEFT, REPLACED, CLOSED)
