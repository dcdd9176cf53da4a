"""Pauses of the clock, with the players' consent, and `/game away`."""

from datetime import datetime

from discord import app_commands
from discord.ext import commands

from bot.games.clock_change import describe_absence_limit
from bot.games.pauses import ASKED, PAUSED, PauseRequest
from bot.journal.game import Game, Played
from cogs.kit import pressed_message, reply
from cogs.kit.cards.card import NEUTRAL, Card, safe
from cogs.kit.cards.report_card import beginning_in_words, deadline_in_words
from cogs.kit.controls.control import PersistentButton
from cogs.kit.lookup.notes import strip_note
from cogs.kit.option_types import Name
from cogs.kit.request import Interaction, actor_of, channel_of, require_game

from . import clock_completion
from .remedies import deadline_lines


class AgreeToPauseButton(PersistentButton, action="agree", fields=("game", "entry")):
    """The button that agrees to another player's request to stop the clock, or to let it run on."""

    async def handle(self, interaction: Interaction) -> None:
        """Agree, and tell everyone. If all others have agreed, carry out the request. Raises NotAllowed, Stale."""
        game = await require_game(interaction, self.fields["game"])
        pauses, channel, actor = interaction.client.games.pauses, channel_of(interaction), actor_of(interaction)
        entry = self.number_field("entry")
        work = pauses.agree_to_request(channel, actor, game.id, entry, interaction=interaction.id)
        played = await reply.carry_out(interaction, work, quietly=True)
        await pressed_message.remove_buttons(interaction)
        await announce_pause(interaction, played)


class AwayCommand(commands.Cog):
    """The command `/game away`."""

    @app_commands.command()
    @app_commands.describe(
        until="Until when you are away, as monday, 24 Dec or 2 weeks; now: you are back",
        begins="From when, now if left out",
        zone="By whose clocks, as London or UTC+2",
    )
    @app_commands.rename(begins="from")
    @app_commands.autocomplete(
        until=clock_completion.complete_absence_end,
        begins=clock_completion.complete_absence_begin,
        zone=clock_completion.complete_zones,
    )
    async def away(
        self, interaction: Interaction, until: Name, begins: Name | None = None, zone: Name | None = None
    ) -> None:
        """Say that you are away: your deadlines wait, as long as the umpire allows, and the others are told."""
        pauses, channel, actor = interaction.client.games.pauses, channel_of(interaction), actor_of(interaction)
        until, begins = strip_note(until), begins and strip_note(begins)
        work = pauses.set_absence(channel, actor, until, begins=begins, zone=zone, interaction=interaction.id)
        played, absence = await reply.carry_out(interaction, work)
        game, user, name = played.game, interaction.user.id, safe(interaction.user.display_name)
        if absence.ends is None or absence.ends <= absence.begins:
            await reply.send(interaction, Card(NEUTRAL).text(f"**{safe(played.entry.report.headline)}.**"))
            return
        now = interaction.client.games.clocks.now()
        begin = beginning_in_words(absence.begins, now)
        clock = await interaction.client.games.clocks.load_clock(game)
        limit = "" if clock is None else f" {describe_absence_limit(clock)}"
        side = game.viewer(user)
        fellows = [seat for seat in game.players(side) if seat.user != user and not seat.is_bot]
        fellows_note = "The others of the side play on." if fellows else ""
        words = f"**{name} is away** {begin}{deadline_in_words(absence.ends)}.{limit} {fellows_note}"
        card = Card(NEUTRAL).mention(other_users_at_table(game, user), words.strip())
        deadlines = await interaction.client.games.clocks.load_deadlines(game)
        own_lines = deadline_lines(game, [deadline for deadline in deadlines if deadline.side == side])
        await reply.send(interaction, card.text("\n".join(own_lines)))


async def pause_or_resume_clock(interaction: Interaction, until: str | None, zone: str | None) -> None:
    """Pause the clock until the moment typed in `until`; None resumes it. Tell everyone, or ask for their consent."""
    pauses, channel = interaction.client.games.pauses, channel_of(interaction)
    request = PauseRequest(resumes=True)
    if until is not None:
        game = await interaction.client.games.running_game(channel)
        request = await pauses.parse_request(game, strip_note(until), zone)
    work = pauses.pause_or_resume(channel, actor_of(interaction), request, interaction=interaction.id)
    await announce_pause(interaction, await reply.carry_out(interaction, work))


async def announce_pause(interaction: Interaction, played: Played) -> None:
    """Tell everyone that the clock stops or runs on, or ask everyone to agree to that."""
    game, entry, request = played.game, played.entry, PauseRequest.from_document(played.entry.action)
    headline = f"**{safe(entry.report.headline)}.**"
    if entry.kind == ASKED:
        what = "let the clock run on" if request.resumes else "stop the clock"
        asks = f"**{safe(entry.actor.name)} asks to {what}.**"
        until = "" if request.resumes else f" It would stand still {pause_end_in_words(request.until)}."
        card = Card(NEUTRAL).text(f"{asks}{until}\n{safe(entry.report.outcome)}")
        card.buttons([AgreeToPauseButton("Agree", game=game.id, entry=entry.number)])
    elif entry.kind == PAUSED:
        words = f"{headline} It stands still {pause_end_in_words(request.until)}."
        card = Card(NEUTRAL).mention(other_users_at_table(game, interaction.user.id), words)
    else:
        deadlines = await interaction.client.games.clocks.load_deadlines(game)
        card = Card(NEUTRAL).mention(other_users_at_table(game, interaction.user.id), headline)
        card.text("\n".join(deadline_lines(game, deadlines)))
    await reply.send(interaction, card)


def pause_end_in_words(ends: datetime | None) -> str:
    """Return `until Friday, 18:00 (in 2 days)`, or for None `until further notice`."""
    return "until further notice" if ends is None else deadline_in_words(ends)


def other_users_at_table(game: Game, user: int) -> list[int]:
    """Return the ids of the umpire and the players, without the id `user`."""
    people = dict.fromkeys((*(seat.user for seat in game.seats if not seat.is_bot), game.umpire.id))
    return [person for person in people if person != user]
