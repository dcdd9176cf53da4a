"""Events that the umpire describes, with a picture."""

from collections.abc import Awaitable, Callable
from functools import partial

from sqlalchemy import func, insert, select

from bot.errors import BadFile, UserError
from bot.journal.drafts import NewEntry
from bot.journal.game import Actor, Entry, Game, Played
from bot.journal.ledger import Ledger
from bot.store.queries import fetch_value
from bot.store.tables import PICTURES
from render.photograph import UnfitPicture, convert_illustration
from rules.core.umpire import Event

from .action_batch import ActionBatch
from .rights import require_umpire
from .service import InspectionService

MOST_PICTURES = 200
"""Maximum number of pictures in one game, each of at most 300,000 bytes."""
FULL = f"This game has {MOST_PICTURES} pictures, the most there can be. Nothing was changed. Tell it without one."


class UmpireEvents(InspectionService):
    """Service for events that the umpire describes with pictures."""

    async def tell_event(
        self, channel: int, actor: Actor, text: str, fetch: Callable[[], Awaitable[bytes]], *, interaction: int
    ) -> Played:
        """Store an event that the umpire describes, with a picture, as an entry.

        If the interaction is repeated, return the earlier entry. Raises NotAllowed, BadFile for an unusable
        picture, UserError for too many pictures, Refused.
        """
        if played := await self._ledger.find_played_action(channel, interaction):
            return played
        game = await self._ledger.running_game(channel)
        require_umpire(game, actor, "tell of what happens")
        await _require_below_picture_limit(self._ledger, game)
        try:
            async with self._inspections.reserve_worker_for_member(actor.id) as run:
                jpeg = await run(convert_illustration, await fetch())
        except UnfitPicture as error:
            raise BadFile(f"{error} Nothing was changed.") from None

        work = partial(self._perform_event, actor=actor, text=text, jpeg=jpeg, interaction=interaction)
        return await self._ledger.change(channel, actor, work, interaction=interaction)

    def _perform_event(self, game: Game, actor: Actor, text: str, jpeg: bytes, interaction: int) -> NewEntry:
        action = game.ruleset.parse(Event.kind, {"text": text, "picture": True})
        new_entry = ActionBatch(self._ledger, game, actor, interaction).perform(action)
        return new_entry.with_changes(insert(PICTURES).values(game=game.id, seq=new_entry.entry.seq, jpeg=jpeg))

    async def load_picture(self, game: Game, entry: Entry) -> bytes | None:
        """Return the JPEG picture of an event's entry, or None. An undone event shows no picture."""
        if entry.kind != Event.kind or entry.undone:
            return None
        query = select(PICTURES.c.jpeg).where(PICTURES.c.game == game.id, PICTURES.c.seq == entry.seq)
        return await fetch_value(self._ledger.store, query)


async def _require_below_picture_limit(ledger: Ledger, game: Game) -> None:
    """Raise UserError if the game has the maximum number of pictures."""
    count = await fetch_value(ledger.store, select(func.count()).where(PICTURES.c.game == game.id))
    if (count or 0) >= MOST_PICTURES:
        raise UserError(FULL)
