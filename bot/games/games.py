"""Games: load, act, store. The one door through which anything happens to a game (cogs call nothing else).

Two commands in one channel are done one after the other (a lock for each channel), and the store's unique
(game, seq) catches other processes.
"""

from collections.abc import Mapping
from typing import Any

from bot.channel.announcements import Announcements
from bot.channel.turn_mentions import Calling
from bot.game_file.importer import Importing
from bot.jobs.dice_check import Verified
from bot.journal.game import Actor, Entry, Game, Played, Seat, Seed, Undoing
from bot.journal.ledger import Ledger
from bot.opponent.decide import Deciding
from bot.opponent.explain import Explaining
from bot.order_sheets.planned_actions import PlannedActions
from bot.runtime.errors import Stale
from bot.store import Store
from bot.workers import Threads, Workers
from bot.workers.inspections import Inspections
from rules.core.ruleset import Ruleset

from .act import OF_ANOTHER_CHANNEL, Playing
from .catch_up import CatchingUp
from .detail_level import Detail
from .events import Events
from .map_previews import Previews
from .opponents import Opponents
from .overdue import Late
from .photographs import Photographs
from .readings import Reading
from .reveal_seeds import Fairness
from .rolls import Rolled, Rolls
from .rooms import RoomMaking
from .save_as_scenario import Saving
from .seats import Seats
from .start import Starting
from .undo import Undo

__all__ = ["Actor", "Entry", "Game", "Games", "Played", "Rolled", "Seat", "Seed", "Undoing", "Verified"]


class Games(
    Starting,
    Importing,
    Playing,
    PlannedActions,
    Undo,
    Seats,
    Opponents,
    Deciding,
    Explaining,
    Calling,
    Rolls,
    Fairness,
    Reading,
    CatchingUp,
    Late,
    Detail,
    Photographs,
    Events,
    Previews,
    Saving,
    RoomMaking,
    Announcements,
):
    """Every game of this process's store. Each part is a class in the module named for it."""

    def __init__(
        self,
        store: Store,
        rulesets: Mapping[str, Ruleset[Any]],
        workers: Workers | None = None,
        inspections: Inspections | None = None,
    ) -> None:
        """Create the games.

        `workers` run long jobs, `inspections` read members' files; without them, threads of this process do.
        """
        workers = workers or Threads()
        super().__init__(Ledger(store, rulesets), workers, inspections or Inspections(workers))
        self.rulesets = rulesets

    async def settle(self) -> None:
        """Waits until every change under way is written."""
        await self._ledger.settle()

    async def remembered(self, channel: int) -> Game:
        """The channel's running game as this process last knew it, without asking the database where it did.

        Raises as `running` does.
        """
        return await self._ledger.held.running(channel) or await self._ledger.running(channel)

    async def running(self, channel: int, *, at_all: bool = False) -> Game:
        """The game of a channel. Raises NoGame with how to start one, Unreadable with the ways out.

        `at_all`: where it cannot be read, with a stand-in for its table.
        """
        return await (self._ledger.running_at_all if at_all else self._ledger.running)(channel)

    async def in_channel(self, channel: int, game_id: str) -> Game:
        """The game of that id, running or ended. Raises NoGame, and Stale where it is of another channel."""
        game = await self._ledger.by_id(game_id)
        if game.channel != channel:
            raise Stale(OF_ANOTHER_CHANNEL)
        return game

    async def latest(self, channel: int, *, at_all: bool = False) -> Game:
        """The channel's running game, or the last that ended there; `at_all` as for `running`. Raises NoGame."""
        return await (self._ledger.latest_at_all if at_all else self._ledger.latest)(channel)
