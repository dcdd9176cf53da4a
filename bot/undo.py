"""Undoing, to any depth, after saying what: the dice counter never goes back, and undone entries stay in the log."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Row, Select, or_, select, update
from sqlalchemy.engine import Connection

from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.report import Report

from . import snapshots
from .entries import entry_of, seen_by, unread
from .errors import NotAllowed, Stale, UserError
from .game import Actor, Entry, Game, Undoing
from .journal import READ_COLUMNS, Draft
from .ledger import Ledger
from .opponents import rest
from .part import Part
from .rights import consents
from .sheets import require_presses
from .store.tables import ENTRIES

MOVED_ON = "The game has moved on since you asked. Ask again to see what would be undone now."
UNDO = "game undo"
REDO = "game redo"
LAST = "What was done last"
AFTER_A_LOOK = "taken back after something hidden was shown"
DRAWN_ANEW = (
    "Something hidden was shown that is not in the file from which this game was imported. It was drawn when it was "
    "shown, and would be drawn again. So this cannot be undone; take back less."
)


class Undo(Part):
    """Taking actions back, and putting them back."""

    async def undoing(self, game: Game, actor: Actor, steps: int, *, redo: bool = False) -> Undoing:
        """What would be taken back (or put back), as the actor may read it. Raises UserError when nothing is left."""
        rows = await (_redoable(self._ledger, game) if redo else _undoable(self._ledger, game, steps))
        entries = await _read(game, rows)
        needs = await _redo_needs(self._ledger, game, actor, rows[0].seq) if redo else _needs(game, actor, entries)
        if not redo:
            await require_known(self._ledger, game, entries, rows[-1].base)
        return Undoing(_readable(entries, game.viewer(actor.id)), free=not needs, needs=needs)

    async def undo(
        self, channel: int, actor: Actor, steps: int, *, seq: int, consent: Actor | None = None, interaction: int = 0
    ) -> Game:
        """Takes the last `steps` actions back. Raises NotAllowed, UserError, Stale if anything was done since `seq`."""

        async def step(game: Game) -> Draft:
            await _require_unmoved(self._ledger, game, seq)
            rows = await _undoable(self._ledger, game, steps)
            entries = await _read(game, rows)
            needs = _needs(game, actor, entries)
            if needs and not (consent and consents(game, actor, consent, umpire_alone=_is_the_umpires(entries))):
                raise NotAllowed(needs)
            target = rows[-1].base
            await require_known(self._ledger, game, entries, target)
            seqs = [row.seq for row in rows]
            by = f"{actor.name}, with the consent of {consent.name}," if needs and consent else actor.name
            draft = Draft(
                kind=UNDO,
                report=Report(
                    headline=f"{by} took back {len(seqs)} action{'s' if len(seqs) > 1 else ''}",
                    outcome=_undone(seqs, entries),
                ),
                action={"undone": seqs},
                side=game.viewer(actor.id),
            )
            return await _turned(self._ledger, game, draft, seqs, target, undone=True)

        return (await self._ledger.change(channel, actor, step, interaction=interaction)).game

    async def redo(self, channel: int, actor: Actor, *, seq: int | None = None, interaction: int = 0) -> Game:
        """Puts the last undone action back. Raises NotAllowed, UserError, Stale if anything was done since `seq`."""

        async def step(game: Game) -> Draft:
            await _require_unmoved(self._ledger, game, seq)
            (row,) = await _redoable(self._ledger, game)
            if needs := await _redo_needs(self._ledger, game, actor, row.seq):
                raise NotAllowed(needs)

            draft = Draft(
                kind=REDO,
                report=Report(headline=f"{actor.name} put action {row.seq} back"),
                action={"redone": row.seq},
                side=game.viewer(actor.id),
            )
            return await _turned(self._ledger, game, draft, [row.seq], row.seq, undone=False)

        return (await self._ledger.change(channel, actor, step, interaction=interaction)).game

    async def turned_by(self, channel: int, actor: Actor, *, interaction: int) -> tuple[Entry, ...]:
        """What that interaction took back or put back, newest first, as the actor may read it."""
        played = await self._ledger.done(channel, interaction)
        if played is None:
            return ()
        game, action = played.game, played.entry.action
        seqs = action.get("undone") or [action.get("redone")]
        rows = await _rows(
            self._ledger, select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, ENTRIES.c.seq.in_(seqs))
        )
        return _readable(await _read(game, rows), game.viewer(actor.id))


async def _read(game: Game, rows: Sequence[Row[Any]]) -> tuple[Entry, ...]:
    """The entries of the rows, parsed off the event loop: a hundred may be taken back at once."""
    return await asyncio.to_thread(lambda: tuple(entry_of(row, game.ruleset) for row in rows))


def _readable(entries: Sequence[Entry], viewer: Viewer) -> tuple[Entry, ...]:
    """The entries that the viewer may read; one without words where there are none, for they are undone too."""
    read = tuple(seen for entry in entries if (seen := seen_by(entry, viewer)))
    return read or (replace(unread(entries[0]), report=Report(headline=LAST)),)


async def _require_unmoved(ledger: Ledger, game: Game, seq: int | None) -> None:
    """Raises Stale when anything was done or undone since entry `seq`; joining and rolling dice do not count."""
    if seq is None:
        return
    moved = or_(ENTRIES.c.acts, ENTRIES.c.kind.in_((UNDO, REDO)))
    if await _rows(ledger, select(ENTRIES.c.seq).where(ENTRIES.c.game == game.id, ENTRIES.c.seq > seq, moved).limit(1)):
        raise Stale(MOVED_ON)


def _undone(seqs: Sequence[int], entries: Sequence[Entry]) -> str:
    """Which entries were taken back, newest first, and whether after something hidden was shown."""
    numbers = f"Numbers {seqs[-1]} to {seqs[0]}" if len(seqs) > 1 else f"Number {seqs[0]}"
    return f"{numbers}, {AFTER_A_LOOK}." if showed_hidden(entries) else numbers


def showed_hidden(entries: Sequence[Entry]) -> bool:
    """Whether something hidden was shown by any of them."""
    return any(entry.report.showed_hidden for entry in entries)


async def require_known(ledger: Ledger, game: Game, entries: Sequence[Entry], target: int) -> None:
    """Raises UserError where something shown would be hidden again and later drawn again."""
    if not showed_hidden(entries):
        return
    async with ledger.store.ask() as connection:
        state, _ = await snapshots.load(connection, game.id, target, game.ruleset)
    if game.ruleset.lacks_hidden(state):
        raise UserError(DRAWN_ANEW)


async def _turned(ledger: Ledger, game: Game, draft: Draft, seqs: Sequence[int], target: int, *, undone: bool) -> Draft:
    """The draft, which marks the entries and goes back or on to the state of entry `target`.

    It makes sure that this state is stored, even if its snapshot was dropped. The bot waits there until it is asked.
    """
    async with ledger.store.ask() as connection:
        try:
            state, packed = await snapshots.load(connection, game.id, target, game.ruleset)
        except ValueError:
            raise UserError(
                f"The table after action {target} can no longer be read. Go further back, or less far."
            ) from None

    def turn(connection: Connection) -> None:
        require_presses(connection, game.id)
        of_game = update(ENTRIES).where(ENTRIES.c.game == game.id)
        connection.execute(of_game.where(ENTRIES.c.seq.in_(seqs)).values(undone=undone))
        connection.execute(of_game.where(ENTRIES.c.seq == target, ENTRIES.c.state.is_(None)).values(state=packed))
        rest(connection, game.id, target)

    waits = await asyncio.to_thread(game.ruleset.waits_for, state)
    return replace(draft, state_seq=target, waits=waits, also=turn)


async def _undoable(ledger: Ledger, game: Game, steps: int) -> Sequence[Row[Any]]:
    rows = await _rows(ledger, _actions(game, undone=False).limit(max(steps, 1)))
    if not rows:
        raise UserError("There is nothing to undo: no action has been taken yet.")
    if len(rows) < steps:
        raise UserError(f"Only {len(rows)} actions can be undone. Ask for no more.")
    return rows


async def _redoable(ledger: Ledger, game: Game) -> Sequence[Row[Any]]:
    """The newest action undone from the present state: where the game went on differently, there is none."""
    rows = await _rows(ledger, _actions(game, undone=True).where(ENTRIES.c.base == game.state_seq).limit(1))
    if not rows:
        raise UserError("There is nothing to put back: nothing was undone, or the game has gone on since.")
    return rows


async def _rows(ledger: Ledger, asked: Select[Any]) -> Sequence[Row[Any]]:
    """Entries, newest first."""
    async with ledger.store.ask() as connection:
        rows: Sequence[Row[Any]] = (await connection.execute(asked.order_by(ENTRIES.c.seq.desc()))).all()
    return rows


def _actions(game: Game, *, undone: bool) -> Select[Any]:
    return select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, ENTRIES.c.acts, ENTRIES.c.undone == undone)


def _needs(game: Game, actor: Actor, entries: Sequence[Entry]) -> str:
    """Whose consent it takes, in a sentence; nothing where the actor may do it alone."""
    viewer = game.viewer(actor.id)
    if game.is_umpire(actor.id):
        return ""
    if viewer == PUBLIC:
        return f"You are only looking on. Only the players and the umpire, {game.umpire.name}, may undo."
    if _is_the_umpires(entries):
        return f"That needs the consent of the umpire, {game.umpire.name}."
    why = _not_free(actor, entries)
    others = [
        f"{seat.name} ({game.name_of(seat.side)})" for seat in game.seats if seat.side != viewer and not seat.is_bot
    ]
    return why and f"{why}: that needs the consent of {' or '.join((*others, f'the umpire, {game.umpire.name}'))}."


def _is_the_umpires(entries: Sequence[Entry]) -> bool:
    """Whether an action of the umpire's is among them, which nobody else may take back."""
    return any(entry.side == UMPIRE for entry in entries)


def _not_free(actor: Actor, entries: Sequence[Entry]) -> str:
    if any(entry.actor.id != actor.id for entry in entries):
        return "Others have acted since"
    if any(entry.dice for entry in entries):
        return "Dice were thrown"
    if showed_hidden(entries):
        return "Something hidden was shown"
    return ""


async def _redo_needs(ledger: Ledger, game: Game, actor: Actor, seq: int) -> str:
    viewer = game.viewer(actor.id)
    if game.is_umpire(actor.id):
        return ""
    if viewer == PUBLIC:
        return f"You are only looking on. Whoever took it back may put it back, or the umpire, {game.umpire.name}."
    undos = select(ENTRIES.c.seq, ENTRIES.c.actor, ENTRIES.c.actor_name, ENTRIES.c.action)
    rows = await _rows(ledger, undos.where(ENTRIES.c.game == game.id, ENTRIES.c.kind == UNDO))
    by = next((row for row in rows if seq in row.action.get("undone", ())), None)
    if by is None:
        return f"Only the umpire, {game.umpire.name}, may put that back."
    if by.actor == actor.id:
        return ""
    return f"{by.actor_name} took it back, so {by.actor_name} or the umpire, {game.umpire.name}, may put it back."
