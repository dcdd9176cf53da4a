"""Repeat the open offers of a game's public messages on private cards."""

import asyncio

from bot.games.pauses import describe_request
from bot.journal.game import Game
from cogs.kit.cards.card import Card, safe
from cogs.kit.cards.next_step import private_step_buttons
from cogs.kit.cards.stand_in import stand_in_buttons
from cogs.kit.request import Interaction
from rules.core.model import PUBLIC, UMPIRE

from .pause import AgreeToPauseButton
from .remedies import add_remedies
from .substitute import SeatOfferButton


async def add_open_offers(interaction: Interaction, card: Card, game: Game) -> Card:
    """Add the open offers that the user may take to the card, and return it.

    They are remedies for overdue sides, offered seats, requests for consent, and the next step.
    """
    if game.ended is not None:
        return card
    games, user = interaction.client.games, interaction.user.id
    add_remedies(card, game, await games.clocks.load_deadlines(game), games.clocks.now(), user)
    if all(seat.user != user for seat in game.seats) and not game.is_umpire(user):
        for entry, side in (await games.substitutes.load_open_offers(game)).items():
            card.text(f"A seat for {safe(game.the_side(side))} is offered.")
            card.buttons([SeatOfferButton(f"Play {game.the_side(side)}", game=game.id, entry=entry)])
    if game.is_umpire(user) or game.viewer(user) != PUBLIC:
        for request in await games.pauses.load_open_requests(game):
            if user not in request.agreed:
                card.text(f"You are asked to {safe(describe_request(request.request))}.")
                card.buttons([AgreeToPauseButton("Agree", game=game.id, entry=request.entry)])
    viewer = UMPIRE if game.is_umpire(user) else game.viewer(user)
    card.buttons(stand_in_buttons(game, viewer))
    has_live_map = interaction.client.live_map_url is not None
    return card.buttons(await asyncio.to_thread(private_step_buttons, game, user, has_live_map=has_live_map))
