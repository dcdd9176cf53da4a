"""Reveal dice seeds during a game, and end games."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import Row, Update, delete, insert, select, update

from bot.errors import OVER, Stale
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game
from bot.store.changes import Change
from bot.store.queries import fetch_rows
from bot.store.tables import PREVIEWS, SEEDS, SHEETS
from rules.core.report import Report, Step

from .new_game import SEALED, make_seed_row
from .rights import CHANNEL_TOO, require_umpire
from .service import Service

REVEAL = "dice reveal"
END = "game end"


class DiceSeeds(Service):
    """Service that reveals the seeds of the dice, and ends games."""

    async def reveal_seed(self, channel: int, actor: Actor, *, interaction: int = 0) -> Game:
        """Reveal the seed of the open dice, and seal a new seed. Throw numbers continue. Raises NotAllowed."""
        read, work = self._load_unrevealed_seeds, partial(_draft_seed_reveal, actor=actor)
        return (await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction))[0].game

    async def end_game(
        self,
        channel: int,
        actor: Actor,
        *,
        manages: bool = False,
        game_id: str | None = None,
        interaction: int = 0,
        why: str = "",
        changes: Sequence[Change] = (),
    ) -> Game:
        """End the channel's game, and reveal all seeds of its dice. `why` is announced as the outcome.

        With `manages`, the actor need not be the umpire. Raises NotAllowed, and Stale if a game other than
        `game_id` runs.
        """
        work = partial(_draft_game_end, actor=actor, manages=manages, game_id=game_id, why=why, changes=changes)
        played = await self._ledger.read_and_change(
            channel, actor, self._load_unrevealed_seeds, work, interaction=interaction, even_unreadable=True
        )
        return played[0].game

    async def _load_unrevealed_seeds(self, game: Game) -> Sequence[Row[Any]]:
        """Return the rows of the seeds that are stored but not revealed yet, oldest first."""
        unrevealed = SEEDS.c.game == game.id, SEEDS.c.seed.is_not(None), ~SEEDS.c.revealed
        return await fetch_rows(self._ledger.store, select(SEEDS).where(*unrevealed).order_by(SEEDS.c.epoch))


def _draft_seed_reveal(game: Game, rows: Sequence[Row[Any]], actor: Actor) -> Draft:
    require_umpire(game, actor, "reveal the seed while the game runs")
    old = next(seed for seed in reversed(game.seeds) if not seed.hidden)
    next_seed = make_seed_row(game.id, old.epoch + 1, hidden=False, tag=old.tag)
    sealed = Step(text=f"Seal of the new dice: {next_seed['seal']}", cite=SEALED)
    report = Report(headline="The seed of the dice is revealed", steps=(*_seed_steps(rows, hidden=False), sealed))
    changes = [_reveal_known_seeds(game.id).where(~SEEDS.c.hidden), insert(SEEDS).values(next_seed)]
    return Draft(REVEAL, report, side=game.viewer(actor.id), changes=changes)


def _draft_game_end(
    game: Game,
    rows: Sequence[Row[Any]],
    actor: Actor,
    *,
    manages: bool,
    game_id: str | None,
    why: str,
    changes: Sequence[Change],
) -> Draft:
    if game_id not in (None, game.id):
        raise Stale(OVER)
    if not manages:
        require_umpire(game, actor, "end the game", CHANNEL_TOO)
    steps = [step for hidden in (False, True) for step in _seed_steps(rows, hidden=hidden)]
    verdict = f"{game.state.result}. {game.state.over.why}" if game.state.over else ""
    report = Report(headline=f"{game.name} has ended", steps=tuple(steps), outcome=why or verdict)
    clear = [delete(SHEETS).where(SHEETS.c.game == game.id), delete(PREVIEWS).where(PREVIEWS.c.game == game.id)]
    changes = [*changes, _reveal_known_seeds(game.id), *clear]
    return Draft(END, report, fields={"ended": datetime.now(UTC)}, changes=changes)


def _reveal_known_seeds(game: str) -> Update:
    """Return the statement that marks the game's known seeds as revealed. An imported game may have unknown seeds."""
    return update(SEEDS).where(SEEDS.c.game == game, SEEDS.c.seed.is_not(None)).values(revealed=True)


def _seed_steps(rows: Sequence[Row[Any]], *, hidden: bool) -> tuple[Step, ...]:
    """Return a report step for each seed of the hidden or open dice in `rows`."""
    dice_name = "hidden dice" if hidden else "dice"
    return tuple(
        Step(text=f"Seed {row.epoch} of the {dice_name}: {row.seed.hex()}, sealed as {row.seal}", cite=SEALED)
        for row in rows
        if row.seed is not None and row.hidden == hidden
    )
