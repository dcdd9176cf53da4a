"""Reminders in the channel, and remedies for a side after its deadline."""

import asyncio
import logging
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

import discord
from discord import ui

from bot.channel.reminders import DueReminder, ReminderKind
from bot.errors import DatabaseAway, NoGame, Stale, UserError
from bot.games.clock import SUBSTITUTED
from bot.games.overdue import AGREED, MORE_HOURS, Overdue, Remedy, can_pass_for
from bot.games.turn_mentions import Call
from bot.journal.game import Actor, Game, Played
from cogs.kit import action_reply, automatic_play, errors, pressed_message, reply, turn_message
from cogs.kit.cards import stale_buttons
from cogs.kit.cards.card import MOST_ID, NEUTRAL, PREFIX, WARNING, Card, safe
from cogs.kit.cards.next_step import NextStep
from cogs.kit.cards.report_card import side_colour, until_words
from cogs.kit.controls.button import FIELD, UNREADABLE, PersistentButton, number_in
from cogs.kit.discord_errors import REQUEST_ERRORS
from cogs.kit.request import Interaction, actor_of, channel_of, find_room
from cogs.kit.rooms import members
from rules.core.model import UMPIRE

from .clock import side_name

if TYPE_CHECKING:
    from bot.runtime.client import UmpireBot

log = logging.getLogger(__name__)

REMINDERS_EVERY = 60.0
"""Seconds between two searches for due reminders."""
GONE = (discord.Forbidden, discord.NotFound)
"""Errors of a channel in which the bot can no longer remind anybody."""
SAID = {ReminderKind.HALF: "Half of the time is gone", ReminderKind.NEARLY: "Little time is left"}
FIELDS = ("game", "side", "since")


class LateButton(PersistentButton, action="late", fields=(*FIELDS, "remedy")):
    """The button that decides on a remedy for an overdue side, or agrees to it."""

    async def handle(self, interaction: Interaction) -> None:
        """Decide on the button's remedy. For a substitute, first ask who takes the seat. Raises Stale, NotAllowed."""
        overdue = read_overdue(self.fields)
        try:
            remedy = Remedy(self.fields["remedy"])
        except ValueError:
            raise Stale(UNREADABLE) from None
        try:
            if remedy is not Remedy.SUBSTITUTE:
                await decide(interaction, overdue, remedy)
                return
            await interaction.client.games.overdue_turns.require_late(
                channel_of(interaction), actor_of(interaction), overdue
            )
        except Stale:
            await pressed_message.remove_buttons(interaction)
            raise
        card = Card(NEUTRAL).text("Who takes the seat?").menu(SubstituteMenu(**self.fields))
        await reply.send(interaction, card, private=True)


class SubstituteMenu(
    ui.DynamicItem[ui.UserSelect[Any]],
    template=":".join((PREFIX, "substitute", *(f"(?P<{name}>{FIELD})" for name in FIELDS))),
):
    """The menu that seats the chosen user as a substitute, or agrees to that user."""

    def __init__(self, **fields: str) -> None:
        self.fields = fields
        custom_id = ":".join((PREFIX, "substitute", *(fields[name] for name in FIELDS)))
        super().__init__(ui.UserSelect(custom_id=custom_id[:MOST_ID], placeholder="A substitute"))

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction[Any], _item: ui.Item[Any], match: re.Match[str], /) -> Self:
        """Return the menu whose custom id matched. The interaction holds the chosen user."""
        return cls(**match.groupdict())

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Seat the chosen user as the substitute, or agree to that. Errors are told to the user."""
        async with errors.handle_errors(interaction):
            await find_room(interaction)
            if not self.item.values:
                raise Stale(UNREADABLE)
            chosen = self.item.values[0]
            if chosen.bot:
                raise UserError("A bot cannot take a seat. Choose a person.")
            substitute = Actor(id=chosen.id, name=chosen.display_name)
            await decide(interaction, read_overdue(self.fields), Remedy.SUBSTITUTE, substitute)


def read_overdue(fields: dict[str, str]) -> Overdue:
    """Return the overdue turn that a button's or menu's fields name. Raises Stale if the fields are malformed."""
    since = number_in(fields["since"])
    if since is None:
        raise Stale(UNREADABLE)
    return Overdue(fields["game"], fields["side"], since)


async def decide(interaction: Interaction, overdue: Overdue, remedy: Remedy, substitute: Actor | None = None) -> None:
    """Decide on the remedy, or agree to it, and tell everyone. A decision removes the pressed message's buttons."""
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    work = games.overdue_turns.decide(
        channel, actor, overdue, remedy, substitute=substitute, interaction=interaction.id
    )
    all_played = await reply.carry_out(interaction, work, quietly=True)
    played = all_played[-1]
    if played.entry.kind == AGREED:
        report = played.entry.report
        await reply.send(interaction, Card(NEUTRAL).text(f"**{safe(report.headline)}**\n{safe(report.outcome)}"))
        return
    await pressed_message.remove_buttons(interaction)
    if remedy is Remedy.PASS:
        await action_reply.show(interaction, *all_played)
        return
    await tell_of_time(interaction, played, overdue)
    members.update_members(interaction, played.game, *((substitute,) if substitute else ()))
    automatic_play.go_on(interaction, played.game)


async def tell_of_time(interaction: Interaction, played: Played, overdue: Overdue) -> None:
    """Tell everyone of a side's extra time or substitute, with the deadline and the next step."""
    game, deadlines = played.game, await interaction.client.games.clocks.deadlines(played.game)
    card = Card(side_colour(game.state, overdue.side)).text(f"**{safe(played.entry.report.headline)}.**")
    card.text(safe(played.entry.report.outcome))
    card.text("\n".join(f"They have time {until_words(one.ends)}." for one in deadlines if one.side == overdue.side))
    new = (played.entry.action["user"],) if played.entry.kind == SUBSTITUTED else ()
    await turn_message.send_with_step(interaction, card, game, Call(users=new))


async def remind(bot: "UmpireBot") -> None:
    """Send the due reminders of all games. Raises DatabaseAway; any other error stops only one reminder."""
    for due in await bot.reminders.find_due():
        try:
            if await bot.reminders.claim(due) and await tell_reminder(bot, due):
                await bot.reminders.mark_sent(due)
        except DatabaseAway:
            raise
        except Exception:
            log.exception("a reminder in channel %s could not be made", due.channel)


async def tell_reminder(bot: "UmpireBot", due: DueReminder) -> bool:
    """Send a reminder to the channel. Return False if the reminder must be tried again after its claim has expired."""
    try:
        game = await bot.games.running(due.channel)
    except NoGame:
        return True
    except DatabaseAway:
        raise
    except UserError as error:
        log.warning("channel %s is not reminded: %s", due.channel, error)
        return True
    if game.id != due.game or due.deadline.side not in game.waits_for:
        return True
    silent = await bot.games.mentions.silent_users(game)
    card = reminder_card(game, due, [user for user in users_to_remind(game, due) if user not in silent])
    card = (await asyncio.to_thread(NextStep.for_game, game)).add_to(card)
    channel = bot.get_partial_messageable(due.channel)
    try:
        message = await channel.send(view=card.view(), nonce=due.nonce, allowed_mentions=card.mentions)
    except GONE as error:
        log.warning("channel %s cannot be reminded: %s", due.channel, error)
    except REQUEST_ERRORS as error:
        log.warning("channel %s is reminded later: %s", due.channel, error)
        return False
    else:
        stale_buttons.mark_newest(bot, game.id, game.channel, message)
    return True


def users_to_remind(game: Game, due: DueReminder) -> Iterable[int]:
    """Return the ids of the side's players, and of the umpire after the deadline or if the side has no players."""
    users = [seat.user for seat in game.players(due.deadline.side) if not seat.is_bot]
    deciding = [game.umpire.id] if due.kind is ReminderKind.OVER or not users else []
    return dict.fromkeys((*users, *deciding))


def reminder_card(game: Game, due: DueReminder, users: Sequence[int]) -> Card:
    """Return the card about a deadline, which mentions `users`."""
    side, ends, over = due.deadline.side, due.deadline.ends, due.kind is ReminderKind.OVER
    card = Card(WARNING if over else side_colour(game.state, side))
    card.text(f"### {safe(game.name)}\n-# {safe(game.state.turn_title_with_total)}")
    who = safe(side_name(game, side))
    up = f"{who}: the time was up <t:{int(ends.timestamp())}:R>."
    words = up if over else f"{SAID[due.kind]}. {who}: {until_words(ends)}."
    card = card.mention(users, words) if users else card.text(words)
    if not over:
        return card
    if side == UMPIRE:
        return card.text("Members who may manage this channel may name another by `/umpire appoint`.")
    card.text(f"The umpire, {safe(game.umpire.name)}, or all players of other sides together decide how it goes on:")
    return card.buttons([*remedy_buttons(game, due)])


def remedy_buttons(game: Game, due: DueReminder) -> Iterable[LateButton]:
    """Yield a button for each possible remedy."""
    of = {"game": game.id, "side": due.deadline.side, "since": str(due.deadline.since)}
    usual, grave = discord.ButtonStyle.primary, discord.ButtonStyle.danger
    if can_pass_for(game, due.deadline.side):
        yield LateButton("Pass on for them", grave, **of, remedy=Remedy.PASS.value)
    if game.ruleset.values:
        yield LateButton("Let the bot play it", grave, **of, remedy=Remedy.PLAY.value)
    yield LateButton(f"{MORE_HOURS} more hours", usual, **of, remedy=Remedy.EXTEND.value)
    yield LateButton("Seat a substitute", usual, **of, remedy=Remedy.SUBSTITUTE.value)
