"""Pauses of a game's clock, by the umpire or by agreement of all players, and absences of single players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.engine import Connection

from bot.errors import Stale, UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game, Played
from bot.store.changes import Change
from bot.store.queries import fetch_rows, fetch_value
from bot.store.tables import ENTRIES, STOPS
from rules.core.model import PUBLIC
from rules.core.report import Report

from .clock import ClockReadingService
from .clock_change import NO_CLOCK
from .import_boundary import since_import_condition
from .moments import parse_moment
from .rights import require_participant
from .stops import EVERYONE, GameStops
from .time_zones import Zone, parse_zone
from .turn_time import ClockStop

PAUSED, RESUMED, ASKED, AWAY = "game pause", "game resume", "game ask pause", "game away"
"""Kinds of entries. ASKED is a player's request to pause or resume the game, or a player's consent to this."""
NOT_PAUSED = "The clock is running: there is nothing to resume."
FOREVER = ("", "open", "further notice", "resumed", "-", "yes", "true")
"""Words for a pause without a known end."""
NO_TIME = "That absence ends when it begins. A day means its beginning: give the day after as until."
NOT_AWAY = "You are here: no absence of yours lasts or is planned."
NO_LONGER = "That was asked of another moment. Ask again with /game clock."


@dataclass(frozen=True)
class PauseRequest:
    """A request to pause the game, or with `resumes` to end the pause.

    If `until` is None, the pause lasts until the game is resumed.
    """

    until: datetime | None = None
    resumes: bool = False

    @property
    def document(self) -> dict[str, Any]:
        """The request as stored in the journal."""
        return {"resumes": self.resumes, "until": self.until and self.until.isoformat()}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "PauseRequest":
        """Parse a request stored in the journal."""
        until = document.get("until")
        return cls(until and datetime.fromisoformat(until), bool(document.get("resumes")))


@dataclass(frozen=True)
class OpenRequest:
    """A request to which some players have not agreed yet, and the users who have.

    `entry` is the number of the newest entry about the request.
    """

    entry: int
    request: PauseRequest
    agreed: frozenset[int]


@dataclass(frozen=True)
class _PauseFacts:
    """Facts that decide whether a request pauses or resumes the game.

    `missing` are the names of the players who must still agree. `together` is False if the umpire or a single
    player decides alone.
    """

    stops: GameStops
    now: datetime
    missing: tuple[str, ...]
    together: bool


class Pauses(ClockReadingService):
    """Service for pauses and absences."""

    async def parse_request(self, game: Game, words: str, zone: str | None = None) -> PauseRequest:
        """Parse the typed end of a pause, such as `monday` or `further notice`. Raises UserError, Refused."""
        if words.strip().casefold() in FOREVER:
            return PauseRequest()
        return PauseRequest(parse_moment(words, self._clocks.now(), await self.find_zone(game, zone)))

    async def pause_or_resume(
        self, channel: int, actor: Actor, request: PauseRequest, *, interaction: int = 0
    ) -> Played:
        """Pause or resume the game if the umpire asks or all players agree, else store the actor's consent.

        Raises NotAllowed for onlookers, UserError without a clock, or if there is no pause to end.
        """
        read = partial(self._load_pause_facts, actor=actor, request=request)
        work = partial(_draft_pause_or_consent, actor, request)
        return (await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction))[0]

    async def agree_to_request(
        self, channel: int, actor: Actor, game: str, entry: int, *, interaction: int = 0
    ) -> Played:
        """Agree to the request in entry number `entry`. If all players have agreed, pause or resume the game.

        Raises Stale if there is no request or the requested pause is over, and all errors of `pause_or_resume`.
        """
        of_entry = ENTRIES.c.game == game, ENTRIES.c.public == entry, ENTRIES.c.kind == ASKED
        query = select(ENTRIES.c.action).where(*of_entry, since_import_condition(game))
        document = await fetch_value(self._ledger.store, query)
        request = None if document is None else PauseRequest.from_document(document)
        if request is None or (request.until is not None and request.until <= self._clocks.now()):
            raise Stale(NO_LONGER)
        return await self.pause_or_resume(channel, actor, request, interaction=interaction)

    async def load_open_requests(self, game: Game) -> Sequence[OpenRequest]:
        """Return the requests to which players must still agree, unless the requested pause is over."""
        now = self._clocks.now()
        requests = await self._load_requests(game)
        return [asked for asked in requests if asked.request.until is None or asked.request.until > now]

    async def _load_requests(self, game: Game) -> Sequence[OpenRequest]:
        """Return the requests made since the last pause began or ended, each only once."""
        query = select(ENTRIES.c.public, ENTRIES.c.actor, ENTRIES.c.action, ENTRIES.c.kind).where(
            ENTRIES.c.game == game.id, ENTRIES.c.kind.in_((ASKED, PAUSED, RESUMED)), since_import_condition(game.id)
        )
        requests: dict[PauseRequest, OpenRequest] = {}
        for row in await fetch_rows(self._ledger.store, query.order_by(ENTRIES.c.seq)):
            request = PauseRequest.from_document(row.action)
            if row.kind != ASKED:
                requests = {}
            else:
                before = requests[request].agreed if request in requests else frozenset()
                requests[request] = OpenRequest(row.public, request, before | {row.actor})
        return [*requests.values()]

    async def set_absence(
        self,
        channel: int,
        actor: Actor,
        until: str,
        *,
        begins: str | None = None,
        zone: str | None = None,
        interaction: int = 0,
    ) -> tuple[Played, ClockStop]:
        """Store an absence of the actor, and return its entry and the absence.

        If `until` means now, the present absence ends. A new absence replaces planned ones. Raises UserError,
        Refused, NotAllowed for onlookers.
        """
        game, now = await self._ledger.running_game(channel), self._clocks.now()
        time_zone = await self.find_zone(game, zone)
        start = now if begins is None else parse_moment(begins, now, time_zone, begins=True)
        absence = ClockStop(start, parse_moment(until, now, time_zone, since=start))
        if absence.ends is not None and absence.ends < start:
            raise UserError("That absence ends before it begins.")
        if absence.ends == start and start > now:
            raise UserError(NO_TIME)
        draft = partial(_draft_absence, actor=actor, absence=absence, now=now)
        read = self._clocks.load_stops
        played = await self._ledger.read_and_change(channel, actor, read, draft, interaction=interaction)
        return played[0], absence

    async def find_zone(self, game: Game, words: str | None) -> Zone:
        """Return the time zone named `words`, or by default the zone of the game's clock, or UTC.

        Raises Refused for an unknown name.
        """
        if words is not None:
            return parse_zone(words)
        clock = await self._clocks.load_clock(game)
        if clock is not None and clock.daily_end is not None:
            return clock.daily_end.zone
        return clock.quiet.zone if clock is not None and clock.quiet is not None else parse_zone("UTC")

    async def _load_pause_facts(self, game: Game, actor: Actor, request: PauseRequest) -> _PauseFacts:
        """Return the stops, and the players who must still agree, if any. Raises UserError, NotAllowed."""
        if await self._clocks.load_clock(game) is None:
            raise UserError(NO_CLOCK)
        refusal = f"This is for the umpire, {game.umpire.name}, or for the players, all together."
        require_participant(game, actor, refusal)
        requests = await self._load_requests(game)
        same_requests = (open_request for open_request in requests if open_request.request == request)
        agreed = {actor.id}.union(*(open_request.agreed for open_request in same_requests))
        players = [] if game.is_umpire(actor.id) else [seat for seat in game.seats if not seat.is_bot]
        missing = tuple(seat.name for seat in players if seat.user not in agreed)
        stops = await self._clocks.load_stops(game)
        return _PauseFacts(stops, self._clocks.now(), missing, together=len(players) > 1)


def find_pause_at(stops: GameStops, moment: datetime) -> ClockStop | None:
    """Return the pause of the whole game at a moment, or None."""
    return next((pause for pause in stops.pauses if pause.covers(moment)), None)


def _draft_pause_or_consent(actor: Actor, request: PauseRequest, game: Game, facts: _PauseFacts) -> Draft:
    """Draft a pause, the end of a pause, or the actor's consent. Raises UserError if there is no pause to end."""
    if request.resumes and find_pause_at(facts.stops, facts.now) is None:
        raise UserError(NOT_PAUSED)
    if facts.missing:
        outcome = f"Still to agree: {', '.join(facts.missing)}; or the umpire, {game.umpire.name}, decides."
        headline = f"{actor.name} asks to {describe_request(request)}"
        report = Report(headline=headline, outcome=outcome, side=game.viewer(actor.id))
        return Draft(ASKED, report, action=request.document, side=game.viewer(actor.id))
    own_decision = f"{actor.name} lets the clock run on" if request.resumes else f"{actor.name} stops the clock"
    joint_decision = f"All players have agreed: the clock {'runs on' if request.resumes else 'stands still'}"
    headline = joint_decision if facts.together else own_decision
    outcome = "" if request.resumes else f"Until {describe_pause_end(request.until)}."
    return Draft(
        RESUMED if request.resumes else PAUSED,
        Report(headline=headline, outcome=outcome, side=PUBLIC),
        action=request.document,
        side=PUBLIC,
        changes=[partial(_store_pause, game=game.id, request=request, now=facts.now)],
    )


def describe_request(request: PauseRequest) -> str:
    """Return the request in words, such as `stop the clock until 24 Dec 2026, 00:00 UTC`."""
    return "let the clock run on" if request.resumes else f"stop the clock until {describe_pause_end(request.until)}"


def describe_pause_end(until: datetime | None) -> str:
    """Return the end of a pause in words: `24 Dec 2026, 00:00 UTC`, or `further notice`."""
    return "further notice" if until is None else f"{until.day} {until:%b %Y, %H:%M} UTC"


def _store_pause(connection: Connection, game: str, request: PauseRequest, now: datetime) -> None:
    """Store the requested pause from `now` on, or end the present pause.

    During a pause, a request only changes its end.
    """
    conditions = STOPS.c.game == game, STOPS.c.user == EVERYONE, or_(STOPS.c.ends.is_(None), STOPS.c.ends > now)
    ends = now if request.resumes else request.until
    if not connection.execute(update(STOPS).where(*conditions).values(ends=ends)).rowcount:
        connection.execute(insert(STOPS).values(game=game, user=EVERYONE, begins=now, ends=ends))


def _draft_absence(game: Game, stops: GameStops, actor: Actor, absence: ClockStop, now: datetime) -> Draft:
    """Draft the entry of an absence. Raises NotAllowed for onlookers, UserError for an end without an absence."""
    require_participant(game, actor, "Only players and the umpire can be away, and you are neither.")
    ends = absence.ends is None or absence.ends > absence.begins
    own = stops.by_user.get(actor.id, ())
    if not ends and all(stop.ends is not None and stop.ends <= now for stop in own):
        raise UserError(NOT_AWAY)
    is_away = any(stop.covers(now) for stop in own)
    back = f"{actor.name} is back" if is_away else f"{actor.name} will not be away after all"
    headline = f"{actor.name} is away" if ends else back
    begins = "" if absence.begins <= now else f"from {describe_pause_end(absence.begins)} "
    outcome = f"{begins}until {describe_pause_end(absence.ends)}." if ends else ""
    report = Report(headline=headline, outcome=outcome, side=PUBLIC)
    times = {"from": absence.begins.isoformat(), "until": absence.ends and absence.ends.isoformat()}
    changes = _absence_changes(game.id, actor.id, absence, now)
    return Draft(AWAY, report, action=times, side=game.viewer(actor.id), changes=changes)


def _absence_changes(game: str, user: int, absence: ClockStop, now: datetime) -> Sequence[Change]:
    """Return the database changes that store an absence and delete the user's planned absences.

    An older absence ends at the latest when the new one begins.
    """
    own_rows = STOPS.c.game == game, STOPS.c.user == user
    lasts_longer = or_(STOPS.c.ends.is_(None), STOPS.c.ends > absence.begins)
    changes: list[Change] = [
        delete(STOPS).where(*own_rows, or_(STOPS.c.begins > now, STOPS.c.begins == absence.begins)),
        update(STOPS).where(*own_rows, lasts_longer).values(ends=absence.begins),
    ]
    if absence.ends is None or absence.ends > absence.begins:
        changes.append(insert(STOPS).values(game=game, user=user, begins=absence.begins, ends=absence.ends))
    return changes
