"""The umpire's settings for a whole game: the detail level of the messages, and the palette of the pictures."""

from functools import partial

from bot.errors import UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game
from rules.core.model import PUBLIC
from rules.core.report import Report

from .palettes import require_known_palette
from .rights import require_umpire
from .service import Service

BRIEF, FULL = "brief", "full"
"""Detail levels: one line per throw, or the full calculation."""
TOLD_IN = {BRIEF: "Answers are brief from now on", FULL: "Answers tell the whole reckoning from now on"}
RECOLOURED = "game palette"
"""Kind of entry that changes the colours of everyone's pictures."""


class GameSettings(Service):
    """Service for a game's detail level and palette. The umpire alone may change them."""

    async def set_detail(self, channel: int, actor: Actor, detail: str, *, interaction: int = 0) -> Game:
        """Set the detail level of the channel's game. Raises NotAllowed, UserError if the level is set already."""
        work = partial(_draft_detail, actor=actor, detail=detail)
        return (await self._ledger.change(channel, actor, work, interaction=interaction)).game

    async def set_palette(self, channel: int, actor: Actor, palette: str, *, interaction: int = 0) -> Game:
        """Set the palette of the channel's game. Raises NotAllowed, UserError for an unknown or already set palette."""
        require_known_palette(palette)
        work = partial(_draft_palette, actor=actor, palette=palette)
        return (await self._ledger.change(channel, actor, work, interaction=interaction)).game


def _draft_detail(game: Game, actor: Actor, detail: str) -> Draft:
    require_umpire(game, actor, "settle how much is told")
    if game.detail == detail:
        raise UserError(f"This game tells in {detail} already.")
    return Draft("game detail", Report(headline=TOLD_IN[detail], side=PUBLIC), fields={"detail": detail})


def _draft_palette(game: Game, actor: Actor, palette: str) -> Draft:
    require_umpire(game, actor, "choose the colours of everyone's pictures")
    if game.palette == palette:
        raise UserError(f"This game's pictures are drawn in {palette} already.")
    report = Report(headline=f"Everyone's pictures are drawn in {palette} from now on", side=PUBLIC)
    return Draft(RECOLOURED, report, fields={"palette": palette})
