"""`/turn next`, `/turn status` and `/turn orders`: end the turn, show what it waits for, open the order sheet."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import Stale
from bot.games.open_prompts import filter_visible_prompts
from bot.games.pass_action import SIDE, side_argument
from bot.games.rights import require_right_to_act
from bot.journal.game import Entry, Game, Played
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.phases import PASS
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import as_words, join_with_and

from .game import pages
from .game.open_offers import add_open_offers
from .kit import action_reply, errors, game_actions, pressed_message, reply
from .kit.cards import idle_turn, report_card
from .kit.cards.card import Card, safe
from .kit.cards.idle_turn import IDLE
from .kit.cards.waiting import waiting_for_line
from .kit.command_traits import mark_action_kinds, mark_as_look_up, offer_in_servers
from .kit.controls.control import PersistentButton
from .kit.order_sheets import display
from .kit.request import Interaction, actor_of, channel_of, game_of
from .standing import StandingCommand

WAIVE: Mapping[str, Any] = {"waive": True}
MOST_TEXT = 2000
"""Maximum characters of orders in the command. The form takes more."""
MOST_ENTRIES = 200
"""Maximum journal entries read for this turn's actions."""


class WaivePromptsButton(PersistentButton, action="waive", fields=("game", "seq")):
    """The button that ends the turn despite the required prompts shown to the umpire."""

    async def handle(self, interaction: Interaction) -> None:
        """Waive the prompts and end the turn. Raises Stale if the game's state has changed."""
        await pressed_message.remove_buttons(interaction)
        await action_reply.show_actions(interaction, await pass_turn(interaction, self.fields, lambda _: WAIVE))


class EndIdleTurnButton(PersistentButton, action=IDLE, fields=idle_turn.FIELDS):
    """The button that ends a turn in which nothing has been done."""

    async def handle(self, interaction: Interaction) -> None:
        """End the turn. Raises Stale if the game's state has changed."""
        index, user = self.fields["side"], interaction.user.id

        def make_pass_args(game: Game) -> Mapping[str, Any]:
            sides = {str(number): side.id for number, side in enumerate(game.state.sides)}
            return {SIDE: sides[index]} if index in sides else own_side_argument(game, user)

        work = pass_turn(interaction, self.fields, make_pass_args)
        played = await game_actions.await_action(interaction, work, quietly=True)
        await pressed_message.remove_buttons(interaction)
        await action_reply.show_actions(interaction, *played)


async def pass_turn(
    interaction: Interaction, button_fields: Mapping[str, str], make_args: Callable[[Game], Mapping[str, Any]]
) -> Played:
    """Pass the turn on. Raises NotAllowed, and Stale if the game has moved on since the pressed button was sent."""

    def make_pass_action(game: Game) -> Action:
        action = game.ruleset.parse(PASS, make_args(game))
        progress = game.progress_for(game.viewer(interaction.user.id))
        if (game.id, progress) != (button_fields["game"], button_fields["seq"]):
            require_right_to_act(game, actor_of(interaction), action)
            raise Stale("The game has moved on since. Give /turn next again to see what it waits for now.")
        return action

    games, channel = interaction.client.games, channel_of(interaction)
    return await games.actions.act(channel, actor_of(interaction), make_pass_action, interaction=interaction.id)


def own_side_argument(game: Game, user: int) -> dict[str, Any]:
    """Return `{"side": id}` if the user passes for one side, or an empty dict for all acting sides.

    Umpires pass for all acting sides, unless they play one. Raises Refused if the bot plays all acting sides and the
    umpire plays another.
    """
    viewer, acting_sides = game.viewer(user), {*game.state.acting_sides}
    begins = game.ruleset.kind_meant_now(game.state, PASS) != PASS
    if begins or PASS not in game.ruleset.actions or viewer in (PUBLIC, UMPIRE):
        return {}
    if game.is_umpire(user) and viewer not in acting_sides:
        if acting_sides and acting_sides <= game.bot_seats.keys():
            sides = join_with_and(f"{game.state.side(side):the}" for side in game.state.acting_sides)
            why = f"The bot plays {sides} now; only the bot ends this part of the turn."
            raise Refused(f"{why} /opponent turn lets it go on.")
        return {}
    return side_argument(game, viewer)


def legal_kinds_by_unit(game: Game, viewer: Viewer) -> Mapping[str, set[str]]:
    """Return each acting unit's legal kinds of action, in the view of `viewer`."""
    view = game.ruleset.view(game.state, viewer)
    kinds_by_unit: dict[str, set[str]] = {}
    for side in view.acting_sides:
        for action in chain(game.ruleset.legal_actions(view, side), game.ruleset.unmeasured_actions(view, side)):
            if action.unit and not action.umpire_only:
                kinds_by_unit.setdefault(action.unit, set()).add(action.kind)
    return kinds_by_unit


def has_yet_to_act(game: Game, legal_kinds: Collection[str], done_kinds: Collection[str]) -> bool:
    """Whether a unit with these legal and done kinds of action has yet to act.

    In a phase, a unit must do every legal kind. In a turn without phases, any action is enough.
    """
    return bool(legal_kinds) and (not set(legal_kinds) <= set(done_kinds) if game.state.phase else not done_kinds)


def kinds_done_by_unit(game: Game, entries: Iterable[Entry]) -> Mapping[str, list[str]]:
    """Return the kinds of action that each unit has done this turn.

    Actions of the umpire alone, and actions that only announce a later action, do not count.
    """
    own = {kind for kind, action in game.ruleset.actions.items() if not (action.umpire_only or action.only_announces)}
    kinds_by_unit: dict[str, list[str]] = {}
    for entry in entries:
        unit = entry.action.get("unit")
        if unit and entry.kind in own and not entry.undone and entry.turn == game.state.turn:
            kinds_by_unit.setdefault(unit, []).append(entry.kind)
    return kinds_by_unit


def kinds_with_counts(kinds: Sequence[str]) -> str:
    """Return the kinds of action in words, with repeats counted: `move, reaction x 2`."""
    counts = ((as_words(kind), times) for kind, times in Counter(kinds).items())
    return ", ".join(f"{kind} x {times}" if times > 1 else kind for kind, times in counts)


def status_card(game: Game, viewer: Viewer, entries: Sequence[Entry]) -> Card:
    """Return the card of the turn: prompts, units yet to act, and units that have acted. After the game, the result."""
    if game.state.over is not None:
        return Card(report_card.turn_colour(game.state)).text(pages.result_in_words(game))
    roster = game.ruleset.roster(game.state, viewer)
    card = Card(report_card.turn_colour(game.state)).text(f"### {safe(game.state.turn_title_with_total)}")
    prompts = filter_visible_prompts(game, viewer, game.ruleset.open_prompts(game.state))
    required = [prompt for prompt in prompts if prompt.required]
    period = "phase" if game.state.phase else "turn"
    may_end = viewer == UMPIRE or viewer in game.state.acting_sides
    card.text(waiting_for_line(game)).text(f"You may end the {period}." if may_end and not required else "")
    card.text(f"To do before the {period} can end:" if required else "")
    report_card.add_private_prompts(card, game, viewer, required)
    if optional := [prompt for prompt in prompts if not prompt.required]:
        card.text("Can be done now:")
        report_card.add_private_prompts(card, game, viewer, optional)
    done_kinds, legal_kinds = kinds_done_by_unit(game, entries), legal_kinds_by_unit(game, viewer)
    kinds_by_unit = {unit.id: (legal_kinds.get(unit.id, ()), done_kinds.get(unit.id, ())) for unit in roster}
    waiting_ids = {unit_id for unit_id, kinds in kinds_by_unit.items() if has_yet_to_act(game, *kinds)}
    for side in game.state.acting_sides:
        prefix = f"{safe(game.name_of(side))}, " if len(game.state.acting_sides) > 1 else ""
        own = [unit for unit in roster if unit.side == side]
        if waiting_names := [safe(unit.name) for unit in own if unit.id in waiting_ids]:
            card.text(f"**{capitalise(prefix + 'yet to act')} ({len(waiting_names)}):** {', '.join(waiting_names)}")
        finished = [unit for unit in own if unit.id in done_kinds and unit.id not in waiting_ids]
        if acted_names := [f"{safe(unit.name)} ({kinds_with_counts(done_kinds[unit.id])})" for unit in finished]:
            card.text(f"-# {capitalise(prefix + 'have acted')} ({len(acted_names)}): {', '.join(acted_names)}")
    return card


def capitalise(words: str) -> str:
    """Return the words with a capital first letter."""
    return words[:1].upper() + words[1:]


@offer_in_servers
class TurnCog(
    StandingCommand,
    commands.GroupCog,
    group_name="turn",
    group_description="Whose turn it is, what it waits for, and ending it",
):
    """The commands `/turn`."""

    @mark_action_kinds(PASS, "begin")
    @app_commands.command(name="next")
    async def next_(self, interaction: Interaction) -> None:
        """Ends the turn or the phase, once nothing stands in the way."""
        tried: list[Game] = []

        def make_pass_args(game: Game) -> Mapping[str, Any]:
            tried.append(game)
            return own_side_argument(game, interaction.user.id)

        try:
            await game_actions.perform_action(interaction, PASS, make_pass_args)
        except Refused as refused:
            game = tried[-1] if tried else None
            card = await errors.refusal_card(interaction, refused, game)
            if refused.prompts and game is not None and game.is_umpire(interaction.user.id):
                style, progress = discord.ButtonStyle.danger, game.progress_for(game.viewer(interaction.user.id))
                card.buttons([WaivePromptsButton("Pass on anyway", style, game=game.id, seq=progress)])
            await reply.send(interaction, card, private=True)

    @mark_as_look_up
    @app_commands.command()
    async def status(self, interaction: Interaction) -> None:
        """Shows what the turn waits for, and who has yet to act."""

        async def make_status_card() -> Card:
            game = await game_of(interaction)
            viewer = game.viewer(interaction.user.id)
            games = interaction.client.games
            entries = await games.readings.load_log(game, viewer, MOST_ENTRIES)
            card = await asyncio.to_thread(status_card, game, viewer, entries)
            return await add_open_offers(interaction, card, game)

        await reply.send_privately_when_ready(interaction, make_status_card())

    @app_commands.command()
    @app_commands.describe(text="One order a line, or by semicolons: Marines fire Amarar; all infantry advance 6")
    async def orders(self, interaction: Interaction, text: app_commands.Range[str, 1, MOST_TEXT] | None = None) -> None:
        """Opens your order sheet: several orders, seen on a map for you alone, then done together."""
        await (display.show_own_sheet(interaction) if text is None else display.add_orders(interaction, text))
