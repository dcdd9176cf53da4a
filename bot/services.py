"""The services of games. Cogs read and change games only through `Games`.

A lock for each channel runs its commands one after the other. The unique key (game, seq) of the entries detects
changes by other processes.
"""

from collections.abc import Mapping
from typing import Any

from bot.errors import Stale
from bot.games.act import OF_ANOTHER_CHANNEL, Actions
from bot.games.announcements import Announcements
from bot.games.catch_up import CatchUp
from bot.games.clock import Clocks
from bot.games.detail_level import DetailLevel
from bot.games.events import Events
from bot.games.idle_turns import IdleTurns
from bot.games.importer import Importer
from bot.games.map_previews import MapPreviews
from bot.games.opponents import Opponents
from bot.games.overdue import OverdueTurns
from bot.games.photographs import Photographs
from bot.games.readings import Readings
from bot.games.reveal_seeds import DiceSeeds
from bot.games.rolls import Rolls
from bot.games.rooms import RoomClaims
from bot.games.save_as_scenario import TableReadings
from bot.games.seats import Seats
from bot.games.start import Starter
from bot.games.turn_mentions import TurnMentions
from bot.games.undo import Undo
from bot.journal.game import Game
from bot.journal.ledger import Ledger
from bot.opponent.decide import BotDecisions
from bot.opponent.explain import BotReasons
from bot.order_sheets.planned_actions import PlannedActions
from bot.order_sheets.store import Sheets
from bot.store import Store
from bot.workers import Threads, Workers
from bot.workers.inspections import Inspections
from rules.core.ruleset import Ruleset


class Games:
    """The games of a store: finds games, and has a service for each subject as an attribute."""

    def __init__(
        self,
        store: Store,
        rulesets: Mapping[str, Ruleset[Any]],
        workers: Workers | None = None,
        inspections: Inspections | None = None,
    ) -> None:
        """Create the services.

        `workers` run long jobs, and `inspections` read members' files. By default, threads of this process do both.
        """
        workers = workers or Threads()
        inspections = inspections or Inspections(workers)
        ledger = self._ledger = Ledger(store, rulesets)
        self.rulesets = rulesets
        self.starter = Starter(ledger, inspections)
        self.importer = Importer(ledger, inspections)
        self.idle_turns = IdleTurns(ledger)
        self.actions = Actions(ledger, self.idle_turns)
        self.sheets = Sheets(ledger)
        self.planned_actions = PlannedActions(ledger, self.sheets)
        self.undo = Undo(ledger)
        self.seats = Seats(ledger)
        self.opponents = Opponents(ledger)
        self.bot_decisions = BotDecisions(ledger, workers)
        self.bot_reasons = BotReasons(ledger, workers)
        self.rolls = Rolls(ledger)
        self.dice_seeds = DiceSeeds(ledger)
        self.readings = Readings(ledger, workers)
        self.catch_up = CatchUp(ledger)
        self.clocks = Clocks(ledger)
        self.overdue_turns = OverdueTurns(ledger, self.clocks)
        self.mentions = TurnMentions(ledger, self.clocks)
        self.announcements = Announcements(ledger, self.clocks)
        self.detail_level = DetailLevel(ledger)
        self.photographs = Photographs(ledger, workers, inspections)
        self.events = Events(ledger, inspections)
        self.map_previews = MapPreviews(ledger)
        self.table_readings = TableReadings(ledger)
        self.room_claims = RoomClaims(ledger)

    async def settle(self) -> None:
        """Wait until all running changes are written."""
        await self._ledger.settle()

    async def remembered(self, channel: int) -> Game:
        """Return the channel's running game from this process's cache, which may be out of date.

        Without a cached game, return `running(channel)` and raise its errors.
        """
        return await self._ledger.held.running(channel) or await self._ledger.running(channel)

    async def running(self, channel: int, *, at_all: bool = False) -> Game:
        """Return the channel's running game. Raises NoGame without one.

        For an unreadable game, raises Unreadable, or with `at_all` returns the game with a placeholder state.
        """
        return await (self._ledger.running_at_all if at_all else self._ledger.running)(channel)

    async def in_channel(self, channel: int, game_id: str) -> Game:
        """Return the game with that id, running or ended. Raises NoGame, and Stale if it is in another channel."""
        game = await self._ledger.by_id(game_id)
        if game.channel != channel:
            raise Stale(OF_ANOTHER_CHANNEL)
        return game

    async def latest(self, channel: int, *, at_all: bool = False) -> Game:
        """Return the channel's running game, or its last ended game. Raises NoGame without one.

        For an unreadable game, raises Unreadable, or with `at_all` returns the game with a placeholder state.
        """
        return await (self._ledger.latest_at_all if at_all else self._ledger.latest)(channel)
