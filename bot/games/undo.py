"""Undo and redo: preview, consent and execution. Numbers of throws are never reused. The log keeps undone entries."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlalchemy import delete, or_, select, update

from bot.errors import NotAllowed, Stale, UserError
from bot.games.sheet_rows import clear_turn_end_marks
from bot.journal.audience import read_viewers
from bot.journal.drafts import READ_COLUMNS, Draft, readable_entries_condition
from bot.journal.entries import AS_AFTER, REDO, REDONE, UNDO, UNDONE, make_hidden_entry_placeholder, redact_for_viewer
from bot.journal.game import Actor, Entry, Game, Played
from bot.journal.ledger import Ledger
from bot.store.changes import Change
from bot.store.tables import ENTRIES, SEATS
from rules.core.model import UMPIRE, Cite, Viewer
from rules.core.report import Report, Step
from rules.core.state import State

from .rights import can_consent
from .seat_rows import pause_bot
from .service import Service
from .undo_candidates import UndoCandidates, find_redoable, find_undoable, load_newest_first
from .undo_consent import (
    can_allies_consent,
    describe_redo_consent,
    describe_required_consent,
    has_umpires_action,
    have_shown_hidden_facts,
)

TAG_LENGTH = 12
"""Length of the signature of a request for consent, in hexadecimal digits."""
MOVED_ON = "The game has moved on since you asked. Ask again to see what would be undone now."
BY_HAND = Cite(rule="/game undo")
LAST = "What was done last"
AFTER_A_LOOK = "taken back after something hidden was shown"
DRAWN_ANEW = (
    "Something hidden was shown that the file of this imported game does not contain. It was drawn at random when it "
    "was shown, and would be drawn again after an undo. So this cannot be undone; take back less."
)
BEFORE_HIDING = (
    "That goes back to a time before troops could be hidden in this game. Only somebody who sees all troops may do "
    "that. Take back less."
)


@dataclass(frozen=True)
class UndoPreview:
    """The entries that an undo or redo would change.

    Unless it is `free`, the sentence `needs` says whose consent the actor needs.
    """

    entries: tuple[Entry, ...]
    free: bool
    needs: str


@dataclass(frozen=True)
class _LoadedUndo:
    """Data for an undo or redo: the changed entries, the restored state, and the needed consent."""

    candidates: UndoCandidates
    entries: tuple[Entry, ...]
    hidden: tuple[Entry, ...]
    state: State
    packed: bytes
    """`state` in compressed form."""
    needs: str


class Undo(Service):
    """Service for undo and redo."""

    async def preview(self, game: Game, actor: Actor, steps: int, *, redo: bool = False) -> UndoPreview:
        """Preview an undo of `steps` actions, or with `redo` a redo.

        Raises UserError if it is impossible.
        """
        viewer = game.viewer(actor.id)
        if redo:
            candidates = await find_redoable(self._ledger, game, viewer)
            entries = await self._ledger.parse_rows(game, candidates.rows)
            needs = await describe_redo_consent(self._ledger, game, actor, candidates.rows[0].seq)
        else:
            candidates = await find_undoable(self._ledger, game, viewer, steps)
            entries = await self._ledger.parse_rows(game, candidates.rows)
            needs = describe_required_consent(game, actor, entries)
            await self._require_undoable(game, viewer, entries, candidates.target)
        return UndoPreview(_redact_entries(entries, viewer), free=not needs, needs=needs)

    async def undo_actions(
        self,
        channel: int,
        actor: Actor,
        steps: int,
        *,
        progress: str,
        consent: Actor | None = None,
        interaction: int = 0,
    ) -> Played:
        """Undo the last `steps` actions that the actor may know. `consent` is the user who consented.

        Raises Stale if the game has moved on since `progress` (see `Game.progress_for`), NotAllowed without a
        needed consent, UserError.
        """
        read = partial(self._load_undo, actor=actor, steps=steps, progress=progress, consent=consent)
        work = partial(_draft_undo, actor=actor, consent=consent)
        return (await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction))[0]

    async def redo_action(
        self, channel: int, actor: Actor, *, progress: str | None = None, interaction: int = 0
    ) -> Played:
        """Redo the last undone action.

        Raises NotAllowed, UserError, Stale if the game has moved on since `progress` (see `Game.progress_for`).
        """
        read = partial(self._load_redo, actor=actor, progress=progress)
        work = partial(_draft_redo, actor=actor)
        return (await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction))[0]

    def sign_consent_request(self, game: Game, user: int, progress: str, steps: int) -> str:
        """Return the signature of a request for consent. Signatures prevent users from forging requests."""
        seed, _ = self._ledger.current_seed(game, hidden=True)
        question = "|".join(("undo", game.id, progress, str(steps), str(user)))
        return hmac.new(seed, question.encode(), "sha256").hexdigest()[:TAG_LENGTH]

    async def load_changed_entries(self, played: Played, actor: Actor) -> tuple[Entry, ...]:
        """Return the entries that an undo or redo changed, newest first, redacted for the actor."""
        game, action = played.game, played.entry.action
        seqs = action.get(UNDONE) or [action.get(REDONE)]
        query = select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, ENTRIES.c.seq.in_(seqs))
        rows = await load_newest_first(self._ledger, query)
        return _redact_entries(await self._ledger.parse_rows(game, rows), game.viewer(actor.id))

    async def _load_undo(
        self, game: Game, actor: Actor, steps: int, progress: str, consent: Actor | None
    ) -> _LoadedUndo:
        viewer = game.viewer(actor.id)
        await _require_no_progress(self._ledger, game, viewer, progress)
        candidates = await find_undoable(self._ledger, game, viewer, steps)
        entries = await self._ledger.parse_rows(game, candidates.rows)
        needs = describe_required_consent(game, actor, entries)
        if consent and not needs:  # the actor's rights have changed since his request
            raise Stale(MOVED_ON)
        alone, allies = has_umpires_action(entries), can_allies_consent(game, viewer, entries)
        if needs and not (consent and can_consent(game, actor, consent, umpire_alone=alone, allies_too=allies)):
            raise NotAllowed(needs)
        await self._require_undoable(game, viewer, entries, candidates.target)
        state, packed = await _load_state_to_restore(self._ledger, game, candidates.target)
        troops = game.ruleset.hidden_troops
        if troops is not None and troops.keep_hidden_facts(state, game.state, viewer) is state:
            candidates = replace(candidates, hidden=candidates.unseen)
        hidden = await self._ledger.parse_rows(game, candidates.hidden)
        return _LoadedUndo(candidates, entries, hidden, state, packed, needs)

    async def _require_undoable(self, game: Game, viewer: Viewer, entries: Sequence[Entry], target: int) -> None:
        """Raise UserError if the viewer may not go back to entry `target`.

        Nobody may if a known fact would be drawn at random again. Only the umpire may go back to a time before
        troops could be hidden, because this would show them.
        """
        await require_no_fact_redrawn(self._ledger, game, entries, target)
        if viewer != UMPIRE and game.state.can_have_hidden_units:
            state, _ = await self._ledger.load_state(game, target)
            if not state.can_have_hidden_units:
                raise UserError(BEFORE_HIDING)

    async def _load_redo(self, game: Game, actor: Actor, progress: str | None) -> _LoadedUndo:
        viewer = game.viewer(actor.id)
        await _require_no_progress(self._ledger, game, viewer, progress)
        candidates = await find_redoable(self._ledger, game, viewer)
        (row,) = candidates.rows
        if needs := await describe_redo_consent(self._ledger, game, actor, row.seq):
            raise NotAllowed(needs)
        state, packed = await _load_state_to_restore(self._ledger, game, candidates.target)
        return _LoadedUndo(candidates, await self._ledger.parse_rows(game, candidates.rows), (), state, packed, needs)


def _draft_undo(game: Game, loaded: _LoadedUndo, actor: Actor, consent: Actor | None) -> Draft:
    by = f"{actor.name}, with the consent of {consent.name}," if loaded.needs and consent else actor.name
    draft = Draft(
        kind=UNDO,
        report=make_undo_report(by, loaded.entries, loaded.hidden),
        action={UNDONE: [row.seq for row in (*loaded.candidates.rows, *loaded.candidates.hidden)]},
        side=game.viewer(actor.id),
    )
    return _add_restored_state(game, draft, loaded, undone=True)


def _draft_redo(game: Game, loaded: _LoadedUndo, actor: Actor) -> Draft:
    (row,), (entry,) = loaded.candidates.rows, loaded.entries
    report = Report(headline=f"{actor.name} put action {entry.shown_number} back", audience=read_viewers(row.audience))
    draft = Draft(kind=REDO, report=report, action={REDONE: row.seq}, side=game.viewer(actor.id))
    return _add_restored_state(game, draft, loaded, undone=False)


def _add_restored_state(game: Game, draft: Draft, loaded: _LoadedUndo, *, undone: bool) -> Draft:
    """Return the draft with the restored state, and with the changes to the database.

    Troops hidden from the actor's side keep their present state. A substitute bot loses its seat if one of its
    actions is undone.
    """
    candidates, target = loaded.candidates, loaded.candidates.target
    troops = game.ruleset.hidden_troops
    state = loaded.state if troops is None else troops.keep_hidden_facts(loaded.state, game.state, draft.side)
    keeps_hidden = state != loaded.state
    rests = game.seq + 1 if keeps_hidden else target
    rows = (*candidates.rows, *candidates.hidden)
    undone_users = [row.actor for row in rows if undone]
    of_game = update(ENTRIES).where(ENTRIES.c.game == game.id)
    changes: Sequence[Change] = [
        partial(clear_turn_end_marks, game=game.id, asked_at=rests),
        of_game.where(ENTRIES.c.seq.in_([row.seq for row in rows])).values(undone=undone),
        of_game.where(ENTRIES.c.seq == target, ENTRIES.c.state.is_(None)).values(state=loaded.packed),
        pause_bot(game.id, rests),
        delete(SEATS).where(SEATS.c.game == game.id, SEATS.c.until.is_not(None), SEATS.c.user.in_(undone_users)),
    ]
    if keeps_hidden:
        return replace(draft, state=state, action={**(draft.action or {}), AS_AFTER: target}, changes=changes)
    waits = game.ruleset.awaited_viewers(state)
    return replace(draft, state_seq=target, turn=state.turn, waits=waits, changes=changes)


async def _load_state_to_restore(ledger: Ledger, game: Game, seq: int) -> tuple[State, bytes]:
    """Return the state after entry `seq`, and its compressed form. Raises UserError if it cannot be read."""
    try:
        return await ledger.load_state(game, seq)
    except ValueError:
        raise UserError("The table at that time can no longer be read. Go further back, or less far.") from None


def _redact_entries(entries: Sequence[Entry], viewer: Viewer) -> tuple[Entry, ...]:
    """Return the entries redacted for the viewer. If all are hidden, return a single placeholder."""
    redacted = tuple(visible for entry in entries if (visible := redact_for_viewer(entry, viewer)))
    return redacted or (replace(make_hidden_entry_placeholder(entries[0]), report=Report(headline=LAST)),)


async def _require_no_progress(ledger: Ledger, game: Game, viewer: Viewer, progress: str | None) -> None:
    """Raise Stale if the game has moved on for the viewer since `progress`.

    The game moves on when an action that the viewer may read is done, undone or redone. `progress` is a result of
    `Game.progress_for`, or only its first number.
    """
    if progress is None:
        return
    last, *hidden = (int(number) if number.isdecimal() else 0 for number in progress.split("-"))
    hidden_now = int(game.progress_for(viewer).partition("-")[2])
    moved = or_(ENTRIES.c.acts, ENTRIES.c.kind.in_((UNDO, REDO)))
    later = ENTRIES.c.game == game.id, ENTRIES.c.public >= last, moved, readable_entries_condition(viewer)
    rows = await load_newest_first(ledger, select(ENTRIES.c.number, ENTRIES.c.among).where(*later))
    more_hidden = hidden != [] and hidden_now > hidden[0]
    if any(more_hidden if row.among is not None else row.number > last for row in rows):
        raise Stale(MOVED_ON)


def make_undo_report(by: str, entries: Sequence[Entry], hidden: Sequence[Entry]) -> Report:
    """Return the report of an undo by the user named `by`.

    Everyone reads which public entries were undone; of hidden entries, only their readers do. `hidden` are undone
    entries that the actor may not read.
    """
    public = [entry for entry in entries if entry.numbered_for is None]
    own = entries if not public else [entry for entry in entries if entry.numbered_for is not None]
    named = public or own
    count = f"{len(named)} action{'s' if len(named) > 1 else ''}"
    numbers = _format_numbers(named) + (f", {AFTER_A_LOOK}." if have_shown_hidden_facts(entries) else "")
    if not public:
        audiences = [entry.report.audience for entry in own if entry.report.audience is not None]
        audience = audiences[0].intersection(*audiences)
        return Report(headline=f"{by} took back {count}", outcome=numbers, audience=audience)
    steps = [
        Step(text=f"Also taken back: {entry.shown_number}", cite=BY_HAND, only_for=entry.report.audience)
        for entry in (*own, *hidden)
    ]
    return Report(headline=f"{by} took back {count}", steps=tuple(steps), outcome=numbers)


def _format_numbers(entries: Sequence[Entry]) -> str:
    """Return the entries' numbers in words: `Numbers 3 to 5`, or `Number 3`. Entries are ordered newest first."""
    first, last = entries[-1].shown_number, entries[0].shown_number
    return f"Numbers {first} to {last}" if len(entries) > 1 else f"Number {last}"


async def require_no_fact_redrawn(ledger: Ledger, game: Game, entries: Sequence[Entry], target: int) -> None:
    """Raise UserError if an undo to entry `target` would draw a known fact at random again.

    An imported game may lack hidden facts. Each is drawn at random when an action reveals it.
    """
    if not have_shown_hidden_facts(entries):
        return
    lacks = game.ruleset.lacks_hidden_facts
    if lacks is not None and lacks((await ledger.load_state(game, target))[0]):
        raise UserError(DRAWN_ANEW)
