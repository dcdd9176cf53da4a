"""The summary of several actions, made from the states before and after them in the viewer's view."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

from bot.journal.game import Game, Played
from rules.core.model import Viewer
from rules.core.orders import DEFAULT_KIND
from rules.core.report import Report
from rules.core.state import State
from rules.core.turn_events import DoneAction, TurnEvents, describe_deed, find_events
from rules.core.turn_headline import TurnWords, UnitDeeds, shorten_name_list

Actions: TypeAlias = Sequence[tuple[Played, Report]]
"""Actions, each with its report in the viewer's view."""


@dataclass(frozen=True)
class TurnSummary:
    """The summary of actions in a viewer's view.

    `words` tells the events and the units' actions. `untold` holds the headlines of actions that `words` omits.
    """

    words: TurnWords
    untold: Sequence[str]

    @classmethod
    def for_actions(cls, game: Game, viewer: Viewer, actions: Actions) -> "TurnSummary":
        """Return the summary. Slow, because it needs the viewer's view of every state: not for the event loop."""
        system, acted, untold = game.ruleset, UnitDeeds(), []
        done_actions = dict(_actions_with_states(game, viewer, [played_action for played_action, _ in actions]))
        for place, (played_action, report) in enumerate(actions):
            action = done_actions.get(played_action.entry.seq)
            unit = None if action is None or action.unit is None else action.after.units.get(action.unit)
            deed = system.deeds.get(played_action.entry.kind)
            if action is not None and unit is not None and deed is not None:
                if not is_test_before_move(game, actions, place):
                    acted.add(action.side, describe_deed(system.unit_facts, deed, action), unit, is_minor=deed.is_minor)
            elif system.actions[played_action.entry.kind].is_unit_action:
                untold.append(report.headline)
        facts = system.unit_facts
        entries = (played_action.entry for played_action, _ in actions)
        corrected = {entry.seq for entry in entries if system.actions[entry.kind].umpire_only}
        played = [action for seq, action in done_actions.items() if seq not in corrected]
        events = find_events(facts, system.deeds, system.holdings, played) if facts else TurnEvents()
        return cls(TurnWords(game.ruleset.view(game.state, viewer), facts, events, acted), untold)

    @property
    def has_events(self) -> bool:
        """Whether the headline names events, such as losses. Without events, it names the actions."""
        return not self.words.events.is_empty

    @property
    def headline(self) -> str:
        """The headline of the events or actions, or else of a single omitted action, or an empty string."""
        return self.words.headline or (self.untold[0] if len(self.untold) == 1 else "")

    @property
    def lines(self) -> Iterator[str]:
        """Yield the lines below the headline: losses and conditions of units, and omitted headlines.

        If the headline tells events, also yield the sides' actions.
        """
        headline = self.headline
        yield from self.words.loss_and_condition_lists
        if self.has_events:
            yield from self.words.deeds
        if remaining := [line for line in self.untold if line != headline]:
            yield shorten_name_list(remaining)


def is_test_before_move(game: Game, actions: Actions, place: int) -> bool:
    """Whether the action with the index `place` is a test of the unit that the next action moves."""
    entry = actions[place][0].entry
    after = next((played_action.entry for played_action, _ in actions[place + 1 : place + 2]), None)
    moves = after is not None and after.kind == DEFAULT_KIND and after.action.get("unit") == entry.action.get("unit")
    return moves and entry.kind != DEFAULT_KIND and game.ruleset.actions[entry.kind].is_unit_action


def _actions_with_states(game: Game, viewer: Viewer, played: Sequence[Played]) -> Iterator[tuple[int, DoneAction]]:
    """Yield each action with its entry number and the states before and after, in the viewer's view.

    Omit an action if the next entry is missing, because the state after the action is then unknown.
    """
    views: dict[int, State] = {}

    def view_of_state(state: State) -> State:
        return views.setdefault(id(state), game.ruleset.view(state, viewer))

    for played_action, following in zip_longest(played, played[1:]):
        after = None
        if following is not None and following.entry.base == played_action.entry.seq:
            after = following.before
        elif played_action.game.state_seq == played_action.entry.seq:
            after = played_action.game.state
        if after is not None:
            entry, before = played_action.entry, view_of_state(played_action.before)
            yield entry.seq, DoneAction(entry.kind, entry.side, entry.action.get("unit"), before, view_of_state(after))
