"""`/campaign break-off`: a power breaks its battle off, after a confirmation that says what it costs (CA-6.4)."""

import discord

from bot.errors import NotAllowed
from bot.journal.game import Game
from cogs.game import pages
from cogs.kit import automatic_play, finale, pressed_message, reply, turn_message
from cogs.kit.cards import pictures, report_card, stale_buttons
from cogs.kit.cards.card import WARNING, Card, safe
from cogs.kit.controls.control import PersistentButton
from cogs.kit.lookup import name_lookup
from cogs.kit.request import Interaction, actor_of, channel_of, game_of, require_game
from rules.core.model import Viewer

COSTS = (
    "**{side} break off the battle.** The enemy holds the field, and their columns go back two hexes in the campaign. "
    "{more} This game ends, and its seeds become public; `/game undo` in <#{channel}> takes only the result back."
)
LOSES = "Their units on the table lose {figures} more figures, of which up to a third come back later."
NOTHING = "They lose no more figures."


class BreakOffButton(PersistentButton, action="breakoff", fields=("game", "side")):
    """The button that confirms that a side breaks its battle off."""

    async def handle(self, interaction: Interaction) -> None:
        """Break the battle off. Raises NotAllowed, Refused, and Stale if another game runs now."""
        await pressed_message.remove_buttons(interaction)
        game = await require_game(interaction, self.fields["game"])
        await break_off(interaction, game, self.fields["side"])


async def ask_to_break_off(interaction: Interaction, side_name: str | None) -> None:
    """Ask the user privately whether a side breaks the battle off. Raises NotAllowed, Refused, UserError."""
    game = await game_of(interaction)
    outcomes = interaction.client.games.battle_outcomes
    side_id = find_side_breaking_off(interaction, game, side_name)
    costs = await reply.wait_for(interaction, outcomes.cost_of_breaking_off(game, side_id))
    side = safe(f"{game.state.side(costs.side):The}")
    losses = LOSES.format(figures=costs.figures) if costs.figures else NOTHING
    card = Card(WARNING).text(COSTS.format(side=side, more=losses, channel=costs.channel))
    card.buttons([BreakOffButton("Break off", discord.ButtonStyle.danger, game=game.id, side=costs.side)])
    await reply.send(interaction, card, private=True)


def find_side_breaking_off(interaction: Interaction, game: Game, side_name: str | None) -> Viewer:
    """Return the id of the side `side_name`, or of the user's own side, which breaks off the battle.

    Raises Refused for an unknown name, NotAllowed if the user may not act for the side or has no side.
    """
    own = next((seat.side for seat in game.seats if seat.user == interaction.user.id), None)
    side = own if side_name is None else name_lookup.find_side_id(game.state, side_name)
    if not game.is_umpire(interaction.user.id) and (own is None or side != own):
        raise NotAllowed(f"Only the players of a side, and the umpire, {game.umpire.name}, may break its battle off.")
    if side is None:
        raise NotAllowed("As the umpire, say which side breaks off by the option side: of /campaign break-off.")
    return side


async def break_off(interaction: Interaction, game: Game, side: Viewer) -> None:
    """Break the battle off, and show how it ended."""
    find_side_breaking_off(interaction, game, side)
    work = interaction.client.games.battle_outcomes.break_off(game, actor_of(interaction), side, interaction.id)
    ended_game = await reply.carry_out(interaction, work)
    drawing = pictures.draw_if_possible(pictures.draw_table(interaction.client.workers, ended_game), ended_game)
    picture = await reply.wait_for(interaction, drawing)
    other = next(candidate for candidate in ended_game.state.sides if candidate.id != side)
    card = Card(report_card.side_colour(ended_game.state, side))
    breaking_off, holding = safe(f"{ended_game.state.side(side):The}"), safe(f"{other:The}")
    card.text(f"### {breaking_off} break off the battle\n{holding} hold the field.")
    card.picture(picture).text("\n".join(turn_message.strength_lines(ended_game)))
    card.text(pages.public_seeds_line(ended_game))
    message = await reply.send(interaction, card.buttons(finale.finale_buttons(ended_game)[:1]))
    stale_buttons.set_live_message(interaction.client, ended_game.id, channel_of(interaction), message)
    interaction.client.dispatch(automatic_play.RESTS, ended_game)
