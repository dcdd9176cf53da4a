"""Store order sheets, change them by button presses, and execute due orders with or without a press."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import Row, bindparam, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from bot.errors import OVER, NotAllowed, Stale
from bot.games.act import NO_INTERACTION
from bot.games.action_batch import ActionBatch
from bot.games.service import Service
from bot.journal.drafts import NewEntry
from bot.journal.game import Actor, Game, Played
from bot.journal.ledger import ChangeOptions
from bot.store.queries import fetch_row, fetch_rows
from bot.store.tables import SHEETS
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.own_turn import own_turn_number
from rules.core.ruleset import Ruleset

from .execute import can_end_phase, execute_sheet, has_automatic_orders, has_newly_possible_order
from .model import Sheet, StoredSheet, dump_sheet, parse_sheet
from .standing import has_due_answer_to_other_side, has_due_standing_answers

log = logging.getLogger(__name__)

_ANY = select(SHEETS.c.user).where(SHEETS.c.game == bindparam("key")).limit(1)
"""Selects one sheet of a game. Built only once, because the query runs after every action."""

TRIES = 3
"""Maximum attempts to execute a sheet while its player changes the sheet."""
LOOKS_ON = "You are an onlooker. Take a seat with /game join to give orders."
OLD = "That was an older form of your order sheet. It stands here as it is now."


class OldSheet(Stale):
    """The sheet has changed since the message with the pressed button was sent."""

    def __init__(self) -> None:
        super().__init__(OLD)


@dataclass(frozen=True)
class SheetResult:
    """The game and the sheet after the sheet was changed or executed, and the executed actions."""

    game: Game
    stored: StoredSheet
    played: tuple[Played, ...] = ()


class Sheets(Service):
    """Service for the order sheets of all games. A sheet may be read by its owner and the players of his side."""

    async def load_own_sheet(self, game: Game, actor: Actor) -> StoredSheet:
        """Return the actor's own sheet, empty by default. Raises NotAllowed for an onlooker."""
        viewer = game.sheet_viewer(actor.id)
        if viewer == PUBLIC:
            raise NotAllowed(LOOKS_ON)
        return await self._load_sheet(game, actor.id, viewer)

    async def load_readable_sheet(self, game: Game, actor: Actor, owner: int) -> StoredSheet:
        """Return the sheet of user `owner`. Raises NotAllowed unless the actor may read it."""
        own_sheet = await self.load_own_sheet(game, actor)
        if owner == own_sheet.owner:
            return own_sheet
        if game.sheet_viewer(owner) != own_sheet.side or own_sheet.side == UMPIRE:
            raise NotAllowed("That order sheet is not yours to read: only its player and his side may.")
        return await self._load_sheet(game, owner, own_sheet.side)

    async def revise(
        self,
        channel: int,
        actor: Actor,
        game_id: str,
        revision: int,
        change: Callable[[Game, Sheet], Sheet],
        *,
        interaction: int = NO_INTERACTION,
    ) -> SheetResult:
        """Change the actor's sheet. `change` returns the new sheet, and is called in a thread.

        A repeated interaction changes nothing. Raises OldSheet if the sheet has another revision, Stale if another game
        runs, and the errors of `change`.
        """
        async with self._ledger.lock(channel):
            game = await self._ledger.running_game(channel)
            if game.id != game_id:
                raise Stale(OVER)
            stored = await self.load_own_sheet(game, actor)
            if interaction != NO_INTERACTION and stored.sheet.by == interaction:  # another process was faster
                return SheetResult(game, stored)
            if stored.revision != revision:
                raise OldSheet
            sheet = await asyncio.to_thread(change, game, stored.sheet)
            return SheetResult(game, await self.save(game, stored, sheet.model_copy(update={"by": interaction})))

    async def execute(
        self, channel: int, actor: Actor, game_id: str, revision: int, *, ends_turn: bool = False, interaction: int
    ) -> SheetResult:
        """Execute the due orders of the actor's sheet, and store the remaining sheet in the same transaction.

        The remaining orders are then executed in their phases. With `ends_turn`, the player also ends his turn. A
        repeated interaction gets the earlier result. Raises Stale if another game runs, OldSheet if the sheet has
        another revision.
        """
        try:
            return await self._execute(
                channel, actor, game_id, revision, interaction, automatic=False, ends_turn=ends_turn
            )
        except Stale:
            played = await self._ledger.find_played_actions(channel, interaction)
            if not played:
                raise
            return SheetResult(played[-1].game, await self.load_own_sheet(played[-1].game, actor), played)

    async def has_sheets(self, game: Game) -> bool:
        """Whether any user has an order sheet in the game."""
        async with self._ledger.store.query_connection() as connection:
            return (await connection.execute(_ANY, {"key": game.id})).first() is not None

    async def execute_next_due_sheet(self, channel: int, *, answering: bool = False) -> SheetResult | None:
        """Execute the first of the channel's order sheets that has something due, with its owner's rights.

        Return None if nothing was done. `answering` means that the reply to an interaction announces the entries.
        """
        game = await self._ledger.running_game(channel)
        sheets = await self._load_sheets(game)
        if any(stored.sheet.standing for stored in sheets):  # answers to another side's prompt come before its actions
            sheets = await asyncio.to_thread(
                sorted, sheets, key=lambda stored: not has_due_answer_to_other_side(game, stored)
            )
        for stored in sheets:
            result = await self._execute_if_due(channel, game, stored, answering=answering)
            if result is not None and result.played:
                return result
        return None

    async def _execute_if_due(
        self, channel: int, game: Game, stored: StoredSheet, tries: int = TRIES, *, answering: bool
    ) -> SheetResult | None:
        actor = _find_owner(game, stored)
        if actor is None or not tries or not await asyncio.to_thread(_has_automatic_work, game, stored):
            return None
        try:
            return await self._execute(
                channel, actor, game.id, stored.revision, NO_INTERACTION, automatic=True, answering=answering
            )
        except OldSheet:  # the player has just changed the sheet
            new_sheet = await self._load_sheet(game, stored.owner, stored.side)
            return await self._execute_if_due(channel, game, new_sheet, tries - 1, answering=answering)

    async def take_sheets_with_possible_orders(self, channel: int) -> list[StoredSheet]:
        """Return the sheets with a waiting order that is now possible, but needs a press of a button.

        The orders of these sheets are no longer marked as waiting or refused.
        """
        game = await self._ledger.running_game(channel)
        awakened_sheets = []
        for stored in await self._load_sheets(game):
            if await asyncio.to_thread(has_newly_possible_order, game, stored.sheet, stored.side):
                orders = tuple(order.model_copy(update={"why": "", "waits": False}) for order in stored.sheet.orders)
                with suppress(OldSheet):
                    sheet = stored.sheet.model_copy(update={"orders": orders})
                    awakened_sheets.append(await self.save(game, stored, sheet))
        return awakened_sheets

    async def take_sheets_with_refusals(self, channel: int) -> list[tuple[StoredSheet, int]]:
        """Return each sheet with untold refusals, and the number of these refusals. Mark the refusals as told."""
        game = await self._ledger.running_game(channel)
        refused_sheets = []
        for stored in await self._load_sheets(game):
            if count := stored.sheet.untold_refusal_count:
                with suppress(OldSheet):
                    refused_sheets.append((await self.save(game, stored, stored.sheet.with_refusals_told()), count))
        return refused_sheets

    async def _execute(
        self,
        channel: int,
        actor: Actor,
        game_id: str,
        revision: int,
        interaction: int,
        *,
        automatic: bool,
        ends_turn: bool = False,
        answering: bool = False,
    ) -> SheetResult:
        read = partial(self._require_same_revision, actor=actor, game_id=game_id, revision=revision)
        work = partial(
            self._draft_orders, actor=actor, interaction=interaction, automatic=automatic, ends_turn=ends_turn
        )
        options: ChangeOptions = {"interaction": interaction, "answering": answering}
        try:
            played = await self._ledger.read_and_change(channel, actor, read, work, **options)
        except _NothingDone as nothing:
            before = await self.load_own_sheet(nothing.game, actor)
            if before.revision != revision:
                raise OldSheet from None
            if before.sheet == nothing.sheet:
                return SheetResult(nothing.game, before)
            return SheetResult(nothing.game, await self.save(nothing.game, before, nothing.sheet))
        return SheetResult(played[-1].game, await self.load_own_sheet(played[-1].game, actor), played)

    async def _require_same_revision(self, game: Game, actor: Actor, game_id: str, revision: int) -> StoredSheet:
        """Return the actor's sheet. Raises Stale if the game is over, OldSheet if the sheet has another revision."""
        if game.id != game_id or game.ended is not None:
            raise Stale(OVER)
        own = await self.load_own_sheet(game, actor)
        if own.revision != revision:
            raise OldSheet
        if not own.sheet.standing:
            return own
        return replace(own, fellows=_sheets_of_fellow_players(own, await self._load_sheets(game)))

    def _draft_orders(
        self, game: Game, stored: StoredSheet, actor: Actor, interaction: int, *, automatic: bool, ends_turn: bool
    ) -> Sequence[NewEntry]:
        """Draft the entries of the due orders. The first entry also stores the remaining sheet. Raises _NothingDone."""
        batch = ActionBatch(self._ledger, game, actor, interaction)
        now = {"through": own_turn_number(game.ruleset, game.state, stored.side)} if ends_turn else {}
        due_sheet = stored.sheet if automatic else stored.sheet.model_copy(update={"given": True, **now})
        sheet = execute_sheet(batch, replace(stored, sheet=due_sheet), automatic=automatic)
        if not batch.entries:
            raise _NothingDone(game, sheet)
        save = partial(save_sheet, before=stored, sheet=sheet, system=game.ruleset)
        return [batch.entries[0].with_changes(save), *batch.entries[1:]]

    async def _load_sheet(self, game: Game, owner: int, side: Viewer) -> StoredSheet:
        query = select(SHEETS).where(SHEETS.c.game == game.id, SHEETS.c.user == owner)
        return _read_sheet(game, owner, side, await fetch_row(self._ledger.store, query))

    async def _load_sheets(self, game: Game) -> list[StoredSheet]:
        query = select(SHEETS).where(SHEETS.c.game == game.id).order_by(SHEETS.c.user)
        rows = await fetch_rows(self._ledger.store, query)
        sheets = [_read_sheet(game, row.user, game.sheet_viewer(row.user), row) for row in rows]
        return [replace(stored, fellows=_sheets_of_fellow_players(stored, sheets)) for stored in sheets]

    async def save(self, game: Game, before: StoredSheet, sheet: Sheet) -> StoredSheet:
        """Store a sheet in place of `before`. Raises OldSheet if the stored sheet has another revision."""
        try:
            await self._ledger.store.writer.run(partial(save_sheet, before=before, sheet=sheet, system=game.ruleset))
        except IntegrityError:
            raise OldSheet from None
        return replace(before, revision=before.revision + 1, sheet=sheet)


def _sheets_of_fellow_players(stored: StoredSheet, sheets: Sequence[StoredSheet]) -> tuple[Sheet, ...]:
    """Return the sheets of the other players of the sheet's side."""
    return tuple(other.sheet for other in sheets if other.side == stored.side and other.owner != stored.owner)


def _has_automatic_work(game: Game, stored: StoredSheet) -> bool:
    """Whether an order, a standing answer or the end of the phase is due without a press of a button."""
    return (
        has_automatic_orders(game, stored.sheet, stored.side)
        or has_due_standing_answers(game, stored)
        or can_end_phase(game, stored.sheet, stored.side, automatic=True)
    )


class _NothingDone(Exception):
    """No order was executed. `sheet` is the remaining sheet, which shows the refusals."""

    def __init__(self, game: Game, sheet: Sheet) -> None:
        super().__init__()
        self.game, self.sheet = game, sheet


def _read_sheet(game: Game, owner: int, side: Viewer, row: Row[Any] | None) -> StoredSheet:
    """Return the sheet stored in the row; an empty sheet if the row is missing, unreadable, or of another side."""
    if row is None:
        return StoredSheet(game.id, owner, side)
    try:
        sheet = parse_sheet(row.document, game.ruleset) if row.side == side else Sheet()
    except (ValueError, LookupError, TypeError) as error:
        log.warning("the order sheet of %s in game %s cannot be read: %s", owner, game.id, " ".join(str(error).split()))
        sheet = Sheet()
    return StoredSheet(game.id, owner, side, row.revision, sheet)


def save_sheet(connection: Connection, *, before: StoredSheet, sheet: Sheet, system: Ruleset[Any]) -> None:
    """Store the sheet as the next revision after `before`.

    Raises OldSheet if the row no longer has the revision of `before`, IntegrityError if another process has stored the
    first revision.
    """
    values = {"side": before.side, "revision": before.revision + 1, "document": dump_sheet(sheet, system)}
    if not before.revision:
        connection.execute(insert(SHEETS).values(game=before.game, user=before.owner, **values))
        return
    conditions = SHEETS.c.game == before.game, SHEETS.c.user == before.owner, SHEETS.c.revision == before.revision
    if connection.execute(update(SHEETS).where(*conditions).values(**values)).rowcount != 1:
        raise OldSheet


def _find_owner(game: Game, stored: StoredSheet) -> Actor | None:
    """Return the sheet's owner as an actor: the umpire or a seated player. Return None for a user without a seat."""
    if game.is_umpire(stored.owner):
        return game.umpire
    return next((Actor(seat.user, seat.name) for seat in game.seats if seat.user == stored.owner), None)
