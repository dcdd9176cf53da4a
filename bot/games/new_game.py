"""Store a new game: the game's row, the seeds of the dice, the seats and the first entry."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeAlias

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from bot.errors import GameRunning
from bot.journal.drafts import Draft, EntryPosition, make_entry
from bot.journal.game import Actor, Played, game_columns
from bot.journal.ledger import Ledger
from bot.journal.seats import Seat
from bot.store.changes import Change
from bot.store.entry_insert import insert_entries
from bot.store.queries import fetch_value
from bot.store.tables import GAMES, SEATS, SEEDS
from rules.core.model import UMPIRE, Cite
from rules.core.report import Report, Step
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SEED_BYTES, SealedThrow, seal
from rules.core.state import State
from rules.core.typed_text import clean_name, is_visible_at

START = "game new"
SEALED = Cite(rule="/dice verify")
NAME_LENGTH = 80

SeedColumns: TypeAlias = Mapping[str, Any]
"""A row of the table of seeds, by column name."""


def make_game_id() -> str:
    """Return a random game id, short enough for a button's custom id."""
    return secrets.token_hex(6)


def make_seed_row(game: str, epoch: int, *, hidden: bool, tag: str) -> SeedColumns:
    """Return a row with a new random seed and its seal. See `Seed` for `epoch`, `hidden` and `tag`."""
    seed = secrets.token_bytes(SEED_BYTES)
    row = {"game": game, "epoch": epoch, "hidden": hidden, "tag": tag}
    return {**row, "seal": seal(seed), "seed": seed, "revealed": False}


def make_first_seed_rows(game: str) -> Sequence[SeedColumns]:
    """Return rows with the first seeds of a game's open and hidden dice."""
    return [make_seed_row(game, 1, hidden=hidden, tag=game) for hidden in (False, True)]


async def store_new_game(
    ledger: Ledger,
    actor: Actor,
    interaction: int,
    *,
    game: str,
    channel: int,
    guild: int | None,
    name: str,
    title: str,
    ruleset: Ruleset[Any],
    umpire: Actor,
    state: State,
    action: Mapping[str, Any],
    seeds: Sequence[SeedColumns],
    seats: Sequence[Seat],
    last_sides: Mapping[str, str],
    throws: tuple[SealedThrow, ...] = (),
    changes: Sequence[Change] = (),
) -> Played:
    """Store a game with its first state, `action` and the set-up's `throws`, and return its first entry.

    `last_sides` are the sides that users last played, by user id as text. Raises GameRunning if the channel has a
    running game.
    """
    report = make_opening_report(title, state, seeds, throws).model_copy(update={"prompts": ruleset.prompts(state)})
    draft = Draft(kind=START, report=report, action=action, state=state, thrown=throws)
    new_entry = make_entry(EntryPosition(game, 1, 1, None), ruleset, actor, draft, interaction)
    row = game_columns(game, channel, guild, name, ruleset.id, umpire, datetime.now(UTC))
    try:
        await ledger.store.writer.execute(
            insert(GAMES).values({**row, "held": last_sides or None}),
            *(insert(SEEDS).values(seed) for seed in seeds),
            *(insert(SEATS).values(_make_seat_columns(game, seat)) for seat in seats if seat.until is None),
            partial(insert_entries, entries=[new_entry.columns]),
            *changes,
        )
    except IntegrityError:
        await require_free_channel(ledger, channel)
        raise
    new_game = await ledger.game_by_id(game)
    return Played(new_game, new_entry.entry, before=state, waits=new_game.awaited_viewers)


def _make_seat_columns(game: str, seat: Seat) -> Mapping[str, Any]:
    level = None if seat.level is None else seat.level.value
    return {"game": game, "user": seat.user, "name": seat.name, "side": seat.side, "level": level}


async def require_free_channel(ledger: Ledger, channel: int) -> None:
    """Raise GameRunning if the channel has a running game."""
    query = select(GAMES.c.name).where(GAMES.c.channel == channel, GAMES.c.ended.is_(None))
    name = await fetch_value(ledger.store, query)
    if name is not None:
        raise GameRunning(
            f"A game runs in this channel: {name}. End it with /game end, or use another channel for yours."
        )


def clean_game_name(name: str) -> str:
    """Return the name on one line, without control characters, cut to `NAME_LENGTH`."""
    line = "".join(sign if is_visible_at(name, at) else " " for at, sign in enumerate(name))
    return clean_name(clean_name(line)[:NAME_LENGTH])


def make_opening_report(
    title: str, state: State, seeds: Sequence[SeedColumns], throws: Sequence[SealedThrow] = ()
) -> Report:
    """Return the report of a game's start, with the seals of the dice. Only the umpire reads the set-up's throws."""
    umpire_alone, set_up_throws = frozenset({UMPIRE}), (sealed.throw for sealed in throws)
    setting_up = (
        Step(text=throw.label, cite=SEALED, throws=(throw,), only_for=umpire_alone) for throw in set_up_throws
    )
    seals = tuple(
        Step(text=f"Seal of the {'hidden ' if seed['hidden'] else ''}dice: {seed['seal']}", cite=SEALED)
        for seed in seeds
    )
    return Report(headline=f"{title}: the game begins", steps=(*seals, *setting_up), outcome=state.turn_title)
