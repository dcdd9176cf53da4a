"""The web server of the live map: routes, limits, and the headers of every answer."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from aiohttp import web
from pydantic import BaseModel, ValidationError

from bot.errors import DatabaseAway, NoGame, NotAllowed, Stale, UserError
from bot.games.idle_turns import EndsIdleTurn
from bot.order_sheets.model import StoredSheet
from bot.page.channel_port import ChannelPort
from bot.page.sessions import WebSessions
from bot.services import Games
from bot.store import Store
from bot.workers import Workers
from rules.core.hexboard.hex_scene import HexScene, Scene
from rules.core.refusal import Refused
from rules.core.scene import Symbol

from .answers import answer_error, answer_json, answer_text, read_body
from .connections import IDLE, limit_connections, send
from .dispatches import DispatchRequest, PageDispatches
from .ground import ground_name
from .ground_cache import GroundCache
from .hand_routes import HandRoutes
from .news import News
from .orders import MOST_UNITS, AnswerRequest, BattleRequest, DoRequest, OrderRequest, PageOrders, SheetRequest, draft
from .page_files import page_file
from .rate_limit import RateLimit, TooMany
from .reach import reach_json
from .sessions import Seat, SeatFinder
from .sheet_json import unit_json
from .steady_games import SteadyGames
from .story import load_step, load_story
from .streams import send_news
from .symbols import symbol_svg
from .umpire_page import UmpirePage, set_up_json, show_as, umpire_json
from .view_cache import ViewCache
from .views import view_json

log = logging.getLogger(__name__)

MOST_BODY = 64 * 1024
AS = "as"
"""Name of the query parameter with the view that an umpire looks as."""
CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NO_STORE = "no-store"
NO_STEP = "There is no map of that."
NO_RULE = "The rules of this game have no such number."
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (EndsIdleTurn, 428),
    (TooMany, 429),
    (Stale, 409),
    (NotAllowed, 403),
    (NoGame, 404),
    (DatabaseAway, 503),
    (Refused, 422),
    (UserError, 400),
)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Address:
    """Where the page is served: the public address that browsers use, and the host and port to listen on."""

    url: str
    host: str
    port: int

    @property
    def origin(self) -> str:
        """Return the origin that a browser sends with its requests."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def is_secure(self) -> bool:
        """Whether the page is served over https."""
        return urlsplit(self.url).scheme == "https"


class LiveMap:
    """The server of the live map."""

    def __init__(
        self, games: Games, store: Store, sessions: WebSessions, workers: Workers, port: ChannelPort, address: Address
    ) -> None:
        self._games, self._address, self._sessions = games, address, sessions
        self._seats = SeatFinder(games, sessions, secure=address.is_secure)
        self._orders = PageOrders(games, port)
        self._umpire, self._dispatches = UmpirePage(games, port), PageDispatches(games, port)
        self._grounds, self._views, self._games_read = GroundCache(workers), ViewCache(_whole_view), SteadyGames()
        self._news = News(games, store, sessions, self._seats)
        self._limit, self._read_limit = RateLimit(), RateLimit()
        self._runner: web.AppRunner | None = None
        self._listener: asyncio.Server | None = None

    async def start(self) -> str:
        """Begin to serve, and return the address for browsers. Raises OSError if the port cannot be used.

        Port 0 is any free port, which then stands in an http address. An https address is that of the proxy.
        """
        self._runner = web.AppRunner(self.make_app(), access_log=None, shutdown_timeout=2.0, keepalive_timeout=IDLE)
        await self._runner.setup()
        assert self._runner.server is not None
        accept = limit_connections(self._runner.server)
        host, port = self._address.host, self._address.port
        self._listener = await asyncio.get_running_loop().create_server(accept, host, port)
        if port == 0 and not self._address.is_secure:
            port = self._listener.sockets[0].getsockname()[1]
            self._address = replace(self._address, url=f"http://{host}:{port}")
        log.info("The live map is served at %s.", self._address.url)
        return self._address.url

    async def close(self) -> None:
        """Stop serving; open streams end."""
        if self._listener is not None:
            self._listener.close()
        await self._news.close()
        if self._runner is not None:
            await self._runner.cleanup()

    def make_app(self) -> web.Application:
        """Return the application with its routes."""
        app = web.Application(middlewares=[self._with_headers, self._answer_errors], client_max_size=MOST_BODY)
        app.router.add_get("/", self._page)
        app.router.add_get("/favicon.ico", self._icon)
        app.router.add_get("/assets/{name}", self._asset)
        app.router.add_get("/ground/{name}", self._ground)
        app.router.add_get("/api/view", self._view)
        app.router.add_get("/api/unit", self._unit)
        app.router.add_get("/api/reach", self._reach)
        app.router.add_get("/api/history", self._history)
        app.router.add_get("/api/step", self._step)
        app.router.add_get("/api/rule", self._rule)
        app.router.add_get("/api/symbols", self._symbols)
        app.router.add_get("/api/news", self._stream)
        app.router.add_post("/api/session", self._open_session)
        app.router.add_post("/api/draft", self._draft)
        app.router.add_post("/api/sheet", self._sheet)
        app.router.add_post("/api/do", self._do)
        app.router.add_post("/api/answer", self._answer)
        app.router.add_post("/api/battle", self._battle)
        app.router.add_post("/api/dispatch", self._dispatch)
        HandRoutes(self._umpire, self._seat_to_act, self._view_now).add_to(app)
        return app

    # Middlewares.

    @web.middleware
    async def _with_headers(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            response = await handler(request)
        except web.HTTPException as error:
            response = answer_error(error.status, error.reason or "")
        if not response.prepared:
            self._seats.renew_cookie(request, response)
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            response.headers.setdefault("Cache-Control", NO_STORE)
            await send(request, response)
        return response

    @web.middleware
    async def _answer_errors(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            if request.method == "POST":
                self._require_own_page(request)
            return await handler(request)
        except web.HTTPException:
            raise
        except ValidationError as error:
            return answer_error(
                400, f"That request cannot be read: {error.errors()[0]['msg'].removeprefix('Value error, ')}."
            )
        except (UserError, Refused) as error:
            status = next(status for kind, status in STATUS if isinstance(error, kind))
            return answer_error(status, str(error))
        except Exception:
            log.exception("a request of the live map: %s", request.path)
            return answer_error(500, "Something went wrong on our side; nothing was lost. Try again.")

    def _require_own_page(self, request: web.Request) -> None:
        """Raise NotAllowed unless the request comes from our own page, with JSON."""
        site = request.headers.get("Sec-Fetch-Site", "same-origin")
        if request.headers.get("Origin") != self._address.origin or site != "same-origin":
            raise NotAllowed("That request did not come from this page.")
        if request.content_type != "application/json":
            raise NotAllowed("Requests are sent as JSON.")

    # The page and its files.

    async def _page(self, request: web.Request) -> web.StreamResponse:
        return await page_file(request, "index.html")

    async def _icon(self, _: web.Request) -> web.StreamResponse:
        return web.Response(status=204, headers={"Cache-Control": "public, max-age=86400"})

    async def _asset(self, request: web.Request) -> web.StreamResponse:
        response = await page_file(request, request.match_info["name"])
        response.headers["Cache-Control"] = "no-cache"
        return response

    async def _symbols(self, _: web.Request) -> web.StreamResponse:
        found = {symbol.value: symbol_svg(symbol) for symbol in Symbol}
        return web.json_response(found, headers={"Cache-Control": "public, max-age=3600"})

    async def _ground(self, request: web.Request) -> web.StreamResponse:
        seat = await self._seats.find(request)
        self._limit.count(seat.session.id)
        seat = show_as(self._games_read.steady(seat), request.query.get(AS, ""))
        name, _, size = request.match_info["name"].partition("-")
        scene = await asyncio.to_thread(_named_scene, seat, name)
        if scene is None or size not in ("small", "large"):
            raise web.HTTPNotFound
        photograph = seat.game.photograph
        drawn = (
            (photograph, "image/jpeg")
            if photograph and not isinstance(scene, HexScene)
            else await self._grounds.picture(name, scene, large=size == "large", photograph=photograph)
        )
        headers = {"Cache-Control": "private, max-age=31536000, immutable"}
        return web.Response(body=drawn[0], content_type=drawn[1], headers=headers)

    # Reading.

    async def _view(self, request: web.Request) -> web.StreamResponse:
        return await self._view_of(await self._seat_to_read(request), request)

    async def _view_now(self, request: web.Request) -> web.StreamResponse:
        """Return the view after a change, with the seat loaded again: the change may affect the seat."""
        return await self._view_of(await self._seats.find(request), request)

    async def _view_of(self, seat: Seat, request: web.Request) -> web.StreamResponse:
        """Return the view of a seat, or for an umpire of the chosen side."""
        seat = self._games_read.steady(seat)
        shown = show_as(seat, request.query.get(AS, ""))
        stored = await self._orders.own_sheet(seat) if shown is seat else None
        return answer_text(await self._views.view(seat, shown, stored))

    async def _unit(self, request: web.Request) -> web.StreamResponse:
        return await self._of_units(request, unit_json)

    async def _reach(self, request: web.Request) -> web.StreamResponse:
        return await self._of_units(request, reach_json)

    async def _of_units(
        self, request: web.Request, answer: Callable[[Seat, StoredSheet, tuple[str, ...]], Any]
    ) -> web.StreamResponse:
        """Answer about the units that a request names."""
        seat = self._games_read.steady(await self._seat_to_act(request))
        units = tuple(dict.fromkeys(request.query.get("unit", "").split(",")[:MOST_UNITS]))
        stored = await self._orders.require_own_sheet(seat)
        return await answer_json(await asyncio.to_thread(answer, seat, stored, units))

    async def _history(self, request: web.Request) -> web.StreamResponse:
        seat = show_as(await self._seat_to_read(request), request.query.get(AS, ""))
        return await answer_json(await load_story(self._games, seat))

    async def _step(self, request: web.Request) -> web.StreamResponse:
        seat = show_as(await self._seat_to_read(request), request.query.get(AS, ""))
        found = await load_step(self._games, seat, request.query.get("name", ""))
        if found is None:
            raise web.HTTPNotFound(reason=NO_STEP)
        return await answer_json(found)

    async def _rule(self, request: web.Request) -> web.StreamResponse:
        seat, number = await self._seat_to_read(request), request.query.get("number", "")
        try:
            rule = seat.game.ruleset.book.get(number[:40])
        except KeyError:
            raise web.HTTPNotFound(reason=NO_RULE) from None
        return await answer_json({"title": rule.name, "text": rule.text, "rulings": rule.rulings, "house": rule.house})

    async def _seat_to_read(self, request: web.Request) -> Seat:
        """Return the seat of a request that reads. Raises NotAllowed, TooMany."""
        seat = await self._seats.find(request)
        self._read_limit.count(seat.session.id)
        return seat

    # Acting.

    async def _open_session(self, request: web.Request) -> web.StreamResponse:
        new = await self._sessions.open((await read_body(request, SessionRequest)).key)
        response = await answer_json({"seat": new.session.id})
        self._seats.set_cookie(response, new.session.id, new.secret)
        await self._seats.delete_ended_cookies(request, response)
        return response

    async def _draft(self, request: web.Request) -> web.StreamResponse:
        seat, asked = await self._seat_to_act(request), await read_body(request, OrderRequest)
        seat = self._games_read.steady(seat)
        stored = await self._orders.require_own_sheet(seat)
        return await answer_json(await asyncio.to_thread(draft, seat, stored, asked))

    async def _sheet(self, request: web.Request) -> web.StreamResponse:
        seat, asked = await self._seat_to_act(request), await read_body(request, SheetRequest)
        await self._orders.change(seat, asked)
        return await self._view_now(request)

    async def _do(self, request: web.Request) -> web.StreamResponse:
        seat, asked = await self._seat_to_act(request), await read_body(request, DoRequest)
        await self._orders.carry_out(seat, asked)
        return await self._view_now(request)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        seat, asked = await self._seat_to_act(request), await read_body(request, AnswerRequest)
        await self._orders.answer(seat, asked)
        return await self._view_now(request)

    async def _battle(self, request: web.Request) -> web.StreamResponse:
        """Answer with the key of a link to the game of a battle in which the seat takes part."""
        seat, asked = await self._seat_to_act(request), await read_body(request, BattleRequest)
        fought = await self._games.battle_games.find(seat.game, seat.session.user.id, asked.battle)
        return await answer_json({"key": await self._sessions.make_link(fought, seat.session.user)})

    async def _dispatch(self, request: web.Request) -> web.StreamResponse:
        seat, asked = await self._seat_to_act(request), await read_body(request, DispatchRequest)
        await self._dispatches.write(seat, asked)
        return await self._view_now(request)

    async def _seat_to_act(self, request: web.Request) -> Seat:
        seat = await self._seats.find(request)
        self._limit.count(seat.session.id)
        return seat

    # News.

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        seat = await self._seat_to_read(request)
        response = web.StreamResponse(headers=HEADERS)
        self._seats.renew_cookie(request, response)
        return await send_news(request, response, self._news, seat)


class SessionRequest(BaseModel):
    """Request for a session: the key of a link."""

    key: str


def _whole_view(seat: Seat, shown: Seat, stored: StoredSheet | None) -> Mapping[str, Any]:
    """Return the view of `shown`, with the tools of the seat itself."""
    by_hand = {"umpire": umpire_json(seat, shown.viewer), "setUp": set_up_json(seat)}
    return {**view_json(shown, stored), **by_hand, "ownProgress": seat.progress}


def _named_scene(seat: Seat, name: str) -> Scene | None:
    """Return the scene that the seat sees, or None if its ground has another name."""
    scene = seat.game.ruleset.scene(seat.state, seat.viewer)
    return scene if name == ground_name(scene, seat.game.photograph) else None
