"""The exported game: the form of the file, and how one is written."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field
from sqlalchemy import select

from rules.core.model import UMPIRE, Model, Viewer
from rules.core.report import Report
from rules.core.sealed import SealedThrow

from .changes import changes
from .entries import entry_of, seen_by, unread
from .game import Entry, Game
from .ledger import Ledger
from .store.tables import EntryRow, SeedRow
from .stored import read_state

FORMAT: Literal["umpire game"] = "umpire game"
VERSION: Literal[1] = 1
HIDDEN = "hidden"

Snowflake = Annotated[int, Field(ge=0, lt=2**63)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Name = Annotated[str, Field(max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$")]
MOST_SEATS = 50


class Person(Model):
    """A user."""

    id: Snowflake
    name: Name


class ExportedSeat(Model):
    """A player's seat."""

    user: Snowflake
    name: Name
    side: Name


class ExportedSeed(Model):
    """A seed of the dice; `secret` is there in the umpire's file, or once it is revealed."""

    epoch: Count
    hidden: bool
    tag: str = Field(max_length=16)
    seal: str = Field(pattern="^[0-9a-f]{64}$")
    secret: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    revealed: bool


class ExportedEntry(Model):
    """A line of the journal. The first state is told whole, later ones by what changed since the one told before."""

    seq: int = Field(ge=1, le=1_000_000)
    at: datetime
    actor: Person
    interaction: Snowflake
    kind: str = Field(max_length=60)
    side: str = Field(max_length=60)
    acts: bool
    action: Mapping[str, Any]
    dice: tuple[SealedThrow, ...]
    report: Report
    base: Count
    turn: Count
    turn_end: bool
    rules_version: Count
    undone: bool
    state: Mapping[str, Any] | None = None
    changes: tuple[tuple[Any, ...], ...] | None = None


class ExportedGame(Model):
    """A whole game, as `viewer` may know it."""

    format: Literal["umpire game"] = FORMAT
    version: Literal[1] = VERSION
    viewer: str
    ruleset: str
    rules_version: Count
    name: Name
    umpire: Person
    started: datetime
    ended: datetime | None
    head: Count
    state_seq: Count
    thrown: Count
    seats: Annotated[tuple[ExportedSeat, ...], Field(max_length=MOST_SEATS)]
    seeds: tuple[ExportedSeed, ...]
    entries: tuple[ExportedEntry, ...]


async def export(ledger: Ledger, game: Game, viewer: Viewer) -> bytes:
    """The game's file, as that viewer may know it. What they may not read is left out but for what came of it."""
    async with ledger.store.read() as session:
        rows = (await session.scalars(select(EntryRow).where(EntryRow.game == game.id).order_by(EntryRow.seq))).all()
        seeds = (await session.scalars(select(SeedRow).where(SeedRow.game == game.id))).all()
    return await asyncio.to_thread(_file, game, rows, seeds, viewer)


def _file(game: Game, rows: Sequence[EntryRow], seeds: Sequence[SeedRow], viewer: Viewer) -> bytes:
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
        seats=tuple(ExportedSeat(user=seat.user, name=seat.name, side=seat.side) for seat in game.seats),
        seeds=tuple(_seed(row, viewer) for row in seeds),
        entries=tuple(_entries(game, rows, viewer)),
    )
    return told.model_dump_json().encode()


def _seed(row: SeedRow, viewer: Viewer) -> ExportedSeed:
    known = row.seed is not None and (row.revealed or viewer == UMPIRE)
    return ExportedSeed(
        epoch=row.epoch,
        hidden=row.hidden,
        tag=row.tag,
        seal=row.seal,
        secret=row.seed.hex() if known and row.seed else None,
        revealed=row.revealed,
    )


def _entries(game: Game, rows: Sequence[EntryRow], viewer: Viewer) -> list[ExportedEntry]:
    told: Any = None
    entries = []
    for row in rows:
        read = _readable(game, entry_of(row, game.ruleset), viewer)
        if read is None and not row.acts:
            continue
        entry = _exported(game, row, read)
        if row.state is not None:
            state = game.ruleset.view(read_state(game.ruleset, row.state), viewer)
            now = json.loads(game.ruleset.write_state(state))
            first = {"state": now} if told is None else {"changes": tuple(changes(told, now))}
            entry, told = entry.model_copy(update=first), now
        entries.append(entry)
    return entries


def _readable(game: Game, entry: Entry, viewer: Viewer) -> Entry | None:
    """The entry as the viewer may read it, without the words of an action that were not theirs to hear."""
    seen = seen_by(entry, viewer)
    if seen is None or viewer in (UMPIRE, entry.side) or not entry.acts:
        return seen
    action = game.ruleset.actions.get(entry.kind)
    private = entry.action.get("secret") or action is None or action.umpire_only
    return replace(seen, action={}) if private else seen


def _exported(game: Game, row: EntryRow, read: Entry | None) -> ExportedEntry:
    """The row in the form of today, whichever it was written in, so of today's version."""
    known = read or unread(entry_of(row, game.ruleset))
    return ExportedEntry(
        seq=row.seq,
        at=row.at,
        actor=Person(id=row.actor, name=row.actor_name),
        interaction=row.interaction,
        kind=known.kind if read else HIDDEN,
        side=row.side,
        acts=row.acts,
        action=known.action,
        dice=known.dice,
        report=known.report,
        base=row.base,
        turn=row.turn,
        turn_end=row.turn_end,
        rules_version=game.ruleset.version,
        undone=row.undone,
    )
