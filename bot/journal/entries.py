"""Parse journal entries from database rows, and redact them for viewers."""

from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from rules.core.model import UMPIRE, Viewer
from rules.core.report import Report
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SealedThrow

from .codec import read_report
from .game import Actor, Entry
from .thinking_record import THINKING

UNREAD = "Something you may not read"
"""Headline of a hidden entry that cannot be omitted."""

LOST = "What was done here can no longer be read"
"""Headline shown in place of a damaged report."""

UNDO = "game undo"
REDO = "game redo"
UNDONE = "undone"
"""Argument of an undo: numbers of the undone entries, newest first."""
REDONE = "redone"
"""Argument of a redo: the number of the restored entry."""
AS_AFTER = "as_after"
"""Argument of an undo that kept hidden troops as they are: number of the entry whose state the viewer sees again."""

SEALED_THROWS = TypeAdapter(tuple[SealedThrow, ...])


def read_entry(row: Any, ruleset: Ruleset[Any]) -> Entry:
    """Parse a row with `READ_COLUMNS` into an entry that is not redacted.

    Reports of older rules versions are upgraded. If the row is unreadable, the entry has the headline `LOST`.
    """
    try:
        return _parse_entry(row, ruleset)
    except ValueError:
        report = Report(headline=LOST, side=row.side)
        actor = Actor(row.actor, row.actor_name)
        entry = Entry(row.seq, row.at, actor, row.kind, {}, report, row.undone, row.acts, row.side, row.turn)
        return replace(entry, number=row.number, numbered_for=row.among)


def _parse_entry(row: Any, ruleset: Ruleset[Any]) -> Entry:
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
        dice=SEALED_THROWS.validate_python(row.dice),
        base=row.base,
        thought=THINKING.validate_python(row.thought),
        number=row.number,
        numbered_for=row.among,
    )


def redact_for_viewer(entry: Entry, viewer: Viewer) -> Entry | None:
    """Return the entry redacted for the viewer, or None if the whole entry is hidden from the viewer."""
    report = entry.report.view_for(viewer)
    if report is None:
        return None
    throw_names = {throw.name for throw in report.throws}
    thought = entry.thought if entry.thought is not None and viewer in (UMPIRE, entry.thought.side) else None
    dice = tuple(sealed for sealed in entry.dice if sealed.throw.name in throw_names)
    return replace(entry, report=report, dice=dice, thought=thought)


def make_hidden_entry_placeholder(entry: Entry) -> Entry:
    """Return the entry's placeholder, which has the entry's number but no contents."""
    return replace(entry, action={}, dice=(), report=Report(headline=UNREAD, side=entry.side), thought=None)
