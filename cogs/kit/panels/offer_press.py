"""Buttons that take an offer, and what becomes of their message when the offer is closed."""

import logging
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence

from discord import ui

from bot.games.act import still_open
from bot.games.games import Game, Played
from bot.runtime.errors import DatabaseAway, NoGame, Stale
from cogs.kit import answer, errors, game_actions, response
from cogs.kit.cards import next_step
from cogs.kit.cards.button_removal import games_on, keep_uploads, prune, without_steps
from cogs.kit.cards.offer_buttons import OFFER, PROMPT, tag
from cogs.kit.controls.button import Press, number_in
from cogs.kit.interaction import Interaction, actor_of, channel_of
from cogs.kit.refusals import UNSENT, is_elsewhere
from rules.core.refusal import NotSaid
from rules.core.report import Offer
from rules.core.state import Action

from . import measurement_form

log = logging.getLogger(__name__)

NO_LONGER = "The game no longer waits for that. /turn status shows what it waits for."


class OfferButton(Press, action=OFFER, fields=("game", "seq", "index")):
    """Takes offer `index` of a journal entry's report."""

    async def pressed(self, interaction: Interaction) -> None:
        """Does what it offers."""
        games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)

        async def press() -> Played:
            game, name, index = self.fields["game"], self.fields["seq"], self.number("index")
            return await games.press(game, name, index, actor, channel=channel, interaction=interaction.id)

        async def offered(game: Game) -> Action:
            index = self.number("index")
            found = await games.offers(game, self.fields["seq"]) if game.id == self.fields["game"] else ()
            if index < len(found) and still_open(game, found[index]):
                return game.ruleset.parse(found[index].kind, found[index].args)
            raise Stale(NO_LONGER)

        await _take_or_ask(interaction, press, offered)


class PromptButton(Press, action=PROMPT, fields=("game", "tag")):
    """Takes an offer of a prompt of the game, whichever entry it came from."""

    async def pressed(self, interaction: Interaction) -> None:
        """Do the offered action, if the game still waits for it. Ask first if it would end an idle turn."""
        games, channel = interaction.client.games, channel_of(interaction)

        async def settle() -> Played:
            return await games.act(channel, actor_of(interaction), self._action, interaction=interaction.id, asks=True)

        async def offered(game: Game) -> Action:
            return self._action(game)

        await _take_or_ask(interaction, settle, offered)

    def _action(self, game: Game) -> Action:
        if game.id == self.fields["game"]:
            for offer in prompt_offers(game):
                if tag(offer) == self.fields["tag"]:
                    return game.ruleset.parse(offer.kind, offer.args)
        raise Stale(NO_LONGER)


async def _take_or_ask(
    interaction: Interaction, work: Callable[[], Awaitable[Played]], offered: Callable[[Game], Awaitable[Action]]
) -> None:
    """Take an offer. If the action asks for facts only people know, open the form for them instead."""
    if await _open_form(interaction, offered, always=False):
        return
    try:
        await take(interaction, work)
    except NotSaid:
        if not await _open_form(interaction, offered, always=True):
            raise


async def _open_form(interaction: Interaction, offered: Callable[[Game], Awaitable[Action]], *, always: bool) -> bool:
    """Open the form for the offered action. Return whether it opened. With `always`, also open it with positions."""
    try:
        game = await interaction.client.games.running(channel_of(interaction))
        action = await offered(game) if always or not game.ruleset.keeps_positions(game.state) else None
    except errors.TOLD:
        return False
    return action is not None and await measurement_form.ask(interaction, game, action)


def prompt_offers(game: Game) -> tuple[Offer, ...]:
    """Every offer of the prompts there are now, and of passing on."""
    prompts = game.ruleset.open_prompts(game.state)
    offered = (offer for prompt in prompts for offer in prompt.offers)
    return (*offered, *next_step.passing(game, prompts))


async def take(interaction: Interaction, work: Callable[[], Awaitable[Played]]) -> None:
    """Takes an offer, answers, and removes the buttons of the pressed message that can no longer be used."""
    try:
        played = await answer.do(interaction, game_actions.done(interaction, work()), quietly=True)
    except (Stale, NoGame):
        await refresh(interaction)
        raise
    held = await hold(interaction)
    shown = await game_actions.tell(interaction, *played)
    if held:
        await refresh(interaction)
    await game_actions.finish(interaction, shown, *played)


async def hold(interaction: Interaction) -> bool:
    """Acknowledges the press, unless it was answered; whether Discord knows. Raises where another process answered."""
    try:
        if not response.is_answered(interaction):
            await response.hold(interaction)
    except UNSENT as error:
        if is_elsewhere(error):
            raise
        log.warning("interaction %s could not be held: %s", interaction.id, error)
    return response.is_answered(interaction)


async def refresh(interaction: Interaction) -> None:
    """Sends the pressed message again with the buttons that can still be pressed."""
    assert interaction.message is not None
    view = ui.LayoutView.from_message(interaction.message, timeout=None)
    spent = {item for item in offers_on(view) if not await is_open(interaction, item)}
    if not interaction.message.flags.ephemeral:
        for game in games_on(view):
            if interaction.client.games.newest.is_past(game, interaction.message.id):
                without_steps(view, game)
    await replace(interaction, view, spent)


async def spend(interaction: Interaction) -> None:
    """Sends the pressed message again without its buttons."""
    await drop(interaction, None)


async def drop(interaction: Interaction, spent: Collection[str] | None) -> None:
    """Sends the pressed message again without the buttons of those custom ids; None: without any buttons."""
    assert interaction.message is not None
    view = ui.LayoutView.from_message(interaction.message, timeout=None)
    everything = {getattr(item, "custom_id", "") for item in view.walk_children()} - {""}
    await replace(interaction, view, everything if spent is None else spent)


async def replace(interaction: Interaction, view: ui.LayoutView, spent: Collection[str]) -> None:
    """Sends the pressed message without those buttons, as the answer to the press. A deleted or locked one is left.

    Raises where another process of ours has answered: then that one does what the press asks for.
    """
    assert interaction.message is not None
    sent = interaction.client.sent
    sent.forget(interaction.message.id)
    prune(view, spent)
    keep_uploads(view)
    view.stop()
    try:
        if (changed := await response.put(interaction, view=view)) is not None:
            sent.keep(changed)
    except UNSENT as error:
        if is_elsewhere(error):
            raise
        log.warning("the message pressed in interaction %s stays as it is: %s", interaction.id, error)


def offers_on(view: ui.LayoutView) -> Iterator[str]:
    """Custom ids of the offers on a message."""
    for item in view.walk_children():
        custom_id = getattr(item, "custom_id", None)
        if custom_id and any(kind.__discord_ui_compiled_template__.fullmatch(custom_id) for kind in OFFERS):
            yield custom_id


OFFERS: Sequence[type[Press]] = (OfferButton, PromptButton)


async def is_open(interaction: Interaction, custom_id: str) -> bool:
    """Whether the offer of a button can still be taken, or cannot be found out now."""
    games = interaction.client.games
    try:
        game = await games.running(channel_of(interaction))
        if match := PromptButton.__discord_ui_compiled_template__.fullmatch(custom_id):
            return match["game"] == game.id and match["tag"] in {tag(offer) for offer in prompt_offers(game)}
        match = OfferButton.__discord_ui_compiled_template__.fullmatch(custom_id)
        if match is None or match["game"] != game.id:
            return False
        index = number_in(match["index"])
        if index is None:
            return False
        offers = await games.offers(game, match["seq"])
    except DatabaseAway:
        return True
    except errors.TOLD:
        return False
    return index < len(offers) and still_open(game, offers[index])
