"""The services of games: the only way for the chat and the live map to read and change games.

A lock for each channel lets commands run one after another. The unique key (game, seq) of entries detects other
processes.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bot.campaigns.battle_players import BattlePlayers
from bot.campaigns.fights import Fights
from bot.campaigns.links import BattleLinks
from bot.campaigns.openings import BattleOpenings
from bot.campaigns.outcomes import BattleOutcomes
from bot.games.act import Actions
from bot.games.announcements import Announcements
from bot.games.brief import Briefs
from bot.games.catch_up import CatchUp
from bot.games.clock import Clocks
from bot.games.detail_level import DetailLevel
from bot.games.events import Events
from bot.games.idle_turns import IdleTurns
from bot.games.importer import Importer
from bot.games.map_previews import MapPreviews
from bot.games.missed_turns import MissedTurns
from bot.games.opponents import Opponents
from bot.games.overdue import OverdueTurns
from bot.games.palettes import GamePalette
from bot.games.pauses import Pauses
from bot.games.photographs import Photographs
from bot.games.readings import Readings
from bot.games.reveal_seeds import DiceSeeds
from bot.games.rolls import Rolls
from bot.games.rooms import RoomClaims
from bot.games.save_as_scenario import TableReadings
from bot.games.seats import Seats
from bot.games.start import Starter
from bot.games.substitutes import Substitutes
from bot.games.turn_accounts import PastTurns
from bot.games.turn_mentions import TurnMentions
from bot.games.undo import Undo
from bot.journal.game import Entry, Game
from bot.journal.ledger import Ledger
from bot.opponent.decide import BotDecisions
from bot.opponent.explain import BotReasons
from bot.order_sheets.planned_actions import PlannedActions
from bot.order_sheets.store import Sheets
from bot.store import Store
from bot.workers import Threads, Workers
from bot.workers.inspections import Inspections
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset


class Games:
    """All games of the store: finds games, and has one service for each subject."""

    def __init__(
        self,
        store: Store,
        rulesets: Mapping[str, Ruleset[Any]],
        workers: Workers | None = None,
        inspections: Inspections | None = None,
    ) -> None:
        """Create the services.

        `workers` run long jobs, and `inspections` read members' files; the default for both is threads of this process.
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
        self.fights = Fights(workers)
        self.rolls = Rolls(ledger)
        self.dice_seeds = DiceSeeds(ledger)
        self.readings = Readings(ledger, workers)
        self.catch_up = CatchUp(ledger)
        self.clocks = Clocks(ledger)
        self.pauses = Pauses(ledger, self.clocks)
        self.substitutes = Substitutes(ledger)
        self.briefs = Briefs(ledger)
        self.missed_turns = MissedTurns(ledger, self.clocks)
        self.overdue_turns = OverdueTurns(ledger, self.clocks)
        self.past_turns = PastTurns(ledger)
        self.mentions = TurnMentions(ledger, self.clocks)
        self.announcements = Announcements(ledger, self.clocks)
        self.detail_level = DetailLevel(ledger)
        self.palette = GamePalette(ledger)
        self.photographs = Photographs(ledger, workers, inspections)
        self.events = Events(ledger, inspections)
        self.map_previews = MapPreviews(ledger)
        self.table_readings = TableReadings(ledger)
        self.room_claims = RoomClaims(ledger)
        self.battle_links = BattleLinks(ledger, self.clocks)
        self.battle_openings = BattleOpenings(ledger, self.battle_links, workers)
        self.battle_players = BattlePlayers(ledger, self.clocks)
        self.battle_outcomes = BattleOutcomes(ledger, self.battle_links, workers, self.dice_seeds)

    def on_entry(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with a game's id after each of its entries that this process writes."""
        self._ledger.on_entry(listener)

    async def settle(self) -> None:
        """Wait until all changes in progress are written."""
        await self._ledger.settle()

    async def cached_running_game(self, channel: int) -> Game:
        """Return the channel's running game from the cache, perhaps outdated; from the database if it is not cached.

        Raises like `running_game`.
        """
        return await self._ledger.cache.running_game(channel) or await self._ledger.running_game(channel)

    async def running_game(self, channel: int, *, even_unreadable: bool = False) -> Game:
        """Return the channel's running game. Raises NoGame, Unreadable.

        With `even_unreadable`, return an unreadable game with a stand-in for its state instead of raising.
        """
        return await self._ledger.running_game(channel, even_unreadable=even_unreadable)

    async def in_channel(self, channel: int, game_id: str) -> Game:
        """Return the game with this id, running or ended. Raises NoGame, and Stale for a game of another channel."""
        return await self._ledger.in_channel(channel, game_id)

    async def by_id(self, game_id: str) -> Game:
        """Return the game with this id, running or ended. Raises NoGame, Unreadable."""
        return await self._ledger.by_id(game_id)

    async def load_entries(self, game: Game, last: int, viewer: Viewer) -> tuple[Entry, ...]:
        """Return the newest `last` entries that the viewer may read, as redacted for the viewer, oldest first."""
        return await self._ledger.load_entries(game, last, viewer)

    async def running_or_last_game(self, channel: int, *, even_unreadable: bool = False) -> Game:
        """Return the channel's running game, or else its last ended game.

        Raises NoGame, and Unreadable unless `even_unreadable` is set (see `running_game`).
        """
        return await self._ledger.running_or_last_game(channel, even_unreadable=even_unreadable)
