"""The services of games. The chat and the live map read and change games only through these services.

A lock for each channel lets commands run one after another. The unique key (game, seq) of entries detects that another
process has written an entry.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bot.campaigns.battle_players import BattlePlayers
from bot.campaigns.links import BattleLinks
from bot.campaigns.openings import BattleOpenings
from bot.campaigns.outcomes import BattleOutcomes
from bot.games.act import Actions
from bot.games.announcements import Announcements
from bot.games.brief import SeatBriefs
from bot.games.catch_up import CatchUp
from bot.games.clock import Clocks
from bot.games.events import UmpireEvents
from bot.games.game_settings import GameSettings
from bot.games.idle_turns import IdleTurns
from bot.games.importer import Importer
from bot.games.map_previews import MapPreviews
from bot.games.missed_turns import MissedTurns
from bot.games.opponents import Opponents
from bot.games.overdue import OverdueTurns
from bot.games.pauses import Pauses
from bot.games.photographs import Photographs
from bot.games.readings import Readings
from bot.games.reveal_seeds import DiceSeeds
from bot.games.rolls import Rolls
from bot.games.rooms import RoomClaims
from bot.games.save_as_scenario import TableExports
from bot.games.seats import Seats
from bot.games.start import GameStarter
from bot.games.substitutes import Substitutes
from bot.games.turn_accounts import PastTurns
from bot.games.turn_mentions import TurnMentions
from bot.games.undo import Undo
from bot.journal.game import Game
from bot.journal.journals import Journals
from bot.journal.ledger import Ledger
from bot.opponent.decide import BotDecisions
from bot.opponent.explain import BotExplanations
from bot.order_sheets.planned_actions import PlannedActions
from bot.order_sheets.store import Sheets
from bot.store import Store
from bot.workers import ThreadWorkers, Workers
from bot.workers.inspections import Inspections
from rules.core.ruleset import Ruleset


class Games(Journals):
    """The services of all games in the store, one for each subject, such as seats or clocks."""

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
        super().__init__(store, rulesets)
        workers = workers or ThreadWorkers()
        inspections = inspections or Inspections(workers)
        ledger = self._ledger = Ledger(self)
        self.live_messages = ledger.live_messages
        self.starter = GameStarter(ledger, inspections)
        self.importer = Importer(ledger, inspections)
        self.idle_turns = IdleTurns(ledger)
        self.actions = Actions(ledger, self.idle_turns)
        self.sheets = Sheets(ledger)
        self.planned_actions = PlannedActions(ledger, self.sheets)
        self.undo = Undo(ledger)
        self.seats = Seats(ledger)
        self.opponents = Opponents(ledger)
        self.bot_decisions = BotDecisions(ledger, workers)
        self.bot_reasons = BotExplanations(ledger, workers)
        self.rolls = Rolls(ledger)
        self.dice_seeds = DiceSeeds(ledger)
        self.readings = Readings(ledger, workers)
        self.catch_up = CatchUp(ledger)
        self.clocks = Clocks(ledger)
        self.pauses = Pauses(ledger, self.clocks)
        self.substitutes = Substitutes(ledger)
        self.briefs = SeatBriefs(ledger)
        self.missed_turns = MissedTurns(ledger, self.clocks)
        self.overdue_turns = OverdueTurns(ledger, self.clocks)
        self.past_turns = PastTurns(ledger)
        self.mentions = TurnMentions(ledger, self.clocks)
        self.announcements = Announcements(ledger, self.clocks)
        self.settings = GameSettings(ledger)
        self.photographs = Photographs(ledger, workers, inspections)
        self.events = UmpireEvents(ledger, inspections)
        self.map_previews = MapPreviews(ledger)
        self.table_exports = TableExports(ledger)
        self.room_claims = RoomClaims(ledger)
        self.battle_links = BattleLinks(ledger, self.clocks)
        self.battle_openings = BattleOpenings(ledger, self.battle_links, workers)
        self.battle_players = BattlePlayers(ledger, self.clocks)
        self.battle_outcomes = BattleOutcomes(ledger, self.battle_links, workers, self.dice_seeds)

    def add_entry_listener(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with the game's id whenever this process has written an entry."""
        self._ledger.add_entry_listener(listener)

    async def wait_for_changes(self) -> None:
        """Wait until all changes in progress are written."""
        await self._ledger.wait_for_changes()

    async def cached_running_game(self, channel: int) -> Game:
        """Return the channel's running game, from the cache if possible. A cached game may be outdated.

        Raises like `running_game`.
        """
        return await self.cache.running_game(channel) or await self.running_game(channel)
