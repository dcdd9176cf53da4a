"""`/game clock`: set the time for each turn, pause it, and show the deadlines of the sides that the game waits for."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.games.clock import MOST_HOURS
from bot.games.clock_change import NO_CLOCK, describe_clock_settings, format_turn_time, parse_clock_change
from bot.games.pauses import find_pause_at
from bot.games.quiet_hours import lacks_zone
from bot.games.stops import GameStops
from bot.games.turn_time import MOST_DAYS_AWAY, Clock, Deadline
from bot.journal.game import Game
from cogs.kit import reply
from cogs.kit.cards import report_card
from cogs.kit.cards.card import Card, safe
from cogs.kit.cards.report_card import beginning_in_words
from cogs.kit.cards.waiting import waiting_for_line
from cogs.kit.lookup.notes import strip_note
from cogs.kit.option_types import Name
from cogs.kit.request import Interaction, actor_of, channel_of, game_of, room_of

from . import clock_completion, pause
from .open_offers import add_open_offers
from .remedies import deadline_lines

CANNOT_REMIND = "⚠ I may not write here by myself, so nobody is reminded: give me the right Send Messages."
NO_ZONE = "-# No time zone was given: those are hours of UTC. Write it behind, as 22-7 Europe/Berlin."
ONE_AT_A_TIME = "Give pause or resume alone, and other settings in a command of their own. Nothing was changed."


class ClockCommand(commands.Cog):
    """The command `/game clock`."""

    @app_commands.command()
    @app_commands.describe(
        hours="Hours that each side has for its turn, at least; 0 stops the clock. Leave all out to see it",
        quiet="Hours in which nobody is reminded, as 22-7 Europe/Berlin or 10pm-7am New York, or none",
        at="The hour at which turns end, as 20:00 London or 8pm, or none",
        zone="By whose clocks, as London or UTC+2",
        days="The days on which turns end, as mon-fri, weekends or daily",
        pause_until="Stop the clock until then, as monday, 24 Dec, 2 weeks, or further notice",
        resume="Let a stopped clock run on",
        missed="After how many missed turns the game helps itself, and how",
        away="Days for which one player's absences may hold up the game, in all",
    )
    @app_commands.autocomplete(
        quiet=clock_completion.complete_quiet_hours,
        at=clock_completion.complete_fixed_hours,
        zone=clock_completion.complete_zones,
        days=clock_completion.complete_days,
        pause_until=clock_completion.complete_pause_end,
        missed=clock_completion.complete_missed_turns,
    )
    @app_commands.rename(pause_until="pause")
    async def clock(
        self,
        interaction: Interaction,
        hours: app_commands.Range[int, 0, MOST_HOURS] | None = None,
        quiet: Name | None = None,
        at: Name | None = None,
        zone: Name | None = None,
        days: Name | None = None,
        pause_until: Name | None = None,
        resume: bool | None = None,
        missed: Name | None = None,
        away: app_commands.Range[int, 0, MOST_DAYS_AWAY] | None = None,
    ) -> None:
        """For the umpire: give each turn a deadline, with reminders. For all: until when there is time."""
        settings = {"hours": hours, "quiet": quiet, "at": at, "days": days, "missed": missed, "days_away": away}
        changed = [name for name, value in {**settings, "zone": zone}.items() if value is not None]
        if pause_until is not None or resume:
            if [setting for setting in changed if setting != "zone"] or (pause_until is not None and resume):
                raise UserError(ONE_AT_A_TIME)
            await pause.pause_or_resume_clock(interaction, pause_until, zone)
            return
        games = interaction.client.games
        if not changed:
            game = await reply.wait_for(interaction, game_of(interaction), private=True)
            await reply.send(interaction, await private_clock_card(interaction, game), private=True)
            return
        at, missed = at and strip_note(at), missed and strip_note(missed)
        change = parse_clock_change(
            hours=hours, quiet=quiet, at=at, zone=zone, days=days, missed=missed, days_away=away
        )
        channel, actor = channel_of(interaction), actor_of(interaction)
        work = games.clocks.set_clock(channel, actor, change, interaction=interaction.id)
        game = await reply.carry_out(interaction, work)
        running = await load_running_clock(interaction, game)
        stopped = f"**{safe(interaction.user.display_name)}** stops the clock."
        card = Card().text(stopped) if running is None else clock_card(interaction, game, running)
        await reply.send(interaction, card.text(NO_ZONE if quiet is not None and lacks_zone(quiet) else ""))


class RunningClock(NamedTuple):
    """A game's clock at one moment, with each side's deadline, the pauses and the absences."""

    clock: Clock
    deadlines: Sequence[Deadline]
    stops: GameStops
    now: datetime


async def load_running_clock(interaction: Interaction, game: Game) -> RunningClock | None:
    """Return the game's clock as it stands now, or None without a clock."""
    games = interaction.client.games
    clock = await games.clocks.load_clock(game)
    if clock is None:
        return None
    deadlines, stops = await games.clocks.load_deadlines(game), await games.clocks.load_stops(game)
    return RunningClock(clock, deadlines, stops, games.clocks.now())


async def private_clock_card(interaction: Interaction, game: Game) -> Card:
    """Return the card of the clock for the user alone, with open prompts and offers."""
    running = await load_running_clock(interaction, game)
    card = Card().text(safe(NO_CLOCK)) if running is None else clock_card(interaction, game, running)
    viewer = game.viewer(interaction.user.id)
    report_card.add_private_prompts(card, game, viewer, game.ruleset.open_prompts(game.state))
    return await add_open_offers(interaction, card, game)


async def add_clock_lines(interaction: Interaction, card: Card, game: Game) -> None:
    """Add lines to a card: awaited players, deadlines, absences and missed turns. Add the buttons of open offers."""
    card.text(waiting_for_line(game))
    running = await load_running_clock(interaction, game)
    if running is not None:
        card.text(present_pause_line(running))
        card.text("\n".join(f"-# {line}" for line in deadline_lines(game, running.deadlines)))
        counts = await interaction.client.games.missed_turns.load_missed_counts(game)
        tallies = [f"{safe(seat.name)} {counts[seat.user]}" for seat in game.seats if counts.get(seat.user)]
        missed = [f"-# Turns not played in time: {', '.join(tallies)}."] if tallies else []
        card.text("\n".join((*missed, *absence_lines(game, running))))
    await add_open_offers(interaction, card, game)


def clock_card(interaction: Interaction, game: Game, running: RunningClock) -> Card:
    """Return the card of the clock: its settings, each side's deadline, the pause, and who is away."""
    clock = running.clock
    turns = "Turns run " if clock.daily_end else "Each turn has "
    card = Card().text(f"**{turns}{safe(format_turn_time(clock))}.** {safe(describe_clock_settings(clock))}")
    card.text("The turn ends for all when nobody has time left." if game.ruleset.ends_turn_at_deadline else "")
    card.text(present_pause_line(running))
    card.text("\n".join(deadline_lines(game, running.deadlines)))
    card.text("\n".join(absence_lines(game, running)))
    # a room is a thread, but reminders go to the game's channel
    in_thread = isinstance(interaction.channel, discord.Thread) and room_of(interaction) is None
    rights = interaction.app_permissions
    can_remind = rights.send_messages_in_threads if in_thread else rights.send_messages
    return card.text("" if can_remind else CANNOT_REMIND)


def present_pause_line(running: RunningClock) -> str:
    """Return a line about the present pause of the whole game, or an empty string."""
    current_pause = find_pause_at(running.stops, running.now)
    return f"⏸ The clock stands still {pause.pause_end_in_words(current_pause.ends)}." if current_pause else ""


def absence_lines(game: Game, running: RunningClock) -> Iterable[str]:
    """Yield a line about each player's present or coming absence. The line says how long the game waits."""
    clock, _, stops, now = running
    for user, name in game.people.items():
        waits = stops.absences_of_user(user, clock.days_away)
        for absence in stops.by_user.get(user, ()):
            if absence.ends is None or absence.ends > now:
                limit = max((stop.ends for stop in waits if stop.ends), default=absence.begins)
                is_limited = absence.ends is None or limit < absence.ends
                until = f"waits until <t:{int(limit.timestamp())}:f>" if limit > now else "no longer waits"
                wait_note = f"; the game {until}" if is_limited else ""
                stretch = f"{beginning_in_words(absence.begins, now)}{pause.pause_end_in_words(absence.ends)}"
                yield f"-# {safe(name)} is away {stretch}{wait_note}."
