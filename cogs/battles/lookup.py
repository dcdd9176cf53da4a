"""Complete the places, powers and tables of open battles, and find the games in which battles are fought."""

from collections.abc import Mapping

from bot.campaigns.campaign_games import require_campaign
from bot.campaigns.openings import may_open_battle
from bot.journal.game import Game
from cogs.kit.lookup import completion
from cogs.kit.request import Interaction, game_of
from rules.campaign.ground import board_of
from rules.campaign.results import NOBODY, find_open_battle
from rules.campaign.tables import tables_for_battle

from .post import battle_channel_link


@completion.game_completer
def complete_open_battles(game: Game) -> completion.NamedValues:
    """Complete `battle` with the places of the open battles."""
    state = require_campaign(game)
    titles = (board_of(state).title(battle.at) for battle in state.battles.values())
    return ((title, title) for title in titles)


@completion.game_completer
def complete_field_holders(game: Game) -> completion.NamedValues:
    """Complete `field` (who held the battlefield) with the powers' names and the word for nobody."""
    names = [*(power.name for power in require_campaign(game).powers), NOBODY]
    return ((name, name) for name in names)


@completion.safe_completer
async def complete_battle_tables(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `table` with the tables, by number, whose terrain suits the typed battle."""
    state = require_campaign(await game_of(interaction))
    battle = find_open_battle(state, str(getattr(interaction.namespace, "battle", "") or ""))
    numbered_tables = enumerate(tables_for_battle(state, battle), 1)
    choices = ((str(number), f"{number}: {'; '.join(table.lines.splitlines())}") for number, table in numbered_tables)
    return completion.match_choices(current, choices)


async def load_battle_links(interaction: Interaction, game: Game) -> Mapping[str, str]:
    """Return a link to each battle's running game, by battle id. Battles that the user may not open are left out."""
    games, game_links = interaction.client.games, dict[str, str]()
    links = await games.battle_links.load_links(game.id)
    for battle in require_campaign(game).battles.values():
        link = links.get(battle.id)
        if link is None or link.game is None or not may_open_battle(game, battle, interaction.user.id):
            continue
        battle_game = await games.game_by_id(link.game)
        if battle_game.ended is None:
            game_links[battle.id] = battle_channel_link(interaction.client, battle_game)
    return game_links
