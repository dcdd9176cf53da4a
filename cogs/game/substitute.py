"""`/game substitute`: offer a seat in a message that others can take."""

from discord import app_commands
from discord.ext import commands

from bot.games.substitutes import OFFERED
from bot.games.turn_mentions import TurnCall
from bot.journal.game import Actor
from cogs.kit import automatic_play, pressed_message, reply, turn_post
from cogs.kit.cards.card import Card, safe
from cogs.kit.cards.report_card import side_colour
from cogs.kit.controls.control import PersistentButton
from cogs.kit.lookup import completion
from cogs.kit.option_types import Name
from cogs.kit.request import Interaction, actor_of, channel_of
from cogs.kit.rooms import members


class SeatOfferButton(PersistentButton, action="takeseat", fields=("game", "entry")):
    """The button that takes an offered seat."""

    async def handle(self, interaction: Interaction) -> None:
        """Take the seat, and tell everyone. Raises Stale, UserError, NotAllowed."""
        channel, actor, entry = channel_of(interaction), actor_of(interaction), self.number_field("entry")
        substitutes = interaction.client.games.substitutes
        work = substitutes.take_seat(channel, actor, self.fields["game"], entry, interaction=interaction.id)
        played = await reply.carry_out(interaction, work)
        await pressed_message.remove_buttons(interaction)
        side = played.entry.action["side"]
        card = Card(side_colour(played.game.state, side)).text(f"**{safe(played.entry.report.headline)}.**")
        card.text("-# `/game brief` tells you what you must know.")
        await turn_post.send_with_next_step(interaction, card, played.game, TurnCall(users=(actor.id,)))
        action = played.entry.action
        gone = [Actor(action["former"], action["former_name"])] if "former" in action else []
        members.update_members(interaction, played.game, actor, *gone)
        automatic_play.start_automatic_play(interaction, played.game)


class SubstituteCommand(commands.Cog):
    """The command `/game substitute`."""

    @app_commands.command()
    @app_commands.describe(
        side="Whose seat; your own if you leave it out", withdraw="Take your offer back, and keep the seat"
    )
    @app_commands.autocomplete(side=completion.complete_open_sides)
    async def substitute(
        self, interaction: Interaction, side: Name | None = None, withdraw: bool | None = None
    ) -> None:
        """Offer your seat, or as umpire any seat, in a message that others can take."""
        seats = interaction.client.games.substitutes
        change = seats.withdraw_offers if withdraw else seats.offer_seat
        work = change(channel_of(interaction), actor_of(interaction), side, interaction=interaction.id)
        played = await reply.carry_out(interaction, work)
        game, offered_side, report = played.game, played.entry.action["side"], played.entry.report
        card = Card(side_colour(game.state, offered_side)).text(f"**{safe(report.headline)}.** {safe(report.outcome)}")
        if played.entry.kind == OFFERED:
            sees = "Who takes it sees what that side sees, and takes over its order sheet."
            card.text(f"-# {sees} `/game brief` tells the rest.")
            label = f"Play {game.the_side(offered_side)}"
            card.buttons([SeatOfferButton(label, game=game.id, entry=played.entry.number)])
        await reply.send(interaction, card)
