"""Take a seat: by command, or by the buttons under a new game."""

from bot.errors import Stale
from bot.journal.game import Game
from cogs.help import all_help_pages
from cogs.kit import reply, turn_post
from cogs.kit.cards.card import Card, safe
from cogs.kit.cards.report_card import side_colour
from cogs.kit.controls.control import PersistentButton
from cogs.kit.request import Interaction, actor_of, channel_of
from cogs.kit.rooms import members


class JoinButton(PersistentButton, action="join", fields=("game", "side")):
    """The button that takes a seat on a side."""

    async def handle(self, interaction: Interaction) -> None:
        """Take a seat on the button's side."""
        await join_side(interaction, self.fields["side"], self.fields["game"])


def open_side_buttons(game: Game) -> list[JoinButton]:
    """Return a join button for each open side.

    If the umpire plays against a side that the rules play, the umpire needs no seat, so there is no button.
    """
    own = game.viewer(game.umpire.id) if game.ruleset.played_by_bot is not None else None
    return [JoinButton(f"Play {side:the}", game=game.id, side=side.id) for side in game.open_sides if side.id != own]


async def join_side(interaction: Interaction, side: str, game_id: str | None = None) -> None:
    """Take a seat on a side and tell everyone. `game_id` names the expected game; None means the channel's game."""
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    work = games.seats.join(channel, actor, side, game_id=game_id, interaction=interaction.id)
    game = await reply.carry_out(interaction, work)
    joined_side = next((seat.side for seat in game.seats if seat.user == actor.id), None)
    if joined_side is None:  # another process took the seat for the same press, and the player has left it since
        raise Stale("You have given that seat up since. Take it once more if you want it.")
    card = Card(side_colour(game.state, joined_side))
    card.text(f"**{safe(actor.name)}** plays the **{safe(game.name_of(joined_side))}**.")
    system = game.ruleset  # where turns end at the deadline, a player's first steps are on the system's own page
    topic = system.id if system.ends_turn_at_deadline and system.id in all_help_pages() else "player"
    card.text(f"-# {safe(game.state.turn_title)}. `/help topic:{topic}` shows the first steps.")
    await turn_post.send_with_next_step(interaction, card, game)
    members.update_members(interaction, game, actor)
