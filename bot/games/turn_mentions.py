"""Decide which users to mention after an entry, and what happened since their last turn."""

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from bot.journal.drafts import READ_COLUMNS
from bot.journal.game import Actor, Game, Played
from bot.journal.seats import Seat
from bot.store.queries import fetch_rows, fetch_value, fetch_values
from bot.store.tables import ENTRIES, SILENT
from rules.core.model import UMPIRE, Viewer
from rules.core.ruleset import Ruleset
from rules.core.state import State

from .clock import ClockReadingService
from .history import find_last_wait_for_sides, public_action_conditions
from .rights import require_participant

MOST_LINES = 3
"""Maximum number of headlines in a turn message."""


@dataclass(frozen=True)
class TurnCall:
    """The call to the next turn: the called sides, and the users to mention.

    `since` are public headlines since the last turn of these sides, newest last; `besides` is the number of omitted
    headlines.
    """

    sides: tuple[Viewer, ...] = ()
    users: tuple[int, ...] = ()
    since: tuple[str, ...] = ()
    besides: int = 0
    ends: datetime | None = None
    """Earliest deadline of `sides`, None without clock."""
    has_live_map: bool = False


def newly_awaited_sides(*played: Played) -> tuple[Viewer, ...]:
    """Return the sides that became awaited during `played`.

    If turns end for all sides at once, a new turn makes every awaited side new.
    """
    last = played[-1]
    if last.game.ruleset.ends_turn_at_deadline and last.game.state.turn != played[0].before.turn:
        return tuple(sorted(last.waits))
    return tuple(sorted(side for side in last.waits if any(side not in action.waited for action in played)))


def sides_to_call(*played: Played) -> tuple[Viewer, ...]:
    """Return the sides that became awaited or able to act during `played`. This is slow; run it in a thread."""
    first, last = played[0], played[-1]
    before = _sides_able_to_act(last.game.ruleset, first.before, first.waited)
    after = _sides_able_to_act(last.game.ruleset, last.game.state, last.waits)
    new_sides = {*newly_awaited_sides(*played)}
    return tuple(sorted(side for side in after if side in new_sides or side not in before))


def _sides_able_to_act(system: Ruleset[Any], state: State, waits: frozenset[Viewer]) -> frozenset[Viewer]:
    """Return the sides in `waits` that can act now.

    While another side must answer a required prompt, a side needs a legal action.
    """
    if len(waits) < 2:
        return waits
    owing_sides = waits & {prompt.side for prompt in system.open_prompts(state) if prompt.required}
    held_up_sides = {side for side in waits - owing_sides if owing_sides and not _has_legal_action(system, state, side)}
    return waits - held_up_sides


def _has_legal_action(system: Ruleset[Any], state: State, side: Viewer) -> bool:
    """Whether the side has any legal action now."""
    return any(True for _ in system.legal_actions(system.view(state, side), side))


def users_to_mention(game: Game, sides: Collection[Viewer], but: Collection[int] = ()) -> tuple[int, ...]:
    """Return the user ids of the players of `sides`, without the user ids in `but`.

    For a side without players, return the players of the side that represents it, or else the umpire.
    """
    deputies = {side: _representing_seats(game, side) for side in sides if side != UMPIRE and not game.players(side)}
    seats = [seat for side in sides if side != UMPIRE for seat in game.players(side) or deputies[side]]
    empty = {*sides} - {seat.side for seat in seats} - {side for side, holders in deputies.items() if holders}
    users = [seat.user for seat in seats if not seat.is_bot]
    users += [game.umpire.id] if empty else []
    return tuple(dict.fromkeys(user for user in users if user not in but))


def _representing_seats(game: Game, side: Viewer) -> Sequence[Seat]:
    """Return the seats of human players whose side represents the absent side `side`."""
    deputies = (other.id for other in game.state.sides if side in game.state.sides_represented_by(other.id))
    return [seat for deputy in deputies for seat in game.players(deputy) if not seat.is_bot]


class TurnMentions(ClockReadingService):
    """Service that decides whom to mention when a turn begins."""

    async def make_turn_call(self, *played: Played, present: int | None = None) -> TurnCall:
        """Return the call to the sides that became awaited or able to act during `played`.

        Do not mention users who want no mentions, and the user `present`, who reads the message as an answer.
        """
        sides = await asyncio.to_thread(sides_to_call, *played)
        if not sides:
            return TurnCall()
        last = played[-1]
        users = users_to_mention(last.game, sides, () if present is None else (present,))
        silent = await self.load_silent_users(last.game) if users else frozenset[int]()
        mentioned = tuple(user for user in users if user not in silent)
        begins = played[0].before.is_being_set_up
        lines, omitted = ((), 0) if begins else await self._load_headlines(last.game, last.entry.seq, sides)
        ends = [deadline.ends for deadline in await self._clocks.load_deadlines(last.game) if deadline.side in sides]
        return TurnCall(sides, mentioned, lines, omitted, min(ends, default=None))

    async def make_umpire_call(self, game: Game, *, present: int) -> TurnCall:
        """Return the call to the umpire, or an empty call if the umpire is not awaited.

        The umpire is also awaited for sides without players. The call does not mention the user `present`.
        """
        sides = tuple(sorted(side for side in game.awaited_viewers if side == UMPIRE or not game.players(side)))
        silent = await self.load_silent_users(game)
        return TurnCall(sides, tuple(user for user in users_to_mention(game, sides, (present,)) if user not in silent))

    async def set_silent(self, game: Game, actor: Actor, *, quiet: bool) -> None:
        """Turn the actor's mentions in this game off if `quiet`, else on. Raises NotAllowed for onlookers."""
        onlooker = "Only players and the umpire are mentioned, and you are neither. Nothing was changed."
        require_participant(game, actor, onlooker)
        delete_mine = delete(SILENT).where(SILENT.c.game == game.id, SILENT.c.user == actor.id)
        insert_mine = insert(SILENT).values(game=game.id, user=actor.id)
        with suppress(IntegrityError):  # another process has just inserted the same row
            await self._ledger.store.writer.execute(delete_mine, *([insert_mine] if quiet else []))

    async def load_live_message(self, game: str) -> int | None:
        """Return the id of the newest live message stored in the journal, or None.

        An entry stores the live message that was sent before it, so the journal may lag by one message.
        """
        conditions = ENTRIES.c.game == game, ENTRIES.c.message.is_not(None)
        newest = select(ENTRIES.c.message).where(*conditions).order_by(ENTRIES.c.seq.desc()).limit(1)
        return await fetch_value(self._ledger.store, newest)

    async def load_silent_users(self, game: Game) -> frozenset[int]:
        """Return the users who want no mentions in this game."""
        silent = select(SILENT.c.user).where(SILENT.c.game == game.id)
        return frozenset(await fetch_values(self._ledger.store, silent))

    async def _load_headlines(self, game: Game, seq: int, sides: Sequence[Viewer]) -> tuple[tuple[str, ...], int]:
        """Return headlines since the game last waited for `sides`, and the number of omitted headlines.

        The headlines report at most MOST_LINES public unit actions. Actions without a target, such as moves,
        are omitted first, because the map shows them.
        """
        unit_actions = [kind for kind, action in game.ruleset.actions.items() if action.is_unit_action]
        at_somebody = [kind for kind in unit_actions if "target" in game.ruleset.actions[kind].model_fields]
        last = await find_last_wait_for_sides(self._ledger, game.id, seq, sides)
        query = select(ENTRIES.c.seq).where(*public_action_conditions(game.id, last, seq, unit_actions))
        query = query.order_by(ENTRIES.c.kind.not_in(at_somebody), ENTRIES.c.seq.desc())
        seqs = await fetch_values(self._ledger.store, query)
        row_query = select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, ENTRIES.c.seq.in_(seqs[:MOST_LINES]))
        rows = await fetch_rows(self._ledger.store, row_query.order_by(ENTRIES.c.seq)) if seqs else ()
        entries = await self._ledger.parse_rows(game, rows)
        return tuple(entry.report.headline for entry in entries), max(len(seqs) - MOST_LINES, 0)
