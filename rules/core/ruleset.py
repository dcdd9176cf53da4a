"""The contract between a rule system and the bot. To add a system, add a folder and a line in `rules/registry.py`."""

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Generic

from rules.core.hexboard.hex_scene import Scene

from . import parsing
from .action_rules import ActionRules
from .ad_hoc import AdHocQuestions
from .book import load_book
from .catalog import DecisionExplanation, Scenario, ScenarioChoice, Troop
from .dice import Dice
from .forced_actions import execute_forced_actions
from .model import Viewer
from .odds import Odds
from .opponent_support import OpponentSupport
from .places import Places
from .play import AverageDice, Play, Sketch
from .refusal import Refused
from .report import Prompt, Report, Standing
from .rule_index import RuleIndex
from .rule_words import load_search_words
from .state import Action, S, State, Unit, UnitCard, require_consistent_state, with_deputy
from .turn_events import load_deeds
from .wording import as_words

__all__ = ["DecisionExplanation", "Refused", "Ruleset", "Scenario", "ScenarioChoice", "Troop"]

ENDS = "The game ends."
"""Headline of the final report if it would have opened a turn. Otherwise the first words of the report's ending."""


class Ruleset(ActionRules[S], ABC, Generic[S]):
    """A rule system, made of action types. Every method is a pure function of its arguments.

    A subclass defines `id`, `title`, `state_type`, `action_types`, `setup` and `scene`; everything else has a default.
    An optional part such as `own_battles` is None in systems without that part.
    """

    _latest: tuple[S | None, tuple[Prompt, ...]] = (None, ())

    def __init__(self) -> None:
        """Create the system. Raises ValueError if two action types have the same kind."""
        super().__init__()
        if self.package:
            self.book = load_book(self.package)
            self.circumstances = parsing.load_circumstances(self.package)
            self.deeds = load_deeds(self.package)
        self.ad_hoc = AdHocQuestions(self, self._types)
        self.opponent = OpponentSupport(self)
        self.places = Places(self)

    @abstractmethod
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> S:
        """Return the first state of a scenario with these choices. Raises Refused for an unknown scenario or choice."""

    @abstractmethod
    def scene(self, state: S, viewer: Viewer, before: S | None = None) -> Scene:
        """Return the table or map as `viewer` may see it. Arrows show the moves since the state `before`."""

    def view(self, state: S, viewer: Viewer) -> S:  # noqa: ARG002
        """Return the viewer's view of the state. If nothing is hidden, return the state object itself."""
        return state

    @cached_property
    def rule_index(self) -> RuleIndex:
        """Return the index that finds rules for questions. The first call takes a moment to build it."""
        return RuleIndex(self.book, self.charts, load_search_words(self.package))

    @property
    def has_secrets(self) -> bool:
        """Whether the system overrides `view`, so that its games can hide facts from viewers."""
        return type(self).view is not Ruleset.view

    def storable_view(self, state: S, viewer: Viewer) -> S:
        """Return the viewer's view as a state that can be stored and played."""
        return self.view(state, viewer)

    def prompts(self, state: S) -> tuple[Prompt, ...]:  # noqa: ARG002
        """Return every required or open test, retreat and choice, each with the offers that settle it."""
        return ()

    def awaited_viewers(self, state: S) -> frozenset[Viewer]:
        """Return the sides, or the umpire, that the game waits for. A side that the system plays is left out."""
        if state.over is not None:
            return frozenset()
        required = (prompt.side for prompt in self.required_prompts(state))
        return frozenset({*state.acting_sides, *required} - {self.played_by_bot})

    def sides_missing_turn(self, state: S) -> frozenset[str]:
        """Return the sides that lose their turn if the deadline passes now: by default all acting sides."""
        return frozenset(state.acting_sides)

    def roster(self, state: S, viewer: Viewer, only: Container[str] | None = None) -> tuple[UnitCard, ...]:
        """Return a card for each unit that `viewer` may know, in order of battle. `only` (ids) limits the units."""
        cards, seen = [], self.view(state, viewer)
        for unit in self.units_in_battle_order(seen):
            if only is None or unit.id in only:
                line, details = ("", {}) if self.describe_unit is None else self.describe_unit(seen, unit, viewer)
                rows = tuple((label, words) for label, words in details.items() if words)
                cards.append(UnitCard(id=unit.id, name=unit.name, side=unit.side, line=line, details=rows))
        return tuple(cards)

    def known_units(self, state: S, viewer: Viewer) -> Sequence[Unit]:
        """Return the units that `viewer` may know, in the order of the roster."""
        return self.units_in_battle_order(self.view(state, viewer))

    def units_in_battle_order(self, state: S) -> Sequence[Any]:
        """Return the units of a view, sorted by the order of battle."""
        return tuple(state.units.values())

    def kind_meant_now(self, state: S, kind: str, unit: str | None = None) -> str:  # noqa: ARG002
        """Return the kind of action that the command `kind` means now for a unit or marker (by id).

        During a set-up, for example, `move` may mean that the unit is deployed.
        """
        return kind

    def actions_without_choice(self, state: S) -> Iterable[Action]:
        """Yield the required actions that leave no choice, oldest first. Anybody may trigger them.

        By default these are the actions of required prompts with a single offer.
        """
        for prompt in self.required_prompts(state):
            if len(prompt.offers) == 1:
                yield self.parse(prompt.offers[0].kind, prompt.offers[0].args)

    def knows_all_facts(self, state: S, action: Action) -> bool:
        """Whether the game knows all facts for the action. Without positions, people may have to state some."""
        return state.keeps_positions or self.facts_to_ask(state, action) is None

    def next_forced_action(self, state: S) -> Action | None:
        """Return the next forced action, or None. An action that is secret or needs facts waits for people."""
        if state.over is not None or not state.throws_at_once:
            return None
        actions = (action for action in self.actions_without_choice(state) if self.knows_all_facts(state, action))
        return next((action for action in actions if not action.secret), None)

    def unit_standings(self, state: S, units: Sequence[str]) -> tuple[Standing, ...]:  # noqa: ARG002
        """Return a sentence on the condition of each unit (by id), for an action's report; empty by default."""
        return ()

    def apply_verdict(self, state: S) -> S:
        """Return the state with its verdict once the game is decided; unchanged unless a system overrides this."""
        return state

    def act(self, state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute `action` and its forced consequences. Return the new state, and a report with the new prompts.

        The umpire's actions and secret actions have no forced consequences. `state` itself stays unchanged. Raises
        Refused before any die is thrown.
        """
        _require_running_game(state, action)
        play = Play(state, dice, self.side_of(state, action), self._carry_out)
        with self._add_prompts_to_refusals(state):
            try:
                self._carry_out(play, action)
            except Refused as refused:
                raise self._prefer_later_refusal(state, action, refused) from refused
        before = self.open_prompts(state)
        if not (action.umpire_only or action.secret):
            execute_forced_actions(self, play, action)
        after, report = self.apply_verdict(play.state), play.report
        if after.over is not None and state.over is None:
            report = add_ending(report, f"{after.result}. {after.over.why}")
        if not report.prompts:
            report = report.model_copy(update={"prompts": _new_prompts(before, self.open_prompts(after))})
        return after, report

    def act_without_consequences(self, state: S, action: Action, dice: Dice) -> tuple[S, Report]:
        """Execute `action` without consequences. Return the new state, and a report with new required prompts."""
        before = self.open_prompts(state)
        play = Play(state, dice, self.side_of(state, action), self._carry_out)
        self._carry_out(play, action)
        owed_prompts = tuple(
            prompt for prompt in _new_prompts(before, self.open_prompts(play.state)) if prompt.required and prompt.unit
        )
        return play.state, play.report.model_copy(update={"prompts": owed_prompts})

    def open_prompts(self, state: S) -> tuple[Prompt, ...]:
        """Return the prompts of `state`. The newest result is cached, because the next action often starts there."""
        remembered, prompts = self._latest
        if remembered is not state:
            prompts = self.prompts(state)
            self._latest = state, prompts
        return prompts

    def required_prompts(self, state: S) -> tuple[Prompt, ...]:
        """Return the required open prompts. A system may override this to avoid computing optional prompts."""
        return tuple(prompt for prompt in self.open_prompts(state) if prompt.required)

    @contextmanager
    def _add_prompts_to_refusals(self, state: S) -> Iterator[None]:
        """In a `with` block, add to a refusal the open prompts that its keys name."""
        try:
            yield
        except Refused as refused:
            prompts = (prompt for prompt in self.open_prompts(state) if prompt.key in refused.keys)
            refused.prompts = (*refused.prompts, *prompts)
            raise

    def _carry_out(self, play: Play[S], action: Action) -> None:
        self._types[action.kind].carry_out(play, action, lambda: self.state_for_planning(play.state, play.side, action))

    def _prefer_later_refusal(self, state: S, action: Action, refused: Refused) -> Refused:
        """Return the refusal of a later phase of this turn, if it has another reason; otherwise `refused`.

        `refused`, the present phase's refusal, only tells the player to wait.
        """
        phases, side = self.phases, self.side_of(state, action)
        if phases is None or refused.cite != phases.cite or not action.is_unit_action or side not in state.acting_sides:
            return refused
        seen = self.state_for_planning(state, side, action)
        for phase in phases.later_phases(seen):
            try:
                self._types[action.kind].plan(phases.suppose_phase(seen, phase, side), action)
            except Refused as later:
                if later.cite != phases.cite:
                    return later
            else:
                break
        return refused

    def state_for_planning(self, state: S, side: Viewer, action: Action) -> S:  # noqa: ARG002
        """Return the state on which `action` is planned: by default the view of `side`."""
        return self.view(state, side)

    def odds(self, state: S, action: Action) -> Odds:
        """Return the exact chances of `action`. Raises Refused like `act`, and for a kind of action without dice."""
        kind = self._types[action.kind]
        if not kind.has_odds:
            raise Refused(
                f"There are no odds for {action.kind}. Ask for those of: {', '.join(sorted(self.kinds_with_odds))}."
            )
        _require_running_game(state, action)
        with self._add_prompts_to_refusals(state):
            return kind.odds_of(state, action)

    def _can_sketch(self, action: Action) -> bool:
        """Whether the action's result can be sketched: it is a unit's action, not the umpire's."""
        return action.is_unit_action and not action.umpire_only

    def sketch(self, state: S, viewer: Viewer, action: Action) -> Sketch[S]:
        """Return the expected result of `action`, without dice, as `viewer` may know it. Raises Refused like `act`."""
        if not self._can_sketch(action):
            raise Refused(f"What {as_words(action.kind)} brings cannot be shown beforehand.")
        _require_running_game(state, action)
        seen, dice = self.view(state, viewer), AverageDice()
        side = self.side_of(seen, action)
        action = with_deputy(action, by_deputy=viewer != side)
        play = Play(seen, dice, side, self._carry_out)
        play.is_sketch = True
        self._types[action.kind].carry_out(play, action, lambda: seen)
        return Sketch(seen, play.state, play.report, about=bool(dice.thrown))

    def try_action(self, state: S, action: Action, dice: Dice) -> S:
        """Return the state after `action` without its consequences. Raises Refused."""
        play = Play(state, dice, self.side_of(state, action), self._carry_out)
        self._types[action.kind].carry_out(play, action, lambda: play.state)
        return play.state

    def require_valid_state(self, state: S) -> None:
        """Raise Refused, naming the place of the fault, if a state from outside contradicts itself."""
        require_consistent_state(state)

    def next_automatic_action(self, state: S) -> Action | None:  # noqa: ARG002
        """Return the action that the system executes next by itself, or None if the game waits for people.

        Must be fast. Each such action becomes its own journal entry, executed by `act`. Repeated calls must end with
        None.
        """
        return None


def _new_prompts(before: Sequence[Prompt], after: Sequence[Prompt]) -> tuple[Prompt, ...]:
    """Return the prompts of `after` that are new or changed since `before`."""
    prompts_before = {prompt.key: prompt for prompt in before}
    return tuple(prompt for prompt in after if prompts_before.get(prompt.key) != prompt)


def describe_tally(system: Ruleset[S], state: S) -> str:
    """Return the score towards victory in a sentence; empty for a system that counts only at the end."""
    return "" if system.tally is None else system.tally(state)


def describe_strengths(system: Ruleset[S], state: S, viewer: Viewer) -> Mapping[str, str]:
    """Return the strengths that the viewer may know in words, by side id. Empty without strengths."""
    return {} if system.strengths is None else system.strengths(state, viewer)


def add_ending(report: Report, why: str) -> Report:
    """Return the report with the game's end and the reason `why`. Clear `opens_turn`."""
    if report.opens_turn:
        return report.model_copy(update={"headline": ENDS, "ending": why, "opens_turn": False})
    return report.model_copy(update={"ending": f"{ENDS} {why}"})


def _require_running_game(state: State, action: Action) -> None:
    """Raise Refused after the game's end, except for umpire actions."""
    if state.over is not None and not action.umpire_only:
        raise Refused(f"The game is over: {state.over.why} Undo, or start another with /game new.")
