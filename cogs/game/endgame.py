"""End a game after a confirmation, send its report, and start the same battle again."""

from contextlib import suppress

import discord

from bot.errors import GameRunning, NoGame, NotAllowed, Stale
from bot.journal.game import Game, Played
from cogs.kit import automatic_play, finale, one_at_a_time, pressed_message, reply
from cogs.kit.cards import stale_buttons
from cogs.kit.cards.card import WARNING, Card, safe
from cogs.kit.controls.control import PersistentButton
from cogs.kit.lookup import battles
from cogs.kit.request import Interaction, actor_of, can_manage_channel, channel_of, require_no_room
from cogs.kit.rooms import messages
from rules.core.model import PUBLIC

from . import opening_message, pages

NOT_AT_TABLE = "Only those who sat at this table start its battle again. /game new starts a game of your own."


class EndGameButton(PersistentButton, action="end", fields=("game",)):
    """The button that confirms the end of a game."""

    async def handle(self, interaction: Interaction) -> None:
        """End the button's game."""
        await pressed_message.remove_buttons(interaction)
        await end_game(interaction, self.fields["game"])


class ReportButton(PersistentButton, action=finale.REPORT, fields=("game",)):
    """The button that sends the user the game's after-action report, in the user's view."""

    async def handle(self, interaction: Interaction) -> None:
        """Send the report as an HTML page."""
        game = await interaction.client.games.game_in_channel(channel_of(interaction), self.fields["game"])
        await send_report(interaction, game, "html")


class PlayAgainButton(PersistentButton, action=finale.AGAIN, fields=("game",)):
    """The button that starts a new game of the same battle, with the same choices and players."""

    async def handle(self, interaction: Interaction) -> None:
        """Start the battle again, with the presser as umpire."""
        await start_battle_again(interaction, self.fields["game"])


async def ask_to_end_game(interaction: Interaction) -> None:
    """Ask the user privately whether to end the game, with a button that confirms."""
    game = await interaction.client.games.running_game(channel_of(interaction), even_unreadable=True)
    card = Card(WARNING).text(
        f"This ends **{safe(game.name)}** at {safe(game.state.turn_title)} and makes the seed of its dice public. "
        "It cannot be taken back. `/game export` keeps a copy."
    )
    card.buttons([EndGameButton("End the game", discord.ButtonStyle.danger, game=game.id)])
    await reply.send(interaction, card, private=True)


async def end_game(interaction: Interaction, game_id: str | None = None) -> None:
    """End the channel's game, show how it ended, and make its seeds public. `game_id` names the expected game."""
    channel, actor, manages = channel_of(interaction), actor_of(interaction), can_manage_channel(interaction)
    end = interaction.client.games.dice_seeds.end_game
    work = end(channel, actor, manages=manages, game_id=game_id, interaction=interaction.id)
    game = await reply.carry_out(interaction, work)
    if game.state_is_readable:
        card = await reply.wait_for(interaction, finale.draw_finale(interaction, game))
    else:
        card = pages.status_card(game, PUBLIC)
    card.text(f"The game is over. {pages.public_seeds_line(game)}")
    card.buttons(finale.finale_buttons(game) if game.state_is_readable else [])
    message = await reply.send(interaction, card)
    stale_buttons.set_live_message(interaction.client, game.id, game.channel, message)
    messages.tell_rooms_of_end(interaction, game)
    interaction.client.dispatch(automatic_play.RESTS, game)


async def send_report(interaction: Interaction, game: Game, form: str) -> None:
    """Send the user the after-action report privately; `form` is "html" or "markdown"."""
    games = interaction.client.games
    card = Card().text(f"**{safe(game.name)}**, {safe(game.state.turn_title)}.")
    ending = {"html": "html", "markdown": "md"}[form]
    with one_at_a_time.reserve_private_work(interaction, "The report of this game"):
        writing = games.readings.write_report(game, game.viewer(interaction.user.id), form)
        page = await reply.wait_for(interaction, writing, private=True)
        await reply.send(interaction, card.attach(f"report-{game.id}.{ending}", page.encode()), private=True)


async def start_battle_again(interaction: Interaction, game_id: str) -> None:
    """Start an ended game's battle again. Raises GameRunning, NotAllowed, and Refused for a scenario that is gone."""
    require_no_room(interaction, "Begin the battle again")
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    old = await games.game_in_channel(channel, game_id)
    if old.viewer(actor.id) == PUBLIC and not old.is_umpire(actor.id):
        raise NotAllowed(NOT_AT_TABLE)
    battle = await battles.find_battle(interaction, old.state.scenario, old.ruleset)
    document = await battles.load_uploaded_document(interaction, battle)

    async def start_or_find_game() -> Played:
        if earlier := await games.find_played_action(channel, interaction.id):
            return earlier
        if old.ended is None and old.state.over is None:
            raise GameRunning("This game is not over yet: end it with /game end before the same battle begins again.")
        if old.ended is None:
            with suppress(Stale, NoGame):  # another process was quicker
                await games.dice_seeds.end_game(channel, actor, manages=can_manage_channel(interaction), game_id=old.id)
        return await games.starter.start(
            channel,
            interaction.guild_id,
            actor,
            old.ruleset.id,
            battle.scenario.id,
            name=old.name,
            choices=old.state.choices,
            title=battle.scenario.title,
            document=document,
            seats=old.seats,
            interaction=interaction.id,
        )

    played = await reply.carry_out(interaction, start_or_find_game())
    call = await games.mentions.make_turn_call(played, present=actor.id)
    await opening_message.send_opening_message(interaction, played.game, safe(battle.scenario.briefing), call)
    automatic_play.start_automatic_play(interaction, played.game)
