"""Remedies for an overdue side, such as more time or a substitute. The umpire, or all other players, decide."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Self

import discord
from discord import ui

from bot.errors import Stale, UserError
from bot.games.overdue import AGREED, MORE_HOURS, OverdueSide, Remedy, can_pass_for, may_choose_remedy
from bot.games.successors import SUBSTITUTED
from bot.games.turn_mentions import TurnCall
from bot.games.turn_time import Deadline
from bot.journal.game import Actor, Game, Played
from cogs.kit import action_reply, automatic_play, pressed_message, reply, turn_post
from cogs.kit.cards.card import NEUTRAL, Card, make_custom_id, safe
from cogs.kit.cards.report_card import deadline_in_words, side_colour
from cogs.kit.controls.control import UNREADABLE, Control, PersistentButton, parse_number
from cogs.kit.request import Interaction, actor_of, channel_of
from cogs.kit.rooms import members
from rules.core.model import UMPIRE, Viewer

FIELDS = ("game", "side", "since")


class RemedyButton(PersistentButton, action="late", fields=(*FIELDS, "remedy")):
    """The button that decides on a remedy for an overdue side, or agrees to another player's choice."""

    async def handle(self, interaction: Interaction) -> None:
        """Decide on the button's remedy. For a substitute, first ask who takes the seat. Raises Stale, NotAllowed."""
        overdue = parse_overdue_side(self.fields)
        try:
            remedy = Remedy(self.fields["remedy"])
        except ValueError:
            raise Stale(UNREADABLE) from None
        try:
            if remedy is not Remedy.SUBSTITUTE:
                await decide_remedy(interaction, overdue, remedy)
                return
            overdue_turns = interaction.client.games.overdue_turns
            await overdue_turns.require_may_decide(channel_of(interaction), actor_of(interaction), overdue)
        except Stale:
            await pressed_message.remove_buttons(interaction)
            raise
        card = Card(NEUTRAL).text("Who takes the seat?").menu(SubstituteMenu(**self.fields))
        await reply.send(interaction, card, private=True)


class SubstituteMenu(Control[ui.UserSelect[Any]], action="substitute", fields=FIELDS):
    """The menu that seats the chosen user as a substitute, or agrees to another player's choice."""

    def __init__(self, **fields: str) -> None:
        self.fields = fields
        custom_id = make_custom_id(self.action, *(fields[name] for name in FIELDS))
        super().__init__(ui.UserSelect(custom_id=custom_id, placeholder="A substitute"))

    @classmethod
    async def from_custom_id(cls, _: discord.Interaction[Any], _item: ui.Item[Any], match: re.Match[str], /) -> Self:
        """Return the menu whose custom id matched. The interaction holds the chosen user."""
        return cls(**match.groupdict())

    async def handle(self, interaction: Interaction) -> None:
        """Seat the chosen user as the substitute, or agree to this substitute. Raises Stale; UserError for a bot."""
        if not self.item.values:
            raise Stale(UNREADABLE)
        chosen = self.item.values[0]
        if chosen.bot:
            raise UserError("A bot cannot take a seat. Choose a person.")
        substitute = Actor(id=chosen.id, name=chosen.display_name)
        await decide_remedy(interaction, parse_overdue_side(self.fields), Remedy.SUBSTITUTE, substitute)


def parse_overdue_side(fields: dict[str, str]) -> OverdueSide:
    """Return the overdue side named in the fields of a button or menu. Raises Stale if the fields are malformed."""
    since = parse_number(fields["since"])
    if since is None:
        raise Stale(UNREADABLE)
    return OverdueSide(fields["game"], fields["side"], since)


async def decide_remedy(
    interaction: Interaction, overdue: OverdueSide, remedy: Remedy, substitute: Actor | None = None
) -> None:
    """Choose the remedy, or consent to another user's choice, and tell everyone.

    The message keeps its buttons while consent is missing.
    """
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    decide = games.overdue_turns.decide_remedy
    work = decide(channel, actor, overdue, remedy, substitute=substitute, interaction=interaction.id)
    all_played = await reply.carry_out(interaction, work, quietly=True)
    played = all_played[-1]
    if played.entry.kind == AGREED:
        report = played.entry.report
        await reply.send(interaction, Card(NEUTRAL).text(f"**{safe(report.headline)}**\n{safe(report.outcome)}"))
        return
    await pressed_message.remove_buttons(interaction)
    if remedy is Remedy.PASS:
        await action_reply.show_actions(interaction, *all_played)
        return
    await announce_remedy(interaction, played, overdue)
    members.update_members(interaction, played.game, *((substitute,) if substitute else ()))
    automatic_play.start_automatic_play(interaction, played.game)


async def announce_remedy(interaction: Interaction, played: Played, overdue: OverdueSide) -> None:
    """Tell everyone that a side got more time or a substitute. Add the deadline and the next step."""
    game, deadlines = played.game, await interaction.client.games.clocks.load_deadlines(played.game)
    card = Card(side_colour(game.state, overdue.side)).text(f"**{safe(played.entry.report.headline)}.**")
    card.text(safe(played.entry.report.outcome))
    own_deadlines = (due.ends for due in deadlines if due.side == overdue.side)
    card.text("\n".join(f"They have time {deadline_in_words(ends)}." for ends in own_deadlines))
    new = (played.entry.action["user"],) if played.entry.kind == SUBSTITUTED else ()
    await turn_post.send_with_next_step(interaction, card, game, TurnCall(users=new))


def side_or_umpire_name(game: Game, side: Viewer) -> str:
    """Return the side's name, or `The umpire`."""
    return "The umpire" if side == UMPIRE else game.name_of(side)


def deadline_lines(game: Game, deadlines: Iterable[Deadline]) -> list[str]:
    """Return a line `British: until Friday, 18:00 (in 2 days)` for each side with a deadline."""
    return [f"{safe(side_or_umpire_name(game, due.side))}: {deadline_in_words(due.ends)}" for due in deadlines]


def add_remedies(card: Card, game: Game, deadlines: Iterable[Deadline], now: datetime, user: int) -> Card:
    """Add to the card the remedies for overdue sides on which the user may decide.

    If turns end at the deadline by themselves, only an overdue umpire needs a remedy.
    """
    for deadline in deadlines:
        if deadline.side != UMPIRE and game.ruleset.ends_turn_at_deadline:
            continue
        if deadline.ends <= now and may_choose_remedy(game, user, deadline.side):
            name = safe(side_or_umpire_name(game, deadline.side))
            card.text(f"{name}: the time was up <t:{int(deadline.ends.timestamp())}:R>.")
            add_remedy_buttons(card, game, deadline)
    return card


def add_remedy_buttons(card: Card, game: Game, deadline: Deadline) -> Card:
    """Add a line that says who decides about a late side, and a button for each possible remedy."""
    if deadline.side == UMPIRE:
        return card.text("Members who may manage this channel may name another umpire by `/umpire appoint`.")
    card.text(f"The umpire, {safe(game.umpire.name)}, or all players of other sides together decide how it goes on:")
    return card.buttons([*_remedy_buttons(game, deadline)])


def _remedy_buttons(game: Game, deadline: Deadline) -> Iterable[RemedyButton]:
    """Yield a button for each possible remedy."""
    fields = {"game": game.id, "side": deadline.side, "since": str(deadline.since)}
    usual, grave = discord.ButtonStyle.primary, discord.ButtonStyle.danger
    if can_pass_for(game, deadline.side):
        yield RemedyButton("Pass on for them", grave, **fields, remedy=Remedy.PASS.value)
    if game.ruleset.values:
        yield RemedyButton("Let the bot play it", grave, **fields, remedy=Remedy.PLAY.value)
    yield RemedyButton(f"{MORE_HOURS} more hours", usual, **fields, remedy=Remedy.EXTEND.value)
    yield RemedyButton("Seat a substitute", usual, **fields, remedy=Remedy.SUBSTITUTE.value)
