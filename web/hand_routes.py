"""The routes of changes by hand: corrections, set-up, terrain, and undo."""

import asyncio
from collections.abc import Awaitable, Callable

from aiohttp import web

from .answers import answer_json, read_body
from .sessions import Seat
from .table_changes import ChangeRequest, PreviewRequest
from .terrain_json import terrain_json
from .umpire_page import UmpirePage, UndoRequest, fields_json


class HandRoutes:
    """The routes. `find_seat` returns the seat of a request that acts, `answer_view` the view after a change."""

    def __init__(
        self,
        page: UmpirePage,
        find_seat: Callable[[web.Request], Awaitable[Seat]],
        answer_view: Callable[[web.Request], Awaitable[web.StreamResponse]],
    ) -> None:
        self._page, self._find_seat, self._answer_view = page, find_seat, answer_view

    def add_to(self, app: web.Application) -> None:
        """Add the routes to the application."""
        app.router.add_get("/api/fields", self._fields)
        app.router.add_get("/api/terrain", self._terrain)
        app.router.add_get("/api/undo", self._ask_undo)
        app.router.add_post("/api/undo", self._undo)
        app.router.add_post("/api/table/preview", self._preview)
        app.router.add_post("/api/table/change", self._change)

    async def _fields(self, request: web.Request) -> web.StreamResponse:
        seat = await self._find_seat(request)
        return await answer_json(await asyncio.to_thread(fields_json, seat, request.query.get("unit", "")))

    async def _terrain(self, request: web.Request) -> web.StreamResponse:
        return await answer_json(await asyncio.to_thread(terrain_json, await self._find_seat(request)))

    async def _preview(self, request: web.Request) -> web.StreamResponse:
        seat, asked = await self._find_seat(request), await read_body(request, PreviewRequest)
        return await answer_json(await self._page.preview(seat, asked))

    async def _change(self, request: web.Request) -> web.StreamResponse:
        seat, asked = await self._find_seat(request), await read_body(request, ChangeRequest)
        await self._page.change(seat, asked)
        return await self._answer_view(request)

    async def _ask_undo(self, request: web.Request) -> web.StreamResponse:
        return await answer_json(await self._page.undo_json(await self._find_seat(request)))

    async def _undo(self, request: web.Request) -> web.StreamResponse:
        seat, asked = await self._find_seat(request), await read_body(request, UndoRequest)
        await self._page.undo(seat, asked)
        return await self._answer_view(request)
