"""Undo and redo: preview, consent, and execution. Dice numbers never go back; undone entries stay in the log."""

import asyncio
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from sqlalchemy import Row, or_, select, update
from sqlalchemy.engine import Connection

from bot.errors import NotAllowed, Stale, UserError
from bot.games.sheet_rows import require_presses
from bot.journal import snapshots
from bot.journal.audience import read_viewers
from bot.journal.drafts import READ_COLUMNS, Draft, may_read
from bot.journal.entries import AS_AFTER, REDO, REDONE, UNDO, UNDONE, read_entry, redact_entry, seen_by
from bot.journal.game import Actor, Entry, Game, UndoPreview
from bot.journal.ledger import Ledger
from bot.store.tables import ENTRIES
from rules.core.model import PUBLIC, UMPIRE, Cite, Viewer
from rules.core.report import Report, Step
from rules.core.state import State

from .opponents import rest_bot
from .rights import consents
from .undo_candidates import Found, find_redoable, find_undoable, rows_of

TAG_LENGTH = 12
"""Number of hexadecimal digits in a question's tag."""
MOVED_ON = "The game has moved on since you asked. Ask again to see what would be undone now."
BY_HAND = Cite(rule="/game undo")
LAST = "What was done last"
AFTER_A_LOOK = "taken back after something hidden was shown"
DRAWN_ANEW = (
    "Something hidden was shown that is not in the file from which this game was imported. It was drawn when it was "
    "shown, and would be drawn again. So this cannot be undone; take back less."
)
BEFORE_HIDING = (
    "That goes back to before troops might be hidden in this game, which only somebody may do who sees all of them. "
    "Take back less."
)


@dataclass(frozen=True)
class _Taken:
    """What an undo or a redo needs of the database: its entries, the state to restore, and whose consent it takes."""

    found: Found
    entries: tuple[Entry, ...]
    along: tuple[Entry, ...]
    state: State
    packed: bytes
    """The stored form of `state`."""
    needs: str


class Undo:
    """Taking actions back, and putting them back."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def preview(self, game: Game, actor: Actor, steps: int, *, redo: bool = False) -> UndoPreview:
        """Return what would be taken back (or put back), as the actor may read it. Raises UserError if nothing is."""
        viewer = game.viewer(actor.id)
        found = await (
            find_redoable(self._ledger, game, viewer) if redo else find_undoable(self._ledger, game, viewer, steps)
        )
        rows, entries = found.rows, await _read(game, found.rows)
        needs = await _redo_needs(self._ledger, game, actor, rows[0].seq) if redo else _needs(game, actor, entries)
        if not redo:
            await require_known(self._ledger, game, entries, found.target)
            await _require_sight(self._ledger, game, viewer, found.target)
        return UndoPreview(_readable(entries, viewer), free=not needs, needs=needs)

    async def take_back(
        self,
        channel: int,
        actor: Actor,
        steps: int,
        *,
        progress: str,
        consent: Actor | None = None,
        interaction: int = 0,
    ) -> Game:
        """Take back the last `steps` actions that the actor knows of.

        Raises NotAllowed, UserError, Stale if anything was done since the game was as `progress` says.
        """
        read = partial(self._undoable, actor=actor, steps=steps, progress=progress, consent=consent)
        work = partial(_undone, actor=actor, consent=consent)
        played = await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction)
        return played[0].game

    async def put_back(self, channel: int, actor: Actor, *, progress: str | None = None, interaction: int = 0) -> Game:
        """Put the last undone action back.

        Raises NotAllowed, UserError, Stale if anything was done since the game was as `progress` says.
        """
        read = partial(self._redoable, actor=actor, progress=progress)
        work = partial(_redone, actor=actor)
        played = await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction)
        return played[0].game

    def question_tag(self, game: Game, user: int, progress: str, steps: int) -> str:
        """Return the signature of a question to the table, which stops anybody asking in another user's name."""
        seed, _ = self._ledger.seed(game, hidden=True)
        question = "|".join(("undo", game.id, progress, str(steps), str(user)))
        return hmac.new(seed, question.encode(), "sha256").hexdigest()[:TAG_LENGTH]

    async def turned_by(self, channel: int, actor: Actor, *, interaction: int) -> tuple[Entry, ...]:
        """Return what the interaction took back or put back, newest first, as the actor may read it."""
        played = await self._ledger.find_played(channel, interaction)
        if played is None:
            return ()
        game, action = played.game, played.entry.action
        seqs = action.get(UNDONE) or [action.get(REDONE)]
        rows = await rows_of(
            self._ledger, select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, ENTRIES.c.seq.in_(seqs))
        )
        return _readable(await _read(game, rows), game.viewer(actor.id))

    async def _undoable(self, game: Game, actor: Actor, steps: int, progress: str, consent: Actor | None) -> _Taken:
        viewer = game.viewer(actor.id)
        await _require_unmoved(self._ledger, game, viewer, progress)
        found = await find_undoable(self._ledger, game, viewer, steps)
        entries = await _read(game, found.rows)
        needs = _needs(game, actor, entries)
        if consent and not needs:  # the actor's rights have changed since he asked
            raise Stale(MOVED_ON)
        if needs and not (consent and consents(game, actor, consent, umpire_alone=_is_the_umpires(entries))):
            raise NotAllowed(needs)
        await require_known(self._ledger, game, entries, found.target)
        await _require_sight(self._ledger, game, viewer, found.target)
        state, packed = await _stored_state(self._ledger, game, found.target)
        return _Taken(found, entries, await _read(game, found.along), state, packed, needs)

    async def _redoable(self, game: Game, actor: Actor, progress: str | None) -> _Taken:
        viewer = game.viewer(actor.id)
        await _require_unmoved(self._ledger, game, viewer, progress)
        found = await find_redoable(self._ledger, game, viewer)
        (row,) = found.rows
        if needs := await _redo_needs(self._ledger, game, actor, row.seq):
            raise NotAllowed(needs)
        state, packed = await _stored_state(self._ledger, game, found.target)
        return _Taken(found, await _read(game, found.rows), (), state, packed, needs)


def _undone(game: Game, taken: _Taken, actor: Actor, consent: Actor | None) -> Draft:
    by = f"{actor.name}, with the consent of {consent.name}," if taken.needs and consent else actor.name
    draft = Draft(
        kind=UNDO,
        report=told_undone(by, taken.entries, taken.along),
        action={UNDONE: [row.seq for row in (*taken.found.rows, *taken.found.along)]},
        side=game.viewer(actor.id),
    )
    return _turned_back(game, draft, taken, undone=True)


def _redone(game: Game, taken: _Taken, actor: Actor) -> Draft:
    (row,), (entry,) = taken.found.rows, taken.entries
    report = Report(headline=f"{actor.name} put action {entry.shown_number} back", audience=read_viewers(row.audience))
    draft = Draft(kind=REDO, report=report, action={REDONE: row.seq}, side=game.viewer(actor.id))
    return _turned_back(game, draft, taken, undone=False)


def _turned_back(game: Game, draft: Draft, taken: _Taken, *, undone: bool) -> Draft:
    """Return the draft with the restored state, and the marks on the entries.

    It makes sure that this state is stored, even if its snapshot was dropped. What others have hidden from the viewer
    stays as it is now. The bot waits there until it is asked.
    """
    found, target = taken.found, taken.found.target
    troops = game.ruleset.hidden_troops
    state = taken.state if troops is None else troops.keep_hidden(taken.state, game.state, draft.side)
    kept = state != taken.state
    mark = partial(
        _mark,
        game=game.id,
        seqs=[row.seq for row in (*found.rows, *found.along)],
        undone=undone,
        target=target,
        packed=taken.packed,
        rests=game.seq + 1 if kept else target,
    )
    if kept:
        return replace(draft, state=state, action={**(draft.action or {}), AS_AFTER: target}, also=mark)
    return replace(draft, state_seq=target, waits=game.ruleset.waits_for(state), also=mark)


def _mark(
    connection: Connection,
    game: str,
    seqs: Sequence[int],
    *,
    undone: bool,
    target: int,
    packed: bytes,
    rests: int,
) -> None:
    """Mark the entries, store the state of entry `target`, and have the bot rest at entry `rests`."""
    require_presses(connection, game)
    of_game = update(ENTRIES).where(ENTRIES.c.game == game)
    connection.execute(of_game.where(ENTRIES.c.seq.in_(seqs)).values(undone=undone))
    connection.execute(of_game.where(ENTRIES.c.seq == target, ENTRIES.c.state.is_(None)).values(state=packed))
    rest_bot(connection, game, rests)


async def _stored_state(ledger: Ledger, game: Game, seq: int) -> tuple[State, bytes]:
    """Return the state after entry `seq`, and its stored form. Raises UserError if it cannot be read."""
    async with ledger.store.ask() as connection:
        try:
            return await snapshots.load(connection, game.id, seq, game.ruleset)
        except ValueError:
            raise UserError("The table before that can no longer be read. Go further back, or less far.") from None


async def _read(game: Game, rows: Sequence[Row[Any]]) -> tuple[Entry, ...]:
    """Parse the rows' entries in a thread: an undo may include a hundred entries."""
    return await asyncio.to_thread(lambda: tuple(read_entry(row, game.ruleset) for row in rows))


def _readable(entries: Sequence[Entry], viewer: Viewer) -> tuple[Entry, ...]:
    """Return the entries that the viewer may read; if none, one placeholder for the undone entries."""
    read = tuple(seen for entry in entries if (seen := seen_by(entry, viewer)))
    return read or (replace(redact_entry(entries[0]), report=Report(headline=LAST)),)


async def _require_unmoved(ledger: Ledger, game: Game, viewer: Viewer, progress: str | None) -> None:
    """Raises Stale when anything that the viewer knows of was done or undone since the game was as `progress` says.

    Joining and rolling dice do not count. `progress` is a value of `Game.progress_for`, or only its first number.
    """
    if progress is None:
        return
    last, *hidden = (int(number) if number.isdecimal() else 0 for number in progress.split("-"))
    hidden_now = int(game.progress_for(viewer).partition("-")[2])
    moved = or_(ENTRIES.c.acts, ENTRIES.c.kind.in_((UNDO, REDO)))
    asked = select(ENTRIES.c.number, ENTRIES.c.among)
    rows = await rows_of(
        ledger, asked.where(ENTRIES.c.game == game.id, ENTRIES.c.public >= last, moved, may_read(viewer))
    )
    more_hidden = hidden != [] and hidden_now > hidden[0]
    if any(more_hidden if row.among is not None else row.number > last for row in rows):
        raise Stale(MOVED_ON)


def told_undone(by: str, entries: Sequence[Entry], along: Sequence[Entry]) -> Report:
    """Return the report of an undo: public entries for everyone, and each side's own entries for that side."""
    public = [entry for entry in entries if entry.numbered_for is None]
    own = entries if not public else [entry for entry in entries if entry.numbered_for is not None]
    count = f"{len(public or own)} action{'s' if len(public or own) > 1 else ''}"
    numbers = f"{_numbers(public or own)}, {AFTER_A_LOOK}." if showed_hidden(entries) else _numbers(public or own)
    if not public:
        return Report(headline=f"{by} took back {count}", outcome=numbers, audience=own[0].report.audience)
    steps = [
        Step(text=f"With it was taken back: {entry.shown_number}", cite=BY_HAND, only_for=entry.report.audience)
        for entry in (*own, *along)
    ]
    return Report(headline=f"{by} took back {count}", steps=tuple(steps), outcome=numbers)


def _numbers(entries: Sequence[Entry]) -> str:
    """Return `Numbers 3 to 5` or `Number 3` for entries ordered newest first."""
    first, last = entries[-1].shown_number, entries[0].shown_number
    return f"Numbers {first} to {last}" if len(entries) > 1 else f"Number {last}"


def showed_hidden(entries: Sequence[Entry]) -> bool:
    """Whether any entry revealed hidden information."""
    return any(entry.report.showed_hidden for entry in entries)


async def require_known(ledger: Ledger, game: Game, entries: Sequence[Entry], target: int) -> None:
    """Raises UserError where something shown would be hidden again and later drawn again."""
    if not showed_hidden(entries):
        return
    lacks = game.ruleset.lacks_hidden_facts
    if lacks is not None and lacks(await _state_at(ledger, game, target)):
        raise UserError(DRAWN_ANEW)


async def _require_sight(ledger: Ledger, game: Game, viewer: Viewer, target: int) -> None:
    """Raise UserError if the undo would let an umpire with a seat see hidden troops again."""
    if viewer != UMPIRE and game.state.may_hide and not (await _state_at(ledger, game, target)).may_hide:
        raise UserError(BEFORE_HIDING)


async def _state_at(ledger: Ledger, game: Game, seq: int) -> State:
    async with ledger.store.ask() as connection:
        state, _ = await snapshots.load(connection, game.id, seq, game.ruleset)
    return state


def _needs(game: Game, actor: Actor, entries: Sequence[Entry]) -> str:
    """Return whose consent it takes, in a sentence; nothing where the actor may do it alone."""
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
    """Whether the entries include an umpire's action, which only the umpire may undo."""
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
    rows = await rows_of(ledger, undos.where(ENTRIES.c.game == game.id, ENTRIES.c.kind == UNDO))
    by = next((row for row in rows if seq in row.action.get(UNDONE, ())), None)
    if by is None:
        return f"Only the umpire, {game.umpire.name}, may put that back."
    if by.actor == actor.id:
        return ""
    return f"{by.actor_name} took it back, so {by.actor_name} or the umpire, {game.umpire.name}, may put it back."
