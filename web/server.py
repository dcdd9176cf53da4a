"""The web server of the live map: its routes, and the headers of every answer."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from aiohttp import web
from pydantic import BaseModel, ValidationError

from bot.errors import DatabaseUnavailable, NoGame, NotAllowed, Stale, UserError
from bot.games.idle_turns import IdleTurnRefusal
from bot.page.channel_announcer import ChannelAnnouncer
from bot.page.sessions import WebSessions
from bot.services import Games
from bot.store import Store
from bot.workers import Workers
from rules.core.hexboard.hex_scene import HexScene, Scene
from rules.core.refusal import Refused
from rules.core.scene import Symbol

from .answers import answer_error, answer_json, read_body
from .api import Api, Handler, with_chosen_viewer
from .connections import IDLE, limit_connections, send_response
from .ground import ground_name
from .ground_cache import GroundCache
from .news import PageNews
from .page_files import answer_page_file
from .rate_limit import TooManyRequests
from .sessions import PageSeat, SeatFinder
from .streams import send_news
from .symbols import symbol_svg

log = logging.getLogger(__name__)

MOST_BODY = 64 * 1024
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
STATUS: tuple[tuple[type[Exception], int], ...] = (
    (IdleTurnRefusal, 428),
    (TooManyRequests, 429),
    (Stale, 409),
    (NotAllowed, 403),
    (NoGame, 404),
    (DatabaseUnavailable, 503),
    (Refused, 422),
    (UserError, 400),
)


@dataclass(frozen=True)
class Address:
    """The page's public address for browsers, and the host and port on which the server listens."""

    url: str
    host: str
    port: int

    @property
    def origin(self) -> str:
        """The origin that browsers send with requests from the page."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def is_secure(self) -> bool:
        """Whether the page is served over https."""
        return urlsplit(self.url).scheme == "https"


class LiveMap:
    """The server of the live map."""

    def __init__(
        self,
        games: Games,
        store: Store,
        sessions: WebSessions,
        workers: Workers,
        announcer: ChannelAnnouncer,
        address: Address,
    ) -> None:
        self._address, self._sessions = address, sessions
        self._seats = SeatFinder(games, sessions, secure=address.is_secure)
        self._api = Api(games, sessions, self._seats, announcer)
        self._grounds, self._news = GroundCache(workers), PageNews(games, store, sessions, self._seats)
        self._runner: web.AppRunner | None = None
        self._listener: asyncio.Server | None = None

    async def start(self) -> str:
        """Start the server, and return the address for browsers. Raises OSError if the port cannot be used.

        Port 0 means any free port. An https address is a proxy's, and stays unchanged.
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
        """Stop the server, and end the news of all open pages."""
        if self._listener is not None:
            self._listener.close()
        await self._news.close()
        if self._runner is not None:
            await self._runner.cleanup()

    def make_app(self) -> web.Application:
        """Return the web application with all routes."""
        app = web.Application(middlewares=[self._add_headers, self._answer_errors], client_max_size=MOST_BODY)
        app.router.add_get("/", self._serve_page)
        app.router.add_get("/favicon.ico", self._serve_icon)
        app.router.add_get("/assets/{name}", self._serve_asset)
        app.router.add_get("/ground/{name}", self._serve_ground)
        app.router.add_get("/api/symbols", self._serve_symbols)
        app.router.add_get("/api/news", self._serve_news)
        app.router.add_post("/api/session", self._open_session)
        self._api.add_routes(app)
        return app

    # Middlewares.

    @web.middleware
    async def _add_headers(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            response = await handler(request)
        except web.HTTPException as error:
            response = answer_error(error.status, error.reason or "")
        if not response.prepared:
            self._seats.renew_cookie(request, response)
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            response.headers.setdefault("Cache-Control", NO_STORE)
            await send_response(request, response)
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
        """Raise NotAllowed unless the live map's own page sent the request, with a JSON body."""
        site = request.headers.get("Sec-Fetch-Site", "same-origin")
        if request.headers.get("Origin") != self._address.origin or site != "same-origin":
            raise NotAllowed("That request did not come from this page.")
        if request.content_type != "application/json":
            raise NotAllowed("Requests are sent as JSON.")

    # The page and its files.

    async def _serve_page(self, request: web.Request) -> web.StreamResponse:
        return await answer_page_file(request, "index.html")

    async def _serve_icon(self, _: web.Request) -> web.StreamResponse:
        return web.Response(status=204, headers={"Cache-Control": "public, max-age=86400"})

    async def _serve_asset(self, request: web.Request) -> web.StreamResponse:
        response = await answer_page_file(request, request.match_info["name"])
        response.headers["Cache-Control"] = "no-cache"
        return response

    async def _serve_symbols(self, _: web.Request) -> web.StreamResponse:
        symbols = {symbol.value: symbol_svg(symbol) for symbol in Symbol}
        return web.json_response(symbols, headers={"Cache-Control": "public, max-age=3600"})

    async def _serve_ground(self, request: web.Request) -> web.StreamResponse:
        seat = with_chosen_viewer(await self._api.find_steady_seat_to_act(request), request)
        name, _, size = request.match_info["name"].partition("-")
        scene = await asyncio.to_thread(_find_scene_with_ground, seat, name)
        if scene is None or size not in ("small", "large"):
            raise web.HTTPNotFound
        photograph = seat.game.photograph
        picture = (
            (photograph, "image/jpeg")
            if photograph and not isinstance(scene, HexScene)
            else await self._grounds.get_picture(name, scene, large=size == "large", photograph=photograph)
        )
        headers = {"Cache-Control": "private, max-age=31536000, immutable"}
        return web.Response(body=picture[0], content_type=picture[1], headers=headers)

    # Sessions, and their news.

    async def _open_session(self, request: web.Request) -> web.StreamResponse:
        new = await self._sessions.open_session((await read_body(request, SessionRequest)).key)
        response = await answer_json({"seat": new.session.id})
        self._seats.set_cookie(response, new.session.id, new.secret)
        await self._seats.delete_ended_cookies(request, response)
        return response

    async def _serve_news(self, request: web.Request) -> web.StreamResponse:
        seat = await self._api.find_seat_to_read(request)
        response = web.StreamResponse(headers=HEADERS)
        self._seats.renew_cookie(request, response)
        return await send_news(request, response, self._news, seat)


class SessionRequest(BaseModel):
    """Request to open a session with the key of a link."""

    key: str


def _find_scene_with_ground(seat: PageSeat, name: str) -> Scene | None:
    """Return the seat's scene if its ground has the name `name`, otherwise None."""
    scene = seat.game.ruleset.scene(seat.state, seat.viewer)
    return scene if name == ground_name(scene, seat.game.photograph) else None
