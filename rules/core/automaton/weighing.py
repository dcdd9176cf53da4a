"""Weigh candidate actions: try each with private dice, and value the resulting state for the side.

Candidates that throw dice are tried several times. At the hard level, the unit's next actions and the enemy's answers
count too.
"""

from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Generic

from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.state import Action, S

from .levels import SHORT_LIMITS, SearchLimits
from .own_dice import SeededDice

VALUE_OF_VICTORY = 1000.0
"""Value of a won game."""
SHARE_OF_LATER_GAIN = 0.6
"""Share of later gains that counts, because later events are uncertain."""
THROWS = 5
"""Number of throws for the best next action, and for the worst enemy answer."""
MINIMUM_GAIN = 0.01
"""Minimum advantage of an action over passing."""


@dataclass(frozen=True)
class WeighedAction:
    """A candidate action with its value and the label of its button.

    `brings` holds its gains and losses by name. A `certain` candidate throws no dice.
    """

    action: Action
    value: float
    brings: Mapping[str, float]
    label: str = ""
    certain: bool = False


class ActionWeigher(Generic[S]):
    """Weighs the candidate actions of one decision. Its private dice follow from `seed`."""

    def __init__(self, system: Ruleset[S], side: str, bounds: SearchLimits, seed: str) -> None:
        """Create the weigher, before its first try."""
        self.system, self.side, self.seed = system, side, seed
        self._bounds, self._limits, self._tries = bounds, bounds, 0
        self._values = tuple(worth for worth in system.values if bounds.looks_ahead or not worth.ahead)
        self._throws_ahead = not any(worth.ahead for worth in system.values)
        self._states_after: dict[int, S] = {}  # after the first try of each action, by the action's object id

    @property
    def current_limits(self) -> SearchLimits:
        """Return the current limits, which are lower once the decision's tries are used up."""
        return self._bounds if self._tries < self._bounds.tries else SHORT_LIMITS

    def weigh_actions(self, view: S, actions: Iterable[Action], name: str) -> list[WeighedAction]:
        """Return the weighed actions, best first. Try every action once, the best actions more often."""
        before, bounds = self._lead_by_value(view), self.current_limits
        self._limits, self._states_after = bounds, {}
        tried = (self._weigh_action(view, action, before, name, 1) for action in actions)
        candidates = _sort_by_value(candidate for candidate in tried if candidate is not None)
        if all(candidate.action.kind == PASS for candidate in candidates):
            return candidates
        retried = (
            candidate
            if candidate.certain
            else self._weigh_action(view, candidate.action, before, name, bounds.throws) or candidate
            for candidate in candidates[: bounds.thrown]
        )
        candidates = _sort_by_value([*retried, *candidates[bounds.thrown :]])
        if not (self._throws_ahead and bounds.looks_ahead):
            return candidates
        for number, look in (
            (bounds.followed, self._add_gain_of_next_action),
            (bounds.answered, self._add_loss_by_answer),
        ):
            close = [
                place for place, candidate in enumerate(candidates) if place < number or candidate.action.kind == PASS
            ]
            closest = _sort_by_value(look(view, candidates[place], name) for place in close)
            candidates = [*closest, *(candidate for place, candidate in enumerate(candidates) if place not in close)]
        return candidates

    def candidates_of_unit(self, view: S, unit: str, omit: Container[str] = ()) -> Iterator[Action]:
        """Yield a unit's candidate actions except the kinds in `omit`: the first of each kind, then the second, ..."""
        kinds = (kind for kind, action in self.system.actions.items() if kind not in omit and not action.umpire_only)
        return _interleave(iter(self.system.opponent.candidates(view, self.side, kind, unit)) for kind in kinds)

    def _weigh_action(
        self, view: S, action: Action, before: Mapping[str, float], name: str, throws: int
    ) -> WeighedAction | None:
        """Return the candidate with its average value over a few throws, or None if the rules refuse it."""
        if action.kind == PASS:
            return WeighedAction(action, sum(before.values()) + MINIMUM_GAIN, {}, certain=True)
        total, tries, dice = dict.fromkeys(before, 0.0), 0, SeededDice("")
        while tries < throws:
            dice = SeededDice(f"{self.seed}:{name}:{tries}")
            after = self._try_action(view, action, dice)
            if after is None:
                self._states_after.pop(id(action), None)
                return None
            self._states_after.setdefault(id(action), after)
            tries += 1
            for word, worth in self._lead_by_value(after).items():
                total[word] = total.get(word, 0.0) + worth
            if not dice.thrown:
                break
        mean = {word: worth / tries for word, worth in total.items()}
        brings = {word: worth - before.get(word, 0.0) for word, worth in mean.items()}
        return WeighedAction(action, sum(mean.values()), brings, certain=not dice.thrown)

    def _add_gain_of_next_action(self, view: S, candidate: WeighedAction, name: str) -> WeighedAction:
        """Raise the candidate's value by a share of the gain from the unit's best next action this turn."""
        unit = candidate.action.unit or name
        if unit not in view.units:
            return candidate
        after = self._states_after.get(id(candidate.action), view)
        gain = self._gain_of_next_action(after, unit, only_later_phases=candidate.action.kind == PASS)
        return _add_gain(candidate, "what comes next", gain)

    def _gain_of_next_action(self, state: S, unit: str, *, only_later_phases: bool) -> float:
        """Return a share of the gain of the unit's best next action this turn; 0 if no action gains."""
        phases, best = self.system.phases, 0.0
        now = () if only_later_phases or self.side not in state.acting_sides else (state,)
        later = phases.later_phases(state) if phases is not None else ()
        later_states = (phases.suppose_phase(state, phase, self.side) for phase in later if phases is not None)
        for at in chain(now, later_states):
            actions = ((at, action) for action in islice(self.candidates_of_unit(at, unit), self._limits.following))
            best = max(best, self._gain_of_extreme_action(actions, f"{unit}:{at.phase}", 1))
        return best * SHARE_OF_LATER_GAIN

    def _add_loss_by_answer(self, view: S, candidate: WeighedAction, name: str) -> WeighedAction:
        """Reduce the candidate's value by a share of the loss from the worst enemy attack on the unit."""
        unit = candidate.action.unit or name
        after = self._states_after.get(id(candidate.action), view)
        if unit not in after.units:
            return candidate
        enemies = [side.id for side in after.sides if side.id != self.side]
        attacks = chain.from_iterable(self.system.opponent.attacks(after, enemy, unit) for enemy in enemies)
        worst = min(0.0, self._gain_of_extreme_action(islice(attacks, self._limits.answers), f"{unit}:answer", -1))
        return _add_gain(candidate, "the answer", worst * SHARE_OF_LATER_GAIN)

    def _gain_of_extreme_action(self, actions: Iterable[tuple[S, Action]], seed: str, sign: int) -> float:
        """Return the gain of the best action (`sign` 1) or the worst action (`sign` -1); 0 without actions.

        If this action throws dice, its gain is the mean of THROWS tries.
        """
        before, gains = dict[int, float](), list[tuple[float, S, Action, bool]]()
        for state, action in actions:
            if id(state) not in before:
                before[id(state)] = sum(self._lead_by_value(state).values())
            worth, certain = self._value_after_action(state, action, f"{seed}:0")
            gains.append((worth - before[id(state)], state, action, certain))
        if not gains:
            return 0.0
        worth, state, action, certain = max(gains, key=lambda gain: sign * gain[0])
        if certain:
            return worth
        worths = (self._value_after_action(state, action, f"{seed}:{number}")[0] for number in range(1, THROWS + 1))
        return sum(worths) / THROWS - before[id(state)]

    def _value_after_action(self, state: S, action: Action, dice_name: str) -> tuple[float, bool]:
        """Return the side's value after the action (unchanged if refused), and whether the action threw no dice."""
        own = SeededDice(f"{self.seed}:{dice_name}")
        after = self._try_action(state, action, own)
        return sum(self._lead_by_value(state if after is None else after).values()), not own.thrown

    def _try_action(self, state: S, action: Action, dice: SeededDice) -> S | None:
        """Return the state directly after the action, or None if the action is refused."""
        self._tries += 1
        try:
            return self.system.try_action(state, action, dice)
        except Refused:
            return None

    def _lead_by_value(self, state: S) -> Mapping[str, float]:
        """Return, for each named value, the side's weighted lead over all its enemies."""
        enemies = [side.id for side in state.sides if side.id != self.side]
        parts = {
            worth.word: worth.weight
            * (worth.amount(state, self.side) - sum(worth.amount(state, enemy) for enemy in enemies))
            for worth in self._values
        }
        over = self.system.apply_verdict(state).over
        if over is not None and over.winner is not None:
            parts["the game"] = VALUE_OF_VICTORY if over.winner == self.side else -VALUE_OF_VICTORY
        return parts


def _sort_by_value(candidates: Iterable[WeighedAction]) -> list[WeighedAction]:
    return sorted(candidates, key=lambda candidate: -candidate.value)


def _add_gain(candidate: WeighedAction, word: str, worth: float) -> WeighedAction:
    """Return the candidate with a gain of `worth` added, named `word`."""
    brings = {**candidate.brings, word: worth} if worth else candidate.brings
    return WeighedAction(candidate.action, candidate.value + worth, brings)


def _interleave(rows: Iterable[Iterator[Action]]) -> Iterator[Action]:
    """Yield one action from each row in turn until all rows are empty."""
    queue = deque(rows)
    while queue:
        row = queue.popleft()
        for action in islice(row, 1):
            yield action
            queue.append(row)
