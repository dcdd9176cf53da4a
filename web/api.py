"""The routes that answer the page's requests with JSON."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from aiohttp import web
from pydantic import BaseModel

from bot.order_sheets.model import StoredSheet
from bot.page.channel_announcer import ChannelAnnouncer
from bot.page.sessions import WebSessions
from bot.services import Games

from .answers import answer_json, answer_text, read_body
from .dispatches import DispatchRequest
from .orders import (
    MOST_UNITS,
    AnswerRequest,
    BattleRequest,
    DoRequest,
    OrderRequest,
    PageOrders,
    SheetRequest,
    forecast_request,
)
from .rate_limit import RateLimit
from .reach import reach_json
from .sessions import PageSeat, SeatFinder
from .sheet_json import menu_json
from .steady_games import SteadyGames
from .story import load_entry_map, load_story
from .table_changes import ChangeRequest, PreviewRequest
from .terrain_json import terrain_json
from .umpire_page import PageChanges, UndoRequest, correctable_fields_json, with_viewer
from .view_cache import ViewCache

AS = "as"
"""Name of the query parameter with the viewer whose view an umpire wants to see."""
NO_STEP = "There is no map of that."
NO_RULE = "The rules of this game have no such number."

B = TypeVar("B", bound=BaseModel)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
FindSeat = Callable[[web.Request], Awaitable[PageSeat]]


class Api:
    """The routes by which a seat reads its game or acts in it."""

    def __init__(self, games: Games, sessions: WebSessions, seats: SeatFinder, announcer: ChannelAnnouncer) -> None:
        self._games, self._sessions, self._seats = games, sessions, seats
        self._orders, self._umpire = PageOrders(games, announcer), PageChanges(games, announcer)
        self._views, self._steady_games = ViewCache(), SteadyGames()
        self._act_limit, self._read_limit = RateLimit(), RateLimit()

    def add_routes(self, app: web.Application) -> None:
        """Add the routes to the application."""
        get, post = app.router.add_get, app.router.add_post
        get("/api/view", self._answer_view)
        get("/api/history", self._make_reading_handler(self._load_history, self.find_seat_to_read))
        get("/api/step", self._make_reading_handler(self._load_entry_map, self.find_seat_to_read))
        get("/api/rule", self._make_reading_handler(self._find_rule, self.find_seat_to_read))
        get("/api/unit", self._make_reading_handler(partial(self._ask_about_units, menu_json), self.find_seat_to_act))
        get("/api/reach", self._make_reading_handler(partial(self._ask_about_units, reach_json), self.find_seat_to_act))
        get("/api/fields", self._make_reading_handler(self._list_fields, self.find_seat_to_act))
        get("/api/terrain", self._make_reading_handler(self._list_terrain, self.find_seat_to_act))
        get("/api/undo", self._make_reading_handler(self._preview_undo, self.find_seat_to_act))
        post("/api/draft", self._make_question_handler(self._forecast_request, OrderRequest))
        post("/api/battle", self._make_question_handler(self._make_battle_link, BattleRequest))
        post("/api/table/preview", self._make_question_handler(self._umpire.preview_change, PreviewRequest))
        post("/api/sheet", self._make_change_handler(self._orders.change_sheet, SheetRequest))
        post("/api/do", self._make_change_handler(self._orders.carry_out_sheet, DoRequest))
        post("/api/answer", self._make_change_handler(self._orders.do_action, AnswerRequest))
        post("/api/dispatch", self._make_change_handler(self._orders.do_action, DispatchRequest))
        post("/api/table/change", self._make_change_handler(self._umpire.change_table, ChangeRequest))
        post("/api/undo", self._make_change_handler(self._umpire.undo_newest_action, UndoRequest))

    # The seat of a request.

    async def find_seat_to_read(self, request: web.Request) -> PageSeat:
        """Return the seat that sent a request to read, and count the request. Raises NotAllowed, TooManyRequests."""
        seat = await self._seats.find(request)
        self._read_limit.count_request(seat.session.id)
        return seat

    async def find_seat_to_act(self, request: web.Request) -> PageSeat:
        """Return the seat that sent a request to act or to calculate.

        Count the request against the limit for acting. Raises NotAllowed, TooManyRequests.
        """
        seat = await self._seats.find(request)
        self._act_limit.count_request(seat.session.id)
        return seat

    async def find_steady_seat_to_act(self, request: web.Request) -> PageSeat:
        """Return the result of `find_seat_to_act`, with a steady game (see `SteadyGames`)."""
        return self._steady_games.make_steady(await self.find_seat_to_act(request))

    # The kinds of route.

    def _make_reading_handler(
        self, find: Callable[[PageSeat, web.Request], Awaitable[Any]], find_seat: FindSeat
    ) -> Handler:
        """Return a handler of GET requests. The handler answers with the result of `find` for the request's seat."""

        async def handle(request: web.Request) -> web.StreamResponse:
            return await answer_json(await find(await find_seat(request), request))

        return handle

    def _make_question_handler(self, answer: Callable[[PageSeat, B], Awaitable[Any]], model: type[B]) -> Handler:
        """Return a handler of POST requests that change nothing. The handler answers with the result of `answer`."""

        async def handle(request: web.Request) -> web.StreamResponse:
            seat, body = await self.find_seat_to_act(request), await read_body(request, model)
            return await answer_json(await answer(seat, body))

        return handle

    def _make_change_handler(self, change: Callable[[PageSeat, B], Awaitable[Any]], model: type[B]) -> Handler:
        """Return a handler of POST requests that calls `change`, then answers with the seat's new view.

        The handler loads the seat again for the answer, because the change may affect it.
        """

        async def handle(request: web.Request) -> web.StreamResponse:
            seat, body = await self.find_seat_to_act(request), await read_body(request, model)
            await change(seat, body)
            return await self._answer_view_of_seat(await self._seats.find(request), request)

        return handle

    # The answers of the routes.

    async def _answer_view(self, request: web.Request) -> web.StreamResponse:
        return await self._answer_view_of_seat(await self.find_seat_to_read(request), request)

    async def _answer_view_of_seat(self, seat: PageSeat, request: web.Request) -> web.StreamResponse:
        """Answer with the view of the seat, or of the viewer that an umpire asks for."""
        seat = self._steady_games.make_steady(seat)
        shown_seat = with_chosen_viewer(seat, request)
        stored = await self._orders.find_own_sheet(seat) if shown_seat is seat else None
        return answer_text(await self._views.get_view_text(seat, shown_seat, stored))

    async def _load_history(self, seat: PageSeat, request: web.Request) -> Any:
        return await load_story(self._games, with_chosen_viewer(seat, request))

    async def _load_entry_map(self, seat: PageSeat, request: web.Request) -> Any:
        step = await load_entry_map(self._games, with_chosen_viewer(seat, request), request.query.get("name", ""))
        if step is None:
            raise web.HTTPNotFound(reason=NO_STEP)
        return step

    async def _find_rule(self, seat: PageSeat, request: web.Request) -> Any:
        try:
            rule = seat.game.ruleset.book.get(request.query.get("number", "")[:40])
        except KeyError:
            raise web.HTTPNotFound(reason=NO_RULE) from None
        return {"title": rule.name, "text": rule.text, "rulings": rule.rulings, "house": rule.house}

    async def _ask_about_units(
        self, answer: Callable[[PageSeat, StoredSheet, tuple[str, ...]], Any], seat: PageSeat, request: web.Request
    ) -> Any:
        """Return the result of `answer` for the seat, its sheet, and the units named in the request."""
        seat = self._steady_games.make_steady(seat)
        units = tuple(dict.fromkeys(request.query.get("unit", "").split(",")[:MOST_UNITS]))
        return await asyncio.to_thread(answer, seat, await self._orders.require_own_sheet(seat), units)

    async def _list_fields(self, seat: PageSeat, request: web.Request) -> Any:
        return await asyncio.to_thread(correctable_fields_json, seat, request.query.get("unit", ""))

    async def _list_terrain(self, seat: PageSeat, _: web.Request) -> Any:
        return await asyncio.to_thread(terrain_json, seat)

    async def _preview_undo(self, seat: PageSeat, _: web.Request) -> Any:
        return await self._umpire.preview_undo(seat)

    async def _forecast_request(self, seat: PageSeat, request: OrderRequest) -> Any:
        seat = self._steady_games.make_steady(seat)
        return await asyncio.to_thread(forecast_request, seat, await self._orders.require_own_sheet(seat), request)

    async def _make_battle_link(self, seat: PageSeat, request: BattleRequest) -> Any:
        """Return the key of a new link to the game that plays a campaign's battle. Raises NotAllowed, Refused."""
        battle_game = await self._games.battle_openings.find_battle_game(
            seat.game, seat.session.user.id, request.battle
        )
        return {"key": await self._sessions.make_link(battle_game, seat.session.user)}


def with_chosen_viewer(seat: PageSeat, request: web.Request) -> PageSeat:
    """Return the seat with the viewer that an umpire's request names.

    If the request names no viewer, return the seat unchanged. Raises NotAllowed.
    """
    return with_viewer(seat, request.query.get(AS, ""))
