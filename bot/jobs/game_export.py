"""Export a game: write the part that a viewer may know to a file."""

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pydantic import TypeAdapter

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
from bot.game_file.json_changes import find_changes
from bot.journal.codec import read_state
from bot.journal.entries import AS_AFTER, REDONE, UNDONE, redact_for_viewer
from bot.journal.game import Entry, Game
from rules.core.model import UMPIRE, Viewer

from .journal_lines import EntryColumns, parse_line
from .photograph import Illustration, MapPhotograph

_THOUGHT: TypeAdapter[ExportedThought | None] = TypeAdapter(ExportedThought | None)
IMAGE_OVERHEAD = 60
"""Bytes of JSON that each photograph or picture adds to the file, besides the image."""


class StoredSeed(NamedTuple):
    """The row of a dice seed. `seed` is None in an imported game whose file omitted the seed."""

    epoch: int
    hidden: bool
    tag: str
    seal: str
    seed: bytes | None
    revealed: bool


class ExportedFile(NamedTuple):
    """The file of an exported game, and the number of omitted photographs and pictures."""

    data: bytes
    left_out: int = 0


def export_game(
    game: Game,
    lines: Sequence[EntryColumns],
    seeds: Sequence[StoredSeed],
    viewer: Viewer,
    photographs: Sequence[MapPhotograph] = (),
    max_bytes: int = MAX_BYTES,
    illustrations: Sequence[Illustration] = (),
) -> ExportedFile:
    """Write the game's file for one viewer, without anything that is hidden from the viewer.

    The file contains as many of the newest photographs and pictures as fit into `max_bytes`.
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
        state_seq=readable.number_in_file(game.state_seq),
        thrown=game.public_throw_count,
        seats=tuple(
            ExportedSeat(user=seat.user, name=seat.name, side=seat.side, level=seat.level)
            for seat in game.seats
            if seat.until is None
        ),
        seeds=tuple(_export_seed(seed, viewer) for seed in seeds),
        entries=readable.entries_with_states(),
    )
    data = exported.model_dump_json().encode()
    both: list[MapPhotograph | Illustration] = [*photographs, *illustrations]
    images = sorted(both, key=lambda image: image.seq)
    newest = _newest_images_that_fit(images, max_bytes - len(data))
    if newest:
        laid = [
            ExportedPhotograph(
                seq=readable.number_in_file(image.seq), jpeg=None if image.jpeg is None else b64encode(image.jpeg)
            )
            for image in newest
            if isinstance(image, MapPhotograph)
        ]
        pictures = [
            ExportedPicture(seq=readable.number_in_file(image.seq), jpeg=b64encode(image.jpeg))
            for image in newest
            if isinstance(image, Illustration)
        ]
        with_images = exported.model_copy(update={"photographs": tuple(laid), "pictures": tuple(pictures)})
        data = with_images.model_dump_json().encode()
    return ExportedFile(data, sum(image.jpeg is not None for image in images[: len(images) - len(newest)]))


def _newest_images_that_fit(
    images: Sequence[MapPhotograph | Illustration], max_bytes: int
) -> Sequence[MapPhotograph | Illustration]:
    """Return as many of the newest images as fit into `max_bytes`."""
    for number, image in enumerate(reversed(images)):
        max_bytes -= len(image.jpeg or b"") * 4 // 3 + IMAGE_OVERHEAD
        if max_bytes < 0:
            return images[len(images) - number :]
    return images


def _export_seed(seed: StoredSeed, viewer: Viewer) -> ExportedSeed:
    is_known = seed.seed is not None and (seed.revealed or viewer == UMPIRE)
    return ExportedSeed(
        epoch=seed.epoch,
        hidden=seed.hidden,
        tag=seed.tag,
        seal=seed.seal,
        secret=seed.seed.hex() if is_known and seed.seed else None,
        revealed=seed.revealed,
    )


class _ReadableEntries:
    """The entries that the viewer may read, numbered anew for the file, with their states."""

    def __init__(self, game: Game, lines: Sequence[EntryColumns], viewer: Viewer) -> None:
        self.entries: list[ExportedEntry] = []
        self.numbers: dict[int, int] = {}
        """Numbers in the file by numbers in the journal. An omitted entry has an earlier entry's number in the file."""
        self._own_numbers: dict[int, int] = {}
        self._states: dict[int, Any] = {}
        self._game, self._viewer = game, viewer
        for line in lines:
            self._add_line(line)

    def entries_with_states(self) -> tuple[ExportedEntry, ...]:
        """Return the entries with their states. The first state is whole. Each later one is a list of changes."""
        before: Any = None
        exported = []
        for entry in self.entries:
            state = self._states.get(entry.seq)
            if state is None:
                exported.append(entry)
                continue
            state_fields = {"state": state} if before is None else {"changes": tuple(find_changes(before, state))}
            exported.append(entry.model_copy(update=state_fields))
            before = state
        return tuple(exported)

    def number_in_file(self, seq: int) -> int:
        """Return the number in the file of the journal entry `seq`.

        For an unknown entry, return the number of the last known earlier entry, or 1 without one.
        """
        return self.numbers.get(seq) or max(
            (own for earlier_seq, own in self.numbers.items() if earlier_seq < seq), default=1
        )

    def _add_line(self, line: EntryColumns) -> None:
        entry = parse_line(line, self._game.ruleset)
        visible_entry = _visible_entry(self._game, entry, self._viewer)
        if visible_entry is None:
            self.numbers[line.seq] = self.number_in_file(entry.action.get(AS_AFTER, line.base))
        else:
            self.numbers[line.seq] = self._own_numbers[line.seq] = len(self.entries) + 1
            base = self.number_in_file(line.base) if self.entries else 1
            action = {**visible_entry.action, **self._renumber_references(visible_entry)}
            numbered_entry = replace(visible_entry, seq=self.numbers[line.seq], base=base, action=action)
            self.entries.append(_export_entry(self._game, line, numbered_entry))
        stands = visible_entry is not None or not line.undone
        if stands and (now := _readable_state(self._game, line, self._viewer)) is not None:
            self._states[self.numbers[line.seq]] = now

    def _renumber_references(self, entry: Entry) -> dict[str, Any]:
        """Return an undo's or a redo's references to other entries, with the entry numbers of the file."""
        if entry.acts:
            return {}
        own = self._own_numbers
        lists = {UNDONE: [own[seq] for seq in entry.action[UNDONE] if seq in own]} if UNDONE in entry.action else {}
        return lists | {name: own[entry.action[name]] for name in (REDONE, AS_AFTER) if name in entry.action}


def _readable_state(game: Game, line: EntryColumns, viewer: Viewer) -> Any:
    """Return the viewer's view of the line's state as JSON, or None for a missing or damaged state."""
    if line.state is None:
        return None
    try:
        state = game.ruleset.storable_view(read_state(game.ruleset, line.state), viewer)
    except ValueError:
        return None
    return json.loads(game.ruleset.write_state(state))


def _visible_entry(game: Game, entry: Entry, viewer: Viewer) -> Entry | None:
    """Return the part of the entry that the viewer may read, or None if there is none.

    If another side's action is secret or only for the umpire, the action's arguments are removed.
    """
    visible_entry = redact_for_viewer(entry, viewer)
    if visible_entry is None or viewer in (UMPIRE, entry.side) or not entry.acts:
        return visible_entry
    action = game.ruleset.actions.get(entry.kind)
    private = entry.action.get("secret") or action is None or action.umpire_only
    return replace(visible_entry, action={}) if private else visible_entry


def _export_entry(game: Game, line: EntryColumns, entry: Entry) -> ExportedEntry:
    """Return the entry in the format of the file."""
    return ExportedEntry(
        seq=entry.seq,
        at=line.at,
        actor=ExportedActor(id=line.actor, name=line.actor_name),
        interaction=line.interaction,
        number=line.number,
        among=line.among,
        kind=entry.kind,
        side=line.side,
        acts=line.acts,
        action=entry.action,
        dice=entry.dice,
        report=entry.report,
        base=entry.base,
        turn=line.turn,
        turn_end=line.turn_end,
        rules_version=game.ruleset.version,
        undone=line.undone,
        thought=_THOUGHT.validate_python(entry.thought, from_attributes=True),
    )
