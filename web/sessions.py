"""Session cookies, and the seat of each request. Whether the user still has the seat is checked at every request."""

from dataclasses import dataclass

from aiohttp import web

from bot.errors import NotAllowed, UnreadableGame
from bot.journal.game import Game
from bot.page.sessions import IDLE_LASTS, TOKEN, WebSession, WebSessions
from bot.services import Games
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.state import State

SEAT = "seat"
"""Name of the query parameter with the session's id. The header `X-Seat` contains the same id."""
LEFT = "You no longer have this seat. /page open gives you a link for the seat that you have now."
RENEWED: web.RequestKey[tuple[str, str]] = web.RequestKey("renewed", tuple)
"""Key under which a request stores its session's id and secret, if the session was renewed."""


@dataclass(frozen=True)
class PageSeat:
    """The seat of a request's user: the session, its game, and the viewer whose view is shown."""

    session: WebSession
    game: Game
    viewer: Viewer

    @property
    def state(self) -> State:
        """The game's present state."""
        return self.game.state

    @property
    def view(self) -> State:
        """The viewer's view of the game's present state."""
        view: State = self.game.ruleset.view(self.game.state, self.viewer)
        return view

    @property
    def has_sheet(self) -> bool:
        """Whether the user has an order sheet. Players and the umpire have one until the game ends."""
        return self.viewer != PUBLIC and self.game.ended is None

    @property
    def order_side(self) -> Viewer:
        """The side of the user's order sheet, or UMPIRE for a sheet that may order every unit."""
        return self.game.sheet_viewer(self.session.user.id)

    @property
    def role(self) -> str:
        """The user's role: `umpire`, `player` or `onlooker`."""
        if self.viewer == UMPIRE:
            return "umpire"
        return "onlooker" if self.viewer == PUBLIC else "player"

    @property
    def progress(self) -> str:
        """The game's progress: a counter of the entries that the viewer may see."""
        return self.game.progress_for(self.viewer)


class SeatFinder:
    """Finds the seat of a request by its session's id and cookie."""

    def __init__(self, games: Games, sessions: WebSessions, *, secure: bool) -> None:
        """Create the finder. `secure`: the page has an https address, so cookies need https."""
        self._games, self._sessions, self._secure = games, sessions, secure

    def _cookie_name(self, session_id: str) -> str:
        return f"{'__Host-' if self._secure else ''}umpire-{session_id}"

    def set_cookie(self, response: web.StreamResponse, session_id: str, secret: str) -> None:
        """Set the cookie with the session's secret, which scripts cannot read."""
        response.set_cookie(
            self._cookie_name(session_id),
            secret,
            max_age=int(IDLE_LASTS.total_seconds()),
            path="/",
            httponly=True,
            secure=self._secure,
            samesite="Strict",
        )

    def renew_cookie(self, request: web.Request, response: web.StreamResponse) -> None:
        """Send the cookie again with a later expiry, if the request renewed its session."""
        renewed = request.get(RENEWED)
        if renewed is not None:
            self.set_cookie(response, *renewed)

    async def delete_ended_cookies(self, request: web.Request, response: web.StreamResponse) -> None:
        """Delete the browser's cookies of ended sessions. Too many cookies would make a request too large."""
        start = self._cookie_name("")
        cookies = (
            (name.removeprefix(start), secret) for name, secret in request.cookies.items() if name.startswith(start)
        )
        secrets_by_id = {session_id: secret for session_id, secret in cookies if TOKEN.fullmatch(session_id)}
        live = await self._sessions.find_authenticated_ids(secrets_by_id)
        for ended in secrets_by_id.keys() - live:
            response.del_cookie(
                self._cookie_name(ended), path="/", httponly=True, secure=self._secure, samesite="Strict"
            )

    async def find(self, request: web.Request) -> PageSeat:
        """Return the seat of a request. Raises NotAllowed without a session, NoGame, and errors of `find_seat_in`."""
        session_id = request.headers.get("X-Seat") or request.query.get(SEAT, "")
        secret = request.cookies.get(self._cookie_name(session_id), "")
        session = await self._sessions.find_session(session_id, secret)
        if session.noted:
            request[RENEWED] = session_id, secret
        return self.find_seat_in(await self._games.game_by_id(session.game), session)

    def find_seat_in(self, game: Game, session: WebSession) -> PageSeat:
        """Return a session's seat in the game. Raises UnreadableGame, or NotAllowed if the user has left the seat."""
        if not game.state_is_readable:
            raise UnreadableGame
        viewer = game.viewer(session.user.id)
        if viewer != session.viewer:
            raise NotAllowed(LEFT)
        return PageSeat(session, game, viewer)
