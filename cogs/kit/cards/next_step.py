"""The next step of a game, under its newest message: open prompts, and a row of buttons for orders and passing."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ui

from bot.games.open_prompts import filter_visible_prompts, hash_offer
from bot.games.rights import can_act_for
from bot.journal.game import Game
from bot.order_sheets import execute
from rules.core.model import PUBLIC
from rules.core.phases import PASS
from rules.core.report import Offer, Prompt
from rules.core.ruleset import Refused
from rules.core.wording import count_of

from . import report_card
from .card import Card, make_button
from .menu import MOST_OPTIONS
from .offer_buttons import PROMPT, bot_button, choices_menu, map_button, orders_button, prompt_buttons

MOST_BUTTONS = 4
"""Maximum buttons of the next step. With the button *Details*, they fill one row of a message."""
MOST_CHOOSING = 2
"""Maximum number of optional prompts that are shown in a menu if their buttons do not fit."""
MOST_LISTED = 5
"""Maximum number of prompts that have a line above their common menu."""


@dataclass(frozen=True)
class NextStep:
    """The open prompts to show, the number of omitted prompts (`more`), and the offers to pass (`passing`)."""

    game: Game
    prompts: tuple[Prompt, ...] = ()
    more: int = 0
    passing: tuple[Offer, ...] = ()
    orders: bool = False
    """Whether players can write order sheets now."""
    bot: bool = False
    """Whether the bot plays on only after a request."""
    most: int = MOST_BUTTONS
    """Maximum number of buttons."""
    has_live_map: bool = False
    """Whether to add the button that opens the live map."""

    @classmethod
    def for_game(cls, game: Game, fresh_keys: Collection[str] = (), most: int = MOST_BUTTONS) -> "NextStep":
        """Return the next step of a game. It is empty during automatic play and after the game's end.

        `fresh_keys` holds the keys of new prompts, `most` the maximum number of buttons. Not for the event loop.
        """
        state, system = game.state, game.ruleset
        if state.over is not None or game.ended is not None or system.next_automatic_action(state) is not None:
            return cls(game)
        if game.due_bot_seats and not game.awaited_viewers:
            return cls(game, bot=game.is_bot_resting)
        open_prompts = [prompt for prompt in system.open_prompts(state) if prompt.side not in game.bot_seats]
        prompts = filter_visible_prompts(game, PUBLIC, open_prompts)
        passing, has_begun = offers_to_pass(game, open_prompts), system.kind_meant_now(state, PASS) == PASS
        main_prompts = [prompt for prompt in prompts if not is_pass_prompt(prompt)]
        required = [prompt for prompt in main_prompts if prompt.required]
        free = most - len(passing) - has_begun - game.is_bot_resting - _count_buttons(required)
        open_now = [prompt for prompt in main_prompts if not prompt.required]
        fresh_prompts = [prompt for prompt in open_now if prompt.key in fresh_keys]

        def fits(prompts: list[Prompt]) -> bool:
            return _count_buttons(prompts) <= free or len(prompts) <= MOST_CHOOSING

        optional = open_now if not required and fits(open_now) else fresh_prompts if fits(fresh_prompts) else []
        omitted = len(main_prompts) - len(required) - len(optional)
        return cls(game, (*required, *optional), omitted, passing, has_begun, game.is_bot_resting, most)

    @classmethod
    def for_turn(cls, game: Game, fresh_keys: Collection[str] = (), *, has_live_map: bool) -> "NextStep":
        """Return the next step for a turn message, with a button for the live map if `has_live_map`."""
        if not has_live_map:
            return cls.for_game(game, fresh_keys)
        step = cls.for_game(game, fresh_keys, MOST_BUTTONS - 1)
        return replace(step, has_live_map=step.orders, most=MOST_BUTTONS)

    @property
    def free_buttons(self) -> int:
        """The number of buttons that prompts may have, besides the buttons of the last row."""
        return self.most - len(self.passing) - self.orders - self.bot - self.has_live_map

    @property
    def open_prompts(self) -> report_card.OpenPrompts:
        """The prompts to show under an action's card, with the number of further buttons that the card can hold."""
        free = self.free_buttons - _count_buttons(self.prompts)
        return report_card.OpenPrompts(self.prompts, self.add_prompts, max(free, 0))

    def add_prompts(self, card: Card) -> Card:
        """Add a line with buttons for each prompt. If the buttons do not fit, add a menu of the offers instead."""
        if not self.prompts or _count_buttons(self.prompts) <= self.free_buttons:
            lines = map(report_card.short_prompt_line, self.prompts)
            buttons = (prompt_buttons(self.game.id, prompt) for prompt in self.prompts)
            report_card.add_prompts(card, zip(lines, buttons, strict=True))
            return card
        offers = [offer for prompt in self.prompts for offer in prompt.offers]
        listed = [report_card.short_prompt_line(prompt) for prompt in self.prompts[:MOST_LISTED]]
        if len(self.prompts) > MOST_LISTED:
            listed.append(f"-# … and {len(self.prompts) - MOST_LISTED} more: `/turn status`")
        card.text("\n".join(listed)).menu(choices_menu(self.game.id, offers))
        all_fit = len(offers) <= MOST_OPTIONS
        return card if all_fit else card.text(f"-# The first {MOST_OPTIONS}; all of them: `/turn status`")

    def add_last_row(self, card: Card) -> Card:
        """Add the buttons that let the bot play, open the order sheet, open the map, and pass the turn."""
        if self.more:
            card.text(f"-# {count_of(self.more, 'more thing')} to do: *Give orders* or `/turn status`")
        grey = discord.ButtonStyle.secondary
        orders = [bot_button(self.game.id)] if self.bot else []
        orders += [orders_button(self.game.id)] if self.orders else []
        orders += [map_button(self.game.id)] if self.has_live_map else []
        ends = [make_button(offer.label, grey, PROMPT, self.game.id, hash_offer(offer)) for offer in self.passing]
        return card.buttons([*orders, *ends])

    def add_to(self, card: Card) -> Card:
        """Add the prompts and the last row of buttons to a card, and return the card."""
        return self.add_last_row(self.add_prompts(card))


def private_step_buttons(game: Game, user: int, *, has_live_map: bool = False) -> list[ui.Button[Any]]:
    """Return the buttons of the next step that the user may press, for a private card.

    There is no pass button if an open prompt already offers the pass. Not for the event loop.
    """
    viewer, is_umpire = game.viewer(user), game.is_umpire(user)
    if game.state.over is not None or game.ended is not None or (viewer == PUBLIC and not is_umpire):
        return []
    buttons = [bot_button(game.id)] if game.due_bot_seats else []
    buttons += [orders_button(game.id), *([map_button(game.id)] if has_live_map else [])]
    if any(map(is_pass_prompt, game.ruleset.open_prompts(game.state))):
        return buttons
    ends = [offer for offer in NextStep.for_game(game).passing if is_umpire or can_act_for(game, viewer, offer.side)]
    grey = discord.ButtonStyle.secondary
    return buttons + [make_button(offer.label, grey, PROMPT, game.id, hash_offer(offer)) for offer in ends]


def _count_buttons(prompts: Iterable[Prompt]) -> int:
    """Return the number of the prompts' offers, each of which needs a button."""
    return sum(len(prompt.offers) for prompt in prompts)


def is_pass_prompt(prompt: Prompt) -> bool:
    """Whether the prompt offers only a pass."""
    return bool(prompt.offers) and not prompt.required and all(offer.kind == PASS for offer in prompt.offers)


def offers_to_pass(game: Game, prompts: Iterable[Prompt]) -> tuple[Offer, ...]:
    """Return the offers in `prompts` to end the turn or phase, or else one new offer for each acting side."""
    offers = tuple(offer for prompt in prompts if is_pass_prompt(prompt) for offer in prompt.offers)
    acting_sides = [side for side in game.state.acting_sides if side not in game.bot_seats]
    return offers or tuple(offer for side in acting_sides if (offer := _make_pass_offer(game, side)) is not None)


def _make_pass_offer(game: Game, side: str) -> Offer | None:
    if PASS not in game.ruleset.actions:
        return None
    action = execute.make_pass_action(game, side)
    view = game.ruleset.view(game.state, side)
    try:
        label = game.ruleset.label(view, action)
    except Refused:
        return None
    if game.ruleset.side_of(view, action) != side:
        return None
    args = action.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    key = f"{PASS}:{game.state.turn}:{game.state.phase}:{game.state.active}"
    return Offer(label=label, kind=PASS, args=args, side=side, key=key)
