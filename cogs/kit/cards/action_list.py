"""Several actions in one message: a line for each action, the new prompts, and one map."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from bot.games.detail_level import FULL
from bot.journal.game import Game, Played
from rules.core import glance
from rules.core.dice import Throw
from rules.core.model import Viewer
from rules.core.orders import DEFAULT_KIND
from rules.core.phases import PASS
from rules.core.report import Prompt, Report, Step

from . import report_card
from .card import Card, Picture, safe
from .offer_buttons import details_button, offer_button, prompt_buttons

ORDER = "order"
"""The kind of action that orders a unit, in systems with such actions."""
BY_BOT = " (the bot)"
"""Suffix of the name of a side whose turn the bot has played."""


@dataclass(frozen=True)
class ActionList:
    """A list of actions with their reports in one viewer's view."""

    game: Game
    actions: Sequence[tuple[Played, Report]]

    @classmethod
    def seen_by(cls, viewer: Viewer, played: Sequence[Played]) -> "ActionList":
        """Return the list for a viewer, without actions that the viewer may not read."""
        read = ((one, one.entry.report.seen_by(viewer)) for one in played)
        return cls(played[-1].game, [(one, report) for one, report in read if report is not None])

    @property
    def played(self) -> Sequence[Played]:
        """The actions of the list, without their reports."""
        return [one for one, _ in self.actions]

    def card(
        self,
        picture: Picture | None = None,
        prompts: Sequence[Prompt] = (),
        *,
        turn_follows: bool = False,
        short: bool = False,
    ) -> Card:
        """Return the card: a headline, a line for each action, the map, and the prompts with their buttons.

        With `turn_follows`, the card leaves the name of the turn to the turn message. With `short`, it shows only the
        dice of a test before a move, and no warnings of orders; *Details* has the rest.
        """
        game, reports = self.game, [report for _, report in self.actions]
        card = Card(report_card.side_colour(game.state, reports[0].side)).text(f"### {self._headline}").picture(picture)
        card.text("\n".join(self._action_lines(turn_follows=turn_follows, short=short)))
        last, report = self.actions[-1]
        if not self._is_order(last):  # how the game ended, its own message tells
            without_ending = report.model_copy(update={"ending": ""})
            outcome = glance.outcome(without_ending, report_card.states_before(last, report))
            card.text(f"**{safe(outcome)}**" if outcome else "")
        lines = map(report_card.short_prompt_line, prompts)
        report_card.add_prompts(card, zip(lines, (prompt_buttons(game.id, one) for one in prompts), strict=True))
        told = {offer.key for prompt in prompts for offer in prompt.offers}
        offers = enumerate(report.offers, sum(len(prompt.offers) for prompt in report.prompts))
        name = last.entry.name
        left = ((index, one) for index, one in offers if one.key not in told and one.kind != PASS)
        card.buttons([offer_button(game.id, name, index, one) for index, one in left])
        steps = tuple(step for report in reports for step in report.steps)
        whole = reports[-1].model_copy(update={"steps": steps})
        state = None if turn_follows else game.state
        if game.detail == FULL:
            return card.text("\n".join(map(report_card.step_line, steps))).text(report_card.footer(whole, state))
        details = details_button(game.id, self.actions[0][0].entry.name, name) if steps else None
        return card.sign(report_card.footer(whole, state, self._legend()), details)

    def _action_lines(self, *, turn_follows: bool, short: bool) -> Iterable[str]:
        number, before = 0, ""
        led: Sequence[Throw] = ()
        for place, (one, report) in enumerate(self.actions):
            if self._is_test_before_move(place):
                led, before = (report.throws, "") if short else ((), f"{action_line(report)}\n")
            elif self._is_order(one):
                number += 1
                yield f"**{number}** {before}{action_line(report, led)}"
                led, before = (), ""
            else:
                yield "" if turn_follows and report.opens_turn else f"**{safe(report.headline)}**"
                yield from (f"• {report_card.glance_line(step)}" for step in glance.steps(report))
            if report.warnings and not (short and self._is_order(one)):
                yield report_card.warning_lines(report.warnings)

    def _legend(self) -> str:
        """Return the legend of the signs in the lines. An order's own dice have no rule number."""
        told = (split_steps(report)[1] if self._is_order(one) else glance.steps(report) for one, report in self.actions)
        return glance.legend(chain.from_iterable(map(glance.cites, chain.from_iterable(told))))

    def _is_order(self, one: Played) -> bool:
        """Whether a unit does the action, so that it counts as an order."""
        return self.game.ruleset.actions[one.entry.kind].by_unit

    def _is_test_before_move(self, place: int) -> bool:
        """Whether the action at `place` is a test before the same unit's move. The move's line tells both."""
        entry = self.actions[place][0].entry
        after = next((one.entry for one, _ in self.actions[place + 1 : place + 2]), None)
        moves = (
            after is not None and after.kind == DEFAULT_KIND and after.action.get("unit") == entry.action.get("unit")
        )
        return moves and entry.kind != DEFAULT_KIND and self._is_order(self.actions[place][0])

    @property
    def _headline(self) -> str:
        sides = {side.id: side.name for side in self.game.state.sides}
        by_bot = {one.entry.side: BY_BOT for one, _ in self.actions if one.entry.actor.id < 0}
        actions = [one for place, (one, _) in enumerate(self.actions) if not self._is_test_before_move(place)]
        orders = [one for one in actions if self._is_order(one)]
        whose = dict.fromkeys(
            sides[one.entry.side] + by_bot.get(one.entry.side, "") for one in orders if one.entry.side in sides
        )
        if not orders and all(one.entry.kind != PASS for one in actions):
            return f"{len(actions)} changes"
        counted = f"{len(orders)} {self._noun_for(orders)}{'' if len(orders) == 1 else 's'}"
        return safe(f"{' and '.join(whose) or self.game.umpire.name}: {counted}" if orders else "Next phase")

    def _noun_for(self, orders: Sequence[Played]) -> str:
        """Return the noun for the actions: correction, order, or action in systems where units receive orders."""
        actions = self.game.ruleset.actions
        if all(actions[one.entry.kind].umpire_only for one in orders):
            return "correction"
        return "action" if ORDER in actions else "order"


def action_line(report: Report, led: Sequence[Throw] = ()) -> str:
    """Return `Amarar move 7". · 2D6 3 2`: an action's headline and dice; then a line for each consequence.

    `led` holds the throws of a test before the action, which decided whether the unit could act.
    """
    first, rest = split_steps(report)
    own = [dice_words(first)] if first is not None else []
    head = " · ".join(map(safe, (report.headline, *map(glance.dice_in_words, led), *own)))
    return "\n".join((head, *(f"• {report_card.glance_line(step)}" for step in rest)))


def dice_words(step: Step) -> str:
    """Return `2D6 3 2`, or with a purpose missing in the headline `bog roll D6 4, flag (a flag bogs): bogged`."""
    dice = " · ".join(map(glance.dice_in_words, step.throws))
    if step.text_in_headline or step.score is not None:
        return dice
    came = ", ".join(filter(None, (f"{step.kind or step.text} {dice}", step.needed)))
    return ": ".join(filter(None, (came, step.verdict)))


def split_steps(report: Report) -> tuple[Step | None, Sequence[Step]]:
    """Return the first step with dice, or None if a consequence threw them, and the other steps of the short text."""
    steps = list(glance.steps(report))
    first = next((step for step in steps if step.throws), None)
    if first is not None and first.follows:
        first = None
    return first, [step for step in steps if step is not first]
