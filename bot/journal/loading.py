"""Load a game from the database: first all data except the state, then the state."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Row, Select, bindparam, exists, func, literal_column, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables import ENTRIES, GAMES, PHOTOGRAPHS, ROOMS, SEATS, SEEDS
from rules.core.automaton.levels import Level
from rules.core.ruleset import Ruleset
from rules.core.state import State

from .audience import read_viewers
from .game import Actor, Game, Seed
from .seats import Seat
from .throw_numbers import read_counts
from .unreadable_games import UnreadableRuleset, make_stand_in_state

FROM_DISCORD = ENTRIES.c.interaction != literal_column("0")
"""SQL condition of the partial index on interactions; queries must repeat it to use the index."""

_HEAD_OF = select(func.max(ENTRIES.c.seq)).where(ENTRIES.c.game == GAMES.c.id).scalar_subquery().label("head")
_HEAD = select(GAMES.c.id, _HEAD_OF)
BY_ID: Select[Any] = _HEAD.where(GAMES.c.id == bindparam("key"))
RUNNING: Select[Any] = _HEAD.where(GAMES.c.channel == bindparam("key"), GAMES.c.ended.is_(None))
_NEWEST_FIRST = GAMES.c.ended.is_(None).desc(), GAMES.c.started.desc()
RUNNING_OR_LAST: Select[Any] = _HEAD.where(GAMES.c.channel == bindparam("key")).order_by(*_NEWEST_FIRST).limit(1)
"""Selects a game's id, and the number of the newest entry as `head`, like `BY_ID` and `RUNNING`."""

_CHANGED = exists().where(ENTRIES.c.game == GAMES.c.id, ENTRIES.c.interaction == bindparam("interaction"), FROM_DISCORD)
RUNNING_OR_CHANGED: Select[Any] = (
    _HEAD.where(GAMES.c.channel == bindparam("key"), or_(GAMES.c.ended.is_(None), _CHANGED))
    .order_by(*_NEWEST_FIRST)
    .limit(1)
)
"""Selects the channel's running game, or else the last game that `interaction` changed."""

_NEWEST_ENTRY = (
    select(
        GAMES,
        ENTRIES.c.seq,
        ENTRIES.c.turn,
        ENTRIES.c.state_seq.label("present_state_seq"),
        ENTRIES.c.public,
        ENTRIES.c.thrown.label("last_throw"),
        ENTRIES.c.hidden,
        ENTRIES.c.waits,
    )
    .join(ENTRIES, ENTRIES.c.game == GAMES.c.id)
    .where(GAMES.c.id == bindparam("key"))
    .order_by(ENTRIES.c.seq.desc())
    .limit(1)
)
_SEATS = select(SEATS).where(SEATS.c.game == bindparam("key")).order_by(SEATS.c.name)
_SEEDS = select(SEEDS).where(SEEDS.c.game == bindparam("key")).order_by(SEEDS.c.epoch, SEEDS.c.hidden)
_PHOTOGRAPH = (
    select(PHOTOGRAPHS.c.jpeg)
    .where(PHOTOGRAPHS.c.game == bindparam("key"), PHOTOGRAPHS.c.seq > 0)
    .order_by(PHOTOGRAPHS.c.seq.desc())
    .limit(1)
)
_ROOMS = select(ROOMS.c.side, ROOMS.c.thread).where(ROOMS.c.game == bindparam("key"), ROOMS.c.thread > 0)


@dataclass(frozen=True)
class StoredGame:
    """All data of a game except the state. `secrets` are the secret seeds by seal."""

    row: Row[Any]
    ruleset: Ruleset[Any] | None
    """The rule system, or None if this program lacks it."""
    seats: tuple[Seat, ...]
    seeds: tuple[Seed, ...]
    secrets: Mapping[str, bytes]
    photograph: bytes | None
    rooms: Mapping[str, int]

    def to_game(self, state: State) -> Game:
        """Return the complete game, with `state` as the present state."""
        assert self.ruleset is not None, "a state is read by its rule system"
        return self._make_game(self.ruleset, state)

    def to_unreadable_game(self) -> Game:
        """Return the game with stand-ins for the rule system and the state."""
        system = UnreadableRuleset(self.row.ruleset, self.ruleset)
        state = make_stand_in_state(system.id, (seat.side for seat in self.seats), self.row.turn)
        return replace(self._make_game(system, state), state_is_readable=False)

    def _make_game(self, ruleset: Ruleset[Any], state: State) -> Game:
        row = self.row
        return Game(
            id=row.id,
            channel=row.channel,
            guild=row.guild,
            name=row.name,
            ruleset=ruleset,
            umpire=Actor(row.umpire, row.umpire_name),
            seats=self.seats,
            seq=row.seq,
            state=state,
            seal=next(seed.seal for seed in reversed(self.seeds) if not seed.hidden),
            started=row.started,
            ended=row.ended,
            counts=read_counts(row.public, row.last_throw, row.hidden),
            state_seq=row.present_state_seq,
            seeds=self.seeds,
            waits=read_viewers(row.waits),
            detail=row.detail,
            palette=row.palette,
            last_sides={int(user): side for user, side in (row.held or {}).items()},
            photograph=self.photograph,
            rooms=self.rooms,
        )


async def load_stored_game(
    connection: AsyncConnection, game_id: str, rulesets: Mapping[str, Ruleset[Any]]
) -> StoredGame:
    """Load an existing game without its state.

    If another process writes an entry between two queries, the loaded game is outdated, and the caller loads it again.
    """
    key = {"key": game_id}
    row = (await connection.execute(_NEWEST_ENTRY, key)).one()
    seats = (await connection.execute(_SEATS, key)).all()
    seeds = (await connection.execute(_SEEDS, key)).all()
    return StoredGame(
        row=row,
        ruleset=rulesets.get(row.ruleset),
        seats=tuple(_parse_seat(seat) for seat in seats),
        seeds=tuple(_parse_seed(seed) for seed in seeds),
        secrets={seed.seal: seed.seed for seed in seeds if seed.seed is not None},
        photograph=await connection.scalar(_PHOTOGRAPH, key),
        rooms={row.side: row.thread for row in await connection.execute(_ROOMS, key)},
    )


def _parse_seat(row: Row[Any]) -> Seat:
    level = Level(row.level) if row.level is not None else None
    return Seat(row.user, row.name, row.side, level, row.rests, row.until)


def _parse_seed(row: Row[Any]) -> Seed:
    secret = row.seed.hex() if row.seed is not None and row.revealed else None
    return Seed(row.epoch, row.hidden, row.tag, row.seal, secret)
