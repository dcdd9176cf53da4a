"""Bring the results of battles back to their campaigns, each exactly once (CA-6.4, CA-6.5, CA-5.7)."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.errors import NoGame, Stale, UserError
from bot.games.act import NO_INTERACTION
from bot.games.action_batch import ActionBatch
from bot.games.reveal_seeds import DiceSeeds
from bot.games.rights import require_umpire
from bot.journal.codec import pack_state
from bot.journal.drafts import NewEntry
from bot.journal.game import BOT_ACTOR, Actor, Game, Played
from bot.journal.ledger import Ledger
from bot.workers import Workers
from rules.campaign.model import Battle
from rules.campaign.results import BattleResult, find_open_battle
from rules.core.automaton.levels import Level
from rules.core.model import Viewer

from .battle_jobs import battle_end_arguments, fight_battle
from .breaking_off import require_may_break_off, result_of_breaking_off
from .campaign_games import require_campaign
from .links import BattleLink, BattleLinks, battle_tag, change_link
from .table import battle_result

ENTERED = BattleResult.kind
NO_BATTLE = "This game is not a campaign's battle, so no side can break it off. /game end ends it."
SETTLED = "The campaign already has the result of that battle: see /campaign status."


@dataclass(frozen=True)
class BreakingOffCost:
    """The further figures that a side loses by breaking off a battle, and the campaign's channel."""

    side: Viewer
    figures: int
    channel: int


class BattleOutcomes:
    """Service that enters the results of battles in their campaigns."""

    def __init__(self, ledger: Ledger, links: BattleLinks, workers: Workers, dice_seeds: DiceSeeds) -> None:
        self._ledger, self._links, self._workers, self._dice_seeds = ledger, links, workers, dice_seeds

    async def enter_result(self, campaign: Game, link: BattleLink) -> Played | None:
        """Enter the result of a battle's game in the campaign, exactly once.

        Return None if the game is not finished, or if its result is entered already.
        """
        assert link.game is not None
        battle_game = await self._ledger.game_by_id(link.game)
        if not is_finished(battle_game) or link.given == battle_game.state_seq:
            return None
        work = partial(self._draft_game_result, link=link, battle_game=battle_game)
        return await self._store_result(campaign, link, work)

    async def fight_for_umpire(self, campaign: Game, actor: Actor, place: str, level: Level) -> Mapping[str, Any]:
        """Have the bot fight a battle on both sides. Return the arguments of the action that ends the battle.

        Raises NotAllowed unless the actor is the umpire, UserError without a campaign, Refused for an unknown
        battle.
        """
        state = require_campaign(campaign)
        require_umpire(campaign, actor, "have battles fought")
        find_open_battle(state, place)
        async with self._workers.long_job_slot():
            return await self._workers.run(fight_battle, pack_state(campaign.ruleset, state), place, level)

    async def fight_and_enter_result(self, campaign: Game, battle: Battle, link: BattleLink, why: str) -> Played | None:
        """Have the bot fight a battle on both sides, and enter the result.

        The entry's headline begins with `why`. Return None if the battle got a result meanwhile.
        """
        packed = pack_state(campaign.ruleset, campaign.state)
        async with self._workers.long_job_slot(may_exceed_limit=True):
            args = await self._workers.run(fight_battle, packed, battle.at.label, Level.EASY)
        return await self._store_result(
            campaign, link, lambda game, _: self._draft_result_entry(game, link, args, 0, why)
        )

    async def cost_of_breaking_off(self, battle_game: Game, side: Viewer) -> BreakingOffCost:
        """Return the further losses of a side that breaks off its battle now.

        Raises UserError if no campaign waits for the battle's result, Refused if the side may not break off
        now.
        """
        link, power = await self._find_link_and_power(battle_game, side)
        campaign = await self._ledger.game_by_id(link.campaign)
        state = require_campaign(campaign)
        battle = state.battles.get(link.battle)
        if battle is None or link.roster is None or campaign.ended is not None or battle_tag(state, battle) != link.tag:
            raise UserError(SETTLED)
        require_may_break_off(state, link.roster, battle_game.state, power)
        before = battle_result(state, battle, link.roster, battle_game.state)
        after = result_of_breaking_off(state, battle, link.roster, battle_game.state, power)
        more_losses = sum(map(sum, after.lost.values())) - sum(map(sum, before.lost.values()))
        return BreakingOffCost(side, more_losses, campaign.channel)

    async def break_off(self, battle_game: Game, actor: Actor, side: Viewer, interaction: int) -> Game:
        """Break off a battle for a side, and end the battle's game. Raises like `cost_of_breaking_off`."""
        await self.cost_of_breaking_off(battle_game, side)
        link, power = await self._find_link_and_power(battle_game, side)
        return await self._dice_seeds.end_game(
            battle_game.channel,
            actor,
            manages=True,
            game_id=battle_game.id,
            interaction=interaction,
            why=f"{battle_game.state.side(side):The} broke the battle off (CA-6.4).",
            changes=[partial(change_link, link=link, values={"broken_off": power})],
        )

    async def _find_link_and_power(self, battle_game: Game, side: Viewer) -> tuple[BattleLink, str]:
        """Return the link of a battle's game, and the side's power. Raises UserError if no campaign has this battle."""
        link = await self._links.load_link_of_game(battle_game.id)
        if link is None or link.roster is None:
            raise UserError(NO_BATTLE)
        return link, next(power for power, power_side in link.roster.sides.items() if power_side == side)

    async def end_battle_game(self, battle_game: Game) -> Game | None:
        """End the game of a battle whose result is entered. Return None if the game had ended already."""
        if battle_game.ended is None:
            with suppress(Stale, NoGame):
                return await self._dice_seeds.end_game(
                    battle_game.channel, BOT_ACTOR, manages=True, game_id=battle_game.id
                )
        return None

    async def _store_result(self, campaign: Game, link: BattleLink, work: Any) -> Played | None:
        """Store the entry that `work` drafts. Return None if the link or the battle has changed meanwhile."""

        async def require_unchanged(game: Game) -> None:
            present = (await self._links.load_links(game.id)).get(link.battle)
            marks = None if present is None else (present.tag, present.game, present.given)
            if game.ended is not None or marks != (link.tag, link.game, link.given):
                raise Stale(SETTLED)

        def draft_result(game: Game, _: None) -> NewEntry:
            battle = require_campaign(game).battles.get(link.battle)
            if battle is None or battle_tag(require_campaign(game), battle) != link.tag:
                raise Stale(SETTLED)
            entry: NewEntry = work(game, battle)
            return entry

        try:
            played = await self._ledger.read_and_change(
                campaign.channel, BOT_ACTOR, require_unchanged, draft_result, game_id=campaign.id
            )
        except Stale:
            return None
        return played[0]

    def _draft_game_result(self, game: Game, battle: Battle, *, link: BattleLink, battle_game: Game) -> NewEntry:
        assert link.roster is not None
        state = require_campaign(game)
        if link.broken_off is not None:
            result = result_of_breaking_off(state, battle, link.roster, battle_game.state, link.broken_off)
        else:
            result = battle_result(state, battle, link.roster, battle_game.state)
        return self._draft_result_entry(game, link, battle_end_arguments(state, battle, result), battle_game.state_seq)

    def _draft_result_entry(
        self, game: Game, link: BattleLink, args: Mapping[str, Any], given: int, words: str = ""
    ) -> NewEntry:
        batch = ActionBatch(self._ledger, game, BOT_ACTOR, NO_INTERACTION)
        entry = batch.perform(game.ruleset.parse(ENTERED, dict(args)), check_right=False, words=words)
        values = {"given": given, "given_day": game.state.turn, "told": None, "claimed": None}
        return entry.with_changes(partial(change_link, link=link, values=values))


def is_finished(battle_game: Game) -> bool:
    """Whether a battle's game is over, or was ended by the umpire after the set-up."""
    if not battle_game.state_is_readable or is_abandoned(battle_game):
        return False
    return battle_game.state.over is not None or battle_game.ended is not None


def is_abandoned(battle_game: Game) -> bool:
    """Whether a battle's game ended during its set-up. The battle may be opened again."""
    return battle_game.ended is not None and battle_game.state_is_readable and battle_game.state.is_being_set_up
