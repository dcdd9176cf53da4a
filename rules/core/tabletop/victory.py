"""Decide who has won a battle on a table (house): by broken armies, or by ground after the last turn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic

from rules.core.state import Side, Verdict
from rules.core.wording import number_text

from . import table
from .battle import Objective, TableState, U
from .table import Base

HALF = Fraction(1, 2)
"""Default share of an army's units whose loss breaks the army."""


@dataclass(frozen=True)
class VictoryRules(Generic[U]):
    """A system's rules of victory: which units count as losses, and which units hold ground."""

    base: Callable[[U], Base | None]
    """Return a unit's base, or None if its position is unknown."""
    fate: str
    """Description of lost units, such as `gone or flying`."""
    counts: Callable[[U], bool] = lambda _unit: True
    """Whether a unit counts for the strength of its army."""
    lost: Callable[[U], bool] = lambda unit: not unit.on_table
    """Whether a unit is lost."""
    holding: Callable[[U], bool] = lambda unit: unit.on_table
    """Whether a unit can hold ground."""
    whole: str = "units"
    """Plural noun for the counted strength."""
    option: str = "broken_at"
    """Name of the option with the share of losses that breaks an army; HALF if the system has no such option."""

    def find_verdict(self, state: TableState[U]) -> Verdict | None:
        """Return the verdict, also counting hidden units; None while the battle runs, or without a scenario."""
        if not state.scenario:
            return None
        if state.hidden:
            state = state.model_copy(update={"units": state.every_unit})
        return self.verdict_at_breaking_share(state, getattr(state.options, self.option, HALF))

    def verdict_at_breaking_share(self, state: TableState[U], share: Fraction) -> Verdict | None:
        """Return the verdict, or None while the battle runs or the umpire must decide.

        Losses of the given `share` break an army.
        """
        if (broken := self.verdict_by_losses(state, share)) is not None or not _is_last_turn_over(state):
            return broken
        return None if _has_objectives_without_positions(state) else self.verdict_by_ground(state)

    def awaits_umpire(self, state: TableState[U]) -> bool:
        """Whether the last turn is over and the umpire must decide who holds the objectives."""
        return (
            bool(state.scenario)
            and _is_last_turn_over(state)
            and _has_objectives_without_positions(state)
            and self.find_verdict(state) is None
        )

    def is_over(self, state: TableState[U]) -> bool:
        """Whether the battle is decided, or awaits the umpire's decision."""
        return self.find_verdict(state) is not None or self.awaits_umpire(state)

    def army_units(self, state: TableState[U], side: str) -> Sequence[U]:
        """Return a side's units, including its arrivals."""
        units = {**state.units, **{unit: arrival.unit for unit, arrival in state.arrivals.items()}}
        return [unit for unit in units.values() if unit.side == side]

    def lost_and_total_strength(self, state: TableState[U], side: str) -> tuple[int, int]:
        """Return how many units a side has lost, and how many it has in all, including arrivals.

        Only units that count towards the army's strength are included.
        """
        army = [unit for unit in self.army_units(state, side) if self.counts(unit)]
        return sum(1 for unit in army if self.lost(unit)), len(army)

    def breaking_progress(self, state: TableState[U], side: str) -> float:
        """Return the side's losses divided by the losses that break the side: 1 or more for a broken side."""
        share = Fraction(getattr(state.options, self.option, HALF))
        lost, total = self.lost_and_total_strength(state, side)
        return float(lost / (share * total)) if share * total else 0.0

    def is_broken(self, state: TableState[U], side: str, share: Fraction) -> bool:
        """Whether a side has lost at least one unit, and at least the given `share` of its units."""
        lost, total = self.lost_and_total_strength(state, side)
        return lost > 0 and lost >= share * total

    def verdict_by_losses(self, state: TableState[U], share: Fraction) -> Verdict | None:
        """Return the verdict if an army is broken, else None. A single unbroken side wins; otherwise nobody wins."""
        broken = [side for side in state.sides if self.is_broken(state, side.id, share)]
        unbroken = [side for side in state.sides if side not in broken]
        if not broken:
            return None
        if len(unbroken) != 1:
            return Verdict(winner=None, why="Both armies are broken.")
        (winner,) = unbroken
        losses = [(side, *self.lost_and_total_strength(state, side.id)) for side in broken]
        return Verdict(winner=winner.id, why=self.explain_broken_armies(losses, share))

    def explain_broken_armies(self, losses: Sequence[tuple[Side, int, int]], share: Fraction) -> str:
        """Return a sentence that says why sides are broken.

        `losses` holds each broken side, with the numbers of its lost units and of all its units.
        """
        names = " and ".join(f"{side:the}" for side, _, _ in losses)
        return f"With {_share_in_words(share)} {self.fate}, {names} are broken."

    def verdict_by_ground(self, state: TableState[U]) -> Verdict:
        """Return the verdict after the last turn, by the objectives that sides hold.

        A side that holds all its objectives wins. If no side holds them, a side without objectives wins, if there is
        only one such side.
        """
        if not state.objectives:
            return Verdict(winner=None, why="The last turn is over and neither army is broken.")
        unheld = {objective.side for objective in state.objectives if not self.is_held(state, objective)}
        return ground_verdict(state, next((side for side in ground_by_side(state) if side not in unheld), None))

    def is_held(self, state: TableState[U], objective: Objective) -> bool:
        """Whether the objective's side, and no other, has units on its ground.

        Units that cannot hold ground do not count.
        """
        holders = [(unit.side, self.base(unit)) for unit in state.units.values() if self.holding(unit)]
        sides = {side for side, base in holders if base and table.distance(base.at, objective.at) <= objective.within}
        return sides == {objective.side}


def ground_by_side(state: TableState[Any]) -> Mapping[str, str]:
    """Return, by side id, the names of the objectives that the side must hold, in one text."""
    ground_by_id: dict[str, str] = {}
    for objective in state.objectives:
        names = ground_by_id.get(objective.side)
        ground_by_id[objective.side] = f"{names} and {objective.name}" if names else objective.name
    return ground_by_id


def ground_verdict(state: TableState[Any], holder: str | None) -> Verdict:
    """Return the verdict after the last turn: the side `holder` wins, because it holds its objectives.

    If `holder` is None, the side without objectives wins. If there are several such sides or none, nobody wins.
    """
    ground = ground_by_side(state)
    if holder is not None:
        why = f"{state.side(holder):The} hold {ground[holder]} at the end of the last turn."
        return Verdict(winner=holder, why=why)
    defenders = [side for side in state.sides if side.id not in ground]
    objective_names = " and ".join(objective.name for objective in state.objectives)
    if len(defenders) != 1:
        return Verdict(winner=None, why=f"Nobody holds {objective_names} at the end of the last turn.")
    why = f"{defenders[0]:The} have kept the enemy from {objective_names} to the last turn."
    return Verdict(winner=defenders[0].id, why=why)


def _is_last_turn_over(state: TableState[U]) -> bool:
    return state.turn_limit is not None and state.turn > state.turn_limit


def _has_objectives_without_positions(state: TableState[U]) -> bool:
    return bool(state.objectives) and not state.keeps_positions


def _share_in_words(share: Fraction) -> str:
    """Return a share of units in words, such as `half their units`."""
    if share == HALF:
        return "half their units"
    return "all their units" if share >= 1 else f"{number_text(share)} of their units" if share else "a unit"
