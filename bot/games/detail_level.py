"""Detail level of a game's messages, and the full calculation of an entry."""

from collections.abc import Sequence

from bot.journal.drafts import Draft
from bot.journal.game import Actor, Entry, Game
from bot.runtime.errors import Stale, UserError
from rules.core.model import PUBLIC
from rules.core.report import Report

from .act import OF_ANOTHER_CHANNEL
from .rights import require_umpire
from .service import Part

BRIEF, FULL = "brief", "full"
"""A line a throw, or the whole reckoning."""
TOLD_IN = {BRIEF: "Answers are brief from now on", FULL: "Answers tell the whole reckoning from now on"}
MOST_ENTRIES = 100
"""Of one answer."""


class Detail(Part):
    """Settings and queries for the detail level."""

    async def tell_in(self, channel: int, actor: Actor, detail: str, *, interaction: int = 0) -> Game:
        """Has the channel's game tell in brief or in full. Raises NotAllowed, UserError where it does already."""

        async def step(game: Game) -> Draft:
            require_umpire(game, actor, "settle how much is told")
            if game.detail == detail:
                raise UserError(f"This game tells in {detail} already.")
            return Draft(
                kind="game detail", report=Report(headline=TOLD_IN[detail], side=PUBLIC), fields={"detail": detail}
            )

        return (await self._ledger.change(channel, actor, step, interaction=interaction)).game

    async def reckoning(
        self, game_id: str, first: str, last: str, actor: Actor, *, channel: int
    ) -> tuple[Game, Sequence[Entry]]:
        """Those entries of a game of the channel, as the actor may read them. Raises NoGame, Stale, Unreadable."""
        game = await self._ledger.by_id(game_id)
        if game.channel != channel:
            raise Stale(OF_ANOTHER_CHANNEL)
        begins, ends = (await self._ledger.entry(game, first)).seq, (await self._ledger.entry(game, last)).seq
        told = await self._ledger.entries(game, None, game.viewer(actor.id), between=(begins, ends))
        return game, told[:MOST_ENTRIES]
