"""`/game replay`: show a game as an animated picture of the table."""

from bot.errors import UserError
from cogs.kit import one_at_a_time, reply
from cogs.kit.cards import report_card, unit_list
from cogs.kit.cards.card import Card, Picture, picture_legend_line, safe
from cogs.kit.lookup.views import find_viewer
from cogs.kit.request import Interaction, channel_of

LARGEST_FILE = 10 * 1000 * 1000
"""Maximum bytes of a file in a message. Discord's limit of 10 MiB includes the rest of the message."""
LEFT_OUT = "It is of a minute and one file at most, so some positions between are left out: {number}."
NOTHING = "There is nothing to show yet. Play a turn first."


async def show_replay(interaction: Interaction, turns: int | None, side: str | None) -> None:
    """Show the last `turns` turns of the game, or the whole game for None, as an animated picture.

    With `side`, show the view of this side to the user alone. Raises NotAllowed if the user may not see it, NoGame,
    UserError.
    """
    games = interaction.client.games
    game = await games.running_or_last_game(channel_of(interaction))
    viewer, task = find_viewer(game, interaction.user.id, side), "The replay of this game"
    is_private = side is not None
    reserve = one_at_a_time.reserve_private_work if is_private else one_at_a_time.reserve_public_work
    with reserve(interaction, task):
        await reply.show_thinking(interaction, private=is_private)
        film = await games.readings.make_replay(game, turns, LARGEST_FILE, viewer)
        if film is None:
            raise UserError(NOTHING if game.state.keeps_positions else unit_list.NO_MAP)
        alt, key = f"From “{film.first}” to “{film.last}”", picture_legend_line(film.numbers)
        picture = Picture(name="replay.gif", data=film.gif, alt=alt, key=key)
        card = Card(report_card.turn_colour(game.state))
        card.text(f"**{safe(game.name)}**, {safe(film.turn_title)}").picture(picture)
        if film.left_out:
            card.text(f"-# {LEFT_OUT.format(number=film.left_out)}")
        await reply.send(interaction, card, private=is_private)
