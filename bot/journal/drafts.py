"""Drafts of journal entries, their conversion to database rows, and SQL conditions on entries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, false, func, true

from bot.store.changes import Change
from bot.store.tables import ENTRIES
from rules.core.model import UMPIRE, Viewer
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SealedThrow
from rules.core.state import State

from .audience import read_viewers, viewers_column
from .codec import pack, pack_state
from .game import Actor, Entry, Game
from .thinking_record import THINKING, ThinkingRecord
from .throw_numbers import JournalCounts, numbering_group, parse_entry_name

READ_COLUMNS = tuple(column for column in ENTRIES.c if column.name != "state")
"""The columns needed by `read_entry`: all except the large `state`."""


@dataclass(frozen=True)
class Draft:
    """A journal entry before it is stored."""

    kind: str
    report: Report
    action: Mapping[str, Any] | None = None
    side: Viewer = UMPIRE
    acts: bool = False
    state: State | None = None
    """New state, or None if the entry does not change the state."""
    state_seq: int | None = None
    """Entry whose state an undo restores, with the turn `turn` and the awaited sides `waits`."""
    turn: int | None = None
    waits: frozenset[Viewer] | None = None
    thrown: tuple[SealedThrow, ...] = ()
    fields: Mapping[str, Any] | None = None
    """New values for the game's row."""
    changes: Sequence[Change] = ()
    """Further changes in the same transaction."""
    thought: ThinkingRecord | None = None


class ChangeNotNeeded(Exception):
    """Raised by a function that drafts an entry, if no change is needed. Nothing is written."""


@dataclass(frozen=True)
class EntryPosition:
    """The place of a new entry in a journal, with the state and the counts before the entry."""

    game: str
    seq: int
    """Number of the new entry."""
    base: int
    """Entry that stores the state `before`."""
    before: State | None
    counts: JournalCounts = field(default_factory=JournalCounts)
    waits: frozenset[Viewer] | None = None
    """Sides for which the game waited before the entry."""


@dataclass(frozen=True)
class NewEntry:
    """A new entry, ready to insert."""

    draft: Draft
    entry: Entry
    columns: Mapping[str, Any]
    """The entry's database row."""
    counts: JournalCounts
    """Numbers of entries and throws, including the new entry."""

    @property
    def needs_announcement(self) -> bool:
        """Whether a separate message must announce the entry: an action by the bot or without an interaction."""
        return self.draft.acts and (self.entry.actor.id < 0 or not self.columns["interaction"])

    def with_changes(self, *changes: Change) -> "NewEntry":
        """Return a copy with further changes in the same transaction."""
        return replace(self, draft=replace(self.draft, changes=(*self.draft.changes, *changes)))


def make_entry(
    position: EntryPosition, ruleset: Ruleset[Any], actor: Actor, draft: Draft, interaction: int, part: int = 0
) -> NewEntry:
    """Make a new entry from a draft.

    `part` numbers the entries of one interaction. Call this in a thread, because compressing a large state is slow.
    """
    after = draft.state or position.before
    assert after is not None, "a game's first entry has a state"
    before = position.before
    numbered_for = numbering_group(draft.report)
    counts = position.counts.with_entry(numbered_for, draft.thrown)
    entry = Entry(
        seq=position.seq,
        number=counts.last_number(numbered_for),
        numbered_for=numbered_for,
        at=datetime.now(UTC),
        actor=actor,
        kind=draft.kind,
        action=dict(draft.action or {}),
        report=draft.report,
        undone=False,
        acts=draft.acts,
        side=draft.side,
        turn=after.turn if draft.turn is None else draft.turn,
        dice=draft.thrown,
        base=position.base,
        thought=draft.thought,
    )
    columns = {
        "game": position.game,
        "interaction": interaction,
        "part": part,
        "base": position.base,
        "turn_end": before is None or (before.turn, before.active) != (after.turn, after.active),
        "rules_version": ruleset.version,
        "state_seq": position.seq if draft.state is not None else draft.state_seq or position.base,
        "waits": viewers_column(awaited_sides_after_entry(position, ruleset, draft)),
        "message": None,
        "thought": THINKING.dump_python(draft.thought, mode="json"),
        **counts.columns(),
        "state": None if draft.state is None else pack_state(ruleset, draft.state),
        "seq": entry.seq,
        "number": entry.number,
        "among": entry.numbered_for,
        "at": entry.at,
        "actor": entry.actor.id,
        "actor_name": entry.actor.name,
        "kind": entry.kind,
        "side": entry.side,
        "acts": entry.acts,
        "action": entry.action,
        "dice": [throw.model_dump(mode="json") for throw in entry.dice],
        "turn": entry.turn,
        "undone": entry.undone,
        "audience": viewers_column(entry.report.audience),
        "report": pack(entry.report.model_dump_json()),
    }
    return NewEntry(draft, entry, columns, counts)


def make_next_entry(game: Game, actor: Actor, draft: Draft, interaction: int, part: int = 0) -> NewEntry:
    """Make the game's next entry from a draft. See `make_entry`."""
    position = EntryPosition(game.id, game.seq + 1, game.state_seq, game.state, game.counts, game.waits)
    return make_entry(position, game.ruleset, actor, draft, interaction, part)


def apply_entry(game: Game, new_entry: NewEntry) -> Game:
    """Return the game with the new entry applied."""
    waits, state = read_viewers(new_entry.columns["waits"]), new_entry.draft.state
    after = replace(game, seq=new_entry.entry.seq, counts=new_entry.counts, waits=waits)
    return after if state is None else replace(after, state=state, state_seq=after.seq)


def awaited_sides_after_entry(position: EntryPosition, ruleset: Ruleset[Any], draft: Draft) -> frozenset[Viewer] | None:
    """Return the sides awaited after the entry, or None if unknown."""
    if draft.state is not None:
        return ruleset.awaited_viewers(draft.state)
    return position.waits if draft.state_seq is None else draft.waits


def entry_name_condition(name: str) -> ColumnElement[bool]:
    """Return the SQL condition for the entry with this name (`12`, `british-h3`). An invalid name matches nothing."""
    parts = parse_entry_name(name)
    if parts is None:
        return false()
    number, side = parts
    of_side = ENTRIES.c.among.is_(None) if side is None else ENTRIES.c.among == side
    return (ENTRIES.c.seq >= number) & (ENTRIES.c.number == number) & of_side


def readable_entries_condition(viewer: Viewer) -> ColumnElement[bool]:
    """Return the SQL condition for entries that `viewer` may read, at least in part."""
    if viewer == UMPIRE:
        return true()
    if "\n" in viewer:
        return false()
    without = func.replace(ENTRIES.c.audience, f"\n{viewer}\n", "")
    return ENTRIES.c.audience.is_(None) | (without != ENTRIES.c.audience)
