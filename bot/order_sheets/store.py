"""Order sheets: kept for a player, changed press by press, done in order, and gone on with by themselves."""

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
from bot.journal.drafts import NewEntry
from bot.journal.game import Actor, Game, Played
from bot.journal.ledger import ChangeOptions, Ledger
from bot.store.tables import SHEETS
from rules.core.model import PUBLIC, UMPIRE, Viewer

from .execute import carry_out, is_due_alone, is_free, may_pass
from .model import Kept, Sheet, document, sheet_of
from .own_turn import turn_of

log = logging.getLogger(__name__)

_ANY = select(SHEETS.c.user).where(SHEETS.c.game == bindparam("key")).limit(1)
"""Asked after every action, and so put together once."""

TRIES = 3
"""To go on with a sheet that its player changes meanwhile."""
LOOKS_ON = "You are only looking on. Take a seat with /game join to give orders."
OLD = "That was an older form of your order sheet. It stands here as it is now."


class OldSheet(Stale):
    """The sheet changed after the pressed message."""

    def __init__(self) -> None:
        super().__init__(OLD)


@dataclass(frozen=True)
class Carried:
    """Executed orders, the resulting game, and the remaining sheet."""

    game: Game
    kept: Kept
    played: tuple[Played, ...] = ()


class Sheets:
    """Order sheets. A sheet is its player's; the players of his side may read it, and nobody else."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def sheet(self, game: Game, actor: Actor) -> Kept:
        """Return the actor's own sheet, empty where there is none. Raises NotAllowed where the actor only looks on."""
        viewer = game.sheet_viewer(actor.id)
        if viewer == PUBLIC:
            raise NotAllowed(LOOKS_ON)
        return await self._kept(game, actor.id, viewer)

    async def sheet_of(self, game: Game, actor: Actor, owner: int) -> Kept:
        """Another's sheet, for one who may read it. Raises NotAllowed."""
        mine = await self.sheet(game, actor)
        if owner == mine.owner:
            return mine
        if game.sheet_viewer(owner) != mine.side or mine.side == UMPIRE:
            raise NotAllowed("That order sheet is not yours to read: only its player and his side may.")
        return await self._kept(game, owner, mine.side)

    async def revise(
        self,
        channel: int,
        actor: Actor,
        game_id: str,
        revision: int,
        change: Callable[[Game, Sheet], Sheet],
        *,
        interaction: int = NO_INTERACTION,
    ) -> Carried:
        """Changes the actor's sheet, in a thread; the interaction that changed it last changes nothing more.

        Raises OldSheet where it is of another revision; and as `change`.
        """
        async with self._ledger.lock(channel):
            game = await self._here(channel, game_id)
            kept = await self.sheet(game, actor)
            if interaction != NO_INTERACTION and kept.sheet.by == interaction:  # another process has heard of it, too
                return Carried(game, kept)
            if kept.revision != revision:
                raise OldSheet
            sheet = await asyncio.to_thread(change, game, kept.sheet)
            return Carried(game, await self.save(game, kept, sheet.model_copy(update={"by": interaction})))

    async def do(
        self, channel: int, actor: Actor, game_id: str, revision: int, *, through: bool = False, interaction: int
    ) -> Carried:
        """Execute the due orders of the actor's sheet, one entry each, in one transaction with the sheet's change.

        The others are then given: each is done when its time comes. `through`: he is through with this turn.

        What is refused stays, with what else its units were to do. The same press again tells the same.
        Raises OldSheet where the sheet is of another revision and this press has done nothing.
        """
        try:
            return await self._do(channel, actor, game_id, revision, interaction, alone=False, through=through)
        except Stale:
            played = await self._ledger.find_all_played(channel, interaction)
            if not played:
                raise
            return Carried(played[-1].game, await self.sheet(played[-1].game, actor), played)

    async def exist(self, game: Game) -> bool:
        """Whether anybody has given orders in it."""
        async with self._ledger.store.ask() as connection:
            return (await connection.execute(_ANY, {"key": game.id})).first() is not None

    async def do_next(self, channel: int, *, answering: bool = False) -> Carried | None:
        """Execute a due sheet with its player's rights. Return None if no sheet is due.

        With `answering`, an interaction's answer announces the entries.
        """
        game = await self._ledger.running(channel)
        for kept in await self._all(game):
            carried = await self._go_on_with(channel, game, kept, answering=answering)
            if carried is not None and carried.played:
                return carried
        return None

    async def _go_on_with(
        self, channel: int, game: Game, kept: Kept, tries: int = TRIES, *, answering: bool
    ) -> Carried | None:
        actor = _player(game, kept)
        if actor is None or not tries or not await asyncio.to_thread(_goes_on, game, kept):
            return None
        try:
            return await self._do(
                channel, actor, game.id, kept.revision, NO_INTERACTION, alone=True, answering=answering
            )
        except OldSheet:  # its player has just changed it
            changed = await self._kept(game, kept.owner, kept.side)
            return await self._go_on_with(channel, game, changed, tries - 1, answering=answering)

    async def take_awakened(self, channel: int) -> list[Kept]:
        """Return sheets whose waiting orders became possible and need a press; each sheet is returned once."""
        game = await self._ledger.running(channel)
        found = []
        for kept in await self._all(game):
            if await asyncio.to_thread(is_free, game, kept.sheet, kept.side):
                orders = tuple(order.model_copy(update={"why": "", "waits": False}) for order in kept.sheet.orders)
                with suppress(OldSheet):
                    found.append(await self.save(game, kept, kept.sheet.model_copy(update={"orders": orders})))
        return found

    async def take_refused(self, channel: int) -> list[tuple[Kept, int]]:
        """Return sheets with failed orders, and the number of failures; each failure is returned once."""
        game = await self._ledger.running(channel)
        found = []
        for kept in await self._all(game):
            if count := kept.sheet.untold:
                with suppress(OldSheet):
                    found.append((await self.save(game, kept, kept.sheet.all_told()), count))
        return found

    async def _do(
        self,
        channel: int,
        actor: Actor,
        game_id: str,
        revision: int,
        interaction: int,
        *,
        alone: bool,
        through: bool = False,
        answering: bool = False,
    ) -> Carried:
        read = partial(self._require_same, actor=actor, game_id=game_id, revision=revision)
        work = partial(self._do_orders, actor=actor, interaction=interaction, alone=alone, through=through)
        how: ChangeOptions = {"interaction": interaction, "answering": answering}
        try:
            played = await self._ledger.read_and_change(channel, actor, read, work, **how)
        except _NothingDone as nothing:
            before = await self.sheet(nothing.game, actor)
            if before.revision != revision:
                raise OldSheet from None
            if before.sheet == nothing.sheet:
                return Carried(nothing.game, before)
            return Carried(nothing.game, await self.save(nothing.game, before, nothing.sheet))
        return Carried(played[-1].game, await self.sheet(played[-1].game, actor), played)

    async def _require_same(self, game: Game, actor: Actor, game_id: str, revision: int) -> Kept:
        """Return the actor's sheet. Raises Stale if another game runs, OldSheet."""
        if game.id != game_id or game.ended is not None:
            raise Stale(OVER)
        kept = await self.sheet(game, actor)
        if kept.revision != revision:
            raise OldSheet
        return kept

    def _do_orders(
        self, game: Game, kept: Kept, actor: Actor, interaction: int, *, alone: bool, through: bool
    ) -> Sequence[NewEntry]:
        """Do the due orders, and store the remaining sheet. Raises _NothingDone."""
        series = ActionBatch(self._ledger, game, actor, interaction)
        now = {"through": turn_of(game.ruleset, game.state, kept.side)} if through else {}
        whole = kept.sheet if alone else kept.sheet.model_copy(update={"given": True, **now})
        sheet = carry_out(series, replace(kept, sheet=whole), alone=alone)
        if not series.entries:
            raise _NothingDone(game, sheet)
        changed = replace(kept, revision=kept.revision + 1, sheet=sheet)
        save = partial(save_sheet, kept=changed, stored=document(sheet, game.ruleset))
        first = series.entries[0]
        return [replace(first, draft=replace(first.draft, also=save)), *series.entries[1:]]

    async def _here(self, channel: int, game_id: str) -> Game:
        game = await self._ledger.running(channel)
        if game.id != game_id:
            raise Stale(OVER)
        return game

    async def _kept(self, game: Game, owner: int, side: Viewer) -> Kept:
        asked = select(SHEETS).where(SHEETS.c.game == game.id, SHEETS.c.user == owner)
        async with self._ledger.store.ask() as connection:
            row = (await connection.execute(asked)).first()
        return _read(game, owner, side, row)

    async def _all(self, game: Game) -> list[Kept]:
        asked = select(SHEETS).where(SHEETS.c.game == game.id).order_by(SHEETS.c.user)
        async with self._ledger.store.ask() as connection:
            rows = (await connection.execute(asked)).all()
        return [_read(game, row.user, game.sheet_viewer(row.user), row) for row in rows]

    async def save(self, game: Game, before: Kept, sheet: Sheet) -> Kept:
        """Store a sheet over `before`. Raises OldSheet if the stored sheet is another."""
        kept = replace(before, revision=before.revision + 1, sheet=sheet)
        try:
            await self._ledger.store.writer.run(partial(save_sheet, kept=kept, stored=document(sheet, game.ruleset)))
        except IntegrityError:
            raise OldSheet from None
        return kept


def _goes_on(game: Game, kept: Kept) -> bool:
    """Whether the sheet continues without a press."""
    return is_due_alone(game, kept.sheet, kept.side) or may_pass(game, kept.sheet, kept.side, alone=True)


class _NothingDone(Exception):
    """No order could be executed; `sheet` has the reasons."""

    def __init__(self, game: Game, sheet: Sheet) -> None:
        super().__init__()
        self.game, self.sheet = game, sheet


def _read(game: Game, owner: int, side: Viewer, row: Row[Any] | None) -> Kept:
    """Return the row's sheet, or an empty sheet if the row is damaged or belongs to another side."""
    if row is None:
        return Kept(game.id, owner, side)
    try:
        sheet = sheet_of(row.document, game.ruleset) if row.side == side else Sheet()
    except (ValueError, LookupError, TypeError) as error:
        log.warning("the order sheet of %s in game %s cannot be read: %s", owner, game.id, " ".join(str(error).split()))
        sheet = Sheet()
    return Kept(game.id, owner, side, row.revision, sheet)


def save_sheet(connection: Connection, *, kept: Kept, stored: dict[str, Any]) -> None:
    """Writes the sheet over its revision before. Raises IntegrityError, OldSheet where that is not the last."""
    values = {"side": kept.side, "revision": kept.revision, "document": stored}
    if kept.revision == 1:
        connection.execute(insert(SHEETS).values(game=kept.game, user=kept.owner, **values))
        return
    mine = SHEETS.c.game == kept.game, SHEETS.c.user == kept.owner, SHEETS.c.revision == kept.revision - 1
    if connection.execute(update(SHEETS).where(*mine).values(**values)).rowcount != 1:
        raise OldSheet


def _player(game: Game, kept: Kept) -> Actor | None:
    """Return who gives the orders of a sheet: its side's player still, or the umpire."""
    if game.is_umpire(kept.owner):
        return game.umpire
    return next((Actor(seat.user, seat.name) for seat in game.seats if seat.user == kept.owner), None)
