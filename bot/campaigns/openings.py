"""Open a campaign's battle as a separate game, with seats for the commanders of its columns (CA-6.1 to CA-6.5)."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from bot.errors import GameRunning, NotAllowed, UserError
from bot.games.new_game import clean_game_name, make_first_seed_rows, make_game_id, require_free_channel, store_new_game
from bot.journal.codec import pack_state, read_state
from bot.journal.game import Actor, Game, Played
from bot.journal.ledger import Ledger
from bot.journal.seats import Seat, bot_user_id
from bot.store.queries import fetch_values
from bot.store.tables import GAMES
from bot.workers import Workers
from rules.campaign.model import Battle
from rules.campaign.open_battles import battle_title, find_battle_stage
from rules.campaign.results import find_open_battle
from rules.core.automaton.levels import Level
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.registry import rulesets

from .battle_jobs import lay_out_battle
from .campaign_games import require_campaign
from .links import BattleLink, BattleLinks, battle_tag, change_link
from .table import Roster

BOT_NAME = "the bot"
ONLY_INVOLVED = "Only the umpire and the players whose columns are in a battle may look at it."
IN_NO_GAME = "This battle has no game yet. Its message in the chat has buttons to fight it."
ONLY_THOSE = "Only players whose columns are in that battle, and the umpire, {umpire}, may open it."
OTHER_TABLE = "Only the umpire, {umpire}, may choose another table: the die has picked one."
ALL_TAKEN = "Every channel has a game. End one by /game end in its channel; the battle then takes that channel."
GOES_ON = "That battle is being fought already: /campaign status has the link to its channel."


def has_column_in_battle(game: Game, battle: Battle, user: int) -> bool:
    """Whether a user commands a column in the battle."""
    state = require_campaign(game)
    commands = {state.units[column].side for column in battle.columns if column in state.units}
    return any(seat.user == user and seat.side in commands for seat in game.seats)


def players_in_battle(game: Game, battle: Battle) -> Sequence[Seat]:
    """Return the seats, in the campaign, of players with a column in the battle."""
    return [seat for seat in game.seats if not seat.is_bot and has_column_in_battle(game, battle, seat.user)]


def may_open_battle(game: Game, battle: Battle, user: int) -> bool:
    """Whether a user may open a battle. The umpire may, and so may any player with a column in the battle."""
    return game.is_umpire(user) or has_column_in_battle(game, battle, user)


def require_battle_to_open(game: Game, actor: Actor, place: str, table: int | None = None) -> Battle:
    """Return the battle at `place`, if the actor may open it on table number `table`.

    Raises Refused for an unknown battle, NotAllowed for an actor who may not open it or choose its table.
    """
    battle = find_open_battle(require_campaign(game), place)
    if not may_open_battle(game, battle, actor.id):
        raise NotAllowed(ONLY_THOSE.format(umpire=game.umpire.name))
    if table is not None and not game.is_umpire(actor.id):
        raise NotAllowed(OTHER_TABLE.format(umpire=game.umpire.name))
    return battle


class BattleOpenings:
    """Service that opens games for the battles of campaigns."""

    def __init__(self, ledger: Ledger, links: BattleLinks, workers: Workers) -> None:
        self._ledger, self._links, self._workers = ledger, links, workers
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def find_battle_game(self, campaign: Game, user: int, battle: str) -> Game:
        """Return the game of the battle with the id `battle`.

        Raises NotAllowed for a user who may not open the battle, Refused for a battle without a game.
        """
        state = require_campaign(campaign)
        open_battle = state.battles.get(battle)
        if open_battle is None or not may_open_battle(campaign, open_battle, user):
            raise NotAllowed(ONLY_INVOLVED)
        link = (await self._links.load_links(campaign.id)).get(battle)
        if link is None or link.game is None or link.tag != battle_tag(state, open_battle):
            raise Refused(IN_NO_GAME)
        return await self._ledger.game_by_id(link.game)

    async def find_running_game(self, game: Game, battle: Battle) -> Game | None:
        """Return the running game in which a battle is fought, or None."""
        return (await self._find_link_and_game(game, battle))[1]

    async def _find_link_and_game(self, game: Game, battle: Battle) -> tuple[BattleLink, Game | None]:
        """Return the link of a battle, and the battle's running game or None. `game` is the campaign's game."""
        known_link = (await self._links.load_links(game.id)).get(battle.id)
        link = await self._links.ensure_link(require_campaign(game), battle, game.id, known_link)
        battle_game = None if link.game is None else await self._ledger.game_by_id(link.game)
        return link, None if battle_game is None or battle_game.ended is not None else battle_game

    async def find_free_channel(self, channels: Sequence[int]) -> int:
        """Return the first of these channels without a running game. Raises UserError if there is none."""
        query = select(GAMES.c.channel).where(GAMES.c.channel.in_(channels), GAMES.c.ended.is_(None))
        busy_channels = {*await fetch_values(self._ledger.store, query)}
        for channel in channels:
            if channel not in busy_channels:
                return channel
        raise UserError(ALL_TAKEN)

    async def open(
        self,
        campaign: Game,
        actor: Actor,
        place: str,
        find_channel: Callable[[], Awaitable[int]],
        *,
        table: int | None = None,
        interaction: int = 0,
    ) -> Played:
        """Start the game of a battle, in the channel that `find_channel` finds or makes after all checks.

        Raises NotAllowed and Refused like `require_battle_to_open`, UserError like `lay_out_battle`,
        GameRunning if the channel or the battle already has a running game.
        """
        battle = require_battle_to_open(campaign, actor, place, table)
        async with self._locks.setdefault(f"{campaign.id} {battle.id}", asyncio.Lock()):
            link, battle_game = await self._find_link_and_game(campaign, battle)
            if battle_game is not None:
                raise GameRunning(GOES_ON)
            laid = await self._workers.run(lay_out_battle, pack_state(campaign.ruleset, campaign.state), place, table)
            channel = await find_channel()
            await require_free_channel(self._ledger, channel)
            late = find_battle_stage(require_campaign(campaign), battle)  # skips stages that passed before the opening
            system: Ruleset[Any] = rulesets()[laid.system]
            state, roster, game = read_state(system, laid.packed), Roster.model_validate(laid.roster), make_game_id()
            title, seats = (
                battle_title(require_campaign(campaign), battle),
                seats_for_battle(campaign, battle, state, roster),
            )
            values = {"game": game, "roster": laid.roster, "given": None, "late": late, "broken_off": None}
            try:
                return await store_new_game(
                    self._ledger,
                    actor,
                    interaction,
                    game=game,
                    channel=channel,
                    guild=campaign.guild,
                    name=clean_game_name(f"{title} ({campaign.name})"),
                    title=title,
                    ruleset=system,
                    umpire=campaign.umpire,
                    state=state,
                    action={"rules": system.id, "scenario": state.scenario, "choices": dict(state.choices)},
                    seeds=make_first_seed_rows(game),
                    seats=seats,
                    last_sides=_sides_by_user(campaign, seats, roster),
                    changes=[partial(change_link, link=link, values=values)],
                )
            except IntegrityError:  # another process was faster
                raise GameRunning(GOES_ON) from None


def seats_for_battle(campaign: Game, battle: Battle, state: Any, roster: Roster) -> Sequence[Seat]:
    """Return the seats of players with a column in the battle, and the bot's seats on the other sides."""
    powers = require_campaign(campaign)
    seats = [
        Seat(seat.user, seat.name, roster.sides[powers.power_of(seat.side).id])
        for seat in players_in_battle(campaign, battle)
    ]
    played = {seat.side for seat in seats}
    levels = {powers.power_of(seat.side).id: seat.level for seat in campaign.seats if seat.level is not None}
    bots = [
        Seat(bot_user_id(state, side), BOT_NAME, side, levels.get(power) or Level.EASY)
        for power, side in roster.sides.items()
        if side not in played
    ]
    return [*seats, *bots]


def _sides_by_user(campaign: Game, seats: Sequence[Seat], roster: Roster) -> dict[str, str]:
    """Return the side of each player by user id. Include the umpire if he commands in the campaign."""
    sides = {str(seat.user): seat.side for seat in seats if not seat.is_bot}
    own = next((seat.side for seat in campaign.seats if seat.user == campaign.umpire.id), None)
    if own is not None:
        sides.setdefault(str(campaign.umpire.id), roster.sides[require_campaign(campaign).power_of(own).id])
    return sides
