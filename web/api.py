"""The routes of the page that answer a seat's requests with JSON."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from aiohttp import web
from pydantic import BaseModel

from bot.order_sheets.model import StoredSheet
from bot.page.channel_port import ChannelPort
from bot.page.sessions import WebSessions
from bot.services import Games

from .answers import answer_json, answer_text, read_body
from .dispatches import DispatchRequest
from .orders import MOST_UNITS, AnswerRequest, BattleRequest, DoRequest, OrderRequest, PageOrders, SheetRequest, draft
from .rate_limit import RateLimit
from .reach import reach_json
from .sessions import Seat, SeatFinder
from .sheet_json import unit_json
from .steady_games import SteadyGames
from .story import load_step, load_story
from .table_changes import ChangeRequest, PreviewRequest
from .terrain_json import terrain_json
from .umpire_page import UmpirePage, UndoRequest, fields_json, show_as
from .view_cache import ViewCache

AS = "as"
"""Name of the query parameter with the viewer whose view an umpire wants to see."""
NO_STEP = "There is no map of that."
NO_RULE = "The rules of this game have no such number."

B = TypeVar("B", bound=BaseModel)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
FindSeat = Callable[[web.Request], Awaitable[Seat]]


class Api:
    """The routes that read a seat's game, and the routes that act in the game."""

    def __init__(self, games: Games, sessions: WebSessions, seats: SeatFinder, port: ChannelPort) -> None:
        self._games, self._sessions, self._seats = games, sessions, seats
        self._orders, self._umpire = PageOrders(games, port), UmpirePage(games, port)
        self._views, self._steady_games = ViewCache(), SteadyGames()
        self._limit_face, self._read_limit = RateLimit(), RateLimit()

    def add_to(self, app: web.Application) -> None:
        """Add the routes to the application."""
        get, post = app.router.add_get, app.router.add_post
        get("/api/view", self._view)
        get("/api/history", self._handle_reading(self._history, self.seat_to_read))
        get("/api/step", self._handle_reading(self._step, self.seat_to_read))
        get("/api/rule", self._handle_reading(self._rule, self.seat_to_read))
        get("/api/unit", self._handle_reading(self._unit, self.seat_to_act))
        get("/api/reach", self._handle_reading(self._reach, self.seat_to_act))
        get("/api/fields", self._handle_reading(self._fields, self.seat_to_act))
        get("/api/terrain", self._handle_reading(self._terrain, self.seat_to_act))
        get("/api/undo", self._handle_reading(self._ask_undo, self.seat_to_act))
        post("/api/draft", self._handle_question(self._draft, OrderRequest))
        post("/api/battle", self._handle_question(self._battle, BattleRequest))
        post("/api/table/preview", self._handle_question(self._umpire.preview, PreviewRequest))
        post("/api/sheet", self._handle_change(self._orders.change, SheetRequest))
        post("/api/do", self._handle_change(self._orders.carry_out, DoRequest))
        post("/api/answer", self._handle_change(self._orders.act, AnswerRequest))
        post("/api/dispatch", self._handle_change(self._orders.act, DispatchRequest))
        post("/api/table/change", self._handle_change(self._umpire.change, ChangeRequest))
        post("/api/undo", self._handle_change(self._umpire.undo, UndoRequest))

    # The seat of a request.

    async def seat_to_read(self, request: web.Request) -> Seat:
        """Return the seat of a reading request, and count the request. Raises NotAllowed, TooMany."""
        seat = await self._seats.find(request)
        self._read_limit.count(seat.session.id)
        return seat

    async def seat_to_act(self, request: web.Request) -> Seat:
        """Return the seat of a request that acts or calculates, and count the request. Raises NotAllowed, TooMany."""
        seat = await self._seats.find(request)
        self._limit_face.count(seat.session.id)
        return seat

    async def steady_seat_to_act(self, request: web.Request) -> Seat:
        """Return the seat of a request like `seat_to_act`, with its game made steady (see `SteadyGames`)."""
        return self._steady_games.make_steady(await self.seat_to_act(request))

    # The kinds of route.

    def _handle_reading(self, find: Callable[[Seat, web.Request], Awaitable[Any]], find_seat: FindSeat) -> Handler:
        """Return a handler of GET requests that answers with the result of `find` for the seat."""

        async def handle(request: web.Request) -> web.StreamResponse:
            return await answer_json(await find(await find_seat(request), request))

        return handle

    def _handle_question(self, answer: Callable[[Seat, B], Awaitable[Any]], model: type[B]) -> Handler:
        """Return a handler of POST requests that answers with the result of `answer` and changes nothing."""

        async def handle(request: web.Request) -> web.StreamResponse:
            seat, body = await self.seat_to_act(request), await read_body(request, model)
            return await answer_json(await answer(seat, body))

        return handle

    def _handle_change(self, change: Callable[[Seat, B], Awaitable[Any]], model: type[B]) -> Handler:
        """Return a handler of POST requests that calls `change`, then answers with the seat's new view.

        The seat is loaded again before the view, because the change may affect the seat.
        """

        async def handle(request: web.Request) -> web.StreamResponse:
            seat, body = await self.seat_to_act(request), await read_body(request, model)
            await change(seat, body)
            return await self._view_of(await self._seats.find(request), request)

        return handle

    # The answers of the routes.

    async def _view(self, request: web.Request) -> web.StreamResponse:
        return await self._view_of(await self.seat_to_read(request), request)

    async def _view_of(self, seat: Seat, request: web.Request) -> web.StreamResponse:
        """Return the view of a seat; for an umpire, the view chosen in the request."""
        seat = self._steady_games.make_steady(seat)
        shown_seat = show_chosen(seat, request)
        stored = await self._orders.own_sheet(seat) if shown_seat is seat else None
        return answer_text(await self._views.view(seat, shown_seat, stored))

    async def _history(self, seat: Seat, request: web.Request) -> Any:
        return await load_story(self._games, show_chosen(seat, request))

    async def _step(self, seat: Seat, request: web.Request) -> Any:
        step = await load_step(self._games, show_chosen(seat, request), request.query.get("name", ""))
        if step is None:
            raise web.HTTPNotFound(reason=NO_STEP)
        return step

    async def _rule(self, seat: Seat, request: web.Request) -> Any:
        try:
            rule = seat.game.ruleset.book.get(request.query.get("number", "")[:40])
        except KeyError:
            raise web.HTTPNotFound(reason=NO_RULE) from None
        return {"title": rule.name, "text": rule.text, "rulings": rule.rulings, "house": rule.house}

    async def _unit(self, seat: Seat, request: web.Request) -> Any:
        return await self._of_units(seat, request, unit_json)

    async def _reach(self, seat: Seat, request: web.Request) -> Any:
        return await self._of_units(seat, request, reach_json)

    async def _of_units(
        self, seat: Seat, request: web.Request, answer: Callable[[Seat, StoredSheet, tuple[str, ...]], Any]
    ) -> Any:
        """Return the result of `answer` for the units named in a request."""
        seat = self._steady_games.make_steady(seat)
        units = tuple(dict.fromkeys(request.query.get("unit", "").split(",")[:MOST_UNITS]))
        return await asyncio.to_thread(answer, seat, await self._orders.require_own_sheet(seat), units)

    async def _fields(self, seat: Seat, request: web.Request) -> Any:
        return await asyncio.to_thread(fields_json, seat, request.query.get("unit", ""))

    async def _terrain(self, seat: Seat, _: web.Request) -> Any:
        return await asyncio.to_thread(terrain_json, seat)

    async def _ask_undo(self, seat: Seat, _: web.Request) -> Any:
        return await self._umpire.undo_json(seat)

    async def _draft(self, seat: Seat, request: OrderRequest) -> Any:
        seat = self._steady_games.make_steady(seat)
        return await asyncio.to_thread(draft, seat, await self._orders.require_own_sheet(seat), request)

    async def _battle(self, seat: Seat, request: BattleRequest) -> Any:
        """Return the key of a link to the game of a battle in which the seat takes part."""
        battle_game = await self._games.battle_openings.find_battle_game(
            seat.game, seat.session.user.id, request.battle
        )
        return {"key": await self._sessions.make_link(battle_game, seat.session.user)}


def show_chosen(seat: Seat, request: web.Request) -> Seat:
    """Return the seat; an umpire's seat gets the viewer chosen in the request. Raises NotAllowed."""
    return show_as(seat, request.query.get(AS, ""))
