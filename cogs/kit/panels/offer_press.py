"""Buttons that take an offer, the form for the offer's missing facts, and the update of the pressed message."""

from collections.abc import Awaitable, Iterator, Mapping, Sequence
from typing import TypeAlias

import discord
from discord import ui

from bot.errors import OVER, DatabaseUnavailable, NoGame, Stale
from bot.games.act import is_offer_open
from bot.games.open_prompts import hash_offer
from bot.journal.game import Game, Played
from cogs.kit import errors, game_actions, pressed_message
from cogs.kit.action_reply import add_picture_and_follow_ups, send_reports, show_actions
from cogs.kit.cards import next_step
from cogs.kit.cards.button_removal import games_with_next_step, remove_next_step_buttons
from cogs.kit.cards.offer_buttons import CHOICES, OFFER, PROMPT
from cogs.kit.controls import measurement_form
from cogs.kit.controls.control import UNREADABLE, PersistentButton, PersistentMenu
from cogs.kit.controls.measurement_form import SAID, MeasurementForm
from cogs.kit.request import Interaction, actor_of, channel_of, game_of
from rules.core.refusal import MissingField
from rules.core.report import Offer
from rules.core.state import Action

NO_LONGER = "The game no longer waits for that. /turn status shows what it waits for."


class OfferButton(PersistentButton, action=OFFER, fields=("game", "seq", "index")):
    """The button of an offer in a journal entry's report. `index` is the number of the offer in the report."""

    async def handle(self, interaction: Interaction) -> None:
        """Do the offered action, or open the form for its missing facts. Raises Stale, NotAllowed, Refused."""
        await take_offer(interaction, self)

    async def take_offer(self, interaction: Interaction) -> Played:
        """Do the offered action. Raises Stale if the offer is closed."""
        game, name, index = self.fields["game"], self.fields["seq"], self.number_field("index")
        games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
        return await games.actions.take_offer(game, name, index, actor, channel=channel, interaction=interaction.id)

    async def find_action(self, interaction: Interaction, game: Game) -> Action:
        """Return the offered action. Raises Stale if the offer is closed."""
        index = self.number_field("index")
        is_here = game.id == self.fields["game"]
        offers = await interaction.client.games.actions.load_offers(game, self.fields["seq"]) if is_here else ()
        if index < len(offers) and is_offer_open(game, offers[index]):
            return game.ruleset.parse(offers[index].kind, offers[index].args)
        raise Stale(NO_LONGER)


class PromptButton(PersistentButton, action=PROMPT, fields=("game", "tag")):
    """The button of an open prompt's offer. The button does not name the entry that caused the prompt."""

    async def handle(self, interaction: Interaction) -> None:
        """Do the offered action, or open the form for its missing facts. Raises Stale, NotAllowed, Refused."""
        await take_offer(interaction, self)

    async def take_offer(self, interaction: Interaction) -> Played:
        """Do the offered action. Raises IdleTurnRefusal if it would end an idle turn, Stale if the offer is closed."""
        games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
        return await games.actions.act(
            channel, actor, self._find_offered_action, interaction=interaction.id, warn_if_idle=True
        )

    async def find_action(self, _: Interaction, game: Game) -> Action:
        """Return the offered action. Raises Stale if the offer is closed."""
        return self._find_offered_action(game)

    def _find_offered_action(self, game: Game) -> Action:
        if game.id == self.fields["game"]:
            for offer in prompt_offers(game):
                if hash_offer(offer) == self.fields["tag"]:
                    return game.ruleset.parse(offer.kind, offer.args)
        raise Stale(NO_LONGER)


class PromptOffersMenu(PersistentMenu, action=CHOICES, fields=("game",)):
    """The menu of the offers of open prompts. The menu does not name the entries that caused the prompts."""

    async def handle(self, interaction: Interaction) -> None:
        """Do the chosen action, or open the form for its missing facts. Raises Stale, NotAllowed, Refused."""
        await take_offer(interaction, PromptButton("", game=self.fields["game"], tag=self.values[0]))


OfferingButton: TypeAlias = OfferButton | PromptButton
OFFERING_BUTTONS: Sequence[type[OfferingButton]] = (OfferButton, PromptButton)


async def take_offer(interaction: Interaction, button: OfferingButton) -> None:
    """Do the offered action and show it, or open a form for missing facts, such as a range.

    In a game without positions, the form opens first. In other games, it opens only if the rules refuse
    the action because a fact is missing.
    """
    if await _open_form(interaction, button, with_positions=False):
        return
    try:
        played = await do_offered_action(interaction, button.take_offer(interaction))
    except MissingField:
        if await _open_form(interaction, button, with_positions=True):
            return
        raise
    await show_taken_offer(interaction, *played)


async def _open_form(interaction: Interaction, button: OfferingButton, *, with_positions: bool) -> bool:
    """Open the form for missing facts of the offered action. Return whether the form opened.

    Unless `with_positions`, open the form only in a game without positions.
    """
    try:
        game = await game_of(interaction)
        if not with_positions and game.state.keeps_positions:
            return False
        action = await button.find_action(interaction, game)
    except errors.USER_ERRORS:
        return False
    return await measurement_form.open_form(interaction, game, action)


async def do_offered_action(interaction: Interaction, work: Awaitable[Played]) -> Sequence[Played]:
    """Do an offered action by awaiting `work`, and return its entries.

    If the offer is closed, remove its button and raise Stale or NoGame.
    """
    try:
        return await game_actions.await_action(interaction, work, quietly=True)
    except (Stale, NoGame):
        await remove_closed_offers(interaction)
        raise


async def show_taken_offer(interaction: Interaction, *played: Played) -> None:
    """Show the actions, remove buttons of closed offers from the pressed message, then add the picture."""
    acknowledged = await pressed_message.acknowledge_press(interaction)
    public = await send_reports(interaction, *played)
    if acknowledged:
        await remove_closed_offers(interaction)
    await add_picture_and_follow_ups(interaction, public, *played)


class MeasurementAnswerForm(MeasurementForm, action=SAID, title="Facts only you know"):
    """The form for missing measurements. Submitting the form carries out its action."""

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Do the action with the answers. Raises Stale, NotAllowed, Refused."""
        match measurement_form.read_custom_id_data(words):
            case [str(game_id), str(kind), dict(args)]:
                answers = measurement_form.read_answers(words, args)
            case _:
                raise Stale(UNREADABLE)

        def make_measured_action(game: Game) -> Action:
            if game.id != game_id or kind not in game.ruleset.actions:
                raise Stale(OVER)
            return game.ruleset.parse(kind, answers)

        games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
        work = games.actions.act(channel, actor, make_measured_action, interaction=interaction.id)
        if interaction.message is None:
            await show_actions(interaction, *await game_actions.await_action(interaction, work))
        else:
            await show_taken_offer(interaction, *await do_offered_action(interaction, work))


def prompt_offers(game: Game) -> tuple[Offer, ...]:
    """Return every offer of the open prompts, and the offers to pass on."""
    prompts = game.ruleset.open_prompts(game.state)
    offers = (offer for prompt in prompts for offer in prompt.offers)
    return (*offers, *next_step.offers_to_pass(game, prompts))


async def remove_closed_offers(interaction: Interaction) -> None:
    """Remove buttons of closed offers and of an outdated next step from the pressed message."""
    assert interaction.message is not None
    view = pressed_message.read_pressed_message(interaction)
    closed = {button.custom_id for button in offering_buttons(view) if not await has_open_offer(interaction, button)}
    if not interaction.message.flags.ephemeral:
        for game in games_with_next_step(view):
            if interaction.client.games.live_messages.has_newer(game, interaction.message.id):
                remove_next_step_buttons(view, game)
    await pressed_message.replace_pressed_message(interaction, view, closed)


def offering_buttons(view: ui.LayoutView) -> Iterator[OfferingButton]:
    """Yield the buttons of offers on a message."""
    for item in view.walk_children():
        for kind in OFFERING_BUTTONS:
            if match := kind.__discord_ui_compiled_template__.fullmatch(getattr(item, "custom_id", None) or ""):
                yield kind("", discord.ButtonStyle.primary, **match.groupdict())


async def has_open_offer(interaction: Interaction, button: OfferingButton) -> bool:
    """Whether the button's offer is still open. If the database does not answer, return True."""
    try:
        await button.find_action(interaction, await game_of(interaction))
    except DatabaseUnavailable:
        return True
    except errors.USER_ERRORS:
        return False
    return True
