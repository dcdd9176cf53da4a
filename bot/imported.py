"""Importing a game: the file is checked as a whole before anything is written."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from rules.core.ruleset import Ruleset

from .checked import Checked, check
from .counts import Counts
from .errors import GameRuns
from .exported import ExportedEntry, ExportedGame, ExportedSeat, ExportedSeed
from .game import Actor, Game
from .import_entry import import_entry
from .journal import audience_of
from .opening import insert_game, new_id, new_seed, require_free
from .part import Part
from .store.tables import Base, EntryRow, GameRow, PhotographRow, PictureRow, SeatRow, SeedRow
from .stored import pack


@dataclass(frozen=True)
class ImportedBy:
    """Where a file is imported, by whom, and by which interaction."""

    channel: int
    guild: int | None
    actor: Actor
    interaction: int


class Importing(Part):
    """Importing games."""

    async def import_(
        self, channel: int, guild: int | None, actor: Actor, file: bytes, *, interaction: int = 0
    ) -> Game:
        """Imports the game with the actor as its umpire; its journal says so. Raises GameRuns, BadFile.

        The same interaction again gets the game that it imported.
        """
        where = ImportedBy(channel, guild, actor, interaction)
        if done := await self._ledger.done(where.channel, where.interaction):
            return done.game
        try:
            await require_free(self._ledger, where.channel)
            game, belongings = await asyncio.to_thread(_checked_rows, file, self._ledger.rulesets, where)
            async with self._ledger.lock(where.channel):
                await insert_game(self._ledger, game, belongings)
                return await self._ledger.by_id(game.id)
        except GameRuns:  # which another process may just have imported for the same interaction
            if done := await self._ledger.done(where.channel, where.interaction):
                return done.game
            raise


def _checked_rows(file: bytes, rulesets: Mapping[str, Ruleset[Any]], where: ImportedBy) -> tuple[GameRow, list[Base]]:
    return _rows(check(file, rulesets), where)


def _rows(checked: Checked, where: ImportedBy) -> tuple[GameRow, list[Base]]:
    file, game, actor = checked.file, new_id(), where.actor
    known = {entry.interaction for entry in file.entries}
    last = import_entry(file, checked.ruleset.version, actor, 0 if where.interaction in known else where.interaction)
    every = (*file.entries, last)
    row = GameRow(
        id=game,
        channel=where.channel,
        guild=where.guild,
        name=file.name.strip(),
        ruleset=file.ruleset,
        umpire=actor.id,
        umpire_name=actor.name,
        head=1,
        state_seq=1,
        thrown=0,
        started=file.started,
        ended=None,
    )
    seats = [_seat(game, seat, file) for seat in file.seats]
    entries = [
        _entry(game, entry, checked.states.get(entry.seq), part, *stands)
        for entry, part, stands in zip(every, (*_parts(file), 0), _stands(every, file), strict=True)
    ]
    photographs = [PhotographRow(game=game, seq=one.seq, jpeg=one.jpeg) for one in file.photographs]
    pictures = [PictureRow(game=game, seq=one.seq, jpeg=one.jpeg) for one in file.pictures]
    return row, [*seats, *_seeds(game, file.seeds), *entries, *photographs, *pictures]


def _seat(game: str, seat: ExportedSeat, file: ExportedGame) -> SeatRow:
    """A seat; the bot waits there until it is asked to go on."""
    row = SeatRow(game=game, user=seat.user, name=seat.name, side=seat.side)
    if seat.level is not None:
        row.level, row.rests = seat.level.value, file.state_seq
    return row


def _seeds(game: str, seeds: Sequence[ExportedSeed]) -> list[SeedRow]:
    """The file's seeds, and new ones where the dice cannot go on with them: unknown here, or known to all."""
    rows = [
        SeedRow(
            game=game,
            epoch=seed.epoch,
            hidden=seed.hidden,
            tag=seed.tag,
            seal=seed.seal,
            seed=bytes.fromhex(seed.secret) if seed.secret else None,
            revealed=seed.revealed,
        )
        for seed in seeds
    ]
    for hidden in (False, True):
        newest = max((row for row in rows if row.hidden == hidden), key=lambda row: row.epoch, default=None)
        if newest is None or newest.seed is None or newest.revealed:
            rows.append(new_seed(game, newest.epoch + 1 if newest else 1, hidden=hidden, tag=game))
    return rows


def _stands(entries: Sequence[ExportedEntry], file: ExportedGame) -> Iterator[tuple[int, Counts]]:
    """After each entry: the entry whose state stands, which is what the next one acted on, and what is counted by then.

    After the last of the file, and the entry of the import, that is what the file says.
    """
    counts = Counts()
    for entry, following in pairwise(entries):
        counts = _counted(counts, entry).with_throws(entry.dice)
        if following is entries[-1]:
            counts = replace(counts, throws=file.thrown)
        yield following.base, counts
    yield file.state_seq, _counted(counts, entries[-1])


def _counted(counts: Counts, entry: ExportedEntry) -> Counts:
    """With that entry: one of a file from before entries had numbers is counted by its place."""
    number = entry.number or entry.seq
    if entry.among is None:
        return replace(counts, entries=number)
    return replace(counts, hidden_entries={**counts.hidden_entries, entry.among: number})


def _parts(file: ExportedGame) -> Iterator[int]:
    """Which of the entries of its interaction each is."""
    parts: Counter[int] = Counter()
    for entry in file.entries:
        yield parts[entry.interaction] if entry.interaction else 0
        parts[entry.interaction] += 1


def _entry(game: str, entry: ExportedEntry, state: str | None, part: int, state_seq: int, counts: Counts) -> EntryRow:
    return EntryRow(
        game=game,
        seq=entry.seq,
        at=entry.at,
        actor=entry.actor.id,
        actor_name=entry.actor.name,
        interaction=entry.interaction,
        kind=entry.kind,
        side=entry.side,
        acts=entry.acts,
        action=dict(entry.action),
        dice=[sealed.model_dump(mode="json") for sealed in entry.dice],
        report=pack(entry.report.model_dump_json()),
        base=entry.base,
        state=None if state is None else pack(state),
        part=part,
        state_seq=state_seq,
        number=entry.number or entry.seq,
        among=entry.among,
        **counts.columns(),
        audience=audience_of(entry.report),
        turn=entry.turn,
        turn_end=entry.turn_end,
        rules_version=entry.rules_version,
        undone=entry.undone,
        thought=None if entry.thought is None else entry.thought.model_dump(mode="json"),
    )
