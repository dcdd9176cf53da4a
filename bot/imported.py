"""Taking an exported game in: checked as a whole before anything is written, each complaint with its place."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from rules.core.ruleset import Ruleset
from rules.core.sealed import seal
from rules.core.state import State

from .changes import changed
from .errors import BadFile
from .exported import HIDDEN, ExportedEntry, ExportedGame, ExportedSeed
from .game import Actor, Game
from .ledger import Ledger
from .opening import insert_game, new_id, new_seed, require_free
from .store.tables import Base, EntryRow, GameRow, SeatRow, SeedRow

MAX_BYTES = 5 * 1024 * 1024
MAX_STATES = 64 * 1024 * 1024
"""Characters that all the states of a file may come to when told in full."""


@dataclass(frozen=True)
class Checked:
    """A file found good: the game, its rule system, and each kept state as JSON by the number of its entry."""

    file: ExportedGame
    ruleset: Ruleset[Any]
    states: Mapping[int, str]


async def import_game(ledger: Ledger, channel: int, guild: int | None, actor: Actor, file: bytes) -> Game:
    """Takes the game in, with `actor` as its umpire. Raises GameRuns, BadFile."""
    await require_free(ledger, channel)
    checked = await asyncio.to_thread(check, file, ledger.rulesets)
    async with ledger.lock(channel):
        game, belongings = _rows(checked, channel, guild, actor)
        await insert_game(ledger, game, belongings)
        return await ledger.by_id(game.id)


def check(file: bytes, rulesets: Mapping[str, Ruleset[Any]]) -> Checked:
    """The game of a file. Raises BadFile with the place of what is wrong."""
    if len(file) > MAX_BYTES:
        raise BadFile(f"The file has {len(file):,} bytes; {MAX_BYTES:,} is the most. Nothing was changed.")
    if b"\\u0000" in file:
        raise BadFile("The file has a zero character in a text, which no game has. Nothing was changed.")
    try:
        game = ExportedGame.model_validate(from_json(file, allow_inf_nan=False))
    except ValidationError as error:
        raise _bad(*_place(error)) from None
    except ValueError as error:
        raise BadFile(f"The file is no JSON: {error}. Take one that /game export wrote; nothing was changed.") from None
    ruleset = rulesets.get(game.ruleset)
    if ruleset is None:
        raise _bad("ruleset", f"this bot has no rule system “{game.ruleset[:40]}”, only {', '.join(rulesets)}")
    if game.rules_version > ruleset.version:
        raise _bad(
            "rules_version", f"{game.rules_version} is newer than this bot's rules, {ruleset.version}: update it"
        )
    _check_journal(game, ruleset)
    _check_seeds(game.seeds)
    states = dict(_states(game, ruleset))
    if game.state_seq not in states:
        raise _bad("state_seq", f"entry {game.state_seq} has no state")
    _check_seats(game, ruleset.state_type.model_validate_json(states[game.state_seq]))
    return Checked(game, ruleset, states)


def _states(game: ExportedGame, ruleset: Ruleset[Any]) -> Iterator[tuple[int, str]]:
    told: Any = None
    length = 0
    for place, entry in enumerate(game.entries):
        if entry.state is None and entry.changes is None:
            continue
        where = f"entries[{place}].{'state' if entry.state is not None else 'changes'}"
        try:
            told = entry.state if entry.state is not None else _next(told, entry)
            state = ruleset.state_type.model_validate(told)
            text = state.model_dump_json()
            same = ruleset.state_type.model_validate_json(text) == state
        except ValidationError as error:
            deeper, why = _place(error)
            raise _bad(f"{where}.{deeper}", why) from None
        except (ValueError, LookupError, TypeError) as error:
            raise _bad(where, f"these changes do not fit what was told before ({error})") from None
        if not same or state.ruleset != ruleset.id:
            raise _bad(where, f"this is no state of {ruleset.title} that can be kept")
        length += len(text)
        if length > MAX_STATES:
            raise _bad(where, "the states of this file are too large when written out")
        yield entry.seq, text


def _next(told: Any, entry: ExportedEntry) -> Any:
    for change in entry.changes or ():
        told = changed(told, change)
    return told


def _check_journal(game: ExportedGame, ruleset: Ruleset[Any]) -> None:
    seqs: set[int] = set()
    throws: set[int] = set()
    interactions: set[int] = set()
    for place, entry in enumerate(game.entries):
        where = f"entries[{place}]"
        if entry.seq > game.head or (seqs and entry.seq <= max(seqs)):
            raise _bad(f"{where}.seq", f"{entry.seq} is out of order")
        if entry.base not in (seqs or {entry.seq}):
            raise _bad(f"{where}.base", f"there is no entry {entry.base} before it")
        if entry.acts and entry.kind != HIDDEN and entry.kind not in ruleset.actions:
            raise _bad(f"{where}.kind", f"{ruleset.title} has no action “{entry.kind}”")
        numbers = {sealed.throw.number for sealed in entry.dice}
        if len(numbers) < len(entry.dice) or numbers & throws or max(numbers, default=0) > game.thrown:
            raise _bad(f"{where}.dice", "a throw's number comes twice, or is above the last throw's")
        if entry.interaction and entry.interaction in interactions:
            raise _bad(f"{where}.interaction", "it comes twice")
        seqs.add(entry.seq)
        throws |= numbers
        interactions.add(entry.interaction)
    if not game.entries or game.entries[0].state is None:
        raise _bad("entries[0]", "a game begins with an entry that tells its state")


def _check_seeds(seeds: Sequence[ExportedSeed]) -> None:
    for place, seed in enumerate(seeds):
        if seed.secret is not None and seal(bytes.fromhex(seed.secret)) != seed.seal:
            raise _bad(f"seeds[{place}].seal", "it is not the seal of that seed")
        if any((seed.epoch, seed.hidden) == (other.epoch, other.hidden) for other in seeds[:place]):
            raise _bad(f"seeds[{place}].epoch", "it comes twice")


def _check_seats(game: ExportedGame, state: State) -> None:
    for place, seat in enumerate(game.seats):
        if seat.side not in (side.id for side in state.sides):
            raise _bad(f"seats[{place}].side", f"there is no side “{seat.side[:40]}”")
        if seat.user in (other.user for other in game.seats[:place]):
            raise _bad(f"seats[{place}].user", "this user has two seats")


def _rows(checked: Checked, channel: int, guild: int | None, actor: Actor) -> tuple[GameRow, list[Base]]:
    file, game = checked.file, new_id()
    row = GameRow(
        id=game,
        channel=channel,
        guild=guild,
        name=file.name,
        ruleset=file.ruleset,
        umpire=actor.id,
        umpire_name=actor.name,
        head=file.head,
        state_seq=file.state_seq,
        thrown=file.thrown,
        started=file.started,
        ended=None,
    )
    seats = [SeatRow(game=game, user=seat.user, name=seat.name, side=seat.side) for seat in file.seats]
    entries = [_entry(game, entry, checked.states.get(entry.seq)) for entry in file.entries]
    return row, [*seats, *_seeds(game, file.seeds), *entries]


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


def _entry(game: str, entry: ExportedEntry, state: str | None) -> EntryRow:
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
        report=entry.report.model_dump_json(),
        base=entry.base,
        state=state,
        turn=entry.turn,
        turn_end=entry.turn_end,
        rules_version=entry.rules_version,
        undone=entry.undone,
    )


def _place(error: ValidationError) -> tuple[str, str]:
    first = error.errors()[0]
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
    return path.removeprefix("."), first["msg"].lower()


def _bad(place: str, why: str) -> BadFile:
    return BadFile(f"The file cannot be taken: {place}: {why}. Nothing was changed; take one that /game export wrote.")
