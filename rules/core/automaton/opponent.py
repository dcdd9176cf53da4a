"""Choose the bot's actions in any rule system: try each candidate with private dice, and take the best.

The opponent knows only what its side knows. The same position, level and seed give the same choice on every machine.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Generic, TypeAlias

from rules.core.orders import DEFAULT_KIND
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, S

from .levels import LIMITS_BY_LEVEL, Level
from .own_dice import SeededDice
from .weighing import ActionWeigher, WeighedAction

UnitInPhase: TypeAlias = tuple[int, str, str]
KEPT = 3
"""Maximum number of candidates kept to explain a decision."""
MOST_ACTIONS = 8
"""Maximum actions per unit and phase; stops endless shuffling."""
WORTH_A_MOVE = 0.1
"""Minimum gain for another move of a unit that already acted in the phase."""


@dataclass(frozen=True)
class OpponentDecision:
    """A decision: the chosen action, and the best candidates, best first."""

    action: Action
    best: tuple[WeighedAction, ...]


class DecisionMaker(Generic[S]):
    """Makes the decisions of one side at one level.

    `through` holds the units that take no further action in a phase, by turn, phase and id. `acted` counts the
    actions of each unit.
    """

    def __init__(
        self,
        system: Ruleset[S],
        side: str,
        level: Level,
        seed: str,
        through: Iterable[UnitInPhase] = (),
        acted: Mapping[UnitInPhase, int] | None = None,
    ) -> None:
        """Create a decision maker whose private dice follow from `seed`, the name of the decision."""
        self.system, self.side, self.seed = system, side, seed
        self.bounds = LIMITS_BY_LEVEL[level]
        self.through, self.acted = set(through), Counter(acted)

    def decide(self, state: S) -> OpponentDecision | None:
        """Return the side's next decision, or None if it has no possible action."""
        view = self._view_with_assumptions(state)
        own = sum(unit.side == self.side for unit in view.units.values())
        weigher = ActionWeigher(self.system, self.side, self.bounds.limits_per_unit(own), self.seed)
        required = [*self._required_actions(view)]
        if required:
            return self._make_decision(view, weigher.weigh_actions(view, required, "owed"))
        if self.side not in view.acting_sides:
            return None
        passing = [*self.system.legal_actions(view, self.side, PASS)]
        alternatives: list[WeighedAction] = []
        for name, group in self._action_groups(view, weigher):
            key = (view.turn, view.phase, name)
            if passing and key in self.through:
                continue
            weighed = weigher.weigh_actions(view, chain(group, passing), name)
            if passing and weighed and weighed[0].action.kind != PASS and not self._is_pointless_move(key, weighed):
                self.acted[key] += 1
                if name in view.units and self.acted[key] >= MOST_ACTIONS:
                    self.through.add(key)
                return self._make_decision(view, weighed)
            self.through.add(key)
            alternatives += _compare_with_passing(weighed[:KEPT])
        best = sorted(alternatives, key=lambda candidate: -candidate.value)
        return self._make_decision(view, [*weigher.weigh_actions(view, passing, PASS), *best])

    def _is_pointless_move(self, key: UnitInPhase, weighed: Sequence[WeighedAction]) -> bool:
        """Whether the best action moves a unit again in the phase, and gains less than WORTH_A_MOVE."""
        best, passing = weighed[0], next(candidate for candidate in weighed if candidate.action.kind == PASS)
        return best.action.kind == DEFAULT_KIND and self.acted[key] > 0 and best.value - passing.value < WORTH_A_MOVE

    def _view_with_assumptions(self, state: S) -> S:
        """Return the side's view with assumptions about hidden units."""
        view, imagine = self.system.view(state, self.side), self.system.opponent.imagine
        return view if imagine is None else imagine(view, SeededDice(f"{self.seed}:imagined"))

    def _required_actions(self, view: S) -> Iterator[Action]:
        """Yield the actions that settle the side's required prompts."""
        for prompt in self.system.required_prompts(view):
            if prompt.side == self.side:
                yield from (self.system.parse(offer.kind, offer.args) for offer in prompt.offers)

    def _action_groups(self, view: S, weigher: ActionWeigher[S]) -> Iterator[tuple[str, Iterable[Action]]]:
        """Yield named groups of actions to weigh together.

        A group is a rationed kind of action, or the other actions of one unit, or all actions without a unit.
        """
        kinds = [kind for kind, action in self.system.actions.items() if not action.umpire_only and kind != PASS]
        rationed = [kind for kind in kinds if self.system.actions[kind].rationed]
        for kind in rationed:
            yield kind, self.system.legal_actions(view, self.side, kind)
        for unit in [*view.units.values()]:
            if unit.side == self.side:
                candidates = weigher.candidates_of_unit(view, unit.id, rationed)
                yield unit.id, islice(candidates, weigher.current_limits.candidates)
        by_side = [kind for kind in kinds if not self.system.actions[kind].is_unit_action]
        yield "", chain.from_iterable(self.system.legal_actions(view, self.side, kind) for kind in by_side)

    def _make_decision(self, view: S, candidates: Sequence[WeighedAction]) -> OpponentDecision | None:
        """Return the decision for the first candidate, or None without candidates."""
        best = tuple(
            replace(candidate, label=self._button_label(view, candidate.action)) for candidate in candidates[:KEPT]
        )
        return OpponentDecision(best[0].action, best) if best else None

    def _button_label(self, view: S, action: Action) -> str:
        try:
            return self.system.label(view, action)
        except Refused:
            return action.kind


def _compare_with_passing(candidates: Sequence[WeighedAction]) -> Iterator[WeighedAction]:
    """Yield the candidates except passing, each with its value and gains compared with passing."""
    passing = next((candidate.brings for candidate in candidates if candidate.action.kind == PASS), {})
    for candidate in candidates:
        if candidate.action.kind != PASS:
            gains = {
                word: candidate.brings.get(word, 0.0) - passing.get(word, 0.0)
                for word in {**candidate.brings, **passing}
            }
            yield replace(candidate, value=candidate.value - sum(passing.values()), brings=gains)
