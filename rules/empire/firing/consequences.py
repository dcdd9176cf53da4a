"""What the hits of a shot do to its target when the phase ends (BE-2)."""

from collections.abc import Iterable
from fractions import Fraction

from rules.core.odds import Outcome
from rules.core.throws import Spread
from rules.empire.fighting.landing import land_fire
from rules.empire.model import EmpireState, EmpireUnit, Shot

NO_EFFECT = "no effect"


def outcomes(state: EmpireState, unit: str, target: str, spread: Spread) -> tuple[Outcome, ...]:
    """What becomes of the target, by the very rules that decide it, with the hits already thrown at it this phase."""
    without = consequence(state, unit, target, 0)
    gathered: dict[str, Fraction] = {}
    for number, chance in spread:
        label = consequence(state, unit, target, number)
        gathered[label] = gathered.get(label, Fraction(0)) + chance
    return tuple(
        Outcome(label=label, chance=chance, good=label != without) for label, chance in gathered.items() if chance
    )


def consequence(state: EmpireState, unit: str, target: str, number: int) -> str:
    """What so many hits more do to the target, in words."""
    shot = Shot(unit=unit, target=target, hits=number)
    mine = (each for each in state.shots if each.target == target)
    after, _ = land_fire(state.model_copy(update={"shots": (*mine, shot)}))
    return _difference(state.unit(target), after.unit(target))


def _difference(before: EmpireUnit, after: EmpireUnit) -> str:
    if after.destroyed:
        return "destroyed"
    return " and ".join(_marks(before, after)) or NO_EFFECT


def _marks(before: EmpireUnit, after: EmpireUnit) -> Iterable[str]:
    if after.disordered and not before.disordered:
        yield "disordered"
    if after.shaken and not before.shaken:
        yield "shaken"
    kills = after.kills - before.kills
    if kills:
        yield f"{kills} kill{'' if kills == 1 else 's'}"
