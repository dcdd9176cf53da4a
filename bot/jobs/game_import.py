"""Import a game: check the file, and convert the game to database rows."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from bot.game_file.format import ExportedEntry, ExportedGame, ExportedSeat, ExportedSeed
from bot.game_file.import_entry import make_import_entry
from bot.game_file.validate import check_file
from bot.journal.audience import viewers_column
from bot.journal.codec import pack
from bot.journal.game import Actor, game_columns
from bot.journal.throw_numbers import JournalCounts
from rules.core.ruleset import Ruleset

Row = Mapping[str, Any]
"""A row of a table, by column name."""


@dataclass(frozen=True)
class ImportContext:
    """The circumstances of an import: id, channel and server of the new game, the importing user, the interaction."""

    game: str
    channel: int
    guild: int | None
    actor: Actor
    interaction: int


@dataclass(frozen=True)
class ImportedRows:
    """The rows of an imported game for each table. The dice seeds are not rows yet."""

    game: Row
    seats: Sequence[Row]
    entries: Sequence[Row]
    photographs: Sequence[Row]
    pictures: Sequence[Row]
    seeds: Sequence[ExportedSeed]


def read_imported_rows(document: bytes, rulesets: Mapping[str, Ruleset[Any]], context: ImportContext) -> ImportedRows:
    """Check an exported file, and return its game as rows. Raises BadFile, which names the place of the fault."""
    checked = check_file(document, rulesets)
    file, actor = checked.file, context.actor
    interactions = {entry.interaction for entry in file.entries}
    last = make_import_entry(
        file, checked.ruleset.version, actor, 0 if context.interaction in interactions else context.interaction
    )
    every = (*file.entries, last)
    entries = [
        _entry_row(context.game, entry, checked.states.get(entry.seq), part, *stands)
        for entry, part, stands in zip(
            every, (*_number_entries_by_interaction(file), 0), _state_seqs_and_counts(every, file), strict=True
        )
    ]
    return ImportedRows(
        game=game_columns(
            context.game, context.channel, context.guild, file.name.strip(), file.ruleset, actor, file.started
        ),
        seats=[_bot_seat_row(context.game, seat, file) for seat in file.seats if seat.level is not None],
        entries=entries,
        photographs=[
            {"game": context.game, "seq": photograph.seq, "jpeg": photograph.jpeg} for photograph in file.photographs
        ],
        pictures=[{"game": context.game, "seq": picture.seq, "jpeg": picture.jpeg} for picture in file.pictures],
        seeds=file.seeds,
    )


def _bot_seat_row(game: str, seat: ExportedSeat, file: ExportedGame) -> Row:
    """Return the row of a bot's seat. The bot rests until a player asks for a decision.

    Only the bot's seats are imported: a file could name any user, whom the bot would then mention and remind.
    """
    assert seat.level is not None
    row = {"game": game, "user": seat.user, "name": seat.name, "side": seat.side}
    return {**row, "level": seat.level.value, "rests": file.state_seq}


def _state_seqs_and_counts(entries: Sequence[ExportedEntry], file: ExportedGame) -> Iterator[tuple[int, JournalCounts]]:
    """Yield the `state_seq` after each entry, and the journal's counts.

    An entry's `state_seq` is the `base` of the next entry. The last entry gets the file's own `state_seq`.
    """
    counts = JournalCounts()
    for entry, following in pairwise(entries):
        counts = _counts_after_entry(counts, entry).with_throws(entry.dice)
        if following is entries[-1]:
            counts = replace(counts, throws=file.thrown)
        yield following.base, counts
    yield file.state_seq, _counts_after_entry(counts, entries[-1])


def _counts_after_entry(counts: JournalCounts, entry: ExportedEntry) -> JournalCounts:
    """Return the counts after an entry. An entry of an older file has no number, only `seq`."""
    number = entry.number or entry.seq
    if entry.among is None:
        return replace(counts, entries=number)
    return replace(counts, hidden_entries={**counts.hidden_entries, entry.among: number})


def _number_entries_by_interaction(file: ExportedGame) -> Iterator[int]:
    """Yield for each entry the number of earlier entries of its interaction, or 0 without an interaction."""
    parts: Counter[int] = Counter()
    for entry in file.entries:
        yield parts[entry.interaction] if entry.interaction else 0
        parts[entry.interaction] += 1


def _entry_row(
    game: str, entry: ExportedEntry, state: str | None, part: int, state_seq: int, counts: JournalCounts
) -> Row:
    return {
        "game": game,
        "seq": entry.seq,
        "at": entry.at,
        "actor": entry.actor.id,
        "actor_name": entry.actor.name,
        "interaction": entry.interaction,
        "kind": entry.kind,
        "side": entry.side,
        "acts": entry.acts,
        "action": dict(entry.action),
        "dice": [sealed.model_dump(mode="json") for sealed in entry.dice],
        "report": pack(entry.report.model_dump_json()),
        "base": entry.base,
        "state": None if state is None else pack(state),
        "part": part,
        "state_seq": state_seq,
        "number": entry.number or entry.seq,
        "among": entry.among,
        **counts.columns(),
        "audience": viewers_column(entry.report.audience),
        "turn": entry.turn,
        "turn_end": entry.turn_end,
        "rules_version": entry.rules_version,
        "undone": entry.undone,
        "thought": None if entry.thought is None else entry.thought.model_dump(mode="json"),
    }
