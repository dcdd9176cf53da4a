"""Check the file of an exported game. Each error names the place of the fault."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import reduce
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json

from bot.errors import BadFile
from bot.expressions import MAX_DICE, MAX_REPEATS, MAX_SIDES
from bot.journal.game import open_sides
from bot.journal.seats import bot_user_id
from bot.journal.throw_numbers import numbering_group
from render.photograph import require_rectified_jpeg
from rules.core.document_limits import require_within_limits
from rules.core.model import PUBLIC, UMPIRE
from rules.core.ruleset import Refused, Ruleset
from rules.core.sealed_dice import MOST_DICE, seal
from rules.core.state import State
from rules.core.umpire import Event

from .format import FIRST_NUMBERED_VERSION, HIDDEN, MAX_BYTES, ExportedEntry, ExportedGame, ExportedSeed
from .import_entry import insert_hidden_entries
from .json_changes import apply_change
from .upgrade import upgrade_file

MOST_VALUES = 1_000_000
"""Maximum number of JSON values in a file: twice as many as in an export of 5 MB."""
MOST_STATES = 1000
"""Maximum number of entries with a state. A journal keeps the states of turns' ends and of the last 150 entries."""
MAX_STATE_CHARACTERS = 64 * 1024 * 1024
"""Maximum number of characters in all states of a file, once each state is written out in full."""
EARLIEST_DATE = datetime(2015, 1, 1, tzinfo=UTC)
"""Earliest possible date: Discord did not exist before."""
CLOCK_TOLERANCE = timedelta(days=1)
"""How far a date may lie in the future, because clocks differ."""
MOST_THROWS = MAX_DICE * MAX_REPEATS
"""Maximum number of throws in one entry: a roll whose dice all explode one by one."""


@dataclass(frozen=True)
class CheckedFile:
    """A checked file: the game, the rule system, and the JSON text of each state by entry number."""

    file: ExportedGame
    ruleset: Ruleset[Any]
    states: Mapping[int, str]


def check_file(file: bytes, rulesets: Mapping[str, Ruleset[Any]]) -> CheckedFile:
    """Check an exported file, and return its contents. Raises BadFile, which names the place of the fault."""
    if len(file) > MAX_BYTES:
        raise BadFile(f"The file has {len(file):,} bytes; the limit is {MAX_BYTES:,}. Nothing was changed.")
    if b"\\u0000" in file:
        raise BadFile("The file has a null character in a text, which no game has. Nothing was changed.")
    try:
        require_within_limits(file.decode(), MOST_VALUES, is_json=True)
        game = ExportedGame.model_validate(upgrade_file(from_json(file, allow_inf_nan=False), rulesets))
    except ValidationError as error:
        raise _make_error(*_first_error(error)) from None
    except Refused as error:
        raise BadFile(f"The file cannot be imported: {error}. Nothing was changed.") from None
    except ValueError as error:
        raise BadFile(
            f"The file is not JSON: {error}. Use a file that /game export wrote. Nothing was changed."
        ) from None
    ruleset = rulesets.get(game.ruleset)
    if ruleset is None:
        raise _make_error("ruleset", f"this bot has no rule system “{game.ruleset[:40]}”, only {', '.join(rulesets)}")
    if game.rules_version > ruleset.version:
        raise _make_error(
            "rules_version", f"{game.rules_version} is newer than this bot's rules, {ruleset.version}: update it"
        )
    if not game.name.strip():
        raise _make_error("name", "a game needs a name")
    game = insert_hidden_entries(game)
    _check_dates(game)
    _check_journal(game, ruleset)
    _check_seeds(game.seeds)
    states = dict(_read_states(game, ruleset))
    if game.state_seq not in states:
        raise _make_error("state_seq", f"entry {game.state_seq} has no state")
    state = ruleset.read_state(states[game.state_seq])
    _check_seats(game, ruleset, state)
    _check_photographs(game)
    _check_pictures(game)
    _require_viewable_state(ruleset, state)
    return CheckedFile(game, ruleset, states)


def _require_viewable_state(ruleset: Ruleset[Any], state: State) -> None:
    """Raise BadFile unless the rules can show the state to every viewer."""
    try:
        ruleset.prompts(state)
        for viewer in (UMPIRE, PUBLIC, *(side.id for side in state.sides)):
            view = ruleset.view(state, viewer)
            ruleset.roster(view, viewer)
            ruleset.scene(view, viewer)
    except (Refused, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise _make_error(
            "state_seq", f"the state of this entry cannot be shown ({type(error).__name__}: {error})"
        ) from None


def _read_states(game: ExportedGame, ruleset: Ruleset[Any]) -> Iterator[tuple[int, str]]:
    last: Any = None
    length = 0
    every = enumerate(game.entries)
    with_state = [(place, entry) for place, entry in every if not (entry.state is None and entry.changes is None)]
    if len(with_state) > MOST_STATES:
        raise _make_error(
            f"entries[{with_state[MOST_STATES][0]}]", f"the limit is {MOST_STATES:,} entries with a state"
        )
    for place, entry in with_state:
        location = f"entries[{place}].{'state' if entry.state is not None else 'changes'}"
        try:
            last = entry.state if entry.state is not None else reduce(apply_change, entry.changes or (), last)
            state = ruleset.parse_state(last)
            text = ruleset.write_state(state)
            is_same = ruleset.read_state(text) == state
            ruleset.require_valid_state(state)
        except ValidationError as error:
            deeper, why = _first_error(error)
            raise _make_error(f"{location}.{deeper}", why) from None
        except Refused as error:
            raise _make_error(location, error.why.removesuffix(".")) from None
        except (ValueError, LookupError, TypeError) as error:
            raise _make_error(location, f"these changes do not fit the state before ({error})") from None
        if not is_same or state.ruleset != ruleset.id:
            raise _make_error(location, f"this is not a state of {ruleset.title} that can be stored")
        length += len(text)
        if length > MAX_STATE_CHARACTERS:
            raise _make_error(location, "the states of this file are too large when written out")
        yield entry.seq, text


def _check_dates(game: ExportedGame) -> None:
    """Raise BadFile if a date has no time zone, is before EARLIEST_DATE, or is in the future."""
    latest = datetime.now(UTC) + CLOCK_TOLERANCE
    entries = ((f"entries[{place}].at", entry.at) for place, entry in enumerate(game.entries))
    for location, moment in (("started", game.started), ("ended", game.ended), *entries):
        if moment is None:
            continue
        if moment.tzinfo is None:
            raise _make_error(location, "it has no time zone")
        if not EARLIEST_DATE <= moment <= latest:
            raise _make_error(location, f"{moment:%Y-%m-%d} is before {EARLIEST_DATE:%Y}, or still to come")


def _check_throws(location: str, entry: ExportedEntry) -> None:
    for throw in (*(sealed.throw for sealed in entry.dice), *entry.report.throws):
        if not (1 <= throw.sides <= MAX_SIDES and 1 <= len(throw.dice) <= MOST_DICE and throw.number >= 1):
            raise _make_error(location, f"throw {throw.number} has no sides or dice that can be thrown")
        if not all(1 <= die <= throw.sides for die in throw.dice):
            raise _make_error(location, f"throw {throw.number} shows a face that its dice do not have")


def _check_throw_count(game: ExportedGame) -> None:
    """Raise BadFile if the entries, including hidden ones, cannot have made all throws that the game counts."""
    throw_count = sum(len(entry.dice) for entry in game.entries)
    readable = sum(entry.kind != HIDDEN for entry in game.entries[1:]) if game.viewer == UMPIRE else 0
    if game.thrown > throw_count + MOST_THROWS * (game.head - readable):
        raise _make_error("thrown", f"the journal cannot hold {game.thrown} throws")


def _check_journal(game: ExportedGame, ruleset: Ruleset[Any]) -> None:
    last = 0
    seqs: set[int] = set()
    throws: set[str] = set()
    numbered: dict[str | None, int] = {}
    interactions: set[int] = set()
    before = 0
    for place, entry in enumerate(game.entries):
        location = f"entries[{place}]"
        if entry.seq > game.head or entry.seq <= last:
            raise _make_error(f"{location}.seq", f"{entry.seq} is out of order")
        if entry.seq > last + 1:
            raise _make_error(f"{location}.seq", f"{entry.seq} follows {last}, and the entries between are missing")
        if entry.base not in (seqs or {entry.seq}):
            raise _make_error(f"{location}.base", f"there is no entry {entry.base} before it")
        if entry.acts and entry.kind != HIDDEN and entry.kind not in ruleset.actions:
            raise _make_error(f"{location}.kind", f"{ruleset.title} has no action “{entry.kind}”")
        _check_entry_number(f"{location}.number", game, entry, numbered)
        _check_throws(f"{location}.dice", entry)
        numbers = {sealed.throw.name for sealed in entry.dice}
        last_thrown = max((sealed.throw.number for sealed in entry.dice if sealed.throw.hidden is None), default=0)
        if len(numbers) < len(entry.dice) or numbers & throws or last_thrown > game.thrown:
            raise _make_error(f"{location}.dice", "a throw's number appears twice, or is above the last throw's")
        if entry.interaction and entry.interaction in interactions and entry.interaction != before:
            raise _make_error(f"{location}.interaction", "it comes again after others")
        last = entry.seq
        seqs.add(entry.seq)
        throws |= numbers
        interactions.add(before := entry.interaction)
    if not game.entries or game.entries[0].state is None:
        raise _make_error("entries[0]", "a game begins with an entry that has a state")
    if last < game.head:
        raise _make_error("head", f"the last entry is {last}, and those to {game.head} are missing")
    _check_throw_count(game)


def _check_entry_number(
    location: str, game: ExportedGame, entry: ExportedEntry, numbered: dict[str | None, int]
) -> None:
    """Raise BadFile unless the entry's number is higher than the last number in the entry's sequence.

    Public entries have one sequence, and hidden entries have one for each group of sides. `numbered` maps the group, or
    None for public entries, to the last number, and is updated.
    """
    if (entry.number is None) is (game.version >= FIRST_NUMBERED_VERSION):
        raise _make_error(location, "entries have one since version 3 of this file, and none before")
    numbered_for = None if game.version < FIRST_NUMBERED_VERSION else numbering_group(entry.report)
    if entry.among != numbered_for and entry.number != entry.seq:
        raise _make_error(location, "it is not counted among those who may read the entry")
    if (entry.number or entry.seq) <= numbered.get(entry.among, 0):
        raise _make_error(location, f"{entry.number} is out of order")
    numbered[entry.among] = entry.number or entry.seq


def _check_seeds(seeds: Sequence[ExportedSeed]) -> None:
    seed_keys: set[tuple[int, bool]] = set()
    for place, seed in enumerate(seeds):
        if seed.secret is not None and seal(bytes.fromhex(seed.secret)) != seed.seal:
            raise _make_error(f"seeds[{place}].seal", "it is not the seal of that seed")
        if (seed.epoch, seed.hidden) in seed_keys:
            raise _make_error(f"seeds[{place}].epoch", "it appears twice")
        seed_keys.add((seed.epoch, seed.hidden))


def _check_photographs(game: ExportedGame) -> None:
    last = 0
    for place, photograph in enumerate(game.photographs):
        if not last < photograph.seq <= game.head:
            raise _make_error(f"photographs[{place}].seq", f"{photograph.seq} is out of order")
        last = photograph.seq
        if photograph.jpeg is not None:
            _check_jpeg(f"photographs[{place}].jpeg", photograph.jpeg)


def _check_pictures(game: ExportedGame) -> None:
    """Raise BadFile unless each picture is a valid JPEG, and belongs to an event without another picture."""
    events = {entry.seq for entry in game.entries if entry.kind == Event.kind}
    for place, picture in enumerate(game.pictures):
        if picture.seq not in events:
            raise _make_error(
                f"pictures[{place}].seq", f"entry {picture.seq} tells of nothing, or has a picture already"
            )
        events.remove(picture.seq)
        _check_jpeg(f"pictures[{place}].jpeg", picture.jpeg)


def _check_jpeg(location: str, jpeg: bytes) -> None:
    try:
        require_rectified_jpeg(jpeg)
    except ValueError as error:
        raise _make_error(location, str(error).removesuffix(".")) from None


def _check_seats(game: ExportedGame, ruleset: Ruleset[Any], state: State) -> None:
    sides = {side.id for side in open_sides(ruleset, state)}
    seated: set[int] = set()
    for place, seat in enumerate(game.seats):
        if seat.side not in sides:
            raise _make_error(f"seats[{place}].side", f"there is no side “{seat.side[:40]}” to play")
        if seat.user in seated:
            raise _make_error(f"seats[{place}].user", "this user has two seats")
        can_be_bot = seat.level is not None and seat.user == bot_user_id(state, seat.side) and ruleset.values
        if (seat.user < 0 or seat.level is not None) and not can_be_bot:
            raise _make_error(f"seats[{place}].user", "this is not a seat that the bot can have")
        seated.add(seat.user)


def _first_error(error: ValidationError) -> tuple[str, str]:
    """Return the path and the message of the first fault in a validation error."""
    first = error.errors()[0]
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
    return path.removeprefix("."), first["msg"].lower()


def _make_error(place: str, why: str) -> BadFile:
    return BadFile(
        f"The file cannot be imported: {place}: {why}. Nothing was changed. Use a file that /game export wrote."
    )
