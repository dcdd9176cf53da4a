"""Watch the battles of campaigns: announce them, let the bot fight some, and enter results.

The bot fights battles that are late or too many. All lasting state is in the database, so any process can go on after a
crash. Each message has a nonce, so that it never appears twice.
"""

import logging
from contextlib import suppress
from datetime import timedelta

from discord.ext import commands

from bot.campaigns.campaign_games import require_campaign
from bot.campaigns.links import CAMPAIGN, LEASE, BattleLink, RunningCampaign, battle_tag
from bot.campaigns.outcomes import is_abandoned, is_finished
from bot.campaigns.table import Roster
from bot.errors import DatabaseUnavailable, UserError
from bot.games.turn_mentions import users_to_mention
from bot.journal.game import Game, Played
from bot.runtime.client import UmpireBot
from cogs.kit import automatic_play, outbox
from cogs.kit.cards.card import WARNING, Card, safe
from cogs.kit.request import BotChannel
from rules.campaign.model import Battle
from rules.campaign.open_battles import LAST_DAY, find_battle_stage, find_surplus_battles
from rules.core.refusal import Refused

from . import post
from .opening import add_to_battle_thread

log = logging.getLogger(__name__)

CHECK_INTERVAL = 30.0
"""Seconds between two checks of all campaigns. Changes made by this process are handled at once."""
ANNOUNCEMENT_LEASE = timedelta(minutes=1)
"""Lease for announcing a battle. After it, another process may announce the battle."""


class BattleWatch(commands.Cog):
    """The cog that follows the battles of all campaigns."""

    def __init__(self, bot: UmpireBot) -> None:
        self.bot = bot
        self._campaign_by_battle_game: dict[str, str] = {}
        """Campaign ids by the ids of their battles' games. Battles that this process has not seen are missing."""
        self._seen: dict[str, str] = {}
        """Each campaign's `mark` from the last check that found nothing to do. An equal mark means no new work."""
        self._fights = set[str]()
        """Tags of the battles that the bot now fights in this process."""
        self._claimed_elsewhere = set[str]()
        """Campaigns to check again, because another process has claimed work for them."""

    async def check_changed_campaigns(self) -> None:
        """Do what is due for the battles of each running campaign that has changed or waits for battles."""
        for campaign in await self.bot.games.battle_links.load_running_campaigns():
            if campaign.guild is not None and self.bot.get_guild(campaign.guild) is None:
                continue
            if self._seen.get(campaign.game) != campaign.mark:
                await self.update_campaign_battles(campaign.game, campaign)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Check all campaigns when the bot has connected to Discord."""
        with suppress(DatabaseUnavailable):
            await self.check_changed_campaigns()

    @commands.Cog.listener()
    async def on_game_rests(self, game: Game) -> None:
        """Update a campaign's battles when automatic play rests, in the campaign or in a battle's game."""
        if game.ruleset.id == CAMPAIGN:
            await self.update_campaign_battles(game.id)
        elif game.id in self._campaign_by_battle_game:
            await self.update_campaign_battles(self._campaign_by_battle_game[game.id])

    @commands.Cog.listener()
    async def on_battle_opened(self, campaign: Game, battle_game: Game) -> None:
        """Remember that the game belongs to a battle of the campaign."""
        self._campaign_by_battle_game[battle_game.id] = campaign.id

    async def update_campaign_battles(self, campaign: str, running: RunningCampaign | None = None) -> None:
        """Do everything that is due for a campaign's battles. Calls for the same campaign run one after another."""
        work = self._run_due_work(campaign, running)
        await self.bot.background_tasks.run("following battles", ("battles", campaign), work)

    async def _run_due_work(self, campaign: str, running: RunningCampaign | None) -> None:
        self._claimed_elsewhere.discard(campaign)
        try:
            while await self._update_battles(await self.bot.games.game_by_id(campaign)):
                pass
        except DatabaseUnavailable:
            return
        except UserError as error:
            log.info("campaign %s: its battles are not followed: %s", campaign, error)
            if running is not None:
                self._seen[campaign] = running.mark
            return
        game = await self.bot.games.game_by_id(campaign)
        is_waiting = campaign in self._claimed_elsewhere or require_campaign(game).waits_for_battles
        if running is not None and not is_waiting:
            self._seen[campaign] = running.mark

    async def _update_battles(self, game: Game) -> bool:
        """Do the next work for the campaign's battles: settle, announce or start them.

        Return True if the method must be called again because the campaign has changed.
        """
        links, state = self.bot.games.battle_links, require_campaign(game)
        if state.is_withheld and game.ended is None:
            return False  # until the umpire releases the day, nobody knows which battles are open
        known_links, is_over = await links.load_links(game.id), game.ended is not None or state.over is not None
        for link in known_links.values():
            battle = state.battles.get(link.battle)
            is_settled = battle is None or link.tag != battle_tag(state, battle)
            if is_over or is_settled:
                await self._end_settled_game(game, link)
            if is_settled:
                await self._record_settled_battle(game, link)
        if is_over:
            return False
        open_links = {
            battle.id: await links.ensure_link(state, battle, game.id, known_links.get(battle.id))
            for battle in state.battles.values()
        }
        running_battles, games = set[str](), dict[str, Game | None]()
        for battle in state.battles.values():
            battle_game = games[battle.id] = await self._find_battle_game(open_links[battle.id])
            if battle_game is not None and battle_game.ended is None:
                running_battles.add(battle.id)
            if await self._settle_battle(game, battle, open_links[battle.id], battle_game):
                return True
        taken_back = {key for key, link in open_links.items() if link.given is not None}
        surplus = find_surplus_battles(state, running_battles, taken_back)
        for battle in state.battles.values():
            link = open_links[battle.id]
            if battle not in surplus and not link.is_told and await self._claim_work(link, ANNOUNCEMENT_LEASE):
                await self._announce_open_battle(game, battle, link, games[battle.id])
        words = post.TOO_MANY.format(most=state.options.open_battles)
        if surplus:
            self._start_bot_fight(game, surplus[0], open_links[surplus[0].id], words)
        return False

    async def _find_battle_game(self, link: BattleLink) -> Game | None:
        """Return the battle's game, or None. A game that ended during the set-up does not count."""
        if link.game is None:
            return None
        self._campaign_by_battle_game[link.game] = link.campaign
        battle_game = await self.bot.games.game_by_id(link.game)
        return None if is_abandoned(battle_game) else battle_game

    async def _settle_battle(self, game: Game, battle: Battle, link: BattleLink, battle_game: Game | None) -> bool:
        """Enter the result of a finished battle. Return whether the campaign changed.

        In an unfinished battle, seat newcomers, then remind or replace late players, or let the bot fight.
        """
        if battle_game is not None and is_finished(battle_game):
            return link.given != battle_game.state_seq and await self._enter_result(game, battle, link, battle_game)
        if battle_game is not None and link.roster is not None:
            await self._seat_newcomers(game, battle, battle_game, link.roster)
        extra_days = await self.bot.games.battle_players.count_overdue_days(game)
        stage = find_battle_stage(require_campaign(game), battle, extra_days)
        if stage <= link.late:
            return False
        if stage == LAST_DAY:
            await self._remind_players(game, battle, link, battle_game)
        elif battle_game is not None:
            await self._replace_late_players(link, battle_game, stage)
        elif link.given is None:
            self._start_bot_fight(game, battle, link, post.TIME_UP)
        return False

    async def _remind_players(self, game: Game, battle: Battle, link: BattleLink, battle_game: Game | None) -> None:
        """On a battle's last day, remind the awaited players. If the battle has no game, remind all commanders."""
        if not await self._claim_work(link, ANNOUNCEMENT_LEASE):
            return
        silent = await self.bot.games.mentions.load_silent_users(game)
        key = f"{game.id} {link.tag[:8]} l"
        if battle_game is None:
            channel, card = game.channel, post.open_battle_card(game, battle, silent, post.LAST)
        else:
            users = [user for user in users_to_mention(battle_game, battle_game.awaited_viewers) if user not in silent]
            words = post.LAST_DAY_WORDS.format(day=require_campaign(game).turn)
            channel, card = battle_game.channel, Card().mention(users, words)
        await outbox.post(BotChannel(self.bot, channel), card, key, link.claimed)
        await self.bot.games.battle_links.release(link, late=LAST_DAY)

    async def _seat_newcomers(self, game: Game, battle: Battle, battle_game: Game, roster: Roster) -> None:
        """Seat commanders whose columns have joined the battle, and mention them in the channel of its game."""
        played = await self.bot.games.battle_players.seat_new_commanders(game, battle, battle_game, roster)
        if played is None:
            return
        seated = {seat.user for seat in battle_game.seats}
        users = [seat.user for seat in played.game.seats if seat.user not in seated]
        await add_to_battle_thread(self.bot, played.game, users)
        card = Card().mention(users, post.NEWCOMER).text(f"{safe(played.entry.report.headline)}.")
        key = f"{battle_game.id} {played.entry.seq} new"[:25]
        await outbox.post(BotChannel(self.bot, battle_game.channel), card, key)

    async def _enter_result(self, game: Game, battle: Battle, link: BattleLink, battle_game: Game) -> bool:
        """Enter the finished game's result in the campaign, and tell both channels. Return whether it was entered."""
        try:
            played = await self.bot.games.battle_outcomes.enter_result(game, link)
        except Refused as error:
            log.warning("the result of game %s is refused by campaign %s: %s", battle_game.id, game.id, error)
            await self.bot.games.battle_links.release(link, given=battle_game.state_seq)
            words = post.NOT_ENTERED.format(battle=safe(post.battle_name(game, battle)), channel=battle_game.channel)
            await self._mention_umpire(game, words, f"{battle_game.id} refused")
            return False
        if played is None:
            return False
        self._start_automatic_play(played)
        over = battle_game.state.over
        why = post.DEFENDED if over is not None and over.winner is None else ""
        headline = safe(f"{played.entry.report.headline}{why}")
        words = post.ENTERED.format(campaign=safe(game.name), channel=game.channel, headline=headline)
        await self._post_in_battle_channel(battle_game, words, f"given {played.entry.seq}")
        return True

    def _start_bot_fight(self, game: Game, battle: Battle, link: BattleLink, words: str) -> None:
        """Start a background task in which the bot fights both sides of a battle. The task may take minutes."""
        if link.tag not in self._fights:
            self._fights.add(link.tag)
            work = self._run_bot_fight(game, battle, link, words)
            self.bot.background_tasks.run("fighting a battle", ("fight", link.tag), work)

    async def _run_bot_fight(self, game: Game, battle: Battle, link: BattleLink, words: str) -> None:
        """Let the bot fight both sides, unless another process does so, and enter the result."""
        try:
            if await self._claim_work(link) and await self._fight_claimed_battle(game, battle, link, words):
                self.bot.dispatch(automatic_play.RESTS, await self.bot.games.game_by_id(game.id))
        finally:
            self._fights.discard(link.tag)

    async def _fight_claimed_battle(self, game: Game, battle: Battle, link: BattleLink, words: str) -> bool:
        """Fight a claimed battle. Return whether its result was entered."""
        try:
            played = await self.bot.games.battle_outcomes.fight_and_enter_result(game, battle, link, words)
        except DatabaseUnavailable:
            raise
        except Refused as error:
            log.info("a battle of campaign %s cannot be fought: %s", game.id, error)
            await self.bot.games.battle_links.release(link, given=0)
            words = post.NOT_FOUGHT.format(battle=safe(post.battle_name(game, battle)))
            await self._mention_umpire(game, words, f"{game.id} {link.tag[:8]} no")
            return False
        except UserError as error:
            log.warning("a battle of campaign %s is fought later: %s", game.id, error)
            self._claimed_elsewhere.add(game.id)  # the claim stays until its lease ends
            return False
        if played is None:
            return False
        self._start_automatic_play(played)
        return True

    async def _claim_work(self, link: BattleLink, lease: timedelta = LEASE) -> bool:
        """Claim a battle's work, and return True. If another process has claimed it, plan a later check."""
        if await self.bot.games.battle_links.claim(link, lease):
            return True
        self._claimed_elsewhere.add(link.campaign)
        return False

    async def _mention_umpire(self, game: Game, words: str, key: str) -> None:
        """Post `words` in the campaign's channel, and mention the umpire."""
        await outbox.post(BotChannel(self.bot, game.channel), Card(WARNING).mention([game.umpire.id], words), key)

    def _start_automatic_play(self, played: Played) -> None:
        automatic_play.start_automatic_play(BotChannel(self.bot, played.game.channel), played.game)

    async def _replace_late_players(self, link: BattleLink, battle_game: Game, stage: int) -> None:
        """Let the bot play for the late players of a battle's game. Announce this in the channel of that game."""
        played = await self.bot.games.battle_players.seat_bot_in_late_battle(battle_game, stage)
        await self.bot.games.battle_links.release(link, late=stage)
        now = await self.bot.games.game_by_id(battle_game.id)
        if played is not None:
            words = f"**{safe(played.entry.report.headline)}.**\n{post.TAKEN_OVER}"
            await self._post_in_battle_channel(now, words, f"late {stage}")
        automatic_play.start_automatic_play(BotChannel(self.bot, now.channel), now)

    async def _announce_open_battle(
        self, game: Game, battle: Battle, link: BattleLink, battle_game: Game | None
    ) -> None:
        """Announce an open battle in the campaign's channel.

        If an undo has opened it again, also tell the channel of the battle's game.
        """
        silent = await self.bot.games.mentions.load_silent_users(game)
        card = post.open_battle_card(game, battle, silent, post.BEGUN if link.given is None else post.AGAIN)
        key = f"{game.id} {link.tag[:8]}{'' if link.given is None else link.given}"
        await outbox.post(BotChannel(self.bot, game.channel), card, key, link.claimed)
        if link.given is not None and battle_game is not None and battle_game.ended is None:
            words = post.REOPENED.format(channel=game.channel)
            await self._post_in_battle_channel(battle_game, words, f"again {game.seq}")
        await self.bot.games.battle_links.mark_battle_announced(link)

    async def _record_settled_battle(self, game: Game, link: BattleLink) -> None:
        """Record that a battle has a result, so that it is announced again if the result is undone.

        The stored entry number of the battle's game prevents the same result from being entered again.
        """
        if link.given is not None and not link.is_told:
            return
        battle_game = await self._find_battle_game(link)
        result_seq, day = 0 if battle_game is None else battle_game.state_seq, require_campaign(game).turn
        await self.bot.games.battle_links.release(link, given=result_seq, given_day=day, told=None)

    async def _end_settled_game(self, game: Game, link: BattleLink) -> None:
        """End the game of a settled battle, unless an undo can still take the result back."""
        battle_game = await self._find_battle_game(link)
        if battle_game is None or battle_game.ended is not None:
            return
        own = link.given is not None and link.given == battle_game.state_seq
        if own and game.ended is None and game.state.turn <= link.given_day:
            return
        if await self.bot.games.battle_outcomes.end_battle_game(battle_game) is not None:
            words = post.STANDS if own else post.SETTLED.format(channel=game.channel)
            await self._post_in_battle_channel(battle_game, words, "closed")

    async def _post_in_battle_channel(self, battle_game: Game, words: str, key: str) -> None:
        channel = BotChannel(self.bot, battle_game.channel)
        await outbox.post(channel, Card().text(words), f"{battle_game.id} {key}"[:25])
