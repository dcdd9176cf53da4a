"""Revealing the seeds of the dice."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection

from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game, Seed
from bot.journal.ledger import Ledger
from bot.order_sheets.store import clear_sheets
from bot.runtime.errors import OVER, Stale
from bot.store.tables import SEEDS, SeedRow
from rules.core.report import Report, Step

from .map_previews import clear_previews
from .rights import CHANNEL_TOO, require_umpire
from .service import Part
from .start import SEALED, new_seed

REVEAL = "dice reveal"
END = "game end"


class Fairness(Part):
    """Publishing the seeds of the dice."""

    async def reveal(self, channel: int, actor: Actor, *, interaction: int = 0) -> Game:
        """Publishes the seed of the open dice and seals a new one; throw numbers go on. Raises NotAllowed."""

        async def step(game: Game) -> Draft:
            require_umpire(game, actor, "reveal the seed while the game runs")
            old = next(seed for seed in reversed(game.seeds) if not seed.hidden)
            fresh = new_seed(game.id, old.epoch + 1, hidden=False, tag=old.tag)

            def change(connection: Connection) -> None:
                _publish(connection, game, hidden=False)
                connection.execute(insert(SEEDS), {column.name: getattr(fresh, column.name) for column in SEEDS.c})

            shown = await _seeds_shown(self._ledger, game, hidden=False)
            sealed = Step(text=f"Seal of the new dice: {fresh.seal}", cite=SEALED)
            report = Report(headline="The seed of the dice is revealed", steps=(*shown, sealed))
            return Draft(kind=REVEAL, report=report, side=game.viewer(actor.id), also=change)

        return (await self._ledger.change(channel, actor, step, interaction=interaction)).game

    async def end(
        self, channel: int, actor: Actor, *, manages: bool = False, game_id: str | None = None, interaction: int = 0
    ) -> Game:
        """Ends the game and publishes all its seeds. Raises NotAllowed. `manages`: the actor may manage the channel.

        Raises Stale where another game than `game_id` runs.
        """

        async def step(game: Game) -> Draft:
            if game_id not in (None, game.id):
                raise Stale(OVER)
            if not manages:
                require_umpire(game, actor, "end the game", CHANNEL_TOO)

            def change(connection: Connection) -> None:
                for hidden in (False, True):
                    _publish(connection, game, hidden=hidden)
                clear_sheets(connection, game.id)
                clear_previews(connection, game.id)

            shown = [step for hidden in (False, True) for step in await _seeds_shown(self._ledger, game, hidden=hidden)]
            verdict = game.state.over.why if game.state.over else ""
            report = Report(headline=f"{game.name} has ended", steps=tuple(shown), outcome=verdict)
            return Draft(kind=END, report=report, fields={"ended": datetime.now(UTC)}, also=change)

        return (await self._ledger.change(channel, actor, step, interaction=interaction, at_all=True)).game


def revealed(game: Game) -> Sequence[Seed]:
    """The seeds that are public by now."""
    return tuple(seed for seed in game.seeds if seed.secret is not None)


def _publish(connection: Connection, game: Game, *, hidden: bool) -> None:
    known = SEEDS.c.game == game.id, SEEDS.c.hidden == hidden, SEEDS.c.seed.is_not(None)
    connection.execute(update(SEEDS).where(*known).values(revealed=True))


async def _seeds_shown(ledger: Ledger, game: Game, *, hidden: bool) -> tuple[Step, ...]:
    kept = SeedRow.game == game.id, SeedRow.hidden == hidden, SeedRow.seed.is_not(None), ~SeedRow.revealed
    async with ledger.store.read() as session:
        rows = (await session.scalars(select(SeedRow).where(*kept).order_by(SeedRow.epoch))).all()
    which = "hidden dice" if hidden else "dice"
    return tuple(
        Step(text=f"Seed {row.epoch} of the {which}: {row.seed.hex()}, sealed as {row.seal}", cite=SEALED)
        for row in rows
        if row.seed is not None
    )
