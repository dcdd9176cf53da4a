"""The entry that says a game was imported: everything before it is only known from the file."""

from collections.abc import Iterator
from datetime import UTC, datetime

from bot.journal.game import Actor
from rules.core.model import UMPIRE
from rules.core.report import Report

from .format import HIDDEN, UNTOLD, ExportedActor, ExportedEntry, ExportedGame

IMPORT = "game import"
THROWN = "thrown"
"""The field of the entry's action with the number of the file's last throw."""
MOST_LEFT_OUT = 5000
"""Entries that a player's file of the first form may have left out."""


def import_entry(file: ExportedGame, version: int, actor: Actor, interaction: int) -> ExportedEntry:
    """Return the entry after those of the file, for everyone to read; `version` is that of today's rules."""
    report = Report(
        headline=f"{actor.name} imported this game from a file",
        outcome="Everything before this entry is as the file says.",
    )
    return ExportedEntry(
        seq=file.head + 1,
        number=max((one.number or one.seq for one in file.entries if one.among is None), default=0) + 1,
        at=datetime.now(UTC),
        actor=ExportedActor(id=actor.id, name=actor.name),
        interaction=interaction,
        kind=IMPORT,
        side=UMPIRE,
        acts=False,
        action={THROWN: file.thrown},
        dice=(),
        report=report,
        base=file.state_seq,
        turn=file.entries[-1].turn,
        turn_end=False,
        rules_version=version,
        undone=False,
    )


def fill_gaps(file: ExportedGame) -> ExportedGame:
    """Complete a player's version 1 file: insert a hidden entry for each entry missing from the file.

    A later form has such entries of its own: a gap in it, as in an umpire's file of any form, is a fault.
    """
    if file.version > 1 or file.viewer == UMPIRE or not file.entries:
        return file
    if file.head - len(file.entries) > MOST_LEFT_OUT:
        return file
    return file.model_copy(update={"entries": tuple(_with_left_out(file))})


def _with_left_out(file: ExportedGame) -> Iterator[ExportedEntry]:
    following = iter((*file.entries[1:], None))
    for entry in file.entries:
        after = next(following)
        yield entry
        until, base = (file.head + 1, file.state_seq) if after is None else (after.seq, after.base)
        for seq in range(entry.seq + 1, until):
            yield left_out(entry, seq, base)


def left_out(like: ExportedEntry, seq: int, base: int) -> ExportedEntry:
    """Return a hidden entry without actor or throws, with the turn of the entry `like`."""
    update = {
        **UNTOLD,
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
    return like.model_copy(update=update)
