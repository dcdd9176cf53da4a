"""Complete the places, powers and tables of open battles, and find the games in which battles are fought."""

from collections.abc import Mapping

from bot.campaigns.fights import campaign_of
from bot.campaigns.openings import may_open
from bot.journal.game import Game
from cogs.kit.lookup import completion
from cogs.kit.request import Interaction, game_of
from rules.campaign.ground import board_of
from rules.campaign.results import NOBODY, find_battle
from rules.campaign.tables import tables_for

from .post import link_to


@completion.never_fails
async def complete_battles(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `battle` with the places of the open battles."""
    state = campaign_of(await game_of(interaction))
    title = board_of(state).title
    return completion.match_choices(
        current, ((title(battle.at), title(battle.at)) for battle in state.battles.values())
    )


@completion.never_fails
async def complete_powers(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `field` with the powers, and nobody."""
    state = campaign_of(await game_of(interaction))
    names = [*(power.name for power in state.powers), NOBODY]
    return completion.match_choices(current, ((name, name) for name in names))


@completion.never_fails
async def complete_tables(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `table` with the tables for the ground of the battle."""
    state = campaign_of(await game_of(interaction))
    battle = find_battle(state, str(getattr(interaction.namespace, "battle", "") or ""))
    listed = enumerate(tables_for(state, battle), 1)
    named = ((str(number), f"{number}: {'; '.join(table.lines.splitlines())}") for number, table in listed)
    return completion.match_choices(current, named)


async def links_to_games(interaction: Interaction, game: Game) -> Mapping[str, str]:
    """Return a link to the running game of each battle that the user may open, by the battle's id."""
    games, found = interaction.client.games, dict[str, str]()
    links = await games.battle_links.of_campaign(game.id)
    for battle in campaign_of(game).battles.values():
        link = links.get(battle.id)
        if link is None or link.game is None or not may_open(game, battle, interaction.user.id):
            continue
        fought = await games.by_id(link.game)
        if fought.ended is None:
            found[battle.id] = link_to(interaction.client, fought)
    return found
