"""Rooms: the private Discord thread of each side."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Select, and_, delete, insert, or_, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from bot.errors import UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game, Played
from bot.store import Store
from bot.store.changes import Change
from bot.store.queries import fetch_row, fetch_rows, fetch_value
from bot.store.tables import GAMES, ROOMS
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Report

from .service import Service

ROOMS_MADE = "umpire rooms"
"""Kind of the entry for opened rooms."""
LEASE = 60.0
"""Lease of a claim on rooms, in seconds. Afterwards, another process may create the rooms."""
LOOK_EVERY, LOOKS = 0.5, 120
"""Polling interval in seconds, and maximum number of polls, while another process creates rooms."""
EPOCH, TIME_FROM = 1420070400.0, 22
"""How Discord ids contain a time: milliseconds since EPOCH (in Unix seconds), from bit TIME_FROM upwards."""
BEING_MADE = "The rooms are just being made. /umpire rooms in a moment says where they are."


@dataclass(frozen=True)
class Room:
    """A side's room, which is a private Discord thread. `channel` is the channel of the game."""

    thread: int
    game: str
    side: Viewer
    channel: int


@dataclass(frozen=True)
class RoomClaim:
    """A process's claim on the rooms of `sides`, made before the Discord threads exist.

    Each side has a negative number, stored in place of the thread id.
    """

    game: Game
    sides: Mapping[str, int]


class Rooms:
    """Cache of rooms by thread id. Only the first search for a thread asks the database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[int, Room] = {}
        self._none: set[int] = set()

    async def load(self) -> None:
        """Load the rooms of all running games."""
        query = _select_rooms().where(GAMES.c.ended.is_(None))
        for row in await fetch_rows(self._store, query):
            self._known[row.thread] = Room(*row)

    async def find(self, thread: int, now: float) -> Room | None:
        """Return the room with the thread id `thread`, or None. `now` is in Unix seconds.

        None is cached only for older threads, because another process may still store a new room.
        """
        if thread in self._known or thread in self._none:
            return self._known.get(thread)
        row = await fetch_row(self._store, _select_rooms().where(ROOMS.c.thread == thread))
        if row is not None:
            return self._known.setdefault(thread, Room(*row))
        if now - creation_time_of_id(thread) > LEASE:
            self._none.add(thread)
        return None

    def remember(self, game: Game) -> None:
        """Add a game's rooms to the cache."""
        for side, thread in game.rooms.items():
            self._known[thread] = Room(thread, game.id, side, game.channel)

    def existing_rooms(self, game: Game) -> Mapping[str, int]:
        """Return the game's thread ids by side, without threads known to be deleted."""
        return {side: thread for side, thread in game.rooms.items() if thread not in self._none}

    async def delete_room(self, thread: int) -> None:
        """Delete the room of a deleted thread."""
        self._known.pop(thread, None)
        self._none.add(thread)
        await self._store.writer.execute(delete(ROOMS).where(ROOMS.c.thread == thread))


class RoomClaims(Service):
    """Service for new rooms: claim the rooms, then store the created threads with an entry."""

    async def claim(
        self, game: Game, sides: Sequence[str], gone: Sequence[int], *, interaction: int, now: float
    ) -> RoomClaim | None:
        """Claim the rooms of `sides` for this process, and delete the rooms of the deleted threads `gone`.

        If another process creates the rooms for the same interaction, wait for this process and return None.
        Raises UserError if another interaction has claimed or created the rooms. `now` is in Unix seconds.
        """
        claimed = {side: -interaction - place for place, side in enumerate(sides)}

        def store_claim(connection: Connection) -> None:
            of_game = ROOMS.c.game == game.id
            claims = connection.execute(select(ROOMS.c.thread).where(of_game, ROOMS.c.thread < 0)).scalars()
            expired_claims = [number for number in claims if now - creation_time_of_id(-number) > LEASE]
            connection.execute(delete(ROOMS).where(of_game, ROOMS.c.thread.in_([*expired_claims, *gone])))
            for side, number in claimed.items():
                connection.execute(insert(ROOMS), {"game": game.id, "side": side, "thread": number})

        try:
            await self._ledger.store.writer.run(store_claim)
        except IntegrityError:
            if not await self._wait_for_rooms(game, claimed, interaction):
                raise UserError(BEING_MADE) from None
            return None
        return RoomClaim(game, claimed)

    async def _wait_for_rooms(self, game: Game, claimed: Mapping[str, int], interaction: int) -> bool:
        """Wait while another process creates the claimed rooms. Return whether this interaction's rooms exist."""
        claims = (and_(ROOMS.c.side == side, ROOMS.c.thread == number) for side, number in claimed.items())
        query = select(ROOMS.c.thread).where(ROOMS.c.game == game.id, or_(*claims)).limit(1)
        for _ in range(LOOKS):
            if await fetch_value(self._ledger.store, query) is None:
                break
            await asyncio.sleep(LOOK_EVERY)
        return await self._ledger.find_played_action(game.channel, interaction) is not None

    async def store(self, claim: RoomClaim, actor: Actor, threads: Mapping[str, int], *, interaction: int) -> Played:
        """Store the threads created for the claimed rooms (by side), with an entry.

        A claimed room without a thread is released.
        """
        game, work = claim.game, partial(_draft_room_opening, actor=actor, claim=claim, threads=threads)
        return await self._ledger.change(game.channel, actor, work, interaction=interaction, game_id=game.id)

    async def release(self, claim: RoomClaim) -> None:
        """Release the claim. Call this if no room was created."""
        await self._ledger.store.writer.execute(*_make_thread_changes(claim, {}))


def _draft_room_opening(game: Game, actor: Actor, claim: RoomClaim, threads: Mapping[str, int]) -> Draft:
    names = " and ".join(game.the_side(side) for side in threads)
    report = Report(headline=f"{actor.name} opens a room for {names}", side=UMPIRE)
    return Draft(ROOMS_MADE, report, changes=_make_thread_changes(claim, threads))


def creation_time_of_id(snowflake: int) -> float:
    """Return the creation time of a Discord id in Unix seconds."""
    return (snowflake >> TIME_FROM) / 1000 + EPOCH


def _select_rooms() -> Select[Any]:
    of_game = ROOMS.join(GAMES, GAMES.c.id == ROOMS.c.game)
    query = select(ROOMS.c.thread, ROOMS.c.game, ROOMS.c.side, GAMES.c.channel)
    return query.select_from(of_game).where(ROOMS.c.thread > 0)


def _make_thread_changes(claim: RoomClaim, threads: Mapping[str, int]) -> Sequence[Change]:
    """Return the database changes that store the created threads. A claimed room without a thread is released."""
    changes: list[Change] = []
    for side, number in claim.sides.items():
        own = ROOMS.c.game == claim.game.id, ROOMS.c.thread == number
        store = update(ROOMS).where(*own).values(thread=threads.get(side))
        changes.append(store if side in threads else delete(ROOMS).where(*own))
    return changes
