"""The next step of a game, under its newest message: open prompts, and a row of buttons for orders and passing."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import discord

from bot.journal.game import Game
from bot.order_sheets import execute
from rules.core.model import PUBLIC
from rules.core.phases import PASS
from rules.core.report import Offer, Prompt
from rules.core.ruleset import Refused

from . import report_card
from .card import Card, button_of
from .offer_buttons import PROMPT, bot_button, orders_button, tag

MOST_FRESH, MOST_OPEN = 8, 5
"""Maximum buttons of optional prompts: of new prompts, and of earlier prompts."""
SHORT_OF_ROOM = "-# {count} more things to do: see *Give orders* or `/turn status`."


@dataclass(frozen=True)
class NextStep:
    """The open prompts, the number of omitted prompts (`more`), and the offers to pass on."""

    game: Game
    prompts: tuple[Prompt, ...] = ()
    more: int = 0
    passing: tuple[Offer, ...] = ()
    orders: bool = False
    """Whether players can write order sheets now."""
    bot: bool = False
    """Whether the bot waits to be asked."""

    @classmethod
    def for_game(cls, game: Game, fresh: Collection[str] = ()) -> "NextStep":
        """Return the next step of a game. It is empty during automatic play and after the game's end.

        `fresh` holds the keys of prompts that have just come up. Slow: not for the event loop.
        """
        state, system = game.state, game.ruleset
        if state.over is not None or game.ended is not None or system.next_by_itself(state) is not None:
            return cls(game)
        if game.bots_due and not game.waits_for:
            return cls(game, bot=game.bot_rests)
        everything = [one for one in system.open_prompts(state) if one.side not in game.bots]
        prompts = report_card.visible_prompts(game, PUBLIC, everything)
        settled = [one for one in prompts if not is_passing(one)]
        came_up = [one for one in settled if one.key in fresh and not one.required]
        few = sum(len(one.offers) for one in came_up) <= MOST_FRESH
        shown = [one for one in settled if one.required or (few and one in came_up)]
        left = [one for one in settled if one not in shown]
        crowded = any(one.required for one in shown) or sum(len(one.offers) for one in left) > MOST_OPEN
        room = [] if crowded else left
        has_begun = system.meant_kind(state, PASS) == PASS
        return cls(
            game,
            (*shown, *room),
            len(left) - len(room),
            passing_offers(game, everything),
            has_begun,
            bot=game.bot_rests,
        )

    def add_row(self, card: Card) -> Card:
        """Add the last row of buttons to a card and return it: let the bot play, give orders, pass on."""
        if self.more:
            card.text(SHORT_OF_ROOM.format(count=self.more))
        grey = discord.ButtonStyle.secondary
        orders = [bot_button(self.game.id)] if self.bot else []
        orders += [orders_button(self.game.id)] if self.orders else []
        ends = [button_of(one.label, grey, PROMPT, self.game.id, tag(one)) for one in self.passing]
        return card.buttons([*orders, *ends])

    def add_to(self, card: Card) -> Card:
        """Add the prompts and the last row of buttons to a card, and return the card."""
        report_card.add_all_prompts(card, self.game, self.prompts)
        return self.add_row(card)


def is_passing(prompt: Prompt) -> bool:
    """Whether the prompt offers only a pass."""
    return bool(prompt.offers) and not prompt.required and all(offer.kind == PASS for offer in prompt.offers)


def passing_offers(game: Game, prompts: Iterable[Prompt]) -> tuple[Offer, ...]:
    """Return the offers to pass on: those of open prompts, or without any, a new offer for each acting side."""
    offered = tuple(offer for one in prompts if is_passing(one) for offer in one.offers)
    acting = [side for side in game.state.acting_sides if side not in game.bots]
    return offered or tuple(offer for side in acting if (offer := _passing_offer(game, side)) is not None)


def _passing_offer(game: Game, side: str) -> Offer | None:
    if PASS not in game.ruleset.actions:
        return None
    action = execute.make_pass_action(game, side)
    seen = game.ruleset.view(game.state, side)
    try:
        label = game.ruleset.label(seen, action)
    except Refused:
        return None
    if game.ruleset.side_of(seen, action) != side:
        return None
    args = action.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    key = f"{PASS}:{game.state.turn}:{game.state.phase}:{game.state.active}"
    return Offer(label=label, kind=PASS, args=args, side=side, key=key)
