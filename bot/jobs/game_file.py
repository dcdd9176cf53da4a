"""The exported game written: what a viewer may know of it, as a file."""

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from bot.game_file.format import (
    MAX_BYTES,
    ExportedActor,
    ExportedEntry,
    ExportedGame,
    ExportedPhotograph,
    ExportedPicture,
    ExportedSeat,
    ExportedSeed,
    ExportedThought,
    Person,
)
from bot.game_file.json_changes import changes
from bot.journal.codec import read_state
from bot.journal.entries import AS_AFTER, REDONE, UNDONE, seen_by
from bot.journal.game import Entry, Game
from rules.core.model import UMPIRE, Viewer

from .illustration import Illustration
from .journal_lines import Line, entry
from .photograph import Laid

AROUND_ONE = 60
"""Bytes that stand around a photograph in the file."""


class Sealed(NamedTuple):
    """A stored dice seed; None if the game's file omitted the seed."""

    epoch: int
    hidden: bool
    tag: str
    seal: str
    seed: bytes | None
    revealed: bool


class Exported(NamedTuple):
    """A game's file, and the number of omitted photographs and pictures."""

    data: bytes
    left_out: int = 0


def file(
    game: Game,
    lines: Sequence[Line],
    seeds: Sequence[Sealed],
    viewer: Viewer,
    photographs: Sequence[Laid] = (),
    largest: int = MAX_BYTES,
    illustrations: Sequence[Illustration] = (),
) -> Exported:
    """Write the game's file for one viewer, without content hidden from the viewer.

    It has the newest of the photographs and pictures that fit into `largest` bytes.
    """
    readable = _ReadableEntries(game, lines, viewer)
    exported = ExportedGame(
        viewer=viewer,
        ruleset=game.ruleset.id,
        rules_version=game.ruleset.version,
        name=game.name,
        umpire=Person(id=game.umpire.id, name=game.umpire.name),
        started=game.started,
        ended=game.ended,
        head=len(readable.entries),
        state_seq=readable.place(game.state_seq),
        thrown=game.thrown,
        seats=tuple(
            ExportedSeat(user=seat.user, name=seat.name, side=seat.side, level=seat.level)
            for seat in game.seats
            if seat.until is None
        ),
        seeds=tuple(_seed(one, viewer) for one in seeds),
        entries=readable.whole(),
    )
    data = exported.model_dump_json().encode()
    both: list[Laid | Illustration] = [*photographs, *illustrations]
    every = sorted(both, key=lambda one: one.seq)
    kept = _newest(every, largest - len(data))
    if kept:
        lain = [_photograph(one, readable) for one in kept if isinstance(one, Laid)]
        shown = [_picture(one, readable) for one in kept if isinstance(one, Illustration)]
        with_them = exported.model_copy(update={"photographs": tuple(lain), "pictures": tuple(shown)})
        data = with_them.model_dump_json().encode()
    return Exported(data, sum(one.jpeg is not None for one in every[: len(every) - len(kept)]))


def _newest(every: Sequence[Laid | Illustration], room: int) -> Sequence[Laid | Illustration]:
    """Return the newest photographs or pictures that fit into `room` bytes."""
    for number, one in enumerate(reversed(every)):
        room -= len(one.jpeg or b"") * 4 // 3 + AROUND_ONE
        if room < 0:
            return every[len(every) - number :]
    return every


def _photograph(one: Laid, readable: "_ReadableEntries") -> ExportedPhotograph:
    return ExportedPhotograph(seq=readable.place(one.seq), jpeg=None if one.jpeg is None else b64encode(one.jpeg))


def _picture(one: Illustration, readable: "_ReadableEntries") -> ExportedPicture:
    return ExportedPicture(seq=readable.place(one.seq), jpeg=b64encode(one.jpeg))


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


class _ReadableEntries:
    """The viewer's readable entries, renumbered for the file, with their states."""

    def __init__(self, game: Game, lines: Sequence[Line], viewer: Viewer) -> None:
        self.entries: list[ExportedEntry] = []
        self.places: dict[int, int] = {}
        """The place of each entry by its number in the journal; of one that is left out, of the state it stands for."""
        self._own: dict[int, int] = {}
        self._states: dict[int, Any] = {}
        self._game, self._viewer = game, viewer
        for line in lines:
            self._add(line)

    def whole(self) -> tuple[ExportedEntry, ...]:
        """Return the entries with states: the first state in full, later states as changes."""
        before: Any = None
        exported = []
        for one in self.entries:
            now = self._states.get(one.seq)
            if now is None:
                exported.append(one)
                continue
            kept = {"state": now} if before is None else {"changes": tuple(changes(before, now))}
            exported.append(one.model_copy(update=kept))
            before = now
        return tuple(exported)

    def place(self, seq: int) -> int:
        """Return an entry's number in the file; for an omitted entry, the number of the previous entry."""
        return self.places.get(seq) or max((own for known, own in self.places.items() if known < seq), default=1)

    def _add(self, line: Line) -> None:
        kept = entry(line, self._game.ruleset)
        read = _readable(self._game, kept, self._viewer)
        if read is None:
            self.places[line.seq] = self.place(kept.action.get(AS_AFTER, line.base))
        else:
            self.places[line.seq] = self._own[line.seq] = len(self.entries) + 1
            base = self.place(line.base) if self.entries else 1
            action = {**read.action, **self._turned(read)}
            placed = replace(read, seq=self.places[line.seq], base=base, action=action)
            self.entries.append(_exported(self._game, line, placed))
        stands = read is not None or not line.undone
        if stands and (now := _state(self._game, line, self._viewer)) is not None:
            self._states[self.places[line.seq]] = now

    def _turned(self, read: Entry) -> dict[str, Any]:
        """Return the fields of an undo or redo that name entries, by their places here."""
        if read.acts:
            return {}
        own = self._own
        lists = {UNDONE: [own[seq] for seq in read.action[UNDONE] if seq in own]} if UNDONE in read.action else {}
        return lists | {name: own[read.action[name]] for name in (REDONE, AS_AFTER) if name in read.action}


def _state(game: Game, line: Line, viewer: Viewer) -> Any:
    """Return the line's state as the viewer may know it, or None if missing or damaged."""
    if line.state is None:
        return None
    try:
        state = game.ruleset.storable_view(read_state(game.ruleset, line.state), viewer)
    except ValueError:
        return None
    return json.loads(game.ruleset.write_state(state))


def _readable(game: Game, kept: Entry, viewer: Viewer) -> Entry | None:
    """Return the entry for the viewer, without arguments of actions by other sides."""
    seen = seen_by(kept, viewer)
    if seen is None or viewer in (UMPIRE, kept.side) or not kept.acts:
        return seen
    action = game.ruleset.actions.get(kept.kind)
    private = kept.action.get("secret") or action is None or action.umpire_only
    return replace(seen, action={}) if private else seen


def _exported(game: Game, line: Line, read: Entry) -> ExportedEntry:
    """Return the entry in the current format version."""
    return ExportedEntry(
        seq=read.seq,
        at=line.at,
        actor=ExportedActor(id=line.actor, name=line.actor_name),
        interaction=line.interaction,
        number=line.number,
        among=line.among,
        kind=read.kind,
        side=line.side,
        acts=line.acts,
        action=read.action,
        dice=read.dice,
        report=read.report,
        base=read.base,
        turn=line.turn,
        turn_end=line.turn_end,
        rules_version=game.ruleset.version,
        undone=line.undone,
        thought=_thought(read),
    )


def _thought(known: Entry) -> ExportedThought | None:
    """Return the bot's thinking record of an entry, or None."""
    if known.thought is None:
        return None
    return ExportedThought.model_validate(known.thought.to_column())
