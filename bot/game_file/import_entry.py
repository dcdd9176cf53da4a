"""The entry that records an import, and placeholders for entries missing from an older file."""

from collections.abc import Iterator
from datetime import UTC, datetime

from bot.journal.game import Actor
from rules.core.model import UMPIRE
from rules.core.report import Report

from .format import HIDDEN, HIDDEN_FIELDS, ExportedActor, ExportedEntry, ExportedGame

IMPORT = "game import"
LAST_THROW = "thrown"
"""Key in the import entry's action: the number of the last throw in the file."""
MAX_MISSING_ENTRIES = 5000
"""Maximum number of entries missing from a player's file of version 1."""


def make_import_entry(file: ExportedGame, version: int, actor: Actor, interaction: int) -> ExportedEntry:
    """Return the public entry that records the import of `file`. `version` is the rules version."""
    report = Report(
        headline=f"{actor.name} imported this game from a file",
        outcome="Everything before this entry is as the file says.",
    )
    return ExportedEntry(
        seq=file.head + 1,
        number=max((entry.number or entry.seq for entry in file.entries if entry.among is None), default=0) + 1,
        at=datetime.now(UTC),
        actor=ExportedActor(id=actor.id, name=actor.name),
        interaction=interaction,
        kind=IMPORT,
        side=UMPIRE,
        acts=False,
        action={LAST_THROW: file.thrown},
        dice=(),
        report=report,
        base=file.state_seq,
        turn=file.entries[-1].turn,
        turn_end=False,
        rules_version=version,
        undone=False,
    )


def insert_hidden_entries(file: ExportedGame) -> ExportedGame:
    """Return the file with a placeholder for each missing entry.

    Only a player's file of version 1 may lack entries. Any other file is returned unchanged.
    """
    too_many_missing = file.head - len(file.entries) > MAX_MISSING_ENTRIES
    if file.version > 1 or file.viewer == UMPIRE or not file.entries or too_many_missing:
        return file
    return file.model_copy(update={"entries": tuple(_fill_gaps(file))})


def _fill_gaps(file: ExportedGame) -> Iterator[ExportedEntry]:
    following = [*((entry.seq, entry.base) for entry in file.entries[1:]), (file.head + 1, file.state_seq)]
    for entry, (next_seq, base) in zip(file.entries, following, strict=True):
        yield entry
        for seq in range(entry.seq + 1, next_seq):
            yield make_hidden_entry(entry, seq, base)


def make_hidden_entry(earlier: ExportedEntry, seq: int, base: int) -> ExportedEntry:
    """Return a placeholder for hidden entry `seq`, with the time and the turn of `earlier`.

    Entry `base` has the state before the hidden entry.
    """
    update = {
        **HIDDEN_FIELDS,
        "seq": seq,
        "base": base,
        "kind": HIDDEN,
        "acts": False,
        "action": {},
        "dice": (),
        "turn_end": False,
        "undone": False,
        "state": None,
        "changes": None,
    }
    return earlier.model_copy(update=update)
