"""Who has won a battle on a table (house): an army is broken by its losses, else the ground decides at the end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from rules.core.state import Side, Verdict
from rules.core.wording import number

from . import table
from .battle import Objective, TableState, U
from .table import Base

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Reckoning(Generic[U]):
    """What a system says of its units: whose loss counts, who is lost, who can hold ground, and where all stand."""

    base: Callable[[U], Base | None]
    fate: str
    """Description of lost units, such as `gone or flying`."""
    counts: Callable[[U], bool] = lambda _unit: True
    lost: Callable[[U], bool] = lambda unit: not unit.on_table
    holding: Callable[[U], bool] = lambda unit: unit.on_table
    whole: str = "units"
    """Name for counted strength."""
    option: str = "broken_at"
    """Option with the breaking share of losses; default one half."""

    def ended(self, state: TableState[U]) -> Verdict | None:
        """Return the verdict by the game's option; None while running or outside games. Hidden units count."""
        if not state.scenario:
            return None
        if state.hidden:
            state = state.model_copy(update={"units": state.every_unit})
        return self.verdict(state, getattr(state.options, self.option, HALF))

    def verdict(self, state: TableState[U], part: Fraction) -> Verdict | None:
        """Return the verdict, or None while running. `part` is the breaking share of losses.

        `part` is the part of its units whose loss breaks an army.

        Without positions only the umpire can say who holds the objectives.
        """
        if (broken := self.broken(state, part)) is not None or not _time_is_up(state):
            return broken
        return None if _is_unseen(state) else self.by_ground(state)

    def awaits_umpire(self, state: TableState[U]) -> bool:
        """Whether the last turn is over and the umpire is asked who holds the objectives."""
        return bool(state.scenario) and _time_is_up(state) and _is_unseen(state) and self.ended(state) is None

    def is_over(self, state: TableState[U]) -> bool:
        """Whether play is over or awaits the umpire's decision."""
        return self.ended(state) is not None or self.awaits_umpire(state)

    def losses(self, state: TableState[U], side: str) -> tuple[int, int]:
        """Return an army's losses and its original strength."""
        army = [unit for unit in state.units.values() if unit.side == side and self.counts(unit)]
        return sum(1 for unit in army if self.lost(unit)), len(army)

    def is_broken(self, state: TableState[U], side: str, part: Fraction) -> bool:
        """Whether an army lost at least one unit and the breaking share."""
        lost, of = self.losses(state, side)
        return lost > 0 and lost >= part * of

    def broken(self, state: TableState[U], part: Fraction) -> Verdict | None:
        """Return the verdict for broken armies, or None."""
        fled = [side for side in state.sides if self.is_broken(state, side.id, part)]
        stand = [side for side in state.sides if side not in fled]
        if not fled:
            return None
        if len(stand) != 1:
            return Verdict(winner=None, why="Both armies are broken.")
        (winner,) = stand
        return Verdict(winner=winner.id, why=self.why(state, fled, part))

    def why(self, state: TableState[U], fled: Sequence[Side], part: Fraction) -> str:  # noqa: ARG002
        """Return the reason for breaking, in a sentence."""
        names = " and ".join(f"{side:the}" for side in fled)
        return f"With {_of_units(part)} {self.fate}, {names} are broken."

    def by_ground(self, state: TableState[U]) -> Verdict:
        """Return the verdict after the last turn: attackers win by holding all objectives."""
        if not state.objectives:
            return Verdict(winner=None, why="The last turn is over and neither army is broken.")
        attackers = dict.fromkeys(objective.side for objective in state.objectives)
        for side in attackers:
            mine = [objective for objective in state.objectives if objective.side == side]
            if all(self.holds(state, objective) for objective in mine):
                ground = " and ".join(objective.name for objective in mine)
                why = f"{state.side(side):The} hold {ground} at the end of the last turn."
                return Verdict(winner=side, why=why)
        others = [side for side in state.sides if side.id not in attackers]
        ground = " and ".join(objective.name for objective in state.objectives)
        if len(others) != 1:
            return Verdict(winner=None, why=f"Nobody holds {ground} at the end of the last turn.")
        why = f"{others[0]:The} have kept the enemy from {ground} to the last turn."
        return Verdict(winner=others[0].id, why=why)

    def holds(self, state: TableState[U], objective: Objective) -> bool:
        """Whether only the objective's side has units on its ground."""
        there = {unit.side for unit in state.units.values() if self._stands_on(unit, objective)}
        return there == {objective.side}

    def _stands_on(self, unit: U, objective: Objective) -> bool:
        here = self.base(unit)
        return here is not None and self.holding(unit) and table.distance(here.at, objective.at) <= objective.within


def _time_is_up(state: TableState[U]) -> bool:
    return state.turn_limit is not None and state.turn > state.turn_limit


def _is_unseen(state: TableState[U]) -> bool:
    """Whether the battle has ground to hold and no positions."""
    return bool(state.objectives) and not state.keeps_positions


def _of_units(part: Fraction) -> str:
    if part == HALF:
        return "half their units"
    return "all their units" if part >= 1 else f"{number(part)} of their units" if part else "a unit"
