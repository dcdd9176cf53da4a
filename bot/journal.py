"""Rows of the journal: made of drafts, read as entries, shown to a viewer."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy.ext.asyncio import AsyncSession

from rules.core.model import UMPIRE, Viewer
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.sealed import SealedThrow
from rules.core.state import State

from .game import Actor, Entry
from .store.tables import EntryRow

UNREAD = "Something you may not read"
"""What stands for an entry that is not for the viewer, where it cannot be left out."""

THROWN = TypeAdapter(tuple[SealedThrow, ...])


@dataclass(frozen=True)
class Draft:
    """An entry about to be written. `state` is None where it stays as it was.

    `state_seq` points back to an earlier entry's state (an undo). `fields` are columns of the game to set;
    `also` makes further changes in the same transaction.
    """

    kind: str
    report: Report
    action: Mapping[str, Any] | None = None
    side: Viewer = UMPIRE
    acts: bool = False
    state: State | None = None
    state_seq: int | None = None
    thrown: tuple[SealedThrow, ...] = ()
    fields: Mapping[str, Any] | None = None
    also: Callable[[AsyncSession], Awaitable[None]] | None = None


@dataclass(frozen=True)
class Place:
    """Where an entry goes: after which state, itself of entry `base`, as number `seq` of which game."""

    game: str
    seq: int
    base: int
    before: State | None


def row_of(place: Place, ruleset: Ruleset[Any], actor: Actor, draft: Draft, interaction: int) -> EntryRow:
    """The draft as a row of the journal."""
    after = draft.state or place.before
    assert after is not None, "a game's first entry has a state"
    before = place.before
    return EntryRow(
        game=place.game,
        seq=place.seq,
        at=datetime.now(UTC),
        actor=actor.id,
        actor_name=actor.name,
        interaction=interaction,
        kind=draft.kind,
        side=draft.side,
        acts=draft.acts,
        action=dict(draft.action or {}),
        dice=[throw.model_dump(mode="json") for throw in draft.thrown],
        report=draft.report.model_dump_json(),
        base=place.base,
        state=ruleset.write_state(draft.state) if draft.state is not None else None,
        turn=after.turn,
        turn_end=before is None or (before.turn, before.active) != (after.turn, after.active),
        rules_version=ruleset.version,
        undone=False,
    )


def entry_of(row: EntryRow, ruleset: Ruleset[Any]) -> Entry:
    """The row as an entry, unredacted, in today's form. Raises ValueError when it cannot be read."""
    kind, action = ruleset.action_of(row.kind, row.action, row.rules_version) if row.acts else (row.kind, row.action)
    return Entry(
        seq=row.seq,
        at=row.at,
        actor=Actor(row.actor, row.actor_name),
        kind=kind,
        action=action,
        report=ruleset.read_report(row.report, row.rules_version),
        undone=row.undone,
        acts=row.acts,
        side=row.side,
        turn=row.turn,
        dice=THROWN.validate_python(row.dice),
    )


def seen_by(entry: Entry, viewer: Viewer) -> Entry | None:
    """The entry as that viewer may read it; None if it is not for them at all."""
    report = entry.report.seen_by(viewer)
    if report is None:
        return None
    shown = {throw.number for throw in report.throws}
    return replace(entry, report=report, dice=tuple(sealed for sealed in entry.dice if sealed.throw.number in shown))


def unread(entry: Entry) -> Entry:
    """What stands for an entry that the viewer may not read."""
    return replace(entry, action={}, dice=(), report=Report(headline=UNREAD, side=entry.side))
