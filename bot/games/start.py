"""Start a game: seal its dice, set up its first state, and seat its first players."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from bot.errors import GameRuns, UserError
from bot.jobs import scenario as jobs
from bot.journal.drafts import Draft, Position, make_entry
from bot.journal.game import Actor, Played, Seat, open_sides
from bot.journal.ledger import Ledger
from bot.store.tables import Base, EntryRow, GameRow, SeatRow, SeedRow
from bot.workers.inspections import Inspections
from rules.core import naming
from rules.core.model import UMPIRE, Cite
from rules.core.report import Report, Step
from rules.core.ruleset import Refused, Ruleset
from rules.core.sealed_dice import SEED_BYTES, SealedDice, SealedThrow, seal
from rules.core.state import Side, State
from rules.core.typed_text import fold_name, is_seen

START = "game new"
SEALED = Cite(rule="/dice verify")
NAME_LENGTH = 80


def new_id() -> str:
    """Return a random game id, short enough for a button's custom id."""
    return secrets.token_hex(6)


def new_seed(game: str, epoch: int, *, hidden: bool, tag: str) -> SeedRow:
    """Return a row with a new random seed and its seal. See `Seed` for `epoch`, `hidden` and `tag`."""
    seed = secrets.token_bytes(SEED_BYTES)
    return SeedRow(game=game, epoch=epoch, hidden=hidden, tag=tag, seal=seal(seed), seed=seed, revealed=False)


def known_seed(row: SeedRow) -> bytes:
    """Return the row's seed. Raises LookupError if the game was imported without it."""
    if row.seed is None:
        raise LookupError(f"the seed of epoch {row.epoch} is not known here")
    return row.seed


def find_open_side(ruleset: Ruleset[Any], state: State, words: str) -> Side:
    """Return the side with the typed id or name. Raises Refused if unknown, UserError if the rule system plays it."""
    there_are = open_sides(ruleset, state)
    side = state.side(naming.resolve(words, {side.id: side.name for side in state.sides}, "There is no side {} here."))
    if side not in there_are:
        names = " or ".join(f"{one:the}" for one in there_are)
        raise UserError(f"The bot plays {side:the} by the printed card. Choose {names}.")
    return side


@dataclass(frozen=True)
class Opening:
    """A request to start a game, such as /game new."""

    channel: int
    guild: int | None
    ruleset: str
    scenario: str
    side: str | None
    name: str | None
    choices: Mapping[str, str]
    title: str | None = None
    """Title of an uploaded scenario; None for a shipped scenario."""
    document: bytes | None = None
    seats: Sequence[Seat] = ()
    """Players seated before the game starts."""


class Starter:
    """Service that starts games."""

    def __init__(self, ledger: Ledger, inspections: Inspections) -> None:
        self._ledger = ledger
        self._inspections = inspections

    async def start(
        self,
        channel: int,
        guild: int | None,
        actor: Actor,
        ruleset: str,
        scenario: str,
        side: str | None = None,
        name: str | None = None,
        *,
        choices: Mapping[str, str] | None = None,
        title: str | None = None,
        document: bytes | None = None,
        seats: Sequence[Seat] = (),
        interaction: int = 0,
    ) -> Played:
        """Start a game in the channel with `actor` as umpire, seated on `side` if given.

        `choices` are the scenario's options. `title` and `document` are those of an uploaded scenario. `seats` are
        taken over from an earlier game. Throws of the set-up use the hidden dice. A repeated interaction returns the
        game that it started.

        Raises GameRuns, Refused, UserError.
        """
        wanted = Opening(channel, guild, ruleset, scenario, side, name, choices or {}, title, document, seats)
        system = self._ledger.rulesets.get(wanted.ruleset)
        if system is None:
            known = ", ".join(f"{one.title} ({one.id})" for one in self._ledger.rulesets.values())
            raise Refused(f"There is no rule system “{wanted.ruleset[:40]}”. There are: {known}.")
        async with self._ledger.lock(wanted.channel):
            if done := await self._ledger.find_played(wanted.channel, interaction):
                return done
            try:
                return await self._start(system, wanted, actor, interaction)
            except GameRuns:  # another process may just have started the game for the same interaction
                if done := await self._ledger.find_played(wanted.channel, interaction):
                    return done
                raise

    async def _start(self, ruleset: Ruleset[Any], wanted: Opening, actor: Actor, interaction: int) -> Played:
        """Set up the game and store it. Raises GameRuns, Refused, UserError."""
        await require_free_channel(self._ledger, wanted.channel)
        game = new_id()
        seeds = [new_seed(game, 1, hidden=hidden, tag=game) for hidden in (False, True)]
        dice = SealedDice(known_seed(seeds[1]), game, interaction, 1, secret_of=UMPIRE)
        state, thrown = await self._set_up(ruleset, wanted, actor, dice)
        seat = _find_umpire_side(ruleset, state, wanted.side)
        title = wanted.title or ruleset.scenarios[wanted.scenario].title
        draft = Draft(
            kind=START,
            report=opening_report(title, state, seeds, thrown).model_copy(update={"prompts": ruleset.prompts(state)}),
            action={"rules": wanted.ruleset, "scenario": wanted.scenario, "choices": dict(wanted.choices)},
            state=state,
            thrown=thrown,
        )
        made = make_entry(Position(game, 1, 1, None), ruleset, actor, draft, interaction)
        row = GameRow(
            id=game,
            channel=wanted.channel,
            guild=wanted.guild,
            name=one_line(wanted.name or "") or one_line(title),
            ruleset=wanted.ruleset,
            umpire=actor.id,
            umpire_name=actor.name,
            head=1,
            state_seq=1,
            thrown=0,
            started=datetime.now(UTC),
            ended=None,
            held={str(actor.id): seat} if seat else None,
        )
        own = [Seat(actor.id, actor.name, seat)] if seat and actor.id not in {one.user for one in wanted.seats} else []
        seats = [seat_row(game, one) for one in (*wanted.seats, *own) if one.until is None]
        await insert_game(self._ledger, row, [*seeds, *seats, EntryRow(**made.columns)])
        started = await self._ledger.by_id(game)
        return Played(started, made.entry, before=state, waits=started.waits_for)

    async def _set_up(
        self, ruleset: Ruleset[Any], wanted: Opening, actor: Actor, dice: SealedDice
    ) -> tuple[State, tuple[SealedThrow, ...]]:
        """Return the first state and the throws of the set-up. Raises Refused.

        An uploaded scenario is set up like a member's file: in an inspection process.
        """
        if wanted.document is not None:
            async with self._inspections.open_for(actor.id) as run:
                return await run(jobs.set_up, ruleset, wanted.scenario, wanted.document, dict(wanted.choices), dice)
        state: State = await asyncio.to_thread(ruleset.setup, wanted.scenario, wanted.choices, dice)
        return state, dice.thrown


def seat_row(game: str, seat: Seat) -> SeatRow:
    """Return the row of a seat at the start of the game."""
    row = SeatRow(game=game, user=seat.user, name=seat.name, side=seat.side)
    if seat.level is not None:
        row.level = seat.level.value
    return row


def _find_umpire_side(ruleset: Ruleset[Any], state: State, side: str | None) -> str | None:
    """Return the umpire's side: the typed side, or the side against the rules' bot. None without either."""
    if side:
        return find_open_side(ruleset, state, side).id
    return None if ruleset.played_by_bot is None else open_sides(ruleset, state)[0].id


def one_line(name: str) -> str:
    """Return the name on one line, without control characters, cut to `NAME_LENGTH`."""
    shown = "".join(sign if is_seen(name, at) else " " for at, sign in enumerate(name))
    return fold_name(fold_name(shown)[:NAME_LENGTH])


async def insert_game(ledger: Ledger, game: GameRow, belongings: Sequence[Base]) -> None:
    """Insert a new game with its other rows in one transaction. Raises GameRuns if its channel has a running game."""
    try:
        async with ledger.store.write() as session:
            session.add(game)
            await session.flush()
            session.add_all(belongings)
    except IntegrityError:
        await require_free_channel(ledger, game.channel)
        raise


async def require_free_channel(ledger: Ledger, channel: int) -> None:
    """Raise GameRuns if the channel has a running game."""
    async with ledger.store.read() as session:
        name = await session.scalar(select(GameRow.name).where(GameRow.channel == channel, GameRow.ended.is_(None)))
    if name is not None:
        raise GameRuns(f"A game runs in this channel: {name}. End it with /game end, or use another channel for yours.")


def opening_report(title: str, state: State, seeds: Sequence[SeedRow], thrown: Sequence[SealedThrow] = ()) -> Report:
    """Return the report of a game's beginning: the seals of its dice, and for the umpire the throws of its set-up."""
    umpire_alone = frozenset({UMPIRE})
    setting_up = tuple(
        Step(text=sealed.throw.label, cite=SEALED, throws=(sealed.throw,), only_for=umpire_alone) for sealed in thrown
    )
    seals = tuple(
        Step(text=f"Seal of the {'hidden ' if seed.hidden else ''}dice: {seed.seal}", cite=SEALED) for seed in seeds
    )
    return Report(headline=f"{title}: the game begins", steps=(*seals, *setting_up), outcome=state.turn_title)
