"""A player in the chat, who orders all units forward, ends the turn, and answers questions."""

from bot.games.open_prompts import filter_visible_prompts
from tests.face.sheet import PlayersSheet
from tests.face.table import labels

from .live_map import LiveChannel

END_BUTTON, FORWARD = "Do all and end my turn", "all: forward 6"


class ChatPlayer:
    """A player who uses only commands and buttons of the chat."""

    def __init__(self, channel: LiveChannel, person: str, side: str) -> None:
        self._channel, self._person, self._side = channel, person, side

    def act(self) -> None:
        """Answer a required question of the side; without one, give orders and end the turn."""
        self._channel.table.run(self._act())

    async def _act(self) -> None:
        chat, player = self._channel.chat, self._channel.people[self._person]
        game = await self._channel.table.bot.games.running_game(chat.channel.id)
        prompts = filter_visible_prompts(game, self._side, game.ruleset.open_prompts(game.state))
        offer_labels = {
            offer.label
            for prompt in prompts
            if prompt.required and prompt.side == self._side
            for offer in prompt.offers
        }
        for message in reversed(chat.channel.history(viewer=player)):
            if choices := [label for label in labels(message) if label in offer_labels]:
                await chat.press(player, message, choices[0])
                return
        sheet = PlayersSheet(chat, player)
        await sheet.open(FORWARD)
        if END_BUTTON in labels(sheet.message):
            await chat.press(player, sheet.message, END_BUTTON)
        else:
            await chat.pass_on(player)
