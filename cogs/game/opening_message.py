"""The first message of a game: at its start, after an import, and when the local table opens."""

import asyncio
from collections.abc import Sequence

from bot.games.hidden_troops_notice import describe_who_sees_all
from bot.games.turn_mentions import TurnCall
from bot.journal.game import Game
from cogs.kit import reply
from cogs.kit.cards import pictures, report_card, stale_buttons, unit_list
from cogs.kit.cards.card import Button, Card, Picture, safe
from cogs.kit.cards.next_step import NextStep
from cogs.kit.request import Interaction
from cogs.kit.turn_message import NOBODY, YOUR_TURN

from . import pages, seats

MOST_BUTTONS = 12
"""Maximum buttons of the next step: an army list may leave several choices open."""


async def send_opening_message(
    interaction: Interaction, game: Game, words: str, call: TurnCall = NOBODY, buttons: Sequence[Button] = ()
) -> None:
    """Show everyone the game's first message, with further `buttons`. The message mentions the users in `call`.

    Then draw the ground in the background.
    """
    workers = interaction.client.workers
    drawing = pictures.draw_if_possible(pictures.draw_table(workers, game), game)
    picture = await reply.wait_for(interaction, drawing)
    message = await reply.send(interaction, await asyncio.to_thread(opening_card, game, words, picture, call, buttons))
    stale_buttons.set_live_message(interaction.client, game.id, game.channel, message)
    task = f"drawing the ground of game {game.id}"
    interaction.client.background_tasks.run(task, ("ground", game.id), pictures.draw_ground_ahead(workers, game))


def opening_card(
    game: Game, words: str, picture: Picture | None, call: TurnCall = NOBODY, buttons: Sequence[Button] = ()
) -> Card:
    """Return a game's first message: the map, prompts, who sees hidden units, the seats, and the seal of the dice."""
    card = Card(report_card.turn_colour(game.state))
    card.text(pages.game_heading(game)).mention(call.users, YOUR_TURN).text(words).picture(picture)
    card.paragraphs(unit_list.unit_list_instead_of_map(game))
    step = NextStep.for_game(game, [prompt.key for prompt in game.ruleset.open_prompts(game.state)], MOST_BUTTONS)
    step.add_prompts(card)
    if game.state.can_have_hidden_units:
        card.text(safe(f"Units may be hidden in this game. {describe_who_sees_all(game)}"))
    card.text(pages.seat_lines(game)).buttons([*buttons, *seats.open_side_buttons(game)]).text(pages.seal_line(game))
    return step.add_last_row(card)
