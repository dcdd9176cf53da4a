"""Entries of the journal: read from their rows, shown to a viewer. Nothing here knows of the database."""

from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from rules.core.model import UMPIRE, Viewer
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SealedThrow

from .codec import read_report
from .game import Actor, Entry
from .thinking_record import thinking_of

UNREAD = "Something you may not read"
"""Headline shown in place of a hidden entry that cannot be omitted."""

LOST = "What was done here can no longer be read"
"""Shown in place of an entry whose report is damaged."""

UNDO = "game undo"
REDO = "game redo"
UNDONE = "undone"
"""The field of an undo's action with the entries that it took back, the newest first."""
REDONE = "redone"
"""Argument of a redo naming the restored entry."""
AS_AFTER = "as_after"
"""Argument of an undo or redo: the entry whose visible state was restored."""

THROWN = TypeAdapter(tuple[SealedThrow, ...])


def entry_of(row: Any, ruleset: Ruleset[Any]) -> Entry:
    """Return the entry of a row, unredacted, in today's form; an entry that only says so where it cannot be read.

    `row` has the columns of an entry by name, except its state.
    """
    try:
        return _read(row, ruleset)
    except ValueError:
        lost = Report(headline=LOST, side=row.side)
        who = Actor(row.actor, row.actor_name)
        lost_one = Entry(row.seq, row.at, who, row.kind, {}, lost, row.undone, row.acts, row.side, row.turn)
        return replace(lost_one, number=row.number, numbered_for=row.among)


def _read(row: Any, ruleset: Ruleset[Any]) -> Entry:
    kind, action = (
        ruleset.upgrade_action(row.kind, row.action, row.rules_version) if row.acts else (row.kind, row.action)
    )
    return Entry(
        seq=row.seq,
        at=row.at,
        actor=Actor(row.actor, row.actor_name),
        kind=kind,
        action=action,
        report=read_report(ruleset, row.report, row.rules_version),
        undone=row.undone,
        acts=row.acts,
        side=row.side,
        turn=row.turn,
        dice=THROWN.validate_python(row.dice),
        base=row.base,
        thought=thinking_of(row.thought),
        number=row.number,
        numbered_for=row.among,
    )


def seen_by(entry: Entry, viewer: Viewer) -> Entry | None:
    """Return the entry as the viewer may read it, or None for a hidden entry."""
    report = entry.report.seen_by(viewer)
    if report is None:
        return None
    shown = {throw.name for throw in report.throws}
    thought = entry.thought if entry.thought is not None and viewer in (UMPIRE, entry.thought.side) else None
    dice = tuple(sealed for sealed in entry.dice if sealed.throw.name in shown)
    return replace(entry, report=report, dice=dice, thought=thought)


def unread(entry: Entry) -> Entry:
    """Shown in place of an entry that the viewer may not read."""
    return replace(entry, action={}, dice=(), report=Report(headline=UNREAD, side=entry.side), thought=None)
