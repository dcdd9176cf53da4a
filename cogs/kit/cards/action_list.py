"""Several actions in one message: their events or outcome, the new prompts, and one map."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice

from bot.games.game_settings import FULL
from bot.journal.game import Game, Played
from rules.core import glance
from rules.core.dice import Throw
from rules.core.model import Viewer
from rules.core.phases import PASS
from rules.core.report import Report, Step
from rules.core.wording import count_of

from . import report_card
from .card import Card, Picture, safe
from .offer_buttons import details_button, offer_button
from .report_card import OpenPrompts
from .turn_summary import TurnSummary, is_test_before_move

ORDER = "order"
"""Kind of action that gives a unit its order, in systems where units receive orders."""
BY_BOT = " (the bot)"
"""Suffix of the name of a side whose turn the bot has played."""
MOST_TOLD = (None, 8, 4, 1)
"""Maximum lines below the headline, by level of shortness; None for a line about each action with its dice."""
NO_OUTCOME = 2
"""Level of shortness from which the message omits the outcome."""
MOST_THROWS = 2
"""Maximum number of throws that a message shows for an action without a unit."""
MOST_IN_FULL = 3
"""Maximum number of orders that a message lists one by one."""


def is_pass_by_bot(played: Played) -> bool:
    """Whether the action is a pass by the bot. Its card omits warnings about unused units."""
    return played.entry.kind == PASS and played.entry.actor.id < 0


@dataclass(frozen=True)
class ActionList:
    """A list of actions with their reports in one viewer's view."""

    game: Game
    actions: Sequence[tuple[Played, Report]]
    viewer: Viewer

    @classmethod
    def for_viewer(cls, viewer: Viewer, played: Sequence[Played]) -> "ActionList":
        """Return the list for a viewer, without actions that the viewer may not read."""
        pairs = ((action, action.entry.report.view_for(viewer)) for action in played)
        return cls(played[-1].game, [(action, report) for action, report in pairs if report is not None], viewer)

    @property
    def played(self) -> Sequence[Played]:
        """Return the listed actions without their reports."""
        return [action for action, _ in self.actions]

    @cached_property
    def summary(self) -> TurnSummary:
        """Return the summary of the actions' events. The first access is slow: not for the event loop."""
        return TurnSummary.for_actions(self.game, self.viewer, self.actions)

    def card(
        self,
        picture: Picture | None = None,
        waiting: OpenPrompts | None = None,
        *,
        turn_follows: bool = False,
        short: int = 0,
    ) -> Card:
        """Return the card: the number of orders, the events, the map, the prompts, and the button *Details*.

        With `turn_follows`, omit the name of the turn. `short` is the level of shortness, from 0 (complete) to 3.
        """
        game, reports = self.game, [report for _, report in self.actions]
        summary = self.summary
        card = Card(report_card.side_colour(game.state, reports[0].side))
        card.text(self._heading(summary, turn_follows=turn_follows, short=short)).picture(picture)
        lines = self._summary_lines(summary) if short else self._action_lines(turn_follows=turn_follows)
        card.text(report_card.limit_lines([*lines], MOST_TOLD[short]))
        last, report = self.actions[-1]
        if short < NO_OUTCOME and not (self._is_order(last) or (short and summary.has_events)):
            without_ending = report.model_copy(update={"ending": ""})  # the message of the game's end tells that
            outcome = glance.outcome_to_tell(without_ending, report_card.conditions_before_action(last, report))
            if outcome and (not short or len(outcome) <= report_card.SHORT_OUTCOME):
                card.text(f"**{safe(outcome)}**")
        if waiting is not None:
            waiting.add(card)
            shown = {offer.key for prompt in waiting.prompts for offer in prompt.offers}
            offers = enumerate(report.offers, sum(len(prompt.offers) for prompt in report.prompts))
            rest = ((index, offer) for index, offer in offers if offer.key not in shown and offer.kind != PASS)
            card.buttons([offer_button(game.id, last.entry.name, *pair) for pair in islice(rest, waiting.free_buttons)])
        steps = tuple(step for report in reports for step in report.steps)
        combined = reports[-1].model_copy(update={"steps": steps})
        state = None if turn_follows else game.state
        if game.detail == FULL:
            card.text("\n".join(map(report_card.step_line, steps)))
            return card.text(report_card.footer_line(combined, state))
        details = details_button(game.id, self.actions[0][0].entry.name, last.entry.name)
        return card.add_footer(report_card.footer_line(combined, state, "" if short else self._legend()), details)

    def _heading(self, summary: TurnSummary, *, turn_follows: bool, short: int) -> str:
        """Return the heading, with the number of orders by side, and the headline."""
        count_line, headline = self._count_line, summary.headline
        if not count_line:
            only = self.actions[0][1] if len(self.actions) == 1 else None
            own = only.headline if only is not None and not (turn_follows and only.opens_turn) else ""
            before, after = self.actions[0][0].before, self.game.state
            begins = (before.turn, before.phase, before.active) != (after.turn, after.phase, after.active)
            words = headline or own or ("Next phase" if begins and not turn_follows else "")
            return f"### {safe(words)}" if words else ""
        says_more = headline and (short or summary.has_events)
        return f"-# {safe(count_line)}\n### {safe(headline)}" if says_more else f"### {safe(count_line)}"

    def _action_lines(self, *, turn_follows: bool) -> Iterator[str]:
        """Yield a numbered line for each order, with its dice, and the headlines and steps of other actions."""
        number, before = 0, ""
        test_throws: Sequence[Throw] = ()
        for place, (action, report) in enumerate(self.actions):
            if is_test_before_move(self.game, self.actions, place):
                test_throws, before = (), f"{action_line(report)}\n"
            elif self._is_order(action):
                number += 1
                yield f"**{number}** {before}{action_line(report, test_throws)}"
                test_throws, before = (), ""
            else:
                if not (report.opens_turn and turn_follows):
                    yield f"**{safe(report.headline)}**"
                yield from (f"• {report_card.short_step_line(step)}" for step in glance.short_steps(report))
            if report.warnings and (self._is_order(action) or not is_pass_by_bot(action)):
                yield report_card.warning_lines(report.warnings)

    def _legend(self) -> str:
        """Return the legend of the rule marks in the lines. An order's own dice have no rule number."""
        steps = (
            split_off_action_dice(report)[1] if self._is_order(action) else glance.short_steps(report)
            for action, report in self.actions
        )
        return glance.mark_legend(chain.from_iterable(map(glance.cites_of_step, chain.from_iterable(steps))))

    def _summary_lines(self, summary: TurnSummary) -> Iterator[str]:
        """Yield the lines below the headline: the summary, and headlines and throws of actions without a unit."""
        yield from (f"• {safe(line)}" for line in summary.lines)
        for action, report in self.actions:
            if not self._is_order(action):
                if not summary.has_events:
                    thrown_steps = (step for step in glance.short_steps(report) if step.throws)
                    yield from (f"• {report_card.short_step_line(step)}" for step in islice(thrown_steps, MOST_THROWS))
                if not report.opens_turn and (len(self.actions) > 1 or summary.headline):
                    yield f"**{safe(report.headline)}**"
                if report.warnings and not is_pass_by_bot(action):
                    yield report_card.warning_lines(report.warnings)

    @property
    def has_orders(self) -> bool:
        """Whether the list contains orders: actions of units."""
        return any(self._is_order(action) for action in self.played)

    @property
    def has_few_orders(self) -> bool:
        """Whether at most MOST_IN_FULL orders are major actions. The message then lists the orders one by one."""
        minor = {kind for kind, deed in self.game.ruleset.deeds.items() if deed.is_minor}
        return sum(action.entry.kind not in minor for action in self._orders) <= MOST_IN_FULL

    @property
    def has_only_orders_by_people(self) -> bool:
        """Whether the list contains orders, and people did all of its actions."""
        return self.has_orders and all(action.entry.actor.id > 0 for action in self.played)

    @property
    def _orders(self) -> Sequence[Played]:
        """The actions of units, without the tests that come before a move."""
        orders = ((place, action) for place, (action, _) in enumerate(self.actions) if self._is_order(action))
        return [action for place, action in orders if not is_test_before_move(self.game, self.actions, place)]

    def _is_order(self, action: Played) -> bool:
        """Whether the action counts as an order, because a unit does the action."""
        return self.game.ruleset.actions[action.entry.kind].is_unit_action

    @property
    def _count_line(self) -> str:
        """Return a line with the number of orders, and the sides that gave them.

        Without orders, count the changes. For a single change or a pass, return an empty string.
        """
        sides = {side.id: side.name for side in self.game.state.sides}
        by_bot = {action.entry.side: BY_BOT for action, _ in self.actions if action.entry.actor.id < 0}
        orders = self._orders
        ordering_sides = (action.entry.side for action in orders if action.entry.side in sides)
        side_names = dict.fromkeys(sides[side] + by_bot.get(side, "") for side in ordering_sides)
        if not orders:
            passes = len(self.actions) == 1 or any(action.entry.kind == PASS for action, _ in self.actions)
            return "" if passes else f"{len(self.actions)} changes"
        return f"{' and '.join(side_names) or self.game.umpire.name}: {count_of(len(orders), self._order_noun(orders))}"

    def _order_noun(self, orders: Sequence[Played]) -> str:
        """Return what these actions are called: *correction* for the umpire's actions, else *order*.

        If the rules themselves have an action *order*, return *action* instead.
        """
        actions = self.game.ruleset.actions
        if all(actions[action.entry.kind].umpire_only for action in orders):
            return "correction"
        return "action" if ORDER in actions else "order"


def action_line(report: Report, test_throws: Sequence[Throw] = ()) -> str:
    """Return `Amarar move 7". · 2D6 3 2`: an action's headline and dice. Further steps have a line each.

    `test_throws` holds the throws of the test that decided whether the unit could act.
    """
    first, rest = split_off_action_dice(report)
    dice = [step_dice_in_words(first)] if first is not None else []
    head = " · ".join(map(safe, (report.headline, *map(glance.dice_in_words, test_throws), *dice)))
    return "\n".join((head, *(f"• {report_card.short_step_line(step)}" for step in rest)))


def step_dice_in_words(step: Step) -> str:
    """Return a step's dice, `2D6 3 2`.

    If the headline omits the step, return its words and result, too: `bog roll D6 4, flag (a flag bogs): bogged`.
    """
    dice = " · ".join(map(glance.dice_in_words, step.throws))
    if step.text_in_headline or step.score is not None:
        return dice
    came = ", ".join(filter(None, (f"{step.kind or step.text} {dice}", step.needed)))
    return ": ".join(filter(None, (came, step.verdict)))


def split_off_action_dice(report: Report) -> tuple[Step | None, Sequence[Step]]:
    """Return the step with the dice of the action itself (or None), and the remaining steps."""
    steps = list(glance.short_steps(report))
    first = next((step for step in steps if step.throws), None)
    if first is not None:
        needs_own_line = first.counted and not first.text_in_headline and first.score is None
        if first.follows or needs_own_line:
            first = None
    return first, [step for step in steps if step is not first]
