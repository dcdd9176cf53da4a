"""Reveal dice seeds during a game, and end games."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection

from bot.errors import OVER, Stale
from bot.games.sheet_rows import clear_sheets
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game, Seed
from bot.journal.ledger import Ledger
from bot.store import Store
from bot.store.tables import SEEDS, SeedRow
from rules.core.report import Report, Step

from .map_previews import clear_previews
from .rights import CHANNEL_TOO, require_umpire
from .start import SEALED, new_seed

REVEAL = "dice reveal"
END = "game end"


class DiceSeeds:
    """Service that reveals the seeds of the dice, and ends games."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def reveal(self, channel: int, actor: Actor, *, interaction: int = 0) -> Game:
        """Reveal the seed of the open dice, and seal a new one. Throw numbers continue. Raises NotAllowed."""
        read, work = partial(_load_unrevealed, self._ledger.store), partial(_draft_reveal, actor=actor)
        played = await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction)
        return played[0].game

    async def end(
        self,
        channel: int,
        actor: Actor,
        *,
        manages: bool = False,
        game_id: str | None = None,
        interaction: int = 0,
        why: str = "",
        also: Callable[[Connection], None] | None = None,
    ) -> Game:
        """End the channel's game and reveal all its seeds. `why` is told as the game's outcome.

        Raises NotAllowed, Stale if another game than `game_id` runs.

        `manages`: the actor may manage the channel, and so end the game without being the umpire. `also` makes further
        changes in the same transaction.
        """
        read = partial(_load_unrevealed, self._ledger.store)
        work = partial(_draft_end, actor=actor, manages=manages, game_id=game_id, why=why, more=also)
        played = await self._ledger.read_and_change(
            channel, actor, read, work, interaction=interaction, even_unreadable=True
        )
        return played[0].game


def _draft_reveal(game: Game, rows: Sequence[SeedRow], actor: Actor) -> Draft:
    require_umpire(game, actor, "reveal the seed while the game runs")
    old = next(seed for seed in reversed(game.seeds) if not seed.hidden)
    fresh = new_seed(game.id, old.epoch + 1, hidden=False, tag=old.tag)
    sealed = Step(text=f"Seal of the new dice: {fresh.seal}", cite=SEALED)
    report = Report(headline="The seed of the dice is revealed", steps=(*_steps(rows, hidden=False), sealed))
    return Draft(REVEAL, report, side=game.viewer(actor.id), also=partial(_replace_seed, game=game.id, fresh=fresh))


def _replace_seed(connection: Connection, game: str, fresh: SeedRow) -> None:
    _publish(connection, game, hidden=False)
    connection.execute(insert(SEEDS), {column.name: getattr(fresh, column.name) for column in SEEDS.c})


def _draft_end(
    game: Game,
    rows: Sequence[SeedRow],
    actor: Actor,
    *,
    manages: bool,
    game_id: str | None,
    why: str,
    more: Callable[[Connection], None] | None,
) -> Draft:
    if game_id not in (None, game.id):
        raise Stale(OVER)
    if not manages:
        require_umpire(game, actor, "end the game", CHANNEL_TOO)
    shown = [step for hidden in (False, True) for step in _steps(rows, hidden=hidden)]
    verdict = f"{game.state.result}. {game.state.over.why}" if game.state.over else ""
    report = Report(headline=f"{game.name} has ended", steps=tuple(shown), outcome=why or verdict)
    also = partial(_clean_up, game=game.id, more=more)
    return Draft(END, report, fields={"ended": datetime.now(UTC)}, also=also)


def _clean_up(connection: Connection, game: str, more: Callable[[Connection], None] | None) -> None:
    if more is not None:
        more(connection)
    for hidden in (False, True):
        _publish(connection, game, hidden=hidden)
    clear_sheets(connection, game)
    clear_previews(connection, game)


def revealed_seeds(game: Game) -> Sequence[Seed]:
    """Return the game's revealed seeds."""
    return tuple(seed for seed in game.seeds if seed.secret is not None)


def _publish(connection: Connection, game: str, *, hidden: bool) -> None:
    known = SEEDS.c.game == game, SEEDS.c.hidden == hidden, SEEDS.c.seed.is_not(None)
    connection.execute(update(SEEDS).where(*known).values(revealed=True))


async def _load_unrevealed(store: Store, game: Game) -> Sequence[SeedRow]:
    """Load the game's known seeds that are not revealed yet, oldest first."""
    unrevealed = SeedRow.game == game.id, SeedRow.seed.is_not(None), ~SeedRow.revealed
    async with store.read() as session:
        return (await session.scalars(select(SeedRow).where(*unrevealed).order_by(SeedRow.epoch))).all()


def _steps(rows: Sequence[SeedRow], *, hidden: bool) -> tuple[Step, ...]:
    """Return a report step for each seed of the hidden or open dice in `rows`."""
    which = "hidden dice" if hidden else "dice"
    return tuple(
        Step(text=f"Seed {row.epoch} of the {which}: {row.seed.hex()}, sealed as {row.seal}", cite=SEALED)
        for row in rows
        if row.seed is not None and row.hidden == hidden
    )
