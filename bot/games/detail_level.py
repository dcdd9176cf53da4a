"""The detail level of a game's messages, and the full calculations of entries."""

from collections.abc import Sequence
from functools import partial

from bot.errors import UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Entry, Game
from rules.core.model import PUBLIC
from rules.core.report import Report

from .rights import require_umpire
from .service import Service

BRIEF, FULL = "brief", "full"
"""Detail levels: one line per throw, or the full calculation."""
TOLD_IN = {BRIEF: "Answers are brief from now on", FULL: "Answers tell the whole reckoning from now on"}
MOST_ENTRIES = 100
"""Maximum number of entries in one answer."""


class DetailLevel(Service):
    """Service for the detail level of a game's messages."""

    async def set(self, channel: int, actor: Actor, detail: str, *, interaction: int = 0) -> Game:
        """Set the detail level of the channel's game.

        Raises NotAllowed unless the actor is the umpire, UserError if the level is set already.
        """
        work = partial(_draft_detail, actor=actor, detail=detail)
        return (await self._ledger.change(channel, actor, work, interaction=interaction)).game

    async def calculations(
        self, game_id: str, first: str, last: str, actor: Actor, *, channel: int
    ) -> tuple[Game, Sequence[Entry]]:
        """Return the entries named `first` to `last`, redacted for the actor, and their game.

        Raises NoGame, Unreadable, Stale if the game belongs to another channel or an entry is missing.
        """
        game = await self._ledger.in_channel(channel, game_id)
        begins, ends = (await self._ledger.load_entry(game, first)).seq, (await self._ledger.load_entry(game, last)).seq
        entries = await self._ledger.load_entries(game, None, game.viewer(actor.id), between=(begins, ends))
        return game, entries[:MOST_ENTRIES]


def _draft_detail(game: Game, actor: Actor, detail: str) -> Draft:
    require_umpire(game, actor, "settle how much is told")
    if game.detail == detail:
        raise UserError(f"This game tells in {detail} already.")
    return Draft("game detail", Report(headline=TOLD_IN[detail], side=PUBLIC), fields={"detail": detail})
