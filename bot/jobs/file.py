"""The exported game written: what a viewer may know of it, as a file."""

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from bot.changes import changes
from bot.entries import seen_by, unread
from bot.exported import (
    HIDDEN,
    MAX_BYTES,
    UNTOLD,
    ExportedActor,
    ExportedEntry,
    ExportedGame,
    ExportedPhotograph,
    ExportedSeat,
    ExportedSeed,
    ExportedThought,
    Person,
)
from bot.game import Entry, Game
from bot.stored import read_state
from rules.core.model import UMPIRE, Viewer

from .lines import Line, entry
from .photograph import Laid

AROUND_ONE = 60
"""Bytes that stand around a photograph in the file."""


class Sealed(NamedTuple):
    """A seed of the dice as it is stored; None where the game was imported without it."""

    epoch: int
    hidden: bool
    tag: str
    seal: str
    seed: bytes | None
    revealed: bool


class Exported(NamedTuple):
    """A game's file, and how many photographs there was no room for."""

    data: bytes
    left_out: int = 0


def file(
    game: Game,
    lines: Sequence[Line],
    seeds: Sequence[Sealed],
    viewer: Viewer,
    photographs: Sequence[Laid] = (),
    largest: int = MAX_BYTES,
) -> Exported:
    """The game's file, as that viewer may know it. Of what they may not read it has the number, and what came of it.

    It has the newest of the photographs that fit into `largest` bytes.
    """
    told = ExportedGame(
        viewer=viewer,
        ruleset=game.ruleset.id,
        rules_version=game.ruleset.version,
        name=game.name,
        umpire=Person(id=game.umpire.id, name=game.umpire.name),
        started=game.started,
        ended=game.ended,
        head=game.seq,
        state_seq=game.state_seq,
        thrown=game.thrown,
        seats=tuple(
            ExportedSeat(user=seat.user, name=seat.name, side=seat.side, level=seat.level)
            for seat in game.seats
            if seat.until is None
        ),
        seeds=tuple(_seed(one, viewer) for one in seeds),
        entries=tuple(_entries(game, lines, viewer)),
    )
    data = told.model_dump_json().encode()
    room, kept = largest - len(data), list[ExportedPhotograph]()
    for one in reversed(photographs):
        room -= len(one.jpeg or b"") * 4 // 3 + AROUND_ONE
        if room < 0:
            break
        kept.insert(0, ExportedPhotograph(seq=one.seq, jpeg=None if one.jpeg is None else b64encode(one.jpeg)))
    if kept:
        data = told.model_copy(update={"photographs": tuple(kept)}).model_dump_json().encode()
    return Exported(data, sum(one.jpeg is not None for one in photographs[: len(photographs) - len(kept)]))


def _seed(one: Sealed, viewer: Viewer) -> ExportedSeed:
    known = one.seed is not None and (one.revealed or viewer == UMPIRE)
    return ExportedSeed(
        epoch=one.epoch,
        hidden=one.hidden,
        tag=one.tag,
        seal=one.seal,
        secret=one.seed.hex() if known and one.seed else None,
        revealed=one.revealed,
    )


def _entries(game: Game, lines: Sequence[Line], viewer: Viewer) -> list[ExportedEntry]:
    told: Any = None
    entries = []
    for line in lines:
        kept = entry(line, game.ruleset)
        read = _readable(game, kept, viewer)
        exported = _exported(game, line, kept, read)
        if read is None and not line.acts:
            exported = exported.model_copy(update=UNTOLD)
        if (now := _state(game, line, viewer)) is not None:
            first = {"state": now} if told is None else {"changes": tuple(changes(told, now))}
            exported, told = exported.model_copy(update=first), now
        entries.append(exported)
    return entries


def _state(game: Game, line: Line, viewer: Viewer) -> Any:
    """The state kept with the line, as the viewer may know it; None where none is kept, or it is damaged."""
    if line.state is None:
        return None
    try:
        state = game.ruleset.view(read_state(game.ruleset, line.state), viewer)
    except ValueError:
        return None
    return json.loads(game.ruleset.write_state(state))


def _readable(game: Game, kept: Entry, viewer: Viewer) -> Entry | None:
    """The entry as the viewer may read it, without the words of an action that were not theirs to hear."""
    seen = seen_by(kept, viewer)
    if seen is None or viewer in (UMPIRE, kept.side) or not kept.acts:
        return seen
    action = game.ruleset.actions.get(kept.kind)
    private = kept.action.get("secret") or action is None or action.umpire_only
    return replace(seen, action={}) if private else seen


def _exported(game: Game, line: Line, kept: Entry, read: Entry | None) -> ExportedEntry:
    """The line in the form of today, whichever it was written in, so of today's version."""
    known = read or unread(kept)
    return ExportedEntry(
        seq=line.seq,
        at=line.at,
        actor=ExportedActor(id=line.actor, name=line.actor_name),
        interaction=line.interaction,
        kind=known.kind if read else HIDDEN,
        side=line.side,
        acts=line.acts,
        action=known.action,
        dice=known.dice,
        report=known.report,
        base=line.base,
        turn=line.turn,
        turn_end=line.turn_end,
        rules_version=game.ruleset.version,
        undone=line.undone,
        thought=_thought(known),
    )


def _thought(known: Entry) -> ExportedThought | None:
    """How the bot came by it, of an entry as the viewer may know it."""
    if known.thought is None:
        return None
    return ExportedThought.model_validate(known.thought.stored())
