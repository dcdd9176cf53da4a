"""Several actions in one message: what came of them, the new prompts, and one map."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from bot.games.detail_level import FULL
from bot.journal.game import Game, Played
from rules.core import glance
from rules.core.model import Viewer
from rules.core.phases import PASS
from rules.core.report import Report
from rules.core.wording import count_of

from . import report_card
from .card import Card, Picture, safe
from .offer_buttons import details_button, offer_button
from .report_card import Waiting
from .turn_summary import TurnSummary, is_test_before_move

ORDER = "order"
"""The kind of action that orders a unit, in systems with such actions."""
BY_BOT = " (the bot)"
"""Suffix of the name of a side whose turn the bot has played."""
MOST_TOLD = (8, 4, 1)
"""Maximum lines below the headline, by how short the message must be."""


@dataclass(frozen=True)
class ActionList:
    """A list of actions with their reports in one viewer's view."""

    game: Game
    actions: Sequence[tuple[Played, Report]]
    viewer: Viewer

    @classmethod
    def seen_by(cls, viewer: Viewer, played: Sequence[Played]) -> "ActionList":
        """Return the list for a viewer, without actions that the viewer may not read."""
        read = ((one, one.entry.report.seen_by(viewer)) for one in played)
        return cls(played[-1].game, [(one, report) for one, report in read if report is not None], viewer)

    @property
    def played(self) -> Sequence[Played]:
        """The actions of the list, without their reports."""
        return [one for one, _ in self.actions]

    @cached_property
    def summary(self) -> TurnSummary:
        """What happened. Not for the event loop at the first time."""
        return TurnSummary.of(self.game, self.viewer, self.actions)

    def card(
        self,
        picture: Picture | None = None,
        waiting: Waiting | None = None,
        *,
        turn_follows: bool = False,
        short: int = 0,
    ) -> Card:
        """Return the card: what was done by whom, a headline that says what happened, the map, and the prompts.

        With `turn_follows`, the card leaves the name of the turn to the turn message. `short`, from 0 to 2, says how
        many lines are left to *Details*.
        """
        game, reports = self.game, [report for _, report in self.actions]
        summary = self.summary
        card = Card(report_card.side_colour(game.state, reports[0].side))
        card.text(self._heading(summary, turn_follows=turn_follows)).picture(picture)
        card.text(report_card.first_lines([*self._lines(summary, short=short)], MOST_TOLD[short]))
        last, report = self.actions[-1]
        if waiting is not None:
            waiting.add(card)
            told = {offer.key for prompt in waiting.prompts for offer in prompt.offers}
            offers = enumerate(report.offers, sum(len(prompt.offers) for prompt in report.prompts))
            left = ((index, one) for index, one in offers if one.key not in told and one.kind != PASS)
            card.buttons([offer_button(game.id, last.entry.name, *each) for each in islice(left, waiting.room)])
        steps = tuple(step for report in reports for step in report.steps)
        whole = reports[-1].model_copy(update={"steps": steps})
        state = None if turn_follows else game.state
        if game.detail == FULL:
            return card.text("\n".join(map(report_card.step_line, steps))).text(report_card.footer(whole, state))
        details = details_button(game.id, self.actions[0][0].entry.name, last.entry.name)
        return card.sign(report_card.footer(whole, state), details)

    def _heading(self, summary: TurnSummary, *, turn_follows: bool) -> str:
        """Return the line that says who did how much, and the headline."""
        counted, headline = self._counted, summary.headline
        if not counted:
            alone = self.actions[0][1] if len(self.actions) == 1 else None
            own = alone.headline if alone is not None and not (turn_follows and alone.opens_turn) else ""
            words = headline or own or ("" if turn_follows else "Next phase")
            return f"### {safe(words)}" if words else ""
        return f"-# {safe(counted)}\n### {safe(headline)}" if headline else f"### {safe(counted)}"

    def _lines(self, summary: TurnSummary, *, short: int) -> Iterator[str]:
        """Yield the lines below the headline: the summary, and what actions of no unit tell."""
        yield from (f"• {safe(line)}" for line in summary.lines)
        for one, report in self.actions:
            if not self._is_order(one):
                if not report.opens_turn and (len(self.actions) > 1 or summary.headline):
                    yield f"**{safe(report.headline)}**"
                if report.warnings:
                    yield report_card.warning_lines(report.warnings)
        last, report = self.actions[-1]
        if not (self._is_order(last) or short or summary.tells_events):  # how the game ended, its own message tells
            outcome = glance.outcome(report.model_copy(update={"ending": ""}), report.standing)
            if outcome and len(outcome) <= report_card.SHORT_OUTCOME:
                yield f"**{safe(outcome)}**"

    @property
    def has_orders(self) -> bool:
        """Whether a unit did any of the actions."""
        return any(self._is_order(one) for one in self.played)

    def _is_order(self, one: Played) -> bool:
        """Whether a unit does the action, so that it counts as an order."""
        return self.game.ruleset.actions[one.entry.kind].by_unit

    @property
    def _counted(self) -> str:
        """Who did how many orders; empty if nobody gave orders but the turn or phase went on."""
        sides = {side.id: side.name for side in self.game.state.sides}
        by_bot = {one.entry.side: BY_BOT for one, _ in self.actions if one.entry.actor.id < 0}
        actions = [
            one
            for place, (one, _) in enumerate(self.actions)
            if not is_test_before_move(self.game, self.actions, place)
        ]
        orders = [one for one in actions if self._is_order(one)]
        whose = dict.fromkeys(
            sides[one.entry.side] + by_bot.get(one.entry.side, "") for one in orders if one.entry.side in sides
        )
        if not orders:
            passes = len(actions) == 1 or any(one.entry.kind == PASS for one in actions)
            return "" if passes else f"{len(actions)} changes"
        return f"{' and '.join(whose) or self.game.umpire.name}: {count_of(len(orders), self._noun_for(orders))}"

    def _noun_for(self, orders: Sequence[Played]) -> str:
        """Return the noun for the actions: correction, order, or action in systems where units receive orders."""
        actions = self.game.ruleset.actions
        if all(actions[one.entry.kind].umpire_only for one in orders):
            return "correction"
        return "action" if ORDER in actions else "order"
